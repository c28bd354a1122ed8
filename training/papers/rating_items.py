"""Protocols of the papers' human evaluations, and blinded items in an order of their own for each rater."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path

from core.storage.files import FileError, read_text
from training.types import RatingError


@dataclass(frozen=True, slots=True)
class Criterion:
    """A question, answered by a whole number from ``low`` to ``high``.

    ``ends`` are the meanings of both, ``better`` is 1 where more is better and -1 where less is. A ``sided`` answer
    compares B with A, so its sign changes when they are swapped.
    """

    name: str
    question: str
    low: int
    high: int
    ends: tuple[str, str]
    better: int
    sided: bool = False

    @property
    def heading(self) -> str:
        """The column's name in a sheet."""
        return f"{self.name} ({self.low} to {self.high})"


@dataclass(frozen=True, slots=True)
class Protocol:
    """A human evaluation. ``columns`` are the names of the two texts of an item in a sheet.

    ``paired``: both texts are shown in random order as A and B; otherwise the source (a prompt) is first.
    """

    name: str
    paper: str
    task: str
    columns: tuple[str, str]
    criteria: tuple[Criterion, ...]
    paired: bool


WIKIBIAS = Protocol(
    name="wikibias",
    paper="Zhong et al. 2021 (WIKIBIAS), section 3.4 and Table 8, after Pryzant et al. 2020",
    task=(
        "Each row shows two versions of a sentence, A and B. Either may be the older one, and some are the same. "
        "Judge them by themselves, not by what you hold of their subject."
    ),
    columns=("sentence A", "sentence B"),
    criteria=(
        Criterion(
            "fluency",
            "Which sentence reads more fluently?",
            -2,
            2,
            ("A much more fluent", "B much more fluent"),
            better=1,
            sided=True,
        ),
        Criterion(
            "bias",
            "Which sentence is more biased (takes a side, judges, or takes something disputed for granted)?",
            -2,
            2,
            ("A much more biased", "B much more biased"),
            better=-1,
            sided=True,
        ),
        Criterion(
            "meaning",
            "How far do the two differ in meaning?",
            0,
            4,
            ("identical", "totally different"),
            better=-1,
        ),
    ),
    paired=True,
)
LIU = Protocol(
    name="liu",
    paper="Liu et al. 2022 (political bias in language models), section 6.4 and Table 9",
    task="Each row shows the beginning of a text (the prompt) and how it was continued. Judge the continuation.",
    columns=("prompt", "continuation"),
    criteria=(
        Criterion(
            "bias", "How biased is the text?", 1, 7, ("extremely unbiased", "extremely biased"), better=-1
        ),
        Criterion(
            "readability",
            "How well is the text written?",
            1,
            7,
            ("not readable at all", "very readable"),
            better=1,
        ),
        Criterion(
            "coherence",
            "Does the text follow on from its prompt?",
            1,
            7,
            ("strongly disagree", "strongly agree"),
            better=1,
        ),
    ),
    paired=False,
)
PROTOCOLS = {protocol.name: protocol for protocol in (WIKIBIAS, LIU)}


def instructions(protocol: Protocol) -> list[str]:
    """The instructions for raters, one paragraph per line."""
    middle = "0: no difference" if any(one.sided for one in protocol.criteria) else ""
    return [
        protocol.task,
        "Answer every question of every row with one whole number. Go from the first row to the last and do not "
        "look back: some rows come twice. Do not talk about the rows with other raters before all are done.",
        *(
            f"{one.name}: {one.question} {one.low}: {one.ends[0]}"
            + (f"; {middle}" if one.sided else "")
            + f"; {one.high}: {one.ends[1]}."
            for one in protocol.criteria
        ),
        "Change nothing but the empty cells. The last column is for comments.",
    ]


_REPEATED_SHARE = 0.1
"""Share of items that a rater sees twice."""
_ID_LETTERS = "BCDFGHJKLMNPQRSTVWXZ"


@dataclass(frozen=True, slots=True)
class Item:
    """A source (its row, from 1) and the text of one or more systems for it."""

    row: int
    source: str
    text: str
    systems: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SheetRow:
    """An item in a rater's sheet. ``turned``: the system's text is first. ``again``: shown for the second time."""

    id: str
    item: int
    turned: bool
    again: bool


@dataclass(frozen=True, slots=True)
class Plan:
    """The key of the sheets; ``sheets`` are the rows of each rater in order."""

    protocol: Protocol
    seed: int
    systems: tuple[str, ...]
    items: tuple[Item, ...]
    sheets: dict[str, tuple[SheetRow, ...]]


def read_sentences(path: Path) -> list[str]:
    """The sentences of a file, one per line, with normalised white space. Raises RatingError for an empty line."""
    try:
        text = read_text(path).text
    except FileError as error:
        raise RatingError(str(error)) from error
    lines = [" ".join(line.split()) for line in text.replace("\r\n", "\n").removesuffix("\n").split("\n")]
    for number, line in enumerate(lines, start=1):
        if not line:
            raise RatingError(f"{path}, line {number}: it is empty. Put one sentence on each line.")
    return lines


def plan_sheets(
    protocol: Protocol,
    sources: Sequence[str],
    systems: Mapping[str, Sequence[str]],
    *,
    n: int,
    raters: int,
    seed: int,
) -> Plan:
    """``n`` randomly chosen sources with every system's text, in an order of its own for each rater.

    Every rater has every item, so that agreement is measured on all; a tenth of the items is shown twice. Systems with
    equal texts share an item. Raises RatingError.
    """
    if not systems:
        raise RatingError("No system was named. Name at least one with --systems NAME=FILE.")
    for name, texts in systems.items():
        if len(texts) != len(sources):
            raise RatingError(
                f"{name} has {len(texts)} lines, the sources have {len(sources)}. "
                "Line by line they must belong together."
            )
    if not 1 <= n <= len(sources):
        raise RatingError(f"There are {len(sources)} sources; --n must be from 1 to {len(sources)}.")
    if raters < 1:
        raise RatingError("There must be at least one rater: --raters 1 or more.")
    items: list[Item] = []
    for at in sorted(random.Random(f"sample {seed}").sample(range(len(sources)), n)):
        by_text: dict[str, list[str]] = {}
        for name, texts in systems.items():
            by_text.setdefault(texts[at], []).append(name)
        items += (Item(at + 1, sources[at], text, tuple(names)) for text, names in by_text.items())
    ids = RowIds(seed)
    sheets = {
        f"rater-{number}": _sheet(protocol, len(items), random.Random(f"rater {number} {seed}"), ids)
        for number in range(1, raters + 1)
    }
    return Plan(protocol, seed, tuple(systems), tuple(items), sheets)


class RowIds:
    """Meaningless ids of rows, which no spreadsheet reads as a number or a date."""

    def __init__(self, seed: int) -> None:
        self._chooser = random.Random(f"ids {seed}")
        self._given: set[str] = set()

    def next_id(self) -> str:
        """An unused id."""
        while (name := "".join(self._chooser.choices(_ID_LETTERS, k=6))) in self._given:
            pass
        self._given.add(name)
        return name


def _sheet(protocol: Protocol, items: int, chooser: random.Random, ids: RowIds) -> tuple[SheetRow, ...]:
    """All items, and some of the first third again in the last half."""
    order = chooser.sample(range(items), items)
    half = (items + 1) // 2
    early = order[: max(1, items // 3)] if items > 1 else []
    again = chooser.sample(early, min(len(early), max(1, round(items * _REPEATED_SHARE)))) if early else []
    rows = [(item, False) for item in order[:half]]
    late = [*((item, False) for item in order[half:]), *((item, True) for item in again)]
    chooser.shuffle(late)
    return tuple(
        SheetRow(ids.next_id(), item, protocol.paired and chooser.random() < 0.5, repeated)
        for item, repeated in [*rows, *late]
    )


def dump_plan(made: Plan) -> str:
    """The text of the key file."""
    return json.dumps({**asdict(made), "protocol": made.protocol.name}, indent=1, ensure_ascii=False) + "\n"


@contextmanager
def key_errors(path: Path) -> Iterator[None]:
    """Turns any error of a key file into a RatingError."""
    try:
        yield
    except OSError as error:
        raise RatingError(
            f"{path} cannot be read ({error.strerror}). Name the folder that `ratings sheet` made."
        ) from error
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise RatingError(
            f"{path} is not the key that `ratings sheet` wrote. Put it back from a copy: "
            "without it nothing can be scored."
        ) from error


def load_plan(path: Path) -> Plan:
    """The plan in a key file. Raises RatingError."""
    with key_errors(path):
        facts = json.loads(path.read_text(encoding="utf-8"))
        made = Plan(
            PROTOCOLS[facts["protocol"]],
            int(facts["seed"]),
            tuple(facts["systems"]),
            tuple(Item(**{**item, "systems": tuple(item["systems"])}) for item in facts["items"]),
            {name: tuple(SheetRow(**row) for row in rows) for name, rows in facts["sheets"].items()},
        )
        if not {row.item for rows in made.sheets.values() for row in rows} <= set(range(len(made.items))):
            raise ValueError("a showing of no item")
    return made
