"""The pages in a real browser, on wide and narrow screens and on paper."""

import base64

import pytest
from browser_pages import OPEN_FOLDS, PAGES, run

pytestmark = pytest.mark.browser


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


def test_matrices_stand_side_by_side_where_there_is_room(visit):
    tops = (
        "[...document.querySelector('.matrices').children]"
        ".map(one => Math.round(one.getBoundingClientRect().top))"
    )
    wide = run(visit("demo"), tops)
    narrow = run(visit("demo", width=360), tops)

    assert wide[0] == wide[1]
    assert narrow[0] < narrow[1]


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
