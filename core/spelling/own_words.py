"""A person's own words: a file in the data folder, one word a line, that all windows share."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from core.i18n import tr
from core.paths import data_folder
from core.spelling.words import clean_word
from core.storage.data_version import refuse_newer_data
from core.storage.disk import make_private_folder
from core.storage.file_lock import FileLock
from core.storage.files import FileError, describe_os_error, read_bytes, write_bytes

FILE = "spelling.txt"
_LOCK = "spelling.lock"
_WAIT_S = 5.0
_Stamp = tuple[int, int]


class OwnWords:
    """The words of the file in ``folder``, by default the data folder. Another window may change it at any time."""

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = folder
        self._stamp: _Stamp | None = None
        self._words: tuple[str, ...] = ()

    def words(self) -> list[str]:
        """All words in alphabetical order. Raises FileError and NoHomeError."""
        path = self._path()
        stamp = _stamp(path)
        if stamp is None or stamp != self._stamp:
            text = read_bytes(path).decode("utf-8-sig", "replace") if stamp else ""
            self._words = tuple(
                sorted(dict.fromkeys(filter(None, map(str.strip, text.split("\n")))), key=_order)
            )
            self._stamp = stamp
        return list(self._words)

    def add(self, word: str) -> None:
        """Add a word. Raises ValueError, with a message for the person, if it is not one word; else like ``remove``."""
        self._change(clean_word(word), add=True)

    def remove(self, word: str) -> None:
        """Remove a word. Raises FileError and NoHomeError, and StoreError if the data belongs to a newer Evenhand."""
        self._change(word, add=False)

    def _change(self, word: str, *, add: bool) -> None:
        path = self._path()
        refuse_newer_data(path.parent)
        lock = None
        try:
            make_private_folder(path.parent)
            lock = FileLock.acquire_within(path.parent / _LOCK, _WAIT_S)
            if lock is None:
                message = tr("Another window is changing your personal dictionary. Try again in a moment.")
                raise FileError(message)
            self._stamp = None
            others = [one for one in self.words() if one != word]
            with suppress(FileExistsError):
                path.touch(mode=0o600, exist_ok=False)
            lines = sorted([*others, word] if add else others, key=_order)
            write_bytes(path, "".join(f"{one}\n" for one in lines).encode("utf-8", "replace"))
        except OSError as error:
            message = tr("{name} was not saved: {cause}.")
            raise FileError(message.format(name=path.name, cause=describe_os_error(error))) from error
        finally:
            self._stamp = None
            if lock is not None:
                lock.release()

    def _path(self) -> Path:
        return (self._folder or data_folder()) / FILE


def _stamp(path: Path) -> _Stamp | None:
    """Time and size of the file; None if there is none."""
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_mtime_ns, status.st_size


def _order(word: str) -> tuple[str, str]:
    return word.casefold(), word
