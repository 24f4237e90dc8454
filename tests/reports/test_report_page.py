import re
import subprocess
import sys
from base64 import b64encode
from collections import Counter
from hashlib import sha256
from html.parser import HTMLParser
from itertools import pairwise

import pytest

from shakeproof.reports import render, render_comparison, render_gallery, render_markdown
from shakeproof.reports.sections.unknown_tokens import unknown_token_lines
from shakeproof.results import Change, ChangeKind, Outcome, Part, PartName, Run
from shakeproof.runs.compare import compare_runs

HOSTILE = [
    pytest.param("<script>alert(1)</script>", id="script"),
    pytest.param('"><img src=x onerror=alert(1)>', id="attribute"),
    pytest.param("]]></style></script><b>", id="end tags"),
    pytest.param("a\u202eb\u2066c", id="bidi overrides"),
    pytest.param("a\x00\x07\x1b[31mb", id="control characters"),
    pytest.param("{{ 7 * 7 }}{% raw %}", id="template code"),
    pytest.param("`code` | *bold*", id="markdown"),
    pytest.param("", id="empty"),
    pytest.param("x" * 10_000, id="10,000 characters"),
    pytest.param("\ud83d lone", id="lone surrogate"),
    pytest.param("שלום 👩‍👩‍👧", id="right to left and emoji"),
]


class Document(HTMLParser):
    """What a page holds, as far as the tests ask."""

    def __init__(self, html):
        super().__init__(convert_charrefs=True)
        self.elements = []
        self.texts = []
        self.feed(html)

    def handle_starttag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))

    def handle_data(self, data):
        self.texts.append(data)

    def all(self, name):
        return [attrs for tag, attrs in self.elements if tag == name]

    def values(self, attribute):
        return [attrs[attribute] for _, attrs in self.elements if attribute in attrs]


@pytest.fixture(scope="session")
def pages(demo_run, big_run, make_run, gallery):
    return {
        "demo": render(demo_run),
        "500 checks": render(big_run),
        "nothing": render(make_run([], checklists=())),
        "comparison": render_comparison(compare_runs(demo_run, demo_run)),
        "gallery": render_gallery(gallery),
    }


@pytest.fixture(params=["demo", "500 checks", "nothing", "comparison", "gallery"])
def document(request, pages):
    return Document(pages[request.param])


def test_ids_are_unique(document):
    repeated = [name for name, count in Counter(document.values("id")).items() if count > 1]

    assert repeated == []


def test_every_link_leads_somewhere_on_the_page(document):
    targets = {f"#{name}" for name in document.values("id")}
    links = [attrs["href"] for attrs in document.all("a") + document.all("use")]

    assert links
    assert set(links) <= targets


def test_every_label_names_an_element_that_exists(document):
    names = {name for value in document.values("aria-labelledby") for name in value.split()}

    assert names <= set(document.values("id"))


def test_headings_never_skip_a_level(document):
    levels = [int(tag[1]) for tag, _ in document.elements if re.fullmatch(r"h[1-6]", tag)]

    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(b <= a + 1 for a, b in pairwise(levels))


def test_nothing_is_loaded_from_anywhere(document):
    addresses = document.values("src") + document.values("action")
    addresses += [attrs["href"] for attrs in document.all("link")]

    assert all(address.startswith("data:") for address in addresses)


def test_there_are_no_inline_styles_or_event_attributes(document):
    names = {name for _, attrs in document.elements for name in attrs}

    assert "style" not in names
    assert not {name for name in names if name.startswith("on")}


def test_tables_have_captions_and_headings_with_scope(document):
    assert len(document.all("table")) == len(document.all("caption"))
    assert all("scope" in attrs for attrs in document.all("th"))


@pytest.mark.parametrize("tag", ["style", "script"])
def test_the_policy_allows_exactly_what_the_page_holds(demo_page, tag):
    content = re.search(rf"<{tag}>(.*?)</{tag}>", demo_page, re.DOTALL)[1]
    digest = b64encode(sha256(content.encode()).digest()).decode()
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', demo_page)[1]

    assert f"{tag}-src &#39;sha256-{digest}&#39;" in policy
    assert "unsafe" not in policy
    assert policy.startswith("default-src &#39;none&#39;")


def test_rendering_twice_gives_the_same_page(demo_run, demo_page):
    again = Run.model_validate_json(demo_run.model_dump_json())

    assert render(again) == demo_page


def test_a_page_of_500_checks_stays_under_a_megabyte(pages):
    assert len(pages["500 checks"].encode()) <= 1_000_000


@pytest.mark.parametrize("text", HOSTILE)
def test_texts_from_data_stay_texts(hostile_run, text):
    harmless = [tag for tag, _ in Document(render(hostile_run("a"))).elements]
    page = render(hostile_run(text))

    assert set(harmless) >= {tag for tag, _ in Document(page).elements} - {"del", "ins", "span"}
    assert "alert(1)</script>" not in page
    assert "<img" not in page
    assert page.encode("utf-8")
    assert not re.search("[\u0000-\u0008\u000b-\u001f\u202a-\u202e\u2066-\u2069]", page)


@pytest.mark.parametrize("text", HOSTILE)
def test_texts_from_data_stay_texts_in_a_comparison(hostile_run, text):
    page = render_comparison(compare_runs(hostile_run(text), hostile_run(text)))

    assert "alert(1)</script>" not in page
    assert "<img" not in page
    assert not re.search("[\u0000-\u0008\u000b-\u001f\u202a-\u202e\u2066-\u2069]", page)


@pytest.mark.parametrize("text", HOSTILE)
def test_texts_of_families_stay_texts_in_the_gallery(make_gallery, text):
    page = render_gallery(make_gallery(text))

    assert "alert(1)</script>" not in page
    assert "<img" not in page
    assert page.encode("utf-8")
    assert not re.search("[\u0000-\u0008\u000b-\u001f\u202a-\u202e\u2066-\u2069]", page)


def test_the_gallery_marks_what_each_level_does(make_gallery):
    page = render_gallery(make_gallery("again"))

    assert "<h1>1 way to damage a text</h1>" in page
    assert "<dt>level 0.1 and 0.3<dd>" in page
    assert "<ins>x</ins>again<ins>y</ins>" in page


def test_the_hostile_page_has_every_kind_of_chart(hostile_run, demo_page):
    kinds = [
        set(re.findall(r'<figure class="panel" id="([a-z]+)-', page))
        for page in (render(hostile_run("<b>")), demo_page)
    ]

    assert kinds[0] | {"severity"} == kinds[1] | {"unknown"}


def test_every_chart_has_its_numbers_in_a_table(demo_page):
    charts = re.findall(r'<figure class="panel" id="([a-z]+)-(.*?)</figure>', demo_page, re.DOTALL)
    without = {kind for kind, chart in charts if "<table" not in chart}

    assert len(charts) > 50
    assert without == {"ablation"}  # these share one table


def test_bidi_overrides_are_shown_as_code_points(hostile_run):
    assert "a⟨U+202E⟩b⟨U+2066⟩c" in render(hostile_run("a\u202eb\u2066c"))


def test_every_check_has_its_address_and_command(demo_run, demo_page):
    document = Document(demo_page)
    commands = [text for text in document.texts if text.startswith('pytest "')]

    assert len([name for name in document.values("id") if name.startswith("check-")]) == 87
    assert {f'pytest "{result.id}"' for result in demo_run.results} == set(commands)


def test_addresses_of_checks_do_not_depend_on_the_rest_of_the_run(make_run, make_drop):
    one = make_drop("deep", "visual", 0.3)
    other = make_drop("chrf", "intrude", 0.1)
    alone, together = (
        {name for name in Document(render(make_run(results))).values("id") if "check-" in name}
        for results in ([one], [other, one])
    )

    assert alone < together


def test_commands_survive_the_shell(make_run, make_drop):
    odd = make_drop("deep", "visual", 0.3).model_copy(update={"id": "a $HOME `b`"})

    assert "pytest &#39;a $HOME `b`&#39;" in render(make_run([odd]))


def test_the_opening_says_what_is_wrong(demo_page):
    text = "".join(Document(demo_page).texts)
    opening = text[: text.index("All metrics")]

    assert (
        "Under visual 0.3 in references (30% of characters edited) the agreement of para-small "
        "with people (wmt-kendall) falls from 0.44 to 0.18, a drop of 0.25 [0.22, 0.29]; chrf "
        "keeps 0.27 (from 0.31)."
    ) in opening
    assert (
        "5 of 7 metrics score a copied input above the best paraphrases (shallow for 97% of"
        in opening
    )
    assert "under visual at level 0.3: wmt-kendall falls from 0.43 to 0.16." in text


def test_units_and_coefficients_are_explained_before_the_first_section(demo_page, make_run):
    opening = demo_page[: demo_page.index('<section id="scoreboard"')]

    assert "<b>wmt-kendall</b>: agreement with human preferences (WMT Kendall&#39;s τ" in opening
    assert "<b>spread</b>: standard deviation" in opening
    assert 'class="aside terms"' not in render(make_run([]))


def test_metrics_of_one_name_in_two_checklists_are_told_apart(make_run, make_drop):
    first = make_drop("deep", "visual", 0.3)
    second = first.model_copy(update={"file": "b.yaml", "id": "b.yaml::deep"})
    text = "".join(Document(render(make_run([first, second]))).texts)

    assert "deep (noise)" in text
    assert "deep (b)" in text


def test_groups_are_set_side_by_side(make_run, make_drop):
    result = make_drop("deep", "visual", 0.3)
    found = result.parts[0].estimate
    pairs = [
        Part(name=name, estimate=found, level=level, group=group)
        for group in ("gu-en", "kk-en")
        for name, level in ((PartName.CLEAN, 0.0), (PartName.PERTURBED, 0.3))
    ]
    page = render(make_run([result.model_copy(update={"parts": (*result.parts, *pairs)})]))

    assert '<th scope="col">gu-en</th><th scope="col">kk-en</th><th scope="col">all</th>' in page
    assert page.count('<figure class="panel" id="curve-') == 1


def test_changes_since_the_baseline_are_shown(make_run, make_drop):
    result = make_drop("deep", "visual", 0.3)
    change = Change(kind=ChangeKind.WORSE, estimate=result.estimate)
    other = Change(kind=ChangeKind.NOT_COMPARABLE, reason="another seed")
    worse = result.model_copy(update={"change": change})
    apart = result.model_copy(update={"change": other, "id": "apart"})
    page = render(make_run([apart, worse], baseline="old.json"))

    assert "Since the baseline" in page
    assert "<tr><td>worse<td><code>deep</code>" in page
    assert page.index("<tr><td>worse") < page.index("<tr><td>not comparable")
    assert "<td>another seed\n" in page
    assert "Since the baseline" not in render(make_run([result]))


def test_unknown_tokens_are_charted_where_counted(make_run, make_drop):
    results = [make_drop("deep", "visual", level) for level in (0.1, 0.2)]
    unknown = results[0].realised.model_copy(update={"unknown": 9.5})
    counted = [result.model_copy(update={"realised": unknown}) for result in results]

    assert "Unknown tokens" in render(make_run(counted))
    assert "Unknown tokens" not in render(make_run(results))


def test_unknown_tokens_begin_with_those_of_the_clean_texts(make_run, make_drop):
    result = make_drop("deep", "visual", 0.3)
    done = result.realised.model_copy(update={"unknown": 9.5, "unknown_before": 1.25})
    counted = result.model_copy(update={"realised": done})
    (line,) = unknown_token_lines([counted], {"visual": 0})
    page = render(make_run([counted]))

    assert [(point.x, point.value) for point in line.points] == [(0.0, 1.25), (0.3, 9.5)]
    assert "9.500 unknown tokens per segment, 1.250 in clean texts" in page


@pytest.mark.parametrize(
    ("share", "flagged"),
    [
        pytest.param(0.0, True, id="none"),
        pytest.param(0.49, True, id="fewer than half"),
        pytest.param(0.5, False, id="half"),
        pytest.param(1.0, False, id="all"),
    ],
)
def test_a_condition_that_changes_fewer_than_half_of_the_segments_is_flagged(
    make_run, make_drop, share, flagged
):
    result = make_drop("deep", "visual", 0.3)
    done = result.realised.model_copy(update={"segments": share})
    run = make_run([result.model_copy(update={"realised": done})])
    warning = f"only {share:.0%} of segments changed"

    assert (f"visual 0.3 in references<br><small>{warning}</small>" in render(run)) is flagged
    assert (warning in render_markdown(run)) is (flagged and result.outcome is not Outcome.PASSED)


def test_an_undefined_estimate_is_a_dash_not_a_number(make_run, make_drop):
    result = make_drop("deep", "visual", 0.3)
    undefined = result.estimate.model_copy(
        update={"value": None, "low": None, "high": None, "note": "all scores are equal"}
    )
    page = render(
        make_run([result.model_copy(update={"estimate": undefined, "outcome": Outcome.UNDECIDED})])
    )

    assert "no interval, 240 segments, all scores are equal" in page


def test_a_run_without_texts_renders(make_run, make_drop):
    result = make_drop("deep", "visual", 0.3).model_copy(update={"examples": ()})

    assert "Texts that broke" not in render(make_run([result], texts=False))


def test_importing_reports_loads_neither_templates_nor_anything_heavy():
    code = (
        "import sys, shakeproof.reports; "
        "heavy = {'jinja2', 'torch', 'transformers', 'pandas', 'scipy', 'numpy', 'rapidfuzz'}; "
        "print(*heavy & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert done.stdout.split() == []
