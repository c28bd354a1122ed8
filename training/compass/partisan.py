"""Partisan texts to pre-train on: news by the rating of their outlet, and political speech by party.

Feng et al. (2023), section 3, took the news of POLITICS and posts of Reddit; here are the AllSides articles of Baly et
al. (2020), and speeches in the place of social media, of the left and the right alone. Their border in time is the
inauguration of 20 January 2017 (Figure 2), which only news has on both sides.
"""

from __future__ import annotations

import datetime
import json
import random
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from training.compass.tasks import TASKS
from training.corpora import articles, speeches
from training.corpora.base import AGAIN, CENTER, LEFT, RIGHT, CorpusError, located, open_file, tell
from training.corpora.reading import Unread, lines
from training.corpora.real_world import Side
from training.near import NearIndex

NEWS, SPEECH = "news", "speech"
BEFORE, AFTER = "before", "after"
BORDER = datetime.date(2017, 1, 20)
_LEANINGS = {"left": LEFT, "center": CENTER, "right": RIGHT}
_SIDES = {"left": Side.LEFT, "right": Side.RIGHT}
_NAME = re.compile(rf"({NEWS}|{SPEECH})-(left|center|right)(?:-({BEFORE}|{AFTER}))?")
_WORDS = 20
"""A text of fewer words is a caption or a remark."""


@dataclass(frozen=True, slots=True)
class Partisan:
    """Which texts: ``domain`` NEWS or SPEECH, ``side`` left, center or right, ``period`` BEFORE, AFTER or neither."""

    domain: str
    side: str
    period: str = ""

    @property
    def name(self) -> str:
        """As a person writes it: ``news-left-after``."""
        return "-".join(part for part in (self.domain, self.side, self.period) if part)


def partisan(name: str) -> Partisan:
    """What a name says. Raises CorpusError for another, and for speeches of the center or after the border."""
    found = _NAME.fullmatch(name)
    if found is None:
        raise CorpusError(
            f"{name} is no partisan corpus. Say news-left, news-center, news-right, speech-left or speech-right, news "
            "with -before or -after (20 January 2017) behind it or without."
        )
    domain, side, period = found.groups(default="")
    if domain == SPEECH and (side == "center" or period):
        raise CorpusError(f"{name}: speeches are of the left and the right alone, and all older than 2017.")
    return Partisan(domain, side, period)


def texts(
    data: Path, wanted: Partisan, *, held: NearIndex | None = None, say: Callable[[str], None] = tell
) -> list[str]:
    """The texts of a corpus in the order of its files, without those near a sentence of ``held``.

    Raises CorpusError where the corpus is not there or nothing is left.
    """
    found: Iterable[str] = (
        _news(data, wanted, say) if wanted.domain == NEWS else _speeches(data, _SIDES[wanted.side], say)
    )
    kept = [text for text in dict.fromkeys(found) if held is None or not held.near(text)]
    if not kept:
        raise CorpusError(f"There is no text of {wanted.name} in {data}. Name another corpus.")
    return kept


def scored(data: Path, *, say: Callable[[str], None] = tell) -> NearIndex:
    """The dev and test texts of every downstream task whose corpus is here: what no model may have read before."""
    found: list[str] = []
    for task in TASKS.values():
        if all(located(data, name).is_file() for name in task.files):
            parts = task.load(data)
            found += [item.text for part in (parts.dev, parts.test) for item in part]
    say(f"{len(found):,} scored texts of downstream tasks are kept out of pre-training.")
    return NearIndex(found)


def _news(data: Path, wanted: Partisan, say: Callable[[str], None]) -> Iterator[str]:
    leaning = _LEANINGS[wanted.side]
    undated = 0
    for row in _articles(data, say):
        if str(row.get("bias")) != str(leaning):
            continue
        period = _period(str(row.get("date") or ""))
        undated += not period
        text = articles.plain(str(row.get("content") or "")).strip()
        if wanted.period in ("", period) and len(text.split()) >= _WORDS:
            yield text
    if wanted.period and undated:
        say(f"{wanted.name}: {undated:,} articles of this side have no date and are left out.")


def _articles(data: Path, say: Callable[[str], None]) -> Iterator[dict[str, object]]:
    """Every article as an object: lines of one file, or a file each."""
    folder, place = data / articles.FACTS.folder, articles.FACTS.files[0]
    if folder.is_dir() and not located(data, place).is_file():
        path = folder
        rows: Iterator[str] = ("".join(lines(one)) for one in sorted(folder.glob("*.json")))
    else:
        path = open_file(data, place)
        rows = lines(path)
    unread, read = Unread(path, say), 0
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
        raise CorpusError(f"{path} holds no articles. {AGAIN}")


def _period(date: str) -> str:
    """On which side of the border a date lies; nothing for one that is none."""
    try:
        return BEFORE if datetime.date.fromisoformat(date[:10]) < BORDER else AFTER
    except ValueError:
        return ""


def _speeches(data: Path, side: Side, say: Callable[[str], None]) -> list[str]:
    """The sentences of one side: of Convote, of the debates, or of both where both are there."""
    found: list[str] = []
    missing: list[CorpusError] = []
    for load in (speeches.load_convote, speeches.load_debates):
        try:
            found += [one.text for one in load(data, say=say) if one.side == side]
        except CorpusError as error:
            missing.append(error)
    if len(missing) == 2:
        raise missing[0]
    return found


def share(every: Sequence[str], *, of: float) -> list[str]:
    """The first texts in a fixed shuffle, ``of`` in (0, 1] of all: a larger share holds every smaller one."""
    order = list(range(len(every)))
    random.Random(0).shuffle(order)
    return [every[at] for at in sorted(order[: max(1, round(of * len(every)))])]
