"""The pages in a real browser work for everyone: axe-core, keyboard, no script, no network."""

import json
import os
from importlib.util import find_spec
from pathlib import Path

import pytest
from browser_pages import CHOOSE, OPEN_FOLDS, PAGES, run, shown_checks

pytestmark = pytest.mark.browser


@pytest.fixture(scope="session")
def axe():
    """The source of axe-core, from the one package that keeps it up to date."""
    package = find_spec("axe_playwright_python")
    if package is None:
        lacking = (
            pytest.fail if os.environ.get("SHAKEPROOF_REQUIRE_BROWSER") == "1" else pytest.skip
        )
        lacking("no axe-core: pip install --no-deps --require-hashes -r axe.txt")
    return Path(package.submodule_search_locations[0], "axe.min.js").read_text("utf-8")


def violations(page, axe, context, options):
    """What axe-core finds wrong, with the first elements of each kind."""
    page.execute_script(axe)
    page.set_script_timeout(300)
    return page.execute_async_script(
        "const [context, options, done] = arguments; axe.run(context, options).then("
        "r => done(r.violations.map(v => v.id + ': ' + v.nodes.slice(0, 3).map(n => n.html))))",
        context,
        {"resultTypes": ["violations"], **options},
    )


@pytest.mark.parametrize(
    ("name", "scheme", "width"),
    [
        pytest.param("demo", "light", 1280, id="demo, light"),
        pytest.param("demo", "dark", 360, id="demo, dark and narrow"),
        pytest.param("comparison", "light", 360, id="comparison, light and narrow"),
        pytest.param("comparison", "dark", 1280, id="comparison, dark"),
        pytest.param("gallery", "light", 360, id="gallery, light and narrow"),
        pytest.param("gallery", "dark", 1280, id="gallery, dark"),
        pytest.param("judges", "light", 360, id="judges, light and narrow"),
        pytest.param("judges", "dark", 1280, id="judges, dark"),
        pytest.param("500 checks", "light", 1280, id="500 checks", marks=pytest.mark.slow),
    ],
)
def test_axe_finds_nothing(visit, axe, name, scheme, width):
    page = visit(name, scheme=scheme, width=width)
    run(page, OPEN_FOLDS)
    quick = {"rules": {"color-contrast": {"enabled": False}}} if name == "500 checks" else {}

    assert violations(page, axe, {"include": [["html"]]}, quick) == []


def test_what_a_filter_leaves_of_a_long_page_can_be_read(visit, axe):
    """Colours of 500 checks take axe minutes; these have every outcome, and the demo the rest."""
    page = visit("500 checks")
    run(page, OPEN_FOLDS)
    run(page, CHOOSE, "#checks", "family", "visual-1")
    run(page, "document.querySelector('button.expand').click()")
    rest = "main > section:not(#findings, #scoreboard, #map, #checks), tbody[hidden]"
    run(page, "document.querySelectorAll(arguments[0]).forEach(one => one.remove())", rest)
    found = violations(page, axe, {"exclude": [["svg"]]}, {"runOnly": ["color-contrast"]})

    assert shown_checks(page) == 25
    assert found == []


@pytest.mark.parametrize("name", PAGES)
def test_the_console_stays_silent_and_nothing_is_fetched(visit, addresses, name):
    page = visit("demo")
    page.get_log("browser")
    page.get_log("performance")
    visit(name)
    events = [json.loads(entry["message"])["message"] for entry in page.get_log("performance")]
    fetched = {
        event["params"]["request"]["url"]
        for event in events
        if event["method"] == "Network.requestWillBeSent"
    }

    assert page.get_log("browser") == []
    assert {url for url in fetched if not url.startswith(("data:", "about:"))} == {addresses[name]}


def test_everything_can_be_read_without_script(driver, visit):
    driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
    try:
        page = visit("demo")
        rows = page.find_elements("css selector", ".checks > tbody")
        form = page.find_element("css selector", "form.filters")
        headings = page.find_elements("css selector", ".checks thead button")
        seen = (len(rows), form.is_displayed(), len(headings))
    finally:
        driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})

    assert seen == (87, False, 0)


def test_the_keyboard_opens_a_counterexample_and_reads_its_matrix(visit):
    from selenium.webdriver.common.keys import Keys

    page = visit("demo")
    page.find_element("css selector", "#texts summary").send_keys(Keys.ENTER)
    summary = page.find_element("css selector", "#texts .pin summary")
    summary.send_keys(Keys.ENTER)
    opened = run(page, "document.querySelector('#texts .pin').open")
    summary.send_keys(Keys.TAB)
    check = run(page, "document.activeElement.tagName")
    page.switch_to.active_element.send_keys(Keys.TAB)
    copy = run(page, "document.activeElement.textContent")
    matrix = page.find_element("css selector", ".matrices .scroll")

    assert (opened, check, copy) == (True, "PRE", "Copy")
    assert matrix.get_attribute("tabindex") == "0"
    assert matrix.aria_role == "group"


def test_the_keyboard_reaches_what_can_be_used(visit):
    from selenium.webdriver.common.keys import Keys

    page = visit("demo")
    body = page.find_element("css selector", "body")
    body.send_keys(Keys.TAB)
    first = run(page, "document.activeElement.textContent")
    page.switch_to.active_element.send_keys(Keys.TAB)

    assert first == "Skip to the report"
    assert run(page, "document.activeElement.className") == "theme"
    assert run(page, "getComputedStyle(document.activeElement).outlineStyle") == "solid"
