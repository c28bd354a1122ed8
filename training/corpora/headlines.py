"""Distant headlines (BABE, section 4.3): news headlines that are biased or neutral as their outlet is rated.

The paper's own 128,748 headlines are not in its release. A corpus of this kind is two tables, tabs between the columns,
each with a header: ``headlines/headlines.tsv`` (outlet, headline) and ``headlines/outlets.tsv`` (outlet, rating: left,
center or right). Left and right count as biased, center as neutral. Where there is none, the titles of the AllSides
articles stand in for it, each outlet with the rating of most of its articles: far fewer, of many more outlets, and of
the same years and topics as those articles. `CORPUS` and `STAND_IN` tell them apart.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from training.corpora import articles
from training.corpora.babe import HOME
from training.corpora.base import CENTER, CorpusError, CorpusFacts, Example, need_classes, open_file, tell
from training.corpora.reading import Unread, table
from training.near import NearIndex

CORPUS = "headlines"
STAND_IN = "headlines (stand-in: AllSides titles)"
CLASSES = ("neutral", "biased")
RATINGS = {"left": 1, "center": 0, "right": 1}

FACTS = CorpusFacts(
    key="headlines",
    name="News headlines by outlet",
    home=HOME,
    licence="the headlines are their publishers'",
    files=("headlines/headlines.tsv", "headlines/outlets.tsv"),
    person="The paper's headlines are not in its repository: ask its authors, or collect your own (Media Cloud). Put "
    "them into headlines/headlines.tsv (outlet, tab, headline) and the outlets' ratings (left, center, right) into "
    "headlines/outlets.tsv (outlet, tab, rating), each with a header. Without them the titles of article_bias "
    "stand in.",
)
_LEAST_WORDS = 4


def load(data: Path, scored: NearIndex, *, say: Callable[[str], None] = tell) -> list[Example]:
    """Headlines of four words or more, each once: bias 0 or 1, ``group`` the outlet.

    The name of an outlet at the end (*… | Fox News*) is taken off: it would give the class away. What is near a
    sentence of ``scored`` is left out. Raises CorpusError where a file is not of the layout, and where one of the two
    classes is missing.
    """
    own = (data / FACTS.files[0]).is_file()
    rows = list(_own(data, say) if own else _titles(data, say))
    corpus = CORPUS if own else STAND_IN
    names = articles.outlet_pattern({outlet for outlet, _, _ in rows})
    tail = re.compile(rf"\s+[|–—-]+\s*(?:{names.pattern})\s*$")
    seen: set[str] = set()
    found: list[Example] = []
    for outlet, headline, label in rows:
        text = " ".join(tail.sub("", headline).split())
        if len(text.split()) >= _LEAST_WORDS and text not in seen and not scored.near(text):
            seen.add(text)
            found.append(Example(text, corpus, bias=float(label), group=outlet))
    need_classes((int(example.bias or 0) for example in found), CLASSES, corpus=corpus)
    return found


def _own(data: Path, say: Callable[[str], None]) -> Iterator[tuple[str, str, int]]:
    """Outlet, headline and class of every row whose outlet is rated."""
    ratings: dict[str, int] = {}
    path = open_file(data, FACTS.files[1])
    for number, row in table(path, columns=("outlet", "rating"), delimiter="\t"):
        rating = row["rating"].strip().lower()
        if rating not in RATINGS:
            raise CorpusError(f"{path}, row {number}: {rating!r} is no rating. Say left, center or right.")
        ratings[row["outlet"].strip()] = RATINGS[rating]
    path = open_file(data, FACTS.files[0])
    unread, read = Unread(path, say), 0
    for number, row in table(path, columns=("outlet", "headline"), delimiter="\t"):
        outlet = row["outlet"].strip()
        if outlet in ratings:
            read += 1
            yield outlet, row["headline"], ratings[outlet]
        else:
            unread.add(number, f"outlet {outlet[:40]!r} has no rating")
    unread.done(read)


def _titles(data: Path, say: Callable[[str], None]) -> Iterator[tuple[str, str, int]]:
    """The same of the AllSides articles' titles, each outlet with the rating of most of its articles."""
    raw = articles.read(data, say=say)
    ratings = _majority((article.outlet, article.leaning) for article in raw)
    for article in raw:
        yield article.outlet, articles.plain(article.title), int(ratings[article.outlet] != CENTER)


def _majority(ratings: Iterable[tuple[str, int]]) -> dict[str, int]:
    counts: defaultdict[str, Counter[int]] = defaultdict(Counter)
    for outlet, leaning in ratings:
        counts[outlet][leaning] += 1
    return {outlet: found.most_common(1)[0][0] for outlet, found in counts.items()}
