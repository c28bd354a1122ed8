"""Files: text decoded with a known encoding, atomic writes, and line ends preserved."""

from __future__ import annotations

import contextlib
import errno
import hashlib
import os
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise, zip_longest
from pathlib import Path

from core.i18n import tr
from core.storage.disk import NotAFileError, PartialWriteError, open_regular, replace_file
from core.text.diff import match_lines

MAX_BYTES = 50_000_000

_BOMS = ((b"\xef\xbb\xbf", "utf-8-sig"), (b"\xff\xfe", "utf-16-le"), (b"\xfe\xff", "utf-16-be"))
_PREFIXES = {encoding: bom for bom, encoding in _BOMS}
_NAMES = {"utf-8": "UTF-8", "utf-8-sig": "UTF-8", "utf-16-le": "UTF-16", "utf-16-be": "UTF-16"}
_UTF32 = (b"\xff\xfe\x00\x00", b"\x00\x00\xfe\xff")
_CONTROL = re.compile(rb"[\x00-\x08\x0e-\x1a\x1c-\x1f\x7f]")
_MULTIBYTE = re.compile(rb"[\xc3-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}")
_HIGH = re.compile(rb"[\x80-\xff]")
_LETTER = re.compile(rb"[A-Za-z\x80-\xff]")
_LINE_END = re.compile(r"\r\n|\r|\n")
_FEW = 64

_CAUSES = {
    errno.ENOSPC: tr("the disk is full. Free some space, or save it on another disk"),
    errno.EDQUOT: tr("your disk quota is used up. Free some space, or save it on another disk"),
    errno.EACCES: tr("you have no permission. Change the permissions of the file or its folder"),
    errno.EPERM: tr("you have no permission. Change the permissions of the file or its folder"),
    errno.EROFS: tr("the disk is read-only. Save it on another disk"),
    errno.ENOENT: tr("the file or its folder does not exist. Check the name"),
    errno.ENOTDIR: tr("part of its path is not a folder. Check the name"),
    errno.EISDIR: tr("it is a folder. Give the name of a file"),
    errno.ENAMETOOLONG: tr("the name is too long. Choose a shorter one"),
    errno.ELOOP: tr("it is a link that leads back to itself. Give the name of the file itself"),
    errno.EIO: tr("the disk reports an error. Check the disk, or use another one"),
    errno.EBUSY: tr("another program is using it. Close that program and try again"),
}
_SAVE_ELSEWHERE = (errno.EACCES, errno.EPERM, errno.ENOENT)


class FileError(Exception):
    """A file cannot be read or written; its text tells a person why, and what to do."""


@dataclass(frozen=True, slots=True)
class TextFile:
    r"""The text of a file, line ends as they are in it.

    ``encoding`` is what to hand to `write_text`: ``utf-8``, ``utf-8-sig`` (with a byte order mark), ``utf-16-le`` or
    ``utf-16-be`` (both with one), or ``windows-1252``. ``editable`` is False if bytes could not be decoded: saving
    would lose them. ``note`` tells a person what was assumed, or is empty.
    """

    text: str
    encoding: str
    editable: bool
    note: str


def read_text(path: Path) -> TextFile:
    """Read a text file of at most 50 MB; raises FileError."""
    return decode(read_bytes(path), name=path.name)


def read_bytes(path: Path) -> bytes:
    """The bytes of a file of at most 50 MB; raises FileError."""
    try:
        with open_regular(path) as file:
            data = file.read(MAX_BYTES + 1)
    except (OSError, ValueError) as error:
        message = tr("{name} cannot be read: {cause}.").format(
            name=path.name or path, cause=describe_os_error(error)
        )
        raise FileError(message) from error
    if len(data) > MAX_BYTES:
        raise FileError(_too_large(path.name))
    return data


def sha256_of(path: Path) -> str:
    """The SHA-256 of a file, in hexadecimal. Raises OSError."""
    with open_regular(path) as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def decode(data: bytes, *, name: str = "standard input") -> TextFile:
    """Decode bytes: by byte order mark, as UTF-8, else as windows-1252 with a note, else with characters replaced.

    Raises FileError for more than 50 MB and for binary data; ``name`` is what the message calls the file.
    """
    if len(data) > MAX_BYTES:
        raise FileError(_too_large(name))
    if data.startswith(_UTF32):
        raise FileError(
            tr(
                "{name} is encoded as UTF-32, which cannot be read. Save it as UTF-8 and open it again."
            ).format(name=name)
        )
    bom, encoding = next(((bom, name) for bom, name in _BOMS if data.startswith(bom)), (b"", "utf-8"))
    body = data[len(bom) :]
    codec = "utf-8" if encoding == "utf-8-sig" else encoding
    if not encoding.startswith("utf-16"):
        _refuse_binary(body, name)
    try:
        text = body.decode(codec)
    except UnicodeDecodeError:
        return _decode_fallback(body, encoding, codec)
    if "\0" in text:
        raise FileError(_binary(name))
    return TextFile(text, encoding, True, "")


def _decode_fallback(body: bytes, encoding: str, codec: str) -> TextFile:
    if encoding == "utf-8" and _looks_western(body):
        with contextlib.suppress(UnicodeDecodeError):
            note = tr(
                "The text is not UTF-8; it was read as Windows-1252 (Western European). "
                "If letters look wrong, convert the file to UTF-8 and open it again."
            )
            return TextFile(body.decode("windows-1252"), "windows-1252", True, note)
    note = tr(
        "Some bytes are not valid {encoding} and are shown as \ufffd. The file is open for reading only, so "
        "that nothing in it is lost; convert it to UTF-8 to edit it."
    ).format(encoding=_NAMES[encoding])
    return TextFile(body.decode(codec, errors="replace"), encoding, False, note)


def _looks_western(body: bytes) -> bool:
    """Whether high bytes are as rare as in a Western language, and mostly not valid UTF-8."""
    high = len(_HIGH.findall(body))
    in_characters = sum(map(len, _MULTIBYTE.findall(body)))
    return 2 * high <= len(_LETTER.findall(body)) + 2 and 2 * in_characters < high


def _refuse_binary(body: bytes, name: str) -> None:
    if b"\0" in body or 20 * len(_CONTROL.findall(body)) > len(body):
        raise FileError(_binary(name))


def _binary(name: str) -> str:
    said = tr("{name} looks like a binary file, not text. Save it as plain text in UTF-8 and open that.")
    return said.format(name=name)


def _too_large(name: str) -> str:
    said = tr("{name} is larger than 50 MB. Split it into smaller files and open those.")
    return said.format(name=name)


def write_text(path: Path, text: str, *, encoding: str) -> None:
    """Replace a file with a text, like `write_bytes`. ``encoding`` is that of a `TextFile`. Raises FileError."""
    write_bytes(path, encode_text(path, text, encoding=encoding))


def encode_text(path: Path, text: str, *, encoding: str) -> bytes:
    """The bytes of a text in the encoding of a `TextFile`. Raises FileError, which names the file."""
    try:
        return _PREFIXES.get(encoding, b"") + text.encode("utf-8" if encoding == "utf-8-sig" else encoding)
    except UnicodeEncodeError as error:
        character = text[error.start]
        lone = "\ud800" <= character <= "\udfff"
        shown = tr("half of a surrogate pair") if lone else f"“{character}”"
        utf = encoding.startswith("utf")
        advice = tr("Remove it.") if utf else tr("Replace it, or save the file as UTF-8.")
        said = tr(
            "{name} was not saved: {shown} (character {number}) cannot be written in {encoding}. {advice}"
        )
        raise FileError(
            said.format(
                name=path.name,
                shown=shown,
                number=f"{error.start + 1:,}",
                encoding=_NAMES.get(encoding, encoding),
                advice=advice,
            )
        ) from error


def write_bytes(path: Path, data: bytes) -> None:
    """Replace the bytes of a file, as `core.storage.disk.replace_file` does; a symbolic link is followed and stays.

    Raises FileError.
    """
    name = path.name or path
    try:
        replace_file(Path(os.path.realpath(path)), data)
    except PartialWriteError as error:
        said = tr(
            "{name} was not saved: {cause}. Its previous content is in “{copy}” in the same folder: copy it back."
        )
        raise FileError(
            said.format(name=name, cause=describe_os_error(error), copy=error.copy.name)
        ) from error
    except (OSError, ValueError) as error:
        said = tr("{name} was not saved: {cause}{way_out}. The file still has its previous content.")
        raise FileError(
            said.format(name=name, cause=describe_os_error(error), way_out=_way_out(error))
        ) from error


def describe_os_error(error: Exception) -> str:
    """Why the system refused, and what to do, as the end of a sentence without the full stop."""
    if isinstance(error, NotAFileError):
        return str(error.strerror)
    if isinstance(error, OSError):
        unknown = tr("{error}. Try again, or use another place")
        return _CAUSES.get(error.errno or 0) or unknown.format(error=error.strerror or error)
    if "null" in str(error):
        return tr("the name contains a character that is not allowed in file names. Choose another name")
    return str(error)


def _way_out(error: Exception) -> str:
    elsewhere = isinstance(error, OSError) and error.errno in _SAVE_ELSEWHERE
    return tr(", or save it elsewhere") if elsewhere else ""


def restore_line_ends(original: str, edited: str) -> str:
    r"""The edited text, whose lines end in ``\n``, with the line ends of the original text.

    A line keeps its line end even if its words were edited; a new line gets the most common one. An unedited text is
    returned unchanged. Two line ends never merge into one (``\r`` and ``\n`` around an empty line).
    """
    ends = _LINE_END.findall(original)
    edited = _LINE_END.sub("\n", edited) if "\r" in edited else edited
    if not ends:
        return edited
    dominant = Counter(ends).most_common(1)[0][0]
    if len(set(ends)) == 1:
        return edited if dominant == "\n" else edited.replace("\n", dominant)
    lines = edited.split("\n")
    original_lines = _LINE_END.split(original)
    origins = _match_edited_lines(match_lines(original_lines, lines), len(original_lines))
    new_ends = [
        ends[origin] if origin is not None and origin < len(ends) else dominant
        for origin in origins[: len(lines) - 1]
    ]
    for number, (end, following) in enumerate(pairwise(new_ends), 1):
        if (end, lines[number], following) == ("\r", "", "\n"):
            new_ends[number] = "\r\n"
    return "".join(part for pair in zip_longest(lines, new_ends, fillvalue="") for part in pair)


def _match_edited_lines(origins: Sequence[int | None], count: int) -> list[int | None]:
    """The origins of lines, including those that replaced some of the ``count`` original ones.

    Between two unchanged lines the last lines correspond, because the end of a split or joined line comes after its
    last part. In a long range with lines added or removed nothing is matched.
    """
    found = list(origins)
    low = first = 0
    for last, high in [*enumerate(origins), (len(found), count)]:
        if high is None:
            continue
        size = min(last - first, high - low)
        if size <= _FEW or last - first == high - low:
            found[last - size : last] = range(high - size, high)
        low, first = high + 1, last + 1
    return found
