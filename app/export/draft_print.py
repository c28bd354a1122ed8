"""Prints the draft: black on white, whatever the theme, on numbered pages."""

from __future__ import annotations

from PySide6.QtGui import QFont, QTextDocument
from PySide6.QtPrintSupport import QAbstractPrintDialog, QPrintDialog, QPrinter
from PySide6.QtWidgets import QDialog, QWidget

from app.editor.editor import TextEditor

_POINTS = 11


def print_draft(window: QWidget, editor: TextEditor, name: str) -> None:
    """Ask for a printer and print the text of ``editor``, or what is selected if that is chosen."""
    printer = QPrinter(QPrinter.PrinterMode.HighResolution)
    printer.setDocName(name)
    cursor = editor.textCursor()
    dialog = QPrintDialog(printer, window)
    dialog.setOption(QAbstractPrintDialog.PrintDialogOption.PrintSelection, cursor.hasSelection())
    if dialog.exec() == QDialog.DialogCode.Accepted:
        selected = printer.printRange() == QPrinter.PrintRange.Selection
        start, end = cursor.selectionStart(), cursor.selectionEnd()
        _print(editor.text_between(start, end) if selected else editor.text(), printer)
    dialog.deleteLater()


def _print(text: str, printer: QPrinter) -> None:
    document = QTextDocument()
    font = QFont()
    font.setPointSizeF(_POINTS)
    document.setDefaultFont(font)
    document.setPlainText(text)
    document.print_(printer)
