"""Models that come from elsewhere: from a folder, a zip archive, or an address that a person names."""

from __future__ import annotations

import hashlib
import re
import shutil
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import unquote, urlsplit

from core.bundle_files import BundleError, unreadable
from core.download import HTTPS, DownloadError, Published, Told, Wanted, download
from core.files import cause_of
from core.https import Call
from core.journal_lock import Lock
from core.language import tr
from core.paths import data_folder
from core.shelf.archives import unpack_models
from core.shelf.copying import MOST_BYTES, checked, role_of
from core.shelf.model import Installed, ShelfError
from core.shelf.shelf import Shelf

INCOMING = "incoming"
"""The folder in the person's data folder where an archive comes in and is unpacked."""

_PART = "archive-{mark}.zip"
_UNPACKED = "unpacked-"
_SHA256 = re.compile(r"[0-9a-f]{64}")


def bring(
    shelf: Shelf, path: Path, *, sha256: str = "", cancelled: Callable[[], bool] = lambda: False
) -> list[Installed]:
    """Put the model in a folder, or the models of a zip archive, on the shelf; all are checked before any is added.

    ``sha256`` is what an archive must be, in hexadecimal, if that is known. Raises what `Shelf.add_folder` raises.
    """
    if not path.is_file():
        return [shelf.add_folder(path, cancelled=cancelled)]
    known = _digits(sha256)
    with _alone() as place:
        if known and _sha256(path) != known:
            said = tr("{archive} is not what was published (its SHA-256 differs). Get it again.")
            raise ShelfError(said.format(archive=path.name))
        return _bring_archive(shelf, path, place, cancelled=cancelled)


def get(
    shelf: Shelf,
    address: str,
    *,
    sha256: str = "",
    told: Told = lambda _done, _total: None,
    call: Call | None = None,
    schemes: frozenset[str] = HTTPS,
) -> list[Installed]:
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
            most=MOST_BYTES,
            known=Published(digest) if digest else None,
            schemes=schemes,
        )
        _clear(place, but=wanted)
        try:
            download(wanted, told=told, call=call)
        except DownloadError as error:
            raise ShelfError(str(error)) from error
        try:
            brought = _bring_archive(shelf, wanted.part, place, cancelled=lambda: call.ended)
        except (ShelfError, BundleError):
            if not call.ended:
                wanted.forget()
            raise
        wanted.forget()
        return brought


def use_where_lacking(shelf: Shelf, brought: Sequence[Installed]) -> list[Installed]:
    """Use each of these models whose role has none that works; those that are in use now.

    Raises what `Shelf.promote` raises.
    """
    return [shelf.promote(one.id, one.role) for one in brought if _is_lacking(shelf, one)]


def _is_lacking(shelf: Shelf, brought: Installed) -> bool:
    present = shelf.active(brought.role)
    try:
        checked(present.folder, present.role)
    except BundleError:
        return present.id != brought.id
    return False


def _bring_archive(
    shelf: Shelf, archive: Path, place: Path, *, cancelled: Callable[[], bool]
) -> list[Installed]:
    with tempfile.TemporaryDirectory(prefix=_UNPACKED, dir=place) as into:
        folders = unpack_models(archive, Path(into), cancelled=cancelled)
        for folder in folders:
            try:
                checked(folder, role_of(folder))
            except OSError as error:
                raise unreadable(folder, error) from error
        return [shelf.add_folder(folder, cancelled=cancelled) for folder in folders]


@contextmanager
def _alone() -> Iterator[Path]:
    """The folder for what comes, which no other process uses meanwhile. What the system refuses is told."""
    place = data_folder() / INCOMING
    try:
        place.mkdir(mode=0o700, parents=True, exist_ok=True)
        lock = Lock.take(place / ".lock")
        if lock is None:
            raise ShelfError(
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
        raise ShelfError(said.format(folder=place, cause=cause_of(error))) from error


def _clear(place: Path, *, but: Wanted) -> None:
    """Remove what came of another archive, which nobody asks for any more."""
    for path in place.glob(_PART.format(mark="*") + "*"):
        if path not in (but.part, but.note):
            path.unlink()


def _digits(sha256: str) -> str:
    """A checksum as a person gives it, in small digits; empty for none."""
    digits = sha256.strip().lower()
    if digits and not _SHA256.fullmatch(digits):
        raise ShelfError(
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
