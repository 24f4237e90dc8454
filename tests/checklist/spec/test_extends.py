"""What a checklist takes over from the files that it extends."""

import json
import os
from pathlib import Path
from random import Random

import pytest

from shakeproof.errors import SpecError
from shakeproof.metrics.settings import Settings
from shakeproof.plan.items import make_plan
from shakeproof.spec.extends import EXAMPLE, MAX_BASES
from shakeproof.spec.read import build_checklist, load, load_resolved, parse

BASE = """\
data: data.jsonl
language: en
seeds: 3
families:
  shout: {replace: {e: E}}
  slang: {lexicon: words.tsv}
metrics:
  words: word-f1
  own: {python: mine:score}
"""
CHECKS = """\
checks:
  - check: capitals do not matter
    perturb: {shout: {on: candidate, levels: 1.0}}
    expect: {score_change: {at_most: 0.2}}
"""
SEGMENT = {"id": "1", "references": ["the tree"], "candidates": [{"text": "the tree"}]}


@pytest.fixture
def shared(written, tmp_path):
    """A folder beside that of the checklist, with a base and all files that it names."""
    folder = tmp_path / "shared"
    folder.mkdir()
    (folder / "base.yaml").write_text(BASE)
    (folder / "data.jsonl").write_text(json.dumps(SEGMENT) + "\n")
    (folder / "words.tsv").write_text("tree\toak\n")
    (folder / "mine.py").write_text("def score(candidate, reference):\n    return 1.0\n")
    (tmp_path / "project").mkdir()
    return folder


@pytest.fixture
def project_file(shared, tmp_path):
    """Write a checklist into the folder of the project."""

    def write(text, name="c.checklist.yaml"):
        path = tmp_path / "project" / name
        path.write_text(text)
        return path

    return write


def test_everything_but_title_and_checks_is_taken_over(project_file):
    path = project_file(f"extends: ../shared/base.yaml\n{CHECKS}")
    checklist = load(path)

    assert checklist.title == "c.checklist.yaml"
    assert checklist.data == {"": "data.jsonl"}
    assert (checklist.language, checklist.seeds) == ("en", 3)
    assert list(checklist.metrics) == ["words", "own"]
    assert {"shout", "slang"} <= checklist.families.keys()
    assert checklist.checks[0].metrics == ("words", "own")


def test_checks_and_title_of_a_base_are_not_taken_over(written):
    written(f"checklist: base\ndata: sample\nmetrics: {{c: chrf}}\n{CHECKS}", "b.checklist.yaml")
    path = written(
        "extends: b.checklist.yaml\n"
        "checks: [{check: other, perturb: {upper-case: {on: candidate}}, expect: same_scores}]\n"
    )
    checklist = load(path)

    assert [check.name for check in checklist.checks] == ["other"]
    assert checklist.title == "c.checklist.yaml"


def test_what_the_checklist_itself_says_wins(project_file):
    path = project_file(
        "extends: ../shared/base.yaml\ndata: sample\nseeds: 1\n"
        "metrics: {words: bleu, chrf: chrf}\nfamilies: {shout: {replace: {a: A}}}\n" + CHECKS
    )
    checklist = load(path)

    assert checklist.data == {"": "sample"}
    assert checklist.seeds == 1
    kinds = {name: spec.kind for name, spec in checklist.metrics.items()}
    assert kinds == {"words": "bleu", "own": "python", "chrf": "chrf"}
    assert checklist.declared_families["shout"] == {"replace": {"a": "A"}}
    assert "slang" in checklist.declared_families


def test_the_last_of_several_bases_wins_and_a_base_may_extend_another(written):
    written("metrics: {a: chrf, b: chrf}\nseed: 1\nlanguage: de\n", "first.yaml")
    written("extends: first.yaml\nmetrics: {b: bleu}\nseed: 2\n", "second.yaml")
    written("metrics: {c: ter}\ndata: sample\nseed: 3\n", "third.yaml")
    path = written(
        "extends: [second.yaml, third.yaml]\n"
        "checks: [{check: a, perturb: {upper-case: {on: candidate}}, expect: same_scores}]\n"
    )
    checklist = load(path)

    kinds = {name: spec.kind for name, spec in checklist.metrics.items()}
    assert kinds == {"a": "chrf", "b": "bleu", "c": "ter"}
    assert (checklist.seed, checklist.language, checklist.data) == (3, "de", {"": "sample"})


def test_paths_in_a_base_are_relative_to_the_base(project_file, shared):
    path = project_file(f"extends: ../shared/base.yaml\n{CHECKS}")
    plan = make_plan(load(path), Settings(offline=True))

    assert plan.failures == {}
    assert [segment.id for segment in plan.segments] == ["1"]
    assert plan.checklist.families["slang"]("the tree", 1.0, Random(0)) == "the oak"


def test_local_paths_stay_relative_to_the_checklist(project_file, shared):
    path = project_file(
        f"extends: ../shared/base.yaml\nmetrics: {{own: {{python: mine:score}}}}\n{CHECKS}"
    )

    with pytest.raises(SpecError, match=r"2:17: no module 'mine' beside the checklist"):
        load(path)


def test_model_folders_and_programs_of_a_base_are_found_beside_it(project_file, shared):
    (shared / "rate.sh").write_text("#!/bin/sh\n")
    (shared / "rate.sh").chmod(0o755)
    (shared / "tiny").mkdir()
    (shared / "tiny" / "config.json").write_text("{}")
    (shared / "more.yaml").write_text(
        "metrics:\n  program: {command: {run: [./rate.sh], version: '1'}}\n"
        "  deep: {bertscore: {model: tiny, layer: last}}\n"
    )
    text = f"extends: [../shared/base.yaml, ../shared/more.yaml]\n{CHECKS}"
    plan = make_plan(load(project_file(text)), Settings(offline=True))

    assert "program" in plan.metrics
    assert "no such folder" not in plan.failures["deep"]


@pytest.mark.parametrize(
    ("base", "lines"),
    [
        pytest.param(
            "metrics:\n  words: {chfr: {}}\n",
            ["shared/base.yaml:2:11: unknown metric kind 'chfr'; did you mean 'chrf'?"],
            id="metric",
        ),
        pytest.param(
            "metrics: {c: chrf}\nlanguag: en\n",
            ["shared/base.yaml:2:1: unknown key 'languag'; did you mean 'language'?"],
            id="key",
        ),
        pytest.param(
            "metrics: {c: chrf}\nfamilies:\n  f: {regex: '(', with: x}\n",
            [
                "shared/base.yaml:3:14: regex '(' with 'x': missing ), unterminated subpattern at "
                "position 0"
            ],
            id="family",
        ),
        pytest.param(
            "metrics: [a\n", ["shared/base.yaml:1:10: this list is not closed by ]"], id="syntax"
        ),
        pytest.param(
            "- a\n",
            ["shared/base.yaml:1:1: a file to extend must be a mapping, got a list"],
            id="list",
        ),
        pytest.param(
            "",
            ["shared/base.yaml:1:1: a file to extend must be a mapping, got nothing"],
            id="empty",
        ),
    ],
)
def test_a_mistake_in_a_base_names_the_base(project_file, shared, error_lines, base, lines):
    (shared / "base.yaml").write_text(base)
    path = project_file(
        "extends: ../shared/base.yaml\ndata: sample\n"
        "checks: [{check: a, perturb: {upper-case: {on: candidate}}, expect: same_scores}]\n"
    )

    assert error_lines(load, path) == lines


def test_mistakes_of_the_checklist_come_before_those_of_its_base(written, error_lines):
    written("metrics: {a: chfr}\nseed: -1\n", "base.yaml")
    path = written(f"extends: base.yaml\ndata: sample\nseeds: 0\n{CHECKS}")

    found = error_lines(load, path)

    assert [line.split(": ")[0] for line in found] == [
        "c.checklist.yaml:3:8",
        "c.checklist.yaml:6:15",
        "base.yaml:1:14",
        "base.yaml:2:7",
    ]


@pytest.mark.parametrize(
    ("extends", "message"),
    [
        pytest.param(
            "bass.yaml", "1:10: bass.yaml: no such file; did you mean 'base.yaml'?", id="missing"
        ),
        pytest.param("[base.yaml, 3]", "1:22: extends must be a path, got 3", id="number"),
        pytest.param(
            "[]",
            f"1:10: extends is empty; write {EXAMPLE}",
            id="empty",
        ),
        pytest.param("{a: b}", "1:10: extends must be a path, got a mapping", id="mapping"),
        pytest.param(".", "1:10: .: is no file that can be extended", id="folder"),
        pytest.param(
            "c.checklist.yaml",
            "1:10: a checklist cannot extend itself: c.checklist.yaml → c.checklist.yaml",
            id="itself",
        ),
    ],
)
def test_a_mistake_in_extends_is_one_line(written, error_lines, extends, message):
    written("metrics: {a: chrf}\n", "base.yaml")
    path = written(f"extends: {extends}\ndata: sample\n{CHECKS}")

    assert error_lines(load, path) == [f"c.checklist.yaml:{message}"]


@pytest.mark.parametrize(
    ("extends", "message"),
    [
        pytest.param("~nobody-here/a.yaml", "no such file", id="unknown user"),
        pytest.param('"a\\0b"', "extends must be a path, got 'a\\x00b'", id="zero"),
        pytest.param("loop.yaml", "loop.yaml: cannot be read: ", id="link to itself"),
        pytest.param("a" * 5000, "cannot be read: file name too long", id="long"),
    ],
)
def test_a_hostile_path_is_one_line(written, tmp_path, error_lines, extends, message):
    (tmp_path / "loop.yaml").symlink_to(tmp_path / "loop.yaml")
    path = written(f"extends: {extends}\ndata: sample\n{CHECKS}")

    (line,) = error_lines(load, path)
    assert line.startswith("c.checklist.yaml:1:10: ")
    assert message in line


def test_a_circle_of_files_is_one_clear_error(written, error_lines):
    written("extends: b.yaml\n", "a.yaml")
    written("seed: 1\nextends: [a.yaml]\n", "b.yaml")
    path = written(f"extends: a.yaml\ndata: sample\n{CHECKS}")

    assert error_lines(load, path) == [
        "b.yaml:2:11: a checklist cannot extend itself: a.yaml → b.yaml → a.yaml"
    ]


def test_many_files_are_refused_and_a_shared_one_is_read_once(written, error_lines):
    for number in range(MAX_BASES + 1):
        below = f"[{number + 1}.yaml, {number + 1}.yaml]" if number < MAX_BASES else "end.yaml"
        written(f"extends: {below}\n", f"{number}.yaml")
    path = written("extends: 0.yaml\n")

    (line,) = error_lines(load, path)
    assert line == f"{MAX_BASES - 1}.yaml:1:11: more than 20 files are extended"


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("x-a: [" + "1, " * 15_000 + "1]\n", "have more than 20000 values, aliases counted"),
        ("x-a: " + "a" * 600_000 + "\n", "more than 1 MB; to read it, set SHAKEPROOF_MAX_CHECK"),
    ],
    ids=["values", "size"],
)
def test_limits_hold_for_all_files_together(written, error_lines, content, message):
    written(f"extends: b.yaml\n{content}", "a.yaml")
    written(content, "b.yaml")
    path = written(f"extends: a.yaml\ndata: sample\n{CHECKS}")

    (line,) = error_lines(load, path)
    assert line.startswith("a.yaml:1:10: the files that are extended")
    assert message in line


def test_a_fifo_is_not_opened(written, tmp_path, error_lines):
    os.mkfifo(tmp_path / "pipe.yaml")
    path = written(f"extends: pipe.yaml\n{CHECKS}")

    assert error_lines(load, path) == [
        "c.checklist.yaml:1:10: pipe.yaml: is no file that can be extended"
    ]


def test_a_need_of_a_metric_of_the_base_names_the_base(project_file, shared):
    (shared / "base.yaml").write_text("data: data.jsonl\nmetrics:\n  free: {chrf-free: {}}\n")
    path = project_file(
        "extends: ../shared/base.yaml\n"
        "checks: [{check: a, perturb: {upper-case: {on: candidate}}, expect: same_scores}]\n"
    )

    with pytest.raises(SpecError, match=r"shared/base.yaml:3: metric 'free' needs"):
        make_plan(load(path), Settings(offline=True))


def test_the_record_has_the_whole_checklist_and_changes_with_the_base(project_file, shared):
    path = project_file(f"extends: ../shared/base.yaml\n{CHECKS}")
    first = load(path)
    (shared / "base.yaml").write_text(BASE.replace("seeds: 3", "seeds: 4"))

    assert "extends" not in first.text
    assert "word-f1" in first.text
    assert load(path).sha256 != first.sha256


def test_a_resolved_checklist_means_the_same(project_file, tmp_path):
    path = project_file(f"extends: ../shared/base.yaml\nchecklist: mine\n{CHECKS}")
    text = load_resolved(path, rootdir=tmp_path)
    alone = parse(text, path, rootdir=tmp_path)
    plan = make_plan(alone, Settings(offline=True, rootdir=tmp_path))

    assert alone.data == {"": "../shared/data.jsonl"}
    assert plan.failures == {}
    assert len(plan.segments) == 1
    assert alone.title == "mine"
    assert [spec.kind for spec in alone.metrics.values()] == ["word-f1", "python"]
    assert alone.checks[0].perturb == load(path).checks[0].perturb
    assert load(path).text == text


def test_code_can_extend_a_file_too(written):
    written("metrics: {a: chrf}\ndata: sample\n", "base.yaml")
    check = {"check": "a", "expect": {"correlation": {"at_least": 0}}}
    checklist = build_checklist({"extends": "base.yaml", "checks": [check]}, Path("code.yaml"))

    assert list(checklist.metrics) == ["a"]
