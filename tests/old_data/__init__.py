"""Data folders that earlier versions of Evenhand left behind when they were killed, made by their own code (`make`).

``schema-1.zip`` is of commit 8a81625, the last one before the store had runs, ``schema-2.zip`` of db07d83. Each is a
whole home: a draft, its file, two versions, what is ignored and allowed, settings, something unsaved in a journal, and
all of it still in the store's write-ahead log; the second also a run and its model, which is in use.
"""

from __future__ import annotations

import hashlib
import zipfile
from pathlib import Path

OLD = Path(__file__).parent
NAMES = ("schema-1", "schema-2")
HOME = "/home/writer"
SAVED = "Two. The senator's shameful record reveals a disastrous plan.\n\nThe law is new 👍🏽 — naïve?\n"
FIRST = SAVED.removeprefix("Two. ")
RUN = "6f0d8c52-2f1c-4b5e-9d3a-0c3f7a1e9b42"


def lay_out(name: str, home: Path) -> Path:
    """Unpack one into ``home``; returns its data folder."""
    with zipfile.ZipFile(OLD / f"{name}.zip") as book:
        book.extractall(home)
    return home / ".local" / "share" / "evenhand"


def everything(folder: Path) -> dict[str, str]:
    """The checksum of every file in a folder, by its path."""
    return {
        path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }
