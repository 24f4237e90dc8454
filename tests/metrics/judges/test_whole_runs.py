"""Real runs of pytest that ask a judge: killed, repeated, offline, with workers, and with a key."""

import json
import os
import signal
import subprocess
import sys
from threading import Event

import pytest
from server import Reply, prompt_of, score_reply, scripted_server, text_reply
from waiting import wait_until

pytestmark = pytest.mark.slow

KEY = "sk-hunter2-0123456789"
SEGMENTS, CONCURRENCY = 40, 8
BROKEN = 10  # the exit status of a run with a metric that does not work
QUESTIONS = 2 * 2 * SEGMENTS  # two candidates of each segment, clean and in capitals
CHECKLIST = """\
data: data.jsonl
language: en
metrics:
  judge:
    judge:
      {{endpoint: "${{JUDGE_URL}}", model: judge-1, prompt: mine.j2, concurrency: 8{more}}}
  letters: {{chrf: }}
checks:
  - check: capitals do not matter
    perturb: {{upper-case: {{on: candidate}}}}
    expect: {{score_change: {{at_most: 5}}}}
"""


@pytest.fixture
def folder(tmp_path):
    rows = [
        {
            "id": str(number),
            "references": [f"Bus {number} is late today."],
            "candidates": [{"text": f"Bus {number} is late."}, {"text": f"A bus {number} came."}],
        }
        for number in range(SEGMENTS)
    ]
    lines = "".join(f"{json.dumps(row)}\n" for row in rows)
    (tmp_path / "data.jsonl").write_text(lines, "utf-8")
    (tmp_path / "mine.j2").write_text("Rate this: {{ candidate }}", "utf-8")
    write_checklist(tmp_path)
    return tmp_path


def write_checklist(folder, more=""):
    (folder / "bus.checklist.yaml").write_text(CHECKLIST.format(more=more), "utf-8")


def start(folder, url, *options):
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "bus.checklist.yaml"]
    return subprocess.Popen(
        [*command, *options],
        cwd=folder,
        env={**os.environ, "JUDGE_URL": url, "JUDGE_KEY": KEY},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


def run(folder, url, *options):
    process = start(folder, url, *options)
    output, _ = process.communicate(timeout=300)
    return process.returncode, output


def rate(request, **how):
    """Rate by the length of the prompt, so that candidates differ."""
    return score_reply(1 + len(prompt_of(request)) % 5, **how)


@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGKILL], ids=["Ctrl-C", "SIGKILL"])
def test_a_run_that_is_killed_loses_at_most_what_was_under_way(folder, sent):
    killed = Event()

    def answer(request):
        hang = server.answered >= QUESTIONS // 3 and not killed.is_set()
        return Reply(hang=True) if hang else rate(request, delay=0.02)

    with scripted_server(answer) as server:
        process = start(folder, server.url)
        wait_until(lambda: server.answered >= QUESTIONS // 3)
        process.send_signal(sent)
        ended, _ = process.communicate(timeout=300)
        killed_at = server.answered
        killed.set()
        code, output = run(folder, server.url)

    assert QUESTIONS // 3 <= killed_at < QUESTIONS
    assert "Error" not in ended
    assert code == 0, output
    assert server.answered <= QUESTIONS + CONCURRENCY


@pytest.mark.parametrize(
    "options",
    [
        pytest.param(("--shakeproof-workers", "2"), id="workers"),
        pytest.param(("-n", "2"), id="xdist"),
    ],
)
def test_one_process_asks_and_nothing_is_asked_twice(folder, options):
    if options[0] == "-n":
        pytest.importorskip("xdist")
    with scripted_server(rate) as server:
        code, output = run(folder, server.url, *options)

    assert code == 0, output
    assert len(server.requests) == QUESTIONS


def test_a_budget_holds_for_all_processes_of_a_run(folder):
    pytest.importorskip("xdist")
    write_checklist(folder, ", repeats: 2, budget: {calls: 50}")
    with scripted_server(rate) as server:
        code, output = run(folder, server.url, "-n", "2")

    assert len(server.requests) == 50
    assert code == BROKEN
    assert "the budget of 50 calls is spent" in output


def test_an_offline_run_needs_no_server_if_all_answers_are_known(folder):
    with scripted_server(rate) as server:
        code, output = run(folder, server.url)
    offline = run(folder, server.url, "--shakeproof-offline")
    (folder / ".shakeproof" / "scores.sqlite").unlink()
    empty = run(folder, server.url, "--shakeproof-offline")

    assert code == offline[0] == 0, output
    assert empty[0] == BROKEN
    assert "an offline run asks no judge" in empty[1]
    assert "Traceback" not in empty[1]


def outputs(folder, output):
    """Return the content of everything that a run wrote, by name."""
    files = [path for path in folder.rglob("*") if path.is_file()]
    return {"terminal": output.encode(), **{path.name: path.read_bytes() for path in files}}


WRITTEN = (
    "-vv",
    "--shakeproof-json=run.json",
    "--shakeproof-report=report.html",
    "--junitxml=junit.xml",
    "--log-file=debug.log",
    "--log-file-level=DEBUG",
    "-o",
    "junit_logging=all",
)


def repeats_the_key(request):
    """Quote the key and the text wherever a server can."""
    text = prompt_of(request)
    if "Bus 3 " in text:
        return Reply({"error": {"message": f"{KEY} WHISPER"}}, status=400)
    if "Bus 4 " in text:
        return text_reply(f"{KEY} WHISPER")
    if "Bus 5 " in text:
        return rate(request, model=f"WHISPER {KEY}")
    return rate(request, model="judge-1")


def test_the_key_is_in_nothing_that_a_run_writes(folder):
    write_checklist(folder, ", attempts: 1")
    with scripted_server(repeats_the_key) as server:
        _, output = run(folder, server.url, *WRITTEN)
    written = outputs(folder, output)

    assert {"run.json", "report.html", "junit.xml", "debug.log", "scores.sqlite"} <= written.keys()
    assert {headers["authorization"] for headers in server.headers} == {f"Bearer {KEY}"}
    assert [name for name, content in written.items() if KEY.encode() in content] == []
    assert b"[key]" in written["run.json"]


def test_a_refused_key_is_in_nothing_that_a_run_writes(folder):
    reply = Reply({"error": {"message": f"wrong key {KEY}"}}, status=401)
    with scripted_server(lambda _: reply) as server:
        code, output = run(folder, server.url, *WRITTEN)
    written = outputs(folder, output)

    assert code == BROKEN
    assert "check the key in JUDGE_KEY" in output
    assert len(server.requests) == 1
    assert [name for name, content in written.items() if KEY.encode() in content] == []


def test_without_texts_nothing_that_the_server_said_is_shown(folder):
    write_checklist(folder, ", attempts: 1")
    with scripted_server(repeats_the_key) as server:
        _, output = run(folder, server.url, *WRITTEN, "--shakeproof-no-texts")
    written = outputs(folder, output)
    quoting = {name for name, content in written.items() if b"WHISPER" in content}

    assert quoting <= {"scores.sqlite", "scores.sqlite-wal"}  # which count usage by model
    assert b"the server refuses the question (HTTP 400)" in written["run.json"]


def test_an_address_that_is_not_set_is_a_mistake_with_its_line(folder):
    environment = {name: value for name, value in os.environ.items() if name != "JUDGE_URL"}
    command = [sys.executable, "-m", "pytest", "bus.checklist.yaml"]
    ended = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, check=False
    )

    assert "bus.checklist.yaml:6:" in ended.stdout
    assert "the environment variable JUDGE_URL is not set" in ended.stdout
