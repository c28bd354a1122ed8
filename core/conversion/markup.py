"""HTML inside other markup: what its tags say of the text, and the text without them."""

from __future__ import annotations

import re
from collections import Counter
from html import unescape

from core.conversion.types import Loss

FORMATTING_TAGS = {
    "b": "bold", "strong": "bold", "i": "italic", "em": "italic", "cite": "italic", "var": "italic", "dfn": "italic",
    "s": "struck", "del": "struck", "strike": "struck", "code": "code", "kbd": "code", "samp": "code", "tt": "code",
}  # fmt: skip
"""The formatting of a run that a tag stands for."""

_WITHOUT_LOSS = {
    "br",
    "p",
    "div",
    "blockquote",
    "span",
    "section",
    "center",
    "hr",
    "wbr",
    "nowiki",
    *FORMATTING_TAGS,
}
_TAG = re.compile(r"</?([a-zA-Z][a-zA-Z0-9-]*)(?:\s[^<>]*)?/?>")
_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_NO_TEXT = re.compile(r"<(script|style|svg)\b.*?(?:</\1\s*>|\Z)", re.DOTALL | re.IGNORECASE)
_BREAK = re.compile(r"<br\s*/?>", re.IGNORECASE)
_INLINE = re.compile(
    r"a|abbr|b|bdi|cite|code|dfn|em|font|i|kbd|mark|q|s|samp|small|span|strong|su[bp]|tt|u|var"
)


def tag_name(tag: str) -> tuple[str, bool]:
    """The name of a tag in lower case, empty if it is none, and whether it opens an element."""
    found = _TAG.fullmatch(tag)
    return (found[1].lower(), not tag.startswith("</")) if found else ("", False)


def count_tag(tag: str, losses: Counter[Loss]) -> None:
    """Count an opening tag whose meaning is lost; an image is one, and so is a comment."""
    name, opens = tag_name(tag)
    if tag.startswith("<!--"):
        losses[Loss.COMMENT] += 1
    elif name == "img":
        losses[Loss.IMAGE] += 1
    elif opens and name not in _WITHOUT_LOSS:
        losses[Loss.TAG] += 1


def text_of_html(source: str, losses: Counter[Loss]) -> list[str]:
    r"""The paragraphs of some HTML without its tags, in which ``\n`` is a line break. Counts what is lost."""
    losses[Loss.COMMENT] += len(_COMMENT.findall(source))
    source = _COMMENT.sub("", source)
    losses[Loss.TAG] += len(_NO_TEXT.findall(source))
    source = _NO_TEXT.sub(" ", source)
    for found in _TAG.finditer(source):
        count_tag(found.group(), losses)
    source = _BREAK.sub("\x00", source)
    source = _TAG.sub(lambda found: "" if _INLINE.fullmatch(found[1].lower()) else "\n\n", source)
    chunks = map(unescape, re.split(r"\n\s*\n", source))
    lines = ([" ".join(line.split()) for line in chunk.split("\x00")] for chunk in chunks)
    return [text for text in ("\n".join(line).strip() for line in lines) if text]
