"""Protects who opens anything at all in the window: the right words are marked, one message for a fault, no text lost.

The window is the real one, with the real engine on a tiny model. A question or a warning that no test expects fails it.
"""

from __future__ import annotations

import errno
import os
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QMimeData, QPointF, QSettings, Qt, QUrl
from PySide6.QtGui import QDropEvent, QPainter, QTextCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMessageBox, QWidget
from pytestqt.qtbot import QtBot

from app.main_window.window import MainWindow
from app.settings.settings import Settings
from core.engine.engine import Engine
from tests.reliability.bad_texts import MIXED, UNCLOSED

BIASED = "The chairman reveals a shameful record.\n"
WORDS = ["chairman", "reveals", "shameful"]
ENDINGS = {"plain": ".txt", "markdown": ".md", "wikitext": ".wikitext"}
TIMEOUT_MS = 60_000
Button = QMessageBox.StandardButton


class Desk:
    """A window, what it asked and what it warned of; ``reply`` is the answer to the next questions."""

    def __init__(self, qtbot: QtBot, folder: Path, *, bundle: Path) -> None:
        store = QSettings(str(folder / "settings.ini"), QSettings.Format.IniFormat)
        self.window = MainWindow(Settings(store), load=lambda: Engine.load(bundle))
        self.editor = self.window.ui.editor
        self.said: list[str] = []
        self.reply: QMessageBox.StandardButton | None = None
        self._qtbot = qtbot
        qtbot.addWidget(self.window, before_close_func=lambda _: self.editor.document().setModified(False))
        self.window.resize(1000, 700)
        self.window.show()
        qtbot.waitExposed(self.window)

    def ask(self, _window: QWidget, title: str, text: str, *_: object) -> QMessageBox.StandardButton:
        """Stands for the message boxes."""
        self.said.append(f"{title}: {text}")
        assert self.reply is not None, self.said[-1]
        return self.reply

    def open(self, path: Path) -> bool:
        """Open a file as a drop on the window does."""
        data = QMimeData()
        data.setUrls([QUrl.fromLocalFile(str(path))])
        button, keys = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
        self.window.dropEvent(QDropEvent(QPointF(5, 5), Qt.DropAction.CopyAction, data, button, keys))
        return self.window.components.documents.session.path == path.absolute()

    def save(self) -> None:
        """Give the command."""
        self.window.ui.actions["save"].trigger()

    def marked(self, words: list[str]) -> None:
        """Wait until exactly these words are marked, and see that each mark lies on its words."""
        self._qtbot.waitUntil(
            lambda: [mark.finding.text for mark in self.editor.marks] == words, timeout=TIMEOUT_MS
        )
        for mark in self.editor.marks:
            cursor = self.editor.textCursor()
            cursor.setPosition(mark.start)
            cursor.setPosition(mark.end, QTextCursor.MoveMode.KeepAnchor)
            assert cursor.selectedText() == mark.finding.text

    def told(self, words: str) -> None:
        """Wait until the panel of issues says this."""
        self._qtbot.waitUntil(lambda: any(words in text for text in self.panel_texts()), timeout=TIMEOUT_MS)

    def panel_texts(self) -> list[str]:
        """What the panel of issues says to a screen reader."""
        return [part.accessibleName() for part in self.window.ui.findings_dock.findChildren(QWidget)]


Make = Callable[..., Desk]


@pytest.fixture
def make(qtbot: QtBot, tmp_path: Path, tiny_bundle: Path, monkeypatch: pytest.MonkeyPatch) -> Make:
    """Opens a window, on a file if one is given."""

    def desk(path: Path | None = None, *, bundle: Path = tiny_bundle) -> Desk:
        one = Desk(qtbot, tmp_path, bundle=bundle)
        for name in ("question", "warning"):
            monkeypatch.setattr(QMessageBox, name, one.ask)
        if path is not None:
            assert one.open(path)
        return one

    return desk


def written(folder: Path, content: str | bytes, name: str = "draft.txt") -> Path:
    path = folder / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


# Next to nothing, and very much


def test_next_to_nothing_opens_and_can_be_written_on(make: Make, tmp_path: Path) -> None:
    desk = make()
    for name, source, words in (("a.txt", "", []), ("b.txt", "law", []), ("c.txt", "shameful", ["shameful"])):
        path = written(tmp_path, source, name)
        assert desk.open(path)
        desk.marked(words)
        assert desk.window.ui.message_bar.text == ""
        desk.editor.moveCursor(QTextCursor.MoveOperation.End)
        QTest.keyClicks(desk.editor, " The chairman said.")
        desk.marked([*words, "chairman"])
        desk.save()
        assert path.read_text(encoding="utf-8") == source + " The chairman said."


def test_five_megabytes_are_marked_to_the_end_and_saved_whole(make: Make, tmp_path: Path) -> None:
    filler = ("The law of the people is new to the senator " * 12 + "and to this record.\n") * 4800
    source = filler + BIASED + filler + BIASED
    assert len(source) > 5_000_000
    path = written(tmp_path, source)
    desk = make(path)
    QTest.keyClicks(desk.editor, "Shameful. ")
    desk.marked(["Shameful", *WORDS, *WORDS])
    desk.editor.moveCursor(QTextCursor.MoveOperation.End)
    desk.window.ui.actions["previous"].trigger()
    assert desk.editor.textCursor().position() == len("Shameful. ") + source.rindex("shameful")
    desk.save()
    assert path.read_text(encoding="utf-8") == "Shameful. " + source


def test_a_line_of_100_000_characters_is_underlined_at_its_end(make: Make, tmp_path: Path) -> None:
    source = "the law and the people " * 4400 + "said shameful things"
    path = written(tmp_path, source)
    desk = make(path)
    desk.marked(["shameful"])
    desk.window.ui.actions["next"].trigger()
    (box,) = desk.editor.rects_of(desk.editor.marks[0])
    assert word_at(desk, box.center()) == "shameful"
    QTest.keyClicks(desk.editor, "so ")
    desk.save()
    assert path.read_text(encoding="utf-8") == source.replace("shameful", "so shameful")


# Encodings


def test_the_encoding_that_was_assumed_is_said_and_kept(make: Make, tmp_path: Path) -> None:
    text = "“Café” – très naïf, and a shameful law.\r\n"
    path = written(tmp_path, text.encode("windows-1252"))
    desk = make(path)
    assert "it was read as Windows-1252 (Western European)" in desk.window.ui.message_bar.text
    assert "Windows-1252" in desk.window.ui.status_bar.document_text
    desk.marked(["shameful"])
    desk.editor.textCursor().insertText("é ")
    desk.save()
    assert path.read_bytes() == ("é " + text).encode("windows-1252")


def test_half_a_character_pair_is_refused_once_and_the_text_stays(
    make: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk = make(path := written(tmp_path, BIASED))
    QTest.keyClicks(desk.editor, "x")
    monkeypatch.setattr(desk.editor, "text", lambda: "x\ud83d" + BIASED)
    desk.reply = Button.Save
    desk.save()
    (said,) = desk.said
    assert "half of a surrogate pair (character 2) cannot be written in UTF-8. Remove it." in said
    assert desk.window.components.documents.modified
    assert path.read_bytes() == BIASED.encode()


def test_a_nul_that_is_pasted_cannot_lock_the_file(make: Make, tmp_path: Path) -> None:
    desk = make(path := written(tmp_path, BIASED))
    data = QMimeData()
    data.setText("one\0two ")
    desk.editor.insertFromMimeData(data)
    desk.save()
    assert path.read_bytes() == b"onetwo " + BIASED.encode()
    assert desk.open(written(tmp_path, "", "other.txt"))
    assert desk.open(path)


@pytest.mark.skipif(os.name == "nt", reason="file names of POSIX")
def test_a_file_name_that_is_no_text_is_opened_and_saved(make: Make, tmp_path: Path) -> None:
    path = Path(os.fsdecode(os.fsencode(tmp_path) + b"/dr\xffaft.txt"))
    try:
        path.write_text(BIASED, encoding="utf-8")
    except OSError:
        pytest.skip("this file system takes only names that are text")
    desk = make()
    desk.window.open_initial([str(path)])
    desk.marked(WORDS)
    QTest.keyClicks(desk.editor, "x")
    desk.save()
    assert path.read_text(encoding="utf-8") == "x" + BIASED
    assert desk.window.close()


# Line ends, writing of the world, mark-up


def test_mixed_line_ends_are_kept_but_for_the_edit(make: Make, tmp_path: Path) -> None:
    lines = b"The law.\r\n\r\nIt is shameful.\nHe said it\rto the chairman.\n\rThe end.\r\n"
    path = written(tmp_path, lines)
    desk = make(path)
    desk.marked(["shameful", "chairman"])
    desk.window.ui.actions["next"].trigger()
    QTest.keyClicks(desk.editor, "so ")
    desk.editor.moveCursor(QTextCursor.MoveOperation.Down)
    desk.editor.moveCursor(QTextCursor.MoveOperation.EndOfLine)
    QTest.keyClick(desk.editor, Qt.Key.Key_Return)
    QTest.keyClicks(desk.editor, "again")
    desk.save()
    assert path.read_bytes() == (
        b"The law.\r\n\r\nIt is so shameful.\nHe said it\ragain\r\nto the chairman.\n\rThe end.\r\n"
    )
    while desk.editor.document().isUndoAvailable():
        desk.editor.undo()
    desk.save()
    assert path.read_bytes() == lines


def word_at(desk: Desk, point: QPointF) -> str:
    """The run of Latin letters on which a click at a point of the viewport puts the caret."""
    cursor = desk.editor.cursorForPosition(point.toPoint())
    text, at = cursor.block().text().encode("utf-16-le"), 2 * cursor.positionInBlock()
    before, after = text[:at].decode("utf-16-le"), text[at:].decode("utf-16-le")
    return "".join(re.findall(r"[A-Za-z]*$", before)[:1] + re.findall(r"^[A-Za-z]*", after))


def test_the_underline_sits_on_the_right_word(
    make: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn: list[QPointF] = []

    def record(_painter: QPainter, _kind: object, ends: tuple[float, float], **place: Any) -> None:
        drawn.append(QPointF(sum(ends) / 2, place["baseline"] - 2))

    monkeypatch.setattr("app.editor.marked_text.draw_underline", record)
    desk = make()
    expected = ["shameful", "reveals", "chairman"] * 3
    for writing, text in MIXED.items():
        source = f"{text}\n\n{text} {text}"
        assert desk.open(path := written(tmp_path, source, f"{writing}.txt"))
        desk.marked(expected)
        drawn.clear()
        desk.editor.viewport().grab()
        assert [word_at(desk, point) for point in drawn] == expected, writing
        for mark in desk.editor.marks:
            for box in desk.editor.rects_of(mark):
                assert desk.editor.mark_at_point(box.center()) == mark
        desk.window.ui.actions["next"].trigger()
        QTest.keyClicks(desk.editor, "so ")
        desk.save()
        assert path.read_text(encoding="utf-8") == source.replace("shameful", "so shameful", 1)


def test_mark_up_that_is_never_closed_hides_nothing(make: Make, tmp_path: Path) -> None:
    desk = make()
    openings = [(form, opening) for form, some in UNCLOSED.items() for opening in some]
    for number, (form, opening) in enumerate(openings):
        source = f"The {opening} shameful law.\n\nThe chairman reveals it, {number}.\n"
        path = written(tmp_path, source, f"{number}{ENDINGS[form]}")
        assert desk.open(path)
        desk.marked(["shameful", "chairman", "reveals"])
        assert desk.window.ui.message_bar.text == ""
        desk.window.components.documents.save()
        assert path.read_text(encoding="utf-8") == source


# The model


def test_a_broken_model_is_told_and_read_with_once_it_is_whole(
    make: Make, tmp_path: Path, tiny_bundle: Path, broken: tuple[Path, str]
) -> None:
    folder, said = broken
    path = written(tmp_path, BIASED)
    desk = make(path, bundle=folder)
    desk.told(said)
    assert sum(said in text for text in desk.panel_texts() if text) >= 1
    assert desk.window.ui.status_bar.analysis_text == "not analysed"
    QTest.keyClicks(desk.editor, "x")
    desk.save()
    assert path.read_text(encoding="utf-8") == "x" + BIASED
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(tiny_bundle, folder)
    desk.window.ui.actions["analyse"].trigger()
    desk.marked(WORDS)
    assert not any(said in text for text in desk.panel_texts())


# Files that cannot be read or written


@pytest.mark.parametrize(
    ("fault", "said"),
    [
        (
            PermissionError(errno.EACCES, "Permission denied"),
            "you have no permission. Change the permissions",
        ),
        (
            FileNotFoundError(errno.ENOENT, "No such file"),
            "the file or its folder does not exist. Check the name",
        ),
    ],
)
def test_a_file_that_cannot_be_opened_is_told_and_the_draft_stays(
    make: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fault: OSError, said: str
) -> None:
    desk = make(written(tmp_path, BIASED))
    desk.marked(WORDS)
    other = written(tmp_path, "listed a moment ago", "other.txt")
    opened = os.open

    def failing(path: Any, *args: Any, **options: Any) -> int:
        if path == other:
            raise fault
        return opened(path, *args, **options)

    monkeypatch.setattr(os, "open", failing)
    assert not desk.open(other)
    assert desk.window.ui.message_bar.text.startswith("other.txt cannot be read: ")
    assert said in desk.window.ui.message_bar.text
    assert "save it" not in desk.window.ui.message_bar.text
    assert (desk.editor.text(), [mark.finding.text for mark in desk.editor.marks]) == (BIASED, WORDS)
    assert desk.window.windowTitle().startswith("draft.txt")


def test_a_recent_file_that_may_not_be_looked_for_is_told_and_stays_listed(
    make: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk = make(path := written(tmp_path, BIASED))

    def locked(path: Path, *_: object, **__: object) -> Any:
        raise PermissionError(errno.EACCES, "Permission denied", str(path))

    with monkeypatch.context() as guarded:
        guarded.setattr(Path, "open", locked)
        guarded.setattr(Path, "stat", locked)
        desk.window.components.documents.open(path)
    assert "you have no permission" in desk.window.ui.message_bar.text
    assert desk.window.settings.recent == [path]


def test_a_folder_that_vanished_is_told_at_save_and_the_text_stays(make: Make, tmp_path: Path) -> None:
    (tmp_path / "stick").mkdir()
    desk = make(path := written(tmp_path / "stick", BIASED))
    QTest.keyClicks(desk.editor, "x")
    shutil.rmtree(path.parent)
    desk.reply = Button.Ok
    desk.save()
    (said,) = desk.said
    assert (
        "draft.txt was not saved: the file or its folder does not exist. Check the name, or save it elsewhere"
        in said
    )
    assert desk.window.components.documents.modified
    path.parent.mkdir()
    desk.save()
    assert path.read_text(encoding="utf-8") == "x" + BIASED
    assert not desk.window.components.documents.modified


@pytest.mark.parametrize("way", ["close", "open", "new"])
def test_on_a_full_disk_no_way_out_of_the_draft_loses_it(
    make: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, way: str
) -> None:
    desk = make(path := written(tmp_path, BIASED))
    other = written(tmp_path, "Other.", "other.txt")
    QTest.keyClicks(desk.editor, "x")

    def full(*_: object) -> int:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    ways: dict[str, Callable[[], object]] = {
        "close": desk.window.close,
        "open": lambda: desk.open(other),
        "new": desk.window.ui.actions["new"].trigger,
    }
    desk.reply = Button.Save
    with monkeypatch.context() as disk:
        disk.setattr(os, "write", full)
        ways[way]()
    assert [said.partition(":")[0] for said in desk.said] == ["Unsaved changes", "Not saved"]
    assert "the disk is full. Free some space, or save it on another disk" in desk.said[1]
    assert desk.window.isVisible()
    assert (desk.editor.text(), desk.window.components.documents.modified) == ("x" + BIASED, True)
    assert path.read_bytes() == BIASED.encode()
    assert not list(tmp_path.glob(".*evenhand-save"))
    ways[way]()
    assert path.read_text(encoding="utf-8") == "x" + BIASED
    assert not desk.window.components.documents.modified
