"""Protects words of others from being read as HTML in labels, boxes and tooltips; walks the source for new ones."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import Qt
from PySide6.QtGui import QTextDocument
from pytestqt.qtbot import QtBot

from app.widgets.labels import ElidedLabel, WrapLabel
from app.widgets.plain_text import PlainLabel, plain_text

APP = Path(__file__).resolve().parents[3] / "app"
# These modules make what the others use.
MAKERS = {"widgets/plain_text.py", "widgets/links.py", "widgets/offline_text.py"}
# A document of QPlainTextEdit, and a class that only holds a selection.
NEVER_RICH = {("editor/marked_text.py", "QTextDocument"), ("export/draft_print.py", "QTextDocument")}
RICH_CLASSES = {"QLabel", "QTextDocument", "QTextBrowser", "QTextEdit", "QErrorMessage", "QGraphicsTextItem"}
BOXES = {"question": 2, "warning": 2, "information": 2, "critical": 2, "about": 2}
TIPS = {"setToolTip", "setWhatsThis", "setInformativeText", "setDetailedText"}


@given(
    st.text(
        st.characters(codec="utf-8", exclude_categories=("Cc", "Cs", "Zl", "Zp", "Co", "Cn")), max_size=20
    )
)
def test_a_text_is_shown_as_it_stands(words: str) -> None:
    for text in (words, f"<b>{words}</b>", f"&lt;{words}", f"{words}\n<img src='x'>  {words}"):
        given_to_qt = plain_text(text)
        if given_to_qt == text:
            assert "<" not in text
            assert "&lt;" not in text
        else:
            document = QTextDocument()
            document.setHtml(given_to_qt)
            assert document.toPlainText() == text.replace("\u00a0", " ")


def test_labels_read_no_html(qtbot: QtBot) -> None:
    for label in (PlainLabel("<b>x</b>"), WrapLabel("<b>x</b>"), ElidedLabel()):
        qtbot.addWidget(label)
        assert label.textFormat() is Qt.TextFormat.PlainText


# The source


def modules() -> Iterator[tuple[str, ast.Module]]:
    for path in sorted(APP.rglob("*.py")):
        name = path.relative_to(APP).as_posix()
        if name not in MAKERS:
            yield name, ast.parse(path.read_text(encoding="utf-8"))


def name_of(node: ast.expr) -> str:
    return node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""


def is_plain(node: ast.expr | None) -> bool:
    """Whether a text is Evenhand's own, or goes through ``plain_text``."""
    match node:
        case None | ast.Constant():
            return True
        case ast.IfExp():
            return is_plain(node.body) and is_plain(node.orelse)
        case ast.Call():
            return name_of(node.func) in ("tr", "ntr", "plain_text", "toolTip")
    return False


def texts_to_check(call: ast.Call) -> list[ast.expr]:
    """The arguments of a call in which Qt would find HTML."""
    name = name_of(call.func)
    if name in TIPS:
        return call.args[-1:]
    if isinstance(call.func, ast.Attribute) and name_of(call.func.value) == "QMessageBox" and name in BOXES:
        return call.args[BOXES[name] : BOXES[name] + 1]
    if (
        name == "setText"
        and isinstance(call.func, ast.Attribute)
        and name_of(call.func.value).endswith("box")
    ):
        return call.args[:1]
    if name == "QProgressDialog":
        return call.args[:1]
    return []


def test_every_box_and_tooltip_shows_plain_text() -> None:
    wrong = [
        f"{module}:{call.lineno}"
        for module, tree in modules()
        for call in ast.walk(tree)
        if isinstance(call, ast.Call)
        and not all(is_plain(text) for text in texts_to_check(call))
        # A check box is no message box.
        and not (name_of(call.func) == "setText" and "check" in ast.unparse(call.func))
    ]
    assert not wrong, f"give these texts to plain_text: {wrong}"


def test_nothing_else_shows_rich_text() -> None:
    """Labels are ``PlainLabel``, pages ``OfflineBrowser``, tooltips shown by ``show_tooltip``."""
    wrong = []
    for module, tree in modules():
        for node in ast.walk(tree):
            if isinstance(node, ast.Call):
                name = name_of(node.func)
                if name in RICH_CLASSES and (module, name) not in NEVER_RICH:
                    wrong.append(f"{module}:{node.lineno} {name}")
                if name in ("fromHtml", "setTextFormat", "appendHtml", "insertHtml"):
                    wrong.append(f"{module}:{node.lineno} {name}")
                if name == "showText" and name_of(getattr(node.func, "value", node)) == "QToolTip":
                    wrong.append(f"{module}:{node.lineno} QToolTip.showText")
                if name == "openUrl" and "fromLocalFile" not in ast.unparse(node):
                    wrong.append(f"{module}:{node.lineno} openUrl")
            if isinstance(node, ast.ClassDef):
                wrong += [
                    f"{module}:{node.lineno} {name_of(base)}"
                    for base in node.bases
                    if name_of(base) in RICH_CLASSES
                ]
    assert not wrong, wrong


def test_the_tooltips_of_lists_and_tables_are_plain() -> None:
    wrong = []
    for module, tree in modules():
        for node in ast.walk(tree):
            test, body = None, []
            if isinstance(node, ast.match_case):
                test, body = node.pattern, node.body
            elif isinstance(node, ast.If):
                test, body = node.test, node.body
            if test is None or "ToolTipRole" not in ast.unparse(test):
                continue
            returned = [one.value for part in body for one in ast.walk(part) if isinstance(one, ast.Return)]
            if not returned or not all(is_plain(one) for one in returned):
                wrong.append(f"{module}:{body[0].lineno}")
    assert not wrong, f"return plain_text(…) for ToolTipRole: {wrong}"


@pytest.mark.parametrize(
    ("source", "right"),
    [
        ("x.setToolTip(name)", False),
        ("x.setToolTip(f'{name}')", False),
        ("x.setToolTip(tr('a {b}').format(b=b))", False),
        ("x.setToolTip(tr('a'))", True),
        ("x.setToolTip(plain_text(name))", True),
        ("item.setToolTip(0, name)", False),
        ("QMessageBox.question(self, title, text)", False),
        ("QMessageBox.question(self, title, plain_text(text))", True),
        ("box.setText(name)", False),
        ("QProgressDialog(name, 'a')", False),
    ],
)
def test_the_walk_tells_what_is_plain(source: str, right: bool) -> None:
    (call,) = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call)][:1]
    assert all(is_plain(text) for text in texts_to_check(call)) is right
