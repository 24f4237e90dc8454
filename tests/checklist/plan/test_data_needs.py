"""What checks and metrics need of the data."""

from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from shakeproof.data.segments import Candidate, Segment
from shakeproof.plan.data_needs import unmet_needs
from shakeproof.plan.kinds import kinds_of
from shakeproof.spec.read import parse

PATH = Path("d.checklist.yaml")
DROP = "expect: {correlation_drop: {coefficient: COEFFICIENT, at_most: 0.1}}"
VISUAL = "perturb: {visual: {on: reference, levels: [0.1]}}"
UPPER = "perturb: {upper-case: {on: candidate}}"
CHANGE = "expect: {score_change: {at_most: 0.2}}"
FULL = Segment(
    id="1",
    candidates=(Candidate("a", 1.0), Candidate("b", 0.0)),
    references=("r",),
    source="x",
    preferences=((0, 1),),
)


@dataclass(frozen=True)
class FakeMetric:
    requires: frozenset[str] = frozenset({"references"})


def lacks(*lines, segments=(FULL,), requires=("references",)):
    checklist = parse(
        "data: sample\nmetrics: {chrf: {chrf: {}}}\nchecks:\n  - check: one\n"
        + "".join(f"    {line}\n" for line in lines),
        PATH,
    )
    return unmet_needs(checklist, kinds_of(segments), {"chrf": FakeMetric(frozenset(requires))})


def without(**changes):
    return replace(FULL, **changes)


UNRATED = without(candidates=(Candidate("a"), Candidate("b")))
UNPAIRED = without(preferences=())


@pytest.mark.parametrize("coefficient", ["pearson", "spearman", "wmt-kendall"])
def test_full_data_lack_nothing(coefficient):
    assert lacks(VISUAL, DROP.replace("COEFFICIENT", coefficient)) == []


def test_a_correlation_with_ratings_needs_ratings():
    (line,) = lacks(VISUAL, DROP.replace("COEFFICIENT", "pearson"), segments=[UNRATED])

    assert line == (
        "d.checklist.yaml:4: check 'one' asks for drop of pearson, which needs ratings, but the "
        "data have none; there are preferences: with a correlation, use coefficient: wmt-kendall"
    )


def test_a_correlation_with_preferences_needs_preferences():
    (line,) = lacks(VISUAL, DROP.replace("COEFFICIENT", "wmt-kendall"), segments=[UNPAIRED])

    assert line == (
        "d.checklist.yaml:4: check 'one' asks for drop of wmt-kendall, which needs preferences, "
        "but the data have none; there are ratings: with a correlation, use coefficient: pearson "
        "or spearman, or add rating_gap: 25 to compare candidates whose ratings differ by 25 "
        "or more"
    )


def test_a_rating_gap_makes_pairs_of_ratings():
    gap = "wmt-kendall, rating_gap: 25"

    assert lacks(VISUAL, DROP.replace("COEFFICIENT", gap), segments=[UNPAIRED]) == []


def test_every_group_needs_what_people_said():
    groups = [replace(FULL, group="gu-en"), replace(UNRATED, group="kk-en")]

    (line,) = lacks(VISUAL, DROP.replace("COEFFICIENT", "pearson"), segments=groups)

    assert "needs ratings, but group 'kk-en' has none" in line


def test_some_rated_segments_are_enough():
    data = [FULL, replace(UNRATED, id="2")]

    assert lacks(VISUAL, DROP.replace("COEFFICIENT", "pearson"), segments=data) == []


def test_a_metric_needs_its_texts_of_every_segment():
    data = [FULL, without(id="2", source=None), without(id="3", source=None)]

    (line,) = lacks(UPPER, CHANGE, segments=data, requires=["source"])

    assert line == (
        "d.checklist.yaml:2: metric 'chrf' needs a source, but segment '2' has none "
        "(nor have 1 more)"
    )


def test_an_empty_source_is_a_source():
    assert lacks(UPPER, CHANGE, segments=[without(source="")], requires=["source"]) == []


def test_segments_without_candidates_need_nothing():
    data = [FULL, Segment(id="2", candidates=())]

    assert lacks(UPPER, CHANGE, segments=data, requires=["source", "references"]) == []


def test_data_without_any_candidate_are_refused():
    (line,) = lacks(UPPER, CHANGE, segments=[Segment(id="2", candidates=())])

    assert line == "d.checklist.yaml:1: the data have no candidates at all"


def test_a_copy_check_needs_sources():
    (line,) = lacks("expect: {copy_penalty: {at_least: 0.5}}", segments=[without(source=None)])[:1]

    assert "needs a source, but segment '1' has none" in line


def test_a_copy_check_needs_to_know_the_best_candidates():
    bare = replace(UNRATED, preferences=())

    (line,) = lacks("expect: {copy_penalty: {at_least: 0.5}}", segments=[bare])

    assert "which needs ratings or preferences, but the data have neither" in line


def test_perturbed_references_must_be_there():
    (line,) = lacks(VISUAL, CHANGE, segments=[without(references=())], requires=[])

    assert line == (
        "d.checklist.yaml:4: check 'one' perturbs the reference, which needs references, but "
        "segment '1' has none"
    )


def stored(levels, family="visual"):
    return without(perturbed={"references": {family: dict.fromkeys(levels, ("ř",))}})


REPLAY = "perturb: {visual: {on: reference, levels: [0.1, 0.3], stored: true}}"


def test_stored_texts_are_found_by_the_value_of_the_level():
    assert lacks(REPLAY, CHANGE, segments=[stored(["0.10", "0.3"])]) == []


def test_a_missing_stored_level_is_named():
    (line,) = lacks(REPLAY, CHANGE, segments=[stored(["0.1"])])

    assert "with stored texts for 'visual' on the reference at level 0.3, but segment '1'" in line


def test_a_missing_stored_family_is_named_with_what_is_there():
    (line,) = lacks(REPLAY, CHANGE, segments=[stored(["0.1"], family="visuall")])

    assert "but the data have none; did you mean 'visuall'?" in line


CORRELATION = "expect: {correlation: {at_least: 0.1}}"
SCORED = without(candidates=(Candidate("a", 1.0, scores={"BLEURT": 1.0}), Candidate("b")))


def test_stored_scores_cannot_follow_a_perturbation():
    (line,) = lacks(UPPER, CHANGE, segments=[SCORED], requires=["stored:BLEURT"])

    assert "only knows the scores of the data, not those of perturbed texts" in line


def test_candidates_may_lack_a_stored_score():
    assert lacks(CORRELATION, segments=[FULL, SCORED], requires=["stored:BLEURT"]) == []


@pytest.mark.parametrize(
    ("segments", "message"),
    [
        pytest.param(
            [SCORED],
            "needs the score 'BLEUR', but the data have none; did you mean 'BLEURT'?",
            id="another name",
        ),
        pytest.param(
            [FULL],
            "needs the score 'BLEUR', but the data have none",
            id="no scores",
        ),
        pytest.param(
            [
                without(candidates=(Candidate("a", 1.0, scores={"BLEUR": 1.0}),)),
                replace(SCORED, group="kk-en"),
            ],
            "needs the score 'BLEUR', but group 'kk-en' has none; did you mean 'BLEURT'?",
            id="in one group",
        ),
    ],
)
def test_a_stored_score_that_no_candidate_has_is_reported_with_another_name(segments, message):
    (line,) = lacks(CORRELATION, segments=segments, requires=["stored:BLEUR"])

    assert line.endswith(message)


def test_metrics_that_could_not_be_built_are_left_to_their_own_error():
    checklist = parse(
        f"data: sample\nmetrics: {{chrf: {{chrf: {{}}}}}}\nchecks:\n  - check: one\n    {UPPER}\n"
        f"    {CHANGE}\n",
        PATH,
    )

    assert unmet_needs(checklist, kinds_of([FULL]), {}) == []


def test_a_metric_that_compares_candidates_needs_two_in_each_segment():
    alone = without(id="2", candidates=(Candidate("a"),), preferences=())
    (line,) = lacks(UPPER, CHANGE, segments=[FULL, alone, alone], requires=["rivals"])

    assert line == (
        "d.checklist.yaml:2: metric 'chrf' needs rivals (two or more candidates in each segment), "
        "but segment '2' has none (nor have 1 more)"
    )
    assert lacks(UPPER, CHANGE, requires=["rivals"]) == []
