"""Pages from templates: one file each, without network access, all texts escaped."""

from __future__ import annotations

from base64 import b64encode
from functools import cache
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from shakeproof.reports.charts.scales import xy
from shakeproof.reports.comparison import make_comparison_page
from shakeproof.reports.page import make_page
from shakeproof.reports.sections.header import format_setting, format_time
from shakeproof.reports.sections.published import summarise_agreement
from shakeproof.reports.wording import format
from shakeproof.reports.wording.marking import visible
from shakeproof.reports.wording.names import anchor
from shakeproof.reports.wording.outcomes import SIGNS
from shakeproof.results import Agreement, Run, RunComparison, counted

if TYPE_CHECKING:
    from jinja2 import Environment

STYLES = "styles.css.j2"
SCRIPT = "page.js"
FILTERS = {
    "number": format.number,
    "brief": format.brief,
    "interval": format.interval,
    "bound": format.bound,
    "counted": counted,
    "time": format_time,
    "anchor": anchor,
    "setting": format_setting,
    "split_names": format.split_names,
    "agreement_summary": summarise_agreement,
    "sign": lambda result: SIGNS[result.outcome],
    "xy": xy,
}


def render(run: Run) -> str:
    """Render a run as one self-contained page."""
    return fill("run.html.j2", page=make_page(run), agreements=list(Agreement))


def render_comparison(comparison: RunComparison) -> str:
    """Render what changed between two runs as one self-contained page."""
    return fill("comparison.html.j2", page=make_comparison_page(comparison))


def fill(template: str, **values: object) -> str:
    """Fill a template of a whole page."""
    environment = templates()
    policy = content_policy(environment)
    return environment.get_template(template).render(policy=policy, **values)


@cache
def templates() -> Environment:
    """Load the templates: texts are escaped, undefined names are errors."""
    from jinja2 import Environment, PackageLoader, StrictUndefined

    environment = Environment(
        loader=PackageLoader("shakeproof.reports"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=finalize,
    )
    environment.filters.update(FILTERS)
    return environment


def finalize(value: Any) -> Any:  # noqa: ANN401 - jinja2 hands over whatever a template prints
    """Make hidden characters of plain texts visible; markup stays as it is."""
    return visible(value) if type(value) is str else value


def content_policy(environment: Environment) -> str:
    """Allow our own styles and script by their hashes, and nothing else."""
    style, script = (
        b64encode(sha256(environment.get_template(name).render().encode()).digest()).decode()
        for name in (STYLES, SCRIPT)
    )
    return (
        f"default-src 'none'; style-src 'sha256-{style}'; script-src 'sha256-{script}'; "
        "img-src data:; base-uri 'none'; form-action 'none'"
    )
