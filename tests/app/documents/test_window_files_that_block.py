"""Protects the window from files that never answer: it says so, stays usable, and closes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QObject, QThread, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QProgressDialog
from pytestqt.qtbot import QtBot
from windows import TEXT, Make

from app.background import jobs, reading
from app.background.reading import BackgroundRead, run_with_timeout
from app.documents import document_controller, file_watch, recovery, session
from app.documents.journal_writer import journal_place
from app.documents.recovery import find_unsaved
from app.documents.session import FileState, Session
from app.widgets import dialogs
from core.storage import journal as journal_module
from core.storage.journal import Journal, journals_folder

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="pipes are no paths there")


@pytest.fixture
def gate() -> Iterator[threading.Event]:
    """What a file waits for that does not answer."""
    gate = threading.Event()
    yield gate
    gate.set()


def never(gate: threading.Event) -> Callable[..., object]:
    def work(*_: object, **__: object) -> object:
        gate.wait(60)
        raise OSError("no answer")

    return work


def died(session: Session, text: str) -> None:
    journal = Journal(journals_folder(), journal_place(session), text=session.text)
    journal.whole(text)
    journal.close(keep=True)


def test_a_pipe_is_refused_as_the_open_file(make: Make, tmp_path: Path) -> None:
    window = make()
    pipe = tmp_path / "pipe.md"
    os.mkfifo(pipe)
    assert not window.components.documents.open(pipe)
    assert "a device, a pipe or a socket" in window.ui.message_bar.text
    assert window.ui.editor.text() == TEXT


def test_a_file_that_becomes_a_pipe_stops_neither_watching_nor_closing(
    make: Make, qtbot: QtBot, tmp_path: Path
) -> None:
    window = make()
    path = tmp_path / "draft.md"
    path.unlink()
    os.mkfifo(path)
    window.components.file_watcher.check_file()
    qtbot.wait(400)
    assert window.ui.editor.text() == TEXT
    assert window.close()


def test_the_watcher_reads_in_another_thread(
    make: Make, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    threads: list[bool] = []

    def look(path: Path) -> str | None:
        threads.append(threading.current_thread() is threading.main_thread())
        return session.hash_of(path)

    monkeypatch.setattr(file_watch, "hash_of", look)
    window = make()
    window.components.file_watcher.check_file()
    qtbot.waitUntil(lambda: len(threads) > 1)
    assert not any(threads)


def test_a_watched_file_that_does_not_answer_stops_nothing(
    make: Make, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, gate: threading.Event, tmp_path: Path
) -> None:
    window = make()
    monkeypatch.setattr(file_watch, "hash_of", never(gate))
    window.components.file_watcher.check_file()
    QTest.keyClicks(window.ui.editor, "x")
    assert window.ui.editor.text() == "x" + TEXT
    monkeypatch.undo()
    window.ui.editor.document().setModified(False)
    other = tmp_path / "other.md"
    other.write_text("Other.")
    assert window.components.documents.open(other)
    other.write_text("Changed.")
    qtbot.waitUntil(lambda: "changed by another program" in window.ui.file_bar.text)


def cancel_soon(window: QObject) -> None:
    def cancel() -> None:
        for dialog in window.findChildren(QProgressDialog):
            if dialog.isVisible():
                dialog.cancel()
                return
        QTimer.singleShot(20, cancel)

    QTimer.singleShot(20, cancel)


def test_a_save_that_does_not_answer_can_be_cancelled_and_says_so(
    make: Make, monkeypatch: pytest.MonkeyPatch, gate: threading.Event
) -> None:
    window = make()
    QTest.keyClicks(window.ui.editor, "x")
    monkeypatch.setattr(dialogs, "DIALOG_DELAY_S", 0.05)
    monkeypatch.setattr(document_controller, "save_session", never(gate))
    cancel_soon(window)
    window.ui.actions["save"].trigger()
    assert "may not have been saved" in window.ui.message_bar.text
    assert window.components.documents.modified


def test_an_unsaved_draft_is_offered_without_its_file_where_that_is_a_pipe(tmp_path: Path) -> None:
    path = tmp_path / "story.md"
    os.mkfifo(path)
    died(Session(name="story.md", path=path), "unsaved")
    offered, _ = find_unsaved(threading.Event())
    assert [(one.orphan.text, one.state) for one in offered] == [("unsaved", FileState.GONE)]
    offered[0].orphan.release()


@pytest.mark.parametrize("odd", ["no answer", "an error that nobody foresaw"])
def test_a_file_that_does_not_answer_hides_no_other_draft(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, gate: threading.Event, odd: str
) -> None:
    died(Session(name="slow.md", path=tmp_path / "slow.md"), "first")
    died(Session(), "second")
    opened = recovery.open_session

    def answer(path: Path) -> Session:
        if path.name != "slow.md":
            return opened(path)
        if odd == "no answer":
            gate.wait(60)
        raise RuntimeError

    monkeypatch.setattr(recovery, "open_session", answer)
    monkeypatch.setattr(recovery, "FILE_WAIT_S", 0.1)
    offered, _ = find_unsaved(threading.Event())
    assert {one.orphan.text: one.state for one in offered} == {
        "first": FileState.GONE,
        "second": FileState.UNTITLED,
    }
    for one in offered:
        one.orphan.release()


def test_a_search_that_does_not_answer_does_not_keep_the_window_open(
    make: Make, monkeypatch: pytest.MonkeyPatch, gate: threading.Event
) -> None:
    monkeypatch.setattr(recovery, "_END_WAIT_S", 0.1)
    monkeypatch.setattr(recovery, "find_unsaved", lambda _: gate.wait(60) and ([], None))
    window = make()
    window.components.recovery.search()
    assert window.close()


def test_a_journal_whose_disk_does_not_answer_can_be_closed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, gate: threading.Event
) -> None:
    monkeypatch.setattr(journal_module, "CLOSE_WAIT_S", 0.1)
    journal = Journal(tmp_path, journal_place(Session()))
    monkeypatch.setattr(Journal, "_rewrite", never(gate))
    journal.edit(0, 0, "x")
    time.sleep(0.3)
    journal.close(keep=True)


# The parts


def test_only_the_latest_read_is_delivered(qtbot: QtBot, gate: threading.Event) -> None:
    owner = QObject()
    read, found = BackgroundRead(owner), []
    read.start(lambda: gate.wait(10) and 1, found.append)
    read.start(lambda: 2, found.append)
    read.start(lambda: 3, found.append)
    gate.set()
    qtbot.waitUntil(lambda: found == [3])
    read.start(lambda: 1 // 0, found.append)
    read.start(lambda: 4, found.append)
    qtbot.waitUntil(lambda: found == [3, 4])


def test_a_cancelled_read_is_not_waited_for(qtbot: QtBot, gate: threading.Event) -> None:
    owner = QObject()
    read, found = BackgroundRead(owner), []
    read.start(lambda: gate.wait(10), found.append)
    read.cancel()
    read.start(lambda: 2, found.append)
    qtbot.waitUntil(lambda: found == [2])
    gate.set()
    qtbot.wait(50)
    assert found == [2]


def test_a_result_is_waited_for_no_longer_than_said(gate: threading.Event) -> None:
    assert run_with_timeout(10, lambda: 7) == 7
    with pytest.raises(ZeroDivisionError):
        run_with_timeout(10, lambda: 1 // 0)
    with pytest.raises(TimeoutError):
        run_with_timeout(0.05, lambda: gate.wait(60))


def test_a_job_that_does_not_answer_is_left_behind(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, gate: threading.Event
) -> None:
    monkeypatch.setattr(reading, "CLOSE_WAIT_MS", 50)
    ended: list[int] = []
    monkeypatch.setattr(os, "_exit", ended.append)
    queue = jobs.JobQueue()
    queue.submit(lambda: gate.wait(60))
    queue.close()
    reading.end_program(3)
    assert ended == [3]
    gate.set()
    qtbot.waitUntil(lambda: not any(thread.isRunning() for thread in reading._left_behind))
    assert reading.end_program(0) == 0
    assert all(isinstance(thread, QThread) for thread in reading._left_behind)
    QCoreApplication.processEvents()


def test_a_cancelled_opening_does_not_keep_the_program_running() -> None:
    """In a process of its own: it ends although the file never answered."""
    program = (
        "import threading\n"
        "from PySide6.QtCore import QTimer\n"
        "from PySide6.QtWidgets import QApplication, QProgressDialog, QWidget\n"
        "from app.widgets import dialogs\n"
        "app = QApplication([])\n"
        "window = QWidget()\n"
        "window.show()\n"
        "dialogs.DIALOG_DELAY_S = 0.05\n"
        "QTimer.singleShot(300, lambda: window.findChild(QProgressDialog).cancel())\n"
        "try:\n"
        "    dialogs.run_in_thread_and_wait(threading.Event().wait, window, message='m', cancel_text='c')\n"
        "except dialogs.WaitCancelledError:\n"
        "    print('cancelled')\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        env={**os.environ, "QT_QPA_PLATFORM": "offscreen"},
        cwd=Path(__file__).resolve().parents[3],
    )
    assert (done.returncode, done.stdout.strip()) == (0, "cancelled"), json.dumps(done.stderr)
