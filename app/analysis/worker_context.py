"""What the analysis thread keeps warm, the protocols of its models, and term-dependent findings."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from core.bundles.reader import Curve
from core.documents.types import Document
from core.types import Finding, Report, Suggestions

if TYPE_CHECKING:
    from core.documents.incremental import Parser
    from core.engine import reader as sentence_reader
    from core.engine.cues import Lexicon


# What the window needs of the models: a reader that finds, and a rewriter that offers other wordings.


class Reader(Protocol):
    """What the window needs of ``core.engine.engine.Engine``."""

    @property
    def name(self) -> str: ...

    @property
    def sensitivity(self) -> Curve | None: ...

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
        told: Callable[[float], None] = ...,
    ) -> Report: ...


class Rewriter(Protocol):
    """What the window needs of ``core.rewriting.suggester.Suggester``."""

    def suggest(
        self, document: Document, finding: Finding, *, n: int = 3, cancelled: Callable[[], bool] | None = None
    ) -> Suggestions: ...


# Which findings lean on their word: worked out once for each sentence, so that typing elsewhere costs nothing.


_ENTRIES = 20_000
_Key = tuple[str, int, str, float | None]
"""The sentence, the place of the finding in it, its fingerprint, and the threshold that it was read at."""


class OnWord:
    """Remembers of findings whether they are gone once their word is generalised."""

    def __init__(self) -> None:
        self._known: dict[_Key, bool] = {}

    def among(
        self,
        engine: Reader,
        document: Document,
        findings: Sequence[Finding],
        *,
        threshold: float | None,
        cancelled: Callable[[], bool],
    ) -> frozenset[Finding]:
        """Those of ``findings`` that lean on their word. Raises what ``leaning_findings`` of ``core`` raises."""
        if len(self._known) > _ENTRIES:
            self._known = {}
        known = self._known
        keys = [_key(document, finding, threshold) for finding in findings]
        missing = {key: finding for key, finding in zip(keys, findings, strict=True) if key not in known}
        if missing:
            from core.stereotypes.term_dependence import leaning_findings

            answers = leaning_findings(
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


# What the reading thread keeps warm, and what it can be asked to do.


class Desk:
    """Lives in the reading thread. Each model is loaded when it is first needed, and kept.

    ``document`` is the text that was read last, ``revision`` its revision. ``told`` hears how much of a text is read.
    ``on_word`` knows which findings lean on their word.
    """

    def __init__(
        self,
        load: Callable[[], Reader],
        load_rewriter: Callable[[Any], Rewriter],
        told: Callable[[float], None] = lambda _: None,
    ) -> None:
        self.told = told
        self._load = load
        self._load_rewriter = load_rewriter
        self._reader: Reader | None = None
        self._rewriter: Rewriter | None = None
        self._parser: Parser | None = None
        self.on_word = OnWord()
        self.document: Document | None = None
        self.revision = -1

    def forget_models(self) -> None:
        """Other models are in use: they are loaded when they are next needed."""
        self._reader = self._rewriter = None
        self.on_word = OnWord()
        self.document, self.revision = None, -1

    @property
    def parser(self) -> Parser:
        """The parser, which remembers what it parsed last."""
        if self._parser is None:
            from core.documents.incremental import Parser

            self._parser = Parser()
        return self._parser

    @property
    def reader(self) -> Reader:
        """The warm reader. Raises ``BundleError`` and ``LexiconError`` of ``core``."""
        if self._reader is None:
            self._reader = self._load()
        return self._reader

    @property
    def rewriter(self) -> Rewriter:
        """The warm rewriter, which reads with the reader. Raises ``BundleError`` of ``core``."""
        if self._rewriter is None:
            self._rewriter = self._load_rewriter(self.reader)
        return self._rewriter


class Task(Protocol):
    """One thing to do in the reading thread; its result goes back to the window."""

    def run(self, desk: Desk, cancelled: Callable[[], bool]) -> object:
        """Do it. Raises ``core.engine.reader.Cancelled`` once ``cancelled()`` is true."""

    def failed(self, error: Exception, message: str) -> object:
        """The result where ``error`` came up; ``message`` says to a person what is wrong."""


def load_engine(say: Callable[[str], object]) -> Reader:
    """The reader in use. ``say`` hears why it is not the one that was chosen.

    Raises ``BundleError`` and ``LexiconError`` of ``core``.
    """
    from core.models import active

    return active.load_engine(say)


def load_suggester(engine: Any, say: Callable[[str], object]) -> Rewriter:
    """The rewriter in use over an engine. Raises ``BundleError`` of ``core``, which says how to get one."""
    from core.models import active

    return active.load_suggester(engine, say)
