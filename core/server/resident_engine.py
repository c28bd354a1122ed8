"""The engine that the servers share: models are opened once, when they are first needed, and do one thing at a time."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from threading import Lock

from core.bundles.manifest import BundleError
from core.bundles.reader import threshold_at
from core.documents.suppression import AllowedPhrases, normalize_phrase
from core.documents.types import Document
from core.engine.cue_classes import LexiconError
from core.engine.engine import Engine
from core.engine.reader import Cancelled
from core.engine.sentence_cache import SentenceKey, sentence_keys
from core.models.active import load_engine, load_suggester
from core.rewriting.edits import sentence_at
from core.rewriting.suggester import Suggester
from core.server.personal_words import PersonalWords
from core.storage.types import Ignore
from core.style.library import StyleLibrary
from core.text.diff import TextEdit
from core.types import ALL_KINDS, Finding, Kind, Suggestions, number_fingerprints

MAX_KEPT_SUGGESTIONS = 2_000
"""The suggestions for so many findings are kept: editors ask for the same ones again and again."""


@dataclass(frozen=True, slots=True)
class CheckOptions:
    """What is marked: ``kinds``, with ``sensitivity`` in steps from the reader's own, in quotations too or not.

    ``packs``: the style packs; None for those of the draft's project or of its format. What is left at its default here
    is what the project file says.
    """

    kinds: tuple[Kind, ...] = ALL_KINDS
    sensitivity: int = 0
    quotations: bool = False
    packs: tuple[str, ...] | None = None


_Key = tuple[str, SentenceKey | None, int, int, Kind]


class ResidentEngine:
    """The models in use and the person's own words. Any thread may call it; calls wait for each other.

    ``on_message`` gets sentences for the person, such as that a model cannot be opened.
    """

    def __init__(self, on_message: Callable[[str], object]) -> None:
        self.words = PersonalWords(on_message)
        self._on_message = on_message
        self._library = StyleLibrary()
        self._working = Lock()
        self._engine: Engine | None = None
        self._suggester: Suggester | None = None
        self._kept: dict[_Key, Suggestions] = {}

    @property
    def engine(self) -> Engine:
        """The engine. Raises BundleError and LexiconError."""
        if self._engine is None:
            self._engine = load_engine(self._on_message)
        return self._engine

    def open_models(self) -> None:
        """Open the models before they are needed: some programs wait only seconds for the first answer.

        A model that cannot be opened is named when it is needed.
        """
        with self._working, suppress(BundleError, LexiconError):
            self._suggester_in_use()

    def check(
        self,
        document: Document,
        options: CheckOptions,
        *,
        path: Path | None = None,
        ignored: Iterable[Ignore] = (),
        cancelled: Callable[[], bool] | None = None,
    ) -> tuple[Finding, ...]:
        """The findings of a document, kept at ``path`` if any, but those that are ``ignored`` or always allowed.

        Only sentences that have changed are read. Raises BundleError, LexiconError, ReaderError, StyleError and
        Cancelled.
        """
        style = self._library.for_draft(path, document.format, packs=options.packs)
        for problem in style.problems:
            self._on_message(problem)
        said = style.options
        kinds = options.kinds if options.kinds != ALL_KINDS or said.kinds is None else said.kinds
        include_quotes = options.quotations or bool(said.quotations)
        with self._at_work(cancelled):
            report = self.engine.analyse(
                document,
                kinds=kinds,
                include_quotes=include_quotes,
                threshold=threshold_at(self.engine.sensitivity, options.sensitivity or said.sensitivity or 0),
                cancelled=cancelled,
            )
            report = style.complete(report, document, kinds=kinds, include_quotes=include_quotes)
        return without_ignored(report.findings, document.source, ignored, self.words.allowed())

    def suggest(
        self, document: Document, finding: Finding, *, cancelled: Callable[[], bool] | None = None
    ) -> Suggestions:
        """Up to three suggestions for a finding. Raises BundleError, ReaderError, RewriterError and Cancelled."""
        return self._suggestions(Suggester.suggest, document, finding, cancelled)

    def reword(
        self, document: Document, finding: Finding, *, cancelled: Callable[[], bool] | None = None
    ) -> Suggestions:
        """The sentence of a finding reworded as a whole. Raises as `suggest` does."""
        return self._suggestions(Suggester.reword, document, finding, cancelled)

    def has_suggestions(self, document: Document, finding: Finding) -> bool:
        """Whether `suggest` answers at once, since it was asked before."""
        return _key(Suggester.suggest, document, finding) in self._kept

    def _suggestions(
        self,
        ask: Callable[..., Suggestions],
        document: Document,
        finding: Finding,
        cancelled: Callable[[], bool] | None,
    ) -> Suggestions:
        """What ``ask``, a method of Suggester, answers; kept by the sentence, wherever it stands."""
        key = _key(ask, document, finding)
        with self._at_work(cancelled):
            found = self._kept.pop(key, None)
            if found is None:
                asked = ask(self._suggester_in_use(), document, finding, cancelled=cancelled)
                found = _moved(asked, -finding.start)
            self._kept[key] = found
            if len(self._kept) > MAX_KEPT_SUGGESTIONS:
                del self._kept[next(iter(self._kept))]
        return _moved(found, finding.start)

    def _suggester_in_use(self) -> Suggester:
        if self._suggester is None:
            self._suggester = load_suggester(self.engine, self._on_message)
        return self._suggester

    @contextmanager
    def _at_work(self, cancelled: Callable[[], bool] | None) -> Iterator[None]:
        with self._working:
            if cancelled is not None and cancelled():
                raise Cancelled
            yield


def _key(ask: Callable[..., Suggestions], document: Document, finding: Finding) -> _Key:
    """All that the suggestions for a finding depend on: its sentence as it is read, and its place there."""
    sentence = sentence_at(document, finding.start)
    if sentence is None:
        return ask.__name__, None, finding.start, finding.end, finding.kind
    (key,) = sentence_keys(document, [sentence], 0.0)
    start = sentence.start
    return ask.__name__, key, finding.start - start, finding.end - start, finding.kind


def _moved(found: Suggestions, by: int) -> Suggestions:
    return replace(
        found,
        items=tuple(
            replace(
                one, edits=tuple(TextEdit(edit.start + by, edit.end + by, edit.text) for edit in one.edits)
            )
            for one in found.items
        ),
    )


def without_ignored(
    findings: Collection[Finding], source: str, ignored: Iterable[Ignore], allowed: AllowedPhrases
) -> tuple[Finding, ...]:
    """The findings that are neither ignored nor allowed; of equal ones those are left out that were ignored."""
    entries = list(ignored)
    words = {normalize_phrase(entry.words) for entry in entries if entry.scope == "words"}
    once = {entry.fingerprint for entry in entries if entry.scope == "once"}
    return tuple(
        finding
        for finding, known_as in zip(findings, number_fingerprints(findings), strict=True)
        if not (
            known_as in once
            or normalize_phrase(finding.shown) in words
            or allowed.covers(source, finding.start, finding.end)
            or allowed.covers(finding.words, 0, len(finding.words))
        )
    )
