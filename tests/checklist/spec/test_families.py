"""Families that a checklist declares for itself."""

from pathlib import Path
from random import Random

import pytest

from shakeproof.perturbations import PERTURBATIONS, Rule
from shakeproof.plan.items import planned_items
from shakeproof.spec.read import parse

CHECKS = """
metrics: {chrf: chrf}
checks:
  - check: one
    perturb: PERTURB
    expect: {score_change: {at_most: 0.2}}
"""
UPPER = "{upper-case: {on: candidate}}"
SHOUT = '''
from shakeproof.perturbations import Family


def shout(text, level, rng):
    """Shout it.

    All of it.
    """
    return text.upper()


def echo(text, level, rng, context):
    return text + context.source


BARK = Family("x", "own", echo, "Bark.", keeps_meaning=True, needs=frozenset({"source"}))
'''


def read(families, *, perturb=UPPER, path=Path("f.yaml"), rootdir=None):
    checks = CHECKS.replace("PERTURB", perturb)
    return parse(f"data: sample\nfamilies:\n  {families}{checks}", path, rootdir=rootdir)


def family(declaration, **rest):
    return read(f"mine: {declaration}", **rest).families["mine"]


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "loud_families.py").write_text(SHOUT)
    (tmp_path / "words.tsv").write_text("cat\tdog\n")
    return tmp_path


def test_a_checklist_without_families_knows_the_others():
    assert parse("data: sample" + CHECKS.replace("PERTURB", UPPER), Path("f")).families == (
        PERTURBATIONS
    )


def test_no_declaration_changes_the_registry():
    read("mine: {replace: {a: b}}")

    assert "mine" not in PERTURBATIONS


@pytest.mark.parametrize(
    ("declaration", "before", "after"),
    [
        pytest.param("{replace: {ä: ae, Ö: [Oe]}}", "älter, Öl", "aelter, Oel", id="replace"),
        pytest.param(r"{regex: '(\w+), (\w+)', with: '\2 \1'}", "Doe, Jo.", "Jo Doe.", id="regex"),
        pytest.param("{regex: ',', with: ''}", "a, b,", "a b", id="removed"),
        pytest.param("{lexicon: words.tsv}", "Cat and cats", "Dog and cats", id="lexicon"),
        pytest.param("{python: 'loud_families:shout'}", "Not so", "NOT SO", id="python"),
        pytest.param("{chain: [lower-case, {join-words: 1}]}", "NOT so", "notso", id="chain"),
    ],
)
def test_each_form_makes_a_family(folder, declaration, before, after):
    made = family(declaration, path=folder / "c.checklist.yaml")

    assert made(before, 1, Random(0)) == after
    assert made.name == "mine"
    assert made.group == "own"
    assert made.summary.endswith(".")


def test_a_family_declares_what_is_written():
    made = family(
        "{replace: {a: b}, keeps_meaning: true, level: count, on: [reference, source], "
        "languages: [en-GB, DE], scripts: [Latn], summary: Put b for a.}"
    )

    assert made.keeps_meaning
    assert made.rule is Rule.COUNT
    assert made("aaa", 2, Random(0)).count("b") == 2
    assert made.fields == {"reference", "source"}
    assert made.languages == {"en", "de"}
    assert made.scripts == {"Latn"}
    assert made.summary == "Put b for a."


def test_a_family_declares_nothing_that_is_not_written():
    made = family("{replace: {a: b}}")

    assert not made.keeps_meaning
    assert made.rule is Rule.SHARE
    assert made.fields == {"candidate", "reference", "source"}
    assert made.languages is made.scripts is None


def test_a_function_takes_its_summary_from_its_docstring(folder):
    made = family("{python: 'loud_families:shout'}", path=folder / "c.yaml")

    assert made.summary == "Shout it."


def test_a_family_object_keeps_what_it_declares_unless_the_file_overrides_it(folder):
    made = family("{python: 'loud_families:BARK', random: false}", path=folder / "c.yaml")

    assert (made.name, made.keeps_meaning, made.needs) == ("mine", True, {"source"})
    assert not made.random


def test_functions_are_found_under_rootdir_too(folder):
    inner = folder / "deep" / "down"

    assert family("{python: 'loud_families:shout'}", path=inner / "c.yaml", rootdir=folder)


def test_chains_may_build_on_own_families_in_any_order():
    checklist = read(
        "both: {chain: [{first: 1}, second]}\n  second: {chain: [upper-case]}\n"
        "  first: {replace: {a: b}}"
    )

    assert checklist.families["both"]("abc", 1, Random(0)) == "BBC"


def test_own_families_are_used_by_name_and_show_in_the_node_id():
    checklist = read(
        "hurried: {chain: [lower-case, {keyboard-typo: 0.1}]}\n  plain: {replace: {a: b}}",
        perturb="{hurried: {on: reference}, plain: {on: candidate, levels: [0.5, 1]}}",
    )

    names = [item.name for item in planned_items(checklist)]

    assert names == ["hurried", "plain-0.5", "plain-1"]


def test_a_random_chain_is_drawn_with_every_seed():
    text = "data: sample\nseeds: 3\nfamilies: {h: {chain: [{keyboard-typo: 0.1}]}}"
    checks = CHECKS.replace("PERTURB", "{h: {on: candidate}}")
    (item,) = planned_items(parse(text + checks, Path("f")))

    assert item.seeds == (0, 1, 2)


def test_an_own_family_for_one_text_needs_no_field():
    checklist = read("mine: {replace: {a: b}, level: switch, on: source}", perturb="mine")

    assert checklist.checks[0].perturb[0].on == "source"


def test_an_expectation_of_ones_own_is_looked_up_beside_the_checklist(folder):
    (folder / "own_mean.py").write_text("def mean(compared):\n    return None\n")
    text = "data: sample\nmetrics: {chrf: chrf}\nchecks:\n  - check: one\n"
    expect = "    expect: {python: {statistic: 'own_mean:mean', at_most: 1}}\n"
    checklist = parse(text + expect, folder / "c.yaml")

    with pytest.raises(ValueError, match="own_mean:mean must give an object"):
        checklist.checks[0].expect.statistic(None)
