"""Perturbed texts: a condition says what is done to which field of every segment."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random
from traceback import format_exception

from shakeproof.data.lazy import LazySegments, between, each
from shakeproof.data.segments import Candidate, Segment
from shakeproof.errors import SpecError, one_line
from shakeproof.metrics.failures import Failure, failure_of
from shakeproof.perturbations import PERTURBATIONS
from shakeproof.perturbations.families.declared import TextTooLong
from shakeproof.perturbations.family import Context, Family
from shakeproof.plan.neighbours import may_use_neighbour, neighbour_positions
from shakeproof.plan.texts_on_disk import Texts, texts_on_disk


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
) -> Sequence[Segment]:
    """Return every segment under a condition, whose family is one of `families`."""
    if condition == CLEAN:
        return segments if isinstance(segments, LazySegments) else tuple(segments)
    if condition.stored:
        return each(segments, lambda _, segment: _replayed(condition, segment))
    return perturbed_together([condition], segments, families)[condition]


def perturbed_together(
    conditions: Sequence[Condition],
    segments: Sequence[Segment],
    families: Mapping[str, Family] = PERTURBATIONS,
) -> dict[Condition, Sequence[Segment]]:
    """Return every segment under conditions that differ in their level alone.

    All levels of a text are drawn one after the other, so that its sites are found once. If the
    segments are not in memory, the new texts are written to a temporary file.
    """
    first = conditions[0]
    family = families[first.family]
    neighbours = _neighbours(family, segments, first.seed)

    def damaged(start: int, members: Sequence[Segment]) -> list[tuple[Texts, ...]]:
        """Return the new texts under each condition, one entry for each segment."""
        rows = [
            _damaged(conditions, family, segment, neighbours(position))
            for position, segment in enumerate(members, start)
        ]
        return list(zip(*rows, strict=True)) if rows else [()] * len(conditions)

    columns: Sequence[Sequence[Texts]]
    if isinstance(segments, LazySegments):
        columns = texts_on_disk(segments, damaged)
    else:
        columns = damaged(0, segments)
    pairs = zip(conditions, columns, strict=True)
    return {condition: _with_new_texts(segments, first.field, new) for condition, new in pairs}


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
    neighbour = _neighbours(family, segments, condition.seed)(number)
    (new,) = _damaged([condition], family, segment, neighbour)
    return with_texts(segment, condition.field, new)


def _neighbours(
    family: Family, segments: Sequence[Segment], seed: int
) -> Callable[[int], Segment | None]:
    """Return what finds the neighbour of the segment at a position, if the family may use it."""
    if not may_use_neighbour(family):
        return lambda _: None
    positions = neighbour_positions(segments, seed)

    def neighbour_of(position: int) -> Segment | None:
        other = int(positions[position])
        return None if other == position else between(segments, other, other + 1)[0]

    return neighbour_of


def _with_new_texts(
    segments: Sequence[Segment], field: str, new: Sequence[Texts]
) -> Sequence[Segment]:
    return each(segments, lambda position, segment: with_texts(segment, field, new[position]))


def _damaged(
    conditions: Sequence[Condition], family: Family, segment: Segment, neighbour: Segment | None
) -> list[Texts]:
    """Return the texts of a segment's field under each of the conditions."""
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
    return [tuple(levels[number] for levels in by_text) for number in range(len(conditions))]


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
        candidates = tuple(  # replace() takes several times as long
            Candidate(text, c.rating, c.systems, c.scores, c.extra) for c, text in pairs
        )
        unperturbed = segment.unperturbed or segment.candidates
        return replace(segment, candidates=candidates, unperturbed=unperturbed)
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
