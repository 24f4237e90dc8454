"""What a user chooses about a run: one value for pytest, Python, studies and commands."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, TypeAlias

from shakeproof.data.segments import DataSet
from shakeproof.metrics.files import is_file
from shakeproof.metrics.models.devices import split_devices
from shakeproof.metrics.settings import Precision, Settings
from shakeproof.runs.arguments import SEARCH_BUDGET

Adjustment: TypeAlias = Literal["none", "holm"]


@dataclass(frozen=True, slots=True)
class RunConfig:
    """Everything that may be chosen about a run and is not part of a checklist."""

    device: str = "auto"  # or several: cuda:0,cuda:1
    precision: Precision = "auto"  # the number format of models; auto: as the checklist says
    offline: bool = False  # never download a model
    workers: str | None = None  # processes that rate: a number, auto, ray; None: this one alone
    gpus_per_worker: float | None = None  # on a Ray cluster; None: one, where nodes have GPUs
    rootdir: Path | None = None  # where names of files and modules start
    limit: int | None = None  # segments of each data set
    data: Mapping[str, str] = field(default_factory=dict)  # name or group -> path to read instead
    tables: Mapping[str, DataSet] = field(default_factory=dict)  # the same, already in memory
    data_folder: Path | None = None  # where such a path is looked for first
    strict: bool = False  # an undecided check fails the session
    texts: bool = True  # texts of the data may appear in the run
    adjust: Adjustment = "none"  # holm: withdraw failures that chance could explain
    search: int = SEARCH_BUDGET
    matrices: bool = True  # compute token matrices of the worst texts, which may load a model
    baseline: Path | None = None  # a stored run that results are compared with
    baseline_name: str = ""  # the path as the user gave it
    only_regressions: bool = False  # what the baseline has too does not fail the session

    @property
    def settings(self) -> Settings:
        """Return what metrics need to know of it."""
        return Settings(self.devices[0], self.precision, self.offline, rootdir=self.rootdir)

    @property
    def devices(self) -> tuple[str, ...]:
        """Return the devices; workers share several, and this process uses the first."""
        return split_devices(self.device)

    @property
    def data_paths(self) -> dict[str, str]:
        """Return what is read instead of which data; a path that is not here is left as it is."""
        return {name: self._found(path) for name, path in self.data.items()}

    def _found(self, path: str) -> str:
        here = (self.data_folder or Path()) / Path(path).expanduser()
        return str(here) if is_file(here) else path

    @property
    def recorded(self) -> dict[str, Any]:
        """Return the choices that results may depend on, as run.json records them."""
        return {
            "strict": self.strict,
            "device": self.device,
            "precision": self.precision,
            "limit": self.limit,
            "data": [
                *(f"{name}={path}" for name, path in self.data.items()),
                *(f"{name}: a table in memory" for name in self.tables),
            ],
            "no_texts": not self.texts,
            "offline": self.offline,
            "search": self.search,
            "adjust": self.adjust,
            "baseline": self.baseline_name or None,
            "only_regressions": self.only_regressions,
        }
