"""The systems of WIKIBIAS's Tables 5, 6 and 7 and other systems, as data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib import import_module
from typing import Literal

from training.modeling.encoders import ENCODERS
from training.papers.wikibias.published import WIKIBIAS_TABLE_5, WIKIBIAS_TABLE_6, WIKIBIAS_TABLE_7
from training.papers.wikibias.types import System

TableName = Literal["wikibias-5", "wikibias-6", "wikibias-7"]
_PUBLISHED: Mapping[TableName, Mapping[str, tuple[float | None, ...]]] = {
    "wikibias-5": WIKIBIAS_TABLE_5,
    "wikibias-6": WIKIBIAS_TABLE_6,
    "wikibias-7": WIKIBIAS_TABLE_7,
}
CASED, UNCASED = "bert", "bert-uncased"
PAPER_ENCODERS = "paper"
"""In place of an encoder: that of the paper for each row (Appendix D: lower-cased for sentences, cased for tags)."""


@dataclass(frozen=True, slots=True)
class SystemSpec:
    """A row of a table.

    ``system`` is the function that trains and predicts, as ``module:name`` under ``models``; with ``options`` it is a
    function that returns such a function. ``encoder`` is the paper's, a key of ENCODERS, or empty. ``auto``: needs the
    noisy part. ``lists``, ``glove``, ``bundle``: reads the word lists, word vectors, or the program's own reader.
    ``same`` is a row of Table 5 that this row repeats.
    """

    key: str
    title: str
    table: TableName
    system: str
    options: dict[str, str | bool] = field(default_factory=dict)
    encoder: str = UNCASED
    auto: bool = True
    lists: bool = False
    glove: bool = False
    bundle: bool = False
    same: str = ""

    @property
    def published(self) -> tuple[float | None, ...]:
        """The scores in the paper, if any."""
        return _PUBLISHED[self.table].get(self.title, ())

    @property
    def name(self) -> str:
        """The row of its cells; a row that repeats another has the name of that one."""
        return f"wikibias-5-{self.same}" if self.same else f"{self.table}-{self.key}"

    def load(self) -> System:
        """The function of the system, imported on demand."""
        module, _, name = self.system.partition(":")
        found = getattr(import_module(f"training.papers.wikibias.models.{module}"), name)
        return found(**self.options) if self.options else found  # type: ignore[no-any-return]


def _binary(key: str, title: str, training: str = "") -> SystemSpec:
    """A row of Table 5; with ``training`` the row of Table 7 that repeats it."""
    table: TableName = "wikibias-7" if training else "wikibias-5"
    options: dict[str, str | bool] = {"training": training or key}
    return SystemSpec(key, title, table, "classifiers:binary", options, auto=key != "manual", same=training)


def _tagger(
    key: str, title: str, *, training: str, ling: bool = False, joint: bool = False, crf: bool = False
) -> SystemSpec:
    options: dict[str, str | bool] = {"training": training, "ling": ling, "joint": joint, "crf": crf}
    return SystemSpec(
        key,
        title,
        "wikibias-7",
        "tagging:tagger",
        options,
        encoder=CASED,
        auto=training != "manual",
        lists=ling,
    )


PAPER_SYSTEMS = (
    _binary("manual", "manual"),
    _binary("auto", "auto"),
    _binary("auto-manual", "auto, then manual"),
    _binary("auto-5", "auto without 5%"),
    _binary("auto-10", "auto without 10%"),
    SystemSpec("bert", "BERT", "wikibias-6", "classifiers:plain", auto=False),
    SystemSpec("finetuned", "FINETUNED", "wikibias-6", "classifiers:finetuned", auto=False),
    SystemSpec("hierarchical", "HIERARCHICAL", "wikibias-6", "classifiers:hierarchical", auto=False),
    SystemSpec(
        "bilstm-cnn-crf",
        "BiLSTM-CNN-CRF",
        "wikibias-7",
        "bilstm:bilstm_cnn_crf",
        encoder="",
        auto=False,
        glove=True,
    ),
    SystemSpec("bert-atten", "BERT-ATTEN", "wikibias-7", "attention:attention"),
    SystemSpec("detector", "DETECTOR", "wikibias-7", "detector:detector"),
    _tagger("bert-manual", "BERT, manual", training="manual"),
    _tagger("bert", "BERT", training="auto"),
    _tagger("bert-ling", "BERT-LING", training="auto", ling=True),
    _tagger("bert-ling-manual", "BERT-LING, then manual", training="auto-manual", ling=True),
    _tagger("bert-ling-relabelled", "BERT-LING, relabelled", training="relabelled", ling=True),
    _binary("bert-classify", "classifier", "auto"),
    _binary("bert-classify-manual", "classifier, then manual", "auto-manual"),
    _tagger("joint", "JOINT", training="auto", joint=True),
    _tagger("joint-ling", "JOINT-LING", training="auto", ling=True, joint=True),
)
OTHER_SYSTEMS = (
    _tagger("bert-ling-crf", "BERT-LING with a CRF", training="auto", ling=True, crf=True),
    SystemSpec(
        "reader",
        "Evenhand's reader",
        "wikibias-7",
        "bundled_reader:reader",
        encoder="",
        auto=False,
        bundle=True,
    ),
)
ROWS: dict[str, dict[str, SystemSpec]] = {
    table: {row.key: row for row in (*PAPER_SYSTEMS, *OTHER_SYSTEMS) if row.table == table}
    for table in ("wikibias-5", "wikibias-6", "wikibias-7")
}
ENCODER_KEYS = tuple(ENCODERS)
"""Any encoder may replace the paper's."""

RANKING = (
    ("bilstm-cnn-crf", "bert"),
    ("bert", "bert-ling"),
    ("bert-ling", "bert-ling-relabelled"),
    *(
        ("detector", row.key)
        for row in PAPER_SYSTEMS
        if row.table == "wikibias-7" and row.key != "detector" and not row.same
    ),
)
"""Pairs of Table 7's taggers in the paper's order, the one with the lower exact F1 first."""
