"""What the rewriter learns from: asks by source, and the dev asks that choose its weights."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from training.corpora import articles, babe, cw_hard, pairs, wikibias, wnc_full
from training.corpora import corrections as own
from training.corpora import own_pairs as revised
from training.corpora.pairs import Pair
from training.injection.files import read
from training.injection.model import Injected
from training.injection.sources import held_out_featured
from training.mixture import MIXTURE_SEED, split_groups
from training.near import NearIndex
from training.rewriting.asks import Ask, changes, kept, of_pair

CORPORA = (pairs.WNC_FACTS, pairs.GBNC_FACTS, cw_hard.FACTS, articles.FACTS)
"""What the rewriter's sentences come from, injected ones too."""

LONGEST = 60
"""Words of the longest sentence that is learnt from."""


@dataclass(frozen=True, slots=True)
class Material:
    """Asks by source.

    ``injected``: distant pairs; ``wnc`` and ``gbnc``: real pairs; ``kept``: words that are well as they are, in
    neutral sentences and beside the edited words of biased ones. ``dev_edits`` and ``dev_kept`` are WNC's dev pairs.
    """

    injected: list[Ask]
    wnc: list[Ask]
    gbnc: list[Ask]
    kept: list[Ask]
    dev_edits: list[Ask]
    dev_kept: list[Ask]


def gather(
    data: Path,
    injected: Path,
    *,
    seed: int,
    limit: int | None = None,
    corrections: Path | None = None,
    own_pairs: Path | None = None,
    say: Callable[[str], None] = print,
) -> Material:
    """Read pairs, statements and injected pairs; whatever is near a scored sentence is left out.

    Scored are BABE, WNC's dev pairs and the held-out featured statements. ``limit`` caps each source;
    ``corrections`` and ``own_pairs``, a person's own files, count as WNC's pairs do. Raises CorpusError.
    """
    chooser = random.Random(seed)
    dev = pairs.load_pairs(data, "dev")
    scored = NearIndex(
        [
            *babe.texts(data),
            *(side for pair in dev for side in (pair.source, pair.target)),
            *held_out_featured(data),
        ]
    )

    def apart(texts: Iterable[str]) -> list[str]:
        found = [text for text in texts if len(text.split()) <= LONGEST and not scored.near(text)]
        return found if limit is None else found[:limit]

    wnc = [pair for pair in _real_pairs(data) if not scored.near(pair.source)][:limit]
    if corrections is not None:
        corrected = own.load_pairs(corrections)
        wnc += [pair for pair in corrected if not (scored.near(pair.source) or scored.near(pair.target))]
    if own_pairs is not None:
        wnc += revised.load_pairs(own_pairs, scored, say)[:limit]
    held = {example.group for example in split_groups(pairs.load_gbnc(data), MIXTURE_SEED)[1]}
    posts = [pair for pair in pairs.load_gbnc_pairs(data) if pair.group not in held][:limit]
    made = [row for row in read(injected) if row.part == "train" and not scored.near(row.neutral)]
    chooser.shuffle(made)
    made = made[:limit]
    statements = apart(row.text for row in cw_hard.load(data) if not row.bias)
    neutral = [*statements, *(pair.target for pair in wnc), *(row.neutral for row in made)]
    say(f"{len(made)} injected pairs, {len(wnc)} of WNC, {len(posts)} of GBNC, {len(statements)} statements")
    beside = [
        ask
        for pair in wnc
        for ask in kept(pair.source, chooser, count=2, apart=_places(pair.source, pair.target))
    ]
    return Material(
        injected=[ask for row in made for ask in _injected(row, chooser)],
        wnc=[ask for pair in wnc for ask in of_pair(pair.source, pair.target, chooser)],
        gbnc=[ask for pair in posts for ask in of_pair(pair.source, pair.target, chooser)],
        kept=[*beside, *(ask for text in neutral for ask in kept(text, chooser))],
        dev_edits=[
            Ask(pair.source, start, end, answer)
            for pair in dev
            for start, end, answer in changes(pair.source, pair.target)
        ],
        dev_kept=[ask for pair in dev for ask in kept(pair.target, random.Random(pair.target))],
    )


def _real_pairs(data: Path) -> Iterable[Pair]:
    """WNC's train pairs, and those of the full WNC and of WIKIBIAS for whoever has them."""
    yield from pairs.load_pairs(data, "train")
    if (data / "wnc" / "biased.full.train").is_file():
        yield from wnc_full.load(data, "full", "train")
    if (data / "wikibias" / "generation.train.tsv").is_file():
        yield from wikibias.load(data, "train")


def _places(biased: str, neutral: str) -> Sequence[tuple[int, int]]:
    return [(start, end) for start, end, _ in changes(biased, neutral)]


def _injected(row: Injected, chooser: random.Random) -> Iterable[Ask]:
    for edit in row.edits:
        yield Ask(row.biased, edit.start, edit.end, edit.after)
    if len(row.edits) == 1 and chooser.random() < 0.15:
        yield from list(of_pair(row.biased, row.neutral, chooser, widened=1.0))[1:]
    places = [(edit.start, edit.end) for edit in row.edits]
    if chooser.random() < 0.4:
        yield from kept(row.biased, chooser, apart=places)
