"""The reader that comes with the program as a system of the tables: nothing is trained, it reads as in the app."""

from __future__ import annotations

from itertools import accumulate

from core.engine.engine import bundled_reader
from core.engine.reader import Reader
from training.metrics.tags import tags_over
from training.papers.wikibias.types import Corpus, Predictions, TrainingContext
from training.types import TaggedSentence


def reader(corpus: Corpus, context: TrainingContext) -> Predictions:
    """Its spans and labels for every test sentence, at its own thresholds. Its tokens are joined by spaces.

    Where WNC stands in for the corpus, the test part is the one on which those thresholds were chosen.
    """
    folder = bundled_reader()
    found = Reader.load(folder)
    readings = found.read([" ".join(sentence.tokens) for sentence in corpus.test])
    context.events.emit("stage", f"read with {found.bundle.name} {found.bundle.version}")
    return Predictions(
        tags=[
            tokens_marked(sentence, [(span.start, span.end) for span in reading.spans])
            for sentence, reading in zip(corpus.test, readings, strict=True)
        ],
        biased=[reading.bias >= found.bundle.thresholds.bias for reading in readings],
        facts={"span_threshold": found.bundle.thresholds.span},
    )


def tokens_marked(sentence: TaggedSentence, marked: list[tuple[int, int]]) -> list[str]:
    """BIO tags of the tokens that ``marked`` touches: stretches of the tokens joined by spaces."""
    ends = list(accumulate(len(token) + 1 for token in sentence.tokens))
    places = [(end - 1 - len(token), end - 1) for token, end in zip(sentence.tokens, ends, strict=True)]
    return tags_over(places, marked)
