"""The language of what is said to a person: gettext catalogues, one mechanism for ``core`` and ``app``.

The command line speaks English always, so that what reads its answers can rely on them; only the window calls `use`.
A text that stands in a table at the top of a module is looked up when the module is imported, so `use` comes first.
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
    """The languages that there is a catalogue for, English always among them, sorted."""
    found = {path.parent.parent.name for path in FOLDER.glob(f"*/LC_MESSAGES/{DOMAIN}.mo")}
    return sorted(found | {"en"})


def set_language(language: str) -> None:
    """Speak ``language`` (``de`` or ``de_AT``) from now on; English where there is no catalogue for it."""
    global _catalogue
    wanted = [language, language.partition("_")[0]]
    _catalogue = gettext.translation(DOMAIN, FOLDER, languages=wanted, fallback=True)


def current_language() -> str:
    """The language that is spoken now: ``en``, ``de``."""
    return _catalogue.info().get("language", "en")


def tr(text: str) -> str:
    """``text``, an English literal, in the present language. Its values come after: ``tr("{n} left").format(n=…)``."""
    return _catalogue.gettext(text)


def ntr(one: str, many: str, number: int) -> str:
    """The form of a phrase that goes with ``number``; both English forms are literals."""
    return _catalogue.ngettext(one, many, number)


def table_messages(
    table: IO[bytes], _keywords: object, _comments: object, options: dict[str, Any]
) -> Iterator[tuple[int, str, str, list[str]]]:
    """The cells of a tab-separated table that are shown to a person: what Babel is to collect besides literals.

    ``options`` names their columns: ``columns = label, explanation``.
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
