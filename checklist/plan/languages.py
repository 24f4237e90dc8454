"""Declared languages, and whether families are made for the texts they are put on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from shakeproof.data.segments import Segment
from shakeproof.perturbations.scripts import script_of
from shakeproof.plan.kinds import Kind, first_segments
from shakeproof.plan.perturbed import texts
from shakeproof.spec.model import Checklist, Perturb
from shakeproof.spec.perturb import foreign_copy


class LanguageWarning(UserWarning):
    """A family made for certain languages goes by script, because no language is declared."""


def language_key(field: str) -> str:
    """Return the key that declares the language of a field."""
    return "source_language" if field == "source" else "language"


def language_of(checklist: Checklist, segment: Segment, field: str) -> str | None:
    """Return the language of a field that the segment declares, or else the checklist."""
    key = language_key(field)
    own = segment.extra.get(key)
    declared: str | None = getattr(checklist, key)
    return own if isinstance(own, str) and own else declared


def refusals(checklist: Checklist, perturb: Perturb, kinds: Sequence[Kind]) -> Iterator[str]:
    """Yield why a family is not made for the texts of its field, once for each language."""
    family = checklist.families[perturb.family]
    for (language, source), members in _by_language(checklist, kinds, perturb.on).items():
        segment, text = _typical(members, perturb.on)
        refusal = family.refusal(text, language=language) or foreign_copy(family, source, language)
        if refusal is not None:
            yield f"{refusal} (the {perturb.on} of segment {segment.id!r} is such a text)"


def _by_language(
    checklist: Checklist, kinds: Sequence[Kind], field: str
) -> dict[tuple[str | None, str | None], list[Kind]]:
    """Group segments by the languages of a field and of the source."""
    groups: dict[tuple[str | None, str | None], list[Kind]] = {}
    for kind in kinds:
        languages = [language_of(checklist, kind.first, name) for name in (field, "source")]
        groups.setdefault((languages[0], languages[1]), []).append(kind)
    return groups


def _typical(kinds: Sequence[Kind], field: str) -> tuple[Segment, str]:
    """Return a text, with its segment, in the script that most texts of a field are in."""
    rows = [(segment, text) for segment in first_segments(kinds) for text in texts(segment, field)]
    scripts = [script_of(text) for _, text in rows]
    counts = Counter(script for script in scripts if script is not None)
    main = max(counts, key=counts.__getitem__, default=None)
    return rows[scripts.index(main)] if main else (kinds[0].first, "")


def undeclared_languages(checklist: Checklist, kinds: Sequence[Kind]) -> str:
    """Return which families need a language that is not declared; nothing if none does."""
    served: dict[str, str] = {}
    keys: set[str] = set()
    for perturb in (perturb for check in checklist.checks for perturb in check.perturb):
        languages = None if perturb.stored else checklist.families[perturb.family].languages
        by_language = _by_language(checklist, kinds, perturb.on) if languages else {}
        if languages and any(language is None for language, _ in by_language):
            where = " on the source" if perturb.on == "source" else ""
            served[f"{perturb.family!r}{where}"] = ", ".join(sorted(languages))
            keys.add(language_key(perturb.on))
    if not served:
        return ""
    named = "; ".join(f"{family} serves {tags}" for family, tags in served.items())
    declared = " and ".join(f"{key}: …" for key in sorted(keys))
    return f"no language is declared, so families go by script: {named}; write {declared}"
