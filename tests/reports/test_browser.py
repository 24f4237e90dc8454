"""The pages in a real browser: does what they promise work, and for everyone?"""

import base64
import json
import os
import shutil
from importlib.util import find_spec
from pathlib import Path

import pytest
from built_judges import judges_demo

from shakeproof.reports import render, render_comparison
from shakeproof.reports.wording.names import anchor
from shakeproof.runs.compare import compare_runs

pytestmark = pytest.mark.browser

PAGES = ["demo", "500 checks", "comparison", "gallery", "judges"]
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
def axe():
    """The source of axe-core, from the one package that keeps it up to date."""
    package = find_spec("axe_playwright_python")
    if package is None:
        lacking = (
            pytest.fail if os.environ.get("SHAKEPROOF_REQUIRE_BROWSER") == "1" else pytest.skip
        )
        lacking("no axe-core: pip install --no-deps --require-hashes -r axe.txt")
    return Path(package.submodule_search_locations[0], "axe.min.js").read_text("utf-8")


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


CHOOSE = (
    "(() => { const f = document.querySelector(`${arguments[0]} form.filters`);"
    "f.elements[arguments[1]].value = arguments[2];"
    "f.dispatchEvent(new Event('input')) })()"
)


OPEN_FOLDS = "document.querySelectorAll('.fold').forEach(fold => { fold.open = true })"


def run(driver, script, *arguments):
    return driver.execute_script(f"return {script}", *arguments)


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


def shown_checks(driver):
    return run(
        driver, "[...document.querySelectorAll('.checks > tbody')].filter(b => !b.hidden).length"
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


@pytest.mark.parametrize("name", PAGES)
def test_a_narrow_screen_needs_no_sideways_scrolling(visit, name):
    page = visit(name, width=360)

    assert run(page, "document.documentElement.scrollWidth") <= 360


def test_tables_about_judges_scroll_in_themselves_on_a_narrow_screen(visit):
    page = visit("judges", width=360)
    run(page, OPEN_FOLDS)

    assert run(page, "document.documentElement.scrollWidth") <= 360


SMALLEST_TEXT = """Math.min(...[...document.querySelectorAll('svg.chart text')].map(text => {
  const chart = text.closest('svg'), width = chart.getBoundingClientRect().width;
  const scale = width ? width / chart.viewBox.baseVal.width : 9; // 0 is the other of two drawings
  return parseFloat(getComputedStyle(text).fontSize) * scale;
}))"""
CUT_TEXT = """[...document.querySelectorAll('svg.chart:not(.fixed) text')].filter(text => {
  const inner = text.getBoundingClientRect(), outer = text.closest('svg').getBoundingClientRect();
  return outer.width && (inner.right > outer.right + 2 || inner.left < outer.left - 2);
}).map(text => text.textContent)"""


@pytest.mark.parametrize("width", [320, 360, 800, 1280])
def test_letters_in_charts_can_be_read_and_stay_inside(visit, width):
    page = visit("demo", width=width)
    run(page, "document.querySelectorAll('details').forEach(one => { one.open = true })")

    assert run(page, SMALLEST_TEXT) >= 11
    assert "; ".join(run(page, CUT_TEXT)) == ""


def test_a_click_on_a_heading_sorts_and_another_turns_round(visit):
    page = visit("demo")
    estimates = (
        "[...document.querySelectorAll('.checks > tbody')].map(b => b.rows[0].cells[4].textContent)"
        ".map(t => Number(t.replaceAll('\\u2212', '-'))).filter(n => !Number.isNaN(n))"
    )
    press = page.find_element("css selector", ".checks th:nth-child(5) button")
    run(page, "arguments[0].click()", press)
    rising = run(page, estimates)
    run(page, "arguments[0].click()", press)
    falling = run(page, estimates)
    heading = press.find_element("xpath", "..")

    assert rising == sorted(rising)
    assert falling == sorted(falling, reverse=True)
    assert heading.get_attribute("aria-sort") == "descending"


def test_checks_without_an_estimate_come_last_either_way(visit):
    page = visit("demo")
    press = page.find_element("css selector", ".checks th:nth-child(5) button")
    last = "[...document.querySelectorAll('.checks > tbody')].at(-1).rows[0].cells[4].textContent"
    seen = []
    for _ in range(2):
        run(page, "arguments[0].click()", press)
        seen.append(run(page, last))

    assert seen == ["\N{EN DASH}", "\N{EN DASH}"]


def test_filters_narrow_the_table_and_say_how_far(visit):
    page = visit("demo")
    total = shown_checks(page)
    run(page, CHOOSE, "#checks", "metric", "deep")
    of_deep = shown_checks(page)
    run(page, CHOOSE, "#checks", "outcome", "failed")
    failed = shown_checks(page)
    run(page, CHOOSE, "#checks", "family", "visual")
    count = run(page, "document.querySelector('#checks form output').textContent")
    run(page, CHOOSE, "#checks", "words", "no such words")

    assert (total, of_deep, failed, count) == (87, 18, 6, "2 of 87 checks")
    assert shown_checks(page) == 0


@pytest.mark.parametrize(
    ("field", "value", "rows", "tables"),
    [
        pytest.param("words", "", 5, 4, id="all"),
        pytest.param("agreement", "outside the interval", 2, 2, id="by agreement"),
        pytest.param("words", "byt5 gu-en", 1, 1, id="by row and column"),
        pytest.param("table", "Vu et al. 2022, Table 6", 2, 1, id="by table"),
        pytest.param("words", "nowhere", 0, 0, id="none"),
    ],
)
def test_published_numbers_are_found_by_words_and_table(visit, field, value, rows, tables):
    page = visit("demo")
    run(page, CHOOSE, "#published", field, value)
    shown = "[...document.querySelectorAll(arguments[0])].filter(one => !one.hidden).length"

    assert run(page, shown, "#published tbody") == rows
    assert run(page, shown, "#published .scroll") == tables
    assert run(page, "document.querySelector('#published output').textContent") == (
        f"{rows} of 5 numbers"
    )


def test_published_numbers_sort_and_lead_to_their_checks(visit):
    page = visit("demo")
    press = page.find_element("css selector", "#published th[data-sort=number] button")
    run(page, "arguments[0].click()", press)
    values = "[...arguments[0].closest('table').tBodies].map(b => b.rows[0].cells[2].textContent)"
    first = run(page, values, press)
    link = page.find_element("css selector", "#published td a")
    run(page, "arguments[0].click()", link)

    assert first == ["0.073", "0.31"]
    assert run(page, "document.querySelector('tbody:target details').open")


def test_a_counterexample_can_be_copied_as_a_check(visit):
    page = visit("demo")
    copied = page.execute_async_script(
        "const done = arguments[0];"
        "Object.defineProperty(navigator, 'clipboard', {value: {writeText: t => done(t)}});"
        "const pin = document.querySelector('#texts .pin'); pin.open = true;"
        "pin.querySelector('button').click()"
    )
    label = run(page, "document.querySelector('#texts .pin button').ariaLabel")

    assert copied.startswith("- check: seg-00")
    assert label == "Copy the check"


def test_a_chart_beside_the_texts_is_reached_from_its_check(visit):
    page = visit("demo")
    link = page.find_element("css selector", '.checks a[href^="#changes-"]')
    run(page, "arguments[0].click()", link)

    assert run(page, "document.querySelector('figure:target').closest('section').id") == "texts"


def test_matrices_stand_side_by_side_where_there_is_room(visit):
    tops = (
        "[...document.querySelector('.matrices').children]"
        ".map(one => Math.round(one.getBoundingClientRect().top))"
    )
    wide = run(visit("demo"), tops)
    narrow = run(visit("demo", width=360), tops)

    assert wide[0] == wide[1]
    assert narrow[0] < narrow[1]


def test_the_address_of_a_check_expands_it(visit, demo_run):
    name = anchor(demo_run.results[-2].id)
    page = visit("demo", fragment=f"#{name}")
    top = run(page, "document.getElementById(arguments[0]).getBoundingClientRect().top", name)

    assert run(page, "document.getElementById(arguments[0]).querySelector('details').open", name)
    assert -5 <= top < 900


def test_all_checks_expand_and_collapse_at_once(visit):
    page = visit("demo")
    opened = "document.querySelectorAll('.checks details[open]').length"
    press = page.find_element("css selector", "button.expand")
    run(page, "arguments[0].click()", press)
    all_open = run(page, opened)
    run(page, "arguments[0].click()", press)

    assert all_open >= 87
    assert run(page, opened) == 0


@pytest.mark.parametrize(("scheme", "other"), [("light", "dark"), ("dark", "light")])
def test_the_button_switches_colours_and_the_page_remembers(visit, addresses, scheme, other):
    page = visit("demo", scheme=scheme)
    colour = "getComputedStyle(document.body).backgroundColor"
    before = run(page, colour)
    run(page, "document.querySelector('button.theme').click()")
    after = run(page, colour)
    page.get(addresses["demo"])

    assert before != after
    assert run(page, colour) == after
    assert run(page, "document.documentElement.dataset.theme") == other


def test_a_link_in_the_map_leads_to_its_check(visit):
    page = visit("demo")
    link = page.find_element("css selector", ".matrix a")
    run(page, "arguments[0].click()", link)
    target = link.get_attribute("href").partition("#")[2]

    assert run(page, "document.querySelector('tbody:target').id") == target
    assert run(page, "document.querySelector('tbody:target details').open")


def test_a_chart_can_be_saved_with_its_colours(visit):
    page = visit("demo")
    saved = page.execute_async_script(
        "const done = arguments[0];"
        "URL.createObjectURL = blob => { blob.text().then(done); return '#' };"
        "HTMLAnchorElement.prototype.click = () => {};"
        "document.querySelector('#noise button.save').click()"
    )

    assert saved.startswith("<svg")
    assert "--s0:" in saved


def test_the_page_prints(visit):
    page = visit("demo")
    printed = base64.b64decode(page.execute_cdp_cmd("Page.printToPDF", {})["data"])

    assert printed.startswith(b"%PDF")
    assert len(printed) > 50_000


def test_headings_of_tables_are_printed_though_buttons_are_not(visit):
    page = visit("demo")
    page.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    texts = "[...document.querySelectorAll('.checks thead th')].map(one => one.innerText)"
    buttons = "[...document.querySelectorAll('.checks thead button')].map(b => b.checkVisibility())"

    assert run(page, texts)[:4] == ["outcome", "metric", "check", "perturbation"]
    assert not any(run(page, buttons))


HEIGHTS_OF_FOLDS = (
    "[...document.querySelectorAll('.fold')].map(one => one.getBoundingClientRect().height)"
)


def test_the_page_opens_with_an_answer_and_is_at_most_five_screens_long(visit):
    page = visit("demo")
    bottom = "document.querySelector(arguments[0]).getBoundingClientRect()"

    assert run(page, f"{bottom}.bottom", ".findings") < 900
    assert run(page, f"{bottom}.bottom", ".lead .chart") < 900
    assert run(page, f"{bottom}.top", ".scoreboard") < 900
    assert run(page, "document.documentElement.scrollHeight") <= 4500


@pytest.mark.parametrize("script", [True, False], ids=["with script", "without"])
def test_a_link_opens_the_fold_around_its_target(driver, visit, demo_run, script):
    driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": not script})
    try:
        page = visit("demo", fragment=f"#{anchor(demo_run.results[0].id)}")
    finally:
        driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})

    assert run(page, "document.querySelector('#checks .fold').open")
    assert not run(page, "document.querySelector('#repeat .fold').open")


def test_paper_shows_what_is_folded_on_the_screen(visit):
    page = visit("demo")
    closed = run(page, HEIGHTS_OF_FOLDS)
    page.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    printed = run(page, HEIGHTS_OF_FOLDS)

    assert max(closed) < 100
    assert min(printed) > 150


def test_a_narrow_table_shows_that_there_is_more_to_scroll(visit):
    page = visit("demo", width=360)
    box = "document.querySelector('#scoreboard .scroll')"

    assert run(page, f"{box}.scrollWidth > {box}.clientWidth")
    assert "radial-gradient" in run(page, f"getComputedStyle({box}).backgroundImage")


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
