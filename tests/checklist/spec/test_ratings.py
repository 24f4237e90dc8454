"""The key `rating`, at the top of a checklist and in a check."""

from pathlib import Path

import jsonschema
import pytest

from shakeproof.errors import SpecError
from shakeproof.spec.model import Ratings
from shakeproof.spec.read import build_checklist, load, load_resolved, parse
from shakeproof.spec.schema import checklist_schema

PATH = Path("r.checklist.yaml")
CHECK = "checks:\n  - check: one\n    expect: {correlation: {at_least: 0.1}}\n"


def read(top="", check="", checks=CHECK):
    lines = f"data: sample\nmetrics: {{chrf: {{chrf: {{}}}}}}\n{top}{checks}"
    return parse(lines + (f"    {check}\n" if check else ""), PATH)


def mistake(**written):
    with pytest.raises(SpecError) as caught:
        read(**written)
    return str(caught.value)


def test_without_the_key_the_ratings_about_no_aspect_decide():
    (check,) = read().checks

    assert check.ratings == Ratings(("rating",))


@pytest.mark.parametrize(
    ("written", "names", "in_ids"),
    [
        ("coherence", ("coherence",), False),
        ("mean", ("mean",), False),
        ("each", ("each",), True),
        ("[coherence, mean, rating]", ("coherence", "mean", "rating"), True),
        ("[coherence]", ("coherence",), True),
    ],
)
def test_a_check_chooses_ratings(written, names, in_ids):
    (check,) = read(check=f"rating: {written}").checks

    assert check.ratings == Ratings(names, in_ids, line=6)


def test_the_key_of_a_check_comes_before_that_of_the_checklist():
    top = "rating: each\n"

    assert read(top).checks[0].ratings.names == ("each",)
    assert read(top, "rating: fluency").checks[0].ratings.names == ("fluency",)
    assert read(top, "rating: rating").checks[0].ratings.names == ("rating",)


@pytest.mark.parametrize(
    ("written", "problem"),
    [
        ("5", "6:13: rating must be the name of an aspect, got 5; write rating: coherence,"),
        ("[]", "6:13: rating is empty; write rating: coherence,"),
        ("[a, a]", "6:17: rating 'a' is listed twice"),
        ("[each, a]", "6:13: each means all aspects; write rating: each alone"),
        ("['a::b']", "6:14: the name of a rating may not contain '::'"),
    ],
)
def test_mistakes_are_named_with_their_place(written, problem):
    assert mistake(check=f"rating: {written}").startswith(f"r.checklist.yaml:{problem}")


@pytest.mark.parametrize(
    ("expect", "why"),
    [
        ("{identity: }", "identity looks at no ratings; leave rating out"),
        (
            "{correlation: {coefficient: wmt-kendall, at_least: 0}}",
            "correlation without rating_gap compares preferences, which are about no aspect; "
            "leave rating out",
        ),
    ],
)
def test_a_check_that_looks_at_no_ratings_chooses_none(expect, why):
    checks = f"checks:\n  - check: one\n    expect: {expect}\n"

    assert mistake(check="rating: a", checks=checks) == f"r.checklist.yaml:6:5: {why}"
    assert read("rating: a\n", checks=checks)


def test_a_checklist_in_code_chooses_ratings_too():
    chosen = build_checklist(
        {
            "data": "sample",
            "rating": ["a", "b"],
            "metrics": {"chrf": {"chrf": {}}},
            "checks": [{"check": "one", "expect": {"correlation": {"at_least": 0}}}],
        },
        PATH,
    ).ratings

    assert chosen.names == ("a", "b")


@pytest.mark.parametrize(
    ("rating", "fits"),
    [("coherence", True), ("each", True), (["a", "mean"], True), ([], False), (5, False)],
)
def test_editors_know_the_key_at_the_top_and_in_a_check(rating, fits):
    content = {
        "data": "sample",
        "metrics": {"chrf": "chrf"},
        "checks": [{"check": "one", "expect": {"correlation": {"at_least": 0}}}],
    }
    (check,) = content["checks"]
    validator = jsonschema.Draft7Validator(checklist_schema())

    assert validator.is_valid({**content, "rating": rating}) is fits
    assert validator.is_valid({**content, "checks": [{**check, "rating": rating}]}) is fits


def test_a_base_may_choose_the_ratings(tmp_path):
    (tmp_path / "base.yaml").write_text("data: sample\nrating: each\nmetrics: {chrf: chrf}\n")
    path = tmp_path / "r.checklist.yaml"
    path.write_text(f"extends: base.yaml\n{CHECK}")
    ratings = load(path).checks[0].ratings

    assert (ratings.names, ratings.line, ratings.file.name) == (("each",), 2, "base.yaml")
    assert "rating: each\n" in load_resolved(path)
