"""Checklists without mistakes, and the shapes they may be written in."""

import hashlib
from pathlib import Path

import pytest

from shakeproof.errors import SpecError
from shakeproof.spec.model import KnownFailure, Perturb, Tolerance
from shakeproof.spec.read import load, parse

HEAD = """\
checklist: noise
data: sample
language: en
metrics:
  chrf: {chrf: {}}
  bleu: {bleu: {lowercase: true}}
checks:
"""
UPPER = "perturb: {upper-case: {on: candidate}}"
CHANGE = "expect: {score_change: {at_most: 0.2}}"


def read(text):
    return parse(text, Path("noise.checklist.yaml"))


def check(*lines):
    (only,) = read(HEAD + "  - check: one\n" + "".join(f"    {line}\n" for line in lines)).checks
    return only


def test_a_checklist_keeps_its_text_and_the_hash_of_it(tmp_path):
    text = HEAD + f"  - check: one\n    {UPPER}\n    {CHANGE}\n"
    path = tmp_path / "noise.checklist.yaml"
    path.write_text(text, encoding="utf-8")

    checklist = load(path)

    assert checklist.text == text
    assert checklist.sha256 == hashlib.sha256(text.encode()).hexdigest()
    assert checklist.path == path


def test_what_is_left_out_has_its_default():
    text = HEAD.replace("checklist: noise\n", "") + f"  - check: one\n    {UPPER}\n    {CHANGE}\n"

    checklist = read(text)

    assert checklist.title == "noise.checklist.yaml"
    assert (checklist.seed, checklist.seeds) == (0, 1)
    assert (checklist.confidence, checklist.draws) == (0.95, 10_000)
    assert checklist.source_language is None


def test_a_single_data_set_has_an_unnamed_group():
    assert read(HEAD + f"  - check: one\n    {UPPER}\n    {CHANGE}\n").data == {"": "sample"}


def test_several_data_sets_are_groups():
    text = HEAD.replace("sample", "{gu-en: a.jsonl, kk-en: b.jsonl}")

    data = read(text + f"  - check: one\n    {UPPER}\n    {CHANGE}\n").data

    assert data == {"gu-en": "a.jsonl", "kk-en": "b.jsonl"}


def test_a_check_is_about_all_metrics_unless_it_names_some():
    assert check(UPPER, CHANGE).metrics == ("chrf", "bleu")
    assert check("metrics: [bleu]", UPPER, CHANGE).metrics == ("bleu",)
    assert check("metrics: bleu", UPPER, CHANGE).metrics == ("bleu",)


def test_a_check_and_a_metric_know_their_lines():
    checklist = read(HEAD + f"  - {UPPER}\n    check: one\n    {CHANGE}\n")

    assert checklist.checks[0].line == 9
    assert checklist.metrics["bleu"].line == 6


@pytest.mark.parametrize(
    ("written", "levels"),
    [
        pytest.param("[0.3, 0.1]", (0.1, 0.3), id="sorted"),
        pytest.param("0.3", (0.3,), id="a single one"),
        pytest.param("[1]", (1.0,), id="whole"),
    ],
)
def test_levels_are_ascending_numbers(written, levels):
    read_check = check(f"perturb: {{visual: {{on: reference, levels: {written}}}}}", CHANGE)

    assert read_check.perturb == (Perturb("visual", "reference", levels),)


@pytest.mark.parametrize(
    "written",
    [
        pytest.param("copy-input", id="by name"),
        pytest.param("{copy-input: }", id="without settings"),
        pytest.param("{copy-input: {}}", id="with empty settings"),
        pytest.param("[copy-input]", id="in a list"),
        pytest.param("[{copy-input: {on: candidate}}]", id="in a list with settings"),
    ],
)
def test_a_family_of_one_field_needs_no_field(written):
    assert check(f"perturb: {written}", CHANGE).perturb == (Perturb("copy-input", "candidate"),)


def test_a_list_of_one_field_is_that_field():
    read_check = check("perturb: {visual: {on: [reference], levels: [0.3]}}", CHANGE)

    assert read_check.perturb == (Perturb("visual", "reference", (0.3,)),)


def test_several_families_are_several_perturbations():
    both = "perturb: {upper-case: {on: candidate}, visual: {on: reference, levels: [0.1]}}"

    assert [one.family for one in check(both, CHANGE).perturb] == ["upper-case", "visual"]


def test_an_expectation_may_bring_its_own_perturbation():
    copied = check("expect: {copy_penalty: {at_least: 0.5}}")

    assert copied.perturb == (Perturb("copy-input", "candidate"),)


def test_a_family_that_only_the_data_know_is_replayed():
    replay = check("perturb: {my-attack: {on: reference, levels: [0.5], stored: true}}", CHANGE)

    assert replay.perturb == (Perturb("my-attack", "reference", (0.5,), stored=True),)


def test_a_stored_language_bound_family_serves_any_language():
    text = HEAD.replace("language: en", "language: zu")
    stored = "perturb: {phonetic: {on: reference, levels: [0.1], stored: true}}"

    assert read(text + f"  - check: one\n    {stored}\n    {CHANGE}\n").checks[0].perturb[0].stored


@pytest.mark.parametrize("language", ["en", "EN", "en-GB"])
def test_a_language_is_served_whatever_its_region(language):
    text = HEAD.replace("language: en", f"language: {language}")
    phonetic = "perturb: {phonetic: {on: reference, levels: [0.1]}}"

    checklist = read(text + f"  - check: one\n    {phonetic}\n    {CHANGE}\n")

    assert checklist.checks[0].perturb[0].family == "phonetic"


def test_the_source_has_its_own_language():
    text = HEAD.replace("language: en", "language: zu\nsource_language: en")
    phonetic = "perturb: {phonetic: {on: source, levels: [0.1]}}"

    assert read(text + f"  - check: one\n    {phonetic}\n    {CHANGE}\n").checks


def test_correlation_may_be_asked_of_meaning_changing_references():
    read_check = check(
        "perturb: {change-number: {on: reference}}", "expect: {correlation_drop: {at_most: 0.1}}"
    )

    assert read_check.expect.name == "correlation_drop"


@pytest.mark.parametrize(
    ("written", "known"),
    [
        pytest.param("it is cased", KnownFailure("it is cased"), id="a reason alone"),
        pytest.param(
            "{metrics: [bleu], reason: it is cased}",
            KnownFailure("it is cased", ("bleu",)),
            id="for one metric",
        ),
        pytest.param("{reason: all fail}", KnownFailure("all fail"), id="for all"),
    ],
)
def test_known_failures(written, known):
    assert check(UPPER, CHANGE, f"known_failure: {written}").known_failure == known


def test_a_failure_may_be_known_at_a_level():
    noisy = check(
        "perturb: {visual: {on: reference, levels: [0.1, 0.3]}}",
        CHANGE,
        "known_failure: {levels: [0.3], reason: too noisy}",
    )

    assert noisy.known_failure == KnownFailure("too noisy", None, (0.3,))


def test_severity_and_requirements_are_kept():
    read_check = check(UPPER, CHANGE, "severity: warn", "requires: [cuda, network, 'model:x/y']")

    assert read_check.severity == "warn"
    assert read_check.requires == ("cuda", "network", "model:x/y")


@pytest.mark.parametrize(
    "written",
    [
        pytest.param("{chrf: {}}", id="empty options"),
        pytest.param("{chrf: }", id="no options"),
        pytest.param("chrf", id="by name"),
    ],
)
def test_a_metric_with_all_defaults(written):
    text = HEAD.replace("{chrf: {}}", written) + f"  - check: one\n    {UPPER}\n    {CHANGE}\n"

    assert read(text).metrics["chrf"].kind == "chrf"


def test_a_plain_value_fills_the_only_option():
    text = HEAD.replace("{chrf: {}}", "{stored: BLEURT-20}")

    metrics = read(text + f"  - check: one\n    {UPPER}\n    {CHANGE}\n").metrics

    assert metrics["chrf"].options.name == "BLEURT-20"


def test_metrics_may_build_on_later_ones():
    text = HEAD.replace(
        "  chrf: {chrf: {}}", "  para: {parascore: {similarity: chrf}}\n  chrf: chrf"
    )

    metrics = read(text + f"  - check: one\n    {UPPER}\n    {CHANGE}\n").metrics

    assert metrics["para"].options.refers == ("chrf",)


def test_own_keys_and_anchors_save_writing():
    text = (
        f"x-usual: &usual\n  {UPPER}\n  {CHANGE}\n"
        + HEAD
        + "  - {check: one, <<: *usual}\n  - {check: two, <<: *usual, severity: warn}\n"
    )

    one, two = read(text).checks

    assert one.expect == two.expect
    assert (one.severity, two.severity) == ("fail", "warn")


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
def test_files_of_other_systems_are_read(tmp_path, newline, mark):
    path = tmp_path / "noise.checklist.yaml"
    text = HEAD + f"  - check: one\n    {UPPER}\n    {CHANGE}\n"
    path.write_bytes(mark + text.replace("\n", newline).encode())

    assert load(path).checks[0].line == 8


def test_a_missing_file_names_a_similar_one(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "noise.checklist.yaml").touch()

    with pytest.raises(SpecError, match=r"^nose\.checklist\.yaml: no such file; did you mean 'noi"):
        load(Path("nose.checklist.yaml"))


def test_a_folder_is_no_file(tmp_path):
    with pytest.raises(SpecError, match="is a folder, not a file"):
        load(tmp_path)


def test_tolerance_cluster_and_declared_families_are_read():
    top = (
        "tolerance: {correlation: 0.01}\ncluster: document\nfamilies: {mine: {replace: {a: [b]}}}\n"
    )
    checklist = read(top + HEAD + f"  - check: one\n    {UPPER}\n    {CHANGE}\n")

    assert checklist.tolerance == Tolerance(correlation=0.01)
    assert checklist.cluster == "document"
    assert checklist.declared_families == {"mine": {"replace": {"a": ["b"]}}}


@pytest.mark.parametrize(
    ("how", "message"),
    [
        ("stored: true", "or write keeps_meaning: true if people would rate the stored texts"),
        ("stored: true, keeps_meaning: false", "'my-attack' changes what candidates mean"),
    ],
)
def test_stored_candidates_are_not_compared_with_people_unless_they_keep_the_meaning(how, message):
    drop = "expect: {correlation_drop: {at_most: 0.1}}"
    with pytest.raises(SpecError, match=message):
        check(f"perturb: {{my-attack: {{on: candidate, {how}}}}}", drop)


def test_stored_candidates_may_be_declared_to_keep_the_meaning():
    how = "{on: candidate, stored: true, keeps_meaning: true}"
    replay = check(f"perturb: {{my-attack: {how}}}", "expect: {correlation_drop: {at_most: 0.1}}")

    assert replay.perturb == (Perturb("my-attack", "candidate", (), True, keeps_meaning=True),)


def test_a_family_that_is_not_stored_cannot_be_declared_to_keep_the_meaning():
    with pytest.raises(SpecError, match="keeps_meaning is for stored: true; 'upper-case' itself"):
        check("perturb: {upper-case: {on: candidate, keeps_meaning: true}}", CHANGE)
