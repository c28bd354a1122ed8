"""The corpora of the rewriter as training examples by source, without anything near a scored sentence."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from training.corpora import (
    annotated_sentences,
    babe,
    news_pool,
    user_data,
    wikibias_manual,
    wikipedia,
)
from training.corpora.annotated_sentences import AnnotatedSentence
from training.corpora.files import OptionalCorpora, ignore_message
from training.corpora.injected_pairs import read_injected
from training.corpora.wikipedia import SentencePair
from training.injection.dataset import load_held_out_statements
from training.reader.dataset_mix import SPLIT_SEED, split_groups
from training.rewriter import judged_suggestions
from training.rewriter.corrupted_text import WordSwaps, corrupted_sentences, masked_sentences
from training.rewriter.examples import (
    MarkedSentence,
    Question,
    find_replacements,
    fitting_pair,
    marked_pair,
    widen,
    words_to_keep,
)
from training.rewriter.judged_suggestions import JudgedItem
from training.text.near_duplicates import NearDuplicateIndex
from training.types import CorpusFacts, GoldSpan, InjectedPair, OnMessage

CORPORA = (
    wikipedia.WNC_FACTS,
    wikibias_manual.FACTS,
    annotated_sentences.FACTS,
    wikipedia.GBNC_FACTS,
    wikipedia.GENDER_REWRITING_FACTS,
    wikipedia.CW_HARD_FACTS,
    news_pool.FACTS,
)
"""The corpora that the rewriter learns from where they are there; WNC and CW-Hard are needed."""

MAX_SENTENCE_WORDS = 60
"""Words of the longest sentence that is learnt from."""

_VARIANTS = 3
"""How many examples an annotated sentence gives, with other references and other words to keep."""

_MAX_NEUTRAL = 40_000
"""How many neutral sentences are masked, and how many corrupted, at most."""

_FIRST = 0.65
"""How often the first of several references of a span is the answer."""

_WIDENED = 0.2
"""How often the word beside judged words is marked as well, as where the rewriter is asked for both."""


@dataclass(frozen=True, slots=True)
class RewriterData:
    """Examples by source.

    ``pairs``: both sides of WNC's pairs, a person's own among them; ``wikibias`` and ``gender``: those of WIKIBIAS, of
    GBNC and of gender-neutral rewriting; ``annotated``: sentences with the suggestions of their annotators;
    ``judged``: verdicts on suggestions; ``injected``: distant pairs; ``masked`` and ``corrupted``: neutral sentences.
    ``dev_edits`` and ``dev_annotated`` are the edits of WNC's dev pairs and the spans of held-out annotated sentences,
    ``dev_kept`` words to keep, ``dev_fit`` corrupted statements, ``dev_judged`` the verdicts that are left for the
    ranking. ``missing`` says what the run does without.
    """

    pairs: list[MarkedSentence]
    wikibias: list[MarkedSentence]
    gender: list[MarkedSentence]
    annotated: list[MarkedSentence]
    judged: list[MarkedSentence]
    injected: list[MarkedSentence]
    masked: list[MarkedSentence]
    corrupted: list[MarkedSentence]
    dev_edits: list[MarkedSentence]
    dev_annotated: list[MarkedSentence]
    dev_kept: list[MarkedSentence]
    dev_fit: list[MarkedSentence]
    dev_judged: list[MarkedSentence]
    corpora: tuple[CorpusFacts, ...] = CORPORA
    missing: tuple[str, ...] = field(default=())


def load_rewriter_data(
    data: Path,
    *,
    seed: int,
    injected: Path | None = None,
    limit: int | None = None,
    corrections: Path | None = None,
    own_pairs: Path | None = None,
    on_message: OnMessage = print,
) -> RewriterData:
    """Read all sources; whatever is near a scored sentence is left out.

    Scored are BABE, WNC's and WIKIBIAS's dev parts, held-out annotated sentences, the judged sentences that are left
    for the ranking, and the held-out featured statements. ``limit`` caps each source; ``corrections`` and
    ``own_pairs``, a person's own files, count as WNC's pairs do. Raises CorpusError where WNC, BABE or CW-Hard is
    missing; of another corpus a message says what the run does without it.
    """
    chooser = random.Random(seed)
    optional = OptionalCorpora(on_message)
    dev = wikipedia.load_pairs(data, "dev")
    corpus = optional(
        lambda: annotated_sentences.load(data, on_message),
        "suggestions in 2,226 annotated sentences",
        annotated_sentences.FACTS,
    )
    own, own_dev = annotated_sentences.split([*corpus, *annotated_sentences.load_written(on_message)])
    own += annotated_sentences.load_corpus_sentences(data, ignore_message)
    held_out = load_held_out_statements(data)
    judged = judged_suggestions.load(data, on_message)
    manual_dev = optional(lambda: wikibias_manual.load(data, "dev", ignore_message), "WIKIBIAS's dev part")
    scored = NearDuplicateIndex(
        [
            *babe.texts(data),
            *wikipedia.load_sentences(data, "dev"),
            *held_out,
            *(one.example.text for one in own_dev),
            *(one.text for one in judged if one.is_for_ranking),
            *(wikibias_manual.to_example(one, prose=True).text for one in manual_dev),
        ]
    )

    def apart(pairs: Iterable[SentencePair]) -> list[SentencePair]:
        found = [
            pair for pair in pairs if _is_short(pair.source) and not scored.has_near_duplicate(pair.source)
        ]
        return found if limit is None else found[:limit]

    more = optional(lambda: wikipedia.load_additional_pairs(data), "27,836 more pairs of WNC")
    wnc = apart([*wikipedia.load_pairs(data, "train"), *more])
    if corrections is not None:
        wnc += apart(user_data.load_correction_pairs(corrections))
    if own_pairs is not None:
        wnc += user_data.load_pairs(own_pairs, scored, on_message)[:limit]
    wikibias = apart(
        optional(lambda: _wikibias_pairs(data, on_message), "pairs of WIKIBIAS", wikibias_manual.FACTS)
    )
    gbnc = optional(lambda: _gbnc_pairs(data), "posts corrected for gender bias", wikipedia.GBNC_FACTS)
    gender = optional(
        lambda: wikipedia.load_gender_pairs(data),
        "gender-neutral rewriting",
        wikipedia.GENDER_REWRITING_FACTS,
    )
    neutral = [row.text for row in wikipedia.load_cw_hard(data) if not row.bias]
    news = optional(
        lambda: [row.text for row in news_pool.load(data, on_message)],
        "neutral news sentences",
        news_pool.FACTS,
    )
    neutral += [pair.target for pair in wnc] + news
    neutral = [text for text in neutral if _is_short(text) and not scored.has_near_duplicate(text)]
    chooser.shuffle(neutral)
    neutral = neutral[: limit or 2 * _MAX_NEUTRAL]
    half = len(neutral) // 2
    swaps = WordSwaps(neutral[:20_000], chooser)
    made = [] if injected is None else _injected_rows(injected, scored, limit, chooser)
    wanted = [
        one for one in own if _is_short(one.example.text) and not scored.has_near_duplicate(one.example.text)
    ]
    for_ranking = [one for one in judged if one.is_for_ranking]
    judged = [one for one in judged if not scored.has_near_duplicate(one.text)][:limit]
    annotated = [
        sentence
        for _ in range(_VARIANTS)
        for part in (
            *(_annotated(one, chooser) for one in wanted[:limit]),
            *(_judged(one, chooser) for one in judged),
        )
        for sentence in part
    ]
    on_message(
        f"{len(wnc)} pairs of WNC, {len(wikibias)} of WIKIBIAS, {len(gbnc)} of GBNC, {len(gender)} of gender "
        f"rewriting, {len(wanted)} annotated and {len(judged)} judged sentences, {len(made)} injected pairs, "
        f"{len(neutral)} neutral sentences"
    )
    return RewriterData(
        pairs=_marked(wnc, chooser),
        wikibias=_marked(wikibias, chooser),
        gender=_marked([*gbnc, *apart(gender)], chooser),
        annotated=annotated,
        judged=list(_verdicts(judged, chooser)),
        injected=[sentence for row in made for sentence in _injected(row, chooser)],
        masked=list(masked_sentences(neutral[:half], chooser)),
        corrupted=list(corrupted_sentences(neutral[half:], swaps, chooser)),
        dev_edits=[
            MarkedSentence(pair.source, tuple(Question(*edit) for edit in edits))
            for pair in dev
            if (edits := find_replacements(pair.source, pair.target))
        ],
        dev_annotated=[
            MarkedSentence(one.example.text, tuple(asked))
            for one in own_dev
            if (asked := [Question(*place, words[0]) for place, words in _spans_with_references(one)])
        ],
        dev_kept=[
            MarkedSentence(pair.target, tuple(words_to_keep(pair.target, random.Random(pair.target))))
            for pair in dev
        ],
        dev_fit=list(corrupted_sentences(held_out, swaps, random.Random(seed))),
        dev_judged=list(_verdicts(for_ranking[:limit], random.Random(seed))),
        corpora=tuple(facts for facts in CORPORA if facts not in optional.absent),
        missing=tuple(optional.missing),
    )


def _is_short(text: str) -> bool:
    return len(text.split()) <= MAX_SENTENCE_WORDS


def _marked(pairs: Iterable[SentencePair], chooser: random.Random) -> list[MarkedSentence]:
    return [one for pair in pairs for one in marked_pair(pair.source, pair.target, chooser)]


def _wikibias_pairs(data: Path, on_message: OnMessage) -> list[SentencePair]:
    """The pairs of WIKIBIAS's train part whose source is biased and whose target is not."""
    sides: dict[str, dict[bool, str]] = {}
    for one in wikibias_manual.load(data, "train", on_message):
        if one.tagged.biased == one.tagged.original:
            sides.setdefault(one.tagged.group, {})[one.tagged.original] = wikibias_manual.to_example(
                one, prose=True
            ).text
    return [
        SentencePair(found[True], found[False], group)
        for group, found in sides.items()
        if True in found and False in found
    ]


def _gbnc_pairs(data: Path) -> list[SentencePair]:
    held_out = {example.group for example in split_groups(wikipedia.load_gbnc(data), SPLIT_SEED)[1]}
    return [pair for pair in wikipedia.load_gbnc_pairs(data) if pair.group not in held_out]


def _spans_with_references(sentence: AnnotatedSentence) -> list[tuple[tuple[int, int], Sequence[str]]]:
    """The spans that have references, with them."""
    return [
        ((span.start, span.end), words)
        for span, words in zip(sentence.example.spans or (), sentence.references, strict=True)
        if words
    ]


def _choose(words: Sequence[str], chooser: random.Random) -> str:
    return words[0] if len(words) == 1 or chooser.random() < _FIRST else chooser.choice(words[1:])


def _annotated(sentence: AnnotatedSentence, chooser: random.Random) -> Iterator[MarkedSentence]:
    """An annotated sentence with a reference for each span and words to keep, then one with a reference in place."""
    text = sentence.example.text
    referenced = _spans_with_references(sentence)
    spans: Sequence[GoldSpan] = sentence.example.spans or ()
    asked = [Question(*place, _choose(words, chooser)) for place, words in referenced]
    yield from _with_answers(text, asked, [(span.start, span.end) for span in spans], chooser)


def _judged(item: JudgedItem, chooser: random.Random) -> Iterator[MarkedSentence]:
    """A judged item with a reference, or its words kept, and its suggestions as sound or broken English."""
    place = (item.start, item.end)
    if item.references:
        asked = [Question(*place, _choose(item.references, chooser))]
        yield from _with_answers(item.text, asked, [place], chooser)
    elif item.kept:
        yield MarkedSentence(item.text, (Question(*place, None),))
    agreed = [one for one in item.suggestions if one.is_sound is not None]
    if agreed:
        one = chooser.choice(agreed)
        yield MarkedSentence(one.text, (Question(one.start, one.end, None, fits=one.is_sound),))


def _verdicts(items: Iterable[JudgedItem], chooser: random.Random) -> Iterator[MarkedSentence]:
    """Each judged item with the question of every suggestion whether an editor would take it."""
    for item in items:
        asked = []
        for one in item.suggestions:
            if one.is_good is None:
                continue
            question = Question(*item.place_of(one))
            if chooser.random() < _WIDENED:
                question = widen(item.text, question, chooser)
            asked.append(question._replace(taken=one.is_good))
        if asked:
            yield MarkedSentence(item.text, tuple(asked))


def _with_answers(
    text: str, asked: Sequence[Question], spans: Sequence[tuple[int, int]], chooser: random.Random
) -> Iterator[MarkedSentence]:
    wide = [
        widen(text, one, chooser) if len(asked) == 1 and chooser.random() < 0.15 else one for one in asked
    ]
    kept = words_to_keep(text, chooser, count=2 if spans else 1, apart=[*spans, *(one[:2] for one in wide)])
    questions = (*wide, *kept)
    if questions:
        yield MarkedSentence(text, questions)
    changed = [one for one in asked if one.answer]
    if changed:
        one = chooser.choice(changed)
        answer = one.answer or ""
        new = text[: one.start] + answer + text[one.end :]
        yield fitting_pair(new, [(one.start, one.start + len(answer))], chooser)


def _injected_rows(
    path: Path, scored: NearDuplicateIndex, limit: int | None, chooser: random.Random
) -> list[InjectedPair]:
    made = [
        row
        for row in read_injected(path)
        if row.part == "train" and not scored.has_near_duplicate(row.neutral)
    ]
    chooser.shuffle(made)
    return made[:limit]


def _injected(row: InjectedPair, chooser: random.Random) -> Iterator[MarkedSentence]:
    """The injected sentence with all its edits, of which it may have several."""
    asked = [Question(edit.start, edit.end, edit.after) for edit in row.edits]
    places = [(edit.start, edit.end) for edit in row.edits]
    yield MarkedSentence(row.biased, (*asked, *words_to_keep(row.biased, chooser, apart=places)))
