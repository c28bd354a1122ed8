"""The reader's corpora combined: what is trained on, what is held out, and what is kept out of both."""

from __future__ import annotations

import random
from dataclasses import dataclass
from pathlib import Path

from core.engine.cues import Lexicon
from training.corpora import allsides, auxiliary_tasks, babe, user_data, wikipedia
from training.corpora.injected_pairs import read_injected
from training.text.edits import KindFinder
from training.text.near_duplicates import NearDuplicateIndex
from training.types import NOT_POLITICAL, Example, GoldSpan, OnMessage, require_classes

SPLIT_SEED = 42
"""The seed of the bundled reader's split: the rewriter is not trained on what it holds out."""

_BABE_DEV = 0.12
_SUBJ = "31_SUBJ"


@dataclass(frozen=True, slots=True)
class DatasetMix:
    """Examples by use. ``dev_*`` select thresholds and calibration; no training example is a near duplicate of them."""

    babe: list[Example]
    wnc: list[Example]
    gbnc: list[Example]
    cw_hard: list[Example]
    articles: list[Example]
    not_political: list[Example]
    related: dict[auxiliary_tasks.AuxiliaryTask, list[Example]]
    dev_babe: list[Example]
    dev_wnc: list[Example]
    dev_gbnc: list[Example]
    dev_articles: list[Example]
    dropped: int
    corrections: list[Example]
    own_pairs: list[Example]


def load_dataset_mix(
    data: Path,
    *,
    seed: int = SPLIT_SEED,
    limit: int | None = None,
    corrections: Path | None = None,
    own_pairs: Path | None = None,
    on_message: OnMessage = print,
) -> DatasetMix:
    """Read every corpus under ``data``, without near duplicates of scored sentences.

    Held out: 12% of BABE SG2 (stratified, regardless of publisher), WNC's own dev part, an eighth of GBNC's pairs, and
    the articles of about one publisher in five. ``limit`` caps each corpus (a smoke test); ``corrections`` and
    ``own_pairs`` are files of the user.
    """
    kinds = KindFinder(Lexicon.load())
    sg2 = babe.load(data, kinds)
    require_classes(
        (int(example.bias or 0) for example in sg2), ("not biased", "biased"), corpus="BABE (SG2)"
    )
    dev_wnc = wikipedia.load_wnc(data, kinds, part="dev")
    scored = NearDuplicateIndex([*babe.texts(data), *(example.text for example in dev_wnc)])
    dropped = 0

    def apart(examples: list[Example]) -> list[Example]:
        nonlocal dropped
        kept = [example for example in examples if not scored.has_near_duplicate(example.text)]
        dropped += len(examples) - len(kept)
        return _cap(kept, limit, seed)

    train_babe, dev_babe = _split_babe(sg2, seed)
    gbnc_train, gbnc_dev = split_groups(apart(wikipedia.load_gbnc(data)), seed)
    statements = apart(wikipedia.load_cw_hard(data))
    tasks = {task: apart(auxiliary_tasks.load(data, task)) for task in auxiliary_tasks.TASKS}
    on_message("corpora read; reading the articles")
    found = allsides.load(data, scored)
    require_classes((item.leaning for item in found), ("left", "center", "right"), corpus="The articles")
    candidates = allsides.sample_windows(found, per_article=2, per_outlet=700, seed=seed)
    held = {item.outlet for item in found if allsides.is_held_out(item.outlet)}
    return DatasetMix(
        babe=_cap(train_babe, limit, seed),
        wnc=apart(wikipedia.load_wnc(data, kinds, part="train")),
        gbnc=_cap(gbnc_train, limit, seed),
        cw_hard=statements,
        articles=_cap([window for window in candidates if window.group not in held], limit, seed),
        not_political=_cap(_other_prose(statements, tasks, seed), limit, seed),
        related=tasks,
        dev_babe=_cap(dev_babe, limit, seed),
        dev_wnc=_cap(dev_wnc, limit, seed),
        dev_gbnc=_cap(gbnc_dev, limit, seed),
        dev_articles=_cap([window for window in candidates if window.group in held], limit or 1500, seed),
        dropped=dropped,
        corrections=_cap(user_data.load_corrections(corrections, scored), limit, seed) if corrections else [],
        own_pairs=_cap(user_data.load_pairs_examples(own_pairs, scored, kinds, on_message), limit, seed)
        if own_pairs
        else [],
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


def _cap(examples: list[Example], limit: int | None, seed: int) -> list[Example]:
    if limit is None or len(examples) <= limit:
        return examples
    return random.Random(seed).sample(examples, limit)


def _split_babe(examples: list[Example], seed: int) -> tuple[list[Example], list[Example]]:
    """A stratified dev part, and a train part without near duplicates of it."""
    chooser = random.Random(seed)
    dev: list[Example] = []
    rest: list[Example] = []
    for label in (0.0, 1.0):
        group = [example for example in examples if example.bias == label]
        chooser.shuffle(group)
        cut = int(len(group) * _BABE_DEV)
        dev += group[:cut]
        rest += group[cut:]
    index = NearDuplicateIndex(example.text for example in dev)
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
