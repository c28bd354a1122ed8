"""Tables 3 to 8 of Badjatiya et al. 2019: stereotyped words found, replaced, and what is left of the bias."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import torch

from training.corpora import hate_speech
from training.corpora.hate_speech import tokens
from training.evaluation.results_table import Block, Table
from training.loop.events import Events
from training.loop.result_cache import CellTask, ResultCell, digest
from training.loop.training_loop import TrainingError
from training.papers.harness import TablePlan, check_rows, compute_missing, run_cells
from training.papers.stereotype_removal.classifiers import TITLES, Effort
from training.papers.stereotype_removal.datasets import SPLIT_SEED, gather
from training.papers.stereotype_removal.detection import MANUAL
from training.papers.stereotype_removal.experiment import Experiment, Scale, Slot
from training.papers.stereotype_removal.layout import TITLE, lay_out
from training.papers.stereotype_removal.published import BSW_TABLE_7
from training.papers.stereotype_removal.replacement import LEVELS, ByWordNet
from training.papers.stereotype_removal.strategies import (
    AUGMENTED,
    BIASED,
    DETECTIONS,
    PUBLISHED,
    REPLACEMENTS,
    TALK_PAGES,
    TWITTER,
    Tools,
)
from training.papers.stereotype_removal.wordnet import load_wordnet
from training.types import tell

# Tables 3 to 8 of Badjatiya et al. 2019: stereotyped words found, replaced, and what is left, beside their figures.
#
# Tables 3, 4, 5, 6 and 8 are views of the same cells, which are kept one by one, so that a stopped table goes on; those
# that were made by this project stand in ``results/bsw.json`` and are shown where no fresher one is there. Table 7 asks
# WordNet alone and keeps nothing.


RESULTS = Path(__file__).parent / "results" / "bsw.json"
SCALES = {
    "smoke": Scale(Effort(epochs=2, rate=1e-3), {TWITTER: 200, TALK_PAGES: 200}, top=4, phi=2, seen=2),
    "cpu": Scale(Effort(epochs=6, rate=5e-4, longest=100), {TALK_PAGES: 16_000}),
    "full": Scale(),
}
SEEDS = {"smoke": (1,), "cpu": (1, 2, 3), "full": tuple(range(1, 11))}


@dataclass(frozen=True, slots=True)
class View:
    """A table: of which corpora, detections and replacements its cells are; without a replacement lists of words."""

    corpora: tuple[str, ...]
    detections: tuple[str, ...]
    replacements: tuple[str, ...]

    @property
    def rows(self) -> tuple[str, ...]:
        """What ``--rows`` may name."""
        return self.replacements if any(self.replacements) else self.detections

    def slots(self, plan: Plan) -> Iterator[Slot]:
        """The cells, in the order in which they are made: what shares a biased classifier stands together."""
        for corpus in self.corpora:
            for name in plan.classifiers:
                for seed in plan.seeds or SEEDS[plan.scale]:
                    for detection in self.detections:
                        for key in self.replacements:
                            wanted = not plan.rows or key in plan.rows or detection in plan.rows
                            possible = key != AUGMENTED or detection == "manual"
                            if wanted and possible and detection in (plan.detections or self.detections):
                                yield Slot(corpus, detection, key, name, seed)


VIEWS = {
    "bsw-3": View((TWITTER, TALK_PAGES), ("soac", "spcpd"), ("",)),
    "bsw-4": View((TWITTER,), ("soac", "spcpd"), tuple(key for key in REPLACEMENTS if key != AUGMENTED)),
    "bsw-5": View((TALK_PAGES,), ("manual",), tuple(REPLACEMENTS)),
    "bsw-6": View((TALK_PAGES,), ("manual", "soac", "spcpd"), tuple(REPLACEMENTS)),
    "bsw-8": View((TALK_PAGES,), (PUBLISHED,), (BIASED, "centroid")),
}


@dataclass(frozen=True, slots=True)
class Plan(TablePlan):
    """``table`` is a key of VIEWS; ``glove`` a file of word vectors and ``wordnet`` a folder, if they are there.

    Empty ``detections`` are all of the table.
    """

    table: str = "bsw-4"
    glove: Path | None = None
    wordnet: Path | None = None
    detections: tuple[str, ...] = ()
    classifiers: tuple[str, ...] = ("cnn",)
    results: Path = RESULTS


def run(data: Path, plan: Plan, folder: Path, *, device: torch.device) -> Table:
    """Make the cells of ``plan`` that are missing, one by one, then lay out all that are there.

    A row that cannot be run here is noted and the next one taken. Raises CorpusError where a corpus is not there, and
    TrainingError where no word vectors are, or for a row, detection or classifier that the table does not have.
    """
    view = VIEWS[plan.table]
    check_rows(plan.rows, view.rows)
    for said, known in ((plan.detections, view.detections), (plan.classifiers, tuple(TITLES))):
        for name in said:
            if name not in known:
                raise TrainingError(f"{name} is not in this table. Name one of {', '.join(known)}.")
    folder = folder / "bsw"
    cells, notes = run_cells(plan, folder, lambda committed: _fill(data, plan, folder, device, committed))
    seeds = plan.seeds or SEEDS[plan.scale]
    return lay_out(
        cells,
        plan.table,
        corpora=view.corpora,
        classifiers=plan.classifiers,
        scale=plan.scale,
        runs=len(seeds),
        notes=notes,
    )


def _fill(
    data: Path, plan: Plan, folder: Path, device: torch.device, committed: Sequence[ResultCell]
) -> list[str]:
    tools = Tools(glove=plan.glove, wordnet=plan.wordnet, spacy=plan.spacy)
    tools.check()
    events = Events(plan.table, stream=sys.stderr)
    scale = SCALES[plan.scale]
    made: dict[str, Experiment] = {}

    def experiment(corpus: str) -> Experiment:
        if corpus not in made:
            made.clear()  # One corpus at a time is enough for the memory of a small machine.
            events.say("stage", f"reading {corpus}")
            material = gather(data, corpus, most=scale.texts.get(corpus, 0))
            made[corpus] = Experiment(material, tools, scale, folder, device, events)
        return made[corpus]

    tasks = (_task(experiment(slot.corpus), slot, plan) for slot in VIEWS[plan.table].slots(plan))
    return compute_missing(tasks, folder, committed=committed, events=events)


def _task(experiment: Experiment, slot: Slot, plan: Plan) -> CellTask:
    facts = experiment.facts(slot)
    cell = ResultCell(
        place=slot.name,
        row=slot.row,
        group=slot.classifier,
        protocol=slot.detection,
        seed=slot.seed,
        fold=0,
        scale=plan.scale,
        key=digest(facts),
        command=_command(slot, plan),
        facts=facts,
        values={},
    )

    def make() -> ResultCell:
        values = experiment.measured(slot) if slot.replacement else experiment.words(slot)
        return replace(cell, values=values)

    title = REPLACEMENTS.get(slot.replacement, "words")
    return CellTask(f"{title} ({slot.corpus}, {DETECTIONS[slot.detection]})", cell, make)


def _command(slot: Slot, plan: Plan) -> str:
    """The command that makes a cell, without the places of one machine."""
    words = [f"evenhand train table {plan.table}", f"--scale {plan.scale}"]
    words.append(f"--rows {slot.replacement or slot.detection} --detections {slot.detection}")
    words += [f"--classifiers {slot.classifier}"] if plan.classifiers != ("cnn",) else []
    words += [f"--seeds {slot.seed}", "--glove FILE"]
    words += ["--wordnet FOLDER"] if slot.replacement.startswith("wordnet") else []
    words += [f"--spacy {Path(plan.spacy).name}"] if slot.replacement in ("ner", "pos", "centroid") else []
    return " ".join(words)


# Table 7 of Badjatiya et al. 2019: what WordNet puts in the place of a word, by the level where the search begins.
#
# It needs WordNet and the words of the training part, and no training.


_SEED = 1
_STAYS = "-"
"""As the paper prints it."""
_HEAD = ("word", *(f"level {level}" for level in LEVELS))


def run_wordnet(data: Path, wordnet: Path | None, *, say: Callable[[str], None] = tell) -> Table:
    """The replacements of the manual list in the vocabulary of the talk pages' training part.

    ``wordnet`` is a folder of WordNet's files, None for nltk's own data. Raises CorpusError where either is missing.
    """
    reader = load_wordnet(wordnet)
    train = hate_speech.split_talk_pages(data, seed=SPLIT_SEED, say=say).train
    levels = [ByWordNet(reader, level=level, seed=_SEED).fit(train, MANUAL) for level in LEVELS]
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
        TITLE.format(7, "replacements from WordNet by start level"),
        (
            Block("words of the paper's table", _HEAD, tuple(printed)),
            Block("the rest of the manual list", _HEAD, others),
        ),
        (
            f"{_STAYS}: the word stays, since nothing above it is a word of the training part, or WordNet lacks it.",
            f"{same} of the {len(pairs)} replacements that the paper prints are ours, too. Where it has a gap its "
            "cell is drawn across two levels. Of several lemmas one is drawn by chance, there and here.",
            "Vocabulary: the training part of our talk pages (61,505 comments where all are there), not WikiDetox's.",
        ),
    )


def _shown(word: str, replaced: Sequence[str]) -> str:
    return _STAYS if tuple(replaced) == tokens(word) else " ".join(replaced)
