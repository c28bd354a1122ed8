"""Files that were damaged or made to do harm, from a seed: the same seed gives the same bytes.

Some ways work on any bytes, some know zip files (and unpack, damage and pack a member), some know XML.
"""

from __future__ import annotations

import io
import re
import struct
import zipfile
from collections.abc import Callable
from random import Random

Mutation = Callable[[bytes, Random], bytes]

_WORDS = (
    b"",
    b"\0",
    b"\xff",
    b"<",
    b">",
    b"&",
    b'"',
    b"]]>",
    b"<!--",
    b"{{",
    b"[[",
    b"\r",
    b"\xed\xa0\x80",
    b"\xef\xbf\xbe",
)
_LAUGHS = b'<!DOCTYPE x [<!ENTITY a "ha ha ha">' + b"".join(
    b'<!ENTITY %c "%b">' % (98 + level, b"&%c;" % (97 + level) * 10) for level in range(9)
)
_OUTSIDE = b'<!DOCTYPE x [<!ENTITY j SYSTEM "file:///etc/hostname">'
_TAG = re.compile(rb"<[^<>]+>")


def cut_short(data: bytes, random: Random) -> bytes:
    """Only the beginning, or only the end."""
    place = random.randint(0, len(data))
    return data[:place] if random.random() < 0.8 else data[place:]


def flip_bits(data: bytes, random: Random) -> bytes:
    """One to a few hundred bits are other than they were."""
    changed = bytearray(data)
    for _ in range(random.choice((1, 1, 2, 8, 50, 300))):
        if changed:
            changed[random.randrange(len(changed))] ^= 1 << random.randrange(8)
    return bytes(changed)


def remove_bytes(data: bytes, random: Random) -> bytes:
    """A stretch is missing."""
    start, end = _stretch(data, random)
    return data[:start] + data[end:]


def repeat_bytes(data: bytes, random: Random) -> bytes:
    """A stretch stands there several times."""
    start, end = _stretch(data, random)
    return data[:start] + data[start:end] * random.choice((2, 3, 50)) + data[end:]


def move_bytes(data: bytes, random: Random) -> bytes:
    """A stretch stands somewhere else."""
    start, end = _stretch(data, random)
    rest = data[:start] + data[end:]
    place = random.randint(0, len(rest))
    return rest[:place] + data[start:end] + rest[place:]


def put_in_bytes(data: bytes, random: Random) -> bytes:
    """Something that means something in some format stands where it should not."""
    place = random.randint(0, len(data))
    return data[:place] + random.choice(_WORDS) * random.choice((1, 2, 1000)) + data[place:]


def change_numbers(data: bytes, random: Random) -> bytes:
    """Two or four bytes are a number at some limit: sizes and places in binary formats."""
    changed = bytearray(data)
    for _ in range(random.randint(1, 4)):
        size = random.choice(("<H", "<I"))
        if len(changed) > struct.calcsize(size):
            value = random.choice((0, 1, 0x7F, 0xFF, 0x7FFF, 0xFFFF))
            struct.pack_into(size, changed, random.randrange(len(changed) - struct.calcsize(size)), value)
    return bytes(changed)


def declare_entities(data: bytes, random: Random) -> bytes:
    """An entity that grows to gigabytes, or one that is a file, used somewhere."""
    bomb = random.choice((_LAUGHS, _OUTSIDE)) + b"]>"
    declaration = re.match(rb"\s*<\?xml[^>]*\?>", data)
    start = declaration.end() if declaration else 0
    place = _between_tags(data, random, start)
    return data[:start] + bomb + data[start:place] + b"&j;" + data[place:]


def nest_deeply(data: bytes, random: Random) -> bytes:
    """One of its elements stands within itself, a hundred to many thousand times."""
    place = _between_tags(data, random, 0)
    tags = [tag for tag in _TAG.findall(data[:200_000]) if re.match(rb"<[a-zA-Z][^/]*>$", tag)] or [b"<div>"]
    tag = random.choice(tags)
    name = re.match(rb"<([^\s>]+)", tag)
    depth = random.choice((100, 400, 1_000, 50_000))
    ends = b"</" + (name[1] if name else b"") + b">"
    return data[:place] + tag * depth + ends * random.choice((depth, 0)) + data[place:]


def change_tags(data: bytes, random: Random) -> bytes:
    """Some tags are gone, twice there, or in the place of others."""
    tags = [found.span() for found in _TAG.finditer(data)]
    if not tags:
        return put_in_bytes(data, random)
    for _ in range(random.randint(1, 3)):
        start, end = random.choice(tags)
        other = random.choice(tags)
        put = random.choice((b"", data[start:end] * 2, data[other[0] : other[1]]))
        if end <= len(data):
            data = data[:start] + put + data[end:]
    return data


def _stretch(data: bytes, random: Random) -> tuple[int, int]:
    start = random.randint(0, len(data))
    return start, min(len(data), start + random.choice((1, 2, 10, 100, 1000, len(data))))


def _between_tags(data: bytes, random: Random, low: int) -> int:
    ends = [found.end() for found in _TAG.finditer(data, low)]
    return random.choice(ends) if ends else random.randint(min(low, len(data)), len(data))


ANY = (cut_short, flip_bits, remove_bytes, repeat_bytes, move_bytes, put_in_bytes, change_numbers)
MARKED_UP = (declare_entities, nest_deeply, change_tags)


def in_member(data: bytes, random: Random) -> bytes:
    """One member of a zip is damaged and packed again, so that the zip itself is whole."""
    contents = _unpacked(data)
    parts = [name for name in contents if name.endswith((".xml", ".rels"))] or list(contents)
    main = [name for name in parts if name.endswith(("document.xml", "content.xml"))]
    name = random.choice(main if main and random.random() < 0.7 else parts)
    contents[name] = random.choice(ANY + MARKED_UP * 3)(contents[name], random)
    return _packed(contents, random)


def swap_members(data: bytes, random: Random) -> bytes:
    """Two members have each other's content, or one is missing, or one has another name."""
    contents = _unpacked(data)
    first, second = random.choice(list(contents)), random.choice(list(contents))
    way = random.randrange(3)
    if way == 0:
        contents[first], contents[second] = contents[second], contents[first]
    elif way == 1:
        del contents[first]
    else:
        name = random.choice(("../up.xml", "/root.xml", "a" * 5000, first.upper(), "\u202e.xml"))
        contents[name] = contents.pop(first)
    return _packed(contents, random)


def make_bomb(data: bytes, random: Random) -> bytes:
    """A member that is small in the file and very large unpacked; its headers may say otherwise."""
    contents = _unpacked(data)
    name = random.choice(list(contents))
    filling = random.choice((b" ", b"<a>", b"<a/>", b"<w:p/>"))
    contents[name] = contents[name][:-20] + filling * (random.choice((1, 3, 30)) * 1_000_000 // len(filling))
    bomb = bytearray(_packed(contents, random))
    if random.random() < 0.5:
        place = bomb.rfind(b"PK\x01\x02")
        struct.pack_into("<I", bomb, place + 24, random.choice((0, 10, 1000, 2**31)))
    return bytes(bomb)


def lie_in_headers(data: bytes, random: Random) -> bytes:
    """A field of a header of the zip says something else."""
    changed = bytearray(data)
    mark = random.choice((b"PK\x03\x04", b"PK\x01\x02", b"PK\x05\x06"))
    places = [found.start() for found in re.finditer(re.escape(mark), data)]
    if places:
        place = random.choice(places) + random.randrange(4, 44, 2)
        if place + 2 <= len(changed):
            struct.pack_into(
                "<H", changed, place, random.choice((0, 1, 8, 0x800, 0xFFFF, random.randrange(2**16)))
            )
    return bytes(changed)


def nest_zips(data: bytes, random: Random) -> bytes:
    """The file within itself, some times over."""
    for _ in range(random.randint(1, 4)):
        data = _packed({**_unpacked(data), "word/document.xml": data}, random)
    return data


ZIPPED = (in_member, in_member, in_member, swap_members, make_bomb, lie_in_headers, nest_zips)


def mutated(data: bytes, seed: int) -> bytes:
    """The file, damaged in one way or two; never the file as it was, unless by chance."""
    random = Random(seed)
    packed = data.startswith(b"PK\x03\x04")
    ways: tuple[Mutation, ...] = ANY + (ZIPPED * 2 if packed else MARKED_UP)
    changed = random.choice(ways)(data, random)
    if random.random() < 0.3:
        changed = random.choice(ANY)(changed, random)
    return changed


def _unpacked(data: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def _packed(contents: dict[str, bytes], random: Random) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", random.choice((zipfile.ZIP_DEFLATED, zipfile.ZIP_STORED))) as archive:
        for name, content in contents.items():
            archive.writestr(zipfile.ZipInfo(name, (2021, 3, 4, 5, 6, 8)), content)
    return buffer.getvalue()
