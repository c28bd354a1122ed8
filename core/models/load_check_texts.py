"""Texts that a model from outside has to read before it is used: every script, long, empty, digits, odd characters."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator

_ROW = 256
_LETTERS_PER_ROW, _ROWS_PER_TEXT, _LETTERS_PER_WORD = 12, 8, 6
_LAST_SCRIPT = 0x323B0
_PLAIN = (
    "",
    " ",
    "\n\n\t",
    "a",
    "Word",
    "a word",
    "The senator said that the new law of the people was shameful, and that critics claim it is a disaster.",
    "0123456789 3.14 1,000,000 -7 2e10 ٣٤٥ ४५६ ½ Ⅷ ① 10% £5 #1",
    "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~ “quoted” ‘so’ «too» … – — ‐ ‑",
    "[CLS] [SEP] [UNK] [PAD] [MASK] [unused1] <s> </s> ## ##ing",
    "a\u0301" * 200 + " e" + "\u0327\u0301" * 100,
    "\u202eback\u202c \u200bzero\u200d\u2060 so\u00adft \ufeff no\u00a0break \u0001\u007f\u0085 nul\u0000end",
    "\ud800 \ue000 \uffff \U0010ffff \U000e0041 x",
    "👩🏽\u200d🔬 🇩🇪 ☎️ smile 🙂 word🙂word",
    "word" * 2_500,
    "n" * 10_000,
    "7" * 3_000,
    "it is, " * 2_000,
    "A sentence. " * 300,
    "\n".join(f"{number} lines" for number in range(300)),
)


def reading_texts() -> list[str]:
    """All texts, for a reader."""
    return [*_PLAIN, *_scripts()]


def rewriting_texts() -> list[str]:
    """Texts of a sentence's length that have a word, for a rewriter."""
    cut = (" ".join(text[:400].split()) for text in reading_texts())
    return list(dict.fromkeys(text for text in cut if text))


def _scripts() -> Iterator[str]:
    """Words of the letters of every block of Unicode that has some."""
    words: list[str] = []
    for row in range(0, _LAST_SCRIPT, _ROW):
        found = [chr(code) for code in range(row, row + _ROW) if unicodedata.category(chr(code))[0] in "LMN"]
        some = found[:: max(1, len(found) // _LETTERS_PER_ROW)][:_LETTERS_PER_ROW]
        words += ("".join(some[at : at + _LETTERS_PER_WORD]) for at in range(0, len(some), _LETTERS_PER_WORD))
        if len(words) >= 2 * _ROWS_PER_TEXT:
            yield " ".join(words)
            words = []
    if words:
        yield " ".join(words)
