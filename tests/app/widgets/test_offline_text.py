"""Protects the window from texts that name files and addresses: nothing is opened, and links lead to HTTPS alone."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from PySide6.QtCore import QByteArray, QUrl
from PySide6.QtGui import QDesktopServices, QTextDocument
from pytestqt.qtbot import QtBot

from app.widgets import links
from app.widgets.links import LinkLabel, open_web_address
from app.widgets.offline_text import OfflineBrowser, OfflineDocument

ROOT = Path(__file__).resolve().parents[3]
NAMING = (
    '<img src="{file}">',
    '<body background="{file}">words</body>',
    '<table background="{file}"><tr><td background="{file}">words</td></tr></table>',
    '<link rel="stylesheet" href="{file}"><p>words',
    "<style>@import url({file});</style><p>words",
    '<style>p {{ background-image: url({file}); }}</style><p style="background-image: url({file})">words',
    '<ul style="list-style-image: url({file})"><li>words</ul>',
    '<object data="{file}">words</object>',
    "![words]({file})\n\n[link]({file})",
    '# A card\n\n<img src="{file}">\n\n<body background="{file}">',
)

# A pipe never answers: a program that opens one stands still.
PROGRAM = """
import sys
from PySide6.QtCore import QMimeData, QPoint
from PySide6.QtWidgets import QApplication, QMessageBox, QToolTip
from app.comparison.diff_view import DiffView
from app.editor.editor import text_from_mime
from app.help.dialogs import Page
from app.widgets.dialogs import run_in_thread_and_wait
from app.widgets.labels import ElidedLabel, WrapLabel
from app.widgets.offline_text import OfflineDocument
from app.widgets.plain_text import PlainLabel, plain_text, show_tooltip
from core.text.diff import compare_texts

app = QApplication([])
for text in sys.argv[1:]:
    pages = [Page("", text), Page("", "")]
    pages[1].setHtml(text)
    view = DiffView()
    view.show_difference(compare_texts(text, "x", stopped=lambda: False))
    labels = [PlainLabel(text), WrapLabel(text), ElidedLabel()]
    labels[2].setText(text)
    box = QMessageBox(QMessageBox.Icon.Question, "Title", plain_text(text))
    for widget in (*pages, view, *labels, box):
        widget.setToolTip(plain_text(text))
        widget.resize(200, 100)
        widget.show()
        widget.grab()
    show_tooltip(QPoint(5, 5), text, labels[0])
    app.processEvents()
    QToolTip.hideText()
    document = OfflineDocument()
    document.setHtml(text)
    document.size()
    data = QMimeData()
    data.setHtml(text)
    assert "img" not in text_from_mime(data)
    print("done", flush=True)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="a pipe is no file there")
def test_nothing_that_a_text_names_is_opened(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe.png"
    os.mkfifo(pipe)
    texts = [text.format(file=file) for text in NAMING for file in (pipe.as_uri(), str(pipe))]
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, *texts],
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
        env={**os.environ, "QT_QPA_PLATFORM": "offscreen", "QT_SCALE_FACTOR": "2"},
        cwd=ROOT,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == ["done"] * len(texts)


def test_every_resource_is_empty(qtbot: QtBot) -> None:
    browser = OfflineBrowser()
    qtbot.addWidget(browser)
    for document in (OfflineDocument(), browser.document()):
        for kind in QTextDocument.ResourceType:
            for address in (
                __file__,
                Path(__file__).as_uri(),
                "//host/share/x",
                "data:image/png;base64,AAAA",
            ):
                assert document.resource(kind.value, QUrl(address)) == QByteArray()


def test_a_picture_takes_no_room(qtbot: QtBot) -> None:
    browser = OfflineBrowser()
    qtbot.addWidget(browser)
    browser.setMarkdown("before ![words](missing.png) after")
    browser.show()
    browser.grab()
    assert "before" in browser.toPlainText()


@pytest.mark.parametrize(
    ("address", "opens"),
    [
        ("https://en.wikipedia.org/wiki/MOS:WTW", True),
        ("HTTPS://example.org", True),
        ("http://example.org", False),
        ("file:///etc/passwd", False),
        ("smb://host/share", False),
        ("//host/share", False),
        ("\\\\host\\share", False),
        ("ms-msdt:/id", False),
        ("mailto:a@example.org", False),
        ("https:", False),
        ("card.html", False),
        ("", False),
    ],
)
def test_a_link_opens_if_it_is_https(monkeypatch: pytest.MonkeyPatch, address: str, opens: bool) -> None:
    opened: list[str] = []
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda url: bool(opened.append(url.toString())) or True)
    assert open_web_address(address) is opens
    assert open_web_address(QUrl(address)) is opens
    assert len(opened) == 2 * opens


def test_a_page_opens_its_links_so(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[str] = []
    monkeypatch.setattr(links.QDesktopServices, "openUrl", lambda url: opened.append(url.toString()))
    browser = OfflineBrowser()
    qtbot.addWidget(browser)
    browser.setMarkdown("[a](file:///etc/passwd) [b](https://example.org/)")
    for address in ("file:///etc/passwd", "https://example.org/"):
        browser.anchorClicked.emit(QUrl(address))
    assert opened == ["https://example.org/"]
    assert "a b" in browser.toPlainText()


def test_links_follow_the_theme(qtbot: QtBot) -> None:
    label = LinkLabel()
    qtbot.addWidget(label)
    label.show_links([("A <b>guide</b>", 'https://example.org/?a="b"')])
    palette = label.palette()
    before = palette.link().color().name()
    palette.setColor(palette.ColorRole.Link, "#abcdef")
    label.setPalette(palette)
    assert before != "#abcdef"
    assert "#abcdef" in label.text()
    assert before not in label.text()
    assert "A &lt;b&gt;guide&lt;/b&gt;" in label.text()
