"""Columns kept in the cache: a run on known data neither perturbs nor looks anything up."""

import json

import pytest

import shakeproof
from shakeproof.metrics.engine.cache import Cache
from shakeproof.plan import perturbed
from shakeproof.runs.config import RunConfig
from shakeproof.runs.driver import Driver
from shakeproof.scoring import kept_columns
from shakeproof.spec.read import load

TEXT = """\
checklist: letters
data: texts.jsonl
language: en
draws: 200
metrics: {chrf: chrf}
checks:
  - check: capitals do not matter
    perturb: {upper-case: {on: candidate}}
    expect: {score_change: {at_most: 100, unit: raw}}
"""
WORDS = tuple(f"Text no {number} of {number * number}" for number in range(40))


@pytest.fixture
def judged(written, tmp_path, counting_cache, monkeypatch):
    """Run a checklist on some texts; return its results, and what was done for them."""

    def run(text=TEXT, words=WORDS, limit=None):
        path = written(text)
        rows = [
            {"id": str(at), "references": [f"A text, the {at}th"], "candidates": [{"text": one}]}
            for at, one in enumerate(words)
        ]
        (tmp_path / "texts.jsonl").write_text("\n".join(map(json.dumps, rows)))
        damaged = []
        whole = perturbed._damaged
        monkeypatch.setattr(
            perturbed, "_damaged", lambda *given: damaged.append(given) or whole(*given)
        )
        with counting_cache(tmp_path / "scores.sqlite") as cache:
            driver = Driver(RunConfig(offline=True, limit=limit, search=0), cache)
            plan = driver.plan(load(path))
            driver.score((path, item) for item in plan.items)
            results = [driver.evaluate(path, item) for item in plan.items]
            monkeypatch.setattr(perturbed, "_damaged", whole)
            return results, len(damaged), len(cache.lookups)

    return run


def test_the_second_run_perturbs_nothing_and_looks_nothing_up(judged):
    first, damaged, _ = judged()
    again, damaged_again, lookups = judged()

    assert damaged == 40
    assert (damaged_again, lookups) == (0, 0)
    assert again == first


@pytest.mark.parametrize(
    "change",
    [
        pytest.param({"words": (*WORDS[:-1], "a new one")}, id="another text"),
        pytest.param({"text": TEXT.replace("upper-case", "lower-case")}, id="another family"),
        pytest.param({"text": TEXT.replace("on: candidate", "on: reference")}, id="another field"),
        pytest.param({"text": f"seed: 3\n{TEXT}"}, id="another seed"),
        pytest.param({"limit": 35}, id="fewer segments"),
    ],
)
def test_other_texts_are_perturbed(judged, change):
    judged()
    fresh, damaged, _ = judged(**change)

    assert damaged
    assert judged(**change) == (fresh, 0, 0)


def test_another_metric_reads_its_own_scores(judged):
    chrf = judged()[0][0].estimate.value
    bleu = judged(TEXT.replace("chrf: chrf", "chrf: bleu"))[0][0].estimate.value

    assert chrf != bleu


def test_nothing_is_kept_when_the_code_changes(judged, monkeypatch):
    judged()
    monkeypatch.setattr(kept_columns, "code_digest", lambda: "another")

    assert judged()[1:] != (0, 0)


def test_texts_of_a_family_of_the_user_are_made_anew(judged):
    @shakeproof.family("shout", summary="Shout.", keeps_meaning=True)
    def shout(text, level, rng, context):
        return text.upper()

    text = TEXT.replace("upper-case: {on: candidate}", "shout: {on: candidate, levels: [1]}")
    judged(text)

    assert judged(text)[1] >= 40


def test_columns_with_missing_scores_are_not_kept(judged, tmp_path):
    (tmp_path / "metric.py").write_text(
        "def rate(candidate, reference):\n    return {'a': 1.0}.get(candidate)\n"
    )
    text = TEXT.replace("chrf: chrf", "chrf: {python: {function: 'metric:rate'}}")
    judged(text, words=("a", *WORDS))

    assert judged(text, words=("a", *WORDS))[1] >= 40


def test_clear_forgets_the_columns(judged, tmp_path):
    judged()
    with Cache(tmp_path / "scores.sqlite") as cache:
        cache.clear()

    assert judged()[1] >= 40
