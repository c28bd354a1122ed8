"""Wikitext: which parts of a page's source are prose.

One linear scan finds templates, tables, links, tags and comments. mwparserfromhell knows the grammar better, but it
backtracks on markup that is never closed (100,000 characters of ``<div `` take it five minutes), and an unfinished
draft is full of that. On real articles the two agree; the tests compare them.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from itertools import pairwise

from core.documents.characters import mask_reference
from core.documents.footnote_marks import mask_raised_marks
from core.documents.plain_text import split_paragraphs
from core.documents.types import (
    FormatParser,
    Layout,
    Mask,
    Span,
    mask_addresses,
    merge_masks,
    merge_spans,
    normalize_line_ends,
)
from core.types import Unread, UnreadKind


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# Elements without prose.
NOT_PROSE = _words(
    """
    ref references nowiki pre code kbd samp tt syntaxhighlight source math chem ce gallery score timeline hiero
    imagemap templatedata templatestyles graph mapframe maplink categorytree inputbox style script noscript svg
    """
)

# Those of them that end a paragraph.
STANDS_ALONE = _words("gallery references pre syntaxhighlight source timeline")

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

# Namespaces whose links show no label in the text: files and categories, in larger Wikipedias. Spaces are underscores.
MEDIA = _words(
    """
    file image media category datei bild kategorie fichier catégorie archivo imagen categoría ficheiro imagem
    categoria immagine bestand afbeelding plik grafika kategoria файл изображение категория зображення категорія
    fil kategori tiedosto kuva luokka soubor fájl kép kategória ファイル 画像 カテゴリ 文件 图像 分类 檔案 圖像 分類
    파일 그림 분류 ملف صورة تصنيف קובץ תמונה קטגוריה αρχείο εικόνα κατηγορία dosya resim kategorija slika tập_tin
    hình thể_loại
    """
)


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
  | (?P<line> \n )
  | (?P<marks> '{2,}+ )
  | (?P<entity> &(?:[a-zA-Z][a-zA-Z0-9]{1,31}|\#[0-9]{1,7}|\#[xX][0-9a-fA-F]{1,6}); )
  | (?P<word> (?<!\w)__[A-Z]{3,30}__(?!\w) | ~{3,5} )
    """,
    re.VERBOSE | re.MULTILINE,
)
_BLANK_LINE = re.compile(r"\n[ \t]*\n")
_TARGET = re.compile(r"\[[^\s\[\]<>\"|]*+[ \t]*")

_LANGUAGE = re.compile(r"[a-z]{2,3}(?:-[a-z]{2,10})*|simple")


@dataclass(slots=True)
class Scan:
    """The result of a scan: masks (they may overlap), places of block tags, quotations by tags, comments.

    ``closed``: nothing is open at the end, so following text can be parsed alone.
    """

    masks: list[Mask] = field(default_factory=list)
    borders: list[int] = field(default_factory=list)
    quotes: list[Span] = field(default_factory=list)
    comments: list[Span] = field(default_factory=list)
    unread: list[Unread] = field(default_factory=list)
    closed: bool = True


@dataclass(slots=True)
class _OpenMark:
    """An opening mark without its end yet: its kind, its place, its braces, its first pipe."""

    kind: str
    start: int
    braces: int = 0
    pipe: int = -1


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
                if self._stack and self._stack[-1].kind == "link" and self._stack[-1].pipe < 0:
                    self._stack[-1].pipe = token.start()
            elif kind == "line":
                self._end_line(token.start())
            elif kind == "marks":
                kept = {4: 1}.get(position - token.start(), max(0, position - token.start() - 5))
                self._mask(token.start() + kept, position, gap=False)
            elif kind == "entity":
                self._found.masks.append(mask_reference(token.start(), position, token.group()))
            else:
                self._mask(token.start(), position, gap=False)
        for left in self._stack:
            self._drop(left)
        self._found.closed = not (self._stack or self._unclosed or any(self._quoting.values()))
        return self._found

    def _mask(self, start: int, end: int, *, gap: bool) -> None:
        self._found.masks.append(Mask(start, end, gap))

    def _push(self, opened: _OpenMark) -> None:
        self._stack.append(opened)
        self._waiting[opened.kind] = self._waiting.get(opened.kind, 0) + 1

    def _pop(self) -> _OpenMark:
        opened = self._stack.pop()
        self._waiting[opened.kind] -= 1
        return opened

    def _drop(self, left: _OpenMark) -> None:
        """Mask an opening mark that has no end; a single bracket is text."""
        width = {"brace": left.braces, "link": 2}.get(left.kind, 0)
        self._mask(left.start, left.start + width, gap=False)

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
            self._mask(token.start(), token.end(), gap=False)
            return token.end()
        self._mask(token.start(), end + 3, gap=False)
        self._found.comments.append((token.start(), end + 3))
        return end + 3

    def _close_braces(self, token: re.Match[str]) -> None:
        position = token.start()
        while token.end() - position >= 2 and (opened := self._pop_to("brace")) is not None:
            width = min(opened.braces, token.end() - position, 3)
            position += width
            left = opened.braces - width
            self._mask(opened.start + left, position, gap=True)
            if left >= 2:
                self._push(_OpenMark("brace", opened.start, braces=left))
        if position == token.start():
            self._mask(position, token.end(), gap=False)

    def _close_table(self, token: re.Match[str]) -> None:
        opened = self._pop_to("table")
        if opened is not None:
            self._mask(opened.start, token.end(), gap=True)

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
        if label >= end - 1:
            self._mask(start, end, gap=True)
        else:
            self._mask(start, label, gap=False)
            self._mask(end - 1, end, gap=False)

    def _link(self, opened: _OpenMark, end: int) -> None:
        labelled = opened.pipe >= 0
        target = self._text[opened.start + 2 : min(opened.pipe if labelled else end - 2, opened.start + 80)]
        namespace, colon, _ = target.partition(":")
        namespace = namespace.strip().lower().replace(" ", "_")
        elsewhere = not labelled and _LANGUAGE.fullmatch(namespace) is not None
        if colon and (namespace in MEDIA or elsewhere):
            self._mask(opened.start, end, gap=True)
            return
        self._mask(opened.start, opened.pipe + 1 if labelled else opened.start + 2, gap=False)
        self._mask(end - 2, end, gap=False)

    def _end_line(self, position: int) -> None:
        """External links and targets of links end with their line; labels of links end at a blank line."""
        while self._stack and self._stack[-1].kind in ("external", "link"):
            top = self._stack[-1]
            if top.kind == "link" and top.pipe >= 0 and not _BLANK_LINE.match(self._text, position):
                break
            self._drop(self._pop())

    def _tag(self, token: re.Match[str]) -> int:
        name = token["tag"].lower()
        alone = token["rest"].endswith("/")
        start, end = token.span()
        if name in NOT_PROSE:
            if not token["slash"] and not alone:
                end = self._past(name, end)
            self._mask(start, end, gap=True)
            if name in STANDS_ALONE:
                self._found.borders.append(start)
        elif name in STRUCK_OUT:
            if not token["slash"] and not alone:
                end = self._past(name, end)
            self._mask(start, end, gap=end > token.end())
            if end > token.end():
                self._found.unread.append(Unread(UnreadKind.DELETION, start, end))
        elif name in BLOCK_TAGS or name in INLINE_TAGS:
            self._mask(start, end, gap=name in ("br", "hr") or name in BLOCK_TAGS)
            if name in BLOCK_TAGS:
                self._found.borders.append(start)
            if name == "table" and token["slash"]:
                opened = self._pop_to("<table")
                self._mask(opened.start if opened else start, end, gap=True)
            elif name == "table" and not alone:
                self._push(_OpenMark("<table", start))
            if name in QUOTING_TAGS and not alone:
                self._quotation(name, token)
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


def _same_tag(name: str) -> re.Pattern[str]:
    return re.compile(rf"<(/?){name}((?:[\s/][^<>]*+)?+)>", re.IGNORECASE)


_REDIRECT = re.compile(r"\s*#[^\W\d_]{4,20}[ \t]*:?[ \t]*\[\[[^\[\]\n]*\]\][^\n]*")
_LIST = re.compile(r"[*#:;]+[ \t]*")
_GAP, _ZERO, _READ = "\x01", "\x02", "x"
_FILLERS = str.maketrans({_GAP: " ", _ZERO: " "})
_BLANK = f" \t\r\f\v\xa0{_GAP}{_ZERO}"


def lay_out(source: str) -> Layout:
    """Masks and blocks of a page. Blocks are paragraphs, headings, list items and the contents of block tags."""
    text = normalize_line_ends(source)
    scanned = scan(text)
    masks = merge_masks([*scanned.masks, *mask_addresses(text), *mask_raised_marks(text), *_redirect(text)])
    markers, blocks = _lines(_filled(text, masks))
    return Layout(
        merge_masks([*masks, *markers]),
        tuple(_cut(blocks, scanned)),
        merge_spans(scanned.quotes),
        tuple(scanned.comments),
        tuple(scanned.unread),
    )


def _redirect(text: str) -> list[Mask]:
    found = _REDIRECT.match(text)
    return [Mask(*found.span(), True)] if found else []


def _filled(text: str, masks: tuple[Mask, ...]) -> str:
    """The text with every masked character, line ends included, replaced by one for the kind of its mask.

    What is read as other characters becomes letters.
    """
    text = text.translate(_FILLERS) if _GAP in text or _ZERO in text else text
    pieces = []
    position = 0
    for mask in masks:
        filler = _GAP if mask.gap else _READ if mask.read_as else _ZERO
        pieces += [text[position : mask.start], filler * (mask.end - mask.start)]
        position = mask.end
    return "".join([*pieces, text[position:]])


def _lines(filled: str) -> tuple[list[Mask], list[Span]]:
    """Masks over the marks that begin or frame a line, and the blocks that the lines form."""
    masks: list[Mask] = []
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
        masks += marks
        if marks and marks[0].end < last:
            blocks.append((marks[0].end, marks[-1].start if len(marks) > 1 else end))
    if open_from is not None:
        blocks.append((open_from, len(filled)))
    return masks, blocks


def _frame(bare: str, first: int, last: int) -> list[Mask]:
    """The marks of a heading, a list item, a rule, or a row of an unclosed table or template."""
    if bare[:1] == "=" and bare[-1] == "=" and len(bare) > 2:
        depth = min(len(bare) - len(bare.lstrip("=")), len(bare) - len(bare.rstrip("=")), 6)
        if 2 * depth < len(bare):
            return [Mask(first, first + depth, False), Mask(last - depth, last, False)]
    if bare.startswith(("|", "{|", "----")):
        return [Mask(first, last, True)]
    item = _LIST.match(bare)
    return [Mask(first, first + item.end(), False)] if item else []


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
    return scan(part).closed


PARSER = FormatParser(
    lay_out,
    split=lambda source: split_paragraphs(source, lambda text: not text.lstrip().startswith("#")),
    is_closed=_is_closed,
)
