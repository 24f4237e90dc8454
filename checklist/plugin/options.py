"""What users can choose: one table for the command line and for pytest's ini file.

Nothing heavy is imported here, because every run of pytest reads the table.
"""

from __future__ import annotations

from argparse import ArgumentTypeError
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    import pytest

ADJUSTMENTS = ("none", "holm")
SEARCH = 200  # scores that a search for the fewest edits may cost, for each item


def positive(text: str) -> int:
    """Read a whole number above 0."""
    if not text.isdecimal() or int(text) == 0:
        raise ArgumentTypeError(f"{text!r} is not a whole number above 0")
    return int(text)


def whole(text: str) -> int:
    """Read a whole number, 0 included."""
    if not text.isdecimal():
        raise ArgumentTypeError(f"{text!r} is not a whole number")
    return int(text)


def replaced(text: str) -> str:
    """Read NAME=PATH."""
    name, _, path = text.partition("=")
    if not (name and path):
        raise ArgumentTypeError(f"{text!r} is not of the form NAME=PATH")
    return text


def adjustment(text: str) -> str:
    """Read how the verdicts of a run are adjusted."""
    if text not in ADJUSTMENTS:
        raise ArgumentTypeError(f"{text!r} is not one of {', '.join(ADJUSTMENTS)}")
    return text


@dataclass(frozen=True, slots=True)
class Choice:
    """One option: `--shakeproof-NAME`, or `shakeproof_NAME` in the ini file."""

    help: str
    metavar: str = ""
    kind: Literal["string", "bool", "int", "linelist"] = "string"  # as pytest's ini files call it
    default: str | int | bool | None = None
    read: Callable[[str], Any] = str


OPTIONS = {
    "report": Choice("Write the run as one HTML page, for example report.html", "FILE"),
    "json": Choice("Write the run as JSON, such as run.json, to render or compare later", "FILE"),
    "strict": Choice(
        "Fail checks that the data cannot decide, instead of skipping them",
        kind="bool",
        default=False,
    ),
    "device": Choice(
        "Run models on this device: auto (the default), cpu, cuda, cuda:1, mps",
        "NAME",
        default="auto",
    ),
    "limit": Choice(
        "Use only the first N segments of each data set", "N", kind="int", read=positive
    ),
    "data": Choice(
        "Read PATH where a checklist says data: NAME (or names a group NAME)",
        "NAME=PATH",
        kind="linelist",
        read=replaced,
    ),
    "no-texts": Choice(
        "Keep every text of the data out of the terminal, the report and the JSON",
        kind="bool",
        default=False,
    ),
    "cache": Choice(
        "Keep scores in FILE ('none': in memory only); default .shakeproof/scores.sqlite", "FILE"
    ),
    "search": Choice(
        "Spend up to N scores on each failed check to find the fewest edits that still break it; "
        f"0: none, default {SEARCH}",
        "N",
        kind="int",
        default=SEARCH,
        read=whole,
    ),
    "adjust": Choice(
        "With 'holm', a failure that chance could bring in so many checks is undecided",
        "|".join(ADJUSTMENTS),
        default="none",
        read=adjustment,
    ),
    "baseline": Choice(
        "Fail checks that are surely worse than in FILE, a run that was stored as JSON", "FILE"
    ),
    "update-baseline": Choice(
        "Rewrite the baseline: new checks are added, others move where surely better",
        kind="bool",
        default=False,
    ),
    "offline": Choice("Never download a model", kind="bool", default=False),
}


def ini_name(name: str) -> str:
    """Name an option as the ini file does."""
    return f"shakeproof_{name.replace('-', '_')}"


def add_options(parser: pytest.Parser) -> None:
    """Make every option known to the command line and to the ini file."""
    group = parser.getgroup("shakeproof", "robustness checklists (*.checklist.yaml)")
    for name, choice in OPTIONS.items():
        how: dict[str, Any] = {"action": "store_true"}
        if choice.kind != "bool":
            action = "append" if choice.kind == "linelist" else "store"
            how = {"action": action, "type": choice.read, "metavar": choice.metavar}
        group.addoption(f"--shakeproof-{name}", default=None, help=choice.help, **how)
        parser.addini(ini_name(name), choice.help, type=choice.kind, default=None)


def chosen(config: pytest.Config, name: str) -> Any:  # noqa: ANN401 - each option has its own type
    """Give what the command line says, or else the ini file, or else the default."""
    given = config.getoption(ini_name(name))
    if given is None:
        given = _from_ini(config, name)
    return OPTIONS[name].default if given is None else given


def _from_ini(config: pytest.Config, name: str) -> Any:  # noqa: ANN401 - as above
    import pytest

    choice = OPTIONS[name]
    try:
        written = config.getini(ini_name(name))
        if written is None or isinstance(written, bool):
            return written
        if isinstance(written, list):
            return [choice.read(str(one)) for one in written]
        return choice.read(str(written))
    except (ArgumentTypeError, TypeError, ValueError, pytest.UsageError) as error:
        raise pytest.UsageError(f"{config.inipath}: {ini_name(name)}: {error}") from None


def check_choices(config: pytest.Config) -> None:
    """Refuse what cannot be, before anything is collected."""
    import pytest

    for name in OPTIONS:
        chosen(config, name)
    if chosen(config, "update-baseline") and not chosen(config, "baseline"):
        raise pytest.UsageError("--shakeproof-update-baseline needs --shakeproof-baseline=FILE")


def file_of(config: pytest.Config, name: str) -> Path | None:
    """Say where a file lies: from the working folder, or from the ini file that names it."""
    path = chosen(config, name)
    if not path:
        return None
    return _folder(config, name) / Path(path).expanduser()


def _folder(config: pytest.Config, name: str) -> Path:
    if config.getoption(ini_name(name)) is None and config.inipath is not None:
        return config.inipath.parent
    return config.invocation_params.dir


def replacements_of(config: pytest.Config) -> dict[str, str]:
    """Read which data are replaced by which."""
    return replacements(chosen(config, "data") or (), _folder(config, "data"))


def replacements(entries: Iterable[str], folder: Path) -> dict[str, str]:
    """Read NAME=PATH each; a path is looked for in `folder`, and else beside the checklist."""
    pairs = (entry.split("=", 1) for entry in entries)
    return {name: _from(folder, path) for name, path in pairs}


def _from(folder: Path, path: str) -> str:
    here = folder / Path(path).expanduser()
    return str(here) if here.is_file() else path
