"""Dev rows whose words are tokens, and logits with which words are marked as one likes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from core.types import KINDS, LABELS, Kind
from training.corpora.annotated_sentences import AnnotatedSentence
from training.corpora.wikibias_manual import ManualSentence, to_example
from training.loop.batches import IGNORED, EncodedExample
from training.modeling.reader import Logits
from training.reader.dev_scores import DevLogits, DevRows
from training.types import BEGIN, OUTSIDE, Example, GoldSpan, TaggedSentence


def place(text: str, word: str) -> tuple[int, int]:
    """Where ``word`` stands in ``text``."""
    return text.index(word), text.index(word) + len(word)


def example(text: str, marked: Mapping[str, Kind], *, bias: float | None = None, **fields: object) -> Example:
    """A text with its marked words."""
    spans = tuple(GoldSpan(*place(text, word), kind) for word, kind in marked.items())
    return Example(text, "made", spans=spans, bias=float(bool(marked)) if bias is None else bias, **fields)  # type: ignore[arg-type]


def annotated(
    text: str,
    marked: Mapping[str, Kind] | None = None,
    *,
    arguable: Sequence[str] = (),
    grade: int | None = None,
) -> AnnotatedSentence:
    """A sentence that is marked in full; ``arguable`` words are among ``marked``."""
    made = example(text, marked or {})
    spans = tuple(
        GoldSpan(span.start, span.end, span.kind, is_clear=text[span.start : span.end] not in arguable)
        for span in made.spans or ()
    )
    level = 2 * bool(marked) if grade is None else grade
    return AnnotatedSentence(
        Example(text, "editors", spans=spans, bias=float(level > 1), group=text), level, ((),) * len(spans)
    )


def manual(
    text: str, marked: Mapping[str, Kind], *, original: bool = True, biased: bool | None = None
) -> ManualSentence:
    """A sentence of WIKIBIAS whose tokens are its words."""
    tokens = tuple(text.split())
    tags = tuple(BEGIN if token in marked else OUTSIDE for token in tokens)
    is_biased = bool(marked) if biased is None else biased
    tagged = TaggedSentence(tokens, tags, is_biased, original, kinds=frozenset(marked.values()))
    return ManualSentence(tagged, tuple(marked[token] for token in tokens if token in marked))


def rows_of(examples: Sequence[Example]) -> list[EncodedExample]:
    """Each word as a token, between two tokens that stand for the ends."""
    made = []
    for one in examples:
        places, at = [(0, 0)], 0
        for word in one.text.split():
            start = one.text.index(word, at)
            at = start + len(word)
            places.append((start, at))
        places.append((0, 0))
        tags = [IGNORED if start == end else 0 for start, end in places]
        for span in one.spans or ():
            for number, (start, end) in enumerate(places):
                if start < span.end and span.start < end:
                    tags[number] = 1 + 2 * KINDS.index(span.kind)
        made.append(EncodedExample(list(range(len(places))), tags, places, one))
    return made


def logits_of(
    rows: Sequence[EncodedExample],
    chances: Mapping[str, float | tuple[float, Kind]] | None = None,
    bias: Sequence[float] | None = None,
) -> Logits:
    """Logits with which each word of ``chances`` is marked with its probability, as framing where no kind is named."""
    spans = []
    for row in rows:
        found = np.full((len(row), len(LABELS)), 1e-9)
        for at, (start, end) in enumerate(row.offsets):
            chance = (chances or {}).get(row.example.text[start:end], 0.001)
            probability, kind = chance if isinstance(chance, tuple) else (chance, Kind.FRAMING)
            found[at, 0], found[at, 1 + 2 * KINDS.index(kind)] = 1 - probability, probability
        spans.append(np.log(found))
    scores = np.zeros(len(rows)) if bias is None else np.array(bias, dtype=np.float64)
    return Logits(spans, scores, np.zeros((len(rows), 4)))


def dev_rows_of(
    *,
    babe: Sequence[Example] = (),
    wikibias: Sequence[ManualSentence] = (),
    marked_in_full: Sequence[AnnotatedSentence] = (),
    wnc: Sequence[Example] = (),
) -> DevRows:
    """Dev rows of these sentences."""
    return DevRows(
        babe=rows_of(babe),
        wikibias=rows_of([to_example(one, prose=False) for one in wikibias]),
        annotated=rows_of([one.example for one in marked_in_full]),
        wnc=rows_of(wnc),
        gold_wikibias=wikibias,
        gold_annotated=marked_in_full,
    )


def dev_logits_of(
    rows: DevRows,
    chances: Mapping[str, float | tuple[float, Kind]] | None = None,
    bias: Mapping[str, Sequence[float]] | None = None,
) -> DevLogits:
    """Logits for each part; ``bias`` by the part's name."""
    return DevLogits(
        *(
            logits_of(getattr(rows, name), chances, (bias or {}).get(name))
            for name in ("babe", "wikibias", "annotated", "wnc")
        )
    )
