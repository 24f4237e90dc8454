"""Runs of any size, runs with hostile texts, and pages in a browser, for all tests of reports."""

import shutil
from pathlib import Path

import pytest
from built_hostile import hostile, one_family
from built_judges import judges_demo
from built_results import drop
from built_runs import demo, many_results, published, wrap
from built_texts import spans

from shakeproof.reports import render, render_comparison
from shakeproof.reports.gallery import FamilyEntry, FamilyGroup, PerturbedText
from shakeproof.runs.compare import compare_runs

GALLERY = Path(__file__).parents[2] / "docs" / "gallery.html"
FLAGS = [
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--window-size=1280,900",
]


@pytest.fixture(scope="session")
def demo_run():
    return demo()


@pytest.fixture(scope="session")
def demo_page(demo_run):
    return render(demo_run)


@pytest.fixture(scope="session")
def big_run():
    return wrap(many_results(500), published=published())


@pytest.fixture(scope="session")
def make_run():
    return wrap


@pytest.fixture(scope="session")
def make_drop():
    return drop


@pytest.fixture(scope="session")
def hostile_run():
    return hostile


@pytest.fixture(scope="session")
def make_gallery():
    return one_family


@pytest.fixture(scope="session")
def gallery():
    examples = (
        PerturbedText(("0.1",), "Now come", "Nw come", spans("N[o|]w come")),
        PerturbedText(("1",), "Now come", "Nw cm", spans("N[o|]w c[o|]m[e|]")),
    )
    groups = {"letters": ("drop", "swap"), "words": ("shuffle",)}
    return [
        FamilyGroup(
            group,
            "What goes wrong.",
            tuple(FamilyEntry(name, "It.", "p", ("kept",), (), examples) for name in names),
        )
        for group, names in groups.items()
    ]


@pytest.fixture(scope="session")
def addresses(tmp_path_factory, demo_run, big_run, make_run):
    folder = tmp_path_factory.mktemp("pages")
    shifted = make_run(demo_run.results[3:], shakeproof="0.2.0")
    texts = {
        "demo": render(demo_run),
        "500 checks": render(big_run),
        "comparison": render_comparison(compare_runs(demo_run, shifted)),
        "gallery": GALLERY.read_text("utf-8"),
        "judges": render(judges_demo()),
    }
    for name, text in texts.items():
        (folder / f"{name}.html").write_text(text, "utf-8")
    return {name: (folder / f"{name}.html").as_uri() for name in texts}


@pytest.fixture(scope="session")
def driver(chromium, tmp_path_factory):
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service

    options = webdriver.ChromeOptions()
    options.binary_location = str(chromium)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    for flag in [*FLAGS, f"--user-data-dir={tmp_path_factory.mktemp('profile')}"]:
        options.add_argument(flag)
    started = webdriver.Chrome(options=options, service=Service(shutil.which("chromedriver")))
    yield started
    started.quit()


@pytest.fixture
def visit(driver, addresses):
    """Open a page afresh, as a reader with these tastes would."""

    def opened(name, *, scheme="light", width=1280, fragment=""):
        colours = [{"name": "prefers-color-scheme", "value": scheme}]
        size = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False}
        driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "", "features": colours})
        driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
        driver.get("about:blank")
        driver.get(addresses[name] + fragment)
        driver.execute_script("try { localStorage.clear() } catch {}")
        return driver

    return opened
