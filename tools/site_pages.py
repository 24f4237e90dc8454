"""What the documentation site has beside docs/: the README and others, the reference, reports.

mkdocs calls the functions whose names begin with `on_`.
"""

from __future__ import annotations

import os
import posixpath
import re
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File, Files
from mkdocs.structure.nav import Link, Navigation
from mkdocs.structure.pages import Page
from site_notebooks import ENDING, notebook_page

import shakeproof

ROOT = Path(__file__).parent.parent
REPORTS = {  # files of build/report, which `make site` writes, and their titles
    "report.html": "A report on rated captions",
    "robust-bertscore.html": "The report of Vu et al.'s experiments",
    "parascore.html": "The report of Shen et al.'s experiments",
}
PAGES = {  # of the repository, and where they are on the site
    "README.md": "index.md",
    "CHANGELOG.md": "changelog.md",
    "CONTRIBUTING.md": "contributing.md",
    "SECURITY.md": "security.md",
    "checklist/samples/README.md": "samples.md",
}
REFERENCE = "reference.md"
INTRODUCTION = """\
# Python reference

What `import shakeproof` offers. [From Python](python.md) shows how it is used.
"""
LINK = re.compile(r"(!?)\[([^\]]*)\]\((?!https?:|#|mailto:)([^)#\s]+)(#[^)\s]*)?\)")
LOADED = re.compile(r"<(?:script|link|img|iframe)\b[^>]*\b(?:src|href)=[\"']?(?:https?:)?//[^>]*>")


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """List the notebooks, and let readers choose the version of a site that mike deploys."""
    section = next(section["Use"] for section in config.nav or () if "Use" in section)
    section += [page_of(f"docs/{path.name}") for path in notebooks()]
    if os.environ.get("MIKE_DOCS_VERSION"):
        config.extra["version"] = {"provider": "mike"}
    return config


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add pages of the repository, the Python reference, and the reports that were made."""
    for path, page in PAGES.items():
        content = (ROOT / path).read_text(encoding="utf-8")
        files.append(File.generated(config, page, content=site_links(content, path)))
    files.append(File.generated(config, REFERENCE, content=reference()))
    for path in notebooks():
        page = page_of(f"docs/{path.name}") or path.name
        files.append(File.generated(config, page, content=notebook_page(path)))
    for path in reports():
        files.append(File.generated(config, path.name, abs_src_path=str(path)))
    return files


def reports() -> list[Path]:
    """Return the reports that were made."""
    paths = (ROOT / "build" / "report" / name for name in REPORTS)
    return [path for path in paths if path.exists()]


def notebooks() -> list[Path]:
    """Return the notebooks of docs/."""
    return sorted((ROOT / "docs").glob(f"*{ENDING}"))


def on_nav(nav: Navigation, config: MkDocsConfig, files: Files) -> Navigation:
    """List the reports and the gallery, which are no pages of mkdocs."""
    results = next(item for item in nav.items if item.title == "Results")
    results.children[:0] = [Link(REPORTS[path.name], path.name) for path in reports()]
    reference = next(item for item in nav.items if item.title == "Reference")
    reference.children.insert(1, Link("Gallery of perturbations", "gallery.html"))
    return nav


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Point links of docs/ to files outside of it to their pages on the site."""
    if page.file.src_uri in {*PAGES.values(), REFERENCE}:
        return markdown
    return site_links(markdown, f"docs/{page.file.src_uri}")


def on_post_build(config: MkDocsConfig) -> None:
    """Refuse a site that loads anything from the network."""
    for page in Path(config.site_dir).rglob("*.html"):
        if loaded := LOADED.search(page.read_text(encoding="utf-8")):
            raise PluginError(f"{page.name} loads something from the network: {loaded[0]}")


def site_links(markdown: str, path: str) -> str:
    """Rewrite the links of the file at `path`; of a link that leads nowhere the text remains."""
    here = page_of(path) or ""

    def link(match: re.Match[str]) -> str:
        image, text, target, anchor = match.groups()
        there = page_of(posixpath.normpath(posixpath.join(posixpath.dirname(path), target)))
        if there is None:
            return text
        relative = posixpath.relpath(there, posixpath.dirname(here) or ".")
        return f"{image}[{text}]({relative}{anchor or ''})"

    return LINK.sub(link, markdown)


def page_of(path: str) -> str | None:
    """Return where a file of the repository is on the site; None if it is not there."""
    if path in PAGES:
        return PAGES[path]
    if not path.startswith("docs/"):
        return None
    below = path.removeprefix("docs/")
    if below.endswith(ENDING):
        return f"{below.removesuffix(ENDING)}.md"
    return f"{below}/README.md" if (ROOT / path).is_dir() else below


def reference() -> str:
    """Return a page that describes every public name by its docstring and types."""
    names = sorted(name for name in shakeproof.__all__ if not name.startswith("_"))
    return "\n".join([INTRODUCTION, *(f"::: shakeproof.{name}\n" for name in names)])
