"""Reports of a run: HTML, Markdown, CSV and SVG."""

from shakeproof.reports.comparison_markdown import render_comparison_markdown
from shakeproof.reports.csv import render_csv
from shakeproof.reports.gallery import render_gallery
from shakeproof.reports.html import render, render_comparison
from shakeproof.reports.markdown import render_markdown
from shakeproof.reports.notebook import render_for_notebook, render_lead_chart, summarise
from shakeproof.reports.svg import render_charts

__all__ = [
    "render",
    "render_charts",
    "render_comparison",
    "render_comparison_markdown",
    "render_csv",
    "render_for_notebook",
    "render_gallery",
    "render_lead_chart",
    "render_markdown",
    "summarise",
]
