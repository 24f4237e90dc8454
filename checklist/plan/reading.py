"""The data of a plan: read, cut, extended by copies, and split from their development part."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TypeAlias

from shakeproof.data.large_files import WHOLE, Part
from shakeproof.data.lazy import each, joined
from shakeproof.data.loading import load_data, written_data
from shakeproof.data.segments import DataSet, Segment
from shakeproof.errors import SpecErrors
from shakeproof.files import shown_path
from shakeproof.plan.data_needs import unmet_by_copies, unmet_by_tuning
from shakeproof.plan.kinds import kinds_of
from shakeproof.plan.preparation import set_aside, with_copies
from shakeproof.spec.model import Checklist

Place: TypeAlias = str | DataSet  # the name or path of data, or data that were read before


def places_of(checklist: Checklist, instead: Mapping[str, Place]) -> dict[str, Place]:
    """Return the name or path of the data of each group, or what is to be read instead."""
    return {
        group: instead.get(group or checklist.data_set, instead.get(place, place))
        for group, place in checklist.data.items()
    }


def read_data(
    checklist: Checklist, places: Mapping[str, Place], *, limit: int | None, part: Part = WHOLE
) -> tuple[DataSet, ...]:
    """Load the data sets of a checklist, each a group, cut to `limit` segments."""
    if checklist.segments:
        file = checklist.data_file or checklist.path
        data_set = written_data(checklist.segments, shown_path(file))
        return (replace(data_set, segments=data_set.segments[:limit]),)
    loaded = []
    for group, place in places.items():
        name = group or checklist.data_set
        if isinstance(place, DataSet):
            data_set = replace(place, name=name or place.name)
        else:
            data_set = load_data(place, folder=checklist.data_folder, name=name, part=part)
        segments = data_set.segments[:limit]
        if group:
            segments = each(segments, partial(_in_group, group))
        loaded.append(replace(data_set, segments=segments))
    return tuple(loaded)


def _in_group(group: str, _position: int, segment: Segment) -> Segment:
    return replace(segment, group=group)


def split_development(
    checklist: Checklist, data: tuple[DataSet, ...]
) -> tuple[Sequence[Segment], tuple[DataSet, ...]]:
    """Add copies where the checklist asks for them, and set the development part aside."""
    if checklist.extend_with_copies is not None:
        segments = joined([data_set.segments for data_set in data])
        if lines := unmet_by_copies(checklist, kinds_of(segments)):
            raise SpecErrors(lines)
        every = checklist.extend_with_copies
        data = tuple(
            replace(data_set, segments=with_copies(data_set.segments, every)) for data_set in data
        )
    if checklist.development is None:
        return (), data
    parts = [set_aside(data_set.segments, checklist.development) for data_set in data]
    development = joined([part for part, _ in parts])
    if lines := unmet_by_tuning(checklist, development):
        raise SpecErrors(lines)
    rest = zip(data, parts, strict=True)
    return development, tuple(replace(data_set, segments=kept) for data_set, (_, kept) in rest)
