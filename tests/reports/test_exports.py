import re
from csv import DictReader
from html.parser import HTMLParser
from io import StringIO
from xml.etree import ElementTree

import pytest
from markdown_it import MarkdownIt

from shakeproof.reports import render, render_charts, render_csv, render_markdown
from shakeproof.results import Outcome


@pytest.fixture(scope="session")
def lines(demo_run):
    return list(DictReader(StringIO(render_csv(demo_run))))


def test_every_estimate_has_its_line(demo_run, lines):
    found = sum(1 + len(result.parts) for result in demo_run.results)

    assert len(lines) == found + len(demo_run.published)


def test_published_numbers_stand_beside_what_was_measured(demo_run, lines):
    published = [line for line in lines if line["published"]]
    second = published[1]

    assert [float(line["published"]) for line in published] == [p.value for p in demo_run.published]
    assert second["part"] == "Vu et al. 2022, Table 6: BERT, xh-zu"
    assert float(second["estimate"]) == 0.311
    assert published[0]["estimate"] == ""


def test_numbers_come_back_exactly(demo_run, lines):
    judged = [line for line in lines if line["outcome"] and not line["part"]]

    assert [float(line["estimate"]) for line in judged if line["estimate"]] == [
        r.estimate.value for r in demo_run.results if r.estimate
    ]


def test_the_severity_stands_beside_each_estimate(make_run, make_drop):
    result = make_drop("deep", "visual", 0.3)
    done = result.realised.model_copy(update={"unknown": 9.5, "unknown_before": 1.25})
    lines = DictReader(
        StringIO(render_csv(make_run([result.model_copy(update={"realised": done})])))
    )

    assert {(x["segments_changed"], x["unknown"], x["unknown_before"]) for x in lines} == {
        (str(done.segments), "9.5", "1.25")
    }


def test_a_missing_estimate_is_empty(lines):
    errors = [line for line in lines if line["outcome"] == "error"]

    assert errors[0]["estimate"] == ""


@pytest.mark.parametrize(
    "name", ["=1+1", "+1", "-1", "@sum", "\tx", "  =1+1", "\uff1d1+1", "\uff20sum", "\n=1"]
)
def test_no_text_is_read_as_a_formula(make_run, make_drop, name):
    odd = make_drop("deep", "visual", 0.3).model_copy(update={"check": name})
    line = next(DictReader(StringIO(render_csv(make_run([odd])))))

    assert line["check"] == f"'{name}"


def test_negative_numbers_are_not_taken_for_formulas(make_run, make_drop):
    line = next(DictReader(StringIO(render_csv(make_run([make_drop("chrf", "visual", 0.1)])))))

    assert float(line["low"]) < 0


def test_the_summary_tells_metrics_and_open_checks(demo_run):
    text = render_markdown(demo_run)

    assert "- **Noise:** Under `visual` 0.3 in references" in text
    assert "- **Undecided:** 17 of 87 checks need more data." in text
    assert "| `deep` | ✗ failed | Scores a copied input above the best paraphrases" in text
    assert "under `visual` at level 0.3: wmt-kendall falls" in text
    assert "\n    pytest noise.checklist.yaml --shakeproof-report=report.html\n" in text


@pytest.mark.parametrize("text", ["a\rb", "\r=1+1", "a\r\nb", "a\nb"])
def test_a_line_end_in_a_name_stays_in_its_cell(make_run, make_drop, text):
    odd = make_drop("chrf", "visual", 0.1).model_copy(update={"check": text})
    row = next(DictReader(StringIO(render_csv(make_run([odd])), newline="")))

    assert row["check"].splitlines() == (text if text[0] == "a" else f"'{text}").splitlines()


def test_the_summary_lists_published_numbers_that_do_not_come_out(demo_run):
    text = render_markdown(demo_run)

    assert "### Published and measured numbers" in text
    assert "1 of 4 measured numbers equals the published one to the printed digits, 1 more" in text
    assert "| Vu et al. 2022, Table 9 | ByT5 | gu-en | 0.239 | 0.264" in text


def test_a_run_beside_no_paper_has_no_published_numbers(make_run, make_drop):
    assert "Published" not in render_markdown(make_run([make_drop("deep", "visual", 0.3)]))


def test_the_summary_of_a_long_run_is_short(big_run):
    assert len(render_markdown(big_run)) < 20_000


def test_the_summary_of_a_quiet_run_has_no_table_of_checks(make_run, make_drop):
    text = render_markdown(make_run([make_drop("chrf", "visual", 0.1)]))

    assert "| outcome | metric | check |" not in text


class Pasted(HTMLParser):
    """Collects the elements of a page, the rows of its tables, and its text outside of code."""

    def __init__(self, markdown):
        super().__init__()
        self.names, self.rows, self.text, self.in_code = set(), [], "", False
        self.feed(MarkdownIt("gfm-like").render(markdown))

    def handle_starttag(self, tag, attrs):
        self.names.add(tag)
        self.in_code |= tag == "code"
        if tag == "tr":
            self.rows.append([])
        if tag in ("td", "th"):
            self.rows[-1].append("")

    def handle_endtag(self, tag):
        self.in_code &= tag != "code"

    def handle_data(self, data):
        self.text += "" if self.in_code else data
        if self.rows and self.rows[-1] and data.strip():
            self.rows[-1][-1] += data


HARMLESS = {
    *("h2", "h3", "ul", "li", "p", "strong", "code", "pre"),
    *("table", "thead", "tbody", "tr", "th", "td"),
}
HOSTILE = [
    "<b>|x|\n`y`",
    "[link](http://x.org)",
    "![i](x)",
    "see https://x.org/a_b and www.x.org",
    "thanks @octocat, fixes #12",
    "mail me@x.org",
    "a\\|b\\",
    "costs $5 or $6",
    "*a* _b_ ~~c~~ # d",
]


@pytest.mark.parametrize("text", HOSTILE)
def test_the_summary_can_be_pasted_into_an_issue(make_run, make_drop, text):
    result = make_drop("deep", "visual", 0.3)
    odd = result.model_copy(update={"check": text, "message": text, "outcome": Outcome.FAILED})
    page = Pasted(render_markdown(make_run([odd])))

    assert page.names <= HARMLESS
    assert {len(row) for row in page.rows} == {3, 6}
    row = page.rows[-1]
    shown = " ".join(text.split())
    assert row[2].replace("\u200b", "") == shown
    assert row[5].replace("\u200b", "").startswith(shown)
    assert not re.search(r"@\w|#\d", page.text)


def test_the_summary_names_versions(demo_run):
    assert render_markdown(demo_run).splitlines()[-1].startswith("shakeproof ")


@pytest.mark.parametrize("text", ["<b>|x|\n`y`", "a\u202eb", "[link](http://x)", "![i](x)"])
def test_nothing_from_data_is_markup_in_the_summary(hostile_run, text):
    found = render_markdown(hostile_run(text))
    rows = [line for line in found.splitlines() if line.startswith("|")]
    prose = re.sub(r"`[^`]*`|^    .*$", "", found, flags=re.MULTILINE)  # without code

    assert "<b>" not in prose
    assert "\u202e" not in found
    assert not re.search(r"(?<!\\)\]\(", prose)
    assert {len(re.findall(r"(?<!\\)\|", row)) for row in rows} <= {4, 7}


def test_every_chart_is_a_file_of_its_own(demo_run):
    found = render_charts(demo_run)
    on_the_page = re.findall(r'<figure class="panel" id="([^"]*)"', render(demo_run))

    assert len(found) > 50
    assert set(found) == set(on_the_page)
    for picture in found.values():
        root = ElementTree.fromstring(picture)
        assert root.tag == "{http://www.w3.org/2000/svg}svg"
        assert root.find(".//{http://www.w3.org/2000/svg}title").text


@pytest.mark.parametrize("text", ["<script>x</script>", "]]>&", 'a"b', "a\x00b"])
def test_charts_stay_well_formed_whatever_the_names(hostile_run, text):
    for picture in render_charts(hostile_run(text)).values():
        assert ElementTree.fromstring(picture).tag.endswith("svg")


def test_axes_have_titles(demo_run):
    for name, picture in render_charts(demo_run).items():
        root = ElementTree.fromstring(picture)
        labels = [
            group.findall("{http://www.w3.org/2000/svg}text")[-1].text
            for group in root.iter("{http://www.w3.org/2000/svg}g")
            if group.get("class") in ("along", "up")
        ]
        if name.startswith("tokens"):
            labels = [
                text
                for text in root.itertext()
                if text in ("candidate tokens", "reference tokens", "source or reference tokens")
            ]
            assert len(labels) == 2
        assert labels
        assert all(label and not label.replace(".", "").isdigit() for label in labels)


def test_an_outcome_never_shows_by_colour_alone(demo_run):
    said = render_markdown(demo_run)

    assert all(outcome.value in said for outcome in (Outcome.FAILED, Outcome.UNDECIDED))
