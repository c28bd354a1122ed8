"""The language of what is said to a person: gettext catalogues, one mechanism for ``core`` and ``app``.

The command line speaks English always, so that what reads its answers can rely on them; only the window calls `use`.
A text that stands in a table at the top of a module is looked up when the module is imported, so `use` comes first.
"""

from __future__ import annotations

import gettext

import resources

DOMAIN = "evenhand"
FOLDER = resources.ROOT / "translations"

_catalogue: gettext.NullTranslations = gettext.NullTranslations()


def languages() -> list[str]:
    """The languages that there is a catalogue for, English always among them, sorted."""
    found = {path.parent.parent.name for path in FOLDER.glob(f"*/LC_MESSAGES/{DOMAIN}.mo")}
    return sorted(found | {"en"})


def use(language: str) -> None:
    """Speak ``language`` (``de`` or ``de_AT``) from now on; English where there is no catalogue for it."""
    global _catalogue
    wanted = [language, language.partition("_")[0]]
    _catalogue = gettext.translation(DOMAIN, FOLDER, languages=wanted, fallback=True)


def tr(text: str) -> str:
    """``text``, an English literal, in the present language. Values are put in after it: ``tr("{n} left").format(…)``."""
    return _catalogue.gettext(text)


def ntr(one: str, many: str, number: int) -> str:
    """The form of a phrase that goes with ``number``; both English forms are literals."""
    return _catalogue.ngettext(one, many, number)
