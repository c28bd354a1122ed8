"""Reproducible archives: the same files give the same bytes."""

from __future__ import annotations

import hashlib
import io
import tarfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

_LEVEL = 12
"""At 19 the package would be 149 instead of 157 MB, and take twenty times as long."""
_EXECUTABLE = 0o111


@dataclass(frozen=True, slots=True)
class Member:
    """One entry of an archive: ``name`` without a leading slash, and its content, source file or link target.

    A folder has none of the three.
    """

    name: str
    source: Path | None = None
    content: bytes | None = None
    link: str = ""
    executable: bool = False


def tree(folder: Path, under: str) -> Iterator[Member]:
    """All files and links of ``folder`` as members below ``under``."""
    for path in sorted(folder.rglob("*")):
        name = f"{under}/{path.relative_to(folder).as_posix()}"
        if path.is_symlink():
            yield Member(name, link=str(path.readlink()))
        elif path.is_file():
            yield Member(name, source=path, executable=bool(path.stat().st_mode & _EXECUTABLE))


def with_folders(members: Iterable[Member], prefix: str = "") -> list[Member]:
    """The members sorted by name, with their folders before them; ``prefix`` is added to every name."""
    named = {member.name: member for member in members}
    for name in [*named]:
        for parent in list(Path(name).parents)[:-1]:
            named.setdefault(parent.as_posix(), Member(parent.as_posix()))
    found = [named[name] for name in sorted(named)]
    return [Member(prefix + one.name, one.source, one.content, one.link, one.executable) for one in found]


def write_tar(members: Iterable[Member], out: io.RawIOBase | io.BufferedIOBase, *, epoch: int) -> None:
    """Write a tar of the members in their order. Owner root, time ``epoch`` (seconds), modes 0755 and 0644."""
    with tarfile.open(fileobj=out, mode="w|", format=tarfile.GNU_FORMAT) as archive:
        for member in members:
            info = _info(member, epoch)
            if member.source is not None:
                with member.source.open("rb") as file:
                    archive.addfile(info, file)
            else:
                archive.addfile(info, io.BytesIO(member.content or b""))


def write_tar_zst(members: Iterable[Member], path: Path, *, epoch: int) -> None:
    """Write a tar of the members to ``path``, compressed by Zstandard."""
    import zstandard

    # The output depends on whether there are several threads, not on their number.
    packer = zstandard.ZstdCompressor(level=_LEVEL, threads=2)
    with path.open("wb") as file, packer.stream_writer(file, closefd=False) as out:
        write_tar(members, out, epoch=epoch)


def write_ar(parts: Iterable[tuple[str, Path | bytes]], path: Path, *, epoch: int) -> None:
    """Write an ``ar`` archive, the container of a .deb, from (name of at most 15 characters, file or bytes)."""
    with path.open("wb") as out:
        out.write(b"!<arch>\n")
        for name, part in parts:
            size = len(part) if isinstance(part, bytes) else part.stat().st_size
            out.write(f"{name:<16}{epoch:<12}{0:<6}{0:<6}{'100644':<8}{size:<10}`\n".encode("ascii"))
            if isinstance(part, bytes):
                out.write(part)
            else:
                with part.open("rb") as file:
                    while block := file.read(1 << 20):
                        out.write(block)
            if size % 2:
                out.write(b"\n")


def checksums(paths: Iterable[Path]) -> str:
    """The lines of a SHA256SUMS file, by name."""
    lines = []
    for path in sorted(paths, key=lambda path: path.name):
        with path.open("rb") as file:
            lines.append(f"{hashlib.file_digest(file, 'sha256').hexdigest()}  {path.name}\n")
    return "".join(lines)


def _info(member: Member, epoch: int) -> tarfile.TarInfo:
    info = tarfile.TarInfo(member.name)
    info.mtime = epoch
    info.uname = info.gname = "root"
    info.mode = 0o755 if member.executable else 0o644
    if member.link:
        info.type, info.linkname, info.mode = tarfile.SYMTYPE, member.link, 0o777
    elif member.source is not None:
        info.size = member.source.stat().st_size
    elif member.content is not None:
        info.size = len(member.content)
    else:
        info.type, info.mode = tarfile.DIRTYPE, 0o755
    return info
