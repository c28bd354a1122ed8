"""Models out of a zip archive: every folder in it that holds a ``bundle.json``, and nothing else.

Names in the archive decide where nothing outside the given folder is written: an archive that tries is refused whole.
"""

from __future__ import annotations

import os
import stat
import zipfile
import zlib
from collections.abc import Callable, Sequence
from pathlib import Path, PurePosixPath
from typing import IO

from core.bundle_files import DESCRIPTION, is_plain
from core.language import tr
from core.shelf.copying import MOST_BYTES, MOST_FILES, stopped
from core.shelf.model import ShelfError

MOST_MODELS = 8
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
            homes = sorted(
                {_home(info) for info in members if PurePosixPath(info.filename).name == DESCRIPTION}
            )
            if not homes:
                said = tr("it holds no model (no {file}). Get the archive that came with the release")
                raise _refused(archive, said.format(file=DESCRIPTION))
            if len(homes) > MOST_MODELS:
                raise _refused(archive, tr("it holds more than {n} models").format(n=MOST_MODELS))
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
        if not is_plain(info.filename):
            said = tr("it names a file outside its folder ({name})")
            raise _refused(archive, said.format(name=info.filename))
        kind = stat.S_IFMT(info.external_attr >> 16)
        if kind not in (0, stat.S_IFREG) or info.flag_bits & 1:
            raise _refused(archive, tr("{name} is a link, or encrypted").format(name=info.filename))
    most_files = MOST_MODELS * MOST_FILES
    if len(members) > most_files or sum(info.file_size for info in members) > MOST_BYTES:
        said = tr("it has more than {files} files or {size} MB")
        raise _refused(archive, said.format(files=most_files, size=MOST_BYTES // 1024 // 1024))


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
                raise stopped()
            size -= len(piece)
            if size < 0:
                raise zipfile.BadZipFile
            file.write(piece)


def _refused(archive: Path, reason: str) -> ShelfError:
    return ShelfError(tr("{archive} is refused: {reason}.").format(archive=archive.name, reason=reason))
