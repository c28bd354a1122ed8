"""A zip file in memory: read without trusting it, and written again with every other member byte for byte the same.

The records are those of APPNOTE 6.3 (PKWARE), sections 4.3.7 (local header), 4.3.12 (central directory) and 4.3.16 (its
end). Nothing is ever unpacked to disk.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise

from core.formats.types import ContainerError
from core.i18n import tr

MAX_PACKAGE = 200_000_000
MAX_MEMBERS = 10_000
MAX_PART = 64_000_000
MAX_UNPACKED = 2_000_000_000
MAX_RATIO = 200
"""How many times larger than its packed size a part larger than `SMALL` may be."""
SMALL = 1_000_000

_LOCAL = struct.Struct("<4s5H3I2H")
_CENTRAL = struct.Struct("<4s6H3I5H2I")
_END = struct.Struct("<4s4H2IH")
_STORED, _DEFLATED = 0, 8
_DEFLATE_BEST = 1_100
_ENCRYPTED = 1 | 1 << 6 | 1 << 13
_TRAILING_SIZES = 1 << 3
_UTF8 = 1 << 11
_ZIP64 = 1
_VERSION = 20
_FIRST_DATE = 1 << 5 | 1
"""1 January 1980: the first day that a zip file can name, which office programs write too."""


@dataclass(frozen=True, slots=True)
class Member:
    """A member of the zip: where its records lie in the file, and what the central directory says of it."""

    name: str
    local: int
    body: int
    central: int
    central_end: int
    flags: int
    method: int
    crc: int
    packed: int
    size: int


@dataclass(frozen=True, slots=True)
class Package:
    """A zip file that was checked: its members by name, in the order of the central directory."""

    data: bytes
    name: str
    members: dict[str, Member]
    directory: int
    end: int

    def read(self, part: str) -> bytes:
        """The unpacked bytes of a member; raises ContainerError where it is missing, damaged or far too large."""
        member = self.members.get(part)
        if member is None:
            raise _damaged(self.name, tr("the part {part} is missing").format(part=_shown(part)))
        if member.size > MAX_PART or (member.size > SMALL and member.size > MAX_RATIO * member.packed):
            raise _too_large(self.name)
        packed = self.data[member.body : member.body + member.packed]
        content = packed if member.method == _STORED else _inflate(packed, member.size)
        if content is None or len(content) != member.size or zlib.crc32(content) != member.crc:
            raise _damaged(self.name, tr("the part {part} cannot be unpacked").format(part=_shown(part)))
        return content

    def replaced(self, parts: Mapping[str, bytes]) -> bytes:
        """The file with some parts replaced, or added at its end where it has none of that name.

        All other members, and the order of all, stay as they are to the byte.
        """
        pieces: list[bytes] = []
        directory: list[bytes] = []
        moved: dict[str, tuple[int, bytes]] = {}
        at = length = 0
        for member in sorted(self.members.values(), key=lambda member: member.local):
            before = self.data[at : member.local]
            at = member.local
            length += len(before)
            pieces.append(before)
            entry = self.data[member.central : member.central_end]
            if member.name in parts:
                record, entry = self._packed(member, parts[member.name])
                moved[member.name] = (length, entry)
                pieces.append(record)
                length += len(record)
                at = self._after(member)
            else:
                moved[member.name] = (length, entry)
        pieces.append(self.data[at : self.directory])
        length += self.directory - at
        for name in self.members:
            offset, entry = moved[name]
            directory.append(entry[:42] + struct.pack("<I", offset) + entry[46:])
        for name, content in parts.items():
            if name not in self.members:
                record, entry = _new_member(name, content, length)
                pieces.append(record)
                directory.append(entry)
                length += len(record)
        pieces += directory
        size = sum(map(len, directory))
        tail = self.data[self.end :]
        count = struct.pack("<2H", len(directory), len(directory))
        pieces.append(tail[:8] + count + struct.pack("<2I", size, length) + tail[20:])
        return b"".join(pieces)

    def _after(self, member: Member) -> int:
        """Where the record of a member ends, its data descriptor included."""
        end = member.body + member.packed
        if not member.flags & _TRAILING_SIZES:
            return end
        sizes = struct.pack("<3I", member.crc, member.packed, member.size)
        long_sizes = struct.pack("<I2Q", member.crc, member.packed, member.size)
        for descriptor in (b"PK\x07\x08" + long_sizes, b"PK\x07\x08" + sizes, long_sizes, sizes):
            if self.data.startswith(descriptor, end):
                return end + len(descriptor)
        return end

    def _packed(self, member: Member, content: bytes) -> tuple[bytes, bytes]:
        """The local record and the central entry of a member with new content."""
        packed = content if member.method == _STORED else _deflate(content)
        flags = member.flags & ~_TRAILING_SIZES
        sizes = (zlib.crc32(content), len(packed), len(content))
        local = list(_LOCAL.unpack_from(self.data, member.local))
        name_end = member.local + _LOCAL.size + local[9]
        name = self.data[member.local + _LOCAL.size : name_end]
        extra = _without_zip64(self.data[name_end : name_end + local[10]])
        local[2], local[6:9], local[10] = flags, sizes, len(extra)
        central = list(_CENTRAL.unpack_from(self.data, member.central))
        rest = self.data[member.central + _CENTRAL.size + len(name) : member.central_end]
        central_extra = _without_zip64(rest[: central[11]])
        comment = rest[central[11] :]
        central[3], central[7:10], central[11] = flags, sizes, len(central_extra)
        entry = _CENTRAL.pack(*central) + name + central_extra + comment
        return _LOCAL.pack(*local) + name + extra + packed, entry


def open_package(data: bytes, *, name: str) -> Package:
    """Look through the bytes of a zip file; raises ContainerError for whatever is not plainly safe.

    Refused are: more than `MAX_PACKAGE` bytes, `MAX_MEMBERS` members or `MAX_UNPACKED` bytes unpacked; encrypted
    members, packing other than deflate, names that stand twice or lead out of the package, and members that overlap.
    ``name`` is what messages call the file.
    """
    if len(data) > MAX_PACKAGE:
        raise _too_large(name)
    end = _find_end(data, name)
    _, disk, first_disk, here, count, size, directory, _ = _END.unpack_from(data, end)
    if disk or first_disk or here != count or directory + size != end:
        raise _damaged(name, tr("its directory does not match its contents"))
    if count > MAX_MEMBERS:
        raise _too_large(name)
    members: dict[str, Member] = {}
    at = directory
    for _number in range(count):
        member = _member(data, at, end, name)
        if member.name in members:
            raise _damaged(name, tr("it contains the part {part} twice").format(part=_shown(member.name)))
        members[member.name] = member
        at = member.central_end
    if at != end:
        raise _damaged(name, tr("its directory does not match its contents"))
    if sum(member.size for member in members.values()) > MAX_UNPACKED:
        raise _too_large(name)
    extents = sorted((member.local, member.body + member.packed) for member in members.values())
    if any(before[1] > after[0] for before, after in pairwise([*extents, (directory, end)])):
        raise _damaged(name, tr("some of its parts overlap"))
    return Package(data, name, members, directory, end)


def _find_end(data: bytes, name: str) -> int:
    """Where the record of the end starts: the last one whose table of contents lies right before it.

    Bytes behind it, such as a line end that a mail program has added, are ignored as other programs do, and are kept.
    """
    low = max(0, len(data) - _END.size - 0xFFFF)
    whole = None
    at = data.rfind(b"PK\x05\x06", low)
    while at >= low:
        if len(data) - at >= _END.size:
            *_, size, directory, comment = _END.unpack_from(data, at)
            if directory + size == at and data.startswith(b"PK\x01\x02", directory):
                return at
            if whole is None and at + _END.size + comment == len(data):
                whole = at
        at = data.rfind(b"PK\x05\x06", low, at + 3)
    if whole is not None:
        return whole
    if not data.startswith(b"PK"):
        raise _damaged(name, tr("it is not a zip package"))
    raise _damaged(name, tr("its end is missing"))


def _member(data: bytes, at: int, end: int, file: str) -> Member:
    misfit = _damaged(file, tr("its directory does not match its contents"))
    if at + _CENTRAL.size > end:
        raise misfit
    (
        mark,
        _,
        _,
        flags,
        method,
        _,
        _,
        crc,
        packed,
        size,
        long_name,
        long_extra,
        long_comment,
        _,
        _,
        _,
        local,
    ) = _CENTRAL.unpack_from(data, at)
    central_end = at + _CENTRAL.size + long_name + long_extra + long_comment
    if mark != b"PK\x01\x02" or central_end > end or local + _LOCAL.size > end:
        raise misfit
    raw_name = data[at + _CENTRAL.size : at + _CENTRAL.size + long_name]
    there = _LOCAL.unpack_from(data, local)
    body = local + _LOCAL.size + there[9] + there[10]
    there_name = data[local + _LOCAL.size : local + _LOCAL.size + there[9]]
    if there[0] != b"PK\x03\x04" or there_name != raw_name or body + packed > end:
        raise misfit
    if (flags | there[2]) & _ENCRYPTED:
        raise ContainerError(
            tr("{name} is protected by a password. Remove the password and open it again.").format(name=file)
        )
    if method not in (_STORED, _DEFLATED) or there[3] != method:
        raise _damaged(file, tr("it is packed in a way that cannot be read"))
    if packed != size if method == _STORED else size > _DEFLATE_BEST * max(packed, 1):
        raise _damaged(file, tr("the sizes that it gives cannot be right"))
    try:
        name = raw_name.decode("utf-8" if flags & _UTF8 else "cp437")
    except UnicodeDecodeError:
        raise misfit from None
    steps = name.replace("\\", "/").split("/")
    if not name or "\0" in name or not steps[0] or ".." in steps or ":" in steps[0]:
        raise _damaged(file, tr("the name of a part leads out of the package"))
    return Member(name, local, body, at, central_end, flags, method, crc, packed, size)


def _inflate(packed: bytes, size: int) -> bytes | None:
    """Unpacked bytes, one more than ``size`` at the most; None where they are damaged."""
    machine = zlib.decompressobj(-15)
    try:
        content = machine.decompress(packed, size + 1)
    except zlib.error:
        return None
    return content if machine.eof else None


def _deflate(content: bytes) -> bytes:
    machine = zlib.compressobj(6, zlib.DEFLATED, -15)
    return machine.compress(content) + machine.flush()


def _new_member(name: str, content: bytes, offset: int) -> tuple[bytes, bytes]:
    """The local record, which begins at ``offset``, and the central entry of a member that the file did not have."""
    packed = _deflate(content)
    raw_name = name.encode("utf-8")
    flags = 0 if name.isascii() else _UTF8
    sizes = (zlib.crc32(content), len(packed), len(content), len(raw_name), 0)
    fixed = (_VERSION, flags, _DEFLATED, 0, _FIRST_DATE)
    record = _LOCAL.pack(b"PK\x03\x04", *fixed, *sizes) + raw_name + packed
    return record, _CENTRAL.pack(b"PK\x01\x02", _VERSION, *fixed, *sizes, 0, 0, 0, 0, offset) + raw_name


def _without_zip64(extra: bytes) -> bytes:
    kept = []
    at = 0
    while at + 4 <= len(extra):
        kind, size = struct.unpack_from("<2H", extra, at)
        if kind != _ZIP64:
            kept.append(extra[at : at + 4 + size])
        at += 4 + size
    return b"".join([*kept, extra[at:]])


def _shown(part: str) -> str:
    """The name of a part, fit for a message: it comes from the file and can hold anything."""
    plain = "".join(character if character.isprintable() else "\ufffd" for character in part)
    return plain if len(plain) <= 60 else plain[:57] + "…"


def _damaged(name: str, why: str) -> ContainerError:
    return ContainerError(
        tr("{name} is damaged: {why}. Open it in the program that wrote it and save it again.").format(
            name=name, why=why
        )
    )


def _too_large(name: str) -> ContainerError:
    return ContainerError(
        tr("{name} is too large when unpacked. Split it into smaller files and open those.").format(name=name)
    )
