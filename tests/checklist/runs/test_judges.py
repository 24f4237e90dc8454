"""Judges without a service: planted biases and noise are found by checks from end to end."""

import json
from dataclasses import dataclass
from itertools import permutations
from random import Random

import numpy as np
import pytest

import shakeproof
from shakeproof.cli.main import main
from shakeproof.errors import SpecErrors
from shakeproof.metrics.judges.formulas import MeanOfDraws, WinRate
from shakeproof.metrics.judges.texts import unpack_pair
from shakeproof.metrics.options import Options
from shakeproof.metrics.registry import METRICS
from shakeproof.results import Outcome, PartName

SEGMENTS, CLOSE = 40, 2  # lengths that differ by less look alike to the judge of pairs
ASKED = []  # tuples that were rated, with the number of the draw


def quality(text):
    """Return the number of small letters, which both judges go by."""
    return sum(map(str.islower, text))


@dataclass(frozen=True)
class Pairs:
    """Prefers the better text, and the first of two that look alike to it."""

    draw: int
    silent: bool = False

    @property
    def signature(self):
        return f"pairs|{self.silent}|draw:{self.draw}"

    def score(self, tuples):
        ASKED.extend((self.draw, texts) for texts in tuples)
        return np.array([self.prefers_first(*unpack_pair(texts)) for texts in tuples])

    def prefers_first(self, first, second):
        if self.silent and first.candidate.startswith("s7 "):
            return np.nan
        ahead = quality(first.candidate) - quality(second.candidate)
        return float(ahead > -CLOSE)


@dataclass(frozen=True)
class Noisy:
    """Rates a text by its quality, and adds noise of a known size to each draw."""

    draw: int
    noise: float

    @property
    def signature(self):
        return f"noisy|{self.noise}|draw:{self.draw}"

    def score(self, tuples):
        return np.array([quality(texts[0]) + self.error(texts[0]) for texts in tuples])

    def error(self, text):
        return Random(f"{self.draw}|{text}").gauss(0, self.noise)


class PairOptions(Options):
    repeats: int = 1
    rivals: int = 4
    silent: bool = False

    def build(self, others, settings):
        draws = range(1, self.repeats + 1)
        scorers = tuple(Pairs(draw, self.silent) for draw in draws)
        return WinRate(scorers, frozenset(), self.rivals)


class JudgeOptions(Options):
    repeats: int = 3
    noise: float = 2.0

    def build(self, others, settings):
        draws = range(1, self.repeats + 1)
        return MeanOfDraws(tuple(Noisy(draw, self.noise) for draw in draws), frozenset())


def segment(number):
    lengths = Random(number).sample(range(5, 25), 5)
    return {
        "id": f"s{number}",
        "references": ["a reference"],
        "candidates": [{"text": f"s{number} " + "a" * n, "rating": n} for n in lengths],
        "preferences": [(a, b) for a, b in permutations(range(5), 2) if lengths[a] > lengths[b]],
    }


DATA = [segment(number) for number in range(SEGMENTS)]
HEAD = """\
data: data.jsonl
language: en
draws: 500
metrics:
  duel: {pairs: {}}
  judge: {noisy: {}}
  length: length
checks:
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setitem(METRICS, "pairs", PairOptions)
    monkeypatch.setitem(METRICS, "noisy", JudgeOptions)
    monkeypatch.chdir(tmp_path)
    ASKED.clear()
    (tmp_path / "data.jsonl").write_text("\n".join(map(json.dumps, DATA)))
    return tmp_path


def check(name, expect, *, metrics="[duel]", perturb=""):
    lines = [f"  - check: {name}", f"    expect: {expect}"]
    lines += [f"    metrics: {metrics}"] if metrics else []
    lines += [f"    perturb: {perturb}"] if perturb else []
    return "\n".join(lines) + "\n"


def run(folder, *checks, head=HEAD, cache=None):
    path = folder / "judges.checklist.yaml"
    path.write_text(head + "".join(checks))
    return shakeproof.run(path, cache=cache).results


def comparisons():
    """Return the pairs of different qualities: how many, and how many look alike to the judge."""
    pairs = [
        (quality(a["text"]), quality(b["text"]))
        for one in DATA
        for a, b in permutations(one["candidates"], 2)
    ]
    return len(pairs), sum(abs(a - b) < CLOSE for a, b in pairs)


def part(result, name):
    return next(one.estimate for one in result.parts if one.name == name)


UPPER = "{upper-case: {on: candidate}}"


def test_a_win_rate_is_checked_like_any_metric(folder):
    results = run(
        folder,
        check("agrees", "{correlation: {by: segment, at_least: 0.9}}"),
        check("prefers", "{prefers_better: {at_least: 0.8}}"),
        check("drops", "{score_drop: {at_least: 1}}", perturb=UPPER),
        check("original", "{prefers_original: {at_least: 0.7}}", perturb=UPPER),
        check("stays", "{score_change: {at_most: 0.2}}", perturb=UPPER),
    )

    assert [result.outcome for result in results] == [Outcome.PASSED] * 4 + [Outcome.FAILED]
    assert part(results[2], "perturbed score").value == 0.0  # capitals lose against clean rivals
    assert part(results[2], "clean score").value == pytest.approx(0.5)


def test_a_preference_for_the_first_position_is_found(folder):
    consistent, preferred = run(
        folder,
        check("order", "{position_consistency: {at_least: 0.97}}"),
        check("first", "{position_preference: {at_least: 0.45, at_most: 0.51}}"),
    )
    pairs, alike = comparisons()

    assert consistent.estimate.value == pytest.approx(1 - alike / pairs)
    assert part(consistent, PartName.FLIPS).value == pytest.approx(alike / pairs)
    assert part(consistent, PartName.FIRST_POSITION) == preferred.estimate
    assert preferred.estimate.value == pytest.approx(0.5 + alike / pairs / 2)
    assert part(consistent, PartName.SHARED).value == pytest.approx(1 - alike / pairs)
    assert all(one.estimate.low < one.estimate.high for one in consistent.parts)
    assert consistent.outcome is Outcome.FAILED
    assert preferred.outcome is Outcome.FAILED


def test_comparisons_are_asked_once_and_views_cost_nothing(folder):
    cache = folder / "scores.sqlite"
    run(folder, check("agrees", "{correlation: {at_least: 0}}"), cache=cache)
    asked = len(ASKED)
    run(folder, check("order", "{position_consistency: {at_least: 0.5}}"), cache=cache)

    assert asked == len(set(ASKED)) == SEGMENTS * 5 * 4
    assert len(ASKED) == asked


def test_noise_between_draws_is_found(folder):
    steady, noisy, duel = run(
        folder,
        check("steady", "{stable: {at_most: 0.5}}", metrics="[judge]"),
        check("noisy", "{stable: {at_most: 0.1}}", metrics="[judge]"),
        check("raw", "{stable: {at_most: 0, unit: raw}}"),
        head=HEAD.replace("{pairs: {}}", "{pairs: {repeats: 2}}"),
    )
    spread = part(steady, PartName.SPREAD).value
    share = 2.0**2 / (spread**2 - 2.0**2 / 3 + 2.0**2)

    assert (steady.outcome, noisy.outcome) == (Outcome.PASSED, Outcome.FAILED)
    assert steady.estimate.value == pytest.approx(2.0 / spread, rel=0.1)
    assert steady.unit == "spreads"
    assert part(steady, PartName.NOISE_OF_ONE_DRAW).value == pytest.approx(share, rel=0.2)
    assert part(steady, PartName.NOISE_OF_MEAN).value == pytest.approx(
        2.0**2 / 3 / spread**2, rel=0.2
    )
    assert duel.estimate.value == 0
    assert duel.outcome is Outcome.PASSED


def test_positions_can_be_checked_on_perturbed_texts(folder):
    (result,) = run(
        folder, check("order", "{position_consistency: {at_least: 0.9}}", perturb=UPPER)
    )

    assert result.estimate.value == 1  # capitals lose in both orders
    assert PartName.SHARED not in [one.name for one in result.parts]


@pytest.mark.parametrize(
    ("expect", "metrics", "message"),
    [
        pytest.param(
            "{stable: {at_most: 0.1}}",
            "[length]",
            "check 'one': stable needs repeats: 2 or more, which metric 'length' does not have; "
            "name other metrics by metrics: […]",
            id="no draws",
        ),
        pytest.param(
            "{stable: {at_most: 0.1}}",
            "[judge, duel]",
            "check 'one': stable needs repeats: 2 or more, which metric 'duel' does not have; "
            "name other metrics by metrics: […]",
            id="one draw",
        ),
        pytest.param(
            "{position_consistency: {at_least: 0.9}}",
            "[judge]",
            "check 'one': position_consistency needs comparisons of two candidates in both "
            "orders, which metric 'judge' does not have; name other metrics by metrics: […]",
            id="no comparisons",
        ),
    ],
)
def test_a_named_metric_that_cannot_be_judged_is_a_mistake(folder, expect, metrics, message):
    with pytest.raises(SpecErrors) as error:
        run(folder, check("one", expect, metrics=metrics))

    assert str(error.value) == f"judges.checklist.yaml:9: {message}"


def test_of_all_metrics_those_that_cannot_be_judged_are_skipped(folder):
    duel, judge, length = run(folder, check("one", "{stable: {at_most: 0.5}}", metrics=""))

    assert [one.outcome for one in (duel, judge, length)] == [
        Outcome.SKIPPED,
        Outcome.PASSED,
        Outcome.SKIPPED,
    ]
    assert length.reason == "stable needs repeats: 2 or more, which metric 'length' does not have"
    assert not ASKED


def test_a_check_that_no_metric_can_be_judged_by_is_a_mistake(folder):
    head = HEAD.replace("  duel: {pairs: {}}\n", "")
    with pytest.raises(SpecErrors, match="which metric 'length' does not have"):
        run(folder, check("one", "{position_consistency: {at_least: 0}}", metrics=""), head=head)


def test_missing_comparisons_are_counted_and_left_out(folder):
    (result,) = run(
        folder,
        check("order", "{position_consistency: {at_least: 0.5}}"),
        head=HEAD.replace("{pairs: {}}", "{pairs: {silent: true}}"),
    )

    assert result.missing.count == 5  # the candidates of one segment
    assert result.estimate.segments == SEGMENTS - 1


def test_equal_candidates_are_neither_compared_nor_missing(folder):
    rows = [*DATA[:-1], {**DATA[-1], "candidates": [{"text": "same"}] * 5, "preferences": []}]
    (folder / "data.jsonl").write_text("\n".join(map(json.dumps, rows)))
    (result,) = run(folder, check("order", "{position_consistency: {at_least: 0.5}}"))

    assert result.missing is None
    assert result.estimate.segments == SEGMENTS - 1


def test_a_plan_says_what_can_be_detected_once_comparisons_are_known(folder, capsys):
    order = check("order", "{position_consistency: {at_least: 0.5}}")
    run(folder, order, check("draws", "{stable: {at_most: 0.5}}", metrics=""), cache="cache")

    assert main(["plan", "judges.checklist.yaml", "--cache", "cache"]) == 0
    lines = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert ["0.041", "scores", "duel:", "order,", "clean"] in lines
    assert ["-", "nothing", "yet", "length:", "draws,", "clean"] in lines


def test_mutants_are_judged_by_checks_of_scores_alone(folder, capsys):
    path = folder / "judges.checklist.yaml"
    order = check("order", "{position_consistency: {at_least: 0.5}}")
    drops = check("drops", "{score_drop: {at_least: 1}}", perturb=UPPER)
    path.write_text(HEAD + order + drops)

    assert main(["mutants", "judges.checklist.yaml"]) == 0
    shown = capsys.readouterr().out
    assert "drops" in shown
    assert "order" not in shown
