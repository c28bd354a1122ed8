"""TOML files with the lines of their keys, so that an error can name its line."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any, TypeVar

from core.i18n import tr

MAX_BYTES = 8_000_000
_TOML_LINE = re.compile(r"\(at line (\d+),")
ChoiceT = TypeVar("ChoiceT", bound=StrEnum)


class StyleError(Exception):
    """A pack or a project file cannot be used. The message names the file, the line and the reason."""


@dataclass(frozen=True, slots=True)
class TomlSource:
    """A TOML file: its text, and the tables in it.

    The methods read a key of ``table`` and raise StyleError where its value has another type. ``place`` is the name and
    the number of the table in an array of tables, or None for the keys at the top.
    """

    path: Path
    text: str
    tables: dict[str, Any]

    @classmethod
    def read(cls, path: Path) -> TomlSource:
        """Read a file. Raises StyleError, also where it is not UTF-8 or not TOML."""
        text = _read_text(path)
        try:
            return cls(path, text, tomllib.loads(text.replace("\r\n", "\n")))
        except tomllib.TOMLDecodeError as error:
            found = _TOML_LINE.search(str(error))
            line = int(found[1]) if found else text.count("\n") + 1
            reason = str(error).partition(" (at ")[0]
            message = tr("{path}, line {line}: this is not TOML: {reason}.")
            raise StyleError(message.format(path=path, line=line, reason=reason)) from None

    def problem(self, message: str, key: str, place: tuple[str, int] | None = None) -> str:
        """A problem with a key, after the file and the line."""
        line = self._line_of(key, place)
        return tr("{path}, line {line}: {message}.").format(path=self.path, line=line, message=message)

    def unknown_keys(
        self, table: dict[str, Any], known: frozenset[str], place: tuple[str, int] | None = None
    ) -> list[str]:
        """The problems of keys that nobody knows."""
        message = tr("“{name}” is not a key; the known keys are {known}")
        names = ", ".join(sorted(known))
        return [
            self.problem(message.format(name=name, known=names), name, place)
            for name in sorted(table.keys() - known)
        ]

    def rows(self, name: str) -> list[dict[str, Any]]:
        """An array of tables. Raises StyleError."""
        rows = self.tables.get(name, [])
        if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
            raise StyleError(self.problem(tr("write [[{name}]] above each of them").format(name=name), name))
        return rows

    def text_of(
        self, table: dict[str, Any], key: str, place: tuple[str, int] | None = None, *, required: bool = False
    ) -> str:
        """A text without runs of white space; empty where there is none."""
        value = table.get(key, "")
        if not isinstance(value, str):
            message = tr("“{key}” must be text in quotation marks").format(key=key)
            raise StyleError(self.problem(message, key, place))
        if required and not value.strip():
            raise StyleError(self.problem(tr("“{key}” is missing").format(key=key), key, place))
        return " ".join(value.split())

    def list_of(
        self, table: dict[str, Any], key: str, place: tuple[str, int] | None = None
    ) -> tuple[str, ...]:
        """A list of texts, or one text as such a list."""
        value = table.get(key, [])
        values = [value] if isinstance(value, str) else value
        if not isinstance(values, list) or not all(isinstance(one, str) for one in values):
            raise StyleError(self.problem(tr("“{key}” must be a list of texts").format(key=key), key, place))
        return tuple(values)

    def flag_of(self, table: dict[str, Any], key: str, place: tuple[str, int] | None = None) -> bool | None:
        """True or false; None where there is neither."""
        value = table.get(key)
        if value is not None and not isinstance(value, bool):
            raise StyleError(self.problem(tr("“{key}” must be true or false").format(key=key), key, place))
        return value

    def choice_of(
        self, table: dict[str, Any], key: str, choices: type[ChoiceT], place: tuple[str, int] | None = None
    ) -> ChoiceT | None:
        """One of the names of an enumeration; None where there is none."""
        if key not in table:
            return None
        try:
            return choices(table[key])
        except ValueError:
            names = ", ".join(one.value for one in choices if one.value)
            message = tr("“{key}” must be one of {names}").format(key=key, names=names)
            raise StyleError(self.problem(message, key, place)) from None

    def _line_of(self, key: str, place: tuple[str, int] | None) -> int:
        """The line of a key, counted from 1; that of its table where the key is not found."""
        lines = self.text.split("\n")
        heads = [at for at, line in enumerate(lines) if line.lstrip().startswith("[")]
        first, end = 0, heads[0] if heads else len(lines)
        if place is not None:
            name, number = place
            own = [at for at in heads if lines[at].replace(" ", "").startswith(f"[[{name}]]")]
            if number < len(own):
                first = own[number]
                end = next((at for at in own if at > first), len(lines))
        wanted = re.compile(rf"""\s*(?:\[\[?\s*)?["']?{re.escape(key)}["']?\s*[=\]]""")
        found = (at for at in range(first, end) if wanted.match(lines[at]))
        anywhere = (at for at in heads if wanted.match(lines[at]))
        return next(found, next(anywhere, first) if place is None else first) + 1


def _read_text(path: Path) -> str:
    try:
        if path.stat().st_size > MAX_BYTES:
            message = tr("{path} is larger than {most} MB. Split it.")
            raise StyleError(message.format(path=path, most=MAX_BYTES // 1_000_000))
        return path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        message = tr("{path}, line {line}: this is not UTF-8 text. Save the file as UTF-8.")
        raise StyleError(message.format(path=path, line=line)) from None
    except OSError as error:
        message = tr("{path} cannot be read ({reason}).")
        raise StyleError(message.format(path=path, reason=error.strerror or error)) from None
