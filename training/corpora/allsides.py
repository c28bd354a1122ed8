"""AllSides articles (Baly et al. 2020) as short windows of text with the outlet's rating.

What gives the outlet away is taken out: its name and those of all others, datelines, and by-lines. The text of the
release is tokenised (Penn Treebank); windows are put back together so that the reader sees ordinary prose.

The first line of a release is an article's first paragraph, or a title, a caption, or a line of the publisher's own. A
first paragraph stands apart as the article's lead: the shipped reader and the kept tables were made without it.
"""

from __future__ import annotations

import json
import random
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from training.corpora.files import UnreadableRows, read_lines
from training.text.near_duplicates import NearDuplicateIndex
from training.types import (
    DOWNLOAD_AGAIN,
    CorpusError,
    CorpusFacts,
    Example,
    OnMessage,
    locate_file,
    open_file,
    print_to_stderr,
)

FACTS = CorpusFacts(
    key="articles",
    name="Article-Bias-Prediction (AllSides)",
    homepage="https://github.com/ramybaly/Article-Bias-Prediction",
    licence="Apache-2.0 (repository); the articles are their publishers'",
    files=("article_bias/articles.jsonl.xz",),
    manual_steps="The articles are their publishers': read their terms first. Then clone the repository and "
    "copy its folder "
    "data/jsons to article_bias/jsons; or put the articles into article_bias/articles.jsonl, one JSON object a line.",
    folder="article_bias/jsons",
)
_JOINS = (
    (re.compile(r"\s+(n['’]t|['’](?:s|re|ve|ll|d|m)\b)"), r"\1"),
    (re.compile(r"\s+’\s+(s|re|ve|ll|d|m|t)\b"), r"’\1"),
    (re.compile(r"``\s*|\s*''"), '"'),
    (re.compile(r"\s+([.,;:!?%)\]”])"), r"\1"),
    (re.compile(r"([(\[“$#])\s+"), r"\1"),
)
_DATELINE = re.compile(
    r"^\W*(?:[A-Z][A-Z.,'’ ]{3,40}|[A-Z][\w. ]{2,25},? [\w. ]{0,20})\s*(?:\([^)]{2,30}\)\s*)?[—–-]+\s+"
)
_BYLINE = re.compile(r"^(?:by|story by|updated|published|posted|follow)\b.{0,80}$", re.IGNORECASE)
_ASIDE = re.compile(
    r"""\b(?:
        AP | AFP | Getty | Reuters | photos? | photograph\w* | poster | https? | jpg  # a caption, or its credit
        | newsletters? | subscri\w+ | sign(?:ing)?\ up | reader[-\ ]supported | member\ article | sharing\ options
        | share\ this | click\ here | follow\ us | story\ highlights | (?:opinions|views)\ expressed
        | editor\ ?['’]s\ note | all\ rights\ reserved
    )\b | \s\|\s""",
    re.IGNORECASE | re.VERBOSE,
)
"""What a publisher puts before its articles, which would give it away."""
_SECTION = re.compile(r"\s*(?:\(.*\)|- (?:News|Editorial|Opinion)|Online News|Online|Opinion)\s*$")
_TITLE = 4
"""A first line that begins with so many words of the title is the title."""
_EVERYDAY = frozenset(
    "Hill Reason Week Slate Vice Nation Atlantic Time Intercept Guardian Independent Root Bulwark".split()
)
_STRAY = re.compile(r"\s+([.,;:!?])")
ItemT = TypeVar("ItemT")
_ENDS = re.compile(r"(?<=[.!?])\s+(?=[\"“A-Z])")


@dataclass(frozen=True, slots=True)
class RawArticle:
    """One article as it was released. ``leaning`` is 0 left, 1 center, 2 right."""

    outlet: str
    leaning: int
    topic: str
    title: str
    content: str


@dataclass(frozen=True, slots=True)
class Article:
    """One article without its outlet's marks. ``leaning`` is 0 left, 1 center, 2 right.

    ``lead``: the sentences of its first paragraph, before ``sentences``; none where its first line is something else.
    """

    outlet: str
    leaning: int
    topic: str
    sentences: tuple[str, ...]
    lead: tuple[str, ...] = ()

    @property
    def whole(self) -> tuple[str, ...]:
        """Its sentences from the first paragraph on."""
        return (*self.lead, *self.sentences)


def strip_markup(content: str) -> str:
    """Ordinary prose from Penn Treebank tokens: ``wo n't`` becomes ``won't``."""
    for pattern, replacement in _JOINS:
        content = pattern.sub(replacement, content)
    return content


def outlet_pattern(outlets: set[str]) -> re.Pattern[str]:
    """Matches every outlet's name as it is written, with and without its section and domain, and web addresses.

    Names that are everyday words too (*Time*, *Hill*) match only with their article or section.
    """
    names: set[str] = set()
    for outlet in outlets:
        name = _SECTION.sub("", outlet).strip()
        for form in (outlet, name, re.sub(r"^The ", "", name), re.sub(r"\.com$", "", name)):
            if len(form) >= 3 and (" " in form or form not in _EVERYDAY):
                names.add(form)
    names.update(
        ("FoxNews", "Fox News", "NYT", "WSJ", "NPR", "CNN", "Breitbart", "HuffPost", "Huffington Post")
    )
    choices = "|".join(re.escape(name) for name in sorted(names, key=len, reverse=True))
    return re.compile(rf"(?:[Tt]he\s+)?\b(?:{choices})\b(?:['’]s)?|https?://\S+|\b[\w-]+\.(?:com|org)\b")


def read_articles(data: Path, *, on_message: OnMessage = print_to_stderr) -> list[RawArticle]:
    """All articles as released: lines of one file, or one file each in ``article_bias/jsons``.

    Raises CorpusError for a missing or damaged file, with the row's number.
    """
    folder = data / FACTS.folder
    if folder.is_dir() and not locate_file(data, FACTS.files[0]).is_file():
        path, rows = folder, _objects(sorted(folder.glob("*.json")))
    else:
        path = open_file(data, FACTS.files[0])
        rows = (
            (number, _object(line, path, number)) for number, line in enumerate(read_lines(path), start=1)
        )
    found: list[RawArticle] = []
    unread = UnreadableRows(path, on_message)
    for row in unread.reading(rows):
        outlet, content, leaning = row.get("source"), row.get("content"), row.get("bias")
        if outlet and content and str(leaning) in ("0", "1", "2"):
            topic, title = str(row.get("topic") or ""), str(row.get("title") or "")
            found.append(RawArticle(str(outlet), int(str(leaning)), topic, title, str(content)))
        else:
            unread.leave_out("no source, content or bias")
    if not found:
        raise CorpusError(f"{path} contains no articles. {DOWNLOAD_AGAIN}")
    return found


def _objects(paths: Sequence[Path]) -> Iterator[tuple[int, dict[str, object]]]:
    for number, path in enumerate(paths, start=1):
        yield number, _object("".join(read_lines(path)), path, 1)


def _object(text: str, path: Path, number: int) -> dict[str, object]:
    row = None
    with suppress(json.JSONDecodeError, RecursionError):
        row = json.loads(text)
    if not isinstance(row, dict):
        cut = text.lstrip().startswith("{") and not text.rstrip().endswith("}")
        why = "the file is truncated" if cut else "the file was altered"
        raise CorpusError(f"{path}, row {number}: no JSON object; {why}. {DOWNLOAD_AGAIN}")
    return row


def load(data: Path, near: NearDuplicateIndex, *, on_message: OnMessage = print_to_stderr) -> list[Article]:
    """All articles that hold no scored sentence, cleaned and split into sentences."""
    raw = read_articles(data, on_message=on_message)
    names = outlet_pattern({row.outlet for row in raw})
    articles: list[Article] = []
    for row in raw:
        if near.has_near_duplicate(row.content):
            continue
        first, *lines = row.content.split("\n")
        sentences = tuple(sentence for line in lines for sentence in _sentences(line, names))
        if len(sentences) >= 4:
            lead = () if _is_aside(first, row.title) else tuple(_sentences(first, names))
            articles.append(Article(row.outlet, row.leaning, row.topic, sentences, lead))
    return articles


def _is_aside(line: str, title: str) -> bool:
    text = strip_markup(line.strip())
    same = text.casefold().split()[:_TITLE] == title.casefold().split()[:_TITLE]
    return same or _ASIDE.search(_DATELINE.sub("", text)) is not None


def _sentences(line: str, names: re.Pattern[str]) -> Iterator[str]:
    line = line.strip()
    if len(line.split()) < 6 or _BYLINE.match(line):
        return
    text = names.sub(" ", _DATELINE.sub("", strip_markup(line)))
    for sentence in _ENDS.split(_STRAY.sub(r"\1", re.sub(r"\s+", " ", text)).strip()):
        if 5 <= len(sentence.split()) <= 80:
            yield sentence


def sample_windows(articles: list[Article], *, per_article: int, per_outlet: int, seed: int) -> list[Example]:
    """Runs of one to six sentences (up to about 100 words), at most ``per_outlet`` windows from each outlet."""
    chooser = random.Random(seed)
    by_outlet: dict[str, list[Example]] = defaultdict(list)
    for article in articles:
        for _ in range(per_article):
            first = chooser.randrange(len(article.sentences))
            wanted = chooser.choice((15, 40, 90, 90))
            taken: list[str] = []
            for sentence in article.sentences[first : first + 6]:
                if taken and sum(len(part.split()) for part in taken) + len(sentence.split()) > wanted + 15:
                    break
                taken.append(sentence)
            text = " ".join(taken)
            by_outlet[article.outlet].append(
                Example(text, "articles", leaning=article.leaning, group=article.outlet, topic=article.topic)
            )
    kept: list[Example] = []
    for outlet in sorted(by_outlet):
        found = by_outlet[outlet]
        chooser.shuffle(found)
        kept.extend(found[:per_outlet])
    return kept


def limit_per_group(
    items: Iterable[ItemT], group: Callable[[ItemT], str], *, most: int, seed: int
) -> list[ItemT]:
    """At most ``most`` items of each group, an outlet or a publisher, drawn at random; groups sorted by name."""
    by_group: dict[str, list[ItemT]] = defaultdict(list)
    for item in items:
        by_group[group(item)].append(item)
    chooser = random.Random(seed)
    return [
        item
        for name in sorted(by_group)
        for item in chooser.sample(by_group[name], min(most, len(by_group[name])))
    ]


def split_windows(sentences: Sequence[str], *, words: int = 90) -> list[str]:
    """Consecutive windows of about ``words`` words; a short rest is left out unless it is all there is."""
    pieces: list[str] = []
    taken: list[str] = []
    count = 0
    for sentence in sentences:
        taken.append(sentence)
        count += len(sentence.split())
        if count >= words:
            pieces.append(" ".join(taken))
            taken, count = [], 0
    return pieces or [" ".join(taken)]


def publisher_of(outlet: str) -> str:
    """The publisher of an outlet, so that its sections (*Fox News*, *Fox Online News*) stay together in a split."""
    return re.sub(r"\W|\b(?:the|news|online|opinion|editorial|com)\b", "", outlet.lower().replace("-", " "))


def is_held_out(outlet: str) -> bool:
    """True for the publishers, about one in five, that are held out for dev, by a hash of their name alone."""
    return sum(publisher_of(outlet).encode()) * 7919 % 5 == 0
