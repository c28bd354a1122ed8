"""What tests of docx and odt share: random edits that a file allows, and what of a saved file must be as it was."""

from __future__ import annotations

import io
import zipfile
from random import Random

from core.formats.office_document import OfficeDocument
from core.formats.types import Container

_TYPED = ("a", "b ", "\t", "  ", "é🙂", "\n", "<&>]]>", "shameful", " ", "\ufffc", "x\ny", "")


def edited(container: Container, random: Random) -> str:
    """The text with a few edits of which none touches what is locked and none breaks a line where none may break."""
    text = container.text
    places = sorted(random.randint(0, len(text)) for _ in range(random.choice((2, 2, 4, 6))))
    for start, end in reversed(list(zip(places[::2], places[1::2], strict=True))):
        end = random.choice((start, min(end, start + random.randint(0, 6)), end))
        if any(lock.start < end and start < lock.end for lock in container.locked if start < end):
            continue
        typed = "".join(random.choice(_TYPED) for _ in range(random.randint(0, 3)))
        if any(lock.start < start < lock.end or lock.start == lock.end == start for lock in container.locked):
            typed = ""
        if not any(low <= start <= high for low, high in container.breaks):
            typed = typed.replace("\n", "")
        text = text[:start] + typed + text[end:]
    return text


def main_text(container: OfficeDocument) -> str:
    """The text without that of notes, headers and footers."""
    layout = container.layout
    ends = (
        at + line.length for line, at in zip(layout.lines, layout.starts, strict=True) if line.anchor is None
    )
    return container.text[: max(ends, default=0)]


def members(data: bytes) -> dict[str, bytes]:
    """The raw record of each member of a zip: header, name, extra field and packed bytes."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        assert archive.testzip() is None
        infos = archive.infolist()
        ends = [*sorted(info.header_offset for info in infos)[1:], archive.start_dir]
        starts = sorted(infos, key=lambda info: info.header_offset)
        return {info.filename: data[info.header_offset : end] for info, end in zip(starts, ends, strict=True)}


def part(data: bytes, name: str) -> str:
    """A member of a zip as text."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return archive.read(name).decode("utf-8")
