"""Blinded sheets in which raters mark biased words (section 4, Table 9), filled sheets, and the raters' agreement.

A sheet names neither corpus nor side, and shows nothing that a tagger marked.
"""

from __future__ import annotations

import json
import math
import random
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from core.text.tokens import WORD
from training.corpora.political_texts import Passage, Side
from training.metrics.agreement import krippendorff_alpha
from training.papers import rating_sheets
from training.papers.rating_items import RowIds, key_errors
from training.papers.rating_sheets import (
    COMMENT,
    ID,
    KEY,
    RATERS,
    csv_bytes,
    read_rows,
    to_ascii_alphanumerics,
)
from training.types import RatingError

Place = tuple[int, int]
NOTHING = "none"
"""What a rater writes where no word is biased; an empty cell counts as not answered."""
_NOTHING = frozenset({NOTHING, "-", "–", "—", "−", "0"})
_BETWEEN = re.compile(r"[;|\n]")
_BARE = re.compile(r"\W+")


class MarkError(ValueError):
    """A cell cannot be read as marks; the message says what is wrong and what to do."""


def parse_marks(cell: str, text: str) -> tuple[Place, ...]:
    """The spans of ``text`` that a filled cell marks: sorted, disjoint, whole words.

    The cell is NOTHING, or the biased words as they stand in the text (spans separated by semicolon, bar or line break;
    by comma where the words are not found otherwise), or the sentence or a part of it with square brackets around each
    span. Case and punctuation do not matter. Of words that occur twice the first are marked. Raises MarkError.
    """
    cell = cell.strip().lstrip("'")
    if cell.casefold() in _NOTHING:
        return ()
    sentence_words = _words(text)
    ranges = (
        _parse_bracketed(cell, [word for word, _ in sentence_words])
        if "[" in cell or "]" in cell
        else _parse_copied(cell, sentence_words)
    )
    return tuple(
        sorted((sentence_words[start][1][0], sentence_words[end - 1][1][1]) for start, end in ranges)
    )


def majority_spans(text: str, votes: Sequence[Sequence[Place]]) -> tuple[Place, ...]:
    """The spans of ``text`` that more than one rater marked; with a single rater, what that one marked.

    Counted word by word; two words belong to one span where enough raters marked them together (WIKIBIAS, section 4,
    takes a span with more than one vote).
    """
    need = max(1, min(2, len(votes)))
    places = [place for _, place in _words(text)]
    stretches: list[Place] = []
    joined = False
    for at, (start, end) in enumerate(places):
        if _votes(votes, start, end) < need:
            joined = False
            continue
        together = joined and _votes(votes, places[at - 1][0], end) >= need
        stretches[-1:] = [(stretches[-1][0], end)] if together else [*stretches[-1:], (start, end)]
        joined = True
    return tuple(stretches)


def _votes(votes: Iterable[Sequence[Place]], start: int, end: int) -> int:
    """How many raters have [start, end) within one of their spans."""
    return sum(any(first <= start and end <= last for first, last in marks) for marks in votes)


def _words(text: str) -> list[tuple[str, Place]]:
    """The words of a text in lower case without punctuation, and their spans."""
    found = ((_BARE.sub("", match[0]).casefold(), match.span()) for match in WORD.finditer(text))
    return [(word, place) for word, place in found if word]


def _parse_copied(cell: str, sentence_words: Sequence[tuple[str, Place]]) -> list[Place]:
    """The word ranges of copied spans."""
    taken: list[Place] = []
    words = [word for word, _ in sentence_words]
    for piece in filter(str.strip, _BETWEEN.split(cell)):
        whole = _find_free(piece, words, taken)
        parts = [piece] if whole is not None else [part for part in piece.split(",") if part.strip()]
        for part in parts:
            place = _find_free(part, words, taken)
            if place is None:
                raise MarkError(
                    f"{' '.join(part.split())!r} is not in the sentence. Copy the words as they stand in it, a "
                    f"semicolon between two stretches, or write {NOTHING!r}."
                )
            taken.append(place)
    if not taken:
        raise MarkError(f"{cell!r} contains no words. Copy the biased words, or write {NOTHING!r}.")
    return taken


def _find_free(piece: str, words: Sequence[str], taken: Sequence[Place]) -> Place | None:
    """The first free range of the words of ``piece``, if any."""
    wanted = [word for word, _ in _words(piece)]
    for start in range(len(words) - len(wanted) + 1) if wanted else ():
        end = start + len(wanted)
        if words[start:end] == wanted and all(end <= first or start >= last for first, last in taken):
            return start, end
    return None


def _parse_bracketed(cell: str, words: Sequence[str]) -> list[Place]:
    """The word ranges in square brackets of a sentence or a part of it."""
    pieces = re.split(r"([\[\]])", cell)
    marks = pieces[1::2]
    if marks != ["[", "]"] * (len(marks) // 2):
        raise MarkError("A square bracket has no partner. Write [ before and ] after each biased stretch.")
    counts = [len(_words(piece)) for piece in pieces[::2]]
    if 0 in counts[1::2]:
        raise MarkError(
            f"There is no word between two brackets. Put them around words, or write {NOTHING!r}."
        )
    whole = _find_free(cell, words, ())
    if whole is None:
        raise MarkError(
            "The words around the brackets are not the sentence's. Copy it again, then put brackets around whole words."
        )
    at, ranges = whole[0], []
    for number, count in enumerate(counts):
        if number % 2:
            ranges.append((at, at + count))
        at += count
    return ranges


PROTOCOL = "wikibias-spans"
SENTENCES = 50
"""How many of each side of each corpus are rated, as in the paper."""
TEXT, MARKS = "sentence", "biased words"
INSTRUCTIONS = (
    "Each row shows a sentence of a book, a headline or a speech. Judge its wording, not what you hold of its subject: "
    "which words are biased (take a side, judge, or take something disputed for granted)?",
    f"Copy the biased words into the column {MARKS!r} as they stand in the sentence, as few or as many as you see fit, "
    "with a semicolon between two stretches. Or copy the sentence and put square brackets around them: this [shameful] "
    f"law. If no word is biased, write {NOTHING!r}. An empty cell counts as not answered.",
    "Do not talk about the rows with other raters before all are done. Change no other cell. The last column is for "
    "whatever you wish to say.",
)


@dataclass(frozen=True, slots=True)
class SpanPlan:
    """The sentences that are rated, and for each rater their ids and which sentence each is, in order."""

    seed: int
    items: tuple[Passage, ...]
    sheets: Mapping[str, Mapping[str, int]]


@dataclass(frozen=True, slots=True)
class SpanRatings:
    """Filled sheets: ``marks`` by rater and item; ``faults`` describe unreadable cells, ``empty`` counts empty ones."""

    plan: SpanPlan
    marks: Mapping[str, Mapping[int, tuple[Place, ...]]]
    faults: tuple[str, ...]
    empty: int

    def votes(self, item: int) -> list[tuple[Place, ...]]:
        """The marks of every rater who answered an item."""
        return [of[item] for of in self.marks.values() if item in of]


def plan_sheets(some: Sequence[Passage], *, raters: int, seed: int) -> SpanPlan:
    """Sheets of these sentences, with an order and ids of their own for each rater. Raises RatingError."""
    if raters < 1:
        raise RatingError("There must be at least one rater: --raters 1 or more.")
    if not some:
        raise RatingError("There are no sentences to rate: --n must be 1 or more.")
    ids = RowIds(seed)
    sheets = {}
    for number in range(1, raters + 1):
        order = random.Random(f"spans {number} {seed}").sample(range(len(some)), len(some))
        sheets[f"rater-{number}"] = {ids.next_id(): item for item in order}
    return SpanPlan(seed, tuple(some), sheets)


def write_sheets(made: SpanPlan, folder: Path) -> None:
    """Write the sheets of a plan, see ``rating_sheets.write_sheets``."""
    facts = {"protocol": PROTOCOL, **asdict(made)}
    sheets = {
        f"{rater}.csv": csv_bytes(
            [ID, TEXT, MARKS, COMMENT],
            ([name, made.items[item].text, "", ""] for name, item in rows.items()),
        )
        for rater, rows in made.sheets.items()
    }
    key = json.dumps(facts, indent=1, ensure_ascii=False) + "\n"
    rating_sheets.write_sheets(folder, instructions=INSTRUCTIONS, key=key, sheets=sheets)


def has_span_sheets(folder: Path) -> bool:
    """True where the sheets in ``folder`` are of this protocol."""
    try:
        facts = json.loads((folder / KEY).read_text(encoding="utf-8"))
        return bool(facts["protocol"] == PROTOCOL)
    except (OSError, ValueError, KeyError, TypeError):
        return False


def read_sheets(folder: Path) -> SpanRatings:
    """The filled sheets in ``folder``; missing ones are ignored.

    Raises RatingError without a key, and where no cell can be counted.
    """
    made = _plan(folder / KEY)
    marks: dict[str, dict[int, tuple[Place, ...]]] = {}
    faults: list[str] = []
    empty = 0
    for rater in made.sheets:
        path = folder / RATERS / f"{rater}.csv"
        if path.is_file():
            found: dict[int, tuple[Place, ...]] = {}
            for item, answer in _sheet(path, made, rater, faults):
                if answer is None:
                    empty += 1
                else:
                    found[item] = answer
            if found:
                marks[rater] = found
    if not marks:
        hint = "\n".join(faults[:1]) or "Let the raters fill their sheets first."
        raise RatingError(f"No cell can be counted in {folder / RATERS}. {hint}")
    return SpanRatings(made, marks, tuple(faults), empty)


def _plan(path: Path) -> SpanPlan:
    with key_errors(path):
        facts = json.loads(path.read_text(encoding="utf-8"))
        if facts["protocol"] != PROTOCOL:
            raise RatingError(
                f"{path} belongs to sheets of {facts['protocol']!r}. Name a folder that "
                f"`ratings sheet --protocol {PROTOCOL}` made."
            )
        items = tuple(Passage(row["text"], row["corpus"], Side(row["side"])) for row in facts["items"])
        sheets = {
            rater: {name: int(item) for name, item in rows.items()} for rater, rows in facts["sheets"].items()
        }
        if not {item for rows in sheets.values() for item in rows.values()} <= set(range(len(items))):
            raise ValueError("a row of no sentence")
        return SpanPlan(int(facts["seed"]), items, sheets)


def _sheet(
    path: Path, made: SpanPlan, rater: str, faults: list[str]
) -> Iterator[tuple[int, tuple[Place, ...] | None]]:
    """Item and marks of every readable row; None for an empty cell. Faults are appended to ``faults``."""
    columns = (ID, TEXT, MARKS)
    seen: set[str] = set()
    try:
        for where, row in read_rows(path, columns):
            cells = {name: (row[name] or "").strip() for name in columns}
            if not any(cells.values()):
                continue
            try:
                item = _item(cells, made, rater, seen)
                answer = parse_marks(cells[MARKS], made.items[item].text) if cells[MARKS] else None
            except MarkError as error:
                faults.append(f"{where}: {error}")
                continue
            seen.add(cells[ID].upper())
            yield item, answer
    except RatingError as error:
        faults.append(str(error))


def _item(cells: Mapping[str, str], made: SpanPlan, rater: str, seen: set[str]) -> int:
    name = cells[ID].upper()
    item = made.sheets[rater].get(name)
    if item is None:
        raise MarkError(f"{cells[ID]!r} is no id of this sheet. Give the row the id it had.")
    if name in seen:
        raise MarkError(f"{name} is there twice. Delete one of the two rows.")
    if to_ascii_alphanumerics(cells[TEXT]) != to_ascii_alphanumerics(made.items[item].text):
        raise MarkError(
            f"the sentence is not that of {name}. Undo the sorting or the change: rows must stay whole."
        )
    return item


def agreement(ratings: SpanRatings, items: list[int]) -> float:
    """Krippendorff's nominal alpha over the words of some items, each marked or not; NaN where it is undefined."""
    units: list[list[float]] = []
    for item in items:
        votes = ratings.votes(item)
        for word in WORD.finditer(ratings.plan.items[item].text):
            marked = (
                any(start < word.end() and word.start() < end for start, end in marks) for marks in votes
            )
            units.append([float(one) for one in marked])
    return krippendorff_alpha(units)


def report(ratings: SpanRatings) -> str:
    """A text table with a row for each side of each corpus."""
    groups: defaultdict[str, list[int]] = defaultdict(list)
    for at, item in enumerate(ratings.plan.items):
        if ratings.votes(at):
            groups[f"{item.corpus}, {item.side}"].append(at)
    lines = [
        f"{sum(map(len, ratings.marks.values()))} answers for {sum(map(len, groups.values()))} of "
        f"{len(ratings.plan.items)} sentences by {', '.join(ratings.marks)}; {ratings.empty} cells are empty.",
        "A word is biased where more than one rater marked it, or the only one who answered.",
        "",
        f"{'':22}{'sentences':>11}{'with bias':>11}{'spans':>7}{'alpha':>8}",
    ]
    for name, items in groups.items():
        gold = [majority_spans(ratings.plan.items[item].text, ratings.votes(item)) for item in items]
        agreed = agreement(ratings, items)
        lines.append(
            f"{name:22}{len(items):>11}{sum(map(bool, gold)):>11}{sum(map(len, gold)):>7}"
            f"{'' if math.isnan(agreed) else f'{agreed:.3f}':>8}"
        )
    return "\n".join([*lines, "", "Alpha is Krippendorff's over words, marked or not."])
