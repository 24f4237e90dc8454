"""The options of the plugin: one table for the command line and for pytest's ini file.

Nothing heavy is imported here, because every run of pytest reads the table.
"""

from __future__ import annotations

from argparse import ArgumentTypeError
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from shakeproof.runs.arguments import (
    ADJUSTMENTS,
    adjustment,
    positive,
    replacement,
    split_replacement,
    whole,
)
from shakeproof.runs.config import DEFAULT_CACHE, SEARCH_BUDGET, RunConfig

if TYPE_CHECKING:
    import pytest

IN_MEMORY = "none"


@dataclass(frozen=True, slots=True)
class Option:
    """One option: `--shakeproof-NAME`, or `shakeproof_NAME` in the ini file."""

    help: str
    metavar: str = ""
    kind: Literal["string", "bool", "int", "linelist"] = "string"  # as pytest's ini files call it
    default: str | int | bool | None = None
    read: Callable[[str], Any] = str


OPTIONS = {
    "report": Option("Write the run as one HTML page, for example report.html", "FILE"),
    "json": Option("Write the run as JSON, such as run.json, to render or compare later", "FILE"),
    "strict": Option(
        "Fail checks that the data cannot decide, instead of skipping them",
        kind="bool",
        default=False,
    ),
    "device": Option(
        "Run models on this device: auto (the default), cpu, cuda, cuda:1, mps",
        "NAME",
        default="auto",
    ),
    "limit": Option(
        "Use only the first N segments of each data set", "N", kind="int", read=positive
    ),
    "data": Option(
        "Read PATH where a checklist says data: NAME (or names a group NAME)",
        "NAME=PATH",
        kind="linelist",
        read=replacement,
    ),
    "no-texts": Option(
        "Keep every text of the data out of the terminal, the report and the JSON",
        kind="bool",
        default=False,
    ),
    "cache": Option(
        "Keep scores in FILE ('none': in memory only); default .shakeproof/scores.sqlite", "FILE"
    ),
    "search": Option(
        "Spend up to N scores on each failed check to find the fewest edits that still break it; "
        f"0: none, default {SEARCH_BUDGET}",
        "N",
        kind="int",
        default=SEARCH_BUDGET,
        read=whole,
    ),
    "adjust": Option(
        "With 'holm', a failure that chance could bring in so many checks is undecided",
        "|".join(ADJUSTMENTS),
        default="none",
        read=adjustment,
    ),
    "baseline": Option(
        "Fail checks that are surely worse than in FILE, a run that was stored as JSON", "FILE"
    ),
    "update-baseline": Option(
        "Rewrite the baseline: new checks are added, others move where surely better",
        kind="bool",
        default=False,
    ),
    "offline": Option("Never download a model", kind="bool", default=False),
}


def ini_name(name: str) -> str:
    """Return the name of an option in the ini file."""
    return f"shakeproof_{name.replace('-', '_')}"


def add_options(parser: pytest.Parser) -> None:
    """Add every option to the command line and to the ini file."""
    group = parser.getgroup("shakeproof", "robustness checklists (*.checklist.yaml)")
    for name, option in OPTIONS.items():
        how: dict[str, Any] = {"action": "store_true"}
        if option.kind != "bool":
            action = "append" if option.kind == "linelist" else "store"
            how = {"action": action, "type": option.read, "metavar": option.metavar}
        group.addoption(f"--shakeproof-{name}", default=None, help=option.help, **how)
        parser.addini(ini_name(name), option.help, type=option.kind, default=None)


def chosen(config: pytest.Config, name: str) -> Any:  # noqa: ANN401 - each option has its own type
    """Return the value on the command line, or else in the ini file, or else the default."""
    given = config.getoption(ini_name(name))
    if given is None:
        given = _from_ini(config, name)
    return OPTIONS[name].default if given is None else given


def _from_ini(config: pytest.Config, name: str) -> Any:  # noqa: ANN401 - as above
    import pytest

    option = OPTIONS[name]
    try:
        written = config.getini(ini_name(name))
        if written is None or isinstance(written, bool):
            return written
        if isinstance(written, list):
            return [option.read(str(one)) for one in written]
        return option.read(str(written))
    except (ArgumentTypeError, TypeError, ValueError, pytest.UsageError) as error:
        raise pytest.UsageError(f"{config.inipath}: {ini_name(name)}: {error}") from None


def check_options(config: pytest.Config) -> None:
    """Refuse wrong values and combinations before anything is collected."""
    import pytest

    for name in OPTIONS:
        chosen(config, name)
    if chosen(config, "update-baseline") and not chosen(config, "baseline"):
        raise pytest.UsageError("--shakeproof-update-baseline needs --shakeproof-baseline=FILE")


def file_of(config: pytest.Config, name: str) -> Path | None:
    """Return where a file is: relative to the working folder, or to the ini file naming it."""
    path = chosen(config, name)
    if not path:
        return None
    return _folder(config, name) / Path(path).expanduser()


def _folder(config: pytest.Config, name: str) -> Path:
    if config.getoption(ini_name(name)) is None and config.inipath is not None:
        return config.inipath.parent
    return config.invocation_params.dir


def run_config(config: pytest.Config) -> RunConfig:
    """Return what the options say about a run."""
    baseline = file_of(config, "baseline")
    if baseline and chosen(config, "update-baseline") and not baseline.exists():
        baseline = None  # it is about to be written
    return RunConfig(
        device=chosen(config, "device"),
        offline=chosen(config, "offline"),
        rootdir=config.rootpath,
        limit=chosen(config, "limit"),
        data=dict(split_replacement(entry) for entry in chosen(config, "data") or ()),
        data_folder=_folder(config, "data"),
        strict=chosen(config, "strict"),
        texts=not chosen(config, "no-texts"),
        adjust=chosen(config, "adjust"),
        search=chosen(config, "search"),
        matrices=bool(chosen(config, "report") or chosen(config, "json")),
        baseline=baseline,
        baseline_name=chosen(config, "baseline") or "",
    )


def cache_path(config: pytest.Config) -> Path | None:
    """Return where scores are kept; None keeps them in memory."""
    if chosen(config, "cache") == IN_MEMORY:
        return None
    return file_of(config, "cache") or config.rootpath / DEFAULT_CACHE
