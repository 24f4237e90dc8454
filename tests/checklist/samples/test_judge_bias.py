"""The shipped checklist for judges: a planted bias fails its own checks, and nothing else does."""

import biased_judges as planted
import pytest
from ruamel.yaml import YAML

import shakeproof
from shakeproof.metrics.registry import METRICS
from shakeproof.perturbations.families.judges import JUDGES
from shakeproof.results import Verdict

SEEDS, SEGMENTS, DRAWS = (1, 2), 36, 500
COMPARING = ("none", "position", "obedience")


def test_without_its_comments_the_checklist_asks_nobody():
    kinds = [kind for metric in planted.shipped_checklist()["metrics"].values() for kind in metric]

    assert kinds == ["bertscore", "chrf"]


def test_its_comments_are_the_settings_and_checks_of_judges():
    shipped, whole = planted.shipped_checklist(), planted.shipped_checklist(judges=True)
    more = [check for check in whole["checks"] if check not in shipped["checks"]]

    assert set(whole["metrics"]) - set(shipped["metrics"]) == {"judge", "duel"}
    assert [check["metrics"] for check in more] == [["duel"], ["judge"]]


def test_it_uses_every_family_for_judges():
    used = [
        family
        for check in planted.shipped_checklist()["checks"]
        for family in check.get("perturb", {})
    ]

    assert sorted(used) == sorted(family.name for family in JUDGES)


@pytest.fixture(scope="module", params=SEEDS)
def results(request, tmp_path_factory):
    """The results of all judges with a planted bias, on part of the sample."""
    seed = request.param
    raters = {bias: {planted.RATES: {"bias": bias, "seed": seed}} for bias in planted.RATING_BIASES}
    raters["none, in grades"] = {planted.RATES: {"bias": "none", "seed": seed, "grades": 5}}
    duels = {
        f"{bias}, in pairs": {planted.COMPARES: {"bias": bias, "seed": seed}} for bias in COMPARING
    }
    content = planted.checklist_for(raters, duels, seed=seed)
    path = tmp_path_factory.mktemp("planted") / "planted.checklist.yaml"
    YAML().dump({**content, "draws": DRAWS}, path)
    with pytest.MonkeyPatch.context() as patch:
        for name, kind in planted.KINDS.items():
            patch.setitem(METRICS, name, kind)
        return shakeproof.run(path, limit=SEGMENTS, search=0).results


def test_judges_are_convicted_of_their_planted_bias_and_of_nothing_else(results):
    metrics = {result.metric for result in results}
    convicted = {
        metric: {one.check for one in results if one.metric == metric and one.verdict == "fail"}
        for metric in metrics
    }

    assert convicted == {name: planted.OWN_CHECKS[name.split(", ")[0]] for name in metrics}


def test_every_family_convicts_a_judge_with_the_bias_that_it_is_about(results):
    own = [one for one in results if one.check in planted.OWN_CHECKS[one.metric.split(", ")[0]]]

    assert own
    assert {one.verdict for one in own} == {Verdict.FAIL}


def test_a_judge_without_a_bias_passes_every_check(results):
    fair = [one.verdict for one in results if one.metric == "none"]

    assert fair == [Verdict.PASS] * 17


def test_letters_pass_every_check(tmp_path):
    content = {**planted.shipped_checklist(), "metrics": {"chrf": {"chrf": {}}}, "draws": DRAWS}
    path = tmp_path / "letters.checklist.yaml"
    YAML().dump(content, path)

    assert {one.verdict for one in shakeproof.run(path, search=0).results} == {Verdict.PASS}


@pytest.mark.model
@pytest.mark.usefixtures("minilm")
def test_bertscore_passes_checks_with_short_texts(tmp_path):
    short = {"flattery", "hesitant-tone", "master-key", "identical"}
    content = planted.shipped_checklist()
    content["metrics"].pop("chrf")
    content["checks"] = [one for one in content["checks"] if short & set(one["perturb"])]
    path = tmp_path / "bertscore.checklist.yaml"
    YAML().dump({**content, "draws": DRAWS}, path)
    results = shakeproof.run(path, limit=SEGMENTS, search=0).results

    assert [one.verdict for one in results] == [Verdict.PASS] * len(short)
