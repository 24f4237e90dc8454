"""What a judge on a real server costs: in plan, terminal, run.json and page."""

import json
from itertools import count

import pytest

pytest.importorskip("aiohttp", reason="the extra `judges` is not installed")

from server import score_reply, scripted_server

from shakeproof.cli.main import main

JUDGE = """\
checklist: a judge
data: data.jsonl
language: en
metrics:
  judge:
    judge:
      endpoint: ${JUDGE_URL}
      model: big
      prompt: fluency
      repeats: 2
      budget: {calls: BUDGET}
      price: {input: 10, output: 100}
  chrf: {chrf: {}}
checks:
  - check: flattery earns nothing
    perturb: {flattery: {on: candidate}}
    expect: {score_rise: {at_most: 0.25}}
  - check: the same answer twice
    metrics: [judge]
    expect: {stable: {at_most: 0.5}}
"""
SECRET = "sk-very-secret"


@pytest.fixture
def judged(project, monkeypatch):
    """A project with a checklist for a judge that answers 1, 2, 3 … 5, 1, 2 … in turn."""
    turn = count()
    with scripted_server(lambda _: score_reply(1 + next(turn) % 5, model="big-7")) as server:
        monkeypatch.setenv("JUDGE_URL", server.url)
        monkeypatch.setenv("JUDGE_KEY", SECRET)
        monkeypatch.chdir(project.path)
        project.write(JUDGE.replace("BUDGET", "100000"), name="judge")
        yield project, server


def run(project, *options):
    return project.runpytest("--shakeproof-json=run.json", "-p", "no:cacheprovider", *options)


def read(project, name):
    return (project.path / name).read_text("utf-8")


def usage(project):
    judge, other = json.loads(read(project, "run.json"))["checklists"][0]["metrics"]
    assert other["usage"] is None
    return judge["usage"]


def calls(project, where):
    return [answer[where]["calls"] for answer in usage(project)["answers"]]


def test_the_plan_counts_the_calls_that_the_run_makes(judged, capsys):
    """A failed check does not ask for more, as the search for fewer edits would."""
    project, server = judged
    main(["plan", "judge.checklist.yaml"])
    before = capsys.readouterr().out
    result = run(project)
    main(["plan", "judge.checklist.yaml"])
    after = capsys.readouterr().out
    tokens, money = server.answered * 110, server.answered * (100 * 10 + 10 * 100) / 1e6
    cost = f"{server.answered:,} calls, {tokens:,} tokens, {money:.2f} at the given prices"

    assert f"judge: {server.answered:,} calls to make, about " in before
    assert "the budget suffices" in before
    assert "judge: no calls to make, all answers are in the cache" in after
    result.stdout.fnmatch_lines(
        ["*the same answer twice*failed*", f"judge: {cost}; answered by big-7"]
    )


def test_a_second_run_asks_nothing_and_knows_what_the_answers_cost(judged):
    project, server = judged
    run(project)
    first, asked = calls(project, "run"), server.answered
    second = run(project, "--shakeproof-report=report.html")
    page, record = (read(project, name) for name in ("report.html", "run.json"))

    assert sum(first) == asked == server.answered
    assert calls(project, "run") == [0, 0]
    assert calls(project, "cached") == first
    second.stdout.fnmatch_lines([f"judge: no new calls, {asked:,} answers in the cache; *"])
    assert "<td>big</td><td>big-7</td>" in page
    assert SECRET not in page + record + second.stdout.str()


def test_processes_of_xdist_count_each_call_once(judged):
    pytest.importorskip("xdist")
    project, server = judged
    run(project, "-n2", "-p", "no:hypothesispytest", "-p", "no:anyio")

    assert sum(calls(project, "run")) == sum(calls(project, "cached")) == server.answered


def test_a_spent_budget_is_announced_and_what_it_bought_is_counted(judged, capsys):
    project, server = judged
    project.write(JUDGE.replace("BUDGET", "50"), name="judge")
    main(["plan", "judge.checklist.yaml"])
    result = run(project)

    assert "; the budget of 50 calls is not enough" in capsys.readouterr().out
    assert server.answered == sum(calls(project, "run")) == 50
    result.stdout.fnmatch_lines(["judge: 50 calls, 5,500 tokens, *"])
