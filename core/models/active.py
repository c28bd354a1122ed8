"""The models in use: looked up in the store, opened, and replaced by the bundled ones where they cannot be opened."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing, suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from core.bundles.manifest import BundleError
from core.i18n import tr
from core.models.crash_records import has_crashed, record_crashes
from core.models.installation import load_bundle
from core.paths import data_folder
from core.storage.data_version import is_newer_data
from core.storage.migrations import APPLICATION_ID, STEPS
from core.storage.types import FILE

if TYPE_CHECKING:
    from core.bundles.reader import ReaderBundle
    from core.bundles.rewriter import RewriterBundle
    from core.engine.engine import Engine
    from core.rewriting.suggester import Suggester

T = TypeVar("T")

MODELS_FOLDER = "models"
"""The folder of the trained and imported models in the user's data folder."""

BUSY_TIMEOUT_S = 1.0
"""How long to wait while another program has locked the store."""

_LAST = "SELECT bundle FROM promotions WHERE role = ? ORDER BY id DESC LIMIT 1"


def active_folder(role: str) -> Path:
    """The folder of the model in use: the promoted one, else the one that comes with the program.

    Whether the model in it is sound is only known once it is loaded.
    """
    return promoted_folder(role) or bundled_folder(role)


def promoted_folder(role: str) -> Path | None:
    """The folder of the model that was promoted last; None where the bundled one is in use.

    A model that has crashed the program is not in use until it is promoted again.
    """
    bundle_id = promoted_id(role)
    return None if bundle_id is None or has_crashed(bundle_id) else registry_folder(bundle_id)


def promoted_id(role: str) -> str | None:
    """The id of the model that was promoted last; None for the bundled one.

    Reads the store's file directly, which is quick and changes nothing. None as well where the store is missing, busy,
    damaged or of a newer version.
    """
    try:
        path = data_folder() / FILE
        if is_newer_data() or not path.is_file():
            return None
        address = f"{path.absolute().as_uri()}?mode=ro"
        with closing(sqlite3.connect(address, uri=True, timeout=BUSY_TIMEOUT_S)) as connection:
            known = connection.execute("PRAGMA application_id").fetchone()[0] == APPLICATION_ID
            if not known or connection.execute("PRAGMA user_version").fetchone()[0] > len(STEPS):
                return None
            row = connection.execute(_LAST, (role,)).fetchone()
    except (sqlite3.Error, OSError, ValueError):
        return None
    return str(row[0]) if row is not None and row[0] is not None else None


def registry_folder(bundle_id: str) -> Path:
    """The folder of the model with this id in the user's registry."""
    return data_folder() / MODELS_FOLDER / Path(bundle_id).name


def bundled_folder(role: str) -> Path:
    """The folder of the model of a role that comes with the program."""
    from core.bundles import rewriter
    from core.engine import engine

    return engine.bundled_reader() if role == "reader" else rewriter.bundled_rewriter()


def load_engine(on_message: Callable[[str], object]) -> Engine:
    """The engine with the reader in use. Where that cannot be opened: with the bundled one, and ``on_message`` says
    why.

    Raises BundleError and LexiconError.
    """
    from core.engine.engine import Engine

    message = tr("{error} Until then the reader that came with Evenhand is used.")
    return _load("reader", Engine.load, message, on_message)


def load_suggester(engine: Engine, on_message: Callable[[str], object]) -> Suggester:
    """The suggester with the rewriter in use; the bundled one, and a message, where that cannot be opened.

    Raises BundleError.
    """
    from core.rewriting.suggester import Suggester

    message = tr("{error} Until then the rewriter that came with Evenhand is used.")
    return _load("rewriter", partial(Suggester.load, engine), message, on_message)


def active_bundle(role: str) -> ReaderBundle | RewriterBundle:
    """The bundle of the model in use, or the bundled one where that is damaged. Raises BundleError where both are."""
    folder = promoted_folder(role)
    if folder is not None:
        with suppress(BundleError):
            return load_bundle(folder, role)
    return load_bundle(bundled_folder(role), role)


def _load(
    role: str, load: Callable[[Path | None], T], message: str, on_message: Callable[[str], object]
) -> T:
    """What ``load`` makes of the promoted model; of the bundled one (None), and a ``message``, if that fails."""
    folder = _folder_to_load(role, on_message)
    if folder is not None:
        try:
            return load(folder)
        except BundleError as error:
            on_message(message.format(error=error))
    return load(None)


def _folder_to_load(role: str, on_message: Callable[[str], object]) -> Path | None:
    """The folder of the promoted model, whose crashes are recorded from now on; None, and a message, if it crashed."""
    bundle_id = promoted_id(role)
    if bundle_id is None:
        return None
    if has_crashed(bundle_id):
        message = tr(
            "The model {id} crashed Evenhand, so the model that came with Evenhand is used instead. To use {id} "
            "again, choose it in the settings, under Models and training, or run: evenhand models promote {id}"
        )
        on_message(message.format(id=bundle_id))
        return None
    record_crashes(role, bundle_id)
    return registry_folder(bundle_id)
