import re
from importlib.resources import files
from itertools import combinations

import numpy as np
import pytest

STYLES = files("shakeproof.reports").joinpath("templates/chart.css").read_text()
INKS = [
    "ink",
    "soft",
    "link",
    "passed",
    "failed",
    "undecided",
    "known",
    "error",
    "warned",
    "skipped",
]
LINES = [f"s{index}" for index in range(8)]
VERDICTS = ["passed", "failed", "undecided", "known", "error", "warned"]
PAIRS = [(ink, paper) for ink in [*INKS, *LINES, "plain"] for paper in ("page", "card")]
PAIRS += [("removed", "removed-wash"), ("added", "added-wash"), ("soft", "wash"), ("ink", "wash")]
PAIRS += [("ink", f"{tone}-wash") for tone in ("passed", "failed", "undecided", "known", "error")]

SEEN_BY = {  # linear RGB as people see it (Machado, Oliveira and Fernandes 2009, severity 1)
    "all cones": np.eye(3),
    "no long cones": np.array(
        [
            [0.152286, 1.052583, -0.204868],
            [0.114503, 0.786281, 0.099216],
            [-0.003882, -0.048116, 1.051998],
        ]
    ),
    "no medium cones": np.array(
        [
            [0.367322, 0.860646, -0.227968],
            [0.280085, 0.672501, 0.047413],
            [-0.011820, 0.042940, 0.968881],
        ]
    ),
}
TO_CONES = np.array(
    [
        [0.41222147, 0.53633254, 0.05144599],
        [0.2119035, 0.68069955, 0.10739696],
        [0.08830246, 0.28171884, 0.6299787],
    ]
)
TO_OKLAB = np.array(
    [
        [0.21045426, 0.79361779, -0.00407205],
        [1.9779985, -2.42859221, 0.45059371],
        [0.02590404, 0.78277177, -0.80867577],
    ]
)


def themes():
    blocks = re.findall(r"color-scheme: (light|dark);(.*?)\}", STYLES, re.DOTALL)
    return [(name, dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6})", body))) for name, body in blocks]


def linear_rgb(colour):
    channels = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    return [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]


def luminance(colour):
    linear = linear_rgb(colour)
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def difference(one, other, seen_by="all cones"):
    """The distance of two colours in OKLab; black and white are 1 apart."""
    places = [
        TO_OKLAB @ np.cbrt(TO_CONES @ np.clip(SEEN_BY[seen_by] @ linear_rgb(colour), 0, 1))
        for colour in (one, other)
    ]
    return np.linalg.norm(places[0] - places[1])


def contrast(one, other):
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def test_both_ways_to_dark_are_the_same_dark():
    dark = [colours for name, colours in themes() if name == "dark"]

    assert len(dark) == 2
    assert dark[0] == dark[1]


@pytest.mark.parametrize(("ink", "paper"), PAIRS)
def test_text_can_be_read_in_both_themes(ink, paper):
    for name, colours in themes():
        assert contrast(colours[ink], colours[paper]) >= 4.5, (name, ink, paper)


def test_black_and_white_are_as_different_as_can_be():
    assert difference("#000000", "#ffffff") == pytest.approx(1, abs=1e-3)


@pytest.mark.parametrize("line", LINES)
@pytest.mark.parametrize("verdict", VERDICTS)
def test_no_metric_is_drawn_in_the_colour_of_a_verdict(line, verdict):
    for name, colours in themes():
        assert difference(colours[line], colours[verdict]) >= 0.1, name


@pytest.mark.parametrize(
    ("seen_by", "least"),
    [("all cones", 0.1), ("no long cones", 0.05), ("no medium cones", 0.05)],
)
def test_colours_of_metrics_differ_for_all_readers(seen_by, least):
    for name, colours in themes():
        for one, other in combinations(LINES, 2):
            assert difference(colours[one], colours[other], seen_by) >= least, (name, one, other)
