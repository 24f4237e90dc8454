"""The documentation site: links, pages, and nothing from the network."""

import json
from pathlib import Path
from types import SimpleNamespace

import pytest
import site_pages
from mkdocs.exceptions import PluginError
from ruamel.yaml import YAML
from site_notebooks import notebook_page

import shakeproof

ROOT = Path(__file__).parent.parent


@pytest.mark.parametrize(
    ("path", "markdown", "site"),
    [
        ("README.md", "[a](docs/data.md#limits)", "[a](data.md#limits)"),
        ("README.md", "![a](docs/report-dark.png)", "![a](report-dark.png)"),
        ("README.md", "[a](CHANGELOG.md)", "[a](changelog.md)"),
        ("docs/promises.md", "[a](../SECURITY.md)", "[a](security.md)"),
        ("docs/promises.md", "[`tools/torture`](../tools/torture)", "`tools/torture`"),
        ("docs/python.md", "[a](notebook.ipynb#b)", "[a](notebook.md#b)"),
        ("docs/extending.md", "[a](example/)", "[a](example/README.md)"),
        ("docs/example/README.md", "[a](../extending.md)", "[a](../extending.md)"),
        ("checklist/samples/README.md", "[a](../../docs/data.md)", "[a](data.md)"),
        ("docs/data.md", "[a](https://example.org) [b](#c)", "[a](https://example.org) [b](#c)"),
    ],
)
def test_a_link_leads_to_the_same_page_on_the_site(path, markdown, site):
    assert site_pages.site_links(markdown, path) == site


def test_the_site_lists_every_page_of_the_documentation():
    nav = YAML(typ="safe").load(ROOT / "mkdocs.yml")["nav"]
    entries = [entry for section in nav for value in section.values() for entry in _listed(value)]
    pages = [path.relative_to(ROOT / "docs").as_posix() for path in ROOT.glob("docs/**/*.md")]

    assert sorted(entries) == sorted([*pages, *site_pages.PAGES.values(), site_pages.REFERENCE])


def _listed(value):
    entries = value if isinstance(value, list) else [value]
    return [next(iter(entry.values())) if isinstance(entry, dict) else entry for entry in entries]


def test_a_notebook_is_shown_with_its_outputs_and_nothing_is_run(tmp_path):
    html, text = ["<table>\n", "\n", "<tr></table>"], ["1 < 2\n"]
    cells = [
        {"cell_type": "markdown", "source": ["# A title\n", "[a](data.md)"]},
        {
            "cell_type": "code",
            "source": "1 / 0",
            "outputs": [
                {"output_type": "stream", "text": text},
                {"output_type": "execute_result", "data": {"text/html": html, "text/plain": "t"}},
            ],
        },
    ]
    path = tmp_path / "a.ipynb"
    path.write_text(json.dumps({"cells": cells}))

    assert notebook_page(path).split("\n\n") == [
        "# A title\n[a](data.md)",
        "```python\n1 / 0\n```",
        "<pre><code>1 &lt; 2</code></pre>",
        '<div class="md-typeset__scrollwrap">\n<table>\n<tr></table>\n</div>\n',
    ]


def test_the_reference_describes_every_public_name():
    described = [line for line in site_pages.reference().splitlines() if line.startswith(":::")]

    assert described == [
        f"::: shakeproof.{name}" for name in sorted(shakeproof.__all__) if name != "__version__"
    ]


@pytest.mark.parametrize(
    "tag",
    [
        '<script src="https://example.org/a.js"></script>',
        "<link rel=stylesheet href=//example.org/a.css>",
        '<img alt="" src="http://example.org/a.png">',
    ],
)
def test_a_page_that_loads_from_the_network_is_refused(tmp_path, tag):
    (tmp_path / "a.html").write_text(f'<a href="https://example.org">fine</a>{tag}')

    with pytest.raises(PluginError, match=r"a\.html loads something from the network"):
        site_pages.on_post_build(SimpleNamespace(site_dir=tmp_path))


def test_links_to_other_sites_are_allowed(tmp_path):
    (tmp_path / "a.html").write_text('<a href="https://example.org">fine</a><img src="b.png">')

    site_pages.on_post_build(SimpleNamespace(site_dir=tmp_path))
