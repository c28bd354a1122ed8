"""A virtual display whose pixels can be read: Xvfb with its frame buffer in a file, and a window manager."""

from __future__ import annotations

import os
import random
import struct
import subprocess
import tempfile
import time
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from installer.examine.results import CannotExamineError

SIZE = (1280, 800)
SOCKETS = Path("/tmp/.X11-unix")
_TIMEOUT_S = 20.0
_HEADER = struct.Struct(">25I")
_COLOUR_BYTES = 12


@dataclass(frozen=True, slots=True)
class Screen:
    """A display named ``display`` (``:7``) whose frame buffer lies in ``buffer``."""

    display: str
    buffer: Path

    def pixels(self) -> NDArray[np.uint32]:
        """The present pixels as 0xRRGGBB, [height, width]."""
        return read_xwd(self.buffer.read_bytes())

    def save(self, path: Path) -> None:
        """Save a screenshot as PNG."""
        path.write_bytes(png(self.pixels()))


def read_xwd(data: bytes) -> NDArray[np.uint32]:
    """The pixels of an X window dump with 32 bits a pixel, as 0xRRGGBB, [height, width] (XWDFile.h, version 7)."""
    header = _HEADER.unpack_from(data)
    size, width, height, little, bits = header[0], header[4], header[5], header[7] == 0, header[11]
    if header[1] != 7 or bits != 32:
        raise ValueError(f"version {header[1]} with {bits} bits a pixel cannot be read")
    start, per_line = size + header[19] * _COLOUR_BYTES, header[12] // 4
    kind = np.dtype("<u4" if little else ">u4")
    found = np.frombuffer(data, kind, count=height * per_line, offset=start).reshape(height, per_line)
    return (found[:, :width] & 0xFFFFFF).astype(np.uint32)


def png(pixels: NDArray[np.uint32]) -> bytes:
    """The pixels as a PNG file."""
    height, width = pixels.shape
    rows = np.zeros((height, 1 + 3 * width), np.uint8)
    for channel, shift in enumerate((16, 8, 0)):
        rows[:, 1 + channel :: 3] = (pixels >> shift) & 0xFF
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    parts = ((b"IHDR", head), (b"IDAT", zlib.compress(rows.tobytes(), 6)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
        for name, data in parts
    )


_QUIET: dict[str, Any] = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.DEVNULL)


def _await_socket(socket: Path) -> None:
    end = time.monotonic() + _TIMEOUT_S
    while not socket.exists():
        if time.monotonic() > end:
            raise CannotExamineError(f"Xvfb opened no display within {_TIMEOUT_S:.0f} s. Try it by hand.")
        time.sleep(0.05)


@contextmanager
def open_screen() -> Iterator[Screen]:
    """A display and its window manager inside the ``with`` block."""
    with tempfile.TemporaryDirectory() as folder:
        # A number that no other server uses: clients try the abstract socket of a number before its file.
        display = f":{random.randrange(1000, 60000)}"
        shape = ("-screen", "0", "{}x{}x24".format(*SIZE), "-fbdir", folder)
        server = subprocess.Popen(["Xvfb", display, *shape, "-nolock", "-nolisten", "tcp", "-ac"], **_QUIET)
        variables = {**os.environ, "DISPLAY": display}
        try:
            _await_socket(SOCKETS / f"X{display[1:]}")
            manager = subprocess.Popen(["openbox", "--sm-disable"], env=variables, **_QUIET)
            try:
                yield Screen(display, Path(folder, "Xvfb_screen0"))
            finally:
                manager.terminate()
                manager.wait()
        finally:
            server.terminate()
            server.wait()
