"""The systems of WIKIBIAS's Tables 5, 6 and 7 and other systems, as data."""

from __future__ import annotations

from dataclasses import dataclass, field
from importlib import import_module
from typing import Literal

from training.modeling.encoders import ENCODERS
from training.papers.wikibias.published import WIKIBIAS_TABLE_5, WIKIBIAS_TABLE_6, WIKIBIAS_TABLE_7
from training.papers.wikibias.types import System

TableName = Literal["wikibias-5", "wikibias-6", "wikibias-7"]
CASED, UNCASED = "bert", "bert-uncased"
OWN = "paper"
"""In place of an encoder: that of the paper for each row (Appendix D: lower-cased for sentences, cased for tags)."""


@dataclass(frozen=True, slots=True)
class SystemSpec:
    """A row of a table.

    ``system`` is the function that trains and predicts, as ``module:name`` under ``models``; with ``options`` it is a
    function that returns such a function. ``encoder`` is the paper's, a key of ENCODERS, or empty. ``auto``: needs the
    noisy part. ``lists``, ``glove``, ``bundle``: reads the word lists, word vectors, or the program's own reader.
    ``published`` are the scores in the paper, if any. ``same`` is a row of Table 5 that this row repeats.
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
    published: tuple[float | None, ...] = ()
    same: str = ""

    @property
    def name(self) -> str:
        """The row of its cells; a row that repeats another has the name of that one."""
        return f"wikibias-5-{self.same}" if self.same else f"{self.table}-{self.key}"

    def load(self) -> System:
        """The function of the system, imported on demand."""
        module, _, name = self.system.partition(":")
        found = getattr(import_module(f"training.papers.wikibias.models.{module}"), name)
        return found(**self.options) if self.options else found  # type: ignore[no-any-return]


def _table_5() -> tuple[SystemSpec, ...]:
    titles = {
        "manual": "manual",
        "auto": "auto",
        "auto-manual": "auto, then manual",
        "auto-5": "auto without 5%",
        "auto-10": "auto without 10%",
    }
    return tuple(
        SystemSpec(
            key,
            title,
            "wikibias-5",
            "classifiers:binary",
            {"training": key},
            auto=key != "manual",
            published=WIKIBIAS_TABLE_5[title],
        )
        for key, title in titles.items()
    )


def _table_6() -> tuple[SystemSpec, ...]:
    functions = {"bert": "plain", "finetuned": "finetuned", "hierarchical": "hierarchical"}
    titles = {"bert": "BERT", "finetuned": "FINETUNED", "hierarchical": "HIERARCHICAL"}
    return tuple(
        SystemSpec(
            key,
            title,
            "wikibias-6",
            f"classifiers:{functions[key]}",
            auto=False,
            published=WIKIBIAS_TABLE_6[title],
        )
        for key, title in titles.items()
    )


def _table_7() -> tuple[SystemSpec, ...]:
    return (
        _row_7(
            "bilstm-cnn-crf", "BiLSTM-CNN-CRF", "bilstm:bilstm_cnn_crf", encoder="", auto=False, glove=True
        ),
        _row_7("bert-atten", "BERT-ATTEN", "attention:attention"),
        _row_7("detector", "DETECTOR", "detector:detector"),
        _tagger("bert-manual", "BERT, manual", training="manual"),
        _tagger("bert", "BERT", training="auto"),
        _tagger("bert-ling", "BERT-LING", training="auto", ling=True),
        _tagger("bert-ling-manual", "BERT-LING, then manual", training="auto-manual", ling=True),
        _tagger("bert-ling-relabelled", "BERT-LING, relabelled", training="relabelled", ling=True),
        _classifier("bert-classify", "classifier", "auto"),
        _classifier("bert-classify-manual", "classifier, then manual", "auto-manual"),
        _tagger("joint", "JOINT", training="auto", joint=True),
        _tagger("joint-ling", "JOINT-LING", training="auto", ling=True, joint=True),
    )


def _row_7(
    key: str,
    title: str,
    system: str,
    *,
    encoder: str = UNCASED,
    auto: bool = True,
    glove: bool = False,
) -> SystemSpec:
    published = WIKIBIAS_TABLE_7[title]
    return SystemSpec(
        key, title, "wikibias-7", system, encoder=encoder, auto=auto, glove=glove, published=published
    )


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
        published=WIKIBIAS_TABLE_7.get(title, ()),
    )


def _classifier(key: str, title: str, same: str) -> SystemSpec:
    return SystemSpec(
        key,
        title,
        "wikibias-7",
        "classifiers:binary",
        {"training": same},
        published=WIKIBIAS_TABLE_7[title],
        same=same,
    )


PAPER = (*_table_5(), *_table_6(), *_table_7())
BEYOND = (
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
    table: {row.key: row for row in (*PAPER, *BEYOND) if row.table == table}
    for table in ("wikibias-5", "wikibias-6", "wikibias-7")
}
ENCODER_KEYS = tuple(ENCODERS)
"""Any encoder may replace the paper's."""

RANKING = (
    ("bilstm-cnn-crf", "bert"),
    ("bert", "bert-ling"),
    ("bert-ling", "bert-ling-relabelled"),
    *(("detector", row.key) for row in _table_7() if row.key not in ("detector",) and not row.same),
)
"""Pairs of Table 7's taggers in the paper's order, the one with the lower exact F1 first."""
