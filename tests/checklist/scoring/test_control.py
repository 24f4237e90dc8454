"""A control: texts that do not change, rated as if the metric were asked again."""

import json
from dataclasses import dataclass
from random import Random

import numpy as np
import pytest

import shakeproof
from shakeproof.metrics.judges.formulas import MeanOfDraws
from shakeproof.metrics.options import Options
from shakeproof.metrics.registry import METRICS
from shakeproof.results import Outcome

NOISE, SEGMENTS, CANDIDATES = 0.5, 60, 6
ASKED = []
CHECKLIST = """\
data: data.jsonl
language: en
metrics: {{m: {metric}}}
checks:
  - check: again
    perturb: {{identical: {{on: candidate}}}}
    expect: {{{expect}}}
"""


def segment(number):
    texts = [f"{number} " + "a" * letters for letters in range(CANDIDATES)]
    return {
        "id": str(number),
        "references": ["a"],
        "candidates": [{"text": text} for text in texts],
    }


@dataclass(frozen=True)
class Noisy:
    """Rates a text by its length, and adds noise of a known size to each draw."""

    draw: int

    @property
    def signature(self):
        return f"noisy|draw:{self.draw}"

    def score(self, tuples):
        ASKED.extend(tuples)
        return np.array(
            [len(text) + Random(f"{self.draw}|{text}").gauss(0, NOISE) for text, *_ in tuples]
        )


class NoisyOptions(Options):
    repeats: int

    def build(self, others, settings):
        return MeanOfDraws(tuple(map(Noisy, range(1, self.repeats + 1))), frozenset())


@pytest.fixture
def control(tmp_path, monkeypatch):
    """Return what runs a control for one metric, judged by a bound in the metric's own units."""
    monkeypatch.setitem(METRICS, "noisy", NoisyOptions)
    ASKED.clear()
    (tmp_path / "data.jsonl").write_text("\n".join(map(json.dumps, map(segment, range(SEGMENTS)))))

    def run(metric, expect="score_change: {at_most: 0.1, unit: raw}"):
        path = tmp_path / "control.checklist.yaml"
        path.write_text(CHECKLIST.format(metric=metric, expect=expect))
        (result,) = shakeproof.run(path).results
        return result

    return run


def test_a_metric_without_draws_says_the_same_again(control):
    result = control("chrf", "score_change: {at_most: 0, unit: raw}")

    assert result.verdict == "pass"
    assert result.estimate.value == 0
    assert result.estimate.segments == SEGMENTS


@pytest.mark.parametrize("repeats", [2, 3, 8])
def test_a_judge_differs_from_itself_as_two_means_of_its_draws_do(control, repeats):
    result = control(f"{{noisy: {{repeats: {repeats}}}}}")
    expected = NOISE * np.sqrt(2 / repeats) * np.sqrt(2 / np.pi)  # mean |x| of a normal x

    assert result.verdict == "fail"
    assert result.estimate.value == pytest.approx(expected, rel=0.12)


def test_nothing_is_asked_twice_for_a_control(control):
    control("{noisy: {repeats: 2}}")

    assert len(ASKED) == 2 * SEGMENTS * CANDIDATES


def test_a_control_of_a_single_draw_is_skipped(control):
    result = control("{noisy: {repeats: 1}}")

    assert result.outcome is Outcome.SKIPPED
    assert "identical needs repeats: 2 or more, which metric 'm' does not have" in result.reason


def test_a_control_has_changed_nothing_and_has_no_texts_to_show(control):
    result = control("{noisy: {repeats: 2}}")

    assert result.realised.segments == 0
    assert result.examples == ()
