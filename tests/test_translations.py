"""Protects the catalogues: what the program says now, all of it, with the same values in the same braces."""

from __future__ import annotations

import io
import re
from pathlib import Path
from string import Formatter

import pytest
from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract_from_dir
from babel.messages.frontend import parse_mapping_cfg
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

from core import language

ROOT = Path(__file__).resolve().parent.parent
CATALOGUES = sorted(language.FOLDER.glob(f"*/LC_MESSAGES/{language.DOMAIN}.po"))
RENEW = "run: make translations"
_MNEMONIC = re.compile(r"&(?=\w)")


def said() -> set[str | tuple[str, ...]]:
    """Every literal that is handed to ``tr`` and ``ntr``, and what the tables say to a person."""
    with (language.FOLDER / "babel.cfg").open(encoding="utf-8") as file:
        methods, options = parse_mapping_cfg(file)
    keywords = {"tr": None, "ntr": (1, 2)}
    return {found[2] for found in extract_from_dir(ROOT, methods, options, keywords=keywords)}


def messages(path: Path) -> list[Message]:
    return [message for message in catalogue(path) if message.id]


def catalogue(path: Path) -> Catalog:
    with path.open("rb") as file:
        return read_po(file, locale=path.parent.parent.name)


def forms(text: str | tuple[str, ...] | list[str]) -> list[str]:
    return [text] if isinstance(text, str) else list(text)


def values(text: str) -> set[str]:
    """The names in braces."""
    return {name for _, name, _, _ in Formatter().parse(text) if name is not None}


def test_there_is_a_german_catalogue() -> None:
    assert "de" in language.languages()


@pytest.mark.parametrize("path", CATALOGUES, ids=lambda path: path.parent.parent.name)
def test_a_catalogue_holds_what_is_said_now(path: Path) -> None:
    now = said()
    known = {message.id for message in messages(path)}
    assert not now - known, f"not in the catalogue ({RENEW}): {sorted(map(str, now - known))[:5]}"
    assert not known - now, f"no longer said ({RENEW}): {sorted(map(str, known - now))[:5]}"


@pytest.mark.parametrize("path", CATALOGUES, ids=lambda path: path.parent.parent.name)
def test_everything_is_translated_with_the_same_values(path: Path) -> None:
    wrong = []
    for message in messages(path):
        english, other = forms(message.id), forms(message.string)
        if not all(other) or message.fuzzy:
            wrong.append(f"not translated: {english[0]!r}")
        elif any(values(form) != values(english[-1]) for form in other[-1:]):
            wrong.append(f"other values: {english[0]!r}")
        elif bool(_MNEMONIC.search(english[0])) != bool(_MNEMONIC.search(other[0])):
            wrong.append(f"one of them has no access key: {english[0]!r}")
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("path", CATALOGUES, ids=lambda path: path.parent.parent.name)
def test_the_compiled_catalogue_is_of_this_one(path: Path) -> None:
    made = io.BytesIO()
    write_mo(made, catalogue(path))
    assert path.with_suffix(".mo").read_bytes() == made.getvalue(), RENEW


def test_another_language_is_spoken_and_english_where_there_is_none() -> None:
    try:
        language.use("de_AT")
        assert language.tr("&Save") == "&Speichern"
        language.use("xx")
        assert language.tr("&Save") == "&Save"
        assert language.ntr("{n} word", "{n} words", 2) == "{n} words"
    finally:
        language.use("en")
