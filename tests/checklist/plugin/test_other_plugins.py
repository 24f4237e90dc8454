"""The plugin beside others that people run: sugar, html, randomly, and what they add."""

import json


def test_other_plugins_show_one_result_for_each_check(beside):
    beside.write()
    result = beside.runpytest(
        "--force-sugar",
        "--html=page.html",
        "--self-contained-html",
        "--shakeproof-json=run.json",
        "-p",
        "no:randomly",
    )
    run = json.loads((beside.path / "run.json").read_text(encoding="utf-8"))
    page = (beside.path / "page.html").read_text(encoding="utf-8")

    assert [one["outcome"] for one in run["results"]] == ["failed", "passed"]
    assert result.outlines[-1] == "shakeproof: 2 checks: 1 passed, 1 failed, 0 undecided"
    result.stdout.fnmatch_lines(["*1 passed*", "*1 failed*"])
    assert "capitals do not matter" in page
    assert "change 1.0" in page


def test_reruns_and_html_and_an_order_of_its_own_together_count_each_check_once(beside):
    beside.write()
    result = beside.runpytest("--reruns=1", "--html=page.html", "--randomly-seed=5")

    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(["Using --randomly-seed=5", "*1 rerun*"])
    assert result.outlines[-1] == "shakeproof: 2 checks: 1 passed, 1 failed, 0 undecided"


def test_undecided_and_known_failures_look_like_skips_and_xfails_there(beside):
    known = "    known_failure: {metrics: [cased], reason: it compares letters}\n"
    beside.write(beside.capitals + known)
    decided = beside.runpytest("--force-sugar", "-p", "no:randomly")
    undecided = beside.runpytest("--force-sugar", "--shakeproof-limit=10")

    decided.stdout.fnmatch_lines(["*1 passed", "*1 xfailed"])
    undecided.stdout.fnmatch_lines(["*2 skipped"])
