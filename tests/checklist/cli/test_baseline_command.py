"""`shakeproof baseline`: updated from a run, shown, and compared, as `compare` compares."""

import pytest
from built_results import drop
from built_runs import wrap

from shakeproof.cli.main import main
from shakeproof.runs.archive import as_json
from shakeproof.runs.baseline import read_baseline

FILE = "shakeproof-baseline.jsonl"
FAMILIES = ("visual", "intrude", "phonetic")


def shifted(run, by, family="visual"):
    """Return the run with another estimate of the checks of one family."""
    results = [
        result.model_copy(
            update={
                "estimate": result.estimate.model_copy(update={"value": result.estimate.value + by})
            }
        )
        if result.family == family
        else result
        for result in run.results
    ]
    return run.model_copy(update={"results": tuple(results)})


def values(path):
    return {result.family: result.estimate.value for result in read_baseline(path).run.results}


@pytest.fixture
def first():
    return wrap([drop("deep", family, 0.3) for family in FAMILIES])


@pytest.fixture
def written(folder, first, capsys):
    """A folder with a run and a baseline of it."""
    (folder / "run.json").write_text(as_json(first), encoding="utf-8")
    assert main(["baseline", "update"]) == 0
    capsys.readouterr()
    return folder


def test_update_writes_a_baseline_of_the_last_run_and_says_so(folder, first, capsys):
    (folder / "run.json").write_text(as_json(first), encoding="utf-8")

    assert main(["baseline", "update"]) == 0
    counts, last = capsys.readouterr().out.splitlines()
    assert counts == "3 checks: 3 added, 0 replaced, 0 kept, 0 removed"
    assert last.startswith(f"{FILE} written: ")
    assert set(values(folder / FILE)) == set(FAMILIES)


def test_update_keeps_the_better_numbers_unless_losses_are_accepted(written, first, capsys):
    before = values(written / FILE)
    (written / "run.json").write_text(as_json(shifted(first, 0.4)), encoding="utf-8")

    assert main(["baseline", "update"]) == 0
    out = capsys.readouterr().out
    assert "3 checks: 0 added, 0 replaced, 3 kept, 0 removed\n" in out
    assert "1 check changed for the worse; --accept stores that too\n" in out
    assert values(written / FILE) == before

    assert main(["baseline", "update", "--accept"]) == 0
    out = capsys.readouterr().out
    assert "3 checks: 0 added, 1 replaced, 2 kept, 0 removed\n" in out
    assert "worse" not in out
    assert values(written / FILE)["visual"] == pytest.approx(before["visual"] + 0.4)


@pytest.mark.parametrize("part", ["check", "id", "beginning"])
def test_update_takes_only_the_checks_that_are_named(written, first, part, capsys):
    before = values(written / FILE)
    later = shifted(shifted(first, 0.4), 0.4, "intrude")
    (written / "run.json").write_text(as_json(later), encoding="utf-8")
    visual = next(result for result in first.results if result.family == "visual")
    name = {
        "check": visual.check,
        "id": visual.id,
        "beginning": visual.id.rpartition("::")[0],
    }[part]

    assert main(["baseline", "update", "--accept", "--only", name]) == 0
    assert values(written / FILE)["visual"] == pytest.approx(before["visual"] + 0.4)
    alone = len({result.check for result in first.results}) > 1 or part == "id"
    assert (values(written / FILE)["intrude"] == before["intrude"]) is alone


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        pytest.param(
            ("update", "--only", "correlation survives nois"), "did you mean", id="a wrong name"
        ),
        pytest.param(("update", "new.json"), "new.json: no such file; pytest --shake", id="run"),
        pytest.param(("show", "x.jsonl"), "x.jsonl: no such file; shakeproof base", id="baseline"),
        pytest.param(("diff", "x.jsonl"), "x.jsonl: no such file; shakeproof base", id="diff"),
    ],
)
def test_mistakes_are_one_line_with_the_way_out(written, capsys, arguments, message):
    assert main(["baseline", *arguments]) == 2
    err = capsys.readouterr().err
    assert message in err
    assert err.count("\n") == 1


def test_show_lists_every_check_with_its_number(written, first, capsys):
    assert main(["baseline", "show"]) == 0
    header, *rows, last = capsys.readouterr().out.splitlines()
    assert header.split() == ["estimate", "interval", "segments", "outcome", "check"]
    assert sum(not row.startswith(" ") for row in rows) == 3
    assert last.startswith(f"{FILE}: 3 checks, ")


def test_diff_is_what_compare_prints_without_its_page(written, first, capsys, written_files):
    (written / "run.json").write_text(as_json(shifted(first, 0.4)), encoding="utf-8")

    assert main(["baseline", "diff"]) == 0
    diff = capsys.readouterr().out
    assert "comparison.html" not in written_files()
    assert main(["compare", FILE, "run.json"]) == 0
    *compared, page = capsys.readouterr().out.splitlines()
    assert diff.splitlines() == compared
    assert page.endswith("comparison.html")
    assert "old: a baseline · new: " in (written / "comparison.html").read_text(encoding="utf-8")


def test_diff_writes_markdown_with_the_worst_first(written, first, capsys):
    later = shifted(shifted(first, 0.4), -0.6, "intrude")
    (written / "run.json").write_text(as_json(later), encoding="utf-8")

    assert main(["baseline", "diff", "--markdown", "c.md", "--since", "main"]) == 0
    text = (written / "c.md").read_text(encoding="utf-8")
    rows = [line for line in text.splitlines() if line.startswith("| ")][2:]
    assert "Compared with main." in text
    assert "**regression**" in rows[0]
    assert "visual 0.3" in rows[0]
    assert "+0.400 [+0." in rows[0].replace("\\", "")
    assert "better" in rows[1]
    assert len(rows) == 2


def test_diff_lists_no_more_than_asked(written, first, capsys):
    later = shifted(shifted(first, 0.4), -0.6, "intrude")
    (written / "run.json").write_text(as_json(later), encoding="utf-8")

    assert main(["baseline", "diff", "--markdown", "c.md", "--at-most", "1"]) == 0
    assert "1 more; --at-most lists more of them\n" in capsys.readouterr().out
    assert "1 more check changed" in (written / "c.md").read_text(encoding="utf-8")
