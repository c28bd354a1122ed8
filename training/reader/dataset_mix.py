"""The reader's corpora combined: what is trained on, what is held out, and what is kept out of both."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import zip_longest
from pathlib import Path
from typing import TypeVar

from core.engine.cues import Lexicon
from training.corpora import (
    ALL,
    allsides,
    anno_lexical,
    annotated_sentences,
    auxiliary_tasks,
    babe,
    news_pool,
    opinion_spans,
    political_texts,
    user_data,
    wikibias_manual,
    wikipedia,
)
from training.corpora.annotated_sentences import AnnotatedSentence
from training.corpora.files import OptionalCorpora, ignore_message
from training.corpora.injected_pairs import read_injected
from training.corpora.wikibias_manual import ManualSentence
from training.reader.leaning_stage import LeaningText, leaning_texts
from training.text.edits import KindFinder
from training.text.near_duplicates import NearDuplicateIndex
from training.types import (
    NOT_POLITICAL,
    CorpusFacts,
    Example,
    GoldSpan,
    OnMessage,
    require_classes,
)

SPLIT_SEED = 42
"""The seed of the bundled reader's split: the rewriter is not trained on what it holds out."""

WIKIBIAS_UNMARKED_WEIGHT = 0.8
"""How much an unmarked word of WIKIBIAS counts as neutral: its annotators read one edit of each pair."""
CORPORA = (*ALL, political_texts.FACTS, political_texts.CONVOTE_FACTS)
"""Every corpus that a reader can learn from; the last two are for political leaning alone."""
RowT = TypeVar("RowT")
_BABE_DEV = 0.12
_SUBJ = "31_SUBJ"
_WIKIBIAS = "wikibias "
"""How the group of an annotated sentence of WIKIBIAS begins."""


@dataclass(frozen=True, slots=True)
class DatasetMix:
    """Examples by use. ``dev_*`` select thresholds and calibration; no training example is a near duplicate of them.

    ``annotated`` are the sentences in which every biased span is marked, of ``editors/`` and of this project;
    ``annotated_corpora`` those of other corpora.
    ``unlabelled`` sentences are labelled by a teacher alone. ``corpora`` are those that were read; ``missing`` has a
    line for each corpus that is not there, on what the reader does not learn without it.
    """

    babe: list[Example]
    wikibias: list[Example]
    annotated: list[Example]
    annotated_corpora: list[Example]
    wnc: list[Example]
    gbnc: list[Example]
    cw_hard: list[Example]
    anno_lexical: list[Example]
    opinions: list[Example]
    unlabelled: list[Example]
    articles: list[Example]
    not_political: list[Example]
    auxiliary: dict[auxiliary_tasks.AuxiliaryTask, list[Example]]
    dev_babe: list[Example]
    dev_wikibias: list[ManualSentence]
    dev_annotated: list[AnnotatedSentence]
    dev_wnc: list[Example]
    dev_gbnc: list[Example]
    leaning_texts: list[LeaningText]
    dropped: int
    corrections: list[Example]
    own_pairs: list[Example]
    corpora: tuple[CorpusFacts, ...] = CORPORA
    missing: tuple[str, ...] = ()

    @property
    def wikibias_prose(self) -> list[Example]:
        """The sentences of WIKIBIAS as people write them, the second half; the first has spaces between all tokens."""
        return self.wikibias[len(self.wikibias) // 2 :]


def load_dataset_mix(
    data: Path,
    *,
    seed: int = SPLIT_SEED,
    limit: int | None = None,
    corrections: Path | None = None,
    own_pairs: Path | None = None,
    unlabelled: bool = True,
    on_message: OnMessage = print,
) -> DatasetMix:
    """Read every corpus under ``data``, without near duplicates of scored sentences.

    Held out: 12% of BABE SG2 (stratified, regardless of publisher), the dev parts of WIKIBIAS and WNC, one article or
    page in five of the annotated sentences, an eighth of GBNC's pairs, and the articles of about one publisher in five.
    ``limit`` caps each corpus (a smoke test); ``corrections`` and ``own_pairs`` are files of the user; sentences for a
    teacher alone are left out without ``unlabelled``. BABE, the pairs of WNC's train and dev parts, GBNC, CW-Hard, the
    articles and the auxiliary tasks are required; of any other corpus that is not there, a message says what the run
    does without it; another says what was read.
    """
    kinds = KindFinder(Lexicon.load())
    optional = OptionalCorpora(on_message)
    sg2 = babe.load(data, kinds)
    require_classes(
        (int(example.bias or 0) for example in sg2), ("not biased", "biased"), corpus="BABE (SG2)"
    )
    dev_wnc = wikipedia.load_wnc(data, kinds, part="dev")
    manual = optional(
        lambda: wikibias_manual.load(data, "train", on_message),
        "spans and kinds that annotators marked",
        wikibias_manual.FACTS,
    )
    dev_manual = optional(lambda: wikibias_manual.load(data, "dev", on_message), "dev scores on WIKIBIAS")
    read_in_full = optional(
        lambda: annotated_sentences.load(data, on_message),
        "2,226 sentences in which every span is marked",
        annotated_sentences.FACTS,
    )
    annotated, dev_annotated = annotated_sentences.split([*read_in_full, *annotated_sentences.load_written()])
    of_corpora = [one.example for one in annotated_sentences.load_corpus_sentences(data, ignore_message)]
    dev_texts = [
        *(example.text for example in dev_wnc),
        *(" ".join(sentence.tagged.tokens) for sentence in dev_manual),
        *(sentence.example.text for sentence in dev_annotated),
    ]
    scored = NearDuplicateIndex([*babe.texts(data), *dev_texts])
    dropped = 0

    def apart(name: str, examples: list[Example]) -> list[Example]:
        nonlocal dropped
        kept = [example for example in examples if not scored.has_near_duplicate(example.text)]
        dropped += len(examples) - len(kept)
        on_message(
            f"{name}: {len(kept):,} read, {len(examples) - len(kept):,} near to scored sentences left out"
        )
        return _cap(kept, limit, seed)

    train_babe, dev_babe = _split_babe(sg2, dev_texts, seed)
    gbnc_train, gbnc_dev = split_groups(apart("GBNC", wikipedia.load_gbnc(data)), seed)
    statements = apart("CW-Hard", wikipedia.load_cw_hard(data))
    tasks = {task: apart(task.name, auxiliary_tasks.load(data, task)) for task in auxiliary_tasks.TASKS}
    more_pairs = optional(
        lambda: wikipedia.load_additional_wnc(data, kinds), "27,836 more edits of Wikipedia's editors"
    )
    single = (
        optional(lambda: wikipedia.load_unpaired_biased(data), "101,751 biased sentences without a partner")
        if unlabelled
        else []
    )
    pool = optional(
        lambda: news_pool.load(data, on_message),
        "news sentences for a teacher to label, and for the leaning",
        news_pool.FACTS,
    )
    opinions = [
        example
        for load, what, facts in (
            (opinion_spans.load_ptc, "loaded words of propaganda", opinion_spans.PTC_FACTS),
            (opinion_spans.load_mpqa, "subjective words in the writer's own voice", opinion_spans.MPQA_FACTS),
            (
                opinion_spans.load_uncertainty,
                "attributions without a source",
                opinion_spans.UNCERTAINTY_FACTS,
            ),
        )
        for example in optional(partial(load, data, on_message), what, facts)
    ]
    voted = optional(
        lambda: anno_lexical.load(data, on_message),
        "how biased 64,380 news sentences are",
        anno_lexical.FACTS,
    )
    passages = [
        *optional(
            lambda: political_texts.load(data, on_message=on_message),
            "books and speeches of either side, for the leaning",
            political_texts.FACTS,
        ),
        *optional(
            lambda: political_texts.load_convote(data, on_message=on_message),
            "speeches of either party, for the leaning",
            political_texts.CONVOTE_FACTS,
        ),
    ]
    on_message("corpora read; reading the articles")
    found = allsides.load(data, scored)
    require_classes((item.leaning for item in found), ("left", "center", "right"), corpus="The articles")
    candidates = allsides.sample_windows(found, per_article=2, per_outlet=700, seed=seed)
    held = {item.outlet for item in found if allsides.is_held_out(item.outlet)}
    return DatasetMix(
        babe=_cap(train_babe, limit, seed),
        wikibias=apart("WIKIBIAS", _manual_examples(manual, of_corpora)),
        annotated=apart("annotated sentences", [sentence.example for sentence in annotated]),
        annotated_corpora=apart(
            "annotated sentences of other corpora",
            [one for one in of_corpora if not one.group.startswith(_WIKIBIAS)],
        ),
        wnc=apart("WNC", [*wikipedia.load_wnc(data, kinds, part="train"), *more_pairs]),
        gbnc=_cap(gbnc_train, limit, seed),
        cw_hard=statements,
        anno_lexical=apart("anno-lexical", voted),
        opinions=apart("opinions", opinions),
        unlabelled=apart("sentences without labels", _unlabelled(single, pool, seed)) if unlabelled else [],
        articles=_cap([window for window in candidates if window.group not in held], limit, seed),
        not_political=_cap(_other_prose(statements, tasks, seed), limit, seed),
        auxiliary=tasks,
        dev_babe=_cap(dev_babe, limit, seed),
        dev_wikibias=dev_manual[:limit],
        dev_annotated=dev_annotated[:limit],
        dev_wnc=_cap(dev_wnc, limit, seed),
        dev_gbnc=_cap(gbnc_dev, limit, seed),
        leaning_texts=leaning_texts(
            found,
            passages,
            pool,
            [example.text for example in statements if example.group == "neutral_featured"],
            seed=seed,
            limit=6 if limit else None,
        ),
        dropped=dropped,
        corrections=_cap(user_data.load_corrections(corrections, scored), limit, seed) if corrections else [],
        own_pairs=_cap(user_data.load_pairs_examples(own_pairs, scored, kinds, on_message), limit, seed)
        if own_pairs
        else [],
        corpora=tuple(facts for facts in CORPORA if facts not in optional.absent),
        missing=tuple(optional.missing),
    )


def injected_examples(path: Path, *, limit: int | None = None) -> list[Example]:
    """Both sides of injected pairs: the injected words are spans of known kind, the neutral side has none.

    No source is a near duplicate of a scored sentence: they were left out when the file was made. Raises CorpusError.
    """
    rows = [row for row in read_injected(path) if row.part == "train"][:limit]
    made: list[Example] = []
    for row in rows:
        spans = tuple(GoldSpan(edit.start, edit.end, edit.kind) for edit in row.edits)
        made.append(Example(row.biased, "injected", spans=spans, bias=1.0, group=row.group))
        made.append(Example(row.neutral, "injected", spans=(), bias=0.0, group=row.group))
    return made


def _manual_examples(sentences: Sequence[ManualSentence], of_corpora: Sequence[Example]) -> list[Example]:
    """Every sentence twice: its tokens with spaces between, as its corpus has them, and as people write it.

    A word that its annotators left alone, and that was marked when the sentence was read in full, has no label.
    """
    loaded = {one.text: one.spans or () for one in of_corpora if one.group.startswith(_WIKIBIAS)}
    found: list[Example] = []
    for prose in (False, True):
        for sentence in sentences:
            example = wikibias_manual.to_example(sentence, prose=prose)
            spans = loaded.get(wikibias_manual.to_example(sentence, prose=True).text, ())
            known = wikibias_manual.places_without(sentence, spans, prose=prose) if spans else None
            found.append(replace(example, unmarked_weight=WIKIBIAS_UNMARKED_WEIGHT, labelled_ranges=known))
    return found


def _unlabelled(single: list[Example], pool: list[Example], seed: int) -> list[Example]:
    """Biased sentences of Wikipedia and news sentences in turn, each drawn by ``seed``, without their labels."""
    chooser = random.Random(seed)
    sizes = min(len(single), len(pool)) or max(len(single), len(pool))
    drawn = [chooser.sample(part, min(sizes, len(part))) for part in (single, pool)]
    mixed = [example for pair in zip_longest(*drawn) for example in pair if example is not None]
    return [Example(example.text, example.corpus, group=example.group) for example in mixed]


def _cap(examples: list[Example], limit: int | None, seed: int) -> list[Example]:
    if limit is None or len(examples) <= limit:
        return examples
    return random.Random(seed).sample(examples, limit)


def _split_babe(
    examples: list[Example], dev_texts: Sequence[str], seed: int
) -> tuple[list[Example], list[Example]]:
    """A stratified dev part, and a train part without near duplicates of it and of ``dev_texts``."""
    chooser = random.Random(seed)
    dev: list[Example] = []
    rest: list[Example] = []
    for label in (0.0, 1.0):
        group = [example for example in examples if example.bias == label]
        chooser.shuffle(group)
        cut = int(len(group) * _BABE_DEV)
        dev += group[:cut]
        rest += group[cut:]
    index = NearDuplicateIndex([*dev_texts, *(example.text for example in dev)])
    return [example for example in rest if not index.has_near_duplicate(example.text)], dev


def split_groups(examples: list[Example], seed: int) -> tuple[list[Example], list[Example]]:
    """Train and dev parts of ``examples``: an eighth of the groups, drawn by ``seed``, is dev."""
    groups = sorted({example.group for example in examples})
    random.Random(seed).shuffle(groups)
    held = set(groups[: len(groups) // 8])
    train = [example for example in examples if example.group not in held]
    return train, [example for example in examples if example.group in held]


def _other_prose(
    statements: list[Example], tasks: dict[auxiliary_tasks.AuxiliaryTask, list[Example]], seed: int
) -> list[Example]:
    """Prose that is not political: featured-article statements and film reviews, one to four joined."""
    chooser = random.Random(seed)
    pool = [example.text for example in statements if example.group == "neutral_featured"]
    films = [example.text for task, rows in tasks.items() if task.folder == _SUBJ for example in rows]
    texts = pool + films[: len(pool) // 3]
    chooser.shuffle(texts)
    made: list[Example] = []
    at = 0
    while at < len(texts):
        count = chooser.choice((1, 1, 2, 4))
        made.append(Example(" ".join(texts[at : at + count]), "other", leaning=NOT_POLITICAL))
        at += count
    return made
