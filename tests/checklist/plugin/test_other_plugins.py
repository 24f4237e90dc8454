"""The plugin together with other plugins: sugar, html, randomly, rerunfailures."""


def test_other_plugins_show_one_result_for_each_check(project_with_plugins):
    project = project_with_plugins
    project.write()
    result = project.runpytest(
        "--force-sugar",
        "--html=page.html",
        "--self-contained-html",
        "--shakeproof-json=run.json",
        "-p",
        "no:randomly",
    )
    run = project.read_json()
    page = (project.path / "page.html").read_text(encoding="utf-8")

    assert [result["outcome"] for result in run["results"]] == ["failed", "passed"]
    assert result.outlines[-1] == "shakeproof: 2 checks: 1 passed, 1 failed, 0 undecided"
    result.stdout.fnmatch_lines(["*1 passed*", "*1 failed*"])
    assert "capitals do not matter" in page
    assert "change 1.0" in page


def test_reruns_html_and_a_random_order_together_count_each_check_once(project_with_plugins):
    project = project_with_plugins
    project.write()
    result = project.runpytest("--reruns=1", "--html=page.html", "--randomly-seed=5")

    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(["Using --randomly-seed=5", "*1 rerun*"])
    assert result.outlines[-1] == "shakeproof: 2 checks: 1 passed, 1 failed, 0 undecided"


def test_undecided_and_known_failures_look_like_skips_and_xfails(project_with_plugins):
    known = "    known_failure: {metrics: [cased], reason: it compares letters}\n"
    project = project_with_plugins
    project.write(project.capitals + known)
    decided = project.runpytest("--force-sugar", "-p", "no:randomly")
    undecided = project.runpytest("--force-sugar", "--shakeproof-limit=10")

    decided.stdout.fnmatch_lines(["*1 passed", "*1 xfailed"])
    undecided.stdout.fnmatch_lines(["*2 skipped"])
