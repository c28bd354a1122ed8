"""Protects docs/results.md: it shows the saved results as they are now."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from training.cli import main
from training.cli.table import tables
from training.papers import results_commands
from training.papers.results_commands import OPTIONS, PAGE, TOO_LONG


@pytest.fixture(scope="module")
def page() -> str:
    return results_commands.page()


def test_the_page_is_up_to_date(page: str) -> None:
    assert PAGE.read_text(encoding="utf-8") == page, "docs/results.md is stale. Run `evenhand train results`."


def test_every_table_with_saved_results_is_on_the_page(page: str) -> None:
    saved = {name for name, table in tables().items() if table.has_cells}
    assert {*OPTIONS, *TOO_LONG} <= saved
    for name in saved:
        assert f"evenhand train table {name} " in page, name


def test_the_page_has_no_row_without_results(page: str) -> None:
    rows = [line for line in page.splitlines() if line.startswith("|")]
    assert len(rows) > 200
    assert not [row for row in rows if "not run here" in row]


def test_links_lead_to_files_and_headings(page: str) -> None:
    links = re.findall(r"\]\(([^)]+)\)", page)
    anchors = {
        re.sub(r"[^\w -]", "", line.removeprefix("## ").lower()).replace(" ", "-")
        for line in page.splitlines()
        if line.startswith("## ")
    }
    for link in links:
        assert link[1:] in anchors if link.startswith("#") else (PAGE.parent / link).is_file(), link


def test_the_command_writes_the_page(page: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "results.md"
    assert main.main(["results", "--out", str(out)]) == 0
    assert out.read_text(encoding="utf-8") == page
    assert str(out) in capsys.readouterr().out
