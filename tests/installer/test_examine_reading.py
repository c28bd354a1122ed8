"""Protects what the examiner reads: a log of system calls, two states of a Word file, the pixels of a screen."""

from __future__ import annotations

import io
import struct
import zipfile
import zlib
from collections.abc import Callable

import numpy as np
import pytest

from app.widgets.kinds import kind_style
from core.formats.loader import open_document
from core.types import KINDS
from installer.examine.docx_draft import MAIN, compare_docx, draft
from installer.examine.network_calls import read_calls
from installer.examine.screen import png, read_xwd
from installer.examine.user import UNDERLINES

UNIX = '812 connect(5, {sa_family=AF_UNIX, sun_path="/tmp/.X11-unix/X7"}, 110) = 0'


def test_sockets_of_this_machine_are_counted_and_none_of_them_is_a_call_to_a_network() -> None:
    log = "\n".join(
        (
            UNIX,
            "812 socket(AF_UNIX, SOCK_STREAM|SOCK_CLOEXEC, 0) = 5",
            "813 recvmsg(5, {msg_name=NULL}, 0) = -1 EAGAIN (Resource temporarily unavailable)",
            '813 sendto(6, "x", 1, 0, {sa_family=AF_NETLINK, nl_pid=0, nl_groups=00000000}, 12) = 1',
            "812 +++ exited with 0 +++",
        )
    )
    assert read_calls(log).sent == ()
    assert read_calls(log).local == 1


@pytest.mark.parametrize(
    "call",
    [
        '812 connect(7, {sa_family=AF_INET, sin_port=htons(443), sin_addr=inet_addr("192.0.2.1")}, 16) = -1 '
        "ENETUNREACH (Network is unreachable)",
        '[pid   812] connect(7, {sa_family=AF_INET6, sin6_port=htons(443), inet_pton(AF_INET6, "2001:db8::1", '
        "&sin6_addr)}, 28 <unfinished ...>",
        'connect(7, {sa_family=AF_INET, sin_port=htons(53), sin_addr=inet_addr("192.0.2.1")}, 16) = 0',
        '812 sendto(7, "q", 1, MSG_NOSIGNAL, {sa_family=AF_INET, sin_port=htons(53), sin_addr=inet_addr("192.0.2.1")}, '
        "16) = 1",
        "812 sendmmsg(7, [{msg_hdr={msg_name={sa_family=AF_INET, sin_port=htons(53)}}}], 2, MSG_NOSIGNAL) = 2",
    ],
)
def test_every_call_to_an_address_is_found_even_one_in_vain(call: str) -> None:
    assert read_calls(f"{UNIX}\n{call}\n").sent == (call,)


def edited(edit: Callable[[str], str], *, other: str = "") -> bytes:
    """The draft with its main part edited, and a byte more in another part."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(draft())) as before, zipfile.ZipFile(out, "w") as after:
        for info in before.infolist():
            data = before.read(info)
            if info.filename == MAIN:
                data = edit(data.decode()).encode()
            after.writestr(info, data + (b"\n" if info.filename == other else b""))
    return out.getvalue()


def test_the_draft_is_a_word_file_that_the_engine_opens() -> None:
    opened = open_document(draft(), name="draft.docx")
    assert "The legendary architect of the plan" in opened.text
    assert opened.notes == ()


def test_other_words_in_a_run_change_the_main_part_alone_and_no_markup() -> None:
    found = compare_docx(draft(), edited(lambda xml: xml.replace("legendary", "")))
    assert (found.parts, found.markup) == ((MAIN,), False)
    assert found.before.replace("legendary", "") == found.after


def test_what_must_not_change_is_refused_with_a_reason() -> None:
    assert compare_docx(draft(), draft()).parts == ()
    assert compare_docx(draft(), edited(lambda xml: xml.replace("<w:b/>", "<w:i/>", 1))).markup
    assert compare_docx(draft(), edited(str, other="word/media/image1.png")).parts == (
        "word/media/image1.png",
    )


def test_a_part_in_another_place_is_a_change() -> None:
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(draft())) as before, zipfile.ZipFile(out, "w") as after:
        for info in reversed(before.infolist()):
            after.writestr(info, before.read(info))
    assert len(compare_docx(draft(), out.getvalue()).parts) == 6


def dump(pixels: np.ndarray, *, colours: int = 2, padding: int = 1) -> bytes:
    """An X window dump of these pixels, its lines padded."""
    height, width = pixels.shape
    lines = np.pad(pixels.astype("<u4"), ((0, 0), (0, padding)), constant_values=7)
    header = [0] * 25
    header[0], header[1], header[2], header[3], header[4], header[5] = 104, 7, 2, 24, width, height
    header[8], header[11], header[12], header[19] = 32, 32, 4 * (width + padding), colours
    return struct.pack(">25I", *header) + b"name" + bytes(12 * colours) + lines.tobytes()


def test_pixels_are_read_from_a_dump_and_written_as_png() -> None:
    pixels = np.array([[0xD55E00, 0x000000, 0xFFFFFF], [0x0000FF, 0x00FF00, 0xFF0000]], np.uint32)
    assert read_xwd(dump(pixels)).tolist() == pixels.tolist()
    picture = png(pixels)
    start = picture.index(b"IDAT") + 4
    size = int.from_bytes(picture[start - 8 : start - 4], "big")
    assert zlib.decompress(picture[start : start + size])[:10] == b"\0\xd5\x5e\0\0\0\0\xff\xff\xff"


def test_a_dump_of_another_kind_is_refused() -> None:
    with pytest.raises(ValueError, match="version 6"):
        read_xwd(struct.pack(">25I", 100, 6, *[0] * 23))


def test_the_examiner_looks_for_the_colours_that_the_window_underlines_with() -> None:
    assert [kind_style(kind, dark=False).colour.rgb() & 0xFFFFFF for kind in KINDS] == list(UNDERLINES)
