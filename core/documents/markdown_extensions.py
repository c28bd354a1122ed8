"""What dialects of Markdown add that is not prose: formulas, templates, attributes, edits of CriticMarkup, imports.

Pandoc, Quarto, R Markdown, Jekyll, Hugo, kramdown, MDX and CriticMarkup. Every pattern stops at its next opening
sign, so that markup that is never closed takes no longer to pass over than other text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock

_FIELD = r"""(?: [#.][\w:.-]++ | [\w:-]++=(?:"[^"\n]*+"|'[^'\n]*+'|[^\s"'{}]++) | [=-][\w-]*+ )"""
_PATTERNS = rf"""
    (?P<deletion> \{{--(?:(?!\{{--|--\}}).)*+--\}} | \{{~~(?:(?!\{{~~|~~\}}|~>).)*+~> )
  | (?P<comment> \{{>>(?:(?!\{{>>|<<\}}).)*+<<\}} )
  | (?P<sign> \{{\+\+ | \+\+\}} | \{{== | ==\}} | ~~\}} )
  | (?P<formula> \$\$(?:[^$\\]|\\.)++\$\$
      | (?<![\\$\w])\$(?![\s$])(?:[^$\\]|\\.)++(?<!\s)\$(?![$\w])
      | \\\((?:[^\\]|\\(?![()]).)*+\\\) | \\\[(?:[^\\]|\\(?![\[\]]).)*+\\\]
      | \\begin\{{(?P<name>\w++\*?+)\}}(?:(?!\\begin|\\end).)*+\\end\{{(?P=name)\}} )
  | (?P<template> \{{\{{(?:[^{{}}]|\{{(?!\{{)|\}}(?!\}}))*+\}}\}}
      | \{{%(?:(?!\{{%|%\}}).)*+%\}} | \{{\#(?:(?!\{{\#|\#\}}).)*+\#\}} | \{{/\*(?:(?!/\*|\*/).)*+\*/\s*+\}}
      | \{{[a-zA-Z_$][\w$.]*+(?:\([^(){{}}\n]*+\))?+\}} )
  | (?P<attributes> \{{:?[ ]*+{_FIELD}(?:\s++{_FIELD})*+\s*+\}} )
  | (?P<citation> \[-?@[^\[\]\n]++\] )
"""
EXTENSION = re.compile(_PATTERNS, re.VERBOSE | re.DOTALL)
"""Markup inside a paragraph. All of it is left out; a ``sign`` stands before or after words that count."""

_FORMULA_SIGNS = re.compile(r"[\\^_={}<>+*/|]|^\W*\w{1,3}\W*$")
_LINES = re.compile(
    r"""
    ^[ ]{0,3}:{3,}[^\n]*+$
  | ^import[ ](?:[^\n'"]{1,300}?[ ]from[ ])?+(?:'[^'\n]++'|"[^"\n]++");?+[ \t]*+$
  | ^export[ ](?:default|const|let|var|function|class|async)[ ][^\n]*+$
    """,
    re.VERBOSE | re.MULTILINE,
)
LINE_SIGNS = (":::", "import ", "export ")
"""What a line of its own begins with that is no prose."""


def match_extension(text: str, position: int) -> re.Match[str] | None:
    """The markup of a dialect at a position of an inline text, if there is some. A price is no formula."""
    found = EXTENSION.match(text, position)
    if found is None or found["formula"] is None or found.group().startswith(("$$", r"\begin")):
        return found
    inside = found.group()[1:-1] if found.group()[0] == "$" else found.group()[2:-2]
    wordy = found.group()[0] == "\\" or inside[0].isdigit()
    return None if wordy and not _FORMULA_SIGNS.search(inside) else found


def find_container_and_import_lines(text: str) -> Iterator[re.Match[str]]:
    """The lines that begin or end a container of Pandoc, and the imports and exports of MDX."""
    return _LINES.finditer(text)


def add_formula_blocks(parser: MarkdownIt) -> MarkdownIt:
    """A parser of blocks that knows formulas between lines with ``$$``, blank lines in them included."""
    parser.block.ruler.before(
        "fence", "formula", _formula_block, {"alt": ["paragraph", "reference", "blockquote", "list"]}
    )
    return parser


def _formula_block(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    first = _line(state, start)
    if state.is_code_block(start) or not first.startswith("$$") or "$$" in first[2:]:
        return False
    for number in range(start + 1, end):
        line = _line(state, number)
        if line and state.sCount[number] < state.blkIndent:
            return False
        if "$$" in line:
            if not line.endswith("$$"):
                return False
            if not silent:
                state.line = number + 1
                state.push("formula", "", 0).map = [start, state.line]
            return True
    return False


def _line(state: StateBlock, number: int) -> str:
    return state.src[state.bMarks[number] + state.tShift[number] : state.eMarks[number]].rstrip()
