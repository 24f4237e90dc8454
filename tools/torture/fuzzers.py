"""Files with mutations: each is read, or refused in lines; nothing raises another error."""

from __future__ import annotations

import json
import signal
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any, TypeAlias

from shakeproof.data.loading import parse_data
from shakeproof.errors import SpecError
from shakeproof.reports import render
from shakeproof.runs.archive import read_run
from shakeproof.spec.read import parse
from torture.campaign import Report, Setting

ROOT = Path(__file__).parents[2]
SECONDS = 20  # for one file
LINE = 2000  # characters of a message
Reader: TypeAlias = Callable[[bytes], object]

ODD_VALUES: tuple[Any, ...] = (
    *(None, True, 0, -1, 1e308, float("nan"), float("inf"), 10**400, 2**63, "", [], {}),
    *("\x00", "\x1b[31m", "\ud800", "\u202e", "x" * 10_000, "../../etc/passwd", "=1+1", "{{7*7}}"),
    *([[]], [None] * 200, {"": {}}, {"a": {"b": {"c": []}}}, "<script>alert(1)</script>"),
)
ODD_BYTES = (
    b"\0",
    b"\xff",
    b"\xed\xa0\x80",
    b"\n\n",
    b"\t",
    b": ",
    b"- ",
    b"{",
    b"]",
    b"*a",
    b"&a ",
)


def fuzzers(setting: Setting) -> Report:
    """Read mutated checklists, data files and run.json files until the time is over."""
    readers: dict[str, tuple[Reader, list[bytes]]] = {
        "checklists": (_read_checklist, _files("checklist/samples", "*.checklist.yaml")),
        "data files": (_read_data, [_some_data()]),
        "run.json": (_read_and_render, _files("tests/reports/archive", "*.json")),
    }
    counts = dict.fromkeys(readers, 0)
    broken: list[str] = []
    slowest = 0.0
    warnings.simplefilter("ignore")
    while setting.in_time and len(broken) < 20:
        for name, (read, contents) in readers.items():
            times = 1 if name == "run.json" else 10  # a page takes longer than a checklist
            for _ in range(times):
                content = mutated(setting.rng.choice(contents), setting.rng)
                start = time.monotonic()
                if problem := _problem(read, content):
                    path = setting.folder / f"broken-{len(broken)}"
                    path.write_bytes(content)
                    broken.append(f"{name}: {problem}: {path}")
                slowest = max(slowest, time.monotonic() - start)
                counts[name] += 1
    files = ", ".join(f"{number:,} {name}" for name, number in counts.items())
    return Report(f"mutated {files}: {len(broken)} tracebacks, slowest {slowest:.1f} s", (*broken,))


def _files(folder: str, pattern: str) -> list[bytes]:
    return [path.read_bytes() for path in sorted((ROOT / folder).glob(pattern))]


def _some_data() -> bytes:
    lines = (ROOT / "checklist/samples/sample.jsonl").read_bytes().splitlines(keepends=True)
    return b"".join(lines[:5])


def mutated(content: bytes, rng: Random) -> bytes:
    """Change bytes, or a value anywhere in the file if it is JSON."""
    if rng.random() < 0.6:
        try:
            return _with_odd_value(content, rng)
        except (ValueError, RecursionError):
            pass  # YAML, which is mutated as text
    for _ in range(rng.randint(1, 3)):
        start = rng.randrange(len(content) + 1)
        end = start + rng.choice((0, 0, 1, 3, 40))
        content = content[:start] + rng.choice((b"", *ODD_BYTES)) + content[end:]
    return content


def _with_odd_value(content: bytes, rng: Random) -> bytes:
    """Replace a value in a JSON document, or in one line of JSON Lines."""
    lines = content.splitlines() if content.count(b"\n{") else [content]
    position = rng.randrange(len(lines))
    value = json.loads(lines[position])
    places = list(_places(value))
    for _ in range(rng.randint(1, 2)):
        container, key = rng.choice(places)
        if isinstance(container, dict) and rng.random() < 0.2:
            container.pop(key, None)
        else:
            container[key] = rng.choice(ODD_VALUES)
    lines[position] = json.dumps(value).encode()
    return b"\n".join(lines)


def _places(value: Any) -> Iterator[tuple[Any, Any]]:  # noqa: ANN401  # any JSON
    entries = value.items() if isinstance(value, dict) else enumerate(value)
    for key, inner in list(entries):
        yield value, key
        if isinstance(inner, dict | list):
            yield from _places(inner)


def _problem(read: Reader, content: bytes) -> str:
    """Return what is wrong with how a file is read; "" if it is read, or refused in lines."""
    try:
        with _time_limit():
            read(content)
    except SpecError as error:
        lines = str(error).splitlines()
        long = any(len(line) > LINE for line in lines)
        odd = any(not char.isprintable() for line in lines for char in line)
        return "a message with control characters or of great length" if long or odd else ""
    except Exception as error:  # this is what the campaign looks for
        return f"{type(error).__name__}: {str(error)[:100]!r}"
    return ""


@contextmanager
def _time_limit() -> Iterator[None]:
    def stop(*_: object) -> None:
        raise TimeoutError(f"more than {SECONDS} s")

    before = signal.signal(signal.SIGALRM, stop)
    signal.alarm(SECONDS)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def _read_checklist(content: bytes) -> object:
    path = ROOT / "checklist" / "samples" / "mutated.checklist.yaml"
    return parse(content.decode("utf-8", "replace"), path)


def _read_data(content: bytes) -> object:
    return parse_data(content, "d.jsonl", name="d")


def _read_and_render(content: bytes) -> object:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "run.json")
        path.write_bytes(content)
        return render(read_run(path))
