"""What pydantic finds wrong, in our words."""

from typing import Literal

import pytest
from pydantic import BaseModel, ConfigDict, Field, model_validator

from shakeproof.validation import shown, validate


class Inner(BaseModel):
    model_config = ConfigDict(extra="forbid")

    depth: int = 0


class Model(BaseModel):
    model_config = ConfigDict(extra="forbid")

    name: str = Field(min_length=1)
    kind: Literal["pearson", "spearman"] = Field(default="pearson", alias="coefficient")
    layer: int | Literal["first", "last"] = "last"
    share: float = Field(default=0.5, gt=0, le=1, allow_inf_nan=False)
    parts: tuple[int, ...] = ()
    inner: Inner | None = None
    call: str = Field(default="a:b", pattern="^.+:.+$", examples=["my_metric:score"])

    @model_validator(mode="after")
    def _fits(self):
        if self.share == 0.25:
            raise ValueError("a quarter does not fit")
        return self


def words(**value):
    return [one.message for one in validate(Model, {"name": "n", **value})[1]]


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ({"name": 3}, "name must be text, got 3; put it in quotes"),
        ({"name": ""}, "name must be text of 1 or more characters, got nothing"),
        ({"coefficient": "spearmann"}, "unknown coefficient 'spearmann'; did you mean 'spearman'?"),
        ({"coefficient": 3}, "coefficient must be 'pearson' or 'spearman', got 3"),
        (
            {"layer": "fist"},
            "layer must be a whole number or 'first' or 'last', got 'fist'; did you mean 'first'?",
        ),
        ({"layer": 1.5}, "layer must be a whole number or 'first' or 'last', got 1.5"),
        ({"share": "much"}, "share must be a number, got 'much'"),
        ({"share": True}, "share must be a number, got true"),
        ({"share": 0}, "share must be above 0, got 0"),
        ({"share": 2}, "share must be at most 1, got 2"),
        ({"share": float("nan")}, "share must be a finite number, got nan"),
        ({"parts": 3}, "parts must be a list, got 3"),
        ({"parts": [1, "x"]}, "each of parts must be a whole number, got 'x'"),
        ({"inner": 3}, "inner must be a mapping, got 3"),
        ({"inner": {"depht": 1}}, "unknown key 'depht'; did you mean 'depth'?"),
        ({"inner": {"depth": []}}, "depth must be a whole number, got a list"),
        ({"call": "my_metric.score"}, "call must be text such as 'my_metric:score', got 'my_metr"),
        ({"zzz": 1}, "unknown key 'zzz'; known: call, coefficient, inner, layer, name, parts"),
        ({"share": 0.25}, "a quarter does not fit"),
    ],
)
def test_every_kind_of_mistake_has_words(value, message):
    (found,) = words(**value)

    assert found.startswith(message)


def test_a_missing_key_is_named():
    assert [one.message for one in validate(Model, {})[1]] == ["'name' is missing"]


def test_a_misspelt_key_is_reported_once():
    (only,) = validate(Model, {"nmae": "n"})[1]

    assert only.message == "unknown key 'nmae'; did you mean 'name'?"
    assert only.meant == "name"


def test_a_good_value_becomes_a_model():
    made, wrong = validate(Model, {"name": "n", "parts": [1, 2], "share": 1})

    assert (made.parts, made.share, wrong) == ((1, 2), 1.0, [])


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "nothing"),
        ("", "nothing"),
        (True, "true"),
        ({}, "a mapping"),
        ([1], "a list"),
        ("é", "'é'"),
        ("x" * 100, "'" + "x" * 58 + "…"),
    ],
)
def test_values_are_shown_short(value, text):
    assert shown(value) == text
