import re
from importlib.resources import files

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
PAIRS = [(ink, paper) for ink in [*INKS, *LINES] for paper in ("page", "card")]
PAIRS += [("removed", "removed-wash"), ("added", "added-wash"), ("soft", "wash"), ("ink", "wash")]
PAIRS += [("ink", f"{tone}-wash") for tone in ("passed", "failed", "undecided", "known", "error")]


def themes():
    blocks = re.findall(r"color-scheme: (light|dark);(.*?)\}", STYLES, re.DOTALL)
    return [(name, dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6})", body))) for name, body in blocks]


def luminance(colour):
    channels = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


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
