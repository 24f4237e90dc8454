"""The part set aside for tuning, copies added to the data, and what is drawn together."""

from pathlib import Path

import numpy as np
import pytest

from shakeproof.data.copies import ADDED
from shakeproof.data.segments import Candidate, Segment
from shakeproof.errors import SpecError
from shakeproof.metrics.kinds.parascore import tune_omega
from shakeproof.metrics.settings import Settings
from shakeproof.plan.items import make_plan
from shakeproof.plan.preparation import part_of, set_aside, with_copies
from shakeproof.results import Run
from shakeproof.scoring.score_table import instances_of
from shakeproof.spec.model import Development
from shakeproof.spec.read import parse
from shakeproof.stats.rows import candidates_of

CHECKLIST = """\
data: sample
language: en
draws: 500
development: 0.25
metrics:
  words: word-f1
  para: {parascore: {similarity: words, omega: tuned}}
checks:
  - check: agreement
    metrics: [para]
    expect: {correlation: {coefficient: pearson, at_least: -1}}
  - check: copying does not pay
    metrics: [para]
    expect: {copy_penalty: {at_least: -9}}
"""


def planned(text):
    return make_plan(parse(text, Path("d.checklist.yaml")), Settings(offline=True))


def segment(name, *ratings, **rest):
    candidates = tuple(Candidate(f"{name}{at}", rating) for at, rating in enumerate(ratings))
    return Segment(name, candidates, ("r",), f"source of {name}", **rest)


def test_the_first_segments_are_set_aside_and_the_checks_speak_of_the_rest():
    fixed = CHECKLIST.replace("tuned", "0.3")
    whole, cut = planned(fixed.replace("development: 0.25", "seed: 0")), planned(fixed)
    first, rest = cut.development, cut.segments

    assert [one.id for one in (*first, *rest)] == [one.id for one in whole.segments]
    assert (len(first), len(rest)) == (24, 72)


def test_a_cut_by_candidates_splits_the_segment_at_the_cut():
    segments = [segment("a", 1, 2, 3, 4), segment("b", 1, 2, 3, 4), segment("c", 1, 2)]
    first, rest = set_aside(segments, Development(0.6, "candidates"))

    assert [(one.id, len(one.candidates)) for one in first] == [("a", 4), ("b", 2)]
    assert [(one.id, len(one.candidates)) for one in rest] == [("b", 2), ("c", 2)]
    assert rest[0].candidates[0].text == "b2"


def test_a_cut_between_segments_splits_none():
    segments = [segment("a", 1, 2), segment("b", 1, 2)]
    first, rest = set_aside(segments, Development(0.5, "candidates"))

    assert (first, rest) == (tuple(segments[:1]), tuple(segments[1:]))


def test_a_part_of_a_segment_keeps_the_preferences_and_stored_texts_of_its_candidates():
    stored = {
        "candidates": {"visual": {"0.3": ("p", "q", "r")}},
        "references": {"x": {"1": ("z",)}},
    }
    whole = segment("a", 1, 2, 3, preferences=((1, 0), (2, 1)), perturbed=stored)
    part = part_of(whole, 1, 3)

    assert part.preferences == ((1, 0),)
    assert part.perturbed["candidates"]["visual"]["0.3"] == ("q", "r")
    assert part.perturbed["references"] == stored["references"]


def test_omega_is_tuned_on_the_development_part_alone(run_checklist):
    found = run_checklist(CHECKLIST)
    plan = planned(CHECKLIST)
    para = plan.metrics["para"]
    rows = [
        (item, candidate.rating)
        for one in plan.development
        for item, candidate in zip(instances_of(one), one.candidates, strict=True)
    ]
    parts = [para.parts(item, _scores(para, item)) for item, _ in rows]
    expected = tune_omega(
        np.array([part.similarity for part in parts]),
        np.array([part.divergence for part in parts]),
        np.array([rating for _, rating in rows]),
    )

    para = next(one for one in found.checklists[0].metrics if one.name == "para")
    assert para.facts == {"omega": expected, "tuned on": f"{len(rows):,} candidates"}
    assert f"omega:{expected}" in para.signature
    assert {one.outcome for one in found.results} == {"passed"}
    assert found.checklists[0].data[0].segments == 72
    assert Run.model_validate_json(found.model_dump_json()) == found


def _scores(metric, item):
    return [float(scorer.score([texts])[0]) for scorer, texts in metric.needs(item)]


def test_a_tuned_metric_gives_the_same_verdicts_as_its_number_written_down(run_checklist):
    tuned = run_checklist(CHECKLIST)
    omega = next(one.facts["omega"] for one in tuned.checklists[0].metrics if one.facts)
    fixed = run_checklist(CHECKLIST.replace("omega: tuned", f"omega: {omega}"))

    assert [one.estimate for one in tuned.results] == [one.estimate for one in fixed.results]


def test_what_cannot_be_tuned_fails_alone(tmp_path, run_checklist):
    data = [segment(str(at), 1, 1) for at in range(40)]
    lines = [
        f'{{"id": "{one.id}", "source": "s", "references": ["r"], "candidates": '
        '[{"text": "a", "rating": 1}, {"text": "b r", "rating": 1}]}'
        for one in data
    ]
    (tmp_path / "d.jsonl").write_text("\n".join(lines))
    text = CHECKLIST.replace("sample", "d.jsonl").replace(
        "metrics: [para]", "metrics: [para, words]"
    )
    found = {(one.metric, one.check): one for one in run_checklist(text).results}

    assert "omega cannot be tuned" in found["para", "agreement"].message
    assert found["para", "agreement"].outcome == "error"
    assert found["words", "agreement"].outcome == "undecided"


@pytest.mark.parametrize(
    ("before", "after", "line"),
    [
        pytest.param(
            "development: 0.25\n",
            "",
            "d.checklist.yaml:6:48: omega: tuned needs a development part, or it is tuned on "
            "the test data",
            id="tunes on the test part",
        ),
        pytest.param("0.25", "1.5", "4:1: share must be below 1, got 1.5", id="too much"),
        pytest.param("0.25", "some", "4:14: development must be a share, got 'some'", id="text"),
        pytest.param("0.25", "{by: segments}", "development needs a share", id="no share"),
        pytest.param("0.25", "0.001", "development sets nothing aside", id="too little"),
        pytest.param(
            "checks:",
            "  more: {parascore: {similarity: para}}\nchecks:",
            "metric 'more' builds on 'para', whose omega is still to be tuned",
            id="built on",
        ),
    ],
)
def test_tuning_is_refused_in_one_clear_line(before, after, line):
    with pytest.raises(SpecError) as refused:
        planned(CHECKLIST.replace(before, after))

    assert line in str(refused.value)
    assert "\n" not in str(refused.value)


def test_every_so_many_inputs_get_a_copy_rated_lowest():
    found = with_copies([segment(str(at), 1.0, 0.5) for at in range(11)], 5)

    assert [len(one.candidates) for one in found] == [3, 2, 2, 2, 2, 3, 2, 2, 2, 2, 3]
    assert found[5].candidates[-1] == Candidate("source of 5", 0.0, extra={ADDED: True})
    assert candidates_of(found).added.nonzero()[0].tolist() == [2, 13, 24]


def test_where_ratings_go_below_0_the_copy_gets_the_lowest():
    (found,) = with_copies([segment("a", -2.0, 1.0)], 1)

    assert found.candidates[-1].rating == -2.0


EXTENDED = CHECKLIST.replace("development: 0.25", "extend_with_copies: 5").replace("tuned", "0.3")


def test_correlations_run_on_the_extended_data(run_checklist):
    plain = run_checklist(EXTENDED.replace("extend_with_copies: 5", "seed: 0"))
    found = run_checklist(EXTENDED)

    assert found.checklists[0].data[0].candidates == plain.checklists[0].data[0].candidates + 20
    assert found.results[0].estimate != plain.results[0].estimate


@pytest.mark.parametrize(
    ("row", "line"),
    [
        pytest.param('"candidates": [{"text": "a", "rating": 1}]', "needs a source", id="source"),
        pytest.param('"source": "s", "candidates": [{"text": "a"}]', "no ratings", id="ratings"),
    ],
)
def test_copies_that_cannot_be_added_are_refused(tmp_path, row, line):
    (tmp_path / "d.jsonl").write_text(f'{{"id": "1", "references": ["r"], {row}}}')
    text = EXTENDED.replace("sample", str(tmp_path / "d.jsonl"))
    with pytest.raises(SpecError, match=f"extend_with_copies .*{line}"):
        planned(text)


def test_copies_of_a_source_in_another_language_are_refused():
    text = EXTENDED.split("  - check: copying")[0]
    with pytest.raises(
        SpecError, match=r"extend_with_copies 'copy-input' copies .* another language"
    ):
        planned(text.replace("language: en", "language: en\nsource_language: de"))


@pytest.mark.realdata
def test_twitter_para_extended_has_153_copies_and_is_cut_as_the_release_cuts_it(shared):
    data = shared / "data" / "twitter-para.jsonl"
    text = CHECKLIST.replace("data: sample", f"data: {data}\nextend_with_copies: 5")
    plan = planned(text.replace("0.25", "{share: 0.1, by: candidates}"))
    sizes = [sum(len(s.candidates) for s in part) for part in (plan.development, plan.segments)]

    assert sum(sizes) == 7159 + 153
    assert sizes[0] == 731


def test_segments_of_one_document_are_drawn_together():
    names = ["a", "b", "a", "c"]
    segments = [segment(str(at), 1, extra={"document": name}) for at, name in enumerate(names)]

    assert candidates_of(segments, "document").cluster.tolist() == [0, 1, 0, 2]
    assert candidates_of(segments).cluster is None


def test_a_cluster_counts_as_one(run_checklist):
    found = run_checklist(EXTENDED.replace("draws", "cluster: domain\ndraws"))

    assert found.results[0].estimate.segments == 24
    assert found.results[0].outcome == "undecided"


def test_a_cluster_that_segments_do_not_name_is_refused():
    with pytest.raises(SpecError, match=r"needs the key 'domian', but .*did you mean 'domain'"):
        planned(EXTENDED.replace("draws", "cluster: domian\ndraws"))
