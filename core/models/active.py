"""The models in use.

Asked of the store's file quickly, opened, and replaced by the bundled ones where they cannot be opened.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from core.bundles.manifest import BundleError
from core.i18n import tr
from core.models.installation import load_bundle
from core.paths import data_folder
from core.storage.data_version import is_newer
from core.storage.migrations import APPLICATION_ID, STEPS
from core.storage.types import FILE

if TYPE_CHECKING:
    from core.bundles.reader import ReaderBundle
    from core.bundles.rewriter import RewriterBundle
    from core.engine.engine import Engine
    from core.rewriting.suggester import Suggester


# Which model is in use for a role: asked of the store's file itself, quickly and without changing anything.


MODELS_FOLDER = "models"
"""The folder of the trained and imported models in the person's data folder."""

BUSY_TIMEOUT_S = 1.0
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
        with closing(sqlite3.connect(address, uri=True, timeout=BUSY_TIMEOUT_S)) as connection:
            known = connection.execute("PRAGMA application_id").fetchone()[0] == APPLICATION_ID
            if not known or connection.execute("PRAGMA user_version").fetchone()[0] > len(STEPS):
                return None
            row = connection.execute(_LAST, (role,)).fetchone()
    except (sqlite3.Error, OSError, ValueError):
        return None
    return registry_folder(row[0]) if row is not None and row[0] is not None else None


def registry_folder(bundle_id: str) -> Path:
    """Where a model of this id lies on the person's shelf."""
    return data_folder() / MODELS_FOLDER / Path(bundle_id).name


def bundled_folder(role: str) -> Path:
    """Where the model of a role lies that came with the program."""
    from core.bundles import rewriter
    from core.engine import engine

    return engine.bundled_reader() if role == "reader" else rewriter.bundled_rewriter()


# The models in use, opened: what was promoted, and what came with the program where that cannot be opened.


Say = Callable[[str], object]


def load_engine(say: Say) -> Engine:
    """The reader in use. ``say`` hears why it is the bundled one where another was chosen.

    Raises BundleError and LexiconError.
    """
    from core.engine.engine import Engine

    folder = promoted_folder("reader")
    if folder is not None:
        try:
            return Engine.load(folder)
        except BundleError as error:
            told = tr("{error} Until then the reader that came with Evenhand is used.")
            say(told.format(error=error))
    return Engine.load()


def load_suggester(engine: Engine, say: Say) -> Suggester:
    """The rewriter in use over an engine. ``say`` hears why it is the bundled one where another was chosen.

    Raises BundleError.
    """
    from core.rewriting.suggester import Suggester

    folder = promoted_folder("rewriter")
    if folder is not None:
        try:
            return Suggester.load(engine, folder)
        except BundleError as error:
            told = tr("{error} Until then the rewriter that came with Evenhand is used.")
            say(told.format(error=error))
    return Suggester.load(engine)


def active_bundle(role: str) -> ReaderBundle | RewriterBundle:
    """The bundle that loading the model in use opens. Raises BundleError where not even the bundled one is there."""
    folder = promoted_folder(role)
    if folder is not None:
        with suppress(BundleError):
            return load_bundle(folder, role)
    return load_bundle(bundled_folder(role), role)


def open_and_test(role: str, folder: Path) -> ReaderBundle | RewriterBundle:
    """The bundle in ``folder``, opened and asked for a word, so that it is known to work. Raises BundleError."""
    if role == "rewriter":
        from core.rewriting.rewriter import Rewriter

        return Rewriter.load(folder).bundle
    from core.engine.onnx_session import ReaderError
    from core.engine.reader import Reader

    try:
        reader = Reader.load(folder, threads=1)
        reader.read(["a word"])
    except ReaderError as error:
        raise BundleError(str(error)) from error
    return reader.bundle
