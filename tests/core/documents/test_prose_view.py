"""Protects the counts of words: they are of prose, so markup, templates, code and front matter add none."""

from __future__ import annotations

import pytest

from core.documents import Format, parse
from core.documents.prose_view import count_words


@pytest.mark.parametrize(
    ("form", "source", "count"),
    [
        (Format.PLAIN, "The law is new.\n\nHe said so.", 7),
        (Format.MARKDOWN, "---\nauthor: Ann Lee of Paris\n---\n\n# The **law**\n\nIt `is so` new.\n", 4),
        (Format.MARKDOWN, "```\nthree code words\n```\n\n- [Two words](https://a.b/c)\n", 2),
        (
            Format.WIKITEXT,
            "{{Infobox|name=Ann Lee}}\n'''The''' [[law|new law]].<ref>A book of hers.</ref>",
            3,
        ),
        (Format.WIKITEXT, "Two words.\n\n== References ==\n* [http://a.b A book]\n[[Category:Old laws]]", 2),
        (Format.WIKITEXT, "{{Only|a template}}", 0),
    ],
)
def test_the_words_of_prose_are_counted(form: Format, source: str, count: int) -> None:
    assert count_words(parse(source, form)) == count
