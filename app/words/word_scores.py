"""Tasks of the analysis thread for words: their scores, and the sentences of a word with it replaced."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from app.analysis.analysis_worker import Snapshot
from app.analysis.worker_context import WorkerContext
from core.i18n import tr

if TYPE_CHECKING:
    from core.documents.types import Document
    from core.stereotypes.word_effects import SentenceEffect, WordEffect

TIME_SLICE_S = 0.4
"""How long the scoring uses the analysis thread at a time; other tasks run in between."""


@dataclass(frozen=True, slots=True, eq=False)
class WordScores:
    """The words of a snapshot. Without ``rows`` the task is unfinished, or failed with ``message``."""

    task: ScoreWordsTask
    rows: Sequence[WordEffect] | None = None
    share: float = 0.0
    message: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class ScoreWordsTask:
    """Scores the words of a snapshot for at most ``seconds``. The reader caches scores, so a repeated task goes on
    there.
    """

    snapshot: Snapshot
    seconds: float = TIME_SLICE_S

    def run(self, context: WorkerContext, cancelled: Callable[[], bool]) -> WordScores:
        from core.engine.reader import Cancelled
        from core.stereotypes.word_effects import word_effects

        document = find_document(context, self.snapshot)
        end = time.perf_counter() + self.seconds
        shares = [0.0]
        try:
            rows = word_effects(
                context.reader.reader,
                document,
                include_quotes=self.snapshot.include_quotes,
                cancelled=lambda: cancelled() or time.perf_counter() > end,
                on_progress=shares.append,
            )
        except Cancelled:
            if cancelled():
                raise
            return WordScores(self, share=shares[-1])
        return WordScores(self, rows=rows)

    def failed(self, error: Exception, message: str) -> WordScores:
        return WordScores(self, message=message or _error_message(error))


@dataclass(frozen=True, slots=True, eq=False)
class SentenceEffects:
    """The sentences of a word with it replaced; empty if no more general word is known or the task failed."""

    task: SentenceEffectsTask
    effects: Sequence[SentenceEffect] = ()


@dataclass(frozen=True, slots=True, eq=False)
class SentenceEffectsTask:
    """Reads the sentences of ``word`` in a snapshot with a more general word in its place."""

    snapshot: Snapshot
    word: str

    def run(self, context: WorkerContext, cancelled: Callable[[], bool]) -> SentenceEffects:
        from core.stereotypes.word_effects import effects_of_word

        quotes = self.snapshot.include_quotes
        document = find_document(context, self.snapshot)
        return SentenceEffects(
            self,
            effects_of_word(
                context.reader.reader, document, self.word, include_quotes=quotes, cancelled=cancelled
            ),
        )

    def failed(self, _error: Exception, _message: str) -> SentenceEffects:
        return SentenceEffects(self)


def find_document(context: WorkerContext, snapshot: Snapshot) -> Document:
    """The document of a snapshot, from the context if that has analysed it last."""
    if context.document is not None and context.revision == snapshot.revision:
        return context.document
    return snapshot.document(context.parser.parse)


def _error_message(error: Exception) -> str:
    return tr("The words could not be analysed ({error}). Your text is safe.").format(
        error=type(error).__name__
    )
