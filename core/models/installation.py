"""Bundles copied into the registry: checked before and after, and flushed to disk before they get their name."""

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
from core.storage.disk import flush, make_private_folder, sync_folder

ADDING_PREFIX, REMOVED_PREFIX = ".adding-", ".removed-"
MAX_FILES, MAX_BYTES = 64, 2 * 1024 * 1024 * 1024
_NOT_IN_IDS = re.compile(r"[^a-z0-9.]+")
_MAX_SLUG = 32
_CHUNK_BYTES = 1024 * 1024


def load_bundle(folder: Path, role: str) -> ReaderBundle | RewriterBundle:
    """The checked bundle of a role in ``folder``. Raises BundleError."""
    return load_reader_bundle(folder) if role == "reader" else load_rewriter_bundle(folder)


def bundle_role(folder: Path) -> str:
    """The role of the bundle in ``folder``. Raises BundleError and OSError; ModelError where there is no bundle."""
    if not (folder / MANIFEST).is_file():
        message = tr("{folder} is not a model: it has no {file}. Choose the folder that contains that file.")
        raise ModelError(message.format(folder=folder, file=MANIFEST))
    return read_manifest(folder).text("role")


def make_bundle_id(bundle: ReaderBundle | RewriterBundle) -> str:
    """A readable name for the bundle's folder, which differs for every manifest."""
    digest = hashlib.sha256((bundle.folder / MANIFEST).read_bytes()).hexdigest()[:8]
    name = _slug(bundle.name).removeprefix(bundle.role).strip("-")
    return "-".join(part for part in (bundle.role, name, _slug(bundle.version), digest) if part)


def copy_bundle(
    bundle: ReaderBundle | RewriterBundle, registry: Path, bundle_id: str, *, cancelled: Callable[[], bool]
) -> Path:
    """Copy a checked bundle into a hidden folder of the registry, flushed to disk. Returns that folder.

    Only files with a checksum, the manifest and the card are copied. Raises BundleError and OSError, and
    ModelError once ``cancelled()`` is true.
    """
    source, target = bundle.folder, registry / f"{ADDING_PREFIX}{bundle_id}"
    hashes = read_manifest(source, bundle.role).hashes()
    names = dict.fromkeys((*hashes, MANIFEST, *([CARD] if bundle.card else [])))
    sizes = [(source / name).stat().st_size for name in names]
    if len(sizes) > MAX_FILES or sum(sizes) > MAX_BYTES:
        message = tr("it has more than {files} files or {size} MB")
        raise refused_error(source, message.format(files=MAX_FILES, size=MAX_BYTES // 1024 // 1024))
    target.mkdir(mode=0o700)
    for name in names:
        _copy(source / name, target / name, cancelled)
    folders = {target, *((target / name).parent for name in names)}
    for folder in sorted(folders, reverse=True):
        sync_folder(folder)
    try:
        load_bundle(target, bundle.role)
    except BundleError as error:
        raise changed_error(source) from error
    return target


def remove_leftovers(registry: Path, known: Collection[str]) -> None:
    """Remove what a killed program left unfinished. Call with the registry's lock held. Raises OSError.

    A model that was being removed while the store still has it (``known`` are its ids) is restored.
    """
    for path in [*registry.iterdir()]:
        original = registry / path.name.removeprefix(REMOVED_PREFIX)
        if path.name.startswith(REMOVED_PREFIX) and original.name in known and not os.path.lexists(original):
            path.replace(original)
        elif path.name.startswith((ADDING_PREFIX, REMOVED_PREFIX)):
            shutil.rmtree(path)


def changed_error(source: Path) -> BundleError:
    """The error for a bundle that changed while it was copied."""
    message = tr("The model in {folder} changed while it was copied. Try again when nothing writes to it.")
    return BundleError(message.format(folder=source))


def cancelled_error() -> ModelError:
    """The error for a cancelled import."""
    return ModelError(tr("Stopped. The models have not changed."))


def _copy(source: Path, target: Path, cancelled: Callable[[], bool]) -> None:
    make_private_folder(target.parent)
    descriptor = os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o600)
    with source.open("rb") as source_file, os.fdopen(descriptor, "wb") as copy:
        while chunk := source_file.read(_CHUNK_BYTES):
            if cancelled():
                raise cancelled_error()
            copy.write(chunk)
        copy.flush()
        flush(copy.fileno())


def _slug(text: str) -> str:
    return _NOT_IN_IDS.sub("-", text.lower())[:_MAX_SLUG].strip("-.")
