"""What a setting is, which values it may have, how a value is stored, and lists of words that a setting shows."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Literal, Protocol

# Lists of words that a setting shows but that are kept elsewhere.


class WordList(Protocol):
    """Where such a list is kept. A method that fails raises an exception whose text is one sentence for a person."""

    def words(self) -> list[str]:
        """All words, in the order to show them in."""

    def add(self, word: str) -> None:
        """Put a word on the list."""

    def remove(self, word: str) -> None:
        """Take a word off the list."""


# What a setting is, which values it may have, and how a value is written down. No Qt, no storage.


Form = Literal["choice", "bool", "int", "flags", "list"]
Value = str | bool | int | tuple[str, ...]
Choice = tuple[str | int, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """One row of the table of settings.

    ``page`` is empty for what the app remembers by itself and no dialog shows. ``choices`` are pairs of a value and
    its label (of a ``choice``, and of ``flags``, of which any number may be on); ``least`` and ``most`` bound an
    ``int``, ``ends`` name the two ends of its slider, ``zero`` names the value 0. ``key`` is where the value lies in
    the store. ``restart``: it counts from the next start on. ``provided``: it is kept elsewhere, by a provider.
    """

    name: str
    form: Form
    default: Value
    page: str = ""
    label: str = ""
    help: str = ""
    choices: tuple[Choice, ...] = ()
    least: int = 0
    most: int = 0
    ends: tuple[str, str] = ("", "")
    zero: str = ""
    unit: str = ""
    key: str = ""
    restart: bool = False
    provided: bool = False

    @property
    def hidden(self) -> bool:
        """Whether no dialog shows it."""
        return not self.page


def checked(setting: Setting, value: object) -> Value:
    """``value`` as this setting holds it. Raises ValueError, with one sentence, for what is not allowed."""
    match setting.form:
        case "bool" if isinstance(value, bool):
            return value
        case "choice" if isinstance(value, str | int) and any(value == known for known, _ in setting.choices):
            return value
        case "int" if isinstance(value, int) and not isinstance(value, bool):
            if setting.least <= value <= setting.most:
                return value
        case "flags" if _is_words(value):
            return tuple(str(known) for known, _ in setting.choices if known in _words(value))
        case "list" if _is_words(value):
            return _words(value)
    raise ValueError(f"{value!r} is not a value of the setting {setting.name!r}.")


def written(setting: Setting, value: Value) -> str:
    """The value as text for the store."""
    match setting.form:
        case "bool":
            return "true" if value else "false"
        case "flags" | "list":
            return json.dumps(value, ensure_ascii=False)
    return str(value)


def read(setting: Setting, raw: object) -> Value:
    """The value that ``written`` wrote. Raises ValueError for anything else."""
    text = str(raw)
    match setting.form:
        case "bool" if text.lower() in ("true", "false"):
            return text.lower() == "true"
        case "choice":
            found = [known for known, _ in setting.choices if str(known) == text]
            return checked(setting, found[0] if found else None)
        case "int":
            return checked(setting, int(text))
        case "flags" | "list":
            held = json.loads(text)
            return checked(setting, tuple(held) if isinstance(held, list) else None)
    raise ValueError(f"{text!r} is not a value of the setting {setting.name!r}.")


def _is_words(value: object) -> bool:
    return isinstance(value, tuple | list | frozenset | set) and all(isinstance(one, str) for one in value)


def _words(value: object) -> tuple[str, ...]:
    return tuple(dict.fromkeys(value))  # type: ignore[call-overload]
