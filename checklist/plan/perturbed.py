"""Perturbed texts: a condition says what is done to which field of every segment."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import blake2b
from itertools import groupby
from random import Random
from traceback import format_exception
from typing import TypeAlias

from shakeproof.data.segments import Segment
from shakeproof.errors import SpecError, one_line
from shakeproof.metrics.failures import Failure, failure_of
from shakeproof.perturbations import PERTURBATIONS
from shakeproof.perturbations.families.declared import TextTooLong
from shakeproof.perturbations.family import Context, Family
from shakeproof.perturbations.registry import is_built_in

Key: TypeAlias = tuple[str, str]  # group and id: what tells segments apart


@dataclass(frozen=True, slots=True)
class Condition:
    """What is done to which field of every segment; CLEAN does nothing."""

    family: str = ""
    field: str = ""
    level: float = 0.0
    seed: int = 0
    stored: bool = False
    first: bool = False  # only the first text of the field, where one is enough to be shown


CLEAN = Condition()


class FamilyFailed(SpecError):
    """A family raised or returned no text; `failure` says what."""

    def __init__(self, family: Family, segment: Segment, failure: Failure) -> None:
        self._place = f"family {family.name!r}, segment {segment.id!r}"
        self.failure = failure
        super().__init__(f"{self._place}: {failure.reason}")

    def described(self, *, texts: bool) -> str:
        """Return the message; without texts it quotes none of the data."""
        return one_line(f"{self._place}: {self.failure.described(texts=texts)}")


def perturbed(
    condition: Condition,
    segments: Sequence[Segment],
    families: Mapping[str, Family] = PERTURBATIONS,
) -> tuple[Segment, ...]:
    """Return every segment under a condition, whose family is one of `families`."""
    if condition == CLEAN:
        return tuple(segments)
    if condition.stored:
        return tuple(_replayed(condition, segment) for segment in segments)
    return perturbed_together([condition], segments, families)[condition]


def perturbed_together(
    conditions: Sequence[Condition],
    segments: Sequence[Segment],
    families: Mapping[str, Family] = PERTURBATIONS,
) -> dict[Condition, tuple[Segment, ...]]:
    """Return every segment under conditions that differ in their level alone.

    All levels of a text are drawn one after the other, so that its sites are found once.
    """
    first = conditions[0]
    family, around = families[first.family], neighbours(segments, first.seed)
    rows = [_damaged(conditions, family, segment, around[_key(segment)]) for segment in segments]
    columns = zip(*rows, strict=True) if rows else [()] * len(conditions)
    return dict(zip(conditions, columns, strict=True))


def perturbed_segment(
    condition: Condition,
    segments: Sequence[Segment],
    number: int,
    families: Mapping[str, Family] = PERTURBATIONS,
) -> Segment:
    """Return one of the segments under a condition, as `perturbed` would."""
    segment = segments[number]
    if condition == CLEAN or condition.stored:
        return perturbed(condition, [segment], families)[0]
    family = families[condition.family]
    alone = is_built_in(family) and "neighbour" not in family.needs
    around = None if alone else neighbours(segments, condition.seed)[_key(segment)]
    return _damaged([condition], family, segment, around)[0]


def neighbours(segments: Sequence[Segment], seed: int) -> dict[Key, Segment | None]:
    """Return for each segment another one of its group, whatever the order of the data.

    Segments are sorted by a hash of their ids; the neighbour is the next one, the first after the
    last.
    """
    ring = sorted(segments, key=lambda segment: (segment.group, _digest(seed, segment.id)))
    neighbour_of: dict[Key, Segment | None] = {}
    for _, group in groupby(ring, key=lambda segment: segment.group):
        members = list(group)
        for segment, other in zip(members, members[1:] + members[:1], strict=True):
            neighbour_of[_key(segment)] = other if other is not segment else None
    return neighbour_of


def _key(segment: Segment) -> Key:
    return segment.group, segment.id


def _digest(seed: int, identity: str) -> bytes:
    return blake2b(json.dumps([seed, identity]).encode(), digest_size=16).digest()


def _damaged(
    conditions: Sequence[Condition], family: Family, segment: Segment, neighbour: Segment | None
) -> list[Segment]:
    """Return a segment under each of the conditions."""
    context, field = _context(segment, neighbour), conditions[0].field

    def damage(text: str, condition: Condition, position: int) -> str:
        if condition.first and position:
            return text
        rng = random_stream(condition, segment.id, position)
        try:
            new = family(text, condition.level, rng, context)
        except TextTooLong as error:
            raise SpecError(f"segment {segment.id!r}: {error}") from None
        except Exception as error:  # whatever a function of the user raises
            if traceback := _traceback_of_user(error):
                failure = replace(failure_of(error), traceback=traceback)
                raise FamilyFailed(family, segment, failure) from None
            raise
        if isinstance(new, str):
            return new
        failure = Failure("returned no text", one_line(repr(new)))
        raise FamilyFailed(family, segment, failure)

    by_text = [
        [damage(text, condition, position) for condition in conditions]
        for position, text in enumerate(texts(segment, field))
    ]
    return [
        with_texts(segment, field, [levels[number] for levels in by_text])
        for number in range(len(conditions))
    ]


def _traceback_of_user(error: Exception) -> str:
    """Write a traceback from the user's function on; "" if the error was raised in ours."""
    step = error.__traceback__
    while step is not None and step.tb_frame.f_globals["__name__"].startswith("shakeproof."):
        step = step.tb_next
    return "".join(format_exception(type(error), error, step)).rstrip() if step else ""


def random_stream(condition: Condition, segment: str, position: int) -> Random:
    """Return the random stream of one text, made from what identifies it and nothing else."""
    place = [condition.seed, condition.family, segment, condition.field, position]
    return Random(json.dumps(place))


def _context(segment: Segment, neighbour: Segment | None = None) -> Context:
    return Context(
        source=segment.source,
        references=segment.references,
        candidates=tuple(candidate.text for candidate in segment.candidates),
        neighbour=_context(neighbour) if neighbour else None,
    )


def texts(segment: Segment, field: str) -> tuple[str, ...]:
    """Return the texts of a field of a segment."""
    if field == "candidate":
        return tuple(candidate.text for candidate in segment.candidates)
    if field == "reference":
        return segment.references
    return () if segment.source is None else (segment.source,)


def with_texts(segment: Segment, field: str, new: Sequence[str]) -> Segment:
    """Return the segment with other texts in a field."""
    if field == "candidate":
        pairs = zip(segment.candidates, new, strict=True)
        return replace(segment, candidates=tuple(replace(c, text=text) for c, text in pairs))
    if field == "reference":
        return replace(segment, references=tuple(new))
    return replace(segment, source=new[0] if new else None)


def _replayed(condition: Condition, segment: Segment) -> Segment:
    kept = segment.perturbed.get(f"{condition.field}s", {}).get(condition.family, {})
    for level, stored in kept.items():
        if float(level) == condition.level:
            return with_texts(segment, condition.field, stored)
    raise SpecError(
        f"segment {segment.id!r} stores no {condition.family!r} at level {condition.level:g} "
        f"for its {condition.field}s; drop 'stored: true' to perturb anew"
    )
