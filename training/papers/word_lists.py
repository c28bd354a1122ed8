"""Word lists of BABE's feature baseline and of WIKIBIAS's linguistic features: BABE's bias lexicon and classic lists.

As far as their authors say, no list was made from sentences of BABE. ``bias_word_lexicon.xlsx`` has neighbours of seed
words in vectors that were trained on Google News (Spinde et al. 2021, IPM 58:102505). The classic lists (Hooper 1975,
Karttunen 1971, Hyland 2005, Riloff and Wiebe 2003, Liu 2005, Recasens et al. 2013 …) come with WIKIBIAS's release.
"""

from __future__ import annotations

import zipfile
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

from training.types import CorpusError

BIAS_WORDS = "babe/bias_word_lexicon.xlsx"
CLASSIC = "wikibias/lexicons"
_SHEET = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
_MAX_BYTES = 16 * 2**20


def word_lists(data: Path) -> dict[str, frozenset[str]]:
    """Lower-case single words of the lists under ``data``. Raises CorpusError for a damaged list."""
    lists: dict[str, frozenset[str]] = {}
    table = data / BIAS_WORDS
    if table.is_file():
        lists["bias_word_lexicon"] = frozenset(_cells(table))
    for path in sorted((data / CLASSIC).glob("*.txt")):
        lists[path.stem] = frozenset(_lines(path))
    return lists


def list_files(data: Path) -> list[str]:
    """The files that ``word_lists`` reads, relative to ``data``."""
    classic = sorted((data / CLASSIC).glob("*.txt"))
    found = [data / BIAS_WORDS, *classic]
    return [str(path.relative_to(data)) for path in found if path.is_file()]


def _lines(path: Path) -> Iterator[str]:
    """The words of a list, one per line; comments start with # or ;."""
    for line in path.read_text(encoding="utf-8", errors="replace").splitlines():
        word = line.strip().lower()
        if word and word[0] not in "#;" and len(word.split()) == 1:
            yield word


def _cells(path: Path) -> Iterator[str]:
    """The text of every cell of the first sheet."""
    try:
        with zipfile.ZipFile(path) as book:
            names = ("xl/sharedStrings.xml", "xl/worksheets/sheet1.xml")
            if any(book.getinfo(name).file_size > _MAX_BYTES for name in names):
                raise CorpusError(f"{path} is too large for a word list. Copy it again from its home.")
            texts, sheet = (_parsed(book.read(name), path) for name in names)
            shared = ["".join(item.itertext()) for item in texts.iter(f"{_SHEET}si")]
            for cell in sheet.iter(f"{_SHEET}c"):
                value = cell.findtext(f"{_SHEET}v")
                if cell.get("t") == "s" and value is not None:
                    yield shared[int(value)].strip().lower()
    except (zipfile.BadZipFile, KeyError, ValueError, IndexError, ElementTree.ParseError) as error:
        raise CorpusError(f"{path} is damaged ({error}); copy it again from its home.") from error


def _parsed(content: bytes, path: Path) -> ElementTree.Element:
    if b"<!DOCTYPE" in content:
        raise CorpusError(f"{path} declares a document type; copy it again from its home.")
    return ElementTree.fromstring(content)
