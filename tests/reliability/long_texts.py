"""Texts that are one long run of something, and the functions that read a draft's text, for tests of how they scale."""

from __future__ import annotations

import html
from collections.abc import Callable

from app.analysis.suggestions import diff_chunks
from app.editor.positions import edits_between, has_right_to_left
from app.editor.text_search import Search
from app.review.findings_list import sentence_context
from app.review.ignored_dialog import find_words
from app.widgets.labels import add_break_points, to_single_line
from core.cli.output import RENDERERS, OutputContext, render_as_text
from core.documents import Document, Format, parse
from core.documents.format_specs import FORMATS
from core.documents.incremental import IncrementalParser
from core.documents.plain_text import clean_pasted_text
from core.engine.political_leaning import leaning_windows, mask_publisher, split_parts
from core.formats.loader import open_document, read_opened
from core.network.wikipedia import WikipediaError, parse_article_ref
from core.reports.types import CheckedFile
from core.rewriting import guards
from core.rewriting.edits import make_passage, replace_words
from core.rewriting.lines import rewrite_lines
from core.stereotypes.generalisation import Generaliser
from core.stereotypes.term_dependence import find_term_dependent
from core.stereotypes.word_effects import word_effects
from core.text import english
from core.text.diff import compare_texts, find_edits
from core.text.tokens import last_word, split_chunks, tokenizer_safe
from tests.core.formats.builders import docx, odt, paragraph, run
from tests.reliability.tiny_models import Models

RUNS = {
    "letters": "a",
    "capitals": "A",
    "digits": "1",
    "underscores": "_",
    "blanks": " ",
    "tabs": "\t",
    "no-break spaces": "\u00a0",
    "lines": "\n",
    "line ends of two signs": "\r\n",
    "combining marks": "\u0301",
    "letters with marks": "e\u0301",
    "joiners": "\u200d",
    "soft hyphens": "a\u00ad",
    "zero-width spaces": "a\u200b",
    "letters without case": "漢",
    "from right to left": "א",
    "emoji": "😀",
    "ligatures": "\ufb01",
    "full stops": ".",
    "commas": ",",
    "initials": "A.",
    "sentences": "a. ",
    "question marks": "?! ",
    "hyphens": "-",
    "hyphenated": "a-",
    "dashes": "— ",
    "apostrophes": "'",
    "words with apostrophes": "A’",
    "negations": "n't ",
    "straight quotes": '"',
    "opened quotes": "“a ",
    "closed quotes": '"a" ',
    "quoted paragraphs": "“a\n\n",
    "round brackets": "(",
    "closed brackets": ")",
    "square brackets": "[",
    "closed square brackets": "]",
    "double brackets": "[[",
    "links": "[[a|b]]",
    "links of Markdown": "[a](b)",
    "open links of Markdown": "[a](b",
    "pictures": "![a",
    "footnotes": "[^a]: b\n",
    "references": "[a]: b\n",
    "braces": "{{",
    "open templates": "{{a|",
    "closed braces": "}}",
    "tables": "{|\n",
    "rows": "| a ",
    "stars": "*",
    "emphasis": "*a ",
    "underlined": "_a ",
    "struck out": "~~a ",
    "backticks": "`",
    "code": "`a ",
    "fences": "```\n",
    "rules": "---\n",
    "headings": "= a =\n",
    "underlined headings": "a\n=\n",
    "list items": "- a\n",
    "nested quotations": "> ",
    "tags": "<a ",
    "elements": "<b>",
    "closed elements": "</b>",
    "comments": "<!-- ",
    "markers": "<!-- evenhand off -->",
    "entities": "&amp;",
    "half entities": "&#",
    "backslashes": "\\",
    "dollars": "$",
    "addresses": "http://",
    "an address and brackets": "http://a)",
    "names of hosts": "www.",
    "mail addresses": "a@",
    "marked words": "shameful ",
    "identity terms": "women and ",
    "first words of cues": "so ",
}
CORE_RUNS = (
    "letters",
    "digits",
    "blanks",
    "letters with marks",
    "hyphenated",
    "round brackets",
    "square brackets",
    "opened quotes",
    "closed quotes",
    "emphasis",
    "an address and brackets",
    "marked words",
)
"""Those that every run of the tests tries."""


def long_texts(unit: str, length: int) -> list[str]:
    """Texts with a run of about ``length`` characters between, beside and inside words that are marked."""
    run = (unit * (length // len(unit) + 1))[:length]
    return [
        f"The shameful {run} law. The record said that the new policy of people was not new.",
        f"The people said a {run}shameful{run} law.",
        f"The chairman said:{run}\nof the shameful law, this new record.",
    ]


Reads = Callable[[str, Models], object]


def _parses(format: Format) -> Reads:
    return lambda text, _: parse(text, format)


def _types(format: Format) -> Reads:
    def typed(text: str, _: Models) -> None:
        parser = IncrementalParser()
        for draft in (text, f"{text} more", f"One {text} more"):
            parser.parse(draft, format)

    return typed


def _clean(text: str) -> str:
    return html.escape("".join(sign for sign in text if sign in "\n\t" or sign >= " "), quote=False)


def _page(text: str) -> bytes:
    return f"<!doctype html><html><body><p>{text}</p></body></html>".encode("utf-8", "replace")


MAKERS: dict[str, Callable[[str], bytes]] = {
    "a.html": _page,
    "b.html": lambda text: _page(_clean(text)),
    "a.docx": lambda text: docx(paragraph(run(_clean(text)))),
    "a.odt": lambda text: odt(f"<text:p>{_clean(text)}</text:p>"),
}


def _opens(name: str) -> Reads:
    def opened(text: str, _: Models) -> None:
        found = open_document(MAKERS[name](text), name=name)
        read_opened(found)
        if found.container is not None and found.editable:
            found.container.save(f"{found.text} more")
            found.container.save(found.text.replace("shameful", "new"))

    return opened


def _document(text: str) -> Document:
    return parse(text, Format.PLAIN)


def _analyses(text: str, models: Models) -> None:
    models.fresh().analyse(_document(text), include_quotes=True)


def _explains(text: str, models: Models) -> None:
    lexicon, at = models.engine.lexicon, text.find("shameful")
    lexicon.match(text)
    lexicon.kind_of(text)
    lexicon.cues(text, at, at + 8)
    lexicon.cues(text, 0, len(text))


def _suggests(text: str, models: Models) -> None:
    document = _document(text)
    report = models.fresh().analyse(document, include_quotes=True)
    for finding in report.findings[:2]:
        models.suggester.suggest(document, finding)


def _rewrites(text: str, models: Models) -> None:
    models.fresh()
    list(rewrite_lines(models.suggester, text))


def _guards(text: str, _: Models) -> None:
    guards.reason_to_skip(text)
    guards.count_numbers(text)
    guards.count_negations(text)
    document = _document(text)
    for sentence in document.sentences[:2]:
        passage = make_passage(document, sentence)
        at = passage.text.find("shameful")
        for words in ("new", "", "an old"):
            if at >= 0 and (changes := replace_words(passage, at, at + 8, words)):
                guards.find_refusal(passage, changes, ordinary=str.islower)


def _depends(text: str, models: Models) -> None:
    engine, document = models.fresh(), _document(text)
    findings = engine.analyse(document, include_quotes=True).findings
    find_term_dependent(engine.reader, document, findings, lexicon=engine.lexicon)


def _generalises(text: str, models: Models) -> None:
    word_effects(models.fresh().reader, _document(text), include_quotes=True)


def _generaliser(text: str, _: Models) -> None:
    generaliser = Generaliser.load()
    generaliser.places(text)
    generaliser.generalise("women", text, text)
    generaliser.term_at("black", text, text)


def _masks(text: str, _: Models) -> None:
    leaning_windows([split_parts(mask_publisher(text))])


def _spells(text: str, _: Models) -> None:
    english.indefinite_article(text)
    english.is_headline(text)
    english.has_capitals(text)
    english.is_all_capitals(text)
    english.is_sentence_start(text, len(text) // 2)
    english.match_case(text, text, text=text, start=0)
    english.without_case_and_accents(text)


def _cuts(text: str, _: Models) -> None:
    tokenizer_safe(text)
    list(split_chunks(text))
    last_word(text)
    last_word(text, len(text) // 2)


def _compares(text: str, _: Models) -> None:
    other = f"{text.replace('shameful', 'new')} more"
    compare_texts(text, other)
    find_edits(text, other)
    edits_between(text, other)


def _reports(text: str, models: Models) -> None:
    opened = open_document(text.encode("utf-8", "replace"), name="a.txt")
    document = read_opened(opened)
    report = models.fresh().analyse(document, include_quotes=True)
    checked = CheckedFile(report, opened, {})
    for render in RENDERERS.values():
        render([checked], OutputContext(models.engine, True, 1, leaning=True))
    render_as_text(checked, models.engine, leaning=True)


def _shows(text: str, models: Models) -> None:
    report = models.fresh().analyse(_document(text), include_quotes=True)
    for finding in report.findings[:3]:
        sentence_context(finding, text, None)
    add_break_points(text)
    to_single_line(text)
    has_right_to_left(text)
    find_words(text, "shameful law")
    Search("shameful").spans(text)
    list(Search(r"(\w+)*shameful", whole_words=True, expression=True).edits(text, r"\1"))
    diff_chunks(text, find_edits(text, text.replace("shameful", "new")))


def _names(text: str, _: Models) -> None:
    for asked in (text, f"https://en.wikipedia.org/wiki/{text}", f"en:{text}"):
        try:
            parse_article_ref(asked)
        except WikipediaError:
            continue


READS: dict[str, Reads] = {
    **{f"parse {name}": _parses(name) for name in (Format.PLAIN, Format.MARKDOWN, Format.WIKITEXT)},
    **{f"type {name}": _types(name) for name in (Format.PLAIN, Format.MARKDOWN, Format.WIKITEXT)},
    **{f"open {name}": _opens(name) for name in MAKERS},
    "paste": lambda text, _: clean_pasted_text(text),
    "analyse": _analyses,
    "explain": _explains,
    "suggest": _suggests,
    "rewrite": _rewrites,
    "guards": _guards,
    "depend on terms": _depends,
    "effects of words": _generalises,
    "generaliser": _generaliser,
    "publisher": _masks,
    "spelling": _spells,
    "cut": _cuts,
    "compare": _compares,
    "reports": _reports,
    "show": _shows,
    "article": _names,
}
assert {spec.format for spec in FORMATS.values()} == set(Format)
