"""Training examples of the rewriter: one marked stretch of a sentence and its neutral wording, by source corpus.

The encoder reads the sentence, the decoder is prompted with the marked words; the target is only what replaces them. So
nothing else in the sentence can change, and a target is a few tokens long.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from pathlib import Path
from typing import Any

from core.rewriting.rewriter import DELETE, KEEP, build_prompt, piece_range
from training.corpora import allsides, babe, user_data, wikibias, wikipedia
from training.corpora.injected_pairs import read_injected
from training.corpora.wikipedia import SentencePair
from training.injection.dataset import load_held_out_statements
from training.reader.dataset_mix import SPLIT_SEED, split_groups
from training.text.near_duplicates import NearDuplicateIndex
from training.types import Injected, OnMessage

WORD = re.compile(r"\w+(?:['’]\w+)*|[^\w\s]")
MAX_TOKENS = 120
_ARTICLES = frozenset({"a", "an", "the"})
_MAX_CHANGED_SHARE = 0.5
_MAX_ANSWER_WORDS = 8


@dataclass(frozen=True, slots=True)
class RewriteExample:
    """``text[start:end]`` is marked. ``answer`` is what replaces it: empty deletes it, None keeps it."""

    text: str
    start: int
    end: int
    answer: str | None


@dataclass(frozen=True, slots=True)
class Row:
    """An example as token ids: the sentence, the prompt of the decoder, and the answer with its end token."""

    ids: list[int]
    prompt: list[int]
    labels: list[int]

    def __len__(self) -> int:
        """The number of its tokens, without the answer."""
        return len(self.ids)


def find_replacements(biased: str, neutral: str) -> list[tuple[int, int, str]]:
    """(start, end, answer) of each change of a pair, offsets into ``biased``; pure insertions are left out.

    An article on both sides of a change belongs to the sentence, not to the change, and so do equal words at its ends.
    A pair in which more than half of the words changed is a rewritten sentence and has none.
    """
    left, right = list(WORD.finditer(biased)), list(WORD.finditer(neutral))
    old, new = ([match.group().lower() for match in side] for side in (left, right))
    found: list[tuple[int, int, str]] = []
    changed = 0
    for tag, i1, i2, j1, j2 in SequenceMatcher(a=old, b=new, autojunk=False).get_opcodes():
        if tag in ("equal", "insert"):
            continue
        changed += i2 - i1
        if j2 > j1 and old[i1] in _ARTICLES and new[j1] in _ARTICLES and i2 - i1 > 1:
            i1, j1 = i1 + 1, j1 + 1
        if not any(any(map(str.isalpha, word)) for word in old[i1:i2]) or j2 - j1 > _MAX_ANSWER_WORDS:
            continue
        answer = neutral[right[j1].start() : right[j2 - 1].end()] if j2 > j1 else ""
        if re.sub(r"\W", "", answer).lower() != re.sub(r"\W", "", "".join(old[i1:i2])):
            found.append((left[i1].start(), left[i2 - 1].end(), answer))
    return found if changed <= _MAX_CHANGED_SHARE * max(1, len(old)) else []


def examples_of_pair(
    biased: str, neutral: str, chooser: random.Random, *, widened: float = 0.25
) -> Iterator[RewriteExample]:
    """The changes of a pair, a share of them (``widened``) with the word before or after marked as well."""
    for start, end, answer in find_replacements(biased, neutral):
        yield RewriteExample(biased, start, end, answer)
        if chooser.random() < widened:
            yield _widened(biased, start, end, answer, before=chooser.random() < 0.5)


def _widened(text: str, start: int, end: int, answer: str, *, before: bool) -> RewriteExample:
    if before:
        words = [match for match in WORD.finditer(text[:start]) if match.group().isalpha()]
        if words and text[words[-1].end() : start].isspace():
            first = words[-1]
            return RewriteExample(text, first.start(), end, f"{first.group()} {answer}".strip())
    elif (match := WORD.match(text, end + 1)) and match.group().isalpha() and text[end].isspace():
        return RewriteExample(text, start, match.end(), f"{answer} {match.group()}".strip())
    return RewriteExample(text, start, end, answer)


def keep_examples(
    text: str, chooser: random.Random, *, count: int = 1, apart: Sequence[tuple[int, int]] = ()
) -> Iterator[RewriteExample]:
    """Up to ``count`` words of a sentence that are to be kept, outside the ranges ``apart``."""
    words = [
        match
        for match in WORD.finditer(text)
        if match.group().isalpha()
        and len(match.group()) > 3
        and all(match.end() <= start or match.start() >= end for start, end in apart)
    ]
    for match in chooser.sample(words, min(count, len(words))):
        yield RewriteExample(text, match.start(), match.end(), None)


def encode(examples: Iterable[RewriteExample], tokenizer: Any, *, max_tokens: int = MAX_TOKENS) -> list[Row]:
    """Examples as tokens; those longer than ``max_tokens`` are left out.

    ``tokenizer`` is one of the ``tokenizers`` library.
    """
    listed = list(examples)
    texts = tokenizer.encode_batch([example.text for example in listed], add_special_tokens=False)
    answers = tokenizer.encode_batch([example.answer or "" for example in listed], add_special_tokens=False)
    number = tokenizer.token_to_id
    rows: list[Row] = []
    for example, text, answer in zip(listed, texts, answers, strict=True):
        first, last = piece_range(text.offsets, example.start, example.end)
        if last == first or len(text.ids) + 2 > max_tokens:
            continue
        target = [number(KEEP)] if example.answer is None else answer.ids or [number(DELETE)]
        prompt = [number(piece) for piece in build_prompt(text.tokens, first, last)]
        rows.append(Row([number("[CLS]"), *text.ids, number("[SEP]")], prompt, [*target, number("[SEP]")]))
    return rows


CORPORA = (wikipedia.WNC_FACTS, wikipedia.GBNC_FACTS, wikipedia.CW_HARD_FACTS, allsides.FACTS)
"""The corpora of the rewriter's sentences, those of injected pairs included."""

MAX_SENTENCE_WORDS = 60
"""Words of the longest sentence that is learnt from."""


@dataclass(frozen=True, slots=True)
class RewriterData:
    """Asks by source.

    ``injected``: distant pairs; ``wnc`` and ``gbnc``: real pairs; ``keep_examples``: words that are well as they are,
    in neutral sentences and beside the edited words of biased ones. ``dev_edits`` and ``dev_kept`` are WNC's dev
    pairs.
    """

    injected: list[RewriteExample]
    wnc: list[RewriteExample]
    gbnc: list[RewriteExample]
    kept: list[RewriteExample]
    dev_edits: list[RewriteExample]
    dev_kept: list[RewriteExample]


def load_rewriter_data(
    data: Path,
    injected: Path,
    *,
    seed: int,
    limit: int | None = None,
    corrections: Path | None = None,
    own_pairs: Path | None = None,
    on_message: OnMessage = print,
) -> RewriterData:
    """Read pairs, statements and injected pairs; whatever is near a scored sentence is left out.

    Scored are BABE, WNC's dev pairs and the held-out featured statements. ``limit`` caps each source;
    ``corrections`` and ``own_pairs``, a person's own files, count as WNC's pairs do. Raises CorpusError.
    """
    chooser = random.Random(seed)
    dev = wikipedia.load_pairs(data, "dev")
    scored = NearDuplicateIndex(
        [*babe.texts(data), *wikipedia.load_sides(data, "dev"), *load_held_out_statements(data)]
    )

    def apart(texts: Iterable[str]) -> list[str]:
        found = [
            text
            for text in texts
            if len(text.split()) <= MAX_SENTENCE_WORDS and not scored.has_near_duplicate(text)
        ]
        return found if limit is None else found[:limit]

    wnc = [pair for pair in _real_pairs(data) if not scored.has_near_duplicate(pair.source)][:limit]
    if corrections is not None:
        corrected = user_data.load_correction_pairs(corrections)
        wnc += [pair for pair in corrected if not scored.has_near_duplicate(pair.source, pair.target)]
    if own_pairs is not None:
        wnc += user_data.load_pairs(own_pairs, scored, on_message)[:limit]
    held = {example.group for example in split_groups(wikipedia.load_gbnc(data), SPLIT_SEED)[1]}
    posts = [pair for pair in wikipedia.load_gbnc_pairs(data) if pair.group not in held][:limit]
    made = [
        row
        for row in read_injected(injected)
        if row.part == "train" and not scored.has_near_duplicate(row.neutral)
    ]
    chooser.shuffle(made)
    made = made[:limit]
    statements = apart(row.text for row in wikipedia.load_cw_hard(data) if not row.bias)
    neutral = [*statements, *(pair.target for pair in wnc), *(row.neutral for row in made)]
    on_message(
        f"{len(made)} injected pairs, {len(wnc)} of WNC, {len(posts)} of GBNC, {len(statements)} statements"
    )
    beside = [
        example
        for pair in wnc
        for example in keep_examples(pair.source, chooser, count=2, apart=_places(pair.source, pair.target))
    ]
    return RewriterData(
        injected=[example for row in made for example in _injected(row, chooser)],
        wnc=[example for pair in wnc for example in examples_of_pair(pair.source, pair.target, chooser)],
        gbnc=[example for pair in posts for example in examples_of_pair(pair.source, pair.target, chooser)],
        kept=[*beside, *(example for text in neutral for example in keep_examples(text, chooser))],
        dev_edits=[
            RewriteExample(pair.source, start, end, answer)
            for pair in dev
            for start, end, answer in find_replacements(pair.source, pair.target)
        ],
        dev_kept=[
            example for pair in dev for example in keep_examples(pair.target, random.Random(pair.target))
        ],
    )


def _real_pairs(data: Path) -> Iterable[SentencePair]:
    """WNC's train pairs, and those of the full WNC and of WIKIBIAS for whoever has them."""
    yield from wikipedia.load_pairs(data, "train")
    if (data / "wnc" / "biased.full.train").is_file():
        yield from wikipedia.load_wnc_full(data, "full", "train")
    if (data / "wikibias" / "generation.train.tsv").is_file():
        yield from wikibias.load(data, "train")


def _places(biased: str, neutral: str) -> Sequence[tuple[int, int]]:
    return [(start, end) for start, end, _ in find_replacements(biased, neutral)]


def _injected(row: Injected, chooser: random.Random) -> Iterable[RewriteExample]:
    for edit in row.edits:
        yield RewriteExample(row.biased, edit.start, edit.end, edit.after)
    if len(row.edits) == 1 and chooser.random() < 0.15:
        yield from list(examples_of_pair(row.biased, row.neutral, chooser, widened=1.0))[1:]
    places = [(edit.start, edit.end) for edit in row.edits]
    if chooser.random() < 0.4:
        yield from keep_examples(row.biased, chooser, apart=places)
