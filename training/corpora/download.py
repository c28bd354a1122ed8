"""Corpus files from their official homes, each checked before it takes its place (how they come: ``core.download``).

What has come of a file lies beside it as ``.NAME.part``. Nothing that is here already is ever replaced.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from core.download import HTTPS, DownloadError, Published, Wanted
from core.download import download as fetch
from core.journal_lock import Lock
from training.corpora.archives import unpack
from training.corpora.base import CorpusError, Download, checksum

Told = Callable[[str, int, int], None]
"""Is told a file's place, the bytes that are here, and the bytes of the whole (0: not known)."""


def untold(_place: str, _done: int, _total: int) -> None:
    """Nobody is told."""


def get(
    download: Download,
    data: Path,
    *,
    known: Mapping[str, Published],
    told: Told = untold,
    schemes: frozenset[str] = HTTPS,
) -> list[Path]:
    """Fetch what is not under ``data`` yet; returns the files that came, none if all were here.

    Raises CorpusError, in one sentence: for what the home answers, a full disk, a broken connection (what came is
    kept), too many bytes, a wrong checksum (what came is removed), and for a file that is here but not as published.
    """
    places = [place for _, place in download.members] or [download.place]
    here = [_is_here(data, place, known) for place in places]
    if all(here):
        return []
    target = data / download.place
    wanted = Wanted(
        url=download.url,
        name=download.place,
        part=target.with_name(f".{target.name}.part"),
        most=download.most,
        known=known.get(download.place),
        schemes=schemes,
    )
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        lock = Lock.take(target.with_name(f".{target.name}.lock"))
        if lock is None:
            raise CorpusError(f"{download.place} is being downloaded already. Wait until that has ended.")
        try:
            fetch(wanted, told=lambda done, total: told(download.place, done, total))
            if download.members:
                members = {member: data / place for member, place in download.members}
                right = {data / p: k for p, k in known.items()}
                unpack(wanted.part, members, known=right, most=download.most)
                wanted.part.unlink()
            else:
                wanted.part.replace(target)
            wanted.note.unlink(missing_ok=True)
        finally:
            lock.release()
    except DownloadError as error:
        raise CorpusError(str(error)) from error
    except OSError as error:
        raise CorpusError(
            f"{download.place} could not be written ({error}). Check the folder that --data names."
        ) from error
    return [data / place for place in places]


def _is_here(data: Path, place: str, known: Mapping[str, Published]) -> bool:
    """Whether a file is here as published, or the same packed with xz. Raises CorpusError where it was altered."""
    for name in (place, f"{place}.xz"):
        path, right = data / name, known.get(name)
        if path.is_file():
            if right is not None and (path.stat().st_size != right.size or checksum(path) != right.sha256):
                raise CorpusError(f"{path} is here, but not as published. Move it away, then get it again.")
            return True
    return False
