"""YAML that reads back equal."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from shakeproof.spec.positions import read_yaml
from shakeproof.spec.yaml_writing import write_flow, write_yaml

scalars = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text()
values = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=10,
)


@given(value=values)
def test_a_document_reads_back_equal(value):
    assert read_yaml(write_yaml({"x": value}), "x").content == {"x": value}


@given(value=values)
def test_a_value_on_one_line_reads_back_equal(value):
    line = write_flow(value)

    assert "\n" not in line
    assert read_yaml(f"x: {line}", "x").content == {"x": value}


def test_invisible_characters_are_escaped_and_others_are_not():
    assert write_flow(["a\u200bb", "ü😀", "x: y"]) == "[\"a\\u200bb\", ü😀, 'x: y']"


def test_numbers_and_texts_of_numpy_are_written_as_those_of_python():
    value = [np.float64(0.5), np.float32(0.25), np.int64(3), np.str_("é")]

    assert write_flow(value) == "[0.5, 0.25, 3, é]"
