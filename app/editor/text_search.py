"""Words or an expression to look for in a text, and the edits that replace what is found.

Expressions are those of RE2, whose time grows only with the length of the text: none makes the program hang. In return
they cannot look ahead or back, or repeat what a group has found.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator
from functools import cached_property
from typing import Any

from core.i18n import tr
from core.text.diff import TextEdit

_UNKNOWN = tr("This expression is not valid.")
_PROBLEMS = {
    "missing )": tr("A bracket is opened with “(” and never closed."),
    "unexpected )": tr("A bracket is closed with “)” and was never opened."),
    "missing ]": tr("A bracket is opened with “[” and never closed."),
    "no argument for repetition operator": tr("There is nothing to repeat before “{part}”."),
    "bad repetition operator": tr("These repetitions cannot follow each other: “{part}”."),
    "invalid repetition size": tr("“{part}” repeats too often: the limit is 1,000 times."),
    "invalid escape sequence": tr(
        "“{part}” has no meaning in an expression. To find a backslash, write two."
    ),
    "invalid perl operator": tr("“{part}” is not supported: expressions cannot look ahead or back."),
    "invalid character class range": tr("“{part}” is not a valid range of characters."),
    "invalid named capture group": tr("“{part}” is not a valid group name."),
    "trailing \\": tr("There is nothing after the last backslash."),
    "pattern too large": tr("This expression is too long or too complex."),
}
"""What RE2 says of an expression, and what to tell the person; ``{part}`` is the part that it names."""
_REFERENCE = re.compile(r"\\(?:g<(\w+)>|(.?))", re.DOTALL)
_SIGNS = {"n": "\n", "t": "\t", "\\": "\\"}


class SearchError(ValueError):
    """An expression or a replacement cannot be used; the message is a sentence for the person."""


class Search:
    """What to look for. Raises SearchError if ``expression`` is set and ``words`` is not a valid expression.

    ``whole_words``: a match may not begin or end inside a word. Matches are disjoint and never empty; in an expression
    ``^`` and ``$`` are the ends of every line.
    """

    def __init__(
        self, words: str, *, match_case: bool = False, whole_words: bool = False, expression: bool = False
    ) -> None:
        self._words, self._expression = words, expression
        self._match_case, self._whole_words = match_case, whole_words
        if expression:
            _ = self._pattern

    def spans(self, text: str) -> list[tuple[int, int]]:
        """The (start, end) of every match in ``text``, in code points and in order."""
        return [found.span() for found in self._matches(text)]

    def edits(self, text: str, replacement: str) -> Iterator[TextEdit]:
        r"""The edits of ``text`` that replace every match, in the order of ``spans``.

        In the replacement of an expression ``\1`` to ``\9`` and ``\g<name>`` are what a group has found, ``\0`` is the
        whole match, ``\n`` a line end, ``\t`` a tab and ``\\`` a backslash. Raises SearchError for any other backslash
        and for a group that the expression does not have.
        """
        write = self._writer(replacement) if self._expression else lambda _: replacement
        return (TextEdit(found.start(), found.end(), write(found)) for found in self._matches(text))

    @cached_property
    def _pattern(self) -> Any:
        """The compiled pattern, of ``re`` or ``re2``."""
        if not self._expression:
            return re.compile(re.escape(self._words), re.NOFLAG if self._match_case else re.IGNORECASE)
        import re2

        options = re2.Options()
        options.log_errors = False
        try:
            return re2.compile(f"(?{'' if self._match_case else 'i'}m){self._words}", options)
        except re2.error as error:
            raise SearchError(_explain(error)) from error

    def _matches(self, text: str) -> Iterator[Any]:
        if not self._words:
            return
        for found in self._pattern.finditer(text):
            start, end = found.span()
            if end > start and not (self._whole_words and _cuts_a_word(text, start, end)):
                yield found

    def _writer(self, replacement: str) -> Callable[[Any], str]:
        """What makes the new text of a match; references are checked here."""
        parts: list[str | int] = []
        at = 0
        for reference in _REFERENCE.finditer(replacement):
            parts += (replacement[at : reference.start()], self._part(*reference.group(0, 1, 2)))
            at = reference.end()
        parts.append(replacement[at:])
        return lambda found: "".join(
            part if isinstance(part, str) else found.group(part) or "" for part in parts
        )

    def _part(self, reference: str, name: str | None, sign: str | None) -> str | int:
        """The text or the number of the group that ``reference`` stands for."""
        if sign in _SIGNS:
            return _SIGNS[sign]
        wanted = name or sign or ""
        if name and name in self._pattern.groupindex:
            return int(self._pattern.groupindex[name])
        if wanted.isascii() and wanted.isdigit() and int(wanted) <= self._pattern.groups:
            return int(wanted)
        if name or (wanted.isascii() and wanted.isdigit()):
            raise SearchError(tr("The expression has no group “{name}”.").format(name=wanted))
        text = tr("“{part}” has no meaning in a replacement. To insert a backslash, write two.")
        raise SearchError(text.format(part=reference))


def _cuts_a_word(text: str, start: int, end: int) -> bool:
    """Whether ``[start, end)`` begins or ends inside a word of ``text``."""
    return any(
        0 < at < len(text) and _is_of_word(text[at - 1]) and _is_of_word(text[at]) for at in (start, end)
    )


def _is_of_word(character: str) -> bool:
    return character.isalnum() or character == "_" or unicodedata.category(character).startswith("M")


def _explain(error: Exception) -> str:
    """A sentence for an error of RE2, which gives its reason and the part in question as ``reason: part``."""
    said = error.args[0] if error.args else b""
    reason, _, part = (said.decode("utf-8", "replace") if isinstance(said, bytes) else str(said)).partition(
        ": "
    )
    template = next((text for known, text in _PROBLEMS.items() if reason.startswith(known)), _UNKNOWN)
    return template.format(part=part)
