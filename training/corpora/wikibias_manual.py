"""WIKIBIAS's manual corpus as JSON lines: tokens, BIO tags, the gold kind of each span, and the sentence's label.

``wikibias/train.jsonl.xz`` and ``dev.jsonl.xz``: ``id`` is ``PAIR_SIDE`` (0 source, 1 target), ``types`` are the kinds
of the spans in order. The layouts of the release are read by ``wikibias``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from core.types import Kind
from training.corpora.files import read_json_rows
from training.metrics.tags import spans
from training.text.joining import join_tokens
from training.types import (
    OUTSIDE,
    CorpusFacts,
    Example,
    GoldSpan,
    OnMessage,
    TaggedSentence,
    open_file,
    print_to_stderr,
)

FACTS = CorpusFacts(
    key="wikibias-manual",
    name="WIKIBIAS, manual corpus with gold kinds",
    homepage="https://github.com/cs329yangzhong/WIKIBIAS",
    licence="none stated; text CC BY-SA (Wikipedia)",
    files=("wikibias/train.jsonl.xz", "wikibias/dev.jsonl.xz"),
    manual_steps="The corpus lies on its authors' drive: the repository's README links it. Put it into wikibias/ as "
    "JSON lines: id, side, tokens, tags, types, class_label.",
)


@dataclass(frozen=True, slots=True)
class ManualSentence:
    """A tagged sentence, and the kind of each of its spans, in order.

    The release names the kinds of an edit, which may have several places: where it names fewer, the last one goes on.
    """

    tagged: TaggedSentence
    kinds: tuple[Kind, ...]


def load(data: Path, part: str, on_message: OnMessage = print_to_stderr) -> list[ManualSentence]:
    """The sentences of ``part`` (train or dev), in the order of the file; those that cannot be read are reported once.

    Raises CorpusError for a missing file, and where nothing can be read.
    """
    return read_json_rows(
        open_file(data, f"wikibias/{part}.jsonl.xz"),
        partial(_sentence, part=part),
        expected="id, side, tokens, tags, types and class_label",
        on_message=on_message,
    )


def _sentence(row: dict[str, Any], part: str) -> ManualSentence:
    tokens, tags = tuple(map(str, row["tokens"])), tuple(map(str, row["tags"]))
    named = tuple(Kind(name) for name in row["types"])
    if not tokens or len(tokens) != len(tags):
        raise ValueError(f"{len(tags)} tags for {len(tokens)} tokens")
    count = len(spans(tags))
    kinds = (*named, *[named[-1] if named else Kind.FRAMING] * count)[:count]
    return ManualSentence(
        TaggedSentence(
            tokens,
            tags,
            biased=bool(row["class_label"]),
            original=row["side"] == "source",
            group=f"wikibias-{part}-{str(row['id']).split('_')[0]}",
            kinds=frozenset(named),
        ),
        kinds,
    )


def to_example(sentence: ManualSentence, *, prose: bool) -> Example:
    """The sentence as text: its tokens with spaces between, or (``prose``) as people write it.

    An edited pair names one place; how far its other words count is for the caller to say.
    """
    tokens = sentence.tagged.tokens
    text, places = join_tokens(tokens) if prose else _spaced(tokens)
    gold = tuple(
        GoldSpan(places[start][0], places[end - 1][1], kind)
        for (start, end), kind in zip(spans(sentence.tagged.tags), sentence.kinds, strict=True)
    )
    return Example(
        text, "wikibias", spans=gold, bias=float(sentence.tagged.biased), group=sentence.tagged.group
    )


def places_without(
    sentence: ManualSentence, loaded: Sequence[GoldSpan], *, prose: bool
) -> tuple[tuple[int, int], ...]:
    """The ranges of the tokens in `to_example`'s text, but for unmarked ones in ``loaded``, spans of its prose."""
    tokens, tags = sentence.tagged.tokens, sentence.tagged.tags
    _, written = join_tokens(tokens)
    places = written if prose else _spaced(tokens)[1]
    return tuple(
        place
        for place, (start, end), tag in zip(places, written, tags, strict=True)
        if tag != OUTSIDE or not any(start < span.end and span.start < end for span in loaded)
    )


def _spaced(tokens: Sequence[str]) -> tuple[str, list[tuple[int, int]]]:
    places: list[tuple[int, int]] = []
    at = 0
    for token in tokens:
        places.append((at, at + len(token)))
        at += len(token) + 1
    return " ".join(tokens), places
