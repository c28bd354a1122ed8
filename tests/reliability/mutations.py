"""Files that were damaged or made to do harm, from a seed: the same seed gives the same bytes.

Some ways work on any bytes, some know zip files (and unpack, damage and pack a member), some know XML. Most members of
a zip stay XML that can be parsed: elements are removed, repeated, moved, swapped, nested or unwrapped, and attributes
and texts become others. So most of these files open, and what reads an opened file is tried too.
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
_NAME = re.compile(rb"<(/?)([A-Za-z_][^\s/>]*)[^<>]*?(/?)>")
_ATTRIBUTE = re.compile(rb"""\s([\w:.-]+)=("[^"<>]*"|'[^'<>]*')""")
_TEXT = re.compile(rb">([^<>]*[^<>\s][^<>]*)<")
_VALUES = (
    b"",
    b"0",
    b"-1",
    b"1",
    b"65535",
    b"2147483648",
    b"true",
    b"none",
    b"a b",
    b"&#8232;",
    b"\xc3\xa9",
    b"x" * 3000,
)
_TEXTS = (
    b"",
    b" ",
    b"shameful",
    b"The chairman reveals a shameful record. ",
    b"isn't it? \xe2\x80\x9cNo\xe2\x80\x9d ",
    b"\xe2\x80\x9c",
    b'"',
    b"\t",
    b"\n\n",
    b"&#13;",
    b"&amp;lt;b&amp;gt;",
    b"<!-- evenhand off -->",
    b"<![CDATA[ shameful ]]>",
    b"<?x y?>",
    b"{{a|[[b",
    b"\xc2\xad",
    b"\xe2\x80\x8b",
    b"\xe2\x80\xae",
    b"\xe2\x80\xa8",
    b"\xef\xac\x81",
    b"e\xcc\x81" * 40,
    b"\xf0\x9f\x98\x80",
    b"a" * 3000,
    b" " * 3000,
    b"shameful " * 200,
)


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


def change_elements(data: bytes, random: Random) -> bytes:
    """Some elements, attributes and texts are others; what could be parsed still can be."""
    for _ in range(random.choice((1, 1, 2, 4, 10))):
        if len(data) < 500_000:
            data = random.choice(_KEEPING)(data, random)
    return data


def _remove_element(data: bytes, random: Random) -> bytes:
    start, end = _element(data, random)
    return data[:start] + data[end:]


def _repeat_element(data: bytes, random: Random) -> bytes:
    start, end = _element(data, random)
    return data[:start] + data[start:end] * random.choice((2, 2, 3, 30)) + data[end:]


def _move_element(data: bytes, random: Random) -> bytes:
    start, end = _element(data, random)
    rest = data[:start] + data[end:]
    into, _ = _element(rest, random)
    return rest[:into] + data[start:end] + rest[into:]


def _swap_elements(data: bytes, random: Random) -> bytes:
    (start, end), (other, last) = sorted((_element(data, random), _element(data, random)))
    if other < end:
        return data
    return data[:start] + data[other:last] + data[end:other] + data[start:end] + data[last:]


def _nest_element(data: bytes, random: Random) -> bytes:
    """An element stands within its own tags, or has lost them."""
    start, end = _element(data, random)
    content = _content(data, start, end)
    if content is None:
        return data
    opening, closing = data[start : content[0]], data[content[1] : end]
    depth = random.choice((0, 2, 3, 20))
    return data[:start] + opening * depth + data[content[0] : content[1]] + closing * depth + data[end:]


def _change_attribute(data: bytes, random: Random) -> bytes:
    first = data.find(b"?>") + 1
    places = [found.span() for found in _ATTRIBUTE.finditer(data, first) if b"xmlns" not in found[1]]
    if not places:
        return data
    start, end = random.choice(places)
    name = data[start:end].split(b"=", 1)[0]
    others = [data[slice(*place)].split(b"=", 1)[1] for place in random.choices(places, k=3)]
    put = random.choice((b'"' + random.choice(_VALUES) + b'"', *others, None))
    return data[:start] + (b"" if put is None else name + b"=" + put) + data[end:]


def _change_text(data: bytes, random: Random) -> bytes:
    places = [found.span(1) for found in _TEXT.finditer(data)]
    if not places:
        return data
    start, end = random.choice(places)
    starts = [at for at in range(start, end + 1) if at == len(data) or data[at] & 0xC0 != 0x80]
    # Not inside a reference such as &amp;.
    starts = [at for at in starts if b"&" not in data[start:at].rsplit(b";", 1)[-1]] or [start]
    at = random.choice(starts)
    put = random.choice(_TEXTS)
    return data[:start] + put + data[end:] if random.random() < 0.3 else data[:at] + put + data[at:]


_KEEPING = (
    _remove_element,
    _repeat_element,
    _move_element,
    _swap_elements,
    _nest_element,
    _change_attribute,
    _change_attribute,
    _change_text,
    _change_text,
    _change_text,
)


def _element(data: bytes, random: Random) -> tuple[int, int]:
    """The span of an element that is not the outermost; small ones as often as large ones."""
    spans, opened = [], []
    for found in _NAME.finditer(data):
        if found[3]:
            spans.append(found.span())
        elif not found[1]:
            opened.append((found[2], found.start()))
        elif opened and opened[-1][0] == found[2]:
            spans.append((opened.pop()[1], found.end()))
    inner = [span for span in spans if any(other[0] < span[0] and span[1] < other[1] for other in spans[-3:])]
    return random.choice(inner or spans or [(len(data), len(data))])


def _content(data: bytes, start: int, end: int) -> tuple[int, int] | None:
    """The span of what an element holds; None for an empty tag."""
    first, last = data.find(b">", start, end) + 1, data.rfind(b"<", start, end)
    return (first, last) if 0 < first <= last else None


def _stretch(data: bytes, random: Random) -> tuple[int, int]:
    start = random.randint(0, len(data))
    return start, min(len(data), start + random.choice((1, 2, 10, 100, 1000, len(data))))


def _between_tags(data: bytes, random: Random, low: int) -> int:
    ends = [found.end() for found in _TAG.finditer(data, low)]
    return random.choice(ends) if ends else random.randint(min(low, len(data)), len(data))


ANY = (cut_short, flip_bits, remove_bytes, repeat_bytes, move_bytes, put_in_bytes, change_numbers)
MARKED_UP = (declare_entities, nest_deeply, change_tags)
KEEPING_SHARE = 0.75
"""Of the members that are changed, this share can still be parsed."""


def in_member(data: bytes, random: Random) -> bytes:
    """One member of a zip is damaged and packed again, so that the zip itself is whole."""
    contents = _unpacked(data)
    parts = [name for name in contents if name.endswith((".xml", ".rels"))] or list(contents)
    main = [name for name in parts if name.endswith(("document.xml", "content.xml"))]
    name = random.choice(main if main and random.random() < 0.7 else parts)
    parsed = random.random() < KEEPING_SHARE
    contents[name] = (change_elements if parsed else random.choice(ANY + MARKED_UP * 3))(
        contents[name], random
    )
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


ZIPPED = (swap_members, make_bomb, lie_in_headers, nest_zips)
IN_MEMBER_SHARE = 0.8
"""Of the files that are zips, this share is packed again as a whole zip."""


def mutated(data: bytes, seed: int) -> bytes:
    """The file, damaged in one way or two; never the file as it was, unless by chance."""
    random = Random(seed)
    packed = data.startswith(b"PK\x03\x04")
    if packed and random.random() < IN_MEMBER_SHARE:
        changed = in_member(data, random)
        return in_member(changed, random) if random.random() < 0.3 else changed
    ways: tuple[Mutation, ...] = ANY + (ZIPPED * 2 if packed else (*MARKED_UP, *(change_elements,) * 5))
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
