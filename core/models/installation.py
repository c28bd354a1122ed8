"""Bundles copied onto the shelf: checked before and after, whole and on the disk before they have their name."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
from collections.abc import Callable, Collection
from pathlib import Path

from core.bundles.manifest import CARD, MANIFEST, BundleError, read_manifest, refused_error
from core.bundles.reader import ReaderBundle, load_reader_bundle
from core.bundles.rewriter import RewriterBundle, load_rewriter_bundle
from core.i18n import tr
from core.models.types import ModelError
from core.storage.files import flush, flush_folder

ADDING_PREFIX, REMOVED_PREFIX = ".adding-", ".removed-"
MAX_FILES, MAX_BYTES = 64, 2 * 1024 * 1024 * 1024
_OTHER = re.compile(r"[^a-z0-9.]+")
_LONGEST = 32
_PIECE = 1024 * 1024


def load_bundle(folder: Path, role: str) -> ReaderBundle | RewriterBundle:
    """The bundle in ``folder``, whole and as it was made. Raises BundleError."""
    return load_reader_bundle(folder) if role == "reader" else load_rewriter_bundle(folder)


def bundle_role(folder: Path) -> str:
    """The role of the bundle in ``folder``. Raises BundleError and OSError; ShelfError where there is no bundle."""
    if not (folder / MANIFEST).is_file():
        said = tr("{folder} is no model: it has no {file}. Choose the folder that holds that file.")
        raise ModelError(said.format(folder=folder, file=MANIFEST))
    return read_manifest(folder).text("role")


def make_bundle_id(bundle: ReaderBundle | RewriterBundle) -> str:
    """A name for the bundle's folder: readable, and another one for whatever differs in a single byte."""
    digest = hashlib.sha256((bundle.folder / MANIFEST).read_bytes()).hexdigest()[:8]
    name = _slug(bundle.name).removeprefix(bundle.role).strip("-")
    return "-".join(part for part in (bundle.role, name, _slug(bundle.version), digest) if part)


def copy_bundle(
    bundle: ReaderBundle | RewriterBundle, shelf: Path, bundle_id: str, *, cancelled: Callable[[], bool]
) -> Path:
    """A copy of a checked bundle in a hidden folder on the shelf, flushed to the disk.

    Only what has a checksum, its description and its card are taken along. Raises BundleError and OSError, and
    ShelfError once ``cancelled()`` is true.
    """
    source, target = bundle.folder, shelf / f"{ADDING_PREFIX}{bundle_id}"
    hashes = read_manifest(source, bundle.role).hashes()
    names = dict.fromkeys((*hashes, MANIFEST, *([CARD] if bundle.card else [])))
    sizes = [(source / name).stat().st_size for name in names]
    if len(sizes) > MAX_FILES or sum(sizes) > MAX_BYTES:
        said = tr("it has more than {files} files or {size} MB")
        raise refused_error(source, said.format(files=MAX_FILES, size=MAX_BYTES // 1024 // 1024))
    target.mkdir(mode=0o700)
    for name in names:
        _copy(source / name, target / name, cancelled)
    folders = {target, *((target / name).parent for name in names)}
    for folder in sorted(folders, reverse=True):
        flush_folder(folder)
    try:
        load_bundle(target, bundle.role)
    except BundleError as error:
        said = tr("The model in {folder} changed while it was copied. Try again when nothing writes to it.")
        raise BundleError(said.format(folder=source)) from error
    return target


def remove_leftovers(shelf: Path, known: Collection[str]) -> None:
    """Clear away what a killed program left unfinished. Only for who holds the shelf's lock. Raises OSError.

    A model that was being taken away while the store still knows it (``known`` are its ids) is put back.
    """
    for path in [*shelf.iterdir()]:
        place = shelf / path.name.removeprefix(REMOVED_PREFIX)
        if path.name.startswith(REMOVED_PREFIX) and place.name in known and not os.path.lexists(place):
            path.replace(place)
        elif path.name.startswith((ADDING_PREFIX, REMOVED_PREFIX)):
            shutil.rmtree(path)


def cancelled_error() -> ModelError:
    """What is told where nobody waits for a model any more."""
    return ModelError(tr("Stopped. The models are as they were."))


def _copy(source: Path, target: Path, cancelled: Callable[[], bool]) -> None:
    target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    descriptor = os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o600)
    with source.open("rb") as original, os.fdopen(descriptor, "wb") as copy:
        while piece := original.read(_PIECE):
            if cancelled():
                raise cancelled_error()
            copy.write(piece)
        copy.flush()
        flush(copy.fileno())


def _slug(text: str) -> str:
    return _OTHER.sub("-", text.lower())[:_LONGEST].strip("-.")
