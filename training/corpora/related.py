"""Related bias tasks in the layout of the multi-task release (Wessel et al. 2023; Horych et al. 2024): text, label.

Each is read as a small classification task with a head of its own; none of their labels is taken for media bias.
"""

from __future__ import annotations

import csv
import io
import lzma
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from training.corpora.base import CorpusError, CorpusFacts, Example, open_file

Row = dict[str, str]


@dataclass(frozen=True, slots=True)
class RelatedTask:
    """One task: its folder, how many classes it has, and how a row is labelled (None: leave the row out)."""

    name: str
    folder: str
    classes: int
    label: Callable[[Row], int | None]


def _whole(column: str) -> Callable[[Row], int | None]:
    def read(row: Row) -> int | None:
        value = row.get(column, "")
        if value in ("True", "False"):
            return int(value == "True")
        try:
            return int(float(value))
        except ValueError:
            return None

    return read


def _sign(row: Row) -> int | None:
    try:
        value = float(row["label"])
    except (KeyError, ValueError):
        return None
    return None if abs(value) < 0.5 else int(value > 0)


TASKS: tuple[RelatedTask, ...] = (
    RelatedTask("persuasion", "120_SemEval2023Task3", 2, _whole("label")),
    RelatedTask("loaded_language", "120_SemEval2023Task3", 2, _whole("Loaded_Language")),
    RelatedTask("subjectivity", "31_SUBJ", 2, _whole("label")),
    RelatedTask("sentiment", "103_MPQA", 2, _whole("label")),
    RelatedTask("news_bias", "19_MultiDimNews", 2, _whole("label_bias")),
    RelatedTask("news_subjectivity", "19_MultiDimNews", 2, _whole("label_subj")),
    RelatedTask("group_bias", "75_RedditBias", 2, _whole("label")),
    RelatedTask("stereotype", "109_stereotype", 2, _whole("label")),
    RelatedTask("climate_stance", "128_GWSD", 3, _whole("label")),
    RelatedTask("fact_or_feeling", "80_DebateEffects", 2, _sign),
)

FACTS = CorpusFacts(
    name="Related bias tasks",
    home="https://github.com/Media-Bias-Group/magpie-multi-task",
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
)


def load(data: Path, task: RelatedTask) -> list[Example]:
    """Rows of one task whose label can be read."""
    path = open_file(data, f"media_bias_tasks/{task.folder}/preprocessed.csv.xz")
    try:
        content = lzma.decompress(path.read_bytes()).decode("utf-8", "replace")
    except lzma.LZMAError as error:
        raise CorpusError(f"{path} is damaged ({error}); copy it again from its home.") from error
    examples: list[Example] = []
    for row in csv.DictReader(io.StringIO(content)):
        text = (row.get("text") or "").strip()
        label = task.label(row)
        if label is not None and 0 <= label < task.classes and 3 <= len(text.split()) <= 200:
            examples.append(Example(text, task.folder, task=task.name, label=label))
    return examples
