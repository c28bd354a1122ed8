"""Any text made safe for an HTML page: escaped, with invisible control characters shown or replaced."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from html import escape

from core.i18n import tr
from core.types import Finding, Kind

GLYPHS = {Kind.FRAMING: "●", Kind.EPISTEMOLOGICAL: "◆", Kind.DEMOGRAPHIC: "▲", Kind.STYLE: "■"}
SIGN_TAG = "code"
"""The element that shows a control character by its code point, such as ``U+202E``."""

LINE_END = re.compile(r"\r\n|\r|\n")
# Control characters, bidirectional controls, Unicode line ends, and what UTF-8 cannot encode.
_CONTROLS = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufffe\uffff]"
)


def kind_name(kind: Kind) -> str:
    """The name of the kind, as shown to a person."""
    names = {
        Kind.FRAMING: tr("framing"),
        Kind.EPISTEMOLOGICAL: tr("epistemological"),
        Kind.DEMOGRAPHIC: tr("demographic"),
        Kind.STYLE: tr("style rule"),
    }
    return names[kind]


def replace_controls(text: str) -> str:
    """``text`` with U+FFFD for every control character. Not escaped."""
    return _CONTROLS.sub("\ufffd", text)


def single_line(text: str, *, most: int = 120) -> str:
    """``text`` on one line of at most ``most`` code points, control characters as U+FFFD. Not escaped."""
    line = replace_controls(" ".join(text[: 4 * most].split()))
    return line if len(line) <= most and len(text) <= 4 * most else line[: most - 1] + "…"


def escape_visibly(text: str) -> str:
    """``text`` as HTML: escaped, with each control character as an element that names it."""
    return _CONTROLS.sub(_sign, escape(text))


def isolate(text: str) -> str:
    """``text`` as HTML in a ``bdi`` element, so that its direction does not affect what surrounds it."""
    return f"<bdi>{escape_visibly(text)}</bdi>"


def mark_findings(source: str, findings: Sequence[Finding], *, anchor: str) -> Iterator[str]:
    """The lines of ``source`` as HTML paragraphs, findings marked in place and numbered from 1.

    The number of a finding links to ``#{anchor}-{number}``; its mark has the id ``{anchor}-m{number}``. Without the
    numbers (``sup``), and with control characters restored, the text of the paragraphs is the source line by line.
    """
    at = 0
    ends = [(match.start(), match.end()) for match in LINE_END.finditer(source)]
    start = 0
    for end, following in [*ends, (len(source), len(source))]:
        parts: list[str] = []
        place = start
        while at < len(findings) and findings[at].start < end:
            finding = findings[at]
            left, right = max(start, finding.start), min(end, finding.end)
            parts += (
                escape_visibly(source[place:left]),
                _mark(finding, source[left:right], at + 1, anchor, start),
            )
            place = right
            if finding.end > end:
                break
            parts.append(_number(finding, at + 1, anchor))
            at += 1
        parts.append(escape_visibly(source[place:end]))
        text = "".join(parts)
        yield f'<p dir="auto">{text}</p>' if text else "<p></p>"
        start = following


def _mark(finding: Finding, words: str, number: int, anchor: str, line_start: int) -> str:
    name = escape(
        kind_name(finding.kind)
        if finding.kind is Kind.STYLE
        else tr("{kind}, confidence {percent}%").format(
            kind=kind_name(finding.kind), percent=_percent(finding)
        )
    )
    place = f' id="{anchor}-m{number}"' if finding.start >= line_start else ""
    return f'<mark class="{finding.kind.value}"{place} title="{name}">{escape_visibly(words)}</mark>'


def _number(finding: Finding, number: int, anchor: str) -> str:
    label = escape(tr("finding {number}, {kind}").format(number=number, kind=kind_name(finding.kind)))
    glyph = GLYPHS[finding.kind]
    return f'<sup><a href="#{anchor}-{number}" aria-label="{label}">{glyph}{number}</a></sup>'


def _percent(finding: Finding) -> int:
    return round(100 * finding.confidence)


def _sign(match: re.Match[str]) -> str:
    return f'<{SIGN_TAG} class="sign">U+{ord(match.group()):04X}</{SIGN_TAG}>'
