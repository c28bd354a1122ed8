"""Makes the data folder of an earlier Evenhand: run by hand with that version's code, never by the tests.

``cd WORKTREE_OF_AN_EARLIER_COMMIT; HOME=/home/writer python …/tests/old_data/make.py OUT.zip``. A window of that
version writes, keeps versions, ignores, and is killed with something unsaved: so the write-ahead log and a journal are
left, too. ``__init__.py`` says which commits the archives here are of.
"""

from __future__ import annotations

import os
import sys
import time
import zipfile
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path.cwd()))
TEXT = "The senator's shameful record reveals a disastrous plan.\n\nThe law is new 👍🏽 — naïve?\n"
RUN = "6f0d8c52-2f1c-4b5e-9d3a-0c3f7a1e9b42"


def main(out: Path) -> int:
    """Live for a while as that version, then die."""
    if os.fork() == 0:
        live()
        os._exit(0)
    os.wait()
    home = Path.home()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as book:
        for path in sorted(home.rglob("*")):
            if path.is_file() and not path.name.endswith((".lock", "-shm")) and ".cache" not in path.parts:
                book.writestr(
                    zipfile.ZipInfo(str(path.relative_to(home))), path.read_bytes(), zipfile.ZIP_DEFLATED
                )
    return 0


def live() -> None:
    """What a person does."""
    from PySide6.QtTest import QTest
    from PySide6.QtWidgets import QApplication

    qt = QApplication([])
    qt.setApplicationName("Evenhand")
    import app.settings as settings_room
    from app.main_window.window import MainWindow
    from core.storage.types import Ignore
    from core.types import Kind

    def until(true: Callable[[], bool], most: float = 60) -> None:
        end = time.monotonic() + most
        while not true():
            qt.processEvents()
            assert time.monotonic() < end
            time.sleep(0.01)

    draft = Path.home() / "drafts" / "budget.md"
    draft.parent.mkdir(parents=True)
    draft.write_text(TEXT, encoding="utf-8")
    rooms = hasattr(settings_room, "__path__")
    settings = (__import__("app.settings.settings", fromlist=["*"]) if rooms else settings_room).Settings()
    settings.set("theme", "dark")
    settings.set("sensitivity", 3)
    settings.set("history_days", 0)
    settings.set("kinds", ("framing", "epistemological"))
    settings.set("tour_seen", True)
    settings.set_shortcut("next", ("F9",))
    window = MainWindow(settings)
    window.show()
    until(lambda: window.components.store_access.store is not None)
    assert window.components.documents.open(draft)
    until(lambda: len(window.ui.editor.marks) > 0)
    window.components.history.keep()
    uid = window.components.documents.session.uid
    store = window.components.store_access.store
    until(lambda: len(store.versions(uid)) > 0)
    QTest.keyClicks(window.ui.editor, "Two. ")
    assert window.components.documents.save()
    until(lambda: len(store.versions(uid)) > 1)
    store.ignore(uid, Ignore("words", Kind.FRAMING, "shameful", "f1"))
    store.ignore(uid, Ignore("once", Kind.EPISTEMOLOGICAL, "reveals", "f2"))
    store.allow(["Chairman", "mankind"])
    if hasattr(settings, "remember"):
        settings.add_recent(draft)
    more(store)
    QTest.keyClicks(window.ui.editor, "Unsaved words. ")
    until(
        lambda: (
            window.components.journal_writer.is_written
            and window.components.journal_writer.journal.path.exists()
        )
    )
    settings.sync()
    os.kill(os.getpid(), 9)


def more(store: object) -> None:
    """What later versions keep besides: a run with its model, which is in use."""
    try:
        from core.models.registry import ModelRegistry
        from core.runs.folder import runs_folder
        from core.runs.run_store import RunStore
        from core.runs.types import Status
    except ImportError:
        return
    from tests.core.runs.made_runs import a_run
    from tests.tiny import describe, make_bundle

    folder = runs_folder() / RUN
    make_bundle(folder / "bundle")
    describe(folder / "bundle", version="0.2", run=RUN)
    run = a_run(id=RUN, status=Status.RUNNING, folder=folder)
    RunStore(store).begin(run)
    RunStore(store).finish(RUN, Status.FINISHED)
    shelf = ModelRegistry(store)
    shelf.promote(shelf.add_run(RunStore(store).get(RUN)).id, "reader")


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
