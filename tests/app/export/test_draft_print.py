"""Protects printing: the whole draft or what is selected, on pages, and nothing if the person cancels."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtPrintSupport import QPrintDialog, QPrinter
from windows import Make


def printing_to(
    monkeypatch: pytest.MonkeyPatch, path: Path, *, selection: bool = False, accept: bool = True
) -> None:
    """Answer the dialog: print into a PDF."""

    def answer(dialog: QPrintDialog) -> int:
        printer = dialog.printer()
        printer.setOutputFormat(QPrinter.OutputFormat.PdfFormat)
        printer.setOutputFileName(str(path))
        if selection:
            printer.setPrintRange(QPrinter.PrintRange.Selection)
        return int(accept)

    monkeypatch.setattr(QPrintDialog, "exec", answer)


def pages(path: Path) -> int:
    data = path.read_bytes()
    return data.count(b"/Type /Page\n") + data.count(b"/Type /Page ") + data.count(b"/Type/Page/")


def test_a_draft_is_printed_on_pages(make: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    window = make("A plan with a shameful end.\n\n" * 120)
    path = tmp_path / "out.pdf"
    printing_to(monkeypatch, path)
    window.ui.actions["print"].trigger()
    assert pages(path) > 1
    assert not window.components.documents.modified


def test_only_what_is_selected_is_printed_if_that_is_chosen(
    make: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    window = make("A plan with a shameful end.\n\n" * 120)
    window.ui.editor.go_to(0, 40)
    path = tmp_path / "out.pdf"
    printing_to(monkeypatch, path, selection=True)
    window.ui.actions["print"].trigger()
    assert pages(path) == 1


def test_who_cancels_prints_nothing(make: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    window = make()
    path = tmp_path / "out.pdf"
    printing_to(monkeypatch, path, accept=False)
    window.ui.actions["print"].trigger()
    assert not path.exists()
