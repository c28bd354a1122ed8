"""The bundled reader as a system of the tables, without training."""

from __future__ import annotations

from itertools import accumulate

from core.engine.engine import bundled_reader
from core.engine.reader import Reader
from training.metrics.tags import tags_over
from training.papers.wikibias.types import Corpus, Predictions, TrainingContext
from training.types import TaggedSentence


def reader(corpus: Corpus, context: TrainingContext) -> Predictions:
    """Its spans and labels for every test sentence (tokens joined by spaces), at its own thresholds.

    The thresholds were chosen on WIKIBIAS's dev part, among others: where test sentences are from it, as in
    ``manual_corpus``, the scores are optimistic.
    """
    folder = bundled_reader()
    found = Reader.load(folder)
    readings = found.read([" ".join(sentence.tokens) for sentence in corpus.test])
    context.events.emit("stage", f"read with {found.bundle.name} {found.bundle.version}")
    return Predictions(
        tags=[
            tag_tokens(sentence, [(span.start, span.end) for span in reading.spans])
            for sentence, reading in zip(corpus.test, readings, strict=True)
        ],
        biased=[reading.bias >= found.bundle.thresholds.bias for reading in readings],
        facts={"span_threshold": found.bundle.thresholds.span},
    )


def tag_tokens(sentence: TaggedSentence, marked: list[tuple[int, int]]) -> list[str]:
    """BIO tags of the tokens that overlap the ``marked`` spans of the tokens joined by spaces."""
    ends = list(accumulate(len(token) + 1 for token in sentence.tokens))
    places = [(end - 1 - len(token), end - 1) for token, end in zip(sentence.tokens, ends, strict=True)]
    return tags_over(places, marked)
