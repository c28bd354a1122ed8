"""Blinded sheets in which raters mark biased words (section 4, Table 9), filled ones read, and how far raters
agree.
"""

from __future__ import annotations

import csv
import io
import json
import math
import random
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from core.storage.files import FileError, read_text, write_bytes
from core.text.tokens import WORD
from training.corpora.political_texts import Passage, Side
from training.metrics.agreement import alpha
from training.papers.rating_items import Ids, reading_key
from training.papers.rating_sheets import COMMENT, ID, KEY, RATERS, bare, delimiter, guarded
from training.types import RatingError

# Biased words as raters mark them in a sentence, by copied words or by square brackets, and what most marked.


Place = tuple[int, int]
NOTHING = "none"
"""What a rater writes where no word is biased: an empty cell is one that was not answered."""
_NOTHING = frozenset({NOTHING, "-", "–", "—", "−", "0"})
_BETWEEN = re.compile(r"[;|\n]")
_BARE = re.compile(r"\W+")


class MarkError(ValueError):
    """A cell cannot be read as marks; the message says what is wrong and what to do."""


def marked(cell: str, text: str) -> tuple[Place, ...]:
    """The places in ``text`` that a filled cell marks: sorted, disjoint, from the first to the last word of each.

    The cell is NOTHING, or the biased words as they stand in the text (a semicolon, a bar or a line between two
    stretches; commas do where the words are not found otherwise), or the sentence or a part of it with square brackets
    around each stretch. Capitals and signs do not matter. Words that come twice are marked where they come first.
    Raises MarkError.
    """
    cell = cell.strip().lstrip("'")
    if cell.casefold() in _NOTHING:
        return ()
    spoken = _words(text)
    ranges = (
        _bracketed(cell, [word for word, _ in spoken])
        if "[" in cell or "]" in cell
        else _copied(cell, spoken)
    )
    return tuple(sorted((spoken[start][1][0], spoken[end - 1][1][1]) for start, end in ranges))


def majority(text: str, votes: Sequence[Sequence[Place]]) -> tuple[Place, ...]:
    """The stretches of ``text`` that more than one rater marked, of one rater alone what that one marked.

    Counted word by word; two words belong to one stretch where as many raters marked them together (WIKIBIAS, section
    4, takes a span that has more than one vote).
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
    """How many raters have [start, end) within one of their stretches."""
    return sum(any(first <= start and end <= last for first, last in marks) for marks in votes)


def _words(text: str) -> list[tuple[str, Place]]:
    """The words of a text, bare of signs and capitals, and where they are."""
    found = ((_BARE.sub("", match[0]).casefold(), match.span()) for match in WORD.finditer(text))
    return [(word, place) for word, place in found if word]


def _copied(cell: str, spoken: Sequence[tuple[str, Place]]) -> list[Place]:
    """The word ranges of copied stretches."""
    taken: list[Place] = []
    words = [word for word, _ in spoken]
    for piece in filter(str.strip, _BETWEEN.split(cell)):
        whole = _free(piece, words, taken)
        parts = [piece] if whole is not None else [part for part in piece.split(",") if part.strip()]
        for part in parts:
            place = _free(part, words, taken)
            if place is None:
                raise MarkError(
                    f"{' '.join(part.split())!r} is not in the sentence. Copy the words as they stand in it, a "
                    f"semicolon between two stretches, or write {NOTHING!r}."
                )
            taken.append(place)
    if not taken:
        raise MarkError(f"{cell!r} holds no words. Copy the biased words, or write {NOTHING!r}.")
    return taken


def _free(piece: str, words: Sequence[str], taken: Sequence[Place]) -> Place | None:
    """The first place of the words of ``piece`` that is not taken; None where there is none."""
    wanted = [word for word, _ in _words(piece)]
    for start in range(len(words) - len(wanted) + 1) if wanted else ():
        end = start + len(wanted)
        if words[start:end] == wanted and all(end <= first or start >= last for first, last in taken):
            return start, end
    return None


def _bracketed(cell: str, words: Sequence[str]) -> list[Place]:
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
    whole = _free(cell, words, ())
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


# Blinded sheets in which raters mark the biased words of sentences (WIKIBIAS, section 4 and Table 9), and filled ones.
#
# A sheet tells neither corpus nor side nor what any tagger marked. A fault in a filled sheet is told with its line, and
# the rest of the sheet is read.


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
    """What filled sheets say: ``marks`` by rater and item; ``faults`` are cells that could not be read, ``empty`` how
    many were not filled."""

    plan: SpanPlan
    marks: Mapping[str, Mapping[int, tuple[Place, ...]]]
    faults: tuple[str, ...]
    empty: int

    def votes(self, item: int) -> list[tuple[Place, ...]]:
        """The marks of every rater who answered for an item."""
        return [of[item] for of in self.marks.values() if item in of]


def plan(some: Sequence[Passage], *, raters: int, seed: int) -> SpanPlan:
    """Sheets of these sentences, in another order and with other ids for each rater. Raises RatingError."""
    if raters < 1:
        raise RatingError("There must be at least one rater: --raters 1 or more.")
    if not some:
        raise RatingError("There are no sentences to rate: --n must be 1 or more.")
    ids = Ids(seed)
    sheets = {}
    for number in range(1, raters + 1):
        order = random.Random(f"spans {number} {seed}").sample(range(len(some)), len(some))
        sheets[f"rater-{number}"] = {ids.fresh(): item for item in order}
    return SpanPlan(seed, tuple(some), sheets)


def write(made: SpanPlan, folder: Path) -> None:
    """Write key, instructions and sheets into ``folder``; never over sheets that may be filled.

    Raises RatingError where there is a key already, and FileError.
    """
    raters = folder / RATERS
    if (folder / KEY).exists() or raters.exists():
        raise RatingError(f"{folder} holds rating sheets already. Name another folder with --out.")
    raters.mkdir(parents=True)
    write_bytes(raters / "instructions.txt", "\n\n".join((*INSTRUCTIONS, "")).encode("utf-8-sig"))
    key = folder / KEY
    facts = {"protocol": PROTOCOL, **asdict(made)}
    write_bytes(key, (json.dumps(facts, indent=1, ensure_ascii=False) + "\n").encode())
    key.chmod(0o600)
    for rater, rows in made.sheets.items():
        stream = io.StringIO()
        writer = csv.writer(stream, quoting=csv.QUOTE_ALL)
        writer.writerow([ID, TEXT, MARKS, COMMENT])
        writer.writerows([name, guarded(made.items[item].text), "", ""] for name, item in rows.items())
        write_bytes(raters / f"{rater}.csv", stream.getvalue().encode("utf-8-sig"))


def is_key(folder: Path) -> bool:
    """True where the sheets in ``folder`` are of this protocol."""
    try:
        facts = json.loads((folder / KEY).read_text(encoding="utf-8"))
        return bool(facts["protocol"] == PROTOCOL)
    except (OSError, ValueError, KeyError, TypeError):
        return False


def read(folder: Path) -> SpanRatings:
    """What the filled sheets in ``folder`` say; those that are not there are left out.

    Raises RatingError where there is no key, and where not one cell can be counted.
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
        told = "\n".join(faults[:1]) or "Let the raters fill their sheets first."
        raise RatingError(f"No cell can be counted in {folder / RATERS}. {told}")
    return SpanRatings(made, marks, tuple(faults), empty)


def _plan(path: Path) -> SpanPlan:
    with reading_key(path):
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
    """Item and marks of every row that can be read; None for an empty cell. What is wrong goes to ``faults``."""
    try:
        text = read_text(path).text
    except FileError as error:
        faults.append(str(error))
        return
    reader = csv.DictReader(io.StringIO(text, newline=""), delimiter=delimiter(text.split("\n", 1)[0]))
    missing = [name for name in (ID, TEXT, MARKS) if name not in (reader.fieldnames or ())]
    if missing:
        faults.append(f"{path}, line 1: no column {missing[0]!r}. Give the columns the names they had.")
        return
    seen: set[str] = set()
    try:
        for row in reader:
            cells = {name: (row[name] or "").strip() for name in (ID, TEXT, MARKS)}
            if not any(cells.values()):
                continue
            name = cells[ID].upper()
            try:
                item = _item(cells, made, rater, seen)
                answer = marked(cells[MARKS], made.items[item].text) if cells[MARKS] else None
            except MarkError as error:
                faults.append(f"{path}, line {reader.line_num}: {error}")
                continue
            seen.add(name)
            yield item, answer
    except csv.Error as error:
        faults.append(f"{path}, line {reader.line_num}: {error}. Save the sheet as CSV once more.")


def _item(cells: Mapping[str, str], made: SpanPlan, rater: str, seen: set[str]) -> int:
    name = cells[ID].upper()
    item = made.sheets[rater].get(name)
    if item is None:
        raise MarkError(f"{cells[ID]!r} is no id of this sheet. Give the row the id it had.")
    if name in seen:
        raise MarkError(f"{name} is there twice. Delete one of the two rows.")
    if bare(cells[TEXT]) != bare(made.items[item].text):
        raise MarkError(
            f"the sentence is not that of {name}. Undo the sorting or the change: rows must stay whole."
        )
    return item


# How far raters agree on which words are biased, and how much most of them marked.


def agreement(ratings: SpanRatings, items: list[int]) -> float:
    """Krippendorff's nominal alpha over the words of some items, each marked or not; NaN where it says nothing."""
    units: list[list[float]] = []
    for item in items:
        votes = ratings.votes(item)
        for word in WORD.finditer(ratings.plan.items[item].text):
            marked = (
                any(start < word.end() and word.start() < end for start, end in marks) for marks in votes
            )
            units.append([float(one) for one in marked])
    return alpha(units)


def report(ratings: SpanRatings) -> str:
    """A row for each side of each corpus, for a terminal."""
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
        gold = [majority(ratings.plan.items[item].text, ratings.votes(item)) for item in items]
        agreed = agreement(ratings, items)
        lines.append(
            f"{name:22}{len(items):>11}{sum(map(bool, gold)):>11}{sum(map(len, gold)):>7}"
            f"{'' if math.isnan(agreed) else f'{agreed:.3f}':>8}"
        )
    return "\n".join([*lines, "", "Alpha is Krippendorff's over words, marked or not."])
