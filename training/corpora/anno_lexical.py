"""anno-lexical (Horych et al. 2025): news sentences, biased or not by the majority of three large language models."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from training.corpora.files import read_json_rows
from training.types import CorpusFacts, Example, OnMessage, open_file, print_to_stderr

FACTS = CorpusFacts(
    key="anno-lexical",
    name="anno-lexical",
    homepage="https://huggingface.co/datasets/mediabiasgroup/anno-lexical",
    licence="MIT",
    files=("anno_lexical/sentences.jsonl.xz",),
    manual_steps="Download it from its home; anno_lexical/sentences.jsonl.xz has a sentence a line: text, source, "
    "label, llm_votes, article.",
)

UNMARKED_WEIGHT = 0.5
"""How much a word counts as neutral where all three models called its sentence so."""


def load(data: Path, on_message: OnMessage = print_to_stderr) -> list[Example]:
    """The sentences; ``bias`` is the share of the votes for biased (the label where no votes are given), ``group`` the
    article. A sentence that every vote calls not biased has no spans; this silence counts half.

    Raises CorpusError for a missing file, and where no row can be read.
    """
    path = open_file(data, FACTS.files[0])
    return read_json_rows(
        path, _example, expected="text, label, llm_votes and article", on_message=on_message
    )


def _example(row: dict[str, Any]) -> Example:
    votes = [float(vote) for vote in row["llm_votes"] or (row["label"],)]
    bias = sum(votes) / len(votes)
    if not 0 <= bias <= 1:
        raise ValueError(f"votes of {bias:g} on average, not 0 to 1")
    return Example(
        str(row["text"]),
        "anno_lexical",
        spans=() if row["llm_votes"] and not bias else None,
        bias=bias,
        group=str(row["article"]),
        unmarked_weight=UNMARKED_WEIGHT,
    )
