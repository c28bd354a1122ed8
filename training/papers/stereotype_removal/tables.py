"""Tables 3 to 8 of Badjatiya et al. 2019: stereotyped words detected and replaced, and the bias that is left.

Tables 3, 4, 5, 6 and 8 are views of the same cells. Table 7 needs WordNet only, and saves nothing.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import torch

from training.corpora import hate_speech
from training.corpora.hate_speech import tokens
from training.evaluation.results_table import Block, Table, TablePlan
from training.loop.events import Events
from training.loop.result_cache import ResultCell
from training.loop.training_loop import TrainingError
from training.papers.harness import TableSpec, check_rows, command_line
from training.papers.stereotype_removal import layout
from training.papers.stereotype_removal.classifiers import TITLES, ClassifierBudget
from training.papers.stereotype_removal.datasets import SPLIT_SEED
from training.papers.stereotype_removal.detection import MANUAL
from training.papers.stereotype_removal.published import BSW_TABLE_7
from training.papers.stereotype_removal.replacement import LEVELS, WordNetReplacer
from training.papers.stereotype_removal.runner import BswCellId, BswRunner, Budget
from training.papers.stereotype_removal.strategies import (
    AUGMENTED,
    BIASED,
    PUBLISHED,
    REPLACEMENTS,
    TALK_PAGES,
    TWITTER,
    StrategyResources,
)
from training.papers.stereotype_removal.wordnet import load_wordnet
from training.types import print_to_stderr

BUDGETS = {
    "smoke": Budget(
        ClassifierBudget(epochs=2, learning_rate=1e-3),
        {TWITTER: 200, TALK_PAGES: 200},
        top=4,
        phi=2,
        min_count=2,
    ),
    "cpu": Budget(ClassifierBudget(epochs=6, learning_rate=5e-4, max_words=100), {TALK_PAGES: 16_000}),
    "full": Budget(),
}
SEEDS = {"smoke": (1,), "cpu": (1, 2, 3), "full": tuple(range(1, 11))}


@dataclass(frozen=True, slots=True)
class View:
    """A table: the corpora, detections and replacements of its cells; without a replacement lists of words."""

    corpora: tuple[str, ...]
    detections: tuple[str, ...]
    replacements: tuple[str, ...]

    @property
    def rows(self) -> tuple[str, ...]:
        """What ``--rows`` may name."""
        return self.replacements if any(self.replacements) else self.detections

    def cell_ids(self, plan: Plan) -> Iterator[BswCellId]:
        """The cells in the order in which they are computed; cells that share a biased classifier are neighbours."""
        for corpus in self.corpora:
            for name in plan.classifiers:
                for seed in plan.seeds or SEEDS[plan.scale]:
                    for detection in self.detections:
                        for key in self.replacements:
                            wanted = not plan.rows or key in plan.rows or detection in plan.rows
                            possible = key != AUGMENTED or detection == "manual"
                            if wanted and possible and detection in (plan.detections or self.detections):
                                yield BswCellId(corpus, detection, key, name, seed)


VIEWS = {
    "bsw-3": View((TWITTER, TALK_PAGES), ("soac", "spcpd"), ("",)),
    "bsw-4": View((TWITTER,), ("soac", "spcpd"), tuple(key for key in REPLACEMENTS if key != AUGMENTED)),
    "bsw-5": View((TALK_PAGES,), ("manual",), tuple(REPLACEMENTS)),
    "bsw-6": View((TALK_PAGES,), ("manual", "soac", "spcpd"), tuple(REPLACEMENTS)),
    "bsw-8": View((TALK_PAGES,), (PUBLISHED,), (BIASED, "centroid")),
}


@dataclass(frozen=True, slots=True)
class Plan(TablePlan):
    """``table`` is a key of VIEWS; ``glove`` a file of word vectors and ``wordnet`` a folder, if any.

    Empty ``detections`` are all of the table.
    """

    table: str = "bsw-4"
    glove: Path | None = None
    wordnet: Path | None = None
    detections: tuple[str, ...] = ()
    classifiers: tuple[str, ...] = ("cnn",)


def _check(_data: Path, plan: Plan) -> None:
    view = VIEWS[plan.table]
    check_rows(plan.rows, view.rows)
    for chosen, known in ((plan.detections, view.detections), (plan.classifiers, tuple(TITLES))):
        for name in chosen:
            if name not in known:
                raise TrainingError(f"{name} is not in this table. Name one of {', '.join(known)}.")


def _make_runner(data: Path, plan: Plan, folder: Path, device: torch.device) -> BswRunner:
    tools = StrategyResources(glove=plan.glove, wordnet=plan.wordnet, spacy=plan.spacy)
    tools.check()
    events = Events(plan.table, stream=sys.stderr)
    return BswRunner(data, tools, BUDGETS[plan.scale], folder, device, events)


def _command(cell_id: BswCellId, plan: Plan) -> str:
    """The command that computes a cell, without the paths of one machine."""
    replacement = cell_id.replacement
    return command_line(
        plan.table,
        scale=plan.scale,
        rows=replacement or cell_id.detection,
        detections=cell_id.detection,
        classifiers=cell_id.classifier if plan.classifiers != ("cnn",) else "",
        seeds=cell_id.seed,
        glove="FILE",
        wordnet="FOLDER" if replacement.startswith("wordnet") else "",
        spacy=Path(plan.spacy).name if replacement in ("ner", "pos", "centroid") else "",
    )


def build_table(_data: Path, plan: Plan, cells: Sequence[ResultCell], notes: Sequence[str]) -> Table:
    """The table of ``cells``."""
    return layout.build_table(
        cells,
        plan.table,
        corpora=VIEWS[plan.table].corpora,
        classifiers=plan.classifiers,
        scale=plan.scale,
        runs=len(plan.seeds or SEEDS[plan.scale]),
        notes=notes,
    )


SPEC = TableSpec(
    folder="bsw",
    results=Path(__file__).parent / "results" / "bsw.json",
    check=_check,
    cell_ids=lambda _data, plan: VIEWS[plan.table].cell_ids(plan),
    runner=_make_runner,
    command=_command,
    build_table=build_table,
)

_SEED = 1
_STAYS = "-"
"""The paper's sign for a word that stays."""
_HEADER = ("word", *(f"level {level}" for level in LEVELS))


def run_wordnet(
    data: Path, wordnet: Path | None, *, on_message: Callable[[str], None] = print_to_stderr
) -> Table:
    """The replacements of the manual list in the vocabulary of the talk pages' training part.

    ``wordnet`` is a folder of WordNet's files, None for nltk's own data. Raises CorpusError where either is missing.
    """
    reader = load_wordnet(wordnet)
    train = hate_speech.split_talk_pages(data, seed=SPLIT_SEED, on_message=on_message).train
    levels = [WordNetReplacer(reader, level=level, seed=_SEED).fit(train, MANUAL) for level in LEVELS]
    found = {word: [_shown(word, replacer(tokens(word))) for replacer in levels] for word in MANUAL}
    for word, line in found.items():
        if line[0] == _STAYS and reader.synsets("_".join(tokens(word))):
            line[0] = word  # It is a lemma of its own synset, as *homosexual* in the paper.
    printed = []
    for word, theirs in BSW_TABLE_7.items():
        printed += [(word, *found[word]), ("  the paper's", *theirs)]
    pairs = [
        (ours, theirs)
        for word, line in BSW_TABLE_7.items()
        for ours, theirs in zip(found[word], line, strict=True)
        if theirs
    ]
    same = sum(ours == theirs for ours, theirs in pairs)
    others = tuple((word, *line) for word, line in found.items() if word not in BSW_TABLE_7)
    return Table(
        layout.TITLE.format(7, "replacements from WordNet by start level"),
        (
            Block("words of the paper's table", _HEADER, tuple(printed)),
            Block("the rest of the manual list", _HEADER, others),
        ),
        (
            f"{_STAYS}: the word stays; no word above it occurs in the training part, or WordNet lacks it.",
            f"{same} of the {len(pairs)} replacements that the paper prints are the same here. Empty cells of the "
            "paper belong to cells that span two levels. Of several lemmas one is drawn at random, there and here.",
            "Vocabulary: the training part of the talk pages used here (61,505 comments), not WikiDetox's.",
        ),
    )


def _shown(word: str, replaced: Sequence[str]) -> str:
    return _STAYS if tuple(replaced) == tokens(word) else " ".join(replaced)
