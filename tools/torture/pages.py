"""Large pages, and pages with hostile texts: they open, execute nothing and request nothing."""

from __future__ import annotations

import csv
import io
import json
import re
import shutil
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from shakeproof.reports import render, render_csv, render_markdown
from torture.campaign import Report, Setting
from torture.programs import PYTEST, run
from torture.projects import write_project

if TYPE_CHECKING:
    from selenium.webdriver import Chrome

BUILDERS = Path(__file__).parents[2] / "tests" / "reports" / "builders"
SECONDS_TO_OPEN = 10.0
ITEMS = 5000
CHECKS = 2000
HOSTILE = (
    "<script>window.executed = 1</script>",
    '"><img src="http://127.0.0.1:9/x" onerror="window.executed = 1">',
    "'><svg onload='window.executed = 1'>",
    "</style></script><script>window.executed = 1</script>",
    "javascript:window.executed=1",
    "url(http://127.0.0.1:9/style)",
    "[link](javascript:window.executed=1) ![](http://127.0.0.1:9/x) <b>",
    "=cmd|' /C calc'!A0",
    "{{ 7 * 7 }}{% raw %}",
    "\u202e\u2066 \x00\x1b[31m \ud83d",
)
CHECK = """\
  - check: capitals {number}
    perturb: {{upper-case: {{on: candidate}}}}
    expect: {{score_change: {{at_most: {limit}}}}}
"""


def pages(setting: Setting) -> Report:
    """Open the pages in Chromium if it is there; render them in any case."""
    sys.path.insert(0, str(BUILDERS))
    large, seconds, problems = _large_page(setting.folder)
    problems += _many_checks(setting)
    hostile = [_write(setting.folder / f"hostile{n}.html", text) for n, text in enumerate(HOSTILE)]
    opened = "not opened: no Chromium"
    if shutil.which("chromium") and shutil.which("chromedriver"):
        with _browser(setting.folder / "profile") as browser:
            took = _open(browser, large, problems)
            for page in hostile:
                _open(browser, page, problems)
        opened = f"opened in {took:.1f} s"
        if took > SECONDS_TO_OPEN:
            problems.append(f"{ITEMS} items need {took:.1f} s to open")
    problems += _formulas()
    size = large.stat().st_size / 1e6
    figure = (
        f"{ITEMS:,} items: rendered in {seconds:.1f} s, {size:.1f} MB, {opened}; "
        f"{len(HOSTILE)} hostile texts, {len(problems)} problems"
    )
    return Report(figure, tuple(problems))


def _large_page(folder: Path) -> tuple[Path, float, list[str]]:
    from built_runs import many_results, wrap  # type: ignore[import-not-found]  # of the tests

    kinds = many_results(10**6)
    results = [
        kinds[n % len(kinds)].model_copy(update={"id": f"{n}::{kinds[n % len(kinds)].id}"})
        for n in range(ITEMS)
    ]
    start = time.monotonic()
    text = render(wrap(results))
    seconds = time.monotonic() - start
    page = folder / "large.html"
    page.write_text(text, "utf-8")
    return page, seconds, [] if seconds < 60 else [f"{ITEMS} items rendered in {seconds:.0f} s"]


def _write(path: Path, text: str) -> Path:
    from built_hostile import hostile  # type: ignore[import-not-found]  # of the tests

    path.write_text(render(hostile(text)), "utf-8", errors="replace")
    return path


def _many_checks(setting: Setting) -> list[str]:
    """Run a checklist of many checks."""
    folder = write_project(setting.new_folder("many"), segments=40, checklists=0)
    checks = "".join(CHECK.format(number=n, limit=5 + n / 1000) for n in range(CHECKS))
    head = "data: data.jsonl\nlanguage: en\nmetrics: {chrf: chrf}\nchecks:\n"
    (folder / "many.checklist.yaml").write_text(head + checks, "utf-8")
    outputs = ("--shakeproof-json=run.json", "--shakeproof-report=report.html", "-q")
    ended = run((*PYTEST, *outputs), folder, seconds=600)
    if ended.has_traceback or ended.code not in (0, 1):
        return [f"{CHECKS} checks: exit code {ended.code}: {ended.last_line[:200]}"]
    count = len(json.loads((folder / "run.json").read_text("utf-8"))["results"])
    slow = [f"{CHECKS} checks took {ended.seconds:.0f} s"] if ended.seconds > 300 else []
    return slow + ([] if count == CHECKS else [f"{count} of {CHECKS} checks in run.json"])


@contextmanager
def _browser(profile: Path) -> Iterator[Chrome]:
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service

    options = webdriver.ChromeOptions()
    options.binary_location = str(shutil.which("chromium"))
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    flags = ("headless=new", "no-sandbox", "disable-gpu", "disable-background-networking")
    for flag in (*flags, "disable-component-update", "disable-sync", f"user-data-dir={profile}"):
        options.add_argument(f"--{flag}")
    browser = webdriver.Chrome(options=options, service=Service(shutil.which("chromedriver")))
    try:
        yield browser
    finally:
        browser.quit()


def _open(browser: Chrome, page: Path, problems: list[str]) -> float:
    """Open a page with all its parts; add what it executes, requests or reports as an error."""
    start = time.monotonic()
    browser.get(page.as_uri())
    seconds = time.monotonic() - start
    browser.execute_script(
        "document.querySelectorAll('details').forEach(d => { d.open = true });"
        "document.querySelectorAll('a[href^=javascript]').forEach(a => a.click());"
    )
    if browser.execute_script("return window.executed"):
        problems.append(f"{page.name}: a text was executed")
    problems += [f"{page.name}: {entry['message']}" for entry in browser.get_log("browser")]
    problems += [f"{page.name}: requests {url}" for url in _requests(browser, page)]
    return seconds


def _requests(browser: Chrome, page: Path) -> Iterator[str]:
    for entry in browser.get_log("performance"):
        message: dict[str, Any] = json.loads(entry["message"])["message"]
        if message["method"] == "Network.requestWillBeSent":
            url = message["params"]["request"]["url"]
            if not url.startswith((page.as_uri(), "data:", "about:", "chrome")):
                yield url


def _formulas() -> list[str]:
    """Look for cells that a spreadsheet would compute, and for markup in Markdown."""
    from built_hostile import hostile

    problems = []
    for text in ("=1+1", "+1+1", "-1+cmd", "@SUM(A1)", "\t=1", "\r=1"):
        table = render_csv(hostile(text))
        texts = table.values() if isinstance(table, dict) else [table]
        for content in texts:
            cells = [cell for row in csv.reader(io.StringIO(content)) for cell in row]
            problems += [f"csv: {cell[:40]!r}" for cell in cells if cell == text]
    for text in ("<img src=x>", "[a](http://127.0.0.1:9)", "![](http://127.0.0.1:9)"):
        code = r"`[^`]*`|^    .*$"
        if text in re.sub(code, "", render_markdown(hostile(text)), flags=re.MULTILINE):
            problems.append(f"markdown: {text}")
    return problems
