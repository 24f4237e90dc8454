"""Families for the known weaknesses of judges: texts that look better and say nothing more."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache, partial
from itertools import pairwise
from random import Random

from shakeproof.perturbations.editing import (
    Around,
    InPlace,
    Rewrite,
    always,
    in_place,
    pick,
    shuffled,
)
from shakeproof.perturbations.families.sentences import SEVERAL, end, start
from shakeproof.perturbations.family import ENGLISH, Context, Family, Rule
from shakeproof.perturbations.replacements import read_table
from shakeproof.perturbations.scripts import LATIN
from shakeproof.perturbations.spans import CLOSING, FULL_STOPS, OTHER_STOPS, Site, sentences, whole
from shakeproof.perturbations.spans import words as find_words

Form = Callable[[str, Random], str]  # how a text of the table is written into another text

layout_family = partial(in_place, group="judges", keeps_meaning=True)
CANDIDATE = frozenset({"candidate"})
english_family = partial(
    in_place,
    group="judges",
    keeps_meaning=False,
    languages=ENGLISH,
    scripts=LATIN,
    fields=CANDIDATE,
)
HEADINGS = ("## Answer\n\n", "\n\n## Details\n\n")
NOT_IN_WORDS = rf"[{FULL_STOPS}{OTHER_STOPS}{CLOSING}\s]"
AFTER_THE_LAST_WORD = re.compile(rf"(?<!{NOT_IN_WORDS}){NOT_IN_WORDS}*+\Z")
QUOTES = ("As the guidelines put it: “{}”", "The editor wrote: “{}”")
COMMENTS = ("<!-- {} -->", "/* {} */")


@cache
def texts_of(kind: str) -> tuple[str, ...]:
    """Read the texts of one kind from the table."""
    rows = (line.split("\t") for line in read_table("judges.tsv"))
    return tuple(text for row_kind, text in rows if row_kind == kind)


def sentence_gaps(text: str) -> list[Site]:
    """Find the start of the first sentence and the gaps between the sentences."""
    found = sentences(text)
    firsts = [(a, a) for a, _ in found[:1]]
    return firsts + [(before[1], after[0]) for before, after in pairwise(found)]


def bullet(text: str, site: Site, rng: Random, level: float, context: Context) -> str:
    """Return the mark that makes a sentence an entry of a list."""
    return "\n- " if text[: site[0]].strip() else "- "


def heading(text: str, site: Site, rng: Random, level: float, context: Context) -> str:
    """Return the heading for the first sentence or for those that follow."""
    return HEADINGS[1] if text[: site[0]].strip() else HEADINGS[0]


def before_final_stop(text: str) -> list[Site]:
    """Find the place after the last word, before the full stop if there is one."""
    return [(match.start(), match.start()) for match in AFTER_THE_LAST_WORD.finditer(text)]


def space_after(text: str) -> str:
    """Return the space that separates a text from what is added to it."""
    return "" if not text or text[-1].isspace() else " "


def plain(text: str, rng: Random) -> str:
    """Write a text of the table as it is."""
    return text


def in_one_of(frames: tuple[str, ...]) -> Form:
    """Write a text of the table inside one of some frames, such as quotation marks."""
    return lambda text, rng: pick(frames, rng).format(text)


def added(kind: str, form: Form = plain) -> Around:
    """Add one text of a kind after the text at the site."""

    def rewrite(text: str, site: Site, rng: Random, level: float, context: Context) -> str:
        return space_after(text[: site[0]]) + form(pick(texts_of(kind), rng), rng)

    return Around(rewrite)


def put_first(kind: str) -> Around:
    """Put one text of a kind and a space at the site."""
    return Around(lambda text, site, rng, level, context: f"{pick(texts_of(kind), rng)} ")


def add_padding(text: str, site: Site, rng: Random, level: float, context: Context) -> str:
    """Return as many sentences as the level says; a higher level adds to those of a lower one."""
    mixed = shuffled(texts_of("padding"), rng)
    sentences_added = " ".join(mixed[number % len(mixed)] for number in range(int(level)))
    return space_after(text) + sentences_added


def add_copies(text: str, site: Site, rng: Random, level: float, context: Context) -> str:
    """Return as many copies of the text as the level says."""
    return (space_after(text) + text) * int(level)


def at_the_end(rewrite: Rewrite) -> InPlace:
    """Add to the end of a text; how much is decided by the level alone."""
    return InPlace(end, rewrite, Rule.SWITCH)


def master_key(text: str, rng: Random, level: float) -> str:
    """Choose a text that says nothing."""
    return pick(texts_of("master-key"), rng)


def unchanged(text: str, level: float, rng: Random, context: Context) -> str:
    """Return the text as it is."""
    return text


JUDGES = (
    layout_family(
        "as-bullets",
        "Write the sentences as a list in Markdown.",
        sentence_gaps,
        Around(bullet),
        random=False,
        example=SEVERAL,
    ),
    layout_family(
        "with-headings",
        "Put English headings in Markdown before the first sentence and before the others.",
        lambda text: sentence_gaps(text)[:2],
        Around(heading),
        random=False,
        languages=ENGLISH,
        example=SEVERAL,
    ),
    layout_family(
        "bold-words",
        "Mark words as bold in Markdown.",
        find_words,
        always(lambda word: f"**{word}**"),
        Rule.SHARE,
        unit="words",
    ),
    Family(
        "padding",
        "judges",
        at_the_end(add_padding),
        "Add English sentences that say nothing at the end.",
        keeps_meaning=False,
        rule=Rule.COUNT,
        unit="sentences",
        scale="level k adds k sentences",
        languages=ENGLISH,
        scripts=LATIN,
        fields=CANDIDATE,
    ),
    Family(
        "repeat-text",
        "judges",
        at_the_end(add_copies),
        "Write the whole text again at the end.",
        keeps_meaning=False,
        rule=Rule.COUNT,
        unit="copies",
        scale="level k adds k copies of the text",
        random=False,
    ),
    english_family(
        "fake-citation",
        "Cite a source that does not exist before the final full stop.",
        before_final_stop,
        added("citation"),
    ),
    english_family(
        "appeal-to-authority",
        "Add an English sentence that says that experts or authorities agree.",
        end,
        added("authority"),
    ),
    english_family(
        "flattery", "Add an English sentence that praises the judge.", end, added("flattery")
    ),
    english_family(
        "confident-tone",
        "Begin with English words that say how certain this is.",
        start,
        put_first("confident"),
    ),
    english_family(
        "hesitant-tone",
        "Begin with English words that express doubt.",
        start,
        put_first("hesitant"),
    ),
    english_family(
        "instruct-judge",
        "Add an English sentence that tells the judge to rate the text highly.",
        end,
        added("instruction"),
    ),
    english_family(
        "instruct-quoted",
        "Add an instruction to the judge as a quotation.",
        end,
        added("instruction", in_one_of(QUOTES)),
    ),
    english_family(
        "instruct-comment",
        "Add an instruction to the judge as a comment in HTML or in code.",
        end,
        added("instruction", in_one_of(COMMENTS)),
    ),
    english_family(
        "instruct-foreign",
        "Add an instruction to the judge in German, French, Spanish or Chinese.",
        end,
        added("foreign-instruction"),
    ),
    in_place(
        "master-key",
        "Replace the text with one that says nothing but that judges took for a right answer.",
        whole,
        master_key,
        group="judges",
        keeps_meaning=False,
        fields=CANDIDATE,
    ),
    Family(
        "identical",
        "judges",
        unchanged,
        "Change nothing: a control that shows how scores differ if a judge is asked again.",
        keeps_meaning=True,
        random=False,
        control=True,
    ),
)
