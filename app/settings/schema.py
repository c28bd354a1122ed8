"""The definition of a setting: allowed values, validation and serialization. No Qt, no storage."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Literal, Protocol


class WordList(Protocol):
    """A list of words that is stored elsewhere. A failing method raises an exception with one sentence as its text."""

    def words(self) -> list[str]:
        """All words in display order."""

    def add(self, word: str) -> None:
        """Add a word."""

    def remove(self, word: str) -> None:
        """Remove a word."""


ControlType = Literal["choice", "bool", "int", "flags", "list", "packs", "text", "dictionary"]
Value = str | bool | int | tuple[str, ...]
Choice = tuple[str | int, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """One setting.

    ``page`` is empty for values that no dialog shows. ``choices`` are pairs of a value and its label, for ``choice``
    and for ``flags`` (any number of them). ``minimum`` and ``maximum`` bound an ``int``; ``end_labels`` name the ends
    of its slider, ``zero_label`` the value 0. A ``text`` is one line with single spaces between words; a
    ``dictionary`` is the code of a dictionary, or empty. ``key`` is the key in the store. ``needs_restart``: a change
    takes effect at the next start. ``stored_elsewhere``: a `WordList` stores the value.
    """

    name: str
    control_type: ControlType
    default: Value
    page: str = ""
    label: str = ""
    help: str = ""
    choices: tuple[Choice, ...] = ()
    minimum: int = 0
    maximum: int = 0
    end_labels: tuple[str, str] = ("", "")
    zero_label: str = ""
    unit: str = ""
    key: str = ""
    needs_restart: bool = False
    stored_elsewhere: bool = False

    @property
    def is_hidden(self) -> bool:
        """Whether no dialog shows it."""
        return not self.page


def validate(setting: Setting, value: object) -> Value:
    """``value`` in the form in which the setting stores it. Raises ValueError if it is not allowed."""
    match setting.control_type:
        case "bool" if isinstance(value, bool):
            return value
        case "choice" if isinstance(value, str | int) and any(value == known for known, _ in setting.choices):
            return value
        case "int" if isinstance(value, int) and not isinstance(value, bool):
            if setting.minimum <= value <= setting.maximum:
                return value
        case "flags" if _is_string_collection(value):
            return tuple(str(known) for known, _ in setting.choices if known in _unique(value))
        case "list" | "packs" if _is_string_collection(value):
            return _unique(value)
        case "text" | "dictionary" if isinstance(value, str) and value == " ".join(value.split()):
            return value
    raise ValueError(f"{value!r} is not a value of the setting {setting.name!r}.")


def serialize(setting: Setting, value: Value) -> str:
    """The value as text for the store."""
    match setting.control_type:
        case "bool":
            return "true" if value else "false"
        case "flags" | "list" | "packs" | "text" | "dictionary":
            return json.dumps(value, ensure_ascii=False)
    return str(value)


def parse(setting: Setting, raw: object) -> Value:
    """The value that ``serialize`` wrote. Raises ValueError for anything else."""
    text = str(raw)
    match setting.control_type:
        case "bool" if text.lower() in ("true", "false"):
            return text.lower() == "true"
        case "choice":
            found = [known for known, _ in setting.choices if str(known) == text]
            return validate(setting, found[0] if found else None)
        case "int":
            return validate(setting, int(text))
        case "flags" | "list" | "packs":
            values = json.loads(text)
            return validate(setting, tuple(values) if isinstance(values, list) else None)
        case "text" | "dictionary":
            return validate(setting, json.loads(text))
    raise ValueError(f"{text!r} is not a value of the setting {setting.name!r}.")


def _is_string_collection(value: object) -> bool:
    return isinstance(value, tuple | list | frozenset | set) and all(isinstance(one, str) for one in value)


def _unique(value: object) -> tuple[str, ...]:
    return tuple(dict.fromkeys(value))  # type: ignore[call-overload]
