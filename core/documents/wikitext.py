"""Wikitext: which parts of a page's source are prose.

One linear scan finds templates, tables, links, tags and comments. mwparserfromhell knows the grammar better, but it
backtracks on markup that is never closed (100,000 characters of ``<div `` take it five minutes), and an unfinished
draft is full of that. On real articles the two agree; the tests compare them.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TypeVar

from core.documents.characters import find_raised_marks, reference_span
from core.documents.languages import foreign_passages
from core.documents.plain_text import split_paragraphs
from core.documents.types import (
    FormatParser,
    Layout,
    NonProseSpan,
    Span,
    find_addresses,
    merge_non_prose,
    merge_spans,
    normalize_line_ends,
)
from core.documents.unread import holds_prose
from core.documents.wikitext_tables import cell_spans
from core.documents.wikitext_templates import (
    Argument,
    Place,
    is_citation,
    is_note,
    is_prose,
    prose_arguments,
    read_arguments,
    says_nothing,
    template_name,
)
from core.text.html_elements import declares_foreign_language, find_elements
from core.text.tokens import has_letter
from core.types import Unread, UnreadKind

_T = TypeVar("_T")


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# Elements without prose.
NOT_PROSE = _words(
    """
    ref references nowiki pre code kbd samp tt syntaxhighlight source math chem ce score timeline hiero
    imagemap templatedata templatestyles graph mapframe maplink categorytree inputbox style script noscript svg
    """
)

# Those of them that end a paragraph.
STANDS_ALONE = _words("references pre syntaxhighlight source timeline")

# Elements that hold prose in a block of its own.
BLOCK_TAGS = _words(
    "p div blockquote center poem ul ol li dl dt dd h1 h2 h3 h4 h5 h6 hr section table tr td th caption"
)

# Elements that hold prose inside a sentence.
INLINE_TAGS = _words(
    """
    b i u em strong small big sub sup span ins abbr cite dfn q var mark font bdi bdo data time wbr br
    ruby rb rt rp rtc noinclude includeonly onlyinclude indicator tvar translate languages img a
    """
)

# Elements whose content was struck out.
STRUCK_OUT = _words("del s strike")

# Elements that hold a quotation.
QUOTING_TAGS = _words("blockquote q")

# Namespaces of files and of categories, in larger Wikipedias. Spaces are underscores. Of links to files the caption is
# shown, of links to categories nothing is.
FILES = _words(
    """
    file image media datei bild fichier archivo imagen ficheiro imagem immagine bestand afbeelding plik grafika файл
    изображение зображення fil tiedosto kuva soubor fájl kép ファイル 画像 文件 图像 檔案 圖像 파일 그림 ملف صورة קובץ
    תמונה αρχείο εικόνα dosya resim slika tập_tin hình
    """
)
CATEGORIES = _words(
    """
    category kategorie catégorie categoría categoria kategoria категория категорія kategori luokka kategória カテゴリ
    分类 分類 분류 تصنيف קטגוריה κατηγορία kategorija thể_loại
    """
)

# The headings of sections that list sources and links.
REFERENCE_SECTIONS = frozenset(
    (
        *(
            "references",
            "reference",
            "notes",
            "footnotes",
            "citations",
            "sources",
            "bibliography",
            "works cited",
        ),
        *("notes and references", "references and notes", "further reading", "see also", "external links"),
        "external link",
    )
)
_FIRST_WORDS = frozenset(name.split()[0] for name in REFERENCE_SECTIONS)

# The arguments of a link to a file that are not its caption.
_FILE_OPTION = re.compile(
    r"""\s* (?: (?:alt|link|lang|page|class|thumb|upright|verweis|hochkant|lien|enlace|frame) \s*= [^|]*+
    | \d*+x?\d++ \s*px | thumb(?:nail)? | frame(?:d|less)? | border | left | right | cent(?:er|re) | none | upright
    | baseline | middle | sub | super | top | text-top | bottom | text-bottom | mini(?:atur)? | links | rechts
    | zentriert | ohne | rand | gerahmt | rahmenlos | hochkant | vignette | gauche | droite | centré | redresse
    | miniatura? | miniaturadeimagen | izquierda | derecha | centro | destra | sinistra | esquerda | direita )? \s*""",
    re.VERBOSE | re.IGNORECASE,
)
_ALTERNATIVE = re.compile(r"\s*alt\s*=", re.IGNORECASE)
_GROUP = re.compile(r"\sgroup\s*=", re.IGNORECASE)


_TOKEN = re.compile(
    r"""
    (?P<comment> <!-- )
  | < (?P<slash>/?) (?P<tag>[a-zA-Z][a-zA-Z0-9]*) (?P<rest>(?:[\s/][^<>]*+)?+) >
  | (?P<table> ^[ \t:]*+ \{\| (?!\}) ) | (?P<untable> ^[ \t]*+ \|\} (?!\}) )
  | (?P<brace> \{{2,}+ ) | (?P<unbrace> \}{2,}+ )
  | (?P<link> \[\[ )
  | (?P<external> \[ (?=(?:https?|ftps?|ircs?|news|mailto|tel|git):|//) )
  | (?P<unlink> \]++ )
  | (?P<pipe> \| )
  | (?P<bang> ^[ \t:]*+ ! | !! )
  | (?P<line> \n )
  | (?P<marks> '{2,}+ )
  | (?P<entity> &(?:[a-zA-Z][a-zA-Z0-9]{1,31}|\#[0-9]{1,7}|\#[xX][0-9a-fA-F]{1,6}); )
  | (?P<word> (?<!\w)__[A-Z]{3,30}__(?!\w) | ~{3,5} )
    """,
    re.VERBOSE | re.MULTILINE,
)
_BLANK_LINE = re.compile(r"\n[ \t]*\n")
_NEXT_CELL = re.compile(r"\n[ \t:]*[|!]")
_TARGET = re.compile(r"\[[^\s\[\]<>\"|]*+[ \t]*")

_LANGUAGE = re.compile(r"[a-z]{2,3}(?:-[a-z]{2,10})*|simple")
_WITH_PIPES = ("link", "brace", "table", "gallery")
_DEEPEST = 40
"""Templates nested deeper than this are not read."""


@dataclass(frozen=True, slots=True)
class Aside:
    """A note or a caption: ``text[start:end]`` with its markup, the spans of its words, its kind if it is not read."""

    start: int
    end: int
    words: tuple[Span, ...]
    kind: UnreadKind


@dataclass(slots=True)
class Scan:
    """The result of a scan: what is not prose (spans may overlap), borders of blocks, quotations, comments, asides.

    ``closed``: nothing is open at the end, so following text can be parsed alone.
    """

    non_prose: list[NonProseSpan] = field(default_factory=list)
    borders: list[int] = field(default_factory=list)
    quotes: list[Span] = field(default_factory=list)
    comments: list[Span] = field(default_factory=list)
    asides: list[Aside] = field(default_factory=list)
    unread: list[Unread] = field(default_factory=list)
    set_apart: list[Span] = field(default_factory=list)
    foreign: list[Span] = field(default_factory=list)
    closed: bool = True


@dataclass(slots=True)
class _OpenMark:
    """An opening mark without its end yet: its kind, its place, its braces, its pipes."""

    kind: str
    start: int
    braces: int = 0
    pipes: list[int] = field(default_factory=list)


def scan(text: str) -> Scan:
    r"""Scan a page whose lines end in ``\n``."""
    return _Scanner(text).run()


class _Scanner:
    def __init__(self, text: str) -> None:
        self._text = text
        self._found = Scan()
        self._stack: list[_OpenMark] = []
        self._waiting: dict[str, int] = {}
        self._quoting: dict[str, list[int]] = {}
        self._unclosed: set[str] = set()
        self._tags: list[tuple[int, int, str]] = []
        self._italic = -1

    def run(self) -> Scan:
        position = 0
        while (token := _TOKEN.search(self._text, position)) is not None:
            position = token.end()
            kind = token.lastgroup
            if kind == "comment":
                position = self._comment(token)
            elif kind == "rest":
                position = self._tag(token)
            elif kind == "brace":
                self._push(_OpenMark("brace", token.start(), braces=position - token.start()))
            elif kind == "unbrace":
                self._close_braces(token)
            elif kind == "table":
                self._push(_OpenMark("table", token.start()))
            elif kind == "untable":
                self._close_table(token)
            elif kind in ("link", "external"):
                self._push(_OpenMark(kind, token.start()))
            elif kind == "unlink":
                self._close_links(token)
            elif kind == "pipe":
                if self._stack and self._stack[-1].kind in _WITH_PIPES:
                    self._stack[-1].pipes.append(token.start())
            elif kind == "bang":
                if self._stack and self._stack[-1].kind == "table":
                    doubled = [position - 2] * token.group().endswith("!!")
                    self._stack[-1].pipes += [*doubled, position - 1]
            elif kind == "line":
                self._end_line(token.start())
            elif kind == "marks":
                kept = {4: 1}.get(position - token.start(), max(0, position - token.start() - 5))
                self._add(token.start() + kept, position, gap=False)
                if position - token.start() - kept in (2, 5):
                    self._turn_italics(token.start(), position)
            elif kind == "entity":
                self._found.non_prose.append(reference_span(token.start(), position, token.group()))
            else:
                self._add(token.start(), position, gap=False)
        for left in self._stack:
            self._drop(left)
        foreign = self._read_elements()
        self._found.closed = not (self._stack or self._unclosed or any(self._quoting.values()) or foreign)
        return self._found

    def _turn_italics(self, start: int, end: int) -> None:
        if self._italic < 0:
            self._italic = end
        else:
            self._found.set_apart.append((self._italic, start))
            self._italic = -1

    def _read_elements(self) -> bool:
        """Read what tags say of the words between them; returns whether one is open that names another language."""
        open_foreign = sum(tag[1] != "/" and declares_foreign_language(tag[1:-1]) for _, _, tag in self._tags)
        for element in find_elements(self._tags):
            if element.is_set_apart:
                self._found.set_apart.append((element.first, element.last))
            if element.is_foreign:
                self._found.foreign.append((element.first, element.last))
                open_foreign -= 1
        return open_foreign > 0

    def _add(self, start: int, end: int, *, gap: bool) -> None:
        self._found.non_prose.append(NonProseSpan(start, end, gap))

    def _push(self, opened: _OpenMark) -> None:
        self._stack.append(opened)
        self._waiting[opened.kind] = self._waiting.get(opened.kind, 0) + 1

    def _pop(self) -> _OpenMark:
        opened = self._stack.pop()
        self._waiting[opened.kind] -= 1
        return opened

    def _drop(self, left: _OpenMark) -> None:
        """Leave out an opening mark that has no end; a single bracket is text."""
        width = {"brace": left.braces, "link": 2}.get(left.kind, 0)
        self._add(left.start, left.start + width, gap=False)

    def _pop_to(self, kind: str) -> _OpenMark | None:
        """Pop up to the nearest open mark of a kind; those opened after it were never closed."""
        if not self._waiting.get(kind):
            return None
        while (opened := self._pop()).kind != kind:
            self._drop(opened)
        return opened

    def _comment(self, token: re.Match[str]) -> int:
        end = -1 if "<!--" in self._unclosed else self._text.find("-->", token.end())
        if end < 0:
            self._unclosed.add("<!--")
            self._add(token.start(), token.end(), gap=False)
            return token.end()
        self._add(token.start(), end + 3, gap=False)
        self._found.comments.append((token.start(), end + 3))
        return end + 3

    def _close_braces(self, token: re.Match[str]) -> None:
        position = token.start()
        while token.end() - position >= 2 and (opened := self._pop_to("brace")) is not None:
            width = min(opened.braces, token.end() - position, 3)
            position += width
            left = opened.braces - width
            if width == 2:
                self._template(opened.start + left, position, opened.pipes)
            else:
                self._show(opened.start + left, position, ())
            if left >= 2:
                self._push(_OpenMark("brace", opened.start, braces=left))
        if position == token.start():
            self._add(position, token.end(), gap=False)

    def _close_table(self, token: re.Match[str]) -> None:
        opened = self._pop_to("table")
        if opened is not None:
            cells = cell_spans(self._text, opened.pipes, token.start())
            self._add_around(opened.start, token.end(), cells)
            self._borders_of(opened.start, token.end(), cells)

    def _template(self, start: int, end: int, pipes: list[int]) -> None:
        """Show the prose in the arguments of a template, as far as it is known where that stands."""
        name = template_name(self._text[start + 2 : min(pipes[0] if pipes else end - 2, start + 200)])
        deep = len(self._stack) > _DEEPEST
        arguments = [] if deep else read_arguments(self._text, pipes, end - 2)
        shown = prose_arguments(self._text, name, arguments)
        words = [span for span in shown[1] if self._text[span[0] : span[1]].strip()] if shown else []
        if shown is None or not words:
            self._show(start, end, ())
            if shown is None and not says_nothing(name) and self._has_prose(arguments):
                kind = UnreadKind.REFERENCE if is_citation(name) else UnreadKind.TEMPLATE
                self._found.unread.append(Unread(kind, start, end))
            return
        place = shown[0]
        if place in (Place.NOTE, Place.CAPTION):
            self._aside(start, end, words, UnreadKind.NOTE if place is Place.NOTE else UnreadKind.CAPTION)
            return
        self._show(start, end, words, gap=place is not Place.INLINE)
        if place is not Place.INLINE:
            self._borders_of(start, end, words)
        if place is Place.QUOTE:
            self._found.quotes += words

    def _has_prose(self, arguments: list[Argument]) -> bool:
        return any(is_prose(self._text[one.start : one.end]) for one in arguments)

    def _aside(self, start: int, end: int, words: Sequence[Span], kind: UnreadKind) -> None:
        """A note or a caption; one inside another is not read."""
        self._show(start, end, words)
        asides = self._found.asides
        while asides and asides[-1].start >= start:
            inner = asides.pop()
            self._add(inner.start, inner.end, gap=True)
            self._found.unread.append(Unread(inner.kind, inner.start, inner.end))
        asides.append(Aside(start, end, tuple(words), kind))

    def _show(self, start: int, end: int, words: Sequence[Span], *, gap: bool = True) -> None:
        """Leave out some markup but for its words, and forget what was found in the rest of it."""
        self._add_around(start, end, words, gap=gap)
        found = self._found
        found.borders = _outside(found.borders, start, words, lambda border: border)
        found.quotes = _outside(found.quotes, start, words, lambda quote: quote[0])
        found.asides = _outside(found.asides, start, words, lambda aside: aside.start)
        found.unread = _outside(found.unread, start, words, lambda part: part.start)

    def _add_around(self, start: int, end: int, words: Sequence[Span], *, gap: bool = True) -> None:
        position = start
        for first, last in words:
            self._add(position, first, gap=gap)
            position = last
        self._add(position, end, gap=gap)

    def _borders_of(self, start: int, end: int, words: Sequence[Span]) -> None:
        self._found.borders += [start, *(place for span in words for place in span), end]

    def _close_gallery(self, token: re.Match[str]) -> None:
        """Show the captions in a gallery, which has a file on each line."""
        opened = self._pop_to("gallery")
        if opened is None:
            self._add(token.start(), token.end(), gap=True)
            return
        words: list[Span] = []
        pipes = iter([*opened.pipes, token.start()])
        pipe = next(pipes)
        line = self._text.find("\n", opened.start, token.start())
        while 0 <= line < token.start():
            following = self._text.find("\n", line + 1, token.start())
            following = token.start() if following < 0 else following
            own = []
            while pipe < following:
                if pipe > line:
                    own.append(pipe)
                pipe = next(pipes)
            words += self._captions(own, following)
            line = following
        self._add_around(opened.start, token.end(), words)
        self._borders_of(opened.start, token.end(), words)

    def _captions(self, pipes: list[int], end: int) -> list[Span]:
        """The caption and the alternative text among the arguments of a file."""
        found: dict[str, Span] = {}
        for pipe, stop in pairwise([*pipes, end]):
            alternative = _ALTERNATIVE.match(self._text, pipe + 1, stop)
            if alternative is not None:
                found["alt"] = (alternative.end(), stop)
            elif not _FILE_OPTION.fullmatch(self._text, pipe + 1, stop):
                found["caption"] = (pipe + 1, stop)
        return sorted(found.values())

    def _close_links(self, token: re.Match[str]) -> None:
        position = token.start()
        while position < token.end():
            top = self._stack[-1].kind if self._stack else ""
            if top == "external":
                position += 1
                self._external(self._pop().start, position)
                continue
            opened = self._pop_to("link") if token.end() - position >= 2 else None
            if opened is None:
                break
            position += 2
            self._link(opened, position)

    def _external(self, start: int, end: int) -> None:
        target = _TARGET.match(self._text, start, end)
        label = target.end() if target else end - 1
        self._show(start, end, ())
        if has_letter(self._text[label : end - 1]):
            self._found.unread.append(Unread(UnreadKind.LINK_LABEL, start, end))

    def _link(self, opened: _OpenMark, end: int) -> None:
        labelled = bool(opened.pipes)
        target = self._text[
            opened.start + 2 : min(opened.pipes[0] if labelled else end - 2, opened.start + 80)
        ]
        namespace, colon, _ = target.partition(":")
        namespace = namespace.strip().lower().replace(" ", "_")
        elsewhere = not labelled and _LANGUAGE.fullmatch(namespace) is not None
        if colon and (namespace in FILES or namespace in CATEGORIES or elsewhere):
            words = self._captions(opened.pipes, end - 2) if namespace in FILES else []
            if words and len(self._stack) <= _DEEPEST:
                self._aside(opened.start, end, words, UnreadKind.CAPTION)
            else:
                self._show(opened.start, end, ())
            if namespace in CATEGORIES:
                self._found.unread.append(Unread(UnreadKind.CATEGORY, opened.start, end))
            return
        self._add(opened.start, opened.pipes[0] + 1 if labelled else opened.start + 2, gap=False)
        self._add(end - 2, end, gap=False)
        self._found.set_apart.append((opened.pipes[0] + 1 if labelled else opened.start + 2, end - 2))

    def _end_line(self, position: int) -> None:
        """External links and targets of links end with their line; labels of links end at a blank line."""
        self._italic = -1
        while self._stack and self._stack[-1].kind in ("external", "link"):
            top = self._stack[-1]
            cells = self._waiting.get("table") and _NEXT_CELL.match(self._text, position)
            if top.kind == "link" and top.pipes and not (cells or _BLANK_LINE.match(self._text, position)):
                break
            self._drop(self._pop())

    def _tag(self, token: re.Match[str]) -> int:
        name = token["tag"].lower()
        alone = token["rest"].endswith("/")
        start, end = token.span()
        if name == "gallery" and token["slash"]:
            self._close_gallery(token)
        elif name == "gallery" and not alone and self._past(name, end) > end:
            self._push(_OpenMark("gallery", start))
        elif name in NOT_PROSE or name == "gallery":
            if not token["slash"] and not alone:
                end = self._past(name, end)
            if name == "ref" and end > token.end():
                end = self._reference(token, end)
            self._add(start, end, gap=True)
            if name in STANDS_ALONE:
                self._found.borders.append(start)
        elif name in STRUCK_OUT:
            if not token["slash"] and not alone:
                end = self._past(name, end)
            self._add(start, end, gap=end > token.end())
            if end > token.end():
                self._found.unread.append(Unread(UnreadKind.DELETION, start, end))
        elif name in BLOCK_TAGS or name in INLINE_TAGS:
            self._add(start, end, gap=name in ("br", "hr") or name in BLOCK_TAGS)
            if not alone:
                self._tags.append((start, end, token.group()))
            if name in BLOCK_TAGS:
                self._found.borders.append(start)
            if name in QUOTING_TAGS and not alone:
                self._quotation(name, token)
        return end

    def _reference(self, token: re.Match[str], end: int) -> int:
        """Where to go on: inside a note, which is a reference of a group; behind any other reference."""
        last = self._text.rfind("<", token.end(), end)
        if _GROUP.search(token["rest"]) and len(self._stack) <= _DEEPEST:
            self._aside(token.start(), end, [(token.end(), last)], UnreadKind.NOTE)
            return token.end()
        if is_note(self._text[token.end() : last]):
            self._found.unread.append(Unread(UnreadKind.REFERENCE, token.start(), end))
        return end

    def _past(self, name: str, position: int) -> int:
        """The end of an element without prose; the end of its tag if it opens again or is never closed."""
        if name in self._unclosed:
            return position
        for found in _same_tag(name).finditer(self._text, position):
            if found[1]:
                return found.end()
            if not found[2].endswith("/"):
                return position
        self._unclosed.add(name)
        return position

    def _quotation(self, name: str, token: re.Match[str]) -> None:
        opened = self._quoting.setdefault(name, [])
        if not token["slash"]:
            opened.append(token.end())
        elif opened:
            self._found.quotes.append((opened.pop(), token.start()))


def _outside(items: list[_T], start: int, words: Sequence[Span], place: Callable[[_T], int]) -> list[_T]:
    """The items in front of ``start``, and those in the words behind it."""
    first = len(items)
    while first and place(items[first - 1]) >= start:
        first -= 1
    if first == len(items):
        return items
    kept = [one for one in items[first:] if any(begin <= place(one) < end for begin, end in words)]
    del items[first:]
    items += kept
    return items


def _same_tag(name: str) -> re.Pattern[str]:
    return re.compile(rf"<(/?){name}((?:[\s/][^<>]*+)?+)>", re.IGNORECASE)


_REDIRECT = re.compile(r"\s*#[^\W\d_]{4,20}[ \t]*:?[ \t]*\[\[[^\[\]\n]*\]\][^\n]*")
_LIST = re.compile(r"[*#:;]+[ \t]*")
_GAP, _ZERO, _READ = "\x01", "\x02", "x"
_FILLERS = str.maketrans({_GAP: " ", _ZERO: " "})
_BLANK = f" \t\r\f\v\xa0{_GAP}{_ZERO}"
_ENDED = re.compile(rf"\n[{_BLANK}]*\n")
_ITEM = re.compile(r"(?:\A|\n)[*#:;][^\n]*\Z")
_ENDS, _CLOSING = frozenset(".!?:;…。！？="), "\"'”’»)]"


def lay_out(source: str) -> Layout:
    """The layout of a page. Blocks are paragraphs, headings, list items and the contents of block tags."""
    text = normalize_line_ends(source)
    scanned = scan(text)
    non_prose = merge_non_prose(
        [*scanned.non_prose, *find_addresses(text), *find_raised_marks(text), *_redirect(text)]
    )
    sections = _reference_sections(text, _filled(text, non_prose), scanned.foreign)
    non_prose = _leave_out(sections, scanned, non_prose)
    non_prose = _settle_asides(_filled(text, non_prose), scanned, non_prose)
    filled = _filled(text, non_prose)
    markers, blocks, unclosed = _lines(filled)
    unread = [*scanned.unread, *(one for one in unclosed if holds_prose(text[one.start : one.end]))]
    foreign = [span for span in sorted(scanned.foreign) if filled[slice(*span)].strip(_BLANK + "\n")]
    unread += foreign_passages(text, foreign)
    return Layout(
        merge_non_prose([*non_prose, *markers]),
        tuple(_cut(blocks, scanned)),
        merge_spans(scanned.quotes),
        tuple(scanned.comments),
        tuple(sorted(unread, key=lambda part: part.start)),
        tuple(sorted(scanned.set_apart)),
    )


def _reference_sections(text: str, filled: str, foreign: Sequence[Span]) -> list[Span]:
    """The sections with sources and links, from their headings up to the line end before the next heading of the same
    or a higher level. ``filled`` is the text with its non-prose spans filled. Sections in another language are left
    out.
    """
    if not _may_head_references(text):
        return []
    sections: list[Span] = []
    opened: tuple[int, int] | None = None
    position = 0
    for line in filled.split("\n"):
        start, end = position, position + len(line)
        position = end + 1
        bare = line.strip(_BLANK)
        first = start + len(line) - len(line.lstrip(_BLANK))
        if not (depth := _heading_depth(bare)):
            continue
        if opened is not None and depth <= opened[1]:
            sections.append((opened[0], start - 1))
            opened = None
        title = bare[depth:-depth].replace(_ZERO, "").strip(_BLANK).casefold()
        known = title in REFERENCE_SECTIONS and title.split()[0] in text[start:end].casefold()
        if opened is None and known and not any(begin <= first < stop for begin, stop in foreign):
            opened = (first, depth)
    return [*sections, (opened[0], len(text))] if opened is not None else sections


def _may_head_references(text: str) -> bool:
    """Whether a text can have the heading of a section with sources and links; a quick check before the search."""
    lower = text.casefold()
    return "=" in lower and any(word in lower for word in _FIRST_WORDS)


def _leave_out(
    sections: Sequence[Span], scanned: Scan, non_prose: tuple[NonProseSpan, ...]
) -> tuple[NonProseSpan, ...]:
    """The non-prose spans with the sections among them; what was found in them is forgotten but for comments."""
    if not sections:
        return non_prose
    starts = [start for start, _ in sections]

    def end_of(place: int) -> int:
        number = bisect_right(starts, place) - 1
        return sections[number][1] if number >= 0 and place < sections[number][1] else place

    def shown(place: int) -> bool:
        return end_of(place) == place

    scanned.borders = [border for border in scanned.borders if shown(border)]
    scanned.quotes = [quote for quote in scanned.quotes if shown(quote[0])]
    scanned.asides = [aside for aside in scanned.asides if shown(aside.start)]
    scanned.unread = [part for part in scanned.unread if shown(part.start)]
    scanned.set_apart = [span for span in scanned.set_apart if shown(span[0])]
    scanned.foreign = [(first, end) for start, end in scanned.foreign if (first := end_of(start)) < end]
    scanned.unread += [Unread(UnreadKind.SECTION, start, end) for start, end in sections]
    return merge_non_prose([*non_prose, *(NonProseSpan(start, end, True) for start, end in sections)])


def _settle_asides(
    filled: str, scanned: Scan, non_prose: tuple[NonProseSpan, ...]
) -> tuple[NonProseSpan, ...]:
    """The non-prose spans, with the notes and captions inside a sentence among them; the others get borders.

    ``filled`` is the text with its non-prose spans filled. A sentence is one stretch of the source, so none can be read
    in it.
    """
    borders = sorted(scanned.borders)
    inside: list[Aside] = []
    position = 0
    sentence_open = False
    for aside in sorted(scanned.asides, key=lambda aside: aside.start):
        between = filled[position : aside.start]
        cut = bisect_right(borders, aside.start)
        if cut and borders[cut - 1] > position:
            sentence_open = False
            between = filled[borders[cut - 1] : aside.start]
        shown = between.rstrip(_BLANK + "\n")
        if shown:
            sentence_open = shown.rstrip(_CLOSING)[-1:] not in _ENDS
        after = between[len(shown) :]
        if _ENDED.search(after) or (shown and "\n" in after and _ITEM.search(shown)):
            sentence_open = False
        alone = "\n" in after and not filled[aside.end : _line_end(filled, aside.end)].strip(_BLANK)
        if sentence_open and not alone:
            inside.append(aside)
        else:
            sentence_open = False
            scanned.borders += [aside.start, *(place for span in aside.words for place in span), aside.end]
        position = aside.end
    if not inside:
        return non_prose
    starts = [aside.start for aside in inside]

    def hidden(place: int) -> bool:
        number = bisect_right(starts, place) - 1
        return number >= 0 and place < inside[number].end

    scanned.borders = [border for border in scanned.borders if not hidden(border)]
    scanned.quotes = [quote for quote in scanned.quotes if not hidden(quote[0])]
    scanned.unread = [part for part in scanned.unread if not hidden(part.start)]
    for aside in inside:
        if any(is_prose(filled[start:end].replace(_ZERO, "")) for start, end in aside.words):
            scanned.unread.append(Unread(aside.kind, aside.start, aside.end))
    return merge_non_prose([*non_prose, *(NonProseSpan(aside.start, aside.end, True) for aside in inside)])


def _line_end(text: str, position: int) -> int:
    end = text.find("\n", position)
    return len(text) if end < 0 else end


def _redirect(text: str) -> list[NonProseSpan]:
    found = _REDIRECT.match(text)
    return [NonProseSpan(*found.span(), True)] if found else []


def _filled(text: str, non_prose: tuple[NonProseSpan, ...]) -> str:
    """The text with every character of a non-prose span, line ends included, replaced by one for the kind of its span.

    What is read as other characters becomes letters.
    """
    text = text.translate(_FILLERS) if _GAP in text or _ZERO in text else text
    pieces = []
    position = 0
    for span in non_prose:
        filler = _GAP if span.gap else _READ if span.read_as else _ZERO
        pieces += [text[position : span.start], filler * (span.end - span.start)]
        position = span.end
    return "".join([*pieces, text[position:]])


def _lines(filled: str) -> tuple[list[NonProseSpan], list[Span], list[Unread]]:
    """The marks that begin or frame a line, the blocks that the lines form, and rows that are not closed."""
    rows: list[Unread] = []
    non_prose: list[NonProseSpan] = []
    blocks: list[Span] = []
    open_from: int | None = None
    position = 0
    for line in filled.split("\n"):
        start, end = position, position + len(line)
        position = end + 1
        bare = line.strip(_BLANK)
        if not bare and _ZERO in line and _GAP not in line:
            continue
        first = start + len(line) - len(line.lstrip(_BLANK))
        last = first + len(bare)
        marks = _frame(bare, first, last)
        if bare and not marks:
            open_from = start if open_from is None else open_from
            continue
        if open_from is not None:
            blocks.append((open_from, start))
            open_from = None
        non_prose += marks
        if marks and marks[0].gap and bare[0] in "|{":
            last_row = rows.pop() if rows and rows[-1].end + 1 == start else None
            rows.append(Unread(UnreadKind.UNCLOSED, last_row.start if last_row else start, end))
        if marks and marks[0].end < last:
            blocks.append((marks[0].end, marks[-1].start if len(marks) > 1 else end))
    if open_from is not None:
        blocks.append((open_from, len(filled)))
    return non_prose, blocks, rows


def _frame(bare: str, first: int, last: int) -> list[NonProseSpan]:
    """The marks of a heading, a list item, a rule, or a row of an unclosed table or template."""
    if depth := _heading_depth(bare):
        return [NonProseSpan(first, first + depth, False), NonProseSpan(last - depth, last, False)]
    if bare.startswith(("|", "{|", "----")):
        return [NonProseSpan(first, last, True)]
    item = _LIST.match(bare)
    return [NonProseSpan(first, first + item.end(), False)] if item else []


def _heading_depth(bare: str) -> int:
    """The level of the heading that a line without its white space is; 0 for any other line."""
    if bare[:1] != "=" or bare[-1] != "=" or len(bare) < 3:
        return 0
    depth = min(len(bare) - len(bare.lstrip("=")), len(bare) - len(bare.rstrip("=")), 6)
    return depth if 2 * depth < len(bare) else 0


def _cut(blocks: list[Span], scanned: Scan) -> list[Span]:
    """The blocks, cut at the block tags inside them."""
    borders = iter([*sorted(scanned.borders), -1])
    border = next(borders)
    cut: list[Span] = []
    for start, end in blocks:
        inside = []
        while border != -1 and border < end:
            if border > start:
                inside.append(border)
            border = next(borders)
        cut += pairwise([start, *inside, end])
    return cut


def _is_closed(part: str) -> bool:
    text = normalize_line_ends(part)
    scanned = scan(text)
    if not scanned.closed or not _may_head_references(text):
        return scanned.closed
    non_prose = merge_non_prose([*scanned.non_prose, *find_addresses(text), *find_raised_marks(text)])
    sections = _reference_sections(text, _filled(text, non_prose), scanned.foreign)
    return not sections or sections[-1][1] < len(text)


PARSER = FormatParser(
    lay_out,
    split=lambda source: split_paragraphs(source, lambda text: not text.lstrip().startswith("#")),
    is_closed=_is_closed,
)
