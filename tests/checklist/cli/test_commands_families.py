"""Families of perturbations as the command shows them: listed, tried on a text, in a gallery."""

import io
import sys
from pathlib import Path
from random import Random

import pytest

from shakeproof.cli.gallery import GROUPS, groups
from shakeproof.cli.list_ import COLUMNS, describe_languages
from shakeproof.cli.main import main
from shakeproof.cli.terminal import width
from shakeproof.perturbations import PERTURBATIONS
from shakeproof.reports import render_gallery

pytestmark = pytest.mark.usefixtures("folder")

ROOT = Path(__file__).parents[3]


def pretend_terminal(monkeypatch):
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    monkeypatch.delenv("NO_COLOR", raising=False)


def lines(capsys):
    return capsys.readouterr().out.rstrip("\n").split("\n")


def test_a_pipe_gets_one_line_for_each_family_with_all_it_declares(capsys):
    assert main(["list", "perturbations"]) == 0

    header, *rows = [line.split("\t") for line in lines(capsys)]
    assert header == list(COLUMNS)
    assert {row[0] for row in rows} == set(PERTURBATIONS)
    assert all(len(row) == len(COLUMNS) and all(row) for row in rows)
    assert [
        "disemvowel",
        "characters",
        PERTURBATIONS["disemvowel"].summary,
        PERTURBATIONS["disemvowel"].level_means,
        "keeps the meaning",
        "any text",
        "Latin script",
    ] in rows


def test_a_terminal_of_80_columns_shows_the_same(capsys, monkeypatch):
    pretend_terminal(monkeypatch)
    assert main(["list", "perturbations"]) == 0

    shown = lines(capsys)
    firsts = {line.split(" ")[0] for line in shown}
    flat = " ".join(" ".join(shown).split())
    assert set(PERTURBATIONS) <= firsts
    assert max(map(width, shown)) <= 80
    assert all(family.summary in flat for family in PERTURBATIONS.values())
    assert all(family.level_means in flat for family in PERTURBATIONS.values())


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("empty", "any language"),
        ("misspell", "language en"),
        ("swap-names", "Latin script"),
        ("lower-case", "Armenian, Cyrillic, Greek, Latin script"),
        ("swap-letters", "any script with spaces between words"),
    ],
)
def test_the_languages_of_a_family_are_written_in_words(name, words):
    assert describe_languages(PERTURBATIONS[name]) == words


def test_perturb_shows_each_level_with_its_edits_and_how_much_they_change(capsys):
    assert main(["perturb", "disemvowel", "--level", "1", "--level", "0.1", "Now come"]) == 0

    text, full, severity, little, _ = lines(capsys)
    assert text == "     Now come"
    assert full == "  1  N[-o-]w c[-o-]m[-e-]"
    assert severity == "     43% of letters, 100% of words, 38% of characters edited"
    assert little.startswith("0.1  ")


def test_perturb_takes_three_levels_if_none_is_named(capsys):
    assert main(["perturb", "visual", "Now they have come to an agreement."]) == 0
    shares = lines(capsys)[1::2]
    assert main(["perturb", "typos", "Now they have come to an agreement."]) == 0
    counts = lines(capsys)[1::2]

    assert [line.split()[0] for line in shares] == ["0.1", "0.2", "0.3"]
    assert [line.split()[0] for line in counts] == ["1", "2", "3"]


def test_perturb_is_coloured_on_a_terminal(capsys, monkeypatch):
    pretend_terminal(monkeypatch)
    assert main(["perturb", "upper-case", "a"]) == 0

    _, damaged, severity = lines(capsys)
    assert damaged == "\x1b[9;31ma\x1b[0m\x1b[1;32mA\x1b[0m"
    assert severity.startswith("\x1b[2m100% of letters")


@pytest.mark.parametrize(
    ("family", "option"),
    [("copy-input", "--source"), ("copy-reference", "--reference"), ("another-segment", "--other")],
)
def test_perturb_takes_what_a_family_needs_before_or_after_the_text(capsys, family, option):
    assert main(["perturb", family, option, "a b", "x"]) == 0
    first = capsys.readouterr().out
    assert main(["perturb", family, "x", option, "a b"]) == 0

    assert capsys.readouterr().out == first
    assert "{+a b+}" in first


def test_perturb_reads_standard_input(capsys, monkeypatch):
    monkeypatch.setattr("sys.stdin", io.StringIO("shout\n"))

    assert main(["perturb", "upper-case", "-"]) == 0
    assert lines(capsys)[:2] == ["shout", "[-shout-]{+SHOUT+}"]


def test_an_empty_text_has_no_severity(capsys):
    assert main(["perturb", "upper-case", ""]) == 0

    assert lines(capsys)[-1] == "0% of letters, 0% of words, 0% of characters edited"


@pytest.mark.model
def test_perturb_counts_the_tokens_that_a_model_does_not_know(capsys):
    text = "Now they have come to an agreement."
    assert main(["perturb", "disemvowel", "--level", "1", "--tokenizer", "minilm", text]) == 0

    assert lines(capsys)[-1] == "   unknown tokens 0 -> 2, pieces per word 1.1 -> 1.6"


def test_the_published_gallery_is_that_of_the_program():
    published = (ROOT / "docs" / "gallery.html").read_text(encoding="utf-8")

    assert published == render_gallery(list(groups())), "shakeproof gallery -o docs/gallery.html"


def test_the_gallery_is_written_to_the_named_file(folder, capsys):
    assert main(["gallery", "-o", "page.html"]) == 0

    assert lines(capsys) == [(folder / "page.html").as_uri()]
    assert "<html" in (folder / "page.html").read_text(encoding="utf-8")


def test_the_gallery_has_every_family_in_the_group_it_declares():
    shown = {entry.name: group.name for group in groups() for entry in group.families}

    assert shown == {family.name: family.group for family in PERTURBATIONS.values()}
    assert list(dict.fromkeys(shown.values())) == list(GROUPS)


def test_every_family_but_a_control_shows_an_edit_at_every_level():
    unchanged = {
        entry.name
        for group in groups()
        for entry in group.families
        for example in entry.examples
        if example.before == example.after
    }

    assert unchanged == {family.name for family in PERTURBATIONS.values() if family.control}


def test_the_gallery_shows_what_the_command_shows():
    entries = {entry.name: entry for group in groups() for entry in group.families}
    examples, family = entries["visual"].examples, PERTURBATIONS["visual"]

    assert [example.levels for example in examples] == [("0.1",), ("0.3",), ("1",)]
    assert [example.after for example in examples] == [
        family(family.example, float(example.levels[0]), Random(1)) for example in examples
    ]
