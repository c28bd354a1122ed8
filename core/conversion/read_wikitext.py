"""Wikitext as blocks.

What is prose, and what is markup, is what `core.documents.wikitext` says: the text between its non-prose spans is
carried in its order, and each of those is read for what it stands for. Markup that is unknown is carried as it stands,
so that no word is lost.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from html import unescape
from urllib.parse import quote

from core.conversion.markup import FORMATTING_TAGS, count_tag, tag_name, text_of_html
from core.conversion.types import (
    Block,
    CodeBlock,
    Content,
    Heading,
    Item,
    Loss,
    Paragraph,
    Quote,
    Run,
    Runs,
    Table,
    ThematicBreak,
    nest_items,
    own_runs,
    stripped,
    with_formatting,
)
from core.documents.types import NonProseSpan, Span, find_addresses
from core.documents.wikitext import CATEGORIES, FILES, NOT_PROSE, lay_out
from core.documents.wikitext_templates import is_citation, template_name

_NAME_ATTRIBUTE = re.compile(r"""name\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>/]+))""", re.IGNORECASE)
_ELEMENT = re.compile(r"<(\w+)([^<>]*)>(.*)</\1\s*>", re.DOTALL | re.IGNORECASE)
_REFERENCE = re.compile(r"<ref\b([^<>]*[^<>/]|)>(.*?)</ref\s*>", re.DOTALL | re.IGNORECASE)
_LANGUAGE = re.compile(r":?([a-z]{2,3}(?:-[a-z]{2,10})*|simple):(?=\S)")
_NOTE_TEMPLATES = {
    "efn",
    "efn-ua",
    "efn-lr",
    "efn-la",
    "efn-ur",
    "efn-lg",
    "efn-ug",
    "notetag",
    "note tag",
    "refn",
}
_LISTS_OF_NOTES = re.compile(r"reflist.*|notelist.*|refbegin|refend|references?")
_CELL = re.compile(r"\n[ \t:]*\|-[^\n]*|\n[ \t:]*\|\+|\n[ \t:]*[|!](?!\})|\|\||!!|\A\s*\{\|[^\n]*")
_CAPTION = re.compile(r"[^\n]*\n[ \t:]*\|\+")
_INLINE_QUOTE = re.compile(r"<q\b[^<>]*>\Z", re.IGNORECASE)
_MARKER = re.compile(r"[*#:;]+")
_NO_WORDS = re.compile(r"__[A-Z]+__|~{3,5}|\]{1,2}|\}{2,3}|\{{2,3}")
_PREFORMATTED = ("pre", "syntaxhighlight", "source")
_ARTICLES = "https://{language}.wikipedia.org/wiki/{title}"
_FIELDS = (
    "title",
    "chapter",
    "work",
    "website",
    "newspaper",
    "journal",
    "magazine",
    "publisher",
    "date",
    "year",
)


@dataclass(frozen=True, slots=True)
class _Line:
    """What was collected between two borders: a heading (``=``), an item of a list, or text."""

    marker: str
    runs: Runs
    is_quoted: bool


def read_wikitext(source: str) -> Content:
    r"""The content of a draft in wikitext whose lines end in ``\n``.

    Links to articles lead to the English Wikipedia, or to the one that their prefix names.
    """
    losses: Counter[Loss] = Counter()
    named: dict[str, str] = {}
    for found in _REFERENCE.finditer(source):
        if name := _name_of(found[1]):
            named.setdefault(name, found[2])
    return Content(tuple(_Reader(source, losses, named).read()), losses)


def _name_of(attributes: str) -> str:
    found = _NAME_ATTRIBUTE.search(attributes)
    return next(filter(None, found.groups()), "").strip() if found else ""


class _Reader:
    """Reads a draft, or the text of a footnote, once."""

    def __init__(
        self, text: str, losses: Counter[Loss], named: dict[str, str], *, in_note: bool = False
    ) -> None:
        self._text = text
        self._losses = losses
        self._named = named
        self._in_note = in_note
        self._formatting = Run("")
        self._runs: list[Run] = []
        self._marker = ""
        self._quoted = False
        self._quotes: list[Span] = []
        self._templates = 0
        self._table = 0
        self._rows: list[list[list[Run]]] | None = None
        self._found: list[_Line | Block] = []

    def read(self) -> Iterator[Block]:
        layout = lay_out(self._text)
        self._quotes = [one for one in layout.quotes if not _INLINE_QUOTE.search(self._text[: one[0]][-200:])]
        blocks = iter(layout.blocks)
        block: Span = next(blocks, (len(self._text) + 1, 0))
        at = 0
        end_of_note = 0
        for markup in [*layout.non_prose, NonProseSpan(len(self._text), len(self._text), False)]:
            if markup.start < end_of_note:
                at = max(at, markup.end)
                continue
            at = max(at, end_of_note)
            while block[0] <= markup.start and at <= markup.start:
                self._take_text(at, min(block[0], markup.start))
                at = max(at, block[0])
                self._start_line(block[0])
                block = next(blocks, (len(self._text) + 1, 0))
            self._take_text(at, markup.start)
            at = markup.end
            end_of_note = self._take_markup(markup)
        self._end_line()
        yield from self._grouped()

    # What is collected

    def _take_text(self, start: int, end: int) -> None:
        if start >= end:
            return
        if not any(run.text.strip() for run in self._runs) and not self._text[start:end].isspace():
            self._quoted = any(first <= start < last for first, last in self._quotes)
        self._add(self._text[start:end].replace("\n", " "))

    def _add(self, text: str, formatting: Run | None = None) -> None:
        self._add_run(replace(formatting or self._formatting, text=text))

    def _add_run(self, run: Run) -> None:
        if self._rows is not None and self._rows and self._rows[-1]:
            self._rows[-1][-1].append(run)
        else:
            self._runs.append(run)

    def _start_line(self, start: int) -> None:
        """A block begins: after the marker of its line it belongs to that, else it is a paragraph."""
        line = self._text.rfind("\n", 0, start) + 1
        marker = self._text[line:start].strip()
        if self._rows is not None:
            if self._rows and self._rows[-1] and self._rows[-1][-1]:
                self._add("\n")
        else:
            self._end_line()
        self._formatting = replace(self._formatting, bold=False, italic=False, link="")
        is_marker = _MARKER.fullmatch(marker) or re.fullmatch("={1,6}", marker)
        self._marker = marker if is_marker else ""

    def _end_line(self) -> None:
        runs = stripped(self._runs)
        self._runs = []
        if runs:
            self._found.append(_Line(self._marker, runs, self._quoted))
        self._marker, self._quoted = "", False

    def _put(self, block: Block) -> None:
        if self._rows is not None:
            for run in own_runs([block]):
                self._add_run(run)
            return
        self._end_line()
        self._found.append(block)

    def _grouped(self) -> Iterator[Block]:
        """The blocks, with the items of a list and the paragraphs of a quotation put together."""
        items: list[Item] = []
        quoted: list[Block] = []
        for one in [*self._found, None]:
            path = re.sub("[:;]", "", one.marker) if isinstance(one, _Line) else ""
            is_item = isinstance(one, _Line) and "=" not in one.marker and bool(path)
            if items and not is_item:
                yield from nest_items(items)
                items = []
            if quoted and not (isinstance(one, _Line) and one.is_quoted):
                yield Quote(tuple(quoted))
                quoted = []
            if one is None:
                return
            if not isinstance(one, _Line):
                yield one
            elif is_item:
                items.append(Item(path, one.runs))
            elif one.is_quoted:
                quoted.append(Paragraph(one.runs))
            elif one.marker.startswith("="):
                yield Heading(len(one.marker), one.runs)
            elif one.marker.startswith(";"):
                yield Paragraph(tuple(replace(run, bold=True) for run in one.runs))
            else:
                yield Paragraph(one.runs)

    # What a non-prose span stands for

    def _take_markup(self, markup: NonProseSpan) -> int:
        """Read a non-prose span. Returns where the text goes on if what it begins was read as a whole, else 0."""
        shown = self._text[markup.start : markup.end]
        bare = shown.strip()
        if not bare:
            self._add(" ")
        elif re.fullmatch("'{2,}", bare):
            self._turn(len(bare))
        elif bare.startswith("<"):
            return self._take_tag(markup, bare)
        elif self._separates(markup):
            self._take_in_table(markup)
        elif bare.startswith("{{"):
            return self._take_template(markup, bare)
        elif bare.startswith("[["):
            self._take_link(markup, bare)
        elif re.match(r"\[(?:\w+:|//)", bare):
            self._take_external(bare)
        elif bare.startswith("----"):
            self._put(ThematicBreak())
            if left := bare.lstrip("-").strip():
                self._add(left)
        elif re.match(r"&[#\w]+;", bare):
            self._add(unescape(bare))
        elif markup.end - markup.start > 1 and bare[0] == "|" and self._templates:
            self._close_templates(bare)
            self._add(" ")
        elif set(bare) <= set("]}|"):
            self._formatting = replace(self._formatting, link="")
            self._close_templates(bare)
        elif re.fullmatch("={1,6}", bare) or _MARKER.fullmatch(bare):
            if self._rows is None:
                self._end_line()
        elif _NO_WORDS.fullmatch(bare):
            self._losses[Loss.OTHER] += 1
        elif find_addresses(bare) and " " not in bare:
            scheme = "" if ":" in bare else "mailto:" if "@" in bare else "https://"
            self._add(bare, replace(self._formatting, link=self._formatting.link or f"{scheme}{bare}"))
        else:
            self._add(shown.replace("\n", " "))
        return 0

    def _turn(self, width: int) -> None:
        """Marks of emphasis: two turn italics, three bold, five both."""
        if width != 3:
            self._formatting = replace(self._formatting, italic=not self._formatting.italic)
        if width != 2:
            self._formatting = replace(self._formatting, bold=not self._formatting.bold)

    def _close_templates(self, shown: str) -> None:
        self._templates = max(0, self._templates + shown.count("{{") - shown.count("}}"))

    def _separates(self, markup: NonProseSpan) -> bool:
        """Whether markup begins or ends a table, or a cell of the one that is read."""
        shown = self._marks_of_cells(markup)
        if self._rows is None:
            return shown.lstrip().startswith("{|")
        return not self._templates and bool(_CELL.match(shown) or shown.strip().startswith("|}"))

    def _marks_of_cells(self, markup: NonProseSpan) -> str:
        """The text of markup, behind a line end if it begins its line."""
        line = self._text.rfind("\n", 0, markup.start) + 1
        begins = not self._text[line : markup.start].strip(" \t:")
        return "\n" * begins + self._text[markup.start : markup.end]

    def _take_in_table(self, markup: NonProseSpan) -> None:
        """Marks between the cells of a table. Its caption becomes a paragraph."""
        shown = self._marks_of_cells(markup)
        if self._rows is None:
            self._end_line()
            self._rows, self._table = [], markup.start
        in_caption = len(self._rows) == 2 and _CAPTION.match(self._text, self._table) is not None
        for sign in map(str.strip, _CELL.findall(shown)):
            if sign == "|+":
                self._rows.append([[]])
            elif sign.startswith(("{|", "|-")) or in_caption or not self._rows:
                self._rows.append([])
            in_caption = sign == "|+"
            if sign in ("|", "!", "||", "!!"):
                self._rows[-1].append([])
        if not shown.rstrip().endswith("|}"):
            return
        rows = [tuple(map(stripped, row)) for row in self._rows if row]
        self._rows = None
        if _CAPTION.match(self._text, self._table) and rows:
            self._put(Paragraph(rows.pop(0)[0]))
        if rows:
            self._put(Table(tuple(rows)))

    def _take_tag(self, markup: NonProseSpan, shown: str) -> int:
        is_comment = shown.startswith("<!--")
        name, opens = ("", True) if is_comment else tag_name(shown[: shown.find(">") + 1])
        element = _ELEMENT.fullmatch(shown)
        if name == "ref":
            return self._take_reference(markup, shown)
        if name in _PREFORMATTED and element:
            self._put(CodeBlock(unescape(element[3]).strip("\n")))
        elif name == "nowiki" and element:
            self._add(unescape(element[3]))
        elif name == "br":
            self._add("\n")
        elif name == "q":
            self._add("“" if opens else "”")
        elif name == "hr":
            self._put(ThematicBreak())
        elif name == "gallery" or (name == "" and "gallery" in shown):
            self._losses[Loss.IMAGE] += self._images_of(markup)
        elif name in ("math", "chem", "ce") and element:
            self._add(element[3], replace(self._formatting, code=True))
        elif name in FORMATTING_TAGS and element:
            inner = " ".join(text_of_html(element[3], self._losses))
            self._add(inner, with_formatting(self._formatting, FORMATTING_TAGS[name], True))
        elif name in FORMATTING_TAGS:
            self._formatting = with_formatting(self._formatting, FORMATTING_TAGS[name], opens)
        elif name == "references":
            pass
        elif name in NOT_PROSE and element:
            self._losses[Loss.OTHER] += 1
        else:
            count_tag(shown, self._losses)
        return 0

    def _images_of(self, markup: NonProseSpan) -> int:
        end = self._text.find("</gallery", markup.start)
        lines = self._text[markup.start : end if end >= 0 else markup.end].split("\n")[1:]
        return sum(bool(line.strip()) for line in lines)

    def _take_reference(self, markup: NonProseSpan, shown: str) -> int:
        """A footnote. Behind an opening tag alone the words follow; they are read with it."""
        if shown.startswith("</"):
            return 0
        tag = shown[: shown.index(">") + 1]
        name = _name_of(tag)
        if tag.endswith("/>"):
            self._note(self._named.get(name, ""))
            return 0
        end = self._text.find("</ref", markup.start)
        if end < 0:
            return 0
        inner = self._text[markup.start : end]
        self._note(inner[inner.index(">") + 1 :] or self._named.get(name, ""))
        return self._text.find(">", end) + 1

    def _note(self, source: str) -> None:
        """The mark of a footnote. Sources that a template names are written out; no footnote is in another."""
        source = source.strip()
        if not source or self._in_note:
            self._losses[Loss.OTHER] += bool(source)
            return
        blocks = tuple(_Reader(source, self._losses, self._named, in_note=True).read())
        if blocks:
            self._add_run(Run("", note=blocks))

    def _take_template(self, markup: NonProseSpan, shown: str) -> int:
        arguments = _arguments(shown[2:].removesuffix("}}"))
        name = template_name(arguments[0])
        if _LISTS_OF_NOTES.fullmatch(name):
            return 0
        is_whole = shown.count("{{") == shown.count("}}")
        if name in _NOTE_TEMPLATES:
            if not is_whole:
                return self._take_open_note(markup)
            self._note(
                "\n\n".join(one for one in arguments[1:] if not re.match(r"\s*(?:name|group)\s*=", one))
            )
            return 0
        if is_whole and is_citation(name) and (self._in_note or self._marker):
            self._cite(arguments[1:])
            return 0
        self._losses[Loss.TEMPLATE] += 1
        if not is_whole:
            self._close_templates(shown)
        return 0

    def _take_open_note(self, markup: NonProseSpan) -> int:
        depth = 0
        for found in re.finditer(r"\{\{|\}\}", self._text[markup.start :]):
            depth += 1 if found.group() == "{{" else -1
            if not depth:
                end = markup.start + found.end()
                self._take_template(markup, self._text[markup.start : end])
                return end
        return 0

    def _cite(self, arguments: list[str]) -> None:
        """The source that a citation names, as text: who, what, where, when, and the address."""
        pairs = (one.partition("=") for one in arguments if "=" in one)
        fields = {key.strip().lower(): value.strip() for key, _, value in pairs if value.strip()}
        last, first = (fields.get(key) or fields.get(f"{key}1", "") for key in ("last", "first"))
        author = fields.get("author") or ", ".join(filter(None, (last, first)))
        said = [author, *(fields.get(key, "") for key in _FIELDS)]
        inner = ". ".join(part.rstrip(".") for part in said if part)
        address = fields.get("url", "")
        blocks = _Reader(inner, self._losses, self._named, in_note=True).read()
        runs = [replace(run, link=run.link or address) for run in own_runs(blocks)]
        for run in runs or ([Run(address, link=address)] if address else []):
            self._add_run(run)

    def _take_link(self, markup: NonProseSpan, shown: str) -> None:
        inner = shown[2:]
        namespace = inner.partition(":")[0].strip().lower().replace(" ", "_") if ":" in inner else ""
        if namespace in FILES:
            self._losses[Loss.IMAGE] += 1
        elif namespace in CATEGORIES:
            self._losses[Loss.CATEGORY] += 1
        elif shown.endswith("]]"):
            self._losses[Loss.OTHER] += 1
        else:
            target = inner.rstrip("|").strip()
            if not target:
                end = self._text.find("]]", markup.end)
                target = self._text[markup.end : end].strip() if end >= 0 else ""
            self._formatting = replace(self._formatting, link=_address_of(target))

    def _take_external(self, shown: str) -> None:
        address, *labels = shown[1:].strip().removesuffix("]").split(maxsplit=1)
        link = address if ":" in address else f"https:{address}"
        if shown.endswith("]"):
            label = unescape(re.sub("'{2,}", "", labels[0])).strip() if labels else address
            self._add(label, replace(self._formatting, link=link))
        else:
            self._formatting = replace(self._formatting, link=link)


def _address_of(target: str) -> str:
    """The address of an article, or of a place in this one as ``#Place``; empty without a target."""
    if not target or target.startswith("#"):
        return ""
    found = _LANGUAGE.match(target)
    title = (target[found.end() :] if found else target).lstrip(":").strip().replace(" ", "_")
    return _ARTICLES.format(language=found[1] if found else "en", title=quote(title, safe="/:#(),'!*;@"))


def _arguments(inner: str) -> list[str]:
    """The name and the arguments of a template, cut at the pipes that are in no other template or link."""
    parts = [""]
    depth = 0
    for piece in re.split(r"(\{\{|\}\}|\[\[|\]\]|\|)", inner):
        depth += piece in ("{{", "[[")
        depth -= piece in ("}}", "]]")
        if piece == "|" and depth <= 0:
            parts.append("")
        else:
            parts[-1] += piece
    return parts
