"""Single files out of a zip or tar archive: only those that are asked for, each to the place that the caller names.

No name in the archive decides where anything is written. A link, a folder, an encrypted member and one that is too
large are refused.
"""

from __future__ import annotations

import lzma
import os
import stat
import tarfile
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import IO

from core.download import Published
from training.corpora.base import AGAIN, CorpusError, checksum

_CHUNK = 2**18
_DAMAGED = (zipfile.BadZipFile, tarfile.TarError, zlib.error, lzma.LZMAError, EOFError, NotImplementedError)


def unpack(
    archive: Path, wanted: Mapping[str, Path], *, known: Mapping[Path, Published], most: int
) -> list[Path]:
    """Put the members that ``wanted`` names into its places, none of them larger than ``most`` bytes.

    A place that is there is left as it is. Raises CorpusError for a damaged archive, for a member that is missing or no
    plain file, and where its checksum is not that of ``known``; then no place is touched.
    """
    asked = {name: place for name, place in wanted.items() if not place.exists()}
    fresh: dict[str, Path] = {}
    try:
        for name, stream in _members(archive, set(asked), most):
            place = asked[name]
            place.parent.mkdir(parents=True, exist_ok=True)
            fresh[name] = place.with_name(f".{place.name}.part")
            _write(stream, fresh[name], name, most)
            published = known.get(place)
            if published is not None and checksum(fresh[name]) != published.sha256:
                raise CorpusError(
                    f"{name} in {archive.name} is not as published (its SHA-256 differs). {AGAIN}"
                )
        if lacking := sorted(set(asked) - set(fresh)):
            raise CorpusError(
                f"{archive.name} holds no {', '.join(lacking)}: it is not the published archive. {AGAIN}"
            )
        for name, path in fresh.items():
            path.replace(asked[name])
    except _DAMAGED as error:
        raise CorpusError(f"{archive.name} is truncated or damaged ({error}). {AGAIN}") from error
    finally:
        for path in fresh.values():
            path.unlink(missing_ok=True)
    return list(asked.values())


def _members(archive: Path, names: set[str], most: int) -> Iterator[tuple[str, IO[bytes]]]:
    """The wanted members that are there, each open while it is looked at."""
    if zipfile.is_zipfile(archive):
        return _of_zip(archive, names, most)
    if tarfile.is_tarfile(archive):
        return _of_tar(archive, names, most)
    raise CorpusError(f"{archive.name} is neither a zip nor a tar archive that is whole. {AGAIN}")


def _of_zip(archive: Path, names: set[str], most: int) -> Iterator[tuple[str, IO[bytes]]]:
    with zipfile.ZipFile(archive) as book:
        for info in book.infolist():
            if info.filename in names:
                link = stat.S_ISLNK(info.external_attr >> 16)
                _fit(info.filename, plain=not (info.is_dir() or link or info.flag_bits & 1))
                _fit_size(info.filename, info.file_size, most)
                with book.open(info) as stream:
                    yield info.filename, stream


def _of_tar(archive: Path, names: set[str], most: int) -> Iterator[tuple[str, IO[bytes]]]:
    with tarfile.open(archive, "r:*") as book:
        for info in book:
            _fit_size(info.name, info.size, most)
            if info.name in names:
                stream = book.extractfile(info) if info.isreg() else None
                _fit(info.name, plain=stream is not None)
                if stream is not None:
                    yield info.name, stream


def _fit(name: str, *, plain: bool) -> None:
    if not plain:
        raise CorpusError(f"{name} in the archive is no plain file: it is not the published archive. {AGAIN}")


def _fit_size(name: str, size: int, most: int) -> None:
    if size > most:
        raise CorpusError(
            f"{name} in the archive is larger than {most:,} bytes: it is not the published archive. {AGAIN}"
        )


def _write(stream: IO[bytes], path: Path, name: str, most: int) -> None:
    size = 0
    with path.open("wb") as target:
        while chunk := stream.read(_CHUNK):
            size += len(chunk)
            _fit_size(name, size, most)
            target.write(chunk)
        target.flush()
        os.fsync(target.fileno())
