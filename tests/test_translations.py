"""Protects the catalogues: what the program says now, all of it, with the same values in the same braces."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from string import Formatter

import pytest
from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract_from_dir
from babel.messages.frontend import parse_mapping_cfg
from babel.messages.mofile import read_mo
from babel.messages.pofile import read_po

from core import i18n

ROOT = Path(__file__).resolve().parent.parent
CATALOGUES = sorted(i18n.FOLDER.glob(f"*/LC_MESSAGES/{i18n.DOMAIN}.po"))
RENEW = "run: make translations"
TABLE_READERS = {"cue_classes.py"}
_MNEMONIC = re.compile(r"&(?=\w)")


def said() -> set[str | tuple[str, ...]]:
    """Every literal that is handed to ``tr`` and ``ntr``, and what the tables say to a person."""
    with (i18n.FOLDER / "babel.cfg").open(encoding="utf-8") as file:
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


def pairs(held: Catalog) -> dict[tuple[str, ...], tuple[str, ...]]:
    """What each message is in the other language."""
    return {tuple(forms(message.id)): tuple(forms(message.string)) for message in held if message.id}


def values(text: str) -> set[str]:
    """The names in braces."""
    return {name for _, name, _, _ in Formatter().parse(text) if name is not None}


def test_there_is_a_german_catalogue() -> None:
    assert "de" in i18n.languages()


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
        elif values(other[-1]) != values(english[-1]) or not values(other[0]) <= values(english[-1]):
            wrong.append(f"other values: {english[0]!r}")
        elif bool(_MNEMONIC.search(english[0])) != bool(_MNEMONIC.search(other[0])):
            wrong.append(f"one of them has no access key: {english[0]!r}")
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("path", CATALOGUES, ids=lambda path: path.parent.parent.name)
def test_the_compiled_catalogue_is_of_this_one(path: Path) -> None:
    """By what it says: its header also names the version of Babel that wrote it."""
    with path.with_suffix(".mo").open("rb") as file:
        compiled = read_mo(file)
    assert pairs(compiled) == pairs(catalogue(path)), RENEW
    assert compiled.plural_forms == catalogue(path).plural_forms, RENEW


@pytest.mark.parametrize("path", CATALOGUES, ids=lambda path: path.parent.parent.name)
def test_a_message_ends_as_the_english_one(path: Path) -> None:
    """A full stop, a colon or an ellipsis is kept, and so is the space where a message is part of a longer one."""
    wrong = []
    for message in messages(path):
        for english, other in zip(forms(message.id), forms(message.string), strict=True):
            ends_otherwise = english[-1] != other[-1] and {english[-1], other[-1]} & set(" .:…?")
            if ends_otherwise or english[0].isspace() != other[0].isspace():
                wrong.append(f"{english!r}: {other!r}")
    assert not wrong, "\n".join(wrong)


def test_german_quotation_marks_are_german() -> None:
    """„So“, and ‚so‘ inside; a straight one only where a name of the program's files has it."""
    wrong = []
    for message in messages(i18n.FOLDER / "de" / "LC_MESSAGES" / f"{i18n.DOMAIN}.po"):
        for english, german in zip(forms(message.id), forms(message.string), strict=True):
            left = re.sub(r"„[^„“”]*“", "", german)
            if set(left) & set("„“”") or ('"' in german and '"' not in english):
                wrong.append(german)
    assert not wrong, "\n".join(wrong)


def calls(tree: ast.AST, *, in_f_string: bool = False) -> Iterator[tuple[ast.Call, bool]]:
    """The calls of ``tr`` and ``ntr``, and whether they stand in an f-string."""
    for node in ast.iter_child_nodes(tree):
        inside = in_f_string or isinstance(node, ast.JoinedStr)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("tr", "ntr"):
            yield node, inside
        yield from calls(node, in_f_string=inside)


def test_every_literal_can_be_found() -> None:
    """Not in an f-string, where Babel sees it or not by the version of Python; no name but for the tables' cells."""
    hidden = []
    for path in sorted((*(ROOT / "app").rglob("*.py"), *(ROOT / "core").rglob("*.py"))):
        for call, in_f_string in calls(ast.parse(path.read_text(encoding="utf-8"))):
            texts = call.args[: 1 if call.func.id == "tr" else 2]  # type: ignore[attr-defined]
            literal = all(isinstance(text, ast.Constant) for text in texts)
            if in_f_string or not (literal or path.name in TABLE_READERS):
                hidden.append(f"{path.relative_to(ROOT)}:{call.lineno}")
    assert not hidden


def test_another_language_is_spoken_and_english_where_there_is_none() -> None:
    try:
        i18n.set_language("de_AT")
        assert i18n.tr("&Save") == "&Speichern"
        assert i18n.current_language() == "de"
        i18n.set_language("xx")
        assert i18n.tr("&Save") == "&Save"
        assert i18n.current_language() == "en"
        assert i18n.ntr("{n} word", "{n} words", 2) == "{n} words"
    finally:
        i18n.set_language("en")
