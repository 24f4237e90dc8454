"""Readable accounts of a run."""

from shakeproof.reports.gallery import render_gallery
from shakeproof.reports.html import render, render_comparison
from shakeproof.reports.pictures import charts
from shakeproof.reports.sheet import csv
from shakeproof.reports.summary import markdown

__all__ = ["charts", "csv", "markdown", "render", "render_comparison", "render_gallery"]
