"""WordNet where a person has it: nltk's data, or a folder of the database files as Princeton and Debian give them."""

from __future__ import annotations

import io
import warnings
import zipfile
from pathlib import Path
from typing import IO, Any

from training.types import CorpusError

_HOW = (
    "Get it with `python -m nltk.downloader wordnet`, or take the database files (dict) from "
    "https://wordnet.princeton.edu, and name the folder with --wordnet FOLDER."
)
_INDEX = "data.noun"
_NEEDED = (*(f"{kind}.{part}" for kind in ("index", "data") for part in ("noun", "verb", "adj", "adv")),)
_LEXNAMES = 45


def load_wordnet(folder: Path | None = None) -> Any:
    """nltk's reader of WordNet, from ``folder`` or, without one, from where nltk keeps its data.

    ``folder`` holds the files ``data.noun`` and so on, or ``corpora/wordnet`` (packed or not), or ``dict``. Lists of
    irregular forms and of lexicographers' files may be missing: without the former *women* is not found as *woman*.
    Raises CorpusError where WordNet is not there, or its files are damaged.
    """
    try:
        import nltk
    except ImportError as error:
        raise CorpusError("NLTK is not installed. Install Evenhand with its train extra.") from error
    places = [Path(place) for place in nltk.data.path] if folder is None else [folder]
    root = next((found for place in places if (found := _root(place)) is not None), None)
    if root is None:
        where = "nltk's data" if folder is None else str(folder)
        raise CorpusError(f"WordNet is not in {where}. {_HOW}")
    if folder is not None and str(folder) not in nltk.data.path:
        nltk.data.path.append(str(folder))  # nltk reads from no other folder
    try:
        return _reader(root)
    except PermissionError as error:
        raise CorpusError(f"The WordNet files in {root} cannot be read. {error}") from error
    except (OSError, ValueError, AssertionError, LookupError, zipfile.BadZipFile, _error()) as error:
        raise CorpusError(
            f"The WordNet files in {root} are damaged or not all there ({error}). {_HOW}"
        ) from error


def _root(place: Path) -> Path | None:
    """The folder of the database files in a place, or the archive that has them."""
    for folder in (place, place / "corpora" / "wordnet", place / "dict"):
        if (folder / _INDEX).is_file():
            return folder
    packed = place / "corpora" / "wordnet.zip"
    return packed if packed.is_file() else None


def _error() -> type[Exception]:
    from nltk.corpus.reader.wordnet import WordNetError

    found: type[Exception] = WordNetError
    return found


def _reader(root: Path) -> Any:
    from nltk.corpus.reader.wordnet import WordNetCorpusReader
    from nltk.data import ZipFilePathPointer

    class Reader(WordNetCorpusReader):  # type: ignore[misc]
        """As nltk's, but without files that serve nothing here and that some packages lack."""

        def open(self, file: str) -> IO[str]:
            try:
                stream: IO[str] = super().open(file)
            except OSError as error:
                if file in _NEEDED or isinstance(error, PermissionError):
                    raise
                names = (f"{number:02d}\tunnamed\t0\n" for number in range(_LEXNAMES))
                stream = io.StringIO("".join(names) if file == "lexnames" else "")
            return stream

        def map_wn(self, version: str = "wordnet") -> None:
            """No other release of WordNet is mapped onto this one."""

    where = ZipFilePathPointer(str(root), "wordnet/") if root.suffix == ".zip" else str(root)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that other languages are not there
        return Reader(where, None)
