"""What raters are asked, and the scales they answer on, as the papers give them."""

from __future__ import annotations

from dataclasses import dataclass


class RatingError(Exception):
    """Sheets cannot be made or scored; each line of the message says what is wrong and what to do."""


@dataclass(frozen=True, slots=True)
class Criterion:
    """One question with whole numbers from ``low`` to ``high`` as answers.

    ``ends`` says what the lowest and highest mean, ``better`` is 1 where more is better and -1 where less is.
    ``sided`` where the answer compares B with A, so that its sign turns when they change places.
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
    """A human evaluation. ``columns`` name the two texts of an item in a sheet.

    ``paired``: both texts are shown in an order of chance as A and B; otherwise the source (a prompt) comes first.
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
        "Each row shows two wordings of a sentence, A and B. Either may be the older one, and some are the same. "
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
    """What a rater reads before the first row, a paragraph a line."""
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
        "Change nothing but the empty cells. The last column is for whatever you wish to say.",
    ]
