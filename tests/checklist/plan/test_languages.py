"""Which languages are declared, and what families that do not serve them say."""

import warnings
from dataclasses import replace
from pathlib import Path

import pytest

from shakeproof.data.segments import Candidate, Segment
from shakeproof.errors import SpecErrors
from shakeproof.metrics.settings import Settings
from shakeproof.plan.data_needs import unmet_needs
from shakeproof.plan.items import make_plan
from shakeproof.plan.kinds import kinds_of
from shakeproof.plan.languages import LanguageWarning, undeclared_languages
from shakeproof.spec.read import parse

ENGLISH = Segment("e", (Candidate("They have come."),), ("They came.",), "They are here now.")
HINDI = Segment("h", (Candidate("वह आज बाज़ार जा रहा है।"),), ("वह बाज़ार जा रहा है।",), "They came.")
CHECKLIST = """\
data: sample
{head}
metrics: {{chrf: chrf}}
checks:
  - check: one
    perturb: {{{perturb}}}
    expect: {{score_change: {{at_most: 1}}}}
"""
DIGITS = Segment("d", (Candidate("1, 2"),), ("3 😀",), "")


def checklist(perturb, *, head=""):
    return parse(CHECKLIST.format(perturb=perturb, head=head), Path("l.yaml"))


def refusals(perturb, *segments, head=""):
    return [
        line.split(": ", 2)[2]
        for line in unmet_needs(checklist(perturb, head=head), kinds_of(segments), {})
    ]


def in_languages(segment, **languages):
    return replace(segment, extra=languages)


VISUAL = "visual: {on: reference, levels: [0.1]}"
PHONETIC = "phonetic: {on: reference, levels: [0.1]}"


@pytest.mark.parametrize("head", ["", "language: hi"])
def test_a_script_that_is_not_served_is_refused_in_a_line(head):
    assert refusals(VISUAL, HINDI, head=head) == [
        "'visual' does not serve Devanagari script; it serves Latin "
        "(the reference of segment 'h' is such a text)"
    ]


def test_most_texts_decide_which_script_it_is():
    assert refusals(VISUAL, ENGLISH, ENGLISH, HINDI) == []
    assert len(refusals(VISUAL, DIGITS, ENGLISH, HINDI, HINDI)) == 1


@pytest.mark.parametrize("perturb", [VISUAL, PHONETIC])
def test_texts_without_letters_are_served(perturb):
    assert refusals(perturb, DIGITS) == []


def test_the_script_is_that_of_the_perturbed_field():
    assert refusals("visual: {on: source, levels: [0.1]}", HINDI) == []


def test_a_segment_may_declare_its_language():
    zulu = in_languages(ENGLISH, language="zu")

    assert refusals(
        PHONETIC, in_languages(ENGLISH, language="en-GB"), zulu, head="language: en"
    ) == [
        "'phonetic' does not serve language 'zu'; it serves en "
        "(the reference of segment 'e' is such a text)"
    ]


def test_a_source_has_its_own_language():
    perturb = "phonetic: {on: source, levels: [0.1]}"

    assert refusals(perturb, in_languages(ENGLISH, language="zu", source_language="en")) == []


def test_a_segment_whose_source_is_in_another_language_cannot_be_copied():
    (line,) = refusals("copy-input: ", in_languages(ENGLISH, language="en", source_language="kk"))

    assert "copies the source, which is in another language (kk, not en)" in line


def test_a_region_does_not_make_another_language():
    segment = in_languages(ENGLISH, language="en", source_language="en_US")

    assert refusals("copy-input: ", segment) == []


def test_own_families_are_refused_like_others():
    head = "families: {umlauts: {replace: {ä: ae}, level: switch, languages: [de]}}"
    perturb = "umlauts: {on: reference}"

    assert len(refusals(perturb, in_languages(ENGLISH, language="en"), head=head)) == 1
    assert refusals(perturb, in_languages(ENGLISH, language="de-AT"), head=head) == []


def test_families_without_a_language_to_go_by_are_named():
    perturb = f"{PHONETIC}, {VISUAL}, negate: {{on: candidate}}"

    assert undeclared_languages(checklist(perturb), kinds_of([ENGLISH])) == (
        "no language is declared, so families go by script: 'phonetic' serves en; "
        "'negate' serves en; write language: …"
    )


@pytest.mark.parametrize(
    ("perturb", "head", "way_out"),
    [
        pytest.param("phonetic", "language: en\n", "write source_language: …", id="alone"),
        pytest.param(
            "negate: {on: candidate}, phonetic",
            "",
            "write language: … and source_language: …",
            id="both",
        ),
    ],
)
def test_noise_on_the_source_goes_by_the_language_of_the_source(perturb, head, way_out):
    text = f"{perturb}: {{on: source, levels: [0.1]}}"
    remark = undeclared_languages(checklist(text, head=head), kinds_of([ENGLISH]))

    assert remark.startswith("no language is declared, so families go by script: ")
    assert remark.endswith(f"'phonetic' on the source serves en; {way_out}")


@pytest.mark.parametrize(
    ("perturb", "head", "segment"),
    [
        pytest.param(PHONETIC, "language: en", ENGLISH, id="checklist"),
        pytest.param(PHONETIC, "", in_languages(ENGLISH, language="en"), id="segment"),
        pytest.param(VISUAL, "", ENGLISH, id="any language"),
        pytest.param(
            "phonetic: {on: reference, levels: 1, stored: true}", "", ENGLISH, id="stored"
        ),
    ],
)
def test_nothing_is_said_where_a_language_is_declared_or_not_needed(perturb, head, segment):
    assert undeclared_languages(checklist(perturb, head=head), kinds_of([segment])) == ""


def test_a_plan_warns_once_for_a_checklist_without_a_language():
    with pytest.warns(LanguageWarning, match=r"^l\.yaml: no language is declared") as caught:
        make_plan(checklist(f"{PHONETIC}, negate: {{on: candidate}}"), Settings())

    assert len(caught) == 1


def test_a_plan_with_a_language_does_not_warn():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        make_plan(checklist(PHONETIC, head="language: en"), Settings())


def test_a_plan_refuses_a_script_that_is_not_served(tmp_path):
    data = '{"id": "1", "references": ["वह बाज़ार जा रहा है।"], "candidates": [{"text": "a"}]}\n'
    (tmp_path / "hi.jsonl").write_text(data, encoding="utf-8")
    plain = checklist(VISUAL)
    there = replace(plain, path=tmp_path / "l.yaml", data={"": "hi.jsonl"})

    with pytest.raises(SpecErrors, match="'visual' does not serve Devanagari script"):
        make_plan(there, Settings())


def test_pytest_shows_the_warning_once(pytester):
    text = CHECKLIST.format(head="", perturb=f"{PHONETIC}, negate: {{on: candidate}}")
    pytester.makefile(".checklist.yaml", quiet=text)
    result = pytester.runpytest("--collect-only", "-q", "-W", "default")

    result.stdout.fnmatch_lines(
        ["*LanguageWarning: quiet.checklist.yaml: no language is declared*"]
    )
    assert result.stdout.str().count("LanguageWarning: ") == 1
