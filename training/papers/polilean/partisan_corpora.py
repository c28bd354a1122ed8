"""Partisan texts for pre-training: news by the rating of the outlet, speeches by party, without hateful texts.

Feng et al. (2023), section 3, use the news of POLITICS and posts of Reddit; here these are the AllSides articles of
Baly et al. (2020), and speeches of the left and the right instead of social media. The border in time is the
inauguration of 20 January 2017 (Figure 2); only news has both periods. The paper's filter of hateful texts is a RoBERTa
fine-tuned on the hate speech of TweetEval.
"""

from __future__ import annotations

import datetime
import json
import random
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import torch

from training.auditing.compass.detectors import TASKS
from training.corpora import allsides, political_texts
from training.corpora.files import UnreadableRows, read_lines
from training.corpora.political_texts import Side
from training.loop.batches import length_batches
from training.loop.training_loop import TrainingError
from training.modeling.pretrained import load_pretrained
from training.text.near_duplicates import NearDuplicateIndex
from training.types import (
    CENTER,
    DOWNLOAD_AGAIN,
    LEFT,
    RIGHT,
    CorpusError,
    locate_file,
    open_file,
    print_to_stderr,
)

NEWS, SPEECH = "news", "speech"
BEFORE, AFTER = "before", "after"
BORDER = datetime.date(2017, 1, 20)
_LEANINGS = {"left": LEFT, "center": CENTER, "right": RIGHT}
_SIDES = {"left": Side.LEFT, "right": Side.RIGHT}
_NAME = re.compile(rf"({NEWS}|{SPEECH})-(left|center|right)(?:-({BEFORE}|{AFTER}))?")
_WORDS = 20
"""Texts with fewer words are captions or remarks."""


@dataclass(frozen=True, slots=True)
class PartisanCorpus:
    """Which texts: ``domain`` NEWS or SPEECH, ``side`` left, center or right, ``period`` BEFORE, AFTER or neither."""

    domain: str
    side: str
    period: str = ""

    @property
    def name(self) -> str:
        """The name on the command line: ``news-left-after``."""
        return "-".join(part for part in (self.domain, self.side, self.period) if part)


def parse_corpus(name: str) -> PartisanCorpus:
    """The corpus with this name. Raises CorpusError for an unknown one, and for speeches of the center or by period."""
    found = _NAME.fullmatch(name)
    if found is None:
        raise CorpusError(
            f"{name} is no partisan corpus. Name news-left, news-center, news-right, speech-left or "
            "speech-right; a name of news may end in -before or -after (20 January 2017)."
        )
    domain, side, period = found.groups(default="")
    if domain == SPEECH and (side == "center" or period):
        raise CorpusError(f"{name}: there are only speeches of the left and the right, all before 2017.")
    return PartisanCorpus(domain, side, period)


def load_texts(
    data: Path,
    wanted: PartisanCorpus,
    *,
    excluded: NearDuplicateIndex | None = None,
    on_message: Callable[[str], None] = print_to_stderr,
) -> list[str]:
    """The texts of a corpus in file order, without near-duplicates of ``excluded``.

    Raises CorpusError if the corpus is missing or nothing is left.
    """
    found: Iterable[str] = (
        _news(data, wanted, on_message)
        if wanted.domain == NEWS
        else _speeches(data, _SIDES[wanted.side], on_message)
    )
    kept = [
        text for text in dict.fromkeys(found) if excluded is None or not excluded.has_near_duplicate(text)
    ]
    if not kept:
        raise CorpusError(f"There is no text of {wanted.name} in {data}. Name another corpus.")
    return kept


def load_scored_texts(
    data: Path, *, on_message: Callable[[str], None] = print_to_stderr
) -> NearDuplicateIndex:
    """The dev and test texts of every downstream task with a corpus: no model may be trained on them."""
    found: list[str] = []
    for task in TASKS.values():
        if all(locate_file(data, name).is_file() for name in task.files):
            parts = task.load(data)
            found += [item.text for part in (parts.dev, parts.test) for item in part]
    on_message(f"{len(found):,} dev and test texts of downstream tasks are left out of pre-training.")
    return NearDuplicateIndex(found)


def _news(data: Path, wanted: PartisanCorpus, on_message: Callable[[str], None]) -> Iterator[str]:
    leaning = _LEANINGS[wanted.side]
    undated = 0
    for row in _articles(data, on_message):
        if str(row.get("bias")) != str(leaning):
            continue
        period = _period(str(row.get("date") or ""))
        undated += not period
        text = allsides.strip_markup(str(row.get("content") or "")).strip()
        if wanted.period in ("", period) and len(text.split()) >= _WORDS:
            yield text
    if wanted.period and undated:
        on_message(f"{wanted.name}: {undated:,} articles of this side have no date and are left out.")


def _articles(data: Path, on_message: Callable[[str], None]) -> Iterator[dict[str, object]]:
    """All articles as JSON objects, from lines of one file or from a file each."""
    folder, place = data / allsides.FACTS.folder, allsides.FACTS.files[0]
    if folder.is_dir() and not locate_file(data, place).is_file():
        path = folder
        rows: Iterator[str] = ("".join(read_lines(one)) for one in sorted(folder.glob("*.json")))
    else:
        path = open_file(data, place)
        rows = read_lines(path)
    unread, read = UnreadableRows(path, on_message), 0
    for number, row in enumerate(rows, start=1):
        try:
            found = json.loads(row)
        except (ValueError, RecursionError):
            found = None
        if isinstance(found, dict):
            read += 1
            yield found
        else:
            unread.add(number, "no JSON object")
    unread.done(read)
    if not read:
        raise CorpusError(f"{path} contains no articles. {DOWNLOAD_AGAIN}")


def _period(date: str) -> str:
    """The period of a date; empty if it is none."""
    try:
        return BEFORE if datetime.date.fromisoformat(date[:10]) < BORDER else AFTER
    except ValueError:
        return ""


def _speeches(data: Path, side: Side, on_message: Callable[[str], None]) -> list[str]:
    """The sentences of one side from Convote and the debates, or from one of them if the other is missing."""
    found: list[str] = []
    missing: list[CorpusError] = []
    for load in (political_texts.load_convote, political_texts.load_debates):
        try:
            found += [one.text for one in load(data, on_message=on_message) if one.side == side]
        except CorpusError as error:
            missing.append(error)
    if len(missing) == 2:
        raise missing[0]
    return found


def take_share(every: Sequence[str], *, of: float) -> list[str]:
    """The first texts of a fixed shuffle, a share ``of`` in (0, 1]: larger shares contain smaller ones."""
    order = list(range(len(every)))
    random.Random(0).shuffle(order)
    return [every[at] for at in sorted(order[: max(1, round(of * len(every)))])]


EXAMPLE = "cardiffnlp/twitter-roberta-base-hate"
THRESHOLD = 0.5
_BATCH = 32
_TOKENS = 256
_HATEFUL = ("hate", "hateful", "label_1")
"""Names of the class in classifiers."""

Scorer = Callable[[Sequence[str]], list[float]]
"""Returns the probability of each text that it is hateful."""


def drop_hateful(texts: Sequence[str], scorer: Scorer) -> list[str]:
    """The texts with a probability of less than one half, in order."""
    return [text for text, chance in zip(texts, scorer(texts), strict=True) if chance < THRESHOLD]


def load_scorer(base: str | Path, *, device: torch.device) -> Scorer:
    """Load a classifier of hate speech by hub name or folder: safetensors only, no remote code. It reads 256 tokens.

    Raises TrainingError if it is not available or has no class of hate.
    """
    opened = load_pretrained(
        "classes",
        base,
        otherwise=f"a classifier of hate speech. Give --hate-filter {EXAMPLE} with a network "
        "connection, or a folder that holds one as safetensors.",
    )
    name, model, tokenizer = opened.name, opened.model, opened.tokenizer
    classes = {label.lower(): number for label, number in model.config.label2id.items()}
    hateful = next((classes[label] for label in _HATEFUL if label in classes), None)
    if not opened.is_complete or hateful is None:
        raise TrainingError(f"{name} has no trained class called hate. Name a classifier of hate speech.")
    model = opened.frozen(device)

    @torch.inference_mode()
    def scorer(texts: Sequence[str]) -> list[float]:
        longest = min(_TOKENS, tokenizer.model_max_length)
        rows = tokenizer(list(texts), truncation=True, max_length=longest)["input_ids"] if texts else []
        found = [0.0] * len(rows)
        for part in length_batches(rows, _BATCH):
            pad = tokenizer.pad({"input_ids": [rows[at] for at in part]}, return_tensors="pt").to(device)
            logits = model(input_ids=pad["input_ids"], attention_mask=pad["attention_mask"]).logits.float()
            for at, chance in zip(part, logits.softmax(1)[:, hateful].tolist(), strict=True):
                found[at] = chance
        return found

    return scorer
