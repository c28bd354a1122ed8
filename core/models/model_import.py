"""Models imported from a folder, a zip archive (its model folders and nothing else), or an address that a person
names.
"""

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
from core.network.download import HTTPS, DownloadError, Published, Told, Wanted, download
from core.network.https import Call
from core.paths import data_folder
from core.storage.file_lock import Lock
from core.storage.files import cause_of

# Models out of a zip archive: every folder in it that holds a ``bundle.json``, and nothing else.
#
# Names in the archive decide where nothing outside the given folder is written: an archive that tries is refused whole.


MAX_MODELS = 8
_PIECE = 2**18
_DAMAGED = (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, UnicodeError)


def unpack_models(archive: Path, into: Path, *, cancelled: Callable[[], bool]) -> list[Path]:
    """Unpack the models in ``archive`` into new folders in ``into``, and return those, in the order of their names.

    Raises ShelfError for what is no whole zip archive, holds no model, a link, an encrypted member, a name that leads
    outside, or more than the caps, and once ``cancelled()`` is true. Raises OSError.
    """
    try:
        with zipfile.ZipFile(archive) as book:
            members = [info for info in book.infolist() if not info.is_dir()]
            _check(archive, members)
            homes = sorted({_home(info) for info in members if PurePosixPath(info.filename).name == MANIFEST})
            if not homes:
                said = tr("it holds no model (no {file}). Get the archive that came with the release")
                raise _refused(archive, said.format(file=MANIFEST))
            if len(homes) > MAX_MODELS:
                raise _refused(archive, tr("it holds more than {n} models").format(n=MAX_MODELS))
            folders = {home: into / str(number) for number, home in enumerate(homes)}
            for info in members:
                if (home := _model_of(info, homes)) is not None:
                    target = folders[home] / PurePosixPath(info.filename).relative_to(home)
                    with book.open(info) as stream:
                        _write(stream, target, info.file_size, cancelled=cancelled)
    except _DAMAGED as error:
        raise _refused(archive, tr("it is damaged or no zip archive. Get it again")) from error
    except FileExistsError as error:
        raise _refused(archive, tr("it holds a name twice")) from error
    return list(folders.values())


def _check(archive: Path, members: Sequence[zipfile.ZipInfo]) -> None:
    """Refuse what no archive of models holds, before anything is written."""
    for info in members:
        if not is_safe_path(info.filename):
            said = tr("it names a file outside its folder ({name})")
            raise _refused(archive, said.format(name=info.filename))
        kind = stat.S_IFMT(info.external_attr >> 16)
        if kind not in (0, stat.S_IFREG) or info.flag_bits & 1:
            raise _refused(archive, tr("{name} is a link, or encrypted").format(name=info.filename))
    most_files = MAX_MODELS * MAX_FILES
    if len(members) > most_files or sum(info.file_size for info in members) > MAX_BYTES:
        said = tr("it has more than {files} files or {size} MB")
        raise _refused(archive, said.format(files=most_files, size=MAX_BYTES // 1024 // 1024))


def _home(info: zipfile.ZipInfo) -> PurePosixPath:
    return PurePosixPath(info.filename).parent


def _model_of(info: zipfile.ZipInfo, homes: Sequence[PurePosixPath]) -> PurePosixPath | None:
    """The innermost model's folder that a member lies in."""
    around = [home for home in homes if PurePosixPath(info.filename).is_relative_to(home)]
    return max(around, key=lambda home: len(home.parts), default=None)


def _write(stream: IO[bytes], target: Path, size: int, *, cancelled: Callable[[], bool]) -> None:
    """Write a member, of which no more comes than the archive says."""
    target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    with os.fdopen(os.open(target, flags, 0o600), "wb") as file:
        while piece := stream.read(_PIECE):
            if cancelled():
                raise cancelled_error()
            size -= len(piece)
            if size < 0:
                raise zipfile.BadZipFile
            file.write(piece)


def _refused(archive: Path, reason: str) -> ModelError:
    return ModelError(tr("{archive} is refused: {reason}.").format(archive=archive.name, reason=reason))


# Models that come from elsewhere: from a folder, a zip archive, or an address that a person names.


INCOMING = "incoming"
"""The folder in the person's data folder where an archive comes in and is unpacked."""

_PART = "archive-{mark}.zip"
_UNPACKED = "unpacked-"
_SHA256 = re.compile(r"[0-9a-f]{64}")


def import_models(
    shelf: ModelRegistry, path: Path, *, sha256: str = "", cancelled: Callable[[], bool] = lambda: False
) -> list[InstalledModel]:
    """Put the model in a folder, or the models of a zip archive, on the shelf; all are checked before any is added.

    ``sha256`` is what an archive must be, in hexadecimal, if that is known. Raises what `Shelf.add_folder` raises.
    """
    if not path.is_file():
        return [shelf.add_folder(path, cancelled=cancelled)]
    known = _digits(sha256)
    with _alone() as place:
        if known and _sha256(path) != known:
            said = tr("{archive} is not what was published (its SHA-256 differs). Get it again.")
            raise ModelError(said.format(archive=path.name))
        return _bring_archive(shelf, path, place, cancelled=cancelled)


def download_models(
    shelf: ModelRegistry,
    address: str,
    *,
    sha256: str = "",
    told: Told = lambda _done, _total: None,
    call: Call | None = None,
    schemes: frozenset[str] = HTTPS,
) -> list[InstalledModel]:
    """Download an archive of models, and put them on the shelf. What came before it broke off is not fetched again.

    ``sha256`` is what the archive must be, in hexadecimal; without it only what the models say of themselves is
    checked. Raises ShelfError, BundleError and StoreError, and Stopped once ``call`` was ended.
    """
    call, digest = call or Call(), _digits(sha256)
    with _alone() as place:
        wanted = Wanted(
            url=address.strip(),
            name=_name(address),
            part=place / _PART.format(mark=hashlib.sha256(address.strip().encode()).hexdigest()[:16]),
            most=MAX_BYTES,
            known=Published(digest) if digest else None,
            schemes=schemes,
        )
        _clear(place, but=wanted)
        try:
            download(wanted, told=told, call=call)
        except DownloadError as error:
            raise ModelError(str(error)) from error
        try:
            brought = _bring_archive(shelf, wanted.part, place, cancelled=lambda: call.ended)
        except (ModelError, BundleError):
            if not call.ended:
                wanted.forget()
            raise
        wanted.forget()
        return brought


def promote_where_missing(shelf: ModelRegistry, brought: Sequence[InstalledModel]) -> list[InstalledModel]:
    """Use each of these models whose role has none that works; those that are in use now.

    Raises what `Shelf.promote` raises.
    """
    return [shelf.promote(one.id, one.role) for one in brought if _is_lacking(shelf, one)]


def _is_lacking(shelf: ModelRegistry, brought: InstalledModel) -> bool:
    present = shelf.active(brought.role)
    try:
        load_bundle(present.folder, present.role)
    except BundleError:
        return present.id != brought.id
    return False


def _bring_archive(
    shelf: ModelRegistry, archive: Path, place: Path, *, cancelled: Callable[[], bool]
) -> list[InstalledModel]:
    with tempfile.TemporaryDirectory(prefix=_UNPACKED, dir=place) as into:
        folders = unpack_models(archive, Path(into), cancelled=cancelled)
        for folder in folders:
            try:
                load_bundle(folder, bundle_role(folder))
            except OSError as error:
                raise unreadable_error(folder, error) from error
        return [shelf.add_folder(folder, cancelled=cancelled) for folder in folders]


@contextmanager
def _alone() -> Iterator[Path]:
    """The folder for what comes, which no other process uses meanwhile. What the system refuses is told."""
    place = data_folder() / INCOMING
    try:
        place.mkdir(mode=0o700, parents=True, exist_ok=True)
        lock = Lock.take(place / ".lock")
        if lock is None:
            raise ModelError(
                tr("Models are coming in already, in another window. Wait until that has ended.")
            )
        try:
            for left in place.glob(f"{_UNPACKED}*"):
                shutil.rmtree(left)
            yield place
        finally:
            lock.release()
    except OSError as error:
        said = tr("The models cannot be unpacked in {folder}: {cause}.")
        raise ModelError(said.format(folder=place, cause=cause_of(error))) from error


def _clear(place: Path, *, but: Wanted) -> None:
    """Remove what came of another archive, which nobody asks for any more."""
    for path in place.glob(_PART.format(mark="*") + "*"):
        if path not in (but.part, but.note):
            path.unlink()


def _digits(sha256: str) -> str:
    """A checksum as a person gives it, in small digits; empty for none."""
    digits = sha256.strip().lower()
    if digits and not _SHA256.fullmatch(digits):
        raise ModelError(
            tr("The checksum is no SHA-256: that has 64 digits from 0 to f. Copy it as a whole.")
        )
    return digits


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _name(address: str) -> str:
    """What the archive is called to a person."""
    try:
        return unquote(urlsplit(address.strip()).path).rpartition("/")[2] or tr("the archive")
    except ValueError:
        return tr("the archive")
