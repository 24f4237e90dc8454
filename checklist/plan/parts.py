"""Which part of the data must be read to score one part of them."""

from __future__ import annotations

from collections.abc import Mapping

from shakeproof.data.large_files import WHOLE, Part
from shakeproof.data.loading import is_large_data
from shakeproof.data.segments import DataSet
from shakeproof.plan.neighbours import may_use_neighbour
from shakeproof.spec.model import Checklist


def part_to_read(checklist: Checklist, part: Part, places: Mapping[str, str | DataSet]) -> Part:
    """Return the part itself if all data are large and no segment needs others; else the whole."""
    folder = checklist.data_folder
    large = places and all(
        not isinstance(place, DataSet) and is_large_data(place, folder=folder)
        for place in places.values()
    )
    return part if large and _segments_stand_alone(checklist) else WHOLE


def _segments_stand_alone(checklist: Checklist) -> bool:
    """Return whether the texts of a segment do not depend on the other segments."""
    if checklist.development is not None or checklist.extend_with_copies is not None:
        return False
    perturbs = (perturb for check in checklist.checks for perturb in check.perturb)
    shown = (name for check in checklist.checks for name in check.expect.shown_families)
    names = {*shown, *(perturb.family for perturb in perturbs if not perturb.stored)}
    families = [checklist.families[name] for name in names]
    return not any(map(may_use_neighbour, families))
