"""The formats that can be read, each declared once.

To add a format, add a member to ``Format``, a spec to `FORMATS`, and the modules that its spec names. Opening, parsing,
the command line, file dialogs, menus, reports and installers follow from the spec.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import PurePath
from pkgutil import resolve_name
from typing import Any

from core.documents.types import Format, FormatParser
from core.i18n import tr

ZIP_SIGNATURE = b"PK\x03\x04"
_ODT_TYPE = b"application/vnd.oasis.opendocument.text"
_HTML_START = re.compile(
    rb"(?:\xef\xbb\xbf)?\s*(?:<\?xml[^>]{0,400}>\s*)?(?:<!--[^>]{0,400}-->\s*)?<(?:!doctype\s+html|html[\s>])",
    re.IGNORECASE,
)
_WIKITEXT_MARKUP = re.compile(
    r"\[\[[^\[\]\n]{1,200}\]\]|\{\{\s?[^\W\d_][^{}\[\]]{0,200}[|}]|<ref(?:\s[^<>\n]{1,200})?/?>|^'''[^'\n]{1,200}'''",
    re.IGNORECASE | re.MULTILINE,
)

_TEXT, _WEB_PAGES, _WORD_PROCESSOR = tr("Text"), tr("Web pages"), tr("Word processor")
"""Groups of formats, as the file dialogs name them."""


@dataclass(frozen=True, slots=True)
class FormatSpec:
    """Everything that is particular to one format.

    ``name`` and ``group`` are shown to people. The first of ``suffixes`` is given to new files, the first of
    ``media_types`` stands in reports; ``apple_type`` is the uniform type identifier on macOS, empty if there is none.

    ``parser_path`` and ``container_path`` name objects as ``module:name``, imported when they are first needed: a
    `FormatParser`, and for a container (a file that is more than its text) a function of its bytes and its name that
    returns a ``core.formats.types.Container``; empty for files that are text. ``highlighter_path`` names a
    `core.highlighting.types.LineHighlighter`, ``folding_path`` a `core.highlighting.types.FoldFinder` of whole lines,
    and ``inline_folding_path`` one of parts inside lines; they are empty where the text has no markup to show.

    ``signature``: the bytes that every such file begins with; ``matches``: whether bytes are such a file, whatever its
    name says. ``markup`` finds what only this format has in a text. ``has_comments``: comments of the form
    ``<!-- evenhand off -->`` are followed. ``self_link`` finds links whose words are their target, too.
    """

    format: Format
    name: str
    group: str
    suffixes: tuple[str, ...]
    media_types: tuple[str, ...]
    parser_path: str
    apple_type: str = ""
    container_path: str = ""
    highlighter_path: str = ""
    folding_path: str = ""
    inline_folding_path: str = ""
    signature: bytes = b""
    matches: Callable[[bytes], bool] = lambda _: False
    markup: re.Pattern[str] | None = None
    has_comments: bool = False
    self_link: re.Pattern[str] | None = None

    @property
    def parser(self) -> FormatParser:
        """The parser of the text."""
        parser: FormatParser = _imported(self.parser_path)
        return parser

    @property
    def highlighter(self) -> Any:
        """The `core.highlighting.types.LineHighlighter` of its markup; None if it has none."""
        return _imported(self.highlighter_path) if self.highlighter_path else None

    @property
    def find_folds(self) -> Any:
        """The `core.highlighting.types.FoldFinder` of its markup; None if it has none."""
        return _imported(self.folding_path) if self.folding_path else None

    @property
    def find_inline_folds(self) -> Any:
        """The `core.highlighting.types.FoldFinder` of its references and templates in lines; None if it has none."""
        return _imported(self.inline_folding_path) if self.inline_folding_path else None

    @property
    def extracts_text(self) -> bool:
        """Whether the text is taken out of the file. Offsets then count in that text."""
        return bool(self.container_path)

    def open_container(self, data: bytes, *, name: str) -> Any:
        """The ``core.formats.types.Container`` of a file; raises ContainerError, and ValueError for a text format."""
        if not self.extracts_text:
            raise ValueError(f"{self.format} is not a container")
        return _imported(self.container_path)(data, name=name)


@cache
def _imported(path: str) -> Any:
    return resolve_name(path)


def _is_docx(data: bytes) -> bool:
    return data.startswith(ZIP_SIGNATURE) and b"[Content_Types].xml" in data and b"word/" in data


def _is_odt(data: bytes) -> bool:
    return data.startswith(ZIP_SIGNATURE) and data[30:].startswith(b"mimetype" + _ODT_TYPE)


def _is_html(data: bytes) -> bool:
    return _HTML_START.match(data) is not None


_SPECS = (
    FormatSpec(
        Format.PLAIN,
        name=tr("Plain text"),
        group=_TEXT,
        suffixes=(".txt", ".text"),
        media_types=("text/plain",),
        apple_type="public.plain-text",
        parser_path="core.documents.plain_text:PARSER",
    ),
    FormatSpec(
        Format.MARKDOWN,
        name=tr("Markdown"),
        group=_TEXT,
        suffixes=(".md", ".markdown", ".mdown", ".mkd", ".mdx", ".qmd", ".rmd"),
        media_types=("text/markdown",),
        apple_type="net.daringfireball.markdown",
        parser_path="core.documents.markdown:PARSER",
        highlighter_path="core.highlighting.markdown:highlight_line",
        folding_path="core.highlighting.folds:find_markdown_folds",
        has_comments=True,
        self_link=re.compile(r"\[[^\[\]\n]*+\](?:\[\]|(?!\(|\[))"),
    ),
    FormatSpec(
        Format.WIKITEXT,
        name=tr("Wikitext"),
        group=_TEXT,
        suffixes=(".wikitext", ".wiki", ".mediawiki"),
        media_types=("text/x-wiki",),
        parser_path="core.documents.wikitext:PARSER",
        highlighter_path="core.highlighting.wikitext:highlight_line",
        folding_path="core.highlighting.folds:find_wikitext_folds",
        inline_folding_path="core.highlighting.folds:find_wikitext_inline_folds",
        markup=_WIKITEXT_MARKUP,
        has_comments=True,
        self_link=re.compile(r"\[\[[^\[\]|\n]*+\]\]"),
    ),
    FormatSpec(
        Format.HTML,
        name=tr("Web page"),
        group=_WEB_PAGES,
        suffixes=(".html", ".htm", ".xhtml"),
        media_types=("text/html", "application/xhtml+xml"),
        apple_type="public.html",
        parser_path="core.documents.plain_text:LINE_PARSER",
        container_path="core.formats.html:open_html",
        matches=_is_html,
        has_comments=True,
    ),
    FormatSpec(
        Format.DOCX,
        name=tr("Word document"),
        group=_WORD_PROCESSOR,
        suffixes=(".docx",),
        media_types=("application/vnd.openxmlformats-officedocument.wordprocessingml.document",),
        apple_type="org.openxmlformats.wordprocessingml.document",
        parser_path="core.documents.plain_text:LINE_PARSER",
        container_path="core.formats.docx:open_docx",
        signature=ZIP_SIGNATURE,
        matches=_is_docx,
    ),
    FormatSpec(
        Format.ODT,
        name=tr("OpenDocument text"),
        group=_WORD_PROCESSOR,
        suffixes=(".odt",),
        media_types=(_ODT_TYPE.decode("ascii"),),
        apple_type="org.oasis-open.opendocument.text",
        parser_path="core.documents.plain_text:LINE_PARSER",
        container_path="core.formats.odt:open_odt",
        signature=ZIP_SIGNATURE,
        matches=_is_odt,
    ),
)

FORMATS: dict[Format, FormatSpec] = {spec.format: spec for spec in _SPECS}
"""The spec of each format, in the order in which people are shown them."""


def extracts_text(format: Format) -> bool:
    """Whether files of a format are more than their text (docx, odt, html). Offsets count in the extracted text."""
    return FORMATS[format].extracts_text


def comment_formats() -> str:
    """The formats in which comments say what is not checked, for a sentence: ``a, b and c``."""
    return _listed([spec.format for spec in FORMATS.values() if spec.has_comments])


def container_formats() -> str:
    """The formats whose text is extracted from the file, for a sentence."""
    return _listed([spec.format for spec in FORMATS.values() if spec.extracts_text])


def _listed(formats: list[Format]) -> str:
    return f"{', '.join(formats[:-1])} and {formats[-1]}"


def format_of_suffix(name: str) -> Format | None:
    """The format that a file's name says it has, or None."""
    suffix = PurePath(name).suffix.lower()
    return next((spec.format for spec in FORMATS.values() if suffix in spec.suffixes), None)


def detect_format(name: str, source: str) -> Format:
    """The format by the suffix of a file name, else by markup that only one format has, else plain text.

    A name that says plain text decides nothing: wikitext is often kept in a .txt.
    """
    by_name = format_of_suffix(name)
    if by_name not in (None, Format.PLAIN):
        return by_name or Format.PLAIN
    marked = (spec.format for spec in FORMATS.values() if spec.markup and spec.markup.search(source))
    return next(marked, Format.PLAIN)


def suffix_groups() -> Iterator[tuple[str, tuple[str, ...]]]:
    """(name of the group, suffixes of its formats), in the order of `FORMATS`."""
    groups: dict[str, tuple[str, ...]] = {}
    for spec in FORMATS.values():
        groups[spec.group] = groups.get(spec.group, ()) + spec.suffixes
    yield from groups.items()
