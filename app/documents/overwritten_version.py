"""Keeps a version that is going to be overwritten: in the history of the draft, or in a file beside it."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from app.documents.session import Session
from app.editor.positions import editor_text
from core.documents.format_specs import extracts_text
from core.i18n import tr
from core.paths import start_folder
from core.storage.files import FileError, decode, read_bytes, write_bytes
from core.storage.types import StoreError

if TYPE_CHECKING:
    from core.storage.store import Store

OUTSIDE = "outside"
"""The reason that the store records for such a version."""


def preserve_text(session: Session, text: str, store: Store | None) -> str:
    """Keep a text of this draft in its history, or in a file beside it. Returns a sentence that says where.

    Raises ``FileError`` if both fail.
    """
    if _in_history(session, text, store):
        return tr("The text that was here is kept in the history of this draft.")
    beside = _unused_path(
        session.path or start_folder() / session.name, suffix=".txt" if session.container else ""
    )
    write_bytes(beside, text.encode("utf-8", "surrogatepass"))
    return tr("The text that was here is kept in “{name}”, beside the file.").format(name=beside.name)


def preserve_file(session: Session, store: Store | None) -> str:
    """Keep what another program wrote into the file, as ``preserve_text`` does; docx, odt and html as a file.

    Returns an empty string if the file is gone. Raises ``FileError`` if it cannot be kept.
    """
    if session.path is None or not session.path.exists():
        return ""
    data = read_bytes(session.path)
    if not extracts_text(session.format) and _in_history(session, _decoded(data), store):
        return tr("The other version is kept in the history of this draft.")
    beside = _unused_path(session.path)
    write_bytes(beside, data)
    return tr("The other version is kept in “{name}”, beside the file.").format(name=beside.name)


def _in_history(session: Session, text: str | None, store: Store | None) -> bool:
    if store is None or text is None:
        return False
    try:
        draft = store.open_draft(session.uid, name=session.name, path=session.path)
        store.save_version(draft.uid, text, format=session.format, why=OUTSIDE)
    except StoreError:
        return False
    return True


def _decoded(data: bytes) -> str | None:
    """The text of a file, if it can be decoded without loss."""
    try:
        file = decode(data)
    except FileError:
        return None
    return editor_text(file.text) if file.editable else None


def _unused_path(path: Path, suffix: str = "") -> Path:
    """An unused name such as ``draft~2026-01-31-120000.md``."""
    ending = suffix or path.suffix
    stem = f"{path.stem}~{datetime.now():%Y-%m-%d-%H%M%S}"
    names = (path.with_name(f"{stem}{more}{ending}") for more in ("", *(f"-{n}" for n in range(2, 1000))))
    return next(name for name in names if not name.exists())
