"""Metrics that misbehave, all in one run: each is judged or is one error, and chrF is judged."""

import json
import os
import subprocess
import sys
from textwrap import indent

import pytest

SEGMENTS = 40  # of 3 candidates, one of which has the text that some metrics cannot rate
LEFT_OUT = "1 of 240 scores missing (0.4 %): "  # 120 candidates, clean and in capitals

RATE = "len(set(candidate.lower().split()) & set(reference.lower().split())) / 9"


def on_one_text(action):
    """Return the body of a function that does something bad for one text."""
    return f'if "poison" in candidate: {action}\nreturn {RATE}'


# Name -> body of a function of (candidate, reference), and how the check ends: "passed" with a
# reason for the one text left out, "undecided" or "error" with a part of the message.
PAIRWISE = {
    "raises_once": (on_one_text("raise KeyError('bad')"), "passed", "KeyError: 'bad'"),
    "nan_once": (on_one_text("return float('nan')"), "passed", "returned nan"),
    "inf_once": (on_one_text("return float('-inf')"), "passed", "returned -inf"),
    "none_once": (on_one_text("return None"), "passed", "returned no number: None"),
    "exits_once": (on_one_text("raise SystemExit(3)"), "passed", "SystemExit: 3"),
    "quits_once": (on_one_text("os._exit(0)"), "passed", "the process ended with exit code 0"),
    "aborts_once": (
        on_one_text("os.abort()"),
        "passed",
        "the process ended with signal 6 (SIGABRT)",
    ),
    "crashes_once": (
        on_one_text("ctypes.string_at(0)"),
        "passed",
        "the process ended with signal 11 (SIGSEGV)",
    ),
    "hangs_once": (on_one_text("time.sleep(99)"), "passed", "no answer within 3 s"),
    "nan_often": (
        f"return {RATE} if candidate.islower() else float('nan')",
        "undecided",
        "no score for 120 of 120 candidates (100.0 %, 1 % allowed): returned nan",
    ),
    "raises_often": (
        f"if candidate[0] == 'S': raise ValueError(candidate)\nreturn {RATE}",
        "undecided",
        "no score for 40 of 120 candidates (33.3 %, 1 % allowed): ValueError",
    ),
    "nan": ("return float('nan')", "error", "no finite score for any of 120 candidates: "),
    "inf": ("return float('inf')", "error", "120 candidates: returned inf"),
    "none": ("return None", "error", "returned no number: None"),
    "number_as_text": ("return '0.5'", "error", "returned no number: '0.5'"),
    "truth_value": ("return candidate == reference", "error", "returned no number: False"),
    "complex": ("return 1j", "error", "returned no number: 1j"),
    "generator": ("yield 1", "error", "returned no number: <generator"),
    "raises": ("raise RuntimeError('never')", "error", "RuntimeError: never"),
    "base": ("raise BaseException('odd')", "error", "BaseException: odd"),
    "exits": ("sys.exit(3)", "error", "SystemExit: 3"),
    "interrupts": ("raise KeyboardInterrupt", "error", "KeyboardInterrupt"),
    "memory": ("raise MemoryError", "error", "MemoryError"),
    "recursion": ("return recursion(candidate, reference)", "error", "RecursionError: "),
    "quits": ("os._exit(0)", "error", "the process ended with exit code 0"),
    "aborts": ("os.abort()", "error", "the process ended with signal 6 (SIGABRT)"),
    "hangs": ("time.sleep(99)", "error", "no answer within 3 s; raise timeout: "),
    "closes_pipes": ("os.closerange(0, 99)", "error", "the process "),
    "prints": (f"print('noise' * 99)\nreturn {RATE}", "passed", ""),
    "closes_output": (f"sys.stdout.close()\nreturn {RATE}", "passed", ""),
    "moves": (f"os.chdir('/')\nreturn {RATE}", "passed", ""),
    "starts_threads": (
        f"threading.Thread(target=time.sleep, args=(99,)).start()\nreturn {RATE}",
        "passed",
        "",
    ),
}
LISTS = {  # functions of lists: (candidates, references, sources)
    "short": ("return [0.5] * (len(candidates) - 1)", "error", "each needs one"),
    "nothing": ("return None", "error", "it must return a list"),
    "scalar": ("return 0.5", "error", "it must return a list"),
    "matrix": ("return [[0.5]] * len(candidates)", "error", "returned no number: [0.5]"),
    "dies_in_a_batch": (
        "if any('poison' in text for text in candidates): os._exit(9)\n"
        "return [len(text) for text in candidates]",
        "passed",
        "the process ended with exit code 9",
    ),
}
ANSWER = "print(json.dumps([len(i['candidate']) for i in items]), flush=True)"
PROGRAMS = {  # what a program does with each line of instances
    "dies": ("sys.exit('out of memory')", "error", "exit code 1: out of memory"),
    "dies_on_a_text": (
        f"if 'poison' in line: sys.exit(7)\n{ANSWER}",
        "passed",
        "the process ended with exit code 7",
    ),
    "garbage": ("print('<html>', flush=True)", "error", "no JSON list of numbers: '<html>'"),
    "few": ("print('[1]', flush=True)", "error", "each needs one"),
    "endless": ("while True: sys.stdout.write('1' * 99999)", "error", "without a line end"),
    "waits": ("time.sleep(99)", "error", "no answer within 3 s"),
    "binary": ("os.write(1, b'\\xff\\xfe\\n')", "error", "no JSON list of numbers"),
    "texts": ("print(json.dumps(['0.5'] * len(items)), flush=True)", "error", "number: '0.5'"),
    "noisy": (f"sys.stderr.write('x' * 99999)\n{ANSWER}", "passed", ""),
}
MODULES = {  # what a module does when it is imported
    "exits_at_import": ("sys.exit('at import')", "error", "SystemExit: at import"),
    "imports_nothing": ("import no_such_module", "error", "ModuleNotFoundError: "),
}
CASES = {**PAIRWISE, **LISTS, **PROGRAMS, **MODULES}
IMPORTS = "import ctypes, json, os, sys, threading, time\n"
CHECK = """
checks:
  - check: capitals
    perturb: {upper-case: {on: candidate}}
    expect: {score_change: {at_most: 100}}
"""


def segment(number):
    first = f"the poison number {number}" if number == 7 else f"the river number {number}"
    texts = [f"{first} opens at twelve", f"the river opens at {number}", f"somebody shut {number}"]
    reference = f"The river with number {number} opens at twelve"
    candidates = [{"text": text} for text in texts]
    return {"id": f"s{number}", "references": [reference], "candidates": candidates}


def write_modules(folder):
    """Write a module or program for each case, and return the metrics of the checklist."""
    metrics = {"chrf": "chrf: {}"}
    for name, (body, *_) in PAIRWISE.items():
        code = f"{IMPORTS}def {name}(candidate, reference):\n{indent(body, '    ')}\n"
        (folder / f"m_{name}.py").write_text(code)
        limit = ", timeout: 3" if "sleep" in body and "Thread" not in body else ""
        metrics[name] = f"python: {{function: 'm_{name}:{name}'{limit}}}"
    for name, (body, *_) in LISTS.items():
        code = f"{IMPORTS}def rate(candidates, references, sources):\n{indent(body, '    ')}\n"
        (folder / f"m_{name}.py").write_text(code)
        metrics[name] = f"python: {{function: 'm_{name}:rate', batch: true}}"
    for name, (body, *_) in MODULES.items():
        (folder / f"m_{name}.py").write_text(f"{IMPORTS}{body}\nrate = len\n")
        metrics[name] = f"python: 'm_{name}:rate'"
    for name, (body, *_) in PROGRAMS.items():
        loop = f"for line in sys.stdin:\n    items = json.loads(line)\n{indent(body, '    ')}\n"
        (folder / f"p_{name}.py").write_text(IMPORTS + loop)
        run = json.dumps([sys.executable, f"p_{name}.py"])
        limit = ", timeout: 3" if "sleep" in body else ""
        metrics[name] = f"command: {{run: {run}, version: '1'{limit}}}"
    return metrics


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """Run all misbehaving metrics in one pytest; return its exit code, output and run.json."""
    folder = tmp_path_factory.mktemp("misbehaving")
    lines = "".join(json.dumps(segment(number)) + "\n" for number in range(SEGMENTS))
    (folder / "data.jsonl").write_text(lines)
    metrics = "\n".join(f"  {name}: {{{spec}}}" for name, spec in write_modules(folder).items())
    text = f"checklist: c\ndata: data.jsonl\nlanguage: en\nmetrics:\n{metrics}{CHECK}"
    (folder / "c.checklist.yaml").write_text(text)
    command = [sys.executable, "-m", "pytest", "--shakeproof-json=run.json", "-p", "no:xdist"]
    environment = {**os.environ, "COLUMNS": "200", "PYTHONFAULTHANDLER": "0"}
    done = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, encoding="utf-8", timeout=300
    )
    return done, json.loads((folder / "run.json").read_text())


@pytest.mark.parametrize("name", CASES)
def test_a_metric_that_misbehaves_is_judged_without_some_texts_or_is_one_error(run, name):
    done, content = run
    _, outcome, reason = CASES[name]
    result = next(one for one in content["results"] if one["metric"] == name)
    (line,) = [text for text in done.stdout.splitlines() if text.startswith(f"{name}: ")] or [""]

    assert result["outcome"] == outcome
    if outcome != "passed":
        assert reason in result["message"]
    elif reason:
        assert (result["missing"]["count"], result["missing"]["of"]) == (1, 120)
        assert line.startswith(f"{name}: {LEFT_OUT}{reason}")
    else:
        assert result["missing"] is None


def test_the_metric_beside_them_is_judged(run):
    done, content = run
    (chrf,) = [one for one in content["results"] if one["metric"] == "chrf"]

    assert chrf["outcome"] == "passed"
    assert len(content["results"]) == len(CASES) + 1
    assert done.returncode != 0  # some checks are errors
    assert "INTERNALERROR" not in done.stdout
