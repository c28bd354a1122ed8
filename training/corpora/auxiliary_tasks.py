"""Auxiliary bias tasks in the layout of the multi-task release (Wessel et al. 2023; Horych et al. 2024): text, label.

Each is read as a small classification task with a head of its own; none of their labels is taken for media bias.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from training.corpora.files import UnreadableRows, read_table
from training.types import CorpusFacts, Download, Example, OnMessage, open_file, print_to_stderr

HOMEPAGE = "https://github.com/Media-Bias-Group/magpie-multi-task"
_FILES = "https://raw.githubusercontent.com/Media-Bias-Group/magpie-multi-task/4905c89dac25903243518def4d14e7515b48ad2c"
_ON_HOMEPAGE = ("120_SemEval2023Task3", "19_MultiDimNews", "31_SUBJ", "75_RedditBias", "80_DebateEffects")


@dataclass(frozen=True, slots=True)
class AuxiliaryTask:
    """One task: its folder, its number of classes, the column of its label, and how that is read.

    ``label`` gives None for a row that is left out on purpose. It raises ValueError for what it cannot read.
    """

    name: str
    folder: str
    classes: int
    column: str
    label: Callable[[str], int | None]


def _whole(value: str) -> int:
    return int(value == "True") if value in ("True", "False") else int(float(value))


def _sign(value: str) -> int | None:
    number = float(value)
    return None if abs(number) < 0.5 else int(number > 0)


TASKS: tuple[AuxiliaryTask, ...] = (
    AuxiliaryTask("persuasion", "120_SemEval2023Task3", 2, "label", _whole),
    AuxiliaryTask("loaded_language", "120_SemEval2023Task3", 2, "Loaded_Language", _whole),
    AuxiliaryTask("subjectivity", "31_SUBJ", 2, "label", _whole),
    AuxiliaryTask("sentiment", "103_MPQA", 2, "label", _whole),
    AuxiliaryTask("news_bias", "19_MultiDimNews", 2, "label_bias", _whole),
    AuxiliaryTask("news_subjectivity", "19_MultiDimNews", 2, "label_subj", _whole),
    AuxiliaryTask("group_bias", "75_RedditBias", 2, "label", _whole),
    AuxiliaryTask("stereotype", "109_stereotype", 2, "label", _whole),
    AuxiliaryTask("climate_stance", "128_GWSD", 3, "label", _whole),
    AuxiliaryTask("fact_or_feeling", "80_DebateEffects", 2, "label", _sign),
)

FACTS = CorpusFacts(
    key="related",
    name="Related bias tasks",
    homepage=HOMEPAGE,
    licence="Apache-2.0 (wrapper); each corpus has terms of its own",
    files=(
        "media_bias_tasks/103_MPQA/preprocessed.csv.xz",
        "media_bias_tasks/109_stereotype/preprocessed.csv.xz",
        "media_bias_tasks/120_SemEval2023Task3/preprocessed.csv.xz",
        "media_bias_tasks/128_GWSD/preprocessed.csv.xz",
        "media_bias_tasks/19_MultiDimNews/preprocessed.csv.xz",
        "media_bias_tasks/31_SUBJ/preprocessed.csv.xz",
        "media_bias_tasks/75_RedditBias/preprocessed.csv.xz",
        "media_bias_tasks/80_DebateEffects/preprocessed.csv.xz",
    ),
    downloads=tuple(
        Download(
            f"{_FILES}/datasets/{folder}/preprocessed.csv", f"media_bias_tasks/{folder}/preprocessed.csv"
        )
        for folder in _ON_HOMEPAGE
    ),
    manual_steps="103_MPQA, 109_stereotype and 128_GWSD are not known to lie in the repository as files. Take "
    "them from the "
    "multi-task release as its README says and put each into media_bias_tasks/NAME/preprocessed.csv.",
)


def load(data: Path, task: AuxiliaryTask, *, on_message: OnMessage = print_to_stderr) -> list[Example]:
    """Rows of one task of 3 to 200 words."""
    path = open_file(data, f"media_bias_tasks/{task.folder}/preprocessed.csv.xz")
    examples: list[Example] = []
    unread = UnreadableRows(path, on_message)
    for number, row in read_table(path, columns=("text", task.column), delimiter=","):
        text = row["text"].strip()
        try:
            label = task.label(row[task.column])
        except (ValueError, OverflowError):
            unread.add(number, f"no {task.column} that can be read")
            continue
        if label is not None and not 0 <= label < task.classes:
            unread.add(number, f"{task.column} {label} is none of {task.classes} classes")
        elif label is not None and 3 <= len(text.split()) <= 200:
            examples.append(Example(text, task.folder, task=task.name, label=label))
    unread.done(len(examples))
    return examples
