"""Which model is in use for a role: asked of the store's file itself, quickly and without changing anything."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from core.data_format import is_newer
from core.paths import data_folder
from core.store.migrations import APPLICATION_ID, STEPS
from core.store.model import FILE

SHELF = "models"
"""The folder of the trained and imported models in the person's data folder."""

PATIENCE_S = 1.0
"""How long to wait for a program that has the store for itself."""

_LAST = "SELECT bundle FROM promotions WHERE role = ? ORDER BY id DESC LIMIT 1"


def active_folder(role: str) -> Path:
    """The folder of the model in use: the promoted one, else the one that came with the program.

    Whether there is a sound model in it is for the loading to find out.
    """
    return promoted_folder(role) or bundled_folder(role)


def promoted_folder(role: str) -> Path | None:
    """The folder of the model that was promoted last; None where the bundled one is in use.

    A store that is missing, busy, damaged or of a newer version promotes nothing.
    """
    path = data_folder() / FILE
    try:
        if is_newer() or not path.is_file():
            return None
        address = f"{path.absolute().as_uri()}?mode=ro"
        with closing(sqlite3.connect(address, uri=True, timeout=PATIENCE_S)) as connection:
            known = connection.execute("PRAGMA application_id").fetchone()[0] == APPLICATION_ID
            if not known or connection.execute("PRAGMA user_version").fetchone()[0] > len(STEPS):
                return None
            row = connection.execute(_LAST, (role,)).fetchone()
    except (sqlite3.Error, OSError, ValueError):
        return None
    return folder_of(row[0]) if row is not None and row[0] is not None else None


def folder_of(bundle_id: str) -> Path:
    """Where a model of this id lies on the person's shelf."""
    return data_folder() / SHELF / Path(bundle_id).name


def bundled_folder(role: str) -> Path:
    """Where the model of a role lies that came with the program."""
    from core import bundle_rewriter, engine

    return engine.bundled_reader() if role == "reader" else bundle_rewriter.bundled_rewriter()
