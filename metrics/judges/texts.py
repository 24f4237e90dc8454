"""Two candidates with what both are compared by, written as a tuple of texts."""

from __future__ import annotations

from dataclasses import replace

from shakeproof.metrics.kinds.python import pack, unpack
from shakeproof.metrics.protocols import Instance, Texts


def pair_texts(first: str, second: str, instance: Instance) -> Texts:
    """Write two candidates, with the references and the source of an instance, as texts."""
    return (first, *pack(replace(instance, candidate=second)))


def unpack_pair(texts: Texts) -> tuple[Instance, Instance]:
    """Read the first and the second candidate, each with the references and the source."""
    first, *rest = texts
    second = unpack(tuple(rest))
    return replace(second, candidate=first), second


def limited_to(requires: frozenset[str], instance: Instance) -> Instance:
    """Leave out what a prompt does not show, so that a change of it is no new question."""
    references = instance.references if "references" in requires else ()
    source = instance.source if "source" in requires else None
    return Instance(instance.candidate, references, source)
