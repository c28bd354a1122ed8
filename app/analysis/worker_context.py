"""The state of the analysis thread: its loaded models, its parser, and which findings are term-dependent."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from core.bundles.reader import SensitivityCurve
from core.documents.types import Document, Format
from core.types import Finding, Report, Suggestions

if TYPE_CHECKING:
    from pathlib import Path

    from core.documents.incremental import IncrementalParser
    from core.engine import reader as sentence_reader
    from core.engine.cues import Lexicon
    from core.style.library import DraftStyle, StyleLibrary

_MAX_ENTRIES = 20_000
_Key = tuple[str, int, str, float | None]
"""Sentence, offset of the finding in it, fingerprint, and the threshold of the analysis."""


@dataclass(frozen=True, slots=True)
class StyleChoices:
    """What the person has chosen: packs that are on or off, by id, and the keys of the rules that are off.

    ``draft_packs`` are chosen for one draft alone.
    """

    packs: tuple[tuple[str, bool], ...] = ()
    rules_off: tuple[str, ...] = ()
    draft_packs: tuple[tuple[str, bool], ...] = ()


class Reader(Protocol):
    """The part of ``core.engine.engine.Engine`` that the window uses."""

    @property
    def name(self) -> str: ...

    @property
    def sensitivity(self) -> SensitivityCurve | None: ...

    @property
    def reader(self) -> sentence_reader.Reader: ...

    @property
    def lexicon(self) -> Lexicon: ...

    def analyse(
        self,
        document: Document,
        *,
        path: str,
        include_quotes: bool,
        threshold: float | None,
        cancelled: Callable[[], bool],
        on_progress: Callable[[float], None] = ...,
    ) -> Report: ...


class Rewriter(Protocol):
    """The part of ``core.rewriting.suggester.Suggester`` that the window uses."""

    def suggest(
        self, document: Document, finding: Finding, *, n: int = 3, cancelled: Callable[[], bool] | None = None
    ) -> Suggestions: ...

    def reword(
        self,
        document: Document,
        finding: Finding,
        *,
        findings: Collection[Finding] | None = None,
        cancelled: Callable[[], bool] | None = None,
    ) -> Suggestions: ...


class TermDependenceCache:
    """Remembers for each sentence which of its findings disappear once their term is generalised."""

    def __init__(self) -> None:
        self._known: dict[_Key, bool] = {}

    def select(
        self,
        engine: Reader,
        document: Document,
        findings: Sequence[Finding],
        *,
        threshold: float | None,
        cancelled: Callable[[], bool],
    ) -> frozenset[Finding]:
        """The term-dependent ones of ``findings``. Raises what ``find_term_dependent`` of ``core`` raises."""
        if len(self._known) > _MAX_ENTRIES:
            self._known = {}
        known = self._known
        keys = [_key(document, finding, threshold) for finding in findings]
        missing = {key: finding for key, finding in zip(keys, findings, strict=True) if key not in known}
        if missing:
            from core.stereotypes.term_dependence import find_term_dependent

            answers = find_term_dependent(
                engine.reader,
                document,
                list(missing.values()),
                threshold=threshold,
                lexicon=engine.lexicon,
                cancelled=cancelled,
            )
            known.update(zip(missing, answers, strict=True))
        return frozenset(finding for key, finding in zip(keys, findings, strict=True) if known[key])


def _key(document: Document, finding: Finding, threshold: float | None) -> _Key:
    sentences = document.sentences
    at = bisect_right(sentences, finding.start, key=lambda sentence: sentence.start) - 1
    start, end = (sentences[at].start, sentences[at].end) if at >= 0 else (finding.start, finding.end)
    return document.source[start:end], finding.start - start, finding.fingerprint, threshold


class WorkerContext:
    """Lives in the analysis thread. Each model is loaded when it is first needed.

    ``document`` is the text that was analysed last, ``revision`` its revision. ``on_progress`` receives the analysed
    share of a text, in [0, 1].
    """

    def __init__(
        self,
        load: Callable[[], Reader],
        load_rewriter: Callable[[Any], Rewriter],
        on_progress: Callable[[float], None] = lambda _: None,
    ) -> None:
        self.on_progress = on_progress
        self._load = load
        self._load_rewriter = load_rewriter
        self._reader: Reader | None = None
        self._rewriter: Rewriter | None = None
        self._parser: IncrementalParser | None = None
        self._library: StyleLibrary | None = None
        self.term_dependent = TermDependenceCache()
        self.document: Document | None = None
        self.revision = -1

    def forget_models(self) -> None:
        """Drop the models; those in use are loaded when they are next needed."""
        self._reader = self._rewriter = None
        self.term_dependent = TermDependenceCache()
        self.document, self.revision = None, -1

    @property
    def parser(self) -> IncrementalParser:
        """The parser, which reuses unchanged parts of its last document."""
        if self._parser is None:
            from core.documents.incremental import IncrementalParser

            self._parser = IncrementalParser()
        return self._parser

    def draft_style(self, path: Path | None, form: Format, choices: StyleChoices) -> DraftStyle:
        """The style rules for a draft. Raises ``StyleError`` of ``core``."""
        if self._library is None:
            from core.style.library import StyleLibrary

            self._library = StyleLibrary()
        return self._library.for_draft(
            path,
            form,
            choices=dict(choices.packs),
            draft_choices=dict(choices.draft_packs),
            without=choices.rules_off,
        )

    @property
    def reader(self) -> Reader:
        """The loaded reader. Raises ``BundleError`` and ``LexiconError`` of ``core``."""
        if self._reader is None:
            self._reader = self._load()
        return self._reader

    @property
    def rewriter(self) -> Rewriter:
        """The loaded rewriter. Raises ``BundleError`` of ``core``."""
        if self._rewriter is None:
            self._rewriter = self._load_rewriter(self.reader)
        return self._rewriter


class Task(Protocol):
    """A task for the analysis thread; its result is sent to the window."""

    def run(self, context: WorkerContext, cancelled: Callable[[], bool]) -> object:
        """Run the task. Raises ``core.engine.reader.Cancelled`` once ``cancelled()`` is true."""

    def failed(self, error: Exception, message: str) -> object:
        """The result after ``error``; ``message`` says what is wrong, empty if the error was unexpected."""
