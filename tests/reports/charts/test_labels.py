import pytest
from hypothesis import given
from hypothesis import strategies as st

from shakeproof.reports.charts.labels import shorten_all

alike = st.text("ab", min_size=10, max_size=20)


@given(names=st.lists(st.text(max_size=30) | alike, max_size=40), length=st.integers(8, 20))
def test_different_names_have_different_labels_that_fit(names, length):
    labels = dict(zip(names, shorten_all(names, length), strict=True))

    assert len(set(labels.values())) == len(labels)
    assert all(len(label) <= length for label in labels.values())
    assert all(labels[name] == name for name in names if len(name) <= length)


@pytest.mark.parametrize(
    ("names", "labels"),
    [
        pytest.param(["deep", "chrf"], ["deep", "chrf"], id="short"),
        pytest.param(["a-metric-with-a-long-name"], ["a-metric-wit…"], id="alone"),
        pytest.param(
            ["bertscore-large-1", "bertscore-large-2"],
            ["bertsc…arge-1", "bertsc…arge-2"],
            id="different ends",
        ),
        pytest.param(
            ["first-bertscore-large", "other-bertscore-large"],
            ["first-bertsc…", "other-bertsc…"],
            id="different starts",
        ),
        pytest.param(
            ["x" * 20 + "a" + "x" * 20, "x" * 20 + "b" + "x" * 20],
            ["xxxxxxxxxxx…1", "xxxxxxxxxxx…2"],
            id="different middles",
        ),
    ],
)
def test_names_are_cut_where_they_are_alike(names, labels):
    assert shorten_all(names, 13) == labels


def test_equal_names_have_equal_labels():
    assert len(set(shorten_all(["a-metric-with-a-long-name"] * 2, 13))) == 1
