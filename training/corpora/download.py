"""Corpus files from their official homepages, checked before they are put in place, and single files out of archives.

A partial download lies beside its place as ``.NAME.part`` (see ``core.network.download``). A file that exists is
never replaced. No name in a zip or tar archive decides where anything is written; a link, a folder, an encrypted
member and one that is too large are refused.
"""

from __future__ import annotations

import lzma
import os
import stat
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import IO

from core.network.download import HTTPS, DownloadError, PublishedFile, RemoteFile
from core.network.download import download as fetch
from core.storage.file_lock import FileLock
from training.types import DOWNLOAD_AGAIN, CorpusError, Download, checksum

_CHUNK = 2**18
_DAMAGED = (zipfile.BadZipFile, tarfile.TarError, zlib.error, lzma.LZMAError, EOFError, NotImplementedError)


def unpack(
    archive: Path, wanted: Mapping[str, Path], *, known: Mapping[Path, PublishedFile], max_bytes: int
) -> list[Path]:
    """Put the members that ``wanted`` names into its places, none of them larger than ``max_bytes``.

    A file that is there is left as it is. Raises CorpusError for a damaged archive, for a member that is missing or no
    plain file, and where its checksum is not that of ``known``; then no place is touched.
    """
    asked = {name: place for name, place in wanted.items() if not place.exists()}
    fresh: dict[str, Path] = {}
    try:
        for name, stream in _members(archive, set(asked), max_bytes):
            place = asked[name]
            place.parent.mkdir(parents=True, exist_ok=True)
            fresh[name] = place.with_name(f".{place.name}.part")
            _write(stream, fresh[name], name, max_bytes)
            published = known.get(place)
            if published is not None and checksum(fresh[name]) != published.sha256:
                raise CorpusError(
                    f"{name} in {archive.name} is not as published (its SHA-256 differs). {DOWNLOAD_AGAIN}"
                )
        if lacking := sorted(set(asked) - set(fresh)):
            raise CorpusError(
                f"{archive.name} contains no {', '.join(lacking)}: it is not the published archive. {DOWNLOAD_AGAIN}"
            )
        for name, path in fresh.items():
            path.replace(asked[name])
    except _DAMAGED as error:
        raise CorpusError(f"{archive.name} is truncated or damaged ({error}). {DOWNLOAD_AGAIN}") from error
    finally:
        for path in fresh.values():
            path.unlink(missing_ok=True)
    return list(asked.values())


def _members(archive: Path, names: set[str], max_bytes: int) -> Iterator[tuple[str, IO[bytes]]]:
    """The wanted members that are there, each open while it is looked at."""
    if zipfile.is_zipfile(archive):
        return _of_zip(archive, names, max_bytes)
    if tarfile.is_tarfile(archive):
        return _of_tar(archive, names, max_bytes)
    raise CorpusError(f"{archive.name} is neither a zip nor a tar archive that is whole. {DOWNLOAD_AGAIN}")


def _of_zip(archive: Path, names: set[str], max_bytes: int) -> Iterator[tuple[str, IO[bytes]]]:
    with zipfile.ZipFile(archive) as book:
        for info in book.infolist():
            if info.filename in names:
                link = stat.S_ISLNK(info.external_attr >> 16)
                _check_plain(info.filename, plain=not (info.is_dir() or link or info.flag_bits & 1))
                _check_size(info.filename, info.file_size, max_bytes)
                with book.open(info) as stream:
                    yield info.filename, stream


def _of_tar(archive: Path, names: set[str], max_bytes: int) -> Iterator[tuple[str, IO[bytes]]]:
    with tarfile.open(archive, "r:*") as book:
        for info in book:
            _check_size(info.name, info.size, max_bytes)
            if info.name in names:
                stream = book.extractfile(info) if info.isreg() else None
                _check_plain(info.name, plain=stream is not None)
                if stream is not None:
                    yield info.name, stream


def _check_plain(name: str, *, plain: bool) -> None:
    if not plain:
        raise CorpusError(
            f"{name} in the archive is not a plain file: it is not the published archive. {DOWNLOAD_AGAIN}"
        )


def _check_size(name: str, size: int, max_bytes: int) -> None:
    if size > max_bytes:
        raise CorpusError(
            f"{name} in the archive is larger than {max_bytes:,} bytes: it is not the published archive. "
            f"{DOWNLOAD_AGAIN}"
        )


def _write(stream: IO[bytes], path: Path, name: str, max_bytes: int) -> None:
    size = 0
    with path.open("wb") as target:
        while chunk := stream.read(_CHUNK):
            size += len(chunk)
            _check_size(name, size, max_bytes)
            target.write(chunk)
        target.flush()
        os.fsync(target.fileno())


OnProgress = Callable[[str, int, int], None]
"""Called with the place of a file, the bytes so far, and its size in bytes (0: not known)."""


def ignore_progress(_place: str, _done: int, _total: int) -> None:
    """Ignore the progress of a download."""


def download_corpus_file(
    download: Download,
    data: Path,
    *,
    known: Mapping[str, PublishedFile],
    on_progress: OnProgress = ignore_progress,
    schemes: frozenset[str] = HTTPS,
) -> list[Path]:
    """Download what is not under ``data`` yet; returns the new files, none if all were there.

    Raises CorpusError for an error of the server, a full disk, a broken connection (the partial file is kept), too many
    bytes, a wrong checksum (the file is removed), and for a file that is there but not as published.
    """
    places = [place for _, place in download.members] or [download.place]
    here = [_is_here(data, place, known) for place in places]
    if all(here):
        return []
    target = data / download.place
    wanted = RemoteFile(
        url=download.url,
        name=download.place,
        part=target.with_name(f".{target.name}.part"),
        max_bytes=download.max_bytes,
        published=known.get(download.place),
        schemes=schemes,
    )
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        lock = FileLock.acquire(target.with_name(f".{target.name}.lock"))
        if lock is None:
            raise CorpusError(f"{download.place} is already being downloaded. Wait until it is done.")
        try:
            fetch(wanted, on_progress=lambda done, total: on_progress(download.place, done, total))
            if download.members:
                members = {member: data / place for member, place in download.members}
                right = {data / p: k for p, k in known.items()}
                unpack(wanted.part, members, known=right, max_bytes=download.max_bytes)
                wanted.part.unlink()
            else:
                wanted.part.replace(target)
            wanted.version_file.unlink(missing_ok=True)
        finally:
            lock.release()
    except DownloadError as error:
        raise CorpusError(str(error)) from error
    except OSError as error:
        raise CorpusError(
            f"{download.place} could not be written ({error}). Check the folder that --data names."
        ) from error
    return [data / place for place in places]


def _is_here(data: Path, place: str, known: Mapping[str, PublishedFile]) -> bool:
    """Whether a file is there as published, or packed with xz. Raises CorpusError where it was altered."""
    for name in (place, f"{place}.xz"):
        path, right = data / name, known.get(name)
        if path.is_file():
            if right is not None and (path.stat().st_size != right.size or checksum(path) != right.sha256):
                raise CorpusError(f"{path} is here, but not as published. Move it away, then get it again.")
            return True
    return False
