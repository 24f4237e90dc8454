"""Pages made from templates: one file, no network, nothing unescaped."""

from __future__ import annotations

from base64 import b64encode
from functools import cache
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from shakeproof.reports.charts.scales import xy
from shakeproof.reports.comparison import compare
from shakeproof.reports.page import page
from shakeproof.reports.pairing import turn
from shakeproof.reports.sections import published
from shakeproof.reports.sections.header import as_text, moment
from shakeproof.reports.wording import format
from shakeproof.reports.wording.anchors import anchor
from shakeproof.reports.wording.characters import visible
from shakeproof.results import Run

if TYPE_CHECKING:
    from jinja2 import Environment

STYLES = "styles.css.j2"
SCRIPT = "page.js"
FILTERS = {
    "number": format.number,
    "plain": format.plain,
    "span": format.span,
    "allowed": format.allowed,
    "many": format.many,
    "moment": moment,
    "anchor": anchor,
    "as_text": as_text,
    "ticked": format.ticked,
    "agreeing": published.told,
    "turned": lambda result: turn(result, result.change),
    "xy": xy,
}


def render(run: Run) -> str:
    """Show a run as one self-contained page."""
    return fill("run.html.j2", page=page(run))


def render_comparison(old: Run, new: Run) -> str:
    """Show what changed between two runs as one self-contained page."""
    return fill("comparison.html.j2", page=compare(old, new))


def fill(template: str, **values: object) -> str:
    """Fill a template of a whole page."""
    environment = templates()
    policy = content_policy(environment)
    return environment.get_template(template).render(policy=policy, **values)


@cache
def templates() -> Environment:
    """Load the templates: escaping on, undefined names refused."""
    from jinja2 import Environment, PackageLoader, StrictUndefined

    environment = Environment(
        loader=PackageLoader("shakeproof.reports"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=shown,
    )
    environment.filters.update(FILTERS)
    return environment


def shown(value: Any) -> Any:  # noqa: ANN401 - jinja2 hands over whatever a template prints
    """Make hidden characters of plain texts visible; markup is left alone."""
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
