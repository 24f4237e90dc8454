"""A run as the output of a cell."""

import re
from html.parser import HTMLParser

import pytest

from shakeproof.reports import render_for_notebook, render_lead_chart, summarise
from shakeproof.reports.html import templates
from shakeproof.reports.notebook import SCOPE, scope_styles
from shakeproof.results import Outcome

VOID = {"br", "meta", "link", "img", "input"}


class Elements(HTMLParser):
    """Collects the elements of a piece of HTML, and checks that each is closed in its order."""

    def __init__(self, text):
        super().__init__()
        self.open, self.found = [], []
        self.feed(text)
        assert not self.open

    def handle_starttag(self, tag, attrs):
        self.found.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.found.append((tag, dict(attrs)))

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def selectors(styles):
    preludes = re.findall(r"([^{}]+)\{", re.sub(r"/\*.*?\*/", "", styles, flags=re.DOTALL))
    return [text.strip() for text in preludes if not text.strip().startswith("@")]


def test_the_output_has_findings_chart_and_scoreboard(demo_run):
    output = render_for_notebook(demo_run)

    assert "<b>Noise:</b>" in output
    assert "Agreement with people under visual" in output
    assert output.count('class="chart') == 1
    assert len(re.findall(r"<tr><th><span", output)) == len({r.metric for r in demo_run.results})
    assert len(output) < 30_000


def test_the_output_is_well_formed_and_has_neither_script_nor_links(demo_run):
    elements = Elements(render_for_notebook(demo_run)).found
    names = {name for name, _ in elements}

    assert not names & {"script", "a", "link", "iframe", "img", "html", "body", "use"}
    assert not [key for _, attributes in elements for key in attributes if key.startswith("on")]
    assert not any("http" in str(attributes) for _, attributes in elements)


def test_styles_hold_for_the_output_alone(demo_run):
    (styles,) = re.findall(r"<style>(.*?)</style>", render_for_notebook(demo_run), re.DOTALL)

    assert len(selectors(styles)) > 60
    for line in selectors(styles):
        assert all(SCOPE in one for one in re.split(r",(?![^(]*\))", line)), line
    assert ":root" not in styles
    assert "&#" not in styles


def test_every_rule_of_a_chart_is_kept_and_scoped():
    styles = templates().get_template("chart.css").render()

    assert len(selectors(scope_styles(styles))) == len(selectors(styles))
    assert " ".join(scope_styles("@media print { .a, b > c { x: y } }").split()) == (
        "@media print { .shakeproof .a, .shakeproof b > c { x: y } }"
    )


@pytest.mark.parametrize("text", ["<script>x</script>", "<b>|x|\n`y`", 'a"b', "a\u202eb"])
def test_nothing_from_data_is_markup(hostile_run, text):
    output = render_for_notebook(hostile_run(text))
    chart = render_lead_chart(hostile_run(text))

    assert not {"script", "a"} & {name for name, _ in Elements(output).found}
    assert "\u202e" not in output
    assert chart is None or Elements(chart.html)


def test_charts_of_two_runs_have_their_own_names(demo_run, make_run, make_drop):
    other = make_run([make_drop("chrf", "visual", 0.1)])
    names = [
        re.findall(r'<title id="([^"]+)"', render_for_notebook(run)) for run in (demo_run, other)
    ]

    assert names[0]
    assert not set(names[0]) & set(names[1])


def test_a_run_without_results_has_an_output(make_run):
    assert Elements(render_for_notebook(make_run([]))).found
    assert render_lead_chart(make_run([])) is None
    assert summarise(make_run([])) == "shakeproof: 0 checks: 0 undecided"


def test_the_summary_names_the_worst_check_or_the_closest(demo_run, make_run, make_drop):
    passed = make_drop("chrf", "visual", 0.1)

    assert passed.outcome is Outcome.PASSED
    assert "\nclosest to its bound: chrf · " in summarise(make_run([passed]))
    assert "\nworst, failed: " in summarise(demo_run)
