"""The objective, the schedule and the loop."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from itertools import chain
from pathlib import Path
from time import monotonic
from typing import Any

import torch
from torch import Tensor
from torch.nn.functional import cross_entropy, normalize

from byte_mini.corpus import Corpus, Vocabulary
from byte_mini.lessons import Lesson, draw_lesson
from byte_mini.spelling import spell
from byte_mini.student import new_student
from byte_mini.teacher import SAMPLE, Projection, Teacher, fit_projection

LOG = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Plan:
    """All that decides the result, next to the text and the teacher."""

    steps: int = 6000
    seed: int = 1
    words: int = 160  # per step
    rate: float = 2e-3
    warmup: int = 150
    decay: float = 0.6  # the last share of the steps, over which the rate falls to nothing
    temperature: float = 0.07
    contrast: float = 0.3  # weight of telling words apart beside being near the teacher
    spelling: float = 0.25  # its share of what is to be seen in a word

    def rate_at(self, step: int) -> float:
        """Rise, stay, fall: a run that stayed longer can be made from any of its checkpoints."""
        falling = (self.steps - step) / max(1.0, self.decay * self.steps)
        return self.rate * min(1.0, (step + 1) / self.warmup, falling)


def loss_of(states: Tensor, targets: Tensor, owners: Tensor, plan: Plan) -> tuple[Tensor, Tensor]:
    """Compare the state of every byte with its word's target, and with those of other words.

    The other words of the step should be as near and as far as the teacher has them.
    """
    unit = normalize(states, dim=-1)
    near = 1 - (unit * targets[owners]).sum(-1)
    wanted = (targets @ targets.T / plan.temperature).softmax(-1)
    apart = cross_entropy(unit @ targets.T / plan.temperature, wanted[owners])
    return near.mean(), apart


@dataclass(slots=True)
class Trainer:
    """A student on its way; `step` is the number of lessons it has had."""

    plan: Plan
    corpus: Corpus
    vocabulary: Vocabulary
    teacher: Teacher
    projection: Projection
    student: Any
    optimiser: torch.optim.Optimizer
    step: int = 0

    def learn(self) -> dict[str, float]:
        """Take one lesson."""
        plan = self.plan
        lesson = draw_lesson(self.corpus, self.vocabulary, plan.seed, self.step, plan.words)
        near, apart = self._losses(lesson)
        loss = near + plan.contrast * apart
        for group in self.optimiser.param_groups:
            group["lr"] = plan.rate_at(self.step)
        self.optimiser.zero_grad(set_to_none=True)
        loss.backward()  # type: ignore[no-untyped-call]  # torch's
        torch.nn.utils.clip_grad_norm_(self.student.parameters(), 1.0)
        self.optimiser.step()
        self.step += 1
        return {"near": near.item(), "apart": apart.item(), "bytes": float(lesson.bytes.numel())}

    def _losses(self, lesson: Lesson) -> tuple[Tensor, Tensor]:
        targets = self.projection(*_seen(self.teacher, lesson.texts))
        states = self.student(
            input_ids=lesson.bytes,
            attention_mask=(lesson.bytes > 0).long(),
            position_ids=lesson.positions,
        ).last_hidden_state
        real = lesson.words >= 0
        return loss_of(states[real], targets.clone(), lesson.words[real], self.plan)

    def save(self, path: Path) -> None:
        """Keep all that going on needs; a checkpoint is whole or not there."""
        kept = {
            "plan": asdict(self.plan),
            "step": self.step,
            "student": self.student.state_dict(),
            "optimiser": self.optimiser.state_dict(),
            "projection": asdict(self.projection),
        }
        torch.save(kept, path.with_suffix(".part"))
        path.with_suffix(".part").replace(path)


def begin(
    plan: Plan, texts: tuple[Corpus, Vocabulary], teacher: Teacher, checkpoint: Path
) -> Trainer:
    """Make a new student, or take up the one in the checkpoint."""
    torch.manual_seed(plan.seed)
    student = new_student()
    groups = [
        {"params": [p for p in student.parameters() if p.dim() > 1], "weight_decay": 0.01},
        {"params": [p for p in student.parameters() if p.dim() == 1], "weight_decay": 0.0},
    ]
    optimiser = torch.optim.AdamW(groups, lr=plan.rate, betas=(0.9, 0.98))
    if not checkpoint.exists():
        projection = _fit(plan, texts, teacher, student.config.hidden_size)
        return Trainer(plan, *texts, teacher, projection, student, optimiser)
    kept = torch.load(checkpoint, weights_only=True)
    if not _goes_on(kept["plan"], asdict(plan), kept["step"]):
        raise ValueError(f"{checkpoint} was made by another plan: {kept['plan']}")
    student.load_state_dict(kept["student"])
    optimiser.load_state_dict(kept["optimiser"])
    projection = Projection(**kept["projection"])
    return Trainer(plan, *texts, teacher, projection, student, optimiser, kept["step"])


def _goes_on(before: dict[str, float], now: dict[str, float], step: int) -> bool:
    """Tell whether a plan leads through a checkpoint: only a fall not yet begun may be moved."""
    fall = (1 - now["decay"]) * min(before["steps"], now["steps"])
    return before == now or (step <= fall and before == {**now, "steps": before["steps"]})


def _fit(plan: Plan, texts: tuple[Corpus, Vocabulary], teacher: Teacher, width: int) -> Projection:
    """Fit the projection to what the teacher says of texts from the first steps."""
    sample: list[list[str]] = []
    step = 0
    while len(sample) < SAMPLE:
        sample += draw_lesson(*texts, plan.seed, step, plan.words).texts
        step += 1
    seen = [_seen(teacher, sample[i : i + 32]) for i in range(0, SAMPLE, 32)]
    states, spellings = map(torch.cat, zip(*seen, strict=True))
    return fit_projection(states, spellings, plan.spelling, width)


def _seen(teacher: Teacher, texts: Sequence[Sequence[str]]) -> tuple[Tensor, Tensor]:
    """Look at each word of some texts: what the teacher makes of it, and how it is written."""
    return teacher.states(texts), spell(chain.from_iterable(texts))


def train(trainer: Trainer, checkpoint: Path, tell: Callable[[dict[str, float]], None]) -> None:
    """Take all lessons that are left; save and tell every now and then."""
    sums: dict[str, float] = {}
    since, saved = trainer.step, monotonic()
    while trainer.step < trainer.plan.steps:
        for name, value in trainer.learn().items():
            sums[name] = sums.get(name, 0.0) + value
        if trainer.step % 50 == 0:
            tell({"step": trainer.step, **{k: v / (trainer.step - since) for k, v in sums.items()}})
            sums, since = {}, trainer.step
        if monotonic() - saved > 120 or trainer.step == trainer.plan.steps:
            trainer.save(checkpoint)
            saved = monotonic()
