"""The documentation's code runs and prints what the pages say, links lead somewhere, and pages
about parts of the package have all of these parts."""

from __future__ import annotations

import re
import runpy
from pathlib import Path

import pytest

import trustvi
from cli.transcripts import differences
from documentation import PAGES, ROOT, comparable, has_code, run_page, scratch_folder

LINK = re.compile(r"\]\(([^)#:]+)(?:#[^)]*)?\)")
DOCS = ROOT / "docs"


def named(pages: list[Path]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("page", pages, ids=[page.name for page in pages])


@named([page for page in PAGES if has_code(page)])
def test_code_runs_from_top_to_bottom_and_prints_what_the_page_says(page: Path) -> None:
    with scratch_folder() as folder:
        for each in run_page(page, folder):
            wrong = differences(comparable(each.said), comparable(each.found))
            assert not wrong, "\n".join(wrong)


@named(PAGES)
def test_links_lead_to_files(page: Path) -> None:
    missing = [link for link in LINK.findall(page.read_text()) if not (page.parent / link).exists()]
    assert not missing


def test_quick_start_is_two_commands() -> None:
    section = (ROOT / "README.md").read_text().split("## Quick start\n")[1].split("\n## ")[0]
    (block,) = re.findall(r"```sh\n(.*?)```", section, re.DOTALL)
    assert len(block.splitlines()) == 2


def test_every_verdict_has_a_section_with_its_sentence() -> None:
    """### `value`, then the sentence as a quotation."""
    page = (DOCS / "verdicts.md").read_text()
    sections = re.findall(r"^### (.+)\n\n((?:> .*\n)+)", page, re.MULTILINE)
    quoted = [(title, re.sub(r"^> ", "", text, flags=re.MULTILINE)) for title, text in sections]
    found = {title: " ".join(text.split()) for title, text in quoted}
    assert found == {each.value: each.sentence for each in trustvi.Verdict}


def test_every_public_name_is_in_the_reference() -> None:
    shown = re.findall(r"^::: trustvi\.(\w+)$", (DOCS / "api.md").read_text(), re.MULTILINE)
    assert sorted(shown) == sorted(trustvi.__all__)


def test_the_command_lines_page_is_its_help() -> None:
    page = runpy.run_path(str(DOCS / "make_cli.py"))["page"]
    assert (DOCS / "cli.md").read_text("utf-8") == page(), "run: python docs/make_cli.py"


def test_every_page_is_on_the_site() -> None:
    linked = re.findall(r": (\S+\.md)$", (ROOT / "mkdocs.yml").read_text(), re.MULTILINE)
    assert {page.name for page in DOCS.glob("*.md")} == set(linked)
