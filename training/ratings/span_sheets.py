"""Blinded sheets in which raters mark the biased words of sentences (WIKIBIAS, section 4 and Table 9), and filled ones.

A sheet tells neither corpus nor side nor what any tagger marked. A fault in a filled sheet is told with its line, and
the rest of the sheet is read.
"""

from __future__ import annotations

import csv
import io
import json
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from core.files import FileError, read_text, write_bytes
from training.corpora.real_world import Passage, Side
from training.ratings.filled import bare, delimiter
from training.ratings.items import Ids, reading_key
from training.ratings.protocols import RatingError
from training.ratings.sheets import COMMENT, ID, KEY, RATERS, guarded
from training.ratings.span_marks import NOTHING, MarkError, Place, marked

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
