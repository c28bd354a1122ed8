"""Protects ``train table``: ``--show`` needs no corpus, and each table has only the options of its paper."""

from __future__ import annotations

from pathlib import Path

import pytest

from training.cli import main
from training.cli.table import tables

TABLES = tables()


@pytest.fixture(autouse=True)
def no_corpora(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("EVENHAND_DATA", raising=False)


@pytest.mark.parametrize(
    "table", sorted(name for name, one in TABLES.items() if one.has_cells and not one.shows_corpus)
)
def test_kept_results_need_no_corpora(table: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main.main(["table", table, "--show", "--out", str(tmp_path)]) == 0
    assert len(capsys.readouterr().out.splitlines()) > 4


@pytest.mark.parametrize("table", sorted(name for name, one in TABLES.items() if not one.has_cells))
def test_a_table_without_stored_results_says_so(
    table: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main.main(["table", table, "--show", "--out", str(tmp_path)]) == 2
    assert "Run it without --show" in capsys.readouterr().err


def test_making_a_table_needs_corpora(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main.main(["table", "bsw-4", "--out", str(tmp_path)]) == 2
    assert "--data DIR" in capsys.readouterr().err
