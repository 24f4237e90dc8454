"""run.json files of others, also damaged ones: a run, or one line that says why not."""

import base64
import json
import zlib
from copy import deepcopy
from pathlib import Path
from random import Random

import pytest

from shakeproof.errors import SpecError
from shakeproof.runs.archive import read_run
from shakeproof.runs.compare import compare_runs

ARCHIVE = Path(__file__).parents[2] / "reports" / "archive"
FILES = sorted(ARCHIVE.glob("run-*.json"))
ODD = (
    *(None, True, -1, 2**70, 1e308, float("inf"), float("nan"), [], {}, [[]], {"a": 1}),
    *("", "x" * 5000, "é\0\x1b[31m\ud800", "eJw=", "AAAA", "\u202e"),
)
BOMB = base64.b64encode(zlib.compress(bytes(70_000_000))).decode()


def places(value, path=()):
    entries = value.items() if isinstance(value, dict) else enumerate(value)
    for key, inner in entries:
        yield (*path, key)
        if isinstance(inner, dict | list):
            yield from places(inner, (*path, key))


def changed(content, path, value):
    copy = deepcopy(content)
    around = copy
    for step in path[:-1]:
        around = around[step]
    around[path[-1]] = value
    return copy


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_a_mutated_run_is_read_and_compared_or_refused_in_a_line(file, tmp_path):
    rng, content, intact = Random(file.name), json.loads(file.read_text("utf-8")), read_run(file)
    everywhere = list(places(content))
    influences = [path for path in everywhere if path[-1] == "influence"]
    path, messages = tmp_path / "run.json", []
    for place in [*rng.sample(everywhere, 60), *rng.choices(influences, k=20)]:
        path.write_text(json.dumps(changed(content, place, rng.choice(ODD))), "utf-8")
        try:
            compare_runs(intact, read_run(path))
        except SpecError as error:
            messages.append(str(error))

    assert messages
    assert all(message.isprintable() and len(message) < 1000 for message in messages)


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_a_run_with_a_damaged_byte_is_read_or_refused_in_a_line(file, tmp_path):
    rng, content = Random(file.name), file.read_bytes()
    path, messages = tmp_path / "run.json", []
    for _ in range(60):
        position = rng.randrange(len(content))
        damaged = content[:position] + bytes([rng.randrange(256)]) + content[position + 1 :]
        path.write_bytes(rng.choice([damaged, content[:position]]))
        try:
            read_run(path)
        except SpecError as error:
            messages.append(str(error))

    assert messages
    assert all(message.isprintable() for message in messages)


@pytest.mark.parametrize(
    "influence",
    [
        pytest.param("é", id="not ASCII"),
        pytest.param("eJw=", id="incomplete"),
        pytest.param("AAAA", id="not compressed"),
        pytest.param(base64.b64encode(zlib.compress(b"abc")).decode(), id="not float32"),
        pytest.param(BOMB, id="millions of zeros"),
    ],
)
def test_influences_that_cannot_be_read_are_refused(influence, tmp_path):
    content = json.loads(FILES[-1].read_text("utf-8"))
    content["results"][1]["influence"] = influence
    path = tmp_path / "run.json"
    path.write_text(json.dumps(content), "utf-8")

    with pytest.raises(SpecError, match=r"not a run: results\.1\.influence: "):
        read_run(path)


def test_a_number_of_thousands_of_digits_is_refused(tmp_path):
    path = tmp_path / "run.json"
    path.write_text('{"schema_version": %s}' % ("1" * 5000), "utf-8")

    with pytest.raises(SpecError, match="a number is too long"):
        read_run(path)
