"""Protects who opens a damaged or hostile file: it opens or is refused in one sentence, within ten seconds of work
and in bounded memory. What opens is read, explained, reworded and saved.

A sample of each format runs with the other tests; ``EVENHAND_MUTATIONS=10000 pytest -m slow`` on this file runs the
number that the project asks for. Each file is opened in a process of its own pool with a limit to its memory.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from contextlib import suppress
from pathlib import Path

import pytest

from core.documents.types import Format
from core.formats.loader import OpenedDocument, open_document, read_opened
from core.formats.types import ContainerError
from core.storage.files import FileError
from core.text.diff import apply_edits
from tests.core.formats.builders import ODT_RICH, RICH, docx, odt
from tests.reliability.mutations import mutated
from tests.reliability.tiny_models import Models

SAMPLE = 60
MANY = int(os.environ.get("EVENHAND_MUTATIONS", "2000"))
LIMIT_S = 10
MEMORY = 2_000_000_000

_WORDS = "The chairman reveals a *shameful* record, “he said”. 🙂\n\n"
ORIGINALS = {
    Format.DOCX: docx(RICH),
    Format.ODT: odt(ODT_RICH),
    Format.HTML: (
        b"<!doctype html><html><head><title>T</title><style>p {}</style></head><body><h1>The record</h1><p>The "
        b"<b>shameful</b> &amp; record<br>reveals <a href='x'>it</a>.<!-- evenhand off --><ul><li>one<li>two</ul>"
        b"<table><tr><td>cell</td></tr></table><script>a</script><pre>x  y</pre><!-- evenhand on -->"
        b"<blockquote>q</blockquote></body></html>"
    ),
    Format.MARKDOWN: (
        f"# Head\n\n{_WORDS}- a `b` [c](d) ![e](f)\n\n> quote\n\n```\ncode\n```\n\n"
        "| a | b |\n|---|---|\n| 1 | 2 |\n\n<!-- x -->\n"
    ).encode(),
    Format.WIKITEXT: (
        f"== Head ==\n{_WORDS}{{{{Infobox|a=b|c={{{{d}}}}}}}} [[Link|text]] '''bold''' <ref name=x>r</ref>\n"
        "{|\n! a\n|-\n| b\n|}\n* one\n# two\n<nowiki>''</nowiki> https://example.org <!-- x -->\n"
    ).encode(),
    Format.PLAIN: (_WORDS * 4 + "- one\n- two\n\nhttps://example.org/a_b\n").encode(),
}
NAMES = {
    Format.DOCX: "a.docx",
    Format.ODT: "a.odt",
    Format.HTML: "a.html",
    Format.MARKDOWN: "a.md",
    Format.WIKITEXT: "a.wikitext",
    Format.PLAIN: "a.txt",
}
FORMATS = pytest.mark.parametrize("kind", list(NAMES), ids=str)


LEAST_OPENED = {Format.DOCX: 0.5, Format.ODT: 0.5}
"""The share of the mutated files that must open, so that what reads them is tried; 0.75 for the formats of text."""

OPENED = "opened"
_models: Models


class TooLongError(BaseException):
    """A file took more than its time; no handler for other errors may catch this."""


def _start(reader: Path, rewriter: Path) -> None:
    """In the worker: the models, little memory, and a clock that interrupts."""
    global _models
    _models = Models.load(reader, rewriter)
    if sys.platform != "win32":
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        signal.signal(signal.SIGPROF, _too_long)


def _too_long(*_what: object) -> None:
    raise TooLongError


def _count_down(seconds: float) -> None:
    """Interrupt after so many seconds of work (not of waiting for other processes); 0 stops the clock."""
    if sys.platform != "win32":
        signal.setitimer(signal.ITIMER_PROF, seconds)


def _carry(opened: OpenedDocument) -> None:
    """Read an opened file, explain and reword its first findings, save it with a suggestion and with a word more."""
    document = read_opened(opened)
    report = _models.fresh().analyse(document, include_quotes=True)
    texts = [f"{opened.text} more"]
    for finding in report.findings[:3]:
        for cue in finding.why:
            _models.engine.lexicon.explain(cue)
        if opened.container is not None and opened.container.source is not None:
            opened.container.source_span(finding.start, finding.end)
        for suggestion in _models.suggester.suggest(document, finding).items[:1]:
            texts.append(apply_edits(opened.text, suggestion.edits))
    if opened.container is not None and opened.editable:
        for text in texts:
            with suppress(ContainerError):
                opened.container.save(text)


def _opened(kind: Format, seed: int) -> str:
    """In the worker: open a mutated file and carry it through. Says that it opened, what went wrong, or nothing."""
    data = mutated(ORIGINALS[kind], seed)
    begin = time.process_time()
    _count_down(LIMIT_S)
    try:
        opened = open_document(data, name=NAMES[kind])
        _carry(opened)
    except FileError as error:
        said = str(error)
        return "" if said and "\n" not in said and len(said) < 400 else f"unclear: {said[:400]!r}"
    except (Exception, TooLongError) as error:
        return f"{type(error).__name__}: {error}"[:400]
    finally:
        _count_down(0)
    return OPENED if time.process_time() - begin <= LIMIT_S else "took too long"


def _check(kind: Format, seeds: range, models: tuple[Path, Path]) -> None:
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(2, mp_context=context, initializer=_start, initargs=models) as pool:
        said = list(pool.map(_opened, [kind] * len(seeds), seeds, chunksize=10))
    wrong = [
        f"seed {seed}: {what}" for seed, what in zip(seeds, said, strict=True) if what not in ("", OPENED)
    ]
    assert not wrong, "\n".join(wrong[:20])
    share = said.count(OPENED) / len(said)
    print(f"{kind}: {share:.0%} of {len(said)} mutated files open")
    assert share >= LEAST_OPENED.get(kind, 0.75)


@pytest.fixture
def models(tiny_bundle: Path, tiny_rewriter: Path) -> tuple[Path, Path]:
    """The folders of a reader and a rewriter."""
    return tiny_bundle, tiny_rewriter


@FORMATS
def test_a_sample_of_mutated_files_opens_or_is_refused(kind: Format, models: tuple[Path, Path]) -> None:
    _check(kind, range(SAMPLE), models)


@pytest.mark.slow
@FORMATS
def test_many_mutated_files_open_or_are_refused(kind: Format, models: tuple[Path, Path]) -> None:
    _check(kind, range(SAMPLE, SAMPLE + MANY), models)


@FORMATS
def test_the_files_that_are_mutated_are_themselves_whole(kind: Format) -> None:
    opened = open_document(ORIGINALS[kind], name=NAMES[kind])
    assert opened.format is kind
    assert opened.editable
    assert mutated(ORIGINALS[kind], 5) == mutated(ORIGINALS[kind], 5)
