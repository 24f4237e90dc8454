"""The title of a page, on what data it ran, and when."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from itertools import takewhile

from shakeproof.results import ChecklistRecord, Run, counted

MIN_SHARED = 20  # letters with which all titles begin, to be the title of the page
MAX_TITLE = 90  # letters


def page_title(checklists: Sequence[ChecklistRecord]) -> str:
    """Name the page after its checklists, or after the words with which all titles begin."""
    titles = list(dict.fromkeys(record.title or record.file for record in checklists))
    shared = shared_start(titles)
    if len(titles) > 1 and len(shared) >= MIN_SHARED:
        return shared
    if len(" · ".join(titles)) > MAX_TITLE:
        return f"{titles[0]} and {counted(len(titles) - 1, 'more checklist')}"
    return " · ".join(titles) or "Robustness of metrics"


def shared_start(titles: Sequence[str]) -> str:
    """Return the words with which all titles begin."""
    by_position = zip(*(title.split(" ") for title in titles), strict=False)
    same = takewhile(lambda words: len(set(words)) == 1, by_position)
    return " ".join(words[0] for words in same).rstrip(" ,;:·(-")


def run_summary(run: Run, metrics: int) -> str:
    """Write on what data, when and for how long the checks ran."""
    data = [
        f"{record.name or 'data'} ({counted(record.segments, 'segment')})"
        for checklist in run.checklists
        for record in checklist.data
    ]
    return " · ".join(
        [
            f"{counted(metrics, 'metric')}, {counted(len(run.results), 'check')}",
            ", ".join(dict.fromkeys(data)),
            format_time(run.started),
            f"{run.seconds:,.0f} s",
        ]
    )


def format_time(started: str) -> str:
    """Write a time to the minute; a text that is not a time is left as it is."""
    match = re.match(r"(\d{4}-\d\d-\d\d)T(\d\d:\d\d)[\d:.]*(?:Z|\+00:00)$", started)
    return f"{match[1]} {match[2]} UTC" if match else started


def format_setting(value: object) -> str:
    """Write a setting as JSON, a text without quotes."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
