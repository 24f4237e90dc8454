"""Items for several ratings, and data without the ratings that a check chooses."""

from pathlib import Path

import pytest

from shakeproof.data.segments import Candidate, Segment
from shakeproof.plan.data_needs import unmet_by_tuning, unmet_needs
from shakeproof.plan.items import planned_items
from shakeproof.plan.kinds import kinds_of
from shakeproof.plan.preparation import with_copies
from shakeproof.spec.read import parse

PATH = Path("r.checklist.yaml")
BOTH = {"coherence": 4.0, "fluency": 5.0}
RATED = Segment("1", (Candidate("a", ratings=BOTH),), ("r",))


def checklist(check="", top="", expect="correlation: {at_least: 0}"):
    return parse(
        f"data: sample\n{top}metrics: {{chrf: {{chrf: {{}}}}}}\n"
        "checks:\n  - check: one\n"
        f"    expect: {{{expect}}}\n" + (f"    {check}\n" if check else ""),
        PATH,
    )


def names(*arguments, aspects=tuple(BOTH), **written):
    items = planned_items(checklist(*arguments, **written), aspects)
    return [(item.name, item.rating) for item in items]


def unmet(*arguments, segments=(RATED,), **written):
    return unmet_needs(checklist(*arguments, **written), kinds_of(segments), {})


@pytest.mark.parametrize(
    ("written", "items"),
    [
        ("", [("clean", "rating")]),
        ("rating: fluency", [("clean", "fluency")]),
        ("rating: mean", [("clean", "mean")]),
        ("rating: [fluency, mean]", [("clean-fluency", "fluency"), ("clean-mean", "mean")]),
        ("rating: each", [("clean-coherence", "coherence"), ("clean-fluency", "fluency")]),
    ],
)
def test_a_list_or_each_has_an_item_for_each_rating_with_its_name(written, items):
    assert names(written) == items


def test_each_is_one_item_while_the_data_are_unknown():
    assert names("rating: each", aspects=()) == [("clean-each", "each")]


@pytest.mark.parametrize("expect", ["symmetry: {}", "prefers_better: {at_least: 0}"])
def test_checks_that_look_at_no_ratings_stay_one_item(expect):
    assert names(top="rating: each\n", expect=expect) == [("clean", "rating")]


@pytest.mark.parametrize("rating", ["coherence", "mean", "each", "[fluency, mean]"])
def test_ratings_that_the_data_have_are_met(rating):
    assert unmet(f"rating: {rating}") == []


def test_without_a_choice_the_aspects_of_the_data_are_listed():
    assert unmet() == [
        "r.checklist.yaml:4: check 'one' asks for correlation (pearson), which needs ratings, but "
        "the data have them for aspects only (coherence, fluency); write rating: coherence, "
        "rating: mean or rating: each"
    ]


def test_a_misspelt_aspect_is_named_with_the_line_of_the_key():
    wrong = "the data have no ratings for 'coherense'; did you mean 'coherence'?"

    assert unmet("rating: coherense") == [f"r.checklist.yaml:6: {wrong}"]
    assert unmet(top="rating: coherense\n") == [f"r.checklist.yaml:2: {wrong}"]


@pytest.mark.parametrize(
    ("written", "why"),
    [
        ("fluency", "the data have no ratings for 'fluency'; no candidate has ratings by aspect"),
        ("mean", "rating: mean needs ratings by aspect, but the data have none"),
        ("each", "rating: each needs ratings by aspect, but the data have none"),
    ],
)
def test_data_without_aspects_are_named(written, why):
    plain = Segment("1", (Candidate("a", 1.0),), ("r",))

    assert unmet(f"rating: {written}", segments=[plain]) == [f"r.checklist.yaml:6: {why}"]


def test_every_group_needs_the_aspect():
    other = Segment("1", (Candidate("a", ratings={"coherence": 1.0}),), ("r",), group="b")
    segments = [RATED, other]

    assert unmet("rating: fluency", segments=segments) == [
        "r.checklist.yaml:6: rating: fluency takes candidates rated for 'fluency'; group 'b' has "
        "none"
    ]
    assert unmet("rating: mean", segments=segments) == [
        "r.checklist.yaml:6: rating: mean takes candidates rated for all of coherence, fluency; "
        "group 'b' has none"
    ]


def test_an_aspect_whose_name_does_not_fit_an_id_cannot_be_one_of_each():
    odd = Segment("1", (Candidate("a", ratings={"a[b": 1.0}),), ("r",))
    (line,) = unmet("rating: each", segments=[odd])

    assert line == "r.checklist.yaml:6: the name of a rating may not contain '[', got 'a[b'"
    assert unmet("rating: 'a[b'", segments=[odd]) == []


def test_copies_are_rated_lowest_for_every_aspect():
    segment = Segment("1", (Candidate("a", ratings={"x": -2.0, "y": 3.0}),), source="s")
    *_, copy = with_copies([segment], 1)[0].candidates

    assert (copy.rating, copy.ratings) == (None, {"x": -2.0, "y": 0.0})


def test_tuning_asks_which_aspect():
    top = "development: 0.5\n"
    metrics = "{p: {parascore: {similarity: chrf, omega: tuned}}, chrf: {chrf: {}}}"
    text = checklist(top=top).text.replace("{chrf: {chrf: {}}}", metrics)
    (line,) = unmet_by_tuning(parse(text, PATH), [RATED])

    assert line.endswith(
        "'p' is tuned on ratings, and development has them for aspects only; write rating: "
        "coherence or rating: mean at the top"
    )
    assert unmet_by_tuning(parse(f"rating: mean\n{text}", PATH), [RATED]) == []
