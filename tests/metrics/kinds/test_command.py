import sys

import numpy as np
import pytest
from pydantic import ValidationError

from shakeproof.metrics.engine.cache import Cache
from shakeproof.metrics.engine.engine import Engine
from shakeproof.metrics.kinds import command
from shakeproof.metrics.kinds.command import CommandOptions
from shakeproof.metrics.protocols import Instance
from shakeproof.metrics.settings import Settings

PROGRAM = """
import json, os, sys
for line in sys.stdin:
    items = json.loads(line)
    print(json.dumps([len(i["candidate"]) + 10 * len(i["references"]) + 100 * (i["source"] is None)
                      for i in items]), flush=True)
"""


def build(folder, program, **options):
    (folder / "rate.py").write_text(program)
    options = CommandOptions(run=[sys.executable, "rate.py"], version="1", **options)
    return options.build({}, Settings(folder=folder))


def errors_of(metric, instance):
    with Cache() as cache:
        return list(Engine(cache).fill([[(metric, instance)]]).values())


def test_a_program_rates_items_with_references_and_source(tmp_path):
    metric = build(tmp_path, PROGRAM, requires=["references", "source"])
    instances = [Instance("ab", ("r", "s"), "x"), Instance("é🙂\u2028", ("r",))]
    with Cache() as cache:
        engine = Engine(cache)
        errors = engine.fill([[(metric, instance) for instance in instances]])

        assert errors == {}
        assert engine.read(metric, instances).tolist() == [22.0, 113.0]
    assert metric.requires == {"references", "source"}


def test_the_program_is_started_once_for_all_blocks(tmp_path):
    program = "import os\n" + PROGRAM.replace('len(i["candidate"])', "os.getpid()")
    metric = build(tmp_path, program)
    instances = [Instance(name, ("r",), "s") for name in "abc"]
    with Cache() as cache:
        engine = Engine(cache, block_characters=1)
        engine.fill([[(metric, instance)] for instance in instances])

        assert len(set(engine.read(metric, instances))) == 1


def test_a_long_batch_does_not_block_the_pipes(tmp_path):
    metric = build(tmp_path, PROGRAM)
    instances = [Instance("x" * 1_000 + str(n), ("r",), "s") for n in range(3_000)]
    with Cache() as cache:
        engine = Engine(cache, block_characters=10**9)
        engine.fill([[(metric, instance)] for instance in instances])

        assert engine.read(metric, instances[:1]).tolist() == [1011.0]


def test_a_program_that_ends_is_reported_with_its_last_error_line(tmp_path):
    metric = build(tmp_path, "raise SystemExit('no such model')")

    (error,) = errors_of(metric, Instance("a", ("b",)))
    assert error == "the process ended with exit code 1: no such model"


@pytest.mark.parametrize("answer", ["hello", "3", '{"a": 1}', "<html>"])
def test_an_answer_that_is_no_list_is_shown(tmp_path, answer):
    metric = build(tmp_path, f"input()\nprint({answer!r}, flush=True)\ninput()")

    (error,) = errors_of(metric, Instance("a", ("b",)))
    assert error == f"the answer is no JSON list of numbers: {answer!r}"


@pytest.mark.parametrize(
    ("answer", "shown"), [("[null]", "None"), ('["0.5"]', "'0.5'"), ("[true]", "True")]
)
def test_an_entry_of_the_answer_that_is_no_number_is_shown(tmp_path, answer, shown):
    metric = build(tmp_path, f"input()\nprint({answer!r}, flush=True)\ninput()")

    (error,) = errors_of(metric, Instance("a", ("b",)))
    assert error == f"returned no number: {shown}"


def test_a_program_that_prints_something_else_first_is_not_out_of_step(tmp_path):
    """The first line is a wrong answer; the real one must not be taken for the next batch's."""
    metric = build(tmp_path, "print('loading', flush=True)\n" + PROGRAM)
    (error,) = errors_of(metric, Instance("a", ("b",)))

    assert error == "the answer is no JSON list of numbers: 'loading'"


def test_an_answer_without_end_is_cut_off(tmp_path, monkeypatch):
    monkeypatch.setattr(command, "MAX_ANSWER", 10_000)
    program = "import sys\ninput()\nwhile True: sys.stdout.write('1' * 10_000)"
    metric = build(tmp_path, program)

    (error,) = errors_of(metric, Instance("a", ("b",)))
    assert error == "the answer has more than 11,000 bytes without a line end"


def test_a_program_that_hangs_is_ended(tmp_path):
    metric = build(tmp_path, "import time\ntime.sleep(600)", timeout=0.2)

    (error,) = errors_of(metric, Instance("a", ("b",)))
    assert error == "no answer within 0.2 s; raise timeout: if it needs longer"


DIES = PROGRAM.replace(
    "items = json.loads(line)",
    "items = json.loads(line)\n    if any('poison' in i['candidate'] for i in items): sys.exit(7)",
)


def test_a_text_that_ends_the_program_is_missing_and_the_others_are_rated(tmp_path):
    metric = build(tmp_path, DIES)
    instances = [Instance(text, ("r",), "s") for text in ["a", "bb", "poison", "dddd"] * 3]
    with Cache() as cache:
        engine = Engine(cache)
        errors = engine.fill([[(metric, instance)] for instance in instances])
        scores = engine.read(metric, instances).tolist()

        assert errors == {}
        np.testing.assert_equal(scores, [11, 12, np.nan, 14] * 3)
        failure = engine.failure(metric, instances[2])
        assert failure.reason == "the process ended with exit code 7: it wrote no error message"


def test_a_missing_program_is_reported_before_anything_is_scored(tmp_path):
    with pytest.raises(ValueError, match=r"no program '\./nowhere' beside the checklist"):
        CommandOptions(run=["./nowhere"], version="1").build({}, Settings(folder=tmp_path))


def test_a_version_must_be_given():
    with pytest.raises(ValidationError, match="version"):
        CommandOptions(run=["python3"])
