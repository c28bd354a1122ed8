"""LanguageTool's annotated text: words and markup apart, with the way back to the text that has both."""

from __future__ import annotations

import json
from bisect import bisect_right
from dataclasses import dataclass


class RequestError(Exception):
    """A request that cannot be answered. The message says what is wrong; ``status`` is that of HTTP."""

    def __init__(self, message: str, status: str = "400 Bad Request") -> None:
        super().__init__(message)
        self.status = status


@dataclass(frozen=True, slots=True)
class AnnotatedText:
    """``full`` is the text of the client, ``read`` what is read of it.

    ``segments`` are (offset in ``read``, offset in ``full``, whether they are the same characters), sorted.
    """

    full: str
    read: str
    segments: tuple[tuple[int, int, bool], ...]

    @classmethod
    def plain(cls, text: str) -> AnnotatedText:
        """A text without markup."""
        return cls(text, text, ((0, 0, True),))

    @classmethod
    def parse(cls, data: str) -> AnnotatedText:
        """The value of LanguageTool's ``data``. Raises RequestError."""
        try:
            parts = json.loads(data)["annotation"]
            pairs = [_pair(part) for part in parts]
        except (ValueError, TypeError, KeyError, RecursionError) as error:
            raise RequestError(
                'data is JSON of the form {"annotation": [{"text": "…"}, {"markup": "…", "interpretAs": "…"}]}.'
            ) from error
        segments, full, read = [], 0, 0
        for source, meant, same in pairs:
            segments.append((read, full, same))
            full, read = full + len(source), read + len(meant)
        return cls(
            "".join(source for source, _, _ in pairs),
            "".join(meant for _, meant, _ in pairs),
            tuple(segments) or ((0, 0, True),),
        )

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Where ``read[start:end]``, which is not empty, stands in ``full``."""
        return self._place(start), self._place(end - 1) + 1

    def _place(self, offset: int) -> int:
        read, full, same = self.segments[
            bisect_right(self.segments, offset, key=lambda segment: segment[0]) - 1
        ]
        return full + offset - read if same else full


def _pair(part: dict[str, object]) -> tuple[str, str, bool]:
    """The source of a part, what is read of it, and whether that is the same."""
    if "text" in part:
        text = part["text"]
        if not isinstance(text, str):
            raise TypeError
        return text, text, True
    markup, meant = part["markup"], part.get("interpretAs", "")
    if not isinstance(markup, str) or not isinstance(meant, str):
        raise TypeError
    return markup, meant, False
