"""Translations of messages and interface texts by gettext, for ``core`` and ``app``.

The command line is always in English, so that programs can rely on its output; only the window calls `set_language`.
Texts in tables at module level are looked up at import, so `set_language` must be called before other imports.
"""

from __future__ import annotations

import gettext
from collections.abc import Iterator
from typing import IO, Any

import resources

DOMAIN = "evenhand"
FOLDER = resources.ROOT / "translations"

_catalogue: gettext.NullTranslations = gettext.NullTranslations()


def languages() -> list[str]:
    """The languages with a catalogue, and English, sorted."""
    found = {path.parent.parent.name for path in FOLDER.glob(f"*/LC_MESSAGES/{DOMAIN}.mo")}
    return sorted(found | {"en"})


def set_language(language: str) -> None:
    """Use ``language`` (``de`` or ``de_AT``) from now on; English if there is no catalogue for it."""
    global _catalogue
    wanted = [language, language.partition("_")[0]]
    _catalogue = gettext.translation(DOMAIN, FOLDER, languages=wanted, fallback=True)


def current_language() -> str:
    """The language in use: ``en``, ``de``."""
    return _catalogue.info().get("language", "en")


def tr(text: str) -> str:
    """``text``, an English literal, in the language in use. Format it afterwards: ``tr("{n} left").format(n=…)``."""
    return _catalogue.gettext(text)


def ntr(one: str, many: str, number: int) -> str:
    """The singular or plural form of a phrase for ``number``; both English forms are literals."""
    return _catalogue.ngettext(one, many, number)


def table_messages(
    table: IO[bytes], _keywords: object, _comments: object, options: dict[str, Any]
) -> Iterator[tuple[int, str, str, list[str]]]:
    """An extractor for Babel: the cells of a tab-separated table that are shown to people.

    ``options`` names the columns: ``columns = label, explanation``.
    """
    wanted = [name.strip() for name in options["columns"].split(",")]
    names: list[str] = []
    for number, line in enumerate(table.read().decode("utf-8").splitlines(), 1):
        cells = [cell.strip() for cell in line.split("\t")]
        if not names:
            names = cells
            continue
        found = dict(zip(names, cells, strict=False))
        yield from ((number, "tr", found[name], []) for name in wanted if found.get(name))
