"""What a run is called, on what it ran, and when."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from itertools import takewhile

from shakeproof.reports.wording.format import many
from shakeproof.results import ChecklistRecord, Run

LEAST_SHARED = 20  # letters that names have in common, to stand for all
LONGEST = 90  # letters of a title


def title(checklists: Sequence[ChecklistRecord]) -> str:
    """Name the page after its checklists, or after what their names begin with."""
    names = list(dict.fromkeys(record.title or record.file for record in checklists))
    shared = start_of(names)
    if len(names) > 1 and len(shared) >= LEAST_SHARED:
        return shared
    if len(" · ".join(names)) > LONGEST:
        return f"{names[0]} and {many(len(names) - 1, 'more checklist')}"
    return " · ".join(names) or "Robustness of metrics"


def start_of(names: Sequence[str]) -> str:
    """Find the words with which all names begin."""
    together = zip(*(name.split(" ") for name in names), strict=False)
    same = takewhile(lambda words: len(set(words)) == 1, together)
    return " ".join(words[0] for words in same).rstrip(" ,;:·(-")


def about(run: Run, metrics: int) -> str:
    """Say on what, when and for how long the checks ran."""
    data = [
        f"{record.name or 'data'} ({many(record.segments, 'segment')})"
        for checklist in run.checklists
        for record in checklist.data
    ]
    return " · ".join(
        [
            f"{many(metrics, 'metric')}, {many(len(run.results), 'check')}",
            ", ".join(dict.fromkeys(data)),
            moment(run.started),
            f"{run.seconds:,.0f} s",
        ]
    )


def moment(started: str) -> str:
    """Write a time to the minute; what is not a time is left as it is."""
    found = re.match(r"(\d{4}-\d\d-\d\d)T(\d\d:\d\d)[\d:.]*(?:Z|\+00:00)$", started)
    return f"{found[1]} {found[2]} UTC" if found else started


def as_text(value: object) -> str:
    """Write a setting as YAML would."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
