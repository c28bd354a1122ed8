"""Kills an update of an earlier data folder at every step: ``python -m tests.core.storage.updating FOLDER NAME``.

A child brings the folder up and is killed before its first, second, third … deed (a call that touches a file, or a
statement of SQL), until one is not killed. After each kill the next start must find everything, and bring it up.
"""

from __future__ import annotations

import os
import shutil
import signal
import sys
from collections.abc import Callable
from pathlib import Path

from sqlalchemy import event

from core.runs.run_store import RunStore
from core.storage import database
from core.storage.data_version import DATA_VERSION, backups, read_data_version
from core.storage.journal import find_orphans
from core.storage.store import Store
from tests.old_data import FIRST, SAVED, lay_out

_TOUCHING = ("open", "os.", "shutil.", "sqlite3.connect")


def update(kill_at: int) -> None:
    """Bring the folder up; the process is killed before deed number ``kill_at``."""
    done = 0

    def deed() -> None:
        nonlocal done
        done += 1
        if done == kill_at:
            os.kill(os.getpid(), signal.SIGKILL)

    made: Callable[[Path], object] = database.make_engine

    def make(path: Path) -> object:
        engine = made(path)
        event.listen(engine, "connect", lambda raw, _: raw.set_trace_callback(lambda _statement: deed()))
        return engine

    database.make_engine = make  # type: ignore[assignment]
    sys.addaudithook(lambda name, _: deed() if name.startswith(_TOUCHING) else None)
    Store.open(settings="{}").close()


def look(folder: Path, number: int) -> None:
    """Raise AssertionError unless all that the earlier version left is there, and the folder is of this format."""
    store = Store.open(settings="{}")
    assert store.notes == (), store.notes
    assert store.check() == []
    with store.reading() as connection:
        uid = str(connection.exec_driver_sql("SELECT uid FROM drafts").scalar_one())
    assert [store.text_of(one.id) for one in store.versions(uid)] == [FIRST, SAVED]
    assert [one.name for one in store.versions(uid)] == ["", ""]
    assert [one.words for one in store.ignores(uid)] == ["shameful", "reveals"]
    assert store.allowed() == ["Chairman", "mankind"]
    assert len(RunStore(store).list_runs()) == number - 1
    store.close()
    assert read_data_version(folder) == DATA_VERSION
    (backup,) = backups(folder)
    for journals in (folder / "journals", backup / "journals"):
        (orphan,) = find_orphans(journals).orphans
        orphan.release()
        assert orphan.text == SAVED.replace("Two. ", "Two. Unsaved words. ")
    assert (backup / "settings.json").read_text(encoding="utf-8") == "{}"


def main(place: Path, name: str) -> int:
    """Kill at every step; returns how many kills there were."""
    kills = 0
    while True:
        home = place / "home"
        folder = lay_out(name, home)
        os.environ["EVENHAND_HOME"] = str(folder)
        if (child := os.fork()) == 0:
            update(kills + 1)
            os._exit(0)
        _, how = os.waitpid(child, 0)
        look(folder, int(name[-1]))
        shutil.rmtree(home)
        if not os.WIFSIGNALED(how):
            assert os.waitstatus_to_exitcode(how) == 0
            return kills
        kills += 1


if __name__ == "__main__":
    print(main(Path(sys.argv[1]), sys.argv[2]))
