"""Importing models from a folder, from a zip archive, or from an address on the web."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import stat
import tempfile
import zipfile
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from typing import IO
from urllib.parse import unquote, urlsplit

from core.bundles.manifest import MANIFEST, BundleError, is_safe_path, unreadable_error
from core.i18n import tr
from core.models.installation import MAX_BYTES, MAX_FILES, bundle_role, cancelled_error, load_bundle
from core.models.registry import ModelRegistry
from core.models.types import InstalledModel, ModelError
from core.network.download import HTTPS, DownloadError, OnProgress, PublishedFile, RemoteFile, download
from core.network.https import NetworkCall
from core.paths import data_folder
from core.storage.disk import make_private_folder
from core.storage.file_lock import FileLock
from core.storage.files import describe_os_error, sha256_of

MAX_MODELS = 8
_CHUNK_BYTES = 2**18
_DAMAGED = (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, UnicodeError)


def unpack_models(archive: Path, into: Path, *, cancelled: Callable[[], bool]) -> list[Path]:
    """Unpack every folder of ``archive`` that has a ``bundle.json`` into a new folder in ``into``; return these.

    Raises ModelError for an archive that is damaged, holds no model, a link, an encrypted member, a path that leads
    outside, or more than the caps, and once ``cancelled()`` is true. Raises OSError.
    """
    try:
        with zipfile.ZipFile(archive) as book:
            members = [info for info in book.infolist() if not info.is_dir()]
            _check(archive, members)
            homes = sorted({_home(info) for info in members if PurePosixPath(info.filename).name == MANIFEST})
            if not homes:
                message = tr("it contains no model (no {file}). Download the archive of the release")
                raise _refused(archive, message.format(file=MANIFEST))
            if len(homes) > MAX_MODELS:
                raise _refused(archive, tr("it contains more than {n} models").format(n=MAX_MODELS))
            folders = {home: into / str(number) for number, home in enumerate(homes)}
            for info in members:
                if (home := _model_of(info, homes)) is not None:
                    target = folders[home] / PurePosixPath(info.filename).relative_to(home)
                    with book.open(info) as stream:
                        _write(stream, target, info.file_size, cancelled=cancelled)
    except _DAMAGED as error:
        raise _refused(archive, tr("it is damaged or not a zip archive. Download it again")) from error
    except FileExistsError as error:
        raise _refused(archive, tr("it contains a name twice")) from error
    return list(folders.values())


def _check(archive: Path, members: Sequence[zipfile.ZipInfo]) -> None:
    """Raise ModelError for members that no archive of models needs, before anything is written."""
    for info in members:
        if not is_safe_path(info.filename):
            message = tr("it names a file outside its folder ({name})")
            raise _refused(archive, message.format(name=info.filename))
        kind = stat.S_IFMT(info.external_attr >> 16)
        if kind not in (0, stat.S_IFREG) or info.flag_bits & 1:
            raise _refused(archive, tr("{name} is a link, or encrypted").format(name=info.filename))
    most_files = MAX_MODELS * MAX_FILES
    if len(members) > most_files or sum(info.file_size for info in members) > MAX_BYTES:
        message = tr("it has more than {files} files or {size} MB")
        raise _refused(archive, message.format(files=most_files, size=MAX_BYTES // 1024 // 1024))


def _home(info: zipfile.ZipInfo) -> PurePosixPath:
    return PurePosixPath(info.filename).parent


def _model_of(info: zipfile.ZipInfo, homes: Sequence[PurePosixPath]) -> PurePosixPath | None:
    """The innermost model folder that holds a member."""
    around = [home for home in homes if PurePosixPath(info.filename).is_relative_to(home)]
    return max(around, key=lambda home: len(home.parts), default=None)


def _write(stream: IO[bytes], target: Path, size: int, *, cancelled: Callable[[], bool]) -> None:
    """Write a member; raises BadZipFile where it is larger than the archive says."""
    make_private_folder(target.parent)
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    with os.fdopen(os.open(target, flags, 0o600), "wb") as file:
        while chunk := stream.read(_CHUNK_BYTES):
            if cancelled():
                raise cancelled_error()
            size -= len(chunk)
            if size < 0:
                raise zipfile.BadZipFile
            file.write(chunk)


def _refused(archive: Path, reason: str) -> ModelError:
    return ModelError(tr("{archive} is refused: {reason}.").format(archive=archive.name, reason=reason))


INCOMING = "incoming"
"""The folder in the user's data folder where an archive is downloaded and unpacked."""

_PART = "archive-{mark}.zip"
_UNPACKED = "unpacked-"
_SHA256 = re.compile(r"[0-9a-f]{64}")


def import_models(
    registry: ModelRegistry, path: Path, *, sha256: str = "", cancelled: Callable[[], bool] = lambda: False
) -> list[InstalledModel]:
    """Add the model in a folder, or the models of a zip archive; all are checked before any is added.

    ``sha256`` is the expected checksum of an archive, in hexadecimal, if it is known. Raises what
    `ModelRegistry.add_folder` raises.
    """
    if not path.is_file():
        return [registry.add_folder(path, cancelled=cancelled)]
    known = _checked_sha256(sha256)
    with _exclusive_folder() as place:
        if known and sha256_of(path) != known:
            message = tr("{archive} is not the published file (its SHA-256 differs). Download it again.")
            raise ModelError(message.format(archive=path.name))
        return _import_archive(registry, path, place, cancelled=cancelled)


def download_models(
    registry: ModelRegistry,
    address: str,
    *,
    sha256: str = "",
    on_progress: OnProgress = lambda _done, _total: None,
    call: NetworkCall | None = None,
    schemes: frozenset[str] = HTTPS,
) -> list[InstalledModel]:
    """Download an archive of models and add them. An interrupted download is resumed.

    ``sha256`` is the expected checksum of the archive, in hexadecimal; without it only the models' own checksums are
    checked. ``on_progress`` is called with the bytes done and in total. Raises ModelError, BundleError and StoreError,
    and FetchCancelled once ``call`` was cancelled.
    """
    call, digest = call or NetworkCall(), _checked_sha256(sha256)
    with _exclusive_folder() as place:
        wanted = RemoteFile(
            url=address.strip(),
            name=_name(address),
            part=place / _PART.format(mark=hashlib.sha256(address.strip().encode()).hexdigest()[:16]),
            max_bytes=MAX_BYTES,
            published=PublishedFile(digest) if digest else None,
            schemes=schemes,
        )
        _clear(place, but=wanted)
        try:
            download(wanted, on_progress=on_progress, call=call)
        except DownloadError as error:
            raise ModelError(str(error)) from error
        try:
            added = _import_archive(registry, wanted.part, place, cancelled=lambda: call.cancelled)
        except (ModelError, BundleError):
            if not call.cancelled:
                wanted.discard()
            raise
        wanted.discard()
        return added


def promote_where_missing(registry: ModelRegistry, added: Sequence[InstalledModel]) -> list[InstalledModel]:
    """Promote each of these models whose role has no working model; returns those promoted.

    Raises what `ModelRegistry.promote` raises.
    """
    return [registry.promote(one.id, one.role) for one in added if _is_missing(registry, one)]


def _is_missing(registry: ModelRegistry, added: InstalledModel) -> bool:
    present = registry.active(added.role)
    try:
        load_bundle(present.folder, present.role)
    except BundleError:
        return present.id != added.id
    return False


def _import_archive(
    registry: ModelRegistry, archive: Path, place: Path, *, cancelled: Callable[[], bool]
) -> list[InstalledModel]:
    with tempfile.TemporaryDirectory(prefix=_UNPACKED, dir=place) as into:
        folders = unpack_models(archive, Path(into), cancelled=cancelled)
        for folder in folders:
            try:
                load_bundle(folder, bundle_role(folder))
            except OSError as error:
                raise unreadable_error(folder, error) from error
        return [registry.add_folder(folder, cancelled=cancelled) for folder in folders]


@contextmanager
def _exclusive_folder() -> Iterator[Path]:
    """The folder for downloads, locked against other processes. Turns OSError into ModelError."""
    place = data_folder() / INCOMING
    try:
        make_private_folder(place)
        lock = FileLock.acquire(place / ".lock")
        if lock is None:
            raise ModelError(tr("Another window is importing models. Wait until it is finished."))
        try:
            for left in place.glob(f"{_UNPACKED}*"):
                shutil.rmtree(left)
            yield place
        finally:
            lock.release()
    except OSError as error:
        message = tr("The models cannot be unpacked in {folder}: {cause}.")
        raise ModelError(message.format(folder=place, cause=describe_os_error(error))) from error


def _clear(place: Path, *, but: RemoteFile) -> None:
    """Remove partial downloads of other archives."""
    for path in place.glob(_PART.format(mark="*") + "*"):
        if path not in (but.part, but.version_file):
            path.unlink()


def _checked_sha256(sha256: str) -> str:
    """A checksum in lower case; empty for none. Raises ModelError where it is no SHA-256."""
    digits = sha256.strip().lower()
    if digits and not _SHA256.fullmatch(digits):
        raise ModelError(
            tr("The checksum is not a SHA-256 checksum, which has 64 hexadecimal digits. Copy all of it.")
        )
    return digits


def _name(address: str) -> str:
    """The file name in an address, as shown to a person."""
    try:
        return unquote(urlsplit(address.strip()).path).rpartition("/")[2] or tr("the archive")
    except ValueError:
        return tr("the archive")
