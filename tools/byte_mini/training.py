"""The loss, the schedule and the training loop."""

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

from byte_mini.batches import Batch, draw_batch
from byte_mini.corpus import Corpus, Vocabulary
from byte_mini.spelling import spell
from byte_mini.student import new_student
from byte_mini.teacher import SAMPLE, Projection, Teacher, fit_projection

LOG = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Plan:
    """The settings of a training run."""

    steps: int = 6000
    seed: int = 1
    words: int = 160  # per step
    rate: float = 2e-3
    warmup: int = 150
    decay: float = 0.6  # the last share of the steps, in which the rate falls to 0
    temperature: float = 0.07
    contrast: float = 0.3  # weight of the cross-entropy beside the distance to the target
    spelling: float = 0.25  # weight of the spelling in a target

    def rate_at(self, step: int) -> float:
        """Return the learning rate: it rises, stays, falls.

        While it stays, a checkpoint can be continued with more steps.
        """
        falling = (self.steps - step) / max(1.0, self.decay * self.steps)
        return self.rate * min(1.0, (step + 1) / self.warmup, falling)


def loss_of(states: Tensor, targets: Tensor, owners: Tensor, plan: Plan) -> tuple[Tensor, Tensor]:
    """Return two losses of the bytes: 1 - cosine to the target of the word, and a cross-entropy.

    The cross-entropy compares similarities to all words of the step with those of the targets.
    """
    unit = normalize(states, dim=-1)
    near = 1 - (unit * targets[owners]).sum(-1)
    wanted = (targets @ targets.T / plan.temperature).softmax(-1)
    apart = cross_entropy(unit @ targets.T / plan.temperature, wanted[owners])
    return near.mean(), apart


@dataclass(slots=True)
class Trainer:
    """The state of a training run; `step` is the number of finished steps."""

    plan: Plan
    corpus: Corpus
    vocabulary: Vocabulary
    teacher: Teacher
    projection: Projection
    student: Any
    optimiser: torch.optim.Optimizer
    step: int = 0

    def run_step(self) -> dict[str, float]:
        """Train on one batch; return the losses and the number of bytes."""
        plan = self.plan
        batch = draw_batch(self.corpus, self.vocabulary, plan.seed, self.step, plan.words)
        near, apart = self._losses(batch)
        loss = near + plan.contrast * apart
        for group in self.optimiser.param_groups:
            group["lr"] = plan.rate_at(self.step)
        self.optimiser.zero_grad(set_to_none=True)
        loss.backward()  # type: ignore[no-untyped-call]  # torch's
        torch.nn.utils.clip_grad_norm_(self.student.parameters(), 1.0)
        self.optimiser.step()
        self.step += 1
        return {"near": near.item(), "apart": apart.item(), "bytes": float(batch.bytes.numel())}

    def _losses(self, batch: Batch) -> tuple[Tensor, Tensor]:
        targets = self.projection(*_word_features(self.teacher, batch.texts))
        states = self.student(
            input_ids=batch.bytes,
            attention_mask=(batch.bytes > 0).long(),
            position_ids=batch.positions,
        ).last_hidden_state
        real = batch.words >= 0
        return loss_of(states[real], targets.clone(), batch.words[real], self.plan)

    def save(self, path: Path) -> None:
        """Write a checkpoint, through a temporary file so that it is never incomplete."""
        checkpoint = {
            "plan": asdict(self.plan),
            "step": self.step,
            "student": self.student.state_dict(),
            "optimiser": self.optimiser.state_dict(),
            "projection": asdict(self.projection),
        }
        torch.save(checkpoint, path.with_suffix(".part"))
        path.with_suffix(".part").replace(path)


def create_trainer(
    plan: Plan, texts: tuple[Corpus, Vocabulary], teacher: Teacher, checkpoint: Path
) -> Trainer:
    """Return a new training run, or the one of the checkpoint if there is one."""
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
    saved = torch.load(checkpoint, weights_only=True)
    if not _can_continue(saved["plan"], asdict(plan), saved["step"]):
        raise ValueError(f"{checkpoint} was made with other settings: {saved['plan']}")
    student.load_state_dict(saved["student"])
    optimiser.load_state_dict(saved["optimiser"])
    projection = Projection(**saved["projection"])
    return Trainer(plan, *texts, teacher, projection, student, optimiser, saved["step"])


def _can_continue(before: dict[str, float], now: dict[str, float], step: int) -> bool:
    """Tell whether a checkpoint fits: only `steps` may change, before the rate falls."""
    fall_start = (1 - now["decay"]) * min(before["steps"], now["steps"])
    return before == now or (step <= fall_start and before == {**now, "steps": before["steps"]})


def _fit(plan: Plan, texts: tuple[Corpus, Vocabulary], teacher: Teacher, width: int) -> Projection:
    """Fit the projection on texts of the first steps."""
    sample: list[list[str]] = []
    step = 0
    while len(sample) < SAMPLE:
        sample += draw_batch(*texts, plan.seed, step, plan.words).texts
        step += 1
    features = [_word_features(teacher, sample[i : i + 32]) for i in range(0, SAMPLE, 32)]
    states, spellings = map(torch.cat, zip(*features, strict=True))
    return fit_projection(states, spellings, plan.spelling, width)


def _word_features(teacher: Teacher, texts: Sequence[Sequence[str]]) -> tuple[Tensor, Tensor]:
    """Return, for each word, the teacher's states and the spelling vector."""
    return teacher.states(texts), spell(chain.from_iterable(texts))


def train(trainer: Trainer, checkpoint: Path, report: Callable[[dict[str, float]], None]) -> None:
    """Run the remaining steps; report every 50 steps and save every two minutes."""
    sums: dict[str, float] = {}
    since, saved = trainer.step, monotonic()
    while trainer.step < trainer.plan.steps:
        for name, value in trainer.run_step().items():
            sums[name] = sums.get(name, 0.0) + value
        if trainer.step % 50 == 0:
            report(
                {"step": trainer.step, **{k: v / (trainer.step - since) for k, v in sums.items()}}
            )
            sums, since = {}, trainer.step
        if monotonic() - saved > 120 or trainer.step == trainer.plan.steps:
            trainer.save(checkpoint)
            saved = monotonic()
