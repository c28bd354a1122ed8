"""Templates of wikitext: which of their arguments are prose, and how they stand in the text.

What a template shows is decided on its own page, so the templates whose arguments are shown as they stand are listed by
name, after those of the English and the German Wikipedia. The prose of all others is reported as unread.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum, auto
from itertools import pairwise

from core.documents.types import Span
from core.documents.unread import holds_prose


class Place(Enum):
    """How the prose of a template stands: in the sentence, beside it as a note or a caption, or in its own block."""

    INLINE = auto()
    NOTE = auto()
    CAPTION = auto()
    BLOCK = auto()
    QUOTE = auto()


@dataclass(frozen=True, slots=True)
class Argument:
    """``text[start:end]``, the value of an argument; the names of unnamed ones are ``1``, ``2``, …"""

    name: str
    start: int
    end: int


def _names(text: str) -> tuple[str, ...]:
    return tuple(" ".join(name.split()) for name in text.split(",") if name.strip())


_FIRST = re.compile(r"1|text|content|contents")
_SECOND = re.compile("2")
_UNNAMED = re.compile(r"\d{1,3}")
_QUOTED = re.compile(r"1|text|quote|quotation|content")
_SHOWN_BESIDE = re.compile(r"(?:image_?|map_?|logo_?)?(?:caption|alt|description|header|footer)_?\d{0,2}")

_RULES: dict[str, tuple[Place, re.Pattern[str]]] = {
    **dict.fromkeys(
        _names(
            """
            nowrap, nobr, no wrap, nobreak, nowraplinks, small, smaller, big, larger, huge, large, em, strong, bold, b,
            italic, i, italics, nobold, normal, noitalic, underline, u, sup, sub, smallcaps, sc, smallcaps2, allcaps,
            abbr, abbreviation, tooltip, visible anchor, vanchor, sic, not a typo, notatypo, as written, typo, ill,
            interlanguage link, proper name, linktext, highlight, blue, red, green, gray, grey, plain link, mvar, serif
            """
        ),
        (Place.INLINE, _FIRST),
    ),
    **dict.fromkeys(_names("color, font color, colour, resize, font, hover title"), (Place.INLINE, _SECOND)),
    **dict.fromkeys(
        _names("efn, efn-ua, efn-lr, efn-la, efn-ur, efn-lg, efn-ug, notetag, note tag, refn, #tag:ref"),
        (Place.NOTE, _FIRST),
    ),
    **dict.fromkeys(
        _names("multiple image, css image crop, annotated image, image frame, listen, gallery, stack, superimpose"),
        (Place.CAPTION, _SHOWN_BESIDE),
    ),
    **dict.fromkeys(
        _names(
            """
            center, centre, block indent, bi, left, right, plainlist, flatlist, div col, columns-list, col list,
            short description, hatnote, caption, pre-wrap, aligned block, indent, vertical align, unbulleted list, ubl,
            ublist, hlist, bulleted list, blist, ordered list, olist, hidden, collapse
            """
        ),
        (Place.BLOCK, _UNNAMED),
    ),
    **dict.fromkeys(
        _names(
            """
            quote, blockquote, bquote, cquote, quote box, quotebox, quotation, poem quote, poemquote, talk quote,
            talkquote, tq, tqb, pull quote, pullquote, rquote, quote frame, centered pull quote,
            zitat, zitat-en, zitat-de
            """
        ),
        (Place.QUOTE, _QUOTED),
    ),
}  # fmt: skip
_RULES["rquote"] = (Place.QUOTE, _SECOND)
_RULES |= dict.fromkeys(
    ("wide image", "tall image", "panorama"), (Place.CAPTION, re.compile("3|caption|alt"))
)

_INFOBOX = re.compile(r"infobox\b.*|.*\binfobox|taxobox|.*box (?:person|officeholder)")
_UNSAID = re.compile(
    r"""
    lang(?:-.*|ue)? | ar | de | el | es | fa | fr | grc | he | hi | it | ja | ko | la | nl | pl | pt | ru | sa | tr
  | uk | zh
  | transl(?:iteration)? | script/.* | ipa.* | respell | coord.* | convert | cvt | sfrac | math
  | main.* | see[ ]?also.* | further.* | about | other.* | redirect.* | distinguish | for | details | portal.*
  | sister.*
  | use[ ].* | engvar.* | pp.* | defaultsort.* | authority.* | commons.* | wikt.* | stub | .*-stub | toc.* | clear
  | sfn.* | harv.* | reflist.* | refbegin | notelist.* | isbn | issn | doi | oclc | url | official.* | webarchive | rp
  | r | birth.* | death.* | .*date.* | flag.* | as[ ]of | circa | good[ ]article | featured.* | navbox.* | succession.*
  | s-.* | citation[ ]needed.* | cn | fact | when | who | whom | which | by[ ]whom | clarify | dubious | weasel.*
  | vague | peacock.* | pov.* | unreferenced.* | refimprove.* | more[ ].* | update.* | dead[ ]link | page[ ]needed
    """,
    re.VERBOSE,
)
_CITATION = re.compile(r"cite\b.*|citation|literatur|internetquelle|webarchiv|vcite.*|bibleverse.*|catalog.*")
_NAMED = re.compile(r"\s*([\w .#/-]{1,60}?)\s*=")
_INNER = re.compile(
    r"""
    \{\{ [^{}]*+ \}\} | <!-- (?: (?!<!--|-->) . )*+ -->
  | <ref (?: \s [^<>]*+ )?+ (?: (?<=/) > | > (?: (?!</?ref) . )*+ </ref> )
    """,
    re.VERBOSE | re.DOTALL | re.IGNORECASE,
)
_TARGET = re.compile(r"\[\[[^\[\]|]*+\||\[\[|\]\]|''+")
_TITLE = re.compile(
    r"""
    '' (?: (?!'') . )*+ '' | " [^"\n]*+ " | “ [^“”\n]*+ ” | \[https?: [^\[\]\n]*+ \] | \[\[ [^\[\]\n]*+ \]\]
    """,
    re.VERBOSE | re.DOTALL,
)


def template_name(text: str) -> str:
    """The name of a template as it is compared: without its namespace, in lower case, with single spaces."""
    name = " ".join(re.sub("<!--.*?-->", "", text, flags=re.DOTALL).replace("_", " ").split()).lower()
    return name.removeprefix("template:").removeprefix("vorlage:").strip()


def read_arguments(text: str, pipes: list[int], end: int) -> list[Argument]:
    """The arguments between the pipes of a template whose braces close at ``end``."""
    found: list[Argument] = []
    unnamed = 0
    for pipe, stop in pairwise([*pipes, end]):
        named = _NAMED.match(text, pipe + 1, stop)
        if named is None:
            unnamed += 1
            found.append(Argument(str(unnamed), pipe + 1, stop))
        else:
            found.append(Argument(named[1].lower().replace(" ", "_"), named.end(), stop))
    return found


def prose_arguments(text: str, name: str, arguments: list[Argument]) -> tuple[Place, list[Span]] | None:
    """How the prose of a template stands, and its places in the text; None where it has none that is known."""
    rule = _RULES.get(name)
    if rule is None and _INFOBOX.fullmatch(name):
        spans = [
            (one.start, one.end)
            for one in arguments
            if not one.name.isdigit()
            and (
                (_SHOWN_BESIDE.fullmatch(one.name) is not None and text[one.start : one.end].strip())
                or is_prose(text[one.start : one.end])
            )
        ]
        return Place.BLOCK, spans
    if rule is None:
        return None
    place, wanted = rule
    spans = [(one.start, one.end) for one in arguments if wanted.fullmatch(one.name)]
    return place, spans if place in (Place.BLOCK, Place.CAPTION) else spans[-1:]


def is_prose(value: str) -> bool:
    """Whether a value holds prose besides the templates, references and comments in it."""
    return holds_prose(_TARGET.sub("", _INNER.sub(" ", value)))


def is_citation(name: str) -> bool:
    """Whether a template names a source."""
    return _CITATION.fullmatch(name) is not None


def says_nothing(name: str) -> bool:
    """Whether a template is known to show no prose: links to pages, numbers, notices to editors, other languages."""
    return _UNSAID.fullmatch(name) is not None


def is_note(reference: str) -> bool:
    """Whether a reference holds prose besides the titles in it."""
    return holds_prose(_TITLE.sub(" ", _INNER.sub(" ", reference)))
