"""Links, buttons, filters and sorting of the page in a real browser."""

import pytest
from browser_pages import CHOOSE, run, shown_checks

from shakeproof.reports.wording.names import anchor

pytestmark = pytest.mark.browser


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


@pytest.mark.parametrize("script", [True, False], ids=["with script", "without"])
def test_a_link_opens_the_fold_around_its_target(driver, visit, demo_run, script):
    driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": not script})
    try:
        page = visit("demo", fragment=f"#{anchor(demo_run.results[0].id)}")
    finally:
        driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})

    assert run(page, "document.querySelector('#checks .fold').open")
    assert not run(page, "document.querySelector('#repeat .fold').open")
