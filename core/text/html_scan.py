"""A scanner of HTML for tags, text and comments, and the names of elements by what they do to the text.

One pass without backtracking; every character is in exactly one token. The standard library's parser gives no ends of
tokens and takes quadratic time on some broken pages in the supported versions of Python.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from html import unescape


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# Their content is in lines of its own.
BLOCKS = _words(
    """
    address article aside blockquote body caption center dd details dialog dir div dl dt fieldset figcaption figure
    footer form frameset h1 h2 h3 h4 h5 h6 head header hgroup hr html legend li listing main menu nav ol optgroup
    option p plaintext pre search section summary table tbody td tfoot th thead title tr ul xmp
    """
)

VOID = _words("area base basefont br col embed frame hr img input keygen link meta param source track wbr")

# Their content is not shown, or is not text of the page.
HIDDEN = _words(
    """
    script style title template noscript svg math textarea select datalist iframe object video audio canvas noembed
    noframes rp applet
    """
)

# Those of them whose text a page can show, by a program or in a control.
EMBEDDED = HIDDEN - _words("script style title math rp")

FOREIGN = _words("svg math")
QUOTATIONS = _words("blockquote q")
HEADINGS = _words("h1 h2 h3 h4 h5 h6")
CODE = _words("code kbd samp tt")
STRUCK_OUT = _words("del s strike")
SET_APART = _words("i em cite a")
PREFORMATTED = _words("pre listing xmp plaintext")

# An opening tag ends the directly enclosing open elements of these names.
ENDS = {
    "li": _words("li p"),
    "dt": _words("dt dd p"),
    "dd": _words("dt dd p"),
    "option": _words("option"),
    "optgroup": _words("option optgroup"),
    "tr": _words("tr td th p"),
    "td": _words("td th p"),
    "th": _words("td th p"),
    "tbody": _words("tr td th tbody thead tfoot p"),
    "tfoot": _words("tr td th tbody thead tfoot p"),
    "thead": _words("tr td th tbody thead tfoot p caption"),
    "body": _words("head"),
}
ENDS_PARAGRAPH = BLOCKS - _words(
    "body caption dd dt head html legend li option optgroup tbody td tfoot th thead tr"
)


_MARK_UP = re.compile(r"<[a-zA-Z/!?]")
_TAG = re.compile(
    r"""
    < (/?) ([a-zA-Z][^\s/>]*+)
    ( (?: [^>=]++ | = [ \t\n\r\f]*+ (?: "[^"]*+" | '[^']*+' )?+ )*+ ) >
    """,
    re.VERBOSE,
)
_COMMENT_END = re.compile(r"--!?>")
_ATTRIBUTE = re.compile(
    r"""([^\s"'<>/=]+)(?:[ \t\n\r\f]*=[ \t\n\r\f]*("[^"]*+"|'[^']*+'|[^\s"'>][^\s>]*+))?"""
)
_NOT_SHOWN = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)

RAW = frozenset("script style title textarea xmp iframe noembed noframes".split())
"""What these hold is never markup."""


@dataclass(frozen=True, slots=True)
class Token:
    """``source[start:end]``: ``text``, ``open`` or ``close`` (a tag, with its name), ``comment`` or ``other``.

    ``rest`` of a tag is what follows its name, without the ``>``.
    """

    kind: str
    start: int
    end: int
    name: str = ""
    rest: str = ""


def scan(source: str, *, xml: bool = False) -> Iterator[Token]:
    """The tokens of a page, in order and without gaps. An unfinished tag or comment reaches to the end."""
    position = 0
    while (found := _MARK_UP.search(source, position)) is not None:
        start = found.start()
        if start > position:
            yield Token("text", position, start)
        tag = _TAG.match(source, start)
        if tag is None:
            kind, position = _other(source, start, xml=xml)
            yield Token(kind, start, position)
            continue
        name, rest = tag[2].lower(), tag[3]
        position = tag.end()
        yield Token("close" if tag[1] else "open", start, position, name, rest)
        if name in RAW and not tag[1] and not (xml and rest.endswith("/")):
            end = _raw_end(source, name, position)
            if end > position:
                yield Token("other", position, end)
            position = end
    if position < len(source):
        yield Token("text", position, len(source))


def _other(source: str, start: int, *, xml: bool) -> tuple[str, int]:
    """What begins with ``<`` and is no tag, and where it ends."""
    if source.startswith("<!--", start):
        end = _COMMENT_END.search(source, start + 2)
        return ("comment", end.end()) if end else ("other", len(source))
    if source[start + 1] in "!?" or (
        source[start + 1] == "/" and not source[start + 2 : start + 3].isalpha()
    ):
        closing = "]]>" if xml and source.startswith("<![CDATA[", start) else ">"
        end_at = source.find(closing, start + 2)
        return "other", end_at + len(closing) if end_at >= 0 else len(source)
    return "other", len(source)


def _raw_end(source: str, name: str, position: int) -> int:
    end = re.compile(rf"</{name}(?=[\s/>])", re.IGNORECASE).search(source, position)
    return end.start() if end else len(source)


def is_hidden(rest: str) -> bool:
    """Whether the attributes of a tag say that its element is not shown."""
    if "hidden" not in rest and "display" not in rest and "HIDDEN" not in rest:
        return False
    for attribute in _ATTRIBUTE.finditer(rest):
        name = attribute[1].lower()
        if name == "hidden" or (name == "style" and attribute[2] and _NOT_SHOWN.search(attribute[2])):
            return True
    return False


def attributes(rest: str) -> dict[str, str]:
    """The attributes of a tag without their quotation marks, by name in lower case; the first of a name counts."""
    found: dict[str, str] = {}
    for attribute in _ATTRIBUTE.finditer(rest):
        found.setdefault(attribute[1].lower(), unescape((attribute[2] or "").strip("\"'")))
    return found


def remove_id(rest: str) -> str:
    """The attributes of a tag but for ``id``, which stands once in a page."""
    kept = rest
    for attribute in reversed(list(_ATTRIBUTE.finditer(rest))):
        if attribute[1].lower() == "id":
            kept = kept[: attribute.start()].rstrip() + kept[attribute.end() :]
    return kept
