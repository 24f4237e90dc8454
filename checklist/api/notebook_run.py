"""The run that Python gets: plain values, shown in notebooks, as a table and as a chart."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import PrivateAttr

from shakeproof.api.frames import to_frame
from shakeproof.api.scored import ScoredChecklist
from shakeproof.errors import SpecError
from shakeproof.files import write_text
from shakeproof.results import Run

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, slots=True)
class Chart:
    """A chart of a run, which a notebook shows."""

    svg: str  # a file of its own
    html: str  # the same for the output of a cell

    def _repr_svg_(self) -> str:
        return self.svg

    def _repr_html_(self) -> str:
        return self.html

    def __repr__(self) -> str:
        return "a chart of shakeproof; save(PATH) writes it as SVG"

    def save(self, path: str | Path) -> None:
        """Write the chart as an SVG file."""
        write_text(Path(path), self.svg)


class NotebookRun(Run):
    """A run, with its scores as long as it is in memory; run.json has what `Run` has."""

    _scored: ScoredChecklist | None = PrivateAttr(default=None)

    @classmethod
    def of(cls, run: Run, scored: ScoredChecklist | None = None) -> NotebookRun:
        """Return a run with what notebooks need."""
        shown = cls.model_construct(run.model_fields_set, **dict(run))
        shown._scored = scored
        return shown

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Run) and dict(self) == dict(other)

    __hash__ = None  # type: ignore[assignment]  # a run has mappings

    def __repr__(self) -> str:
        from shakeproof.reports import summarise

        return summarise(self)

    __str__ = __repr__

    def _repr_html_(self) -> str:
        from shakeproof.reports import render_for_notebook

        return render_for_notebook(self)

    def to_frame(self, *, groups: bool = False) -> pd.DataFrame:
        """Return the results as a table; `shakeproof.to_frame` says what is in it."""
        return to_frame(self, groups=groups)

    def plot(self) -> Chart:
        """Return the chart that leads the report."""
        from shakeproof.reports import render_lead_chart

        rendered = render_lead_chart(self)
        if rendered is None:
            raise SpecError("there is nothing to draw: no check has an estimate")
        return Chart(*rendered)

    def judge(self, check: str, **settings: Any) -> NotebookRun:  # noqa: ANN401 - as in YAML
        """Judge one check again with other settings of its expectation, such as `at_most=0.1`.

        The scores are those of this run; nothing is rated.
        """
        if self._scored is None:
            message = "the run was read from a file, which has no scores"
            raise SpecError(f"{message}; run the checklist, then judge it again")
        scored = self._scored.with_settings(check, settings)
        arguments = ", ".join([repr(check), *(f"{key}={settings[key]!r}" for key in settings)])
        return NotebookRun.of(scored.run(f"{self.command}.judge({arguments})"), self._scored)
