"""Tables 3 and 4: the size of the corpus that the tables use, beside that of the paper."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from core.types import KINDS
from training.corpora.wikibias_manual import ManualSentence
from training.evaluation.results_table import Block, Table
from training.metrics.tags import spans
from training.papers.wikibias import manual_corpus
from training.papers.wikibias.manual_corpus import ManualParts
from training.papers.wikibias.published import WIKIBIAS_TABLE_3, WIKIBIAS_TABLE_4
from training.types import OnMessage, TaggedSentence, print_to_stderr


def run(data: Path, *, on_message: OnMessage = print_to_stderr) -> Table:
    """Sentences, labels, spans and kinds of each part, counted in the files under ``data``. Raises CorpusError."""
    manual = manual_corpus.load_manual(data, on_message)
    noisy = manual_corpus.load_noisy(data, manual)
    return Table(
        "WIKIBIAS, Tables 3 and 4: size of the corpus, here and in the paper",
        (_sizes(manual, noisy), _labels(manual, noisy), _spans(manual, noisy)),
        _NOTES,
    )


def _sizes(manual: ManualParts, noisy: Sequence[TaggedSentence]) -> Block:
    """Table 4."""
    parts = {
        "AUTO": ("auto", noisy),
        "manual, for training": ("manual", _sentences(manual.train)),
        "dev part": ("dev", _sentences((*manual.selection, *manual.scored))),
        "… of it for choosing": ("", _sentences(manual.selection)),
        "… of it for scores": ("", _sentences(manual.scored)),
        "test part": ("test", ()),
    }
    header = ("part", "sentences", "published", "biased", "published", "neutral", "published")
    rows = []
    for title, (key, some) in parts.items():
        biased = sum(one.biased for one in some)
        ours = (len(some), biased, len(some) - biased)
        published = WIKIBIAS_TABLE_4.get(key)
        length = f"{sum(map(len, some)) / len(some):.1f}" if some else "–"
        cells = [
            cell
            for at, count in enumerate(ours)
            for cell in (
                f"{count:,}" if some else "not here",
                f"{published[at]:,.0f}" if published else "–",
            )
        ]
        rows.append((title, *cells, length, f"{published[3]}" if published else "–"))
    return Block("Table 4: the parts", (*header, "tokens per sentence", "published"), tuple(rows))


def _labels(manual: ManualParts, noisy: Sequence[TaggedSentence]) -> Block:
    """Sentences of each kind, which Table 6 classifies; the paper does not print them."""
    parts = {
        "AUTO": noisy,
        "manual, for training": manual_corpus.tagged(manual.train),
        "dev part, for choosing": manual_corpus.tagged(manual.selection),
        "dev part, for scores": manual_corpus.tagged(manual.scored),
    }
    rows = []
    for title, some in parts.items():
        biased = [one for one in some if one.biased]
        kinds = [f"{sum(kind in (one.kinds or ()) for one in biased):,}" for kind in KINDS]
        several = sum(len(one.kinds or ()) > 1 for one in biased)
        unknown = sum(one.kinds is None for one in biased)
        bare = sum(not spans(one.tags) for one in biased)
        rows.append((title, f"{len(biased):,}", *kinds, f"{several:,}", f"{unknown:,}", f"{bare:,}"))
    header = ("biased sentences", "all", *map(str, KINDS), "several kinds", "kind unknown", "no tagged word")
    return Block("Kinds of the biased sentences", header, tuple(rows))


def _spans(manual: ManualParts, noisy: Sequence[TaggedSentence]) -> Block:
    """The spans of Table 3."""
    every = (*manual.train, *manual.selection, *manual.scored)
    parts: dict[str, tuple[Sequence[TaggedSentence], Sequence[ManualSentence] | None]] = {
        "AUTO": (noisy, None),
        "manual, for training": (_sentences(manual.train), manual.train),
        "dev part, for choosing": (_sentences(manual.selection), manual.selection),
        "dev part, for scores": (_sentences(manual.scored), manual.scored),
        "manual, all that is here": (_sentences(every), every),
    }
    rows = [_span_row(title, *part) for title, part in parts.items()]
    rows += [(f"published: {title}", *cells) for title, cells in WIKIBIAS_TABLE_3.items()]
    header = (
        *("part", "pairs", "spans", *map(str, KINDS)),
        *("one word", "several words", "per biased source", "tokens per span"),
    )
    return Block("Table 3: spans of biased source sentences", header, tuple(rows))


def _span_row(
    title: str, some: Sequence[TaggedSentence], manual: Sequence[ManualSentence] | None
) -> tuple[str, ...]:
    sources = [one for one in some if one.biased and one.original]
    lengths = [end - start for one in sources for start, end in spans(one.tags)]
    known = Counter(
        kind for one in manual or () if one.tagged.biased and one.tagged.original for kind in one.kinds
    )
    return (
        title,
        f"{len({one.group for one in some}):,}",
        f"{len(lengths):,}",
        *(f"{known[kind]:,}" if manual is not None else "–" for kind in KINDS),
        f"{lengths.count(1):,}",
        f"{len(lengths) - lengths.count(1):,}",
        f"{len(lengths) / max(1, len(sources)):.2f}",
        f"{sum(lengths) / max(1, len(lengths)):.2f}",
    )


def _sentences(some: Sequence[ManualSentence]) -> list[TaggedSentence]:
    return [one.tagged for one in some]


_NOTES = (
    "AUTO: pairs of WNC with the spans of Appendix C's heuristic, instead of the paper's 210,888 pairs.",
    "The files give the kinds of an edit, which may have several spans: where there are fewer kinds than spans, the "
    "last one stands for the rest. The paper's counts are of all three manual parts.",
    "Kinds are unknown where the label and the given kinds contradict each other; Table 6 leaves such sentences out.",
)
