"""Protects the committed cells of WIKIBIAS, BABE and stereotype removal: the code computes the same facts."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import pytest
import torch

from training.corpora.babe import HEADLINES, HEADLINES_PROXY
from training.loop.events import Events
from training.loop.result_cache import ResultCell, read_results
from training.modeling.encoders import EncoderSource
from training.papers.babe import runner as babe
from training.papers.babe import table_5
from training.papers.babe.systems import SYSTEMS
from training.papers.stereotype_removal import runner as bsw
from training.papers.stereotype_removal import tables as bsw_tables
from training.papers.stereotype_removal.datasets import Corpora
from training.papers.stereotype_removal.strategies import StrategyResources
from training.papers.wikibias import manual_corpus
from training.papers.wikibias import runner as wikibias
from training.papers.wikibias import tables as wikibias_tables
from training.papers.wikibias.systems import ROWS
from training.papers.wikibias.types import Corpus

CPU = torch.device("cpu")
QUIET = Events("test", stream=io.StringIO())


class Known(dict[str, str]):
    """Marks by name, taken from the facts of a cell."""

    def __missing__(self, key: str) -> str:
        return key


def sources_of(cell: ResultCell) -> dict[str, EncoderSource]:
    digests = {
        name.removeprefix("encoder "): digest for name, digest in cell.facts.items() if "encoder" in name
    }
    key = "minilm" if "encoder" in digests else ""
    return {key or name: EncoderSource(key or name, "", digest) for name, digest in digests.items()}


def last_word(text: str) -> str:
    return text.rpartition(" ")[2]


@pytest.mark.parametrize("cell", read_results(table_5.SPEC.results), ids=lambda cell: cell.place)
def test_babe(cell: ResultCell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    facts = cell.facts
    lists = int(facts.get("lists", "0 ").split()[0])
    monkeypatch.setattr(babe, "list_files", lambda _: ["list.txt"] * lists)
    digests = {cell.group: facts["babe"], "lists": last_word(facts.get("lists", ""))}
    runner = babe.BabeRunner(
        data=tmp_path,
        folder=tmp_path,
        budget=table_5.BUDGETS[cell.scale],
        sources=sources_of(cell),
        auxiliary={},
        spacy=facts.get("spacy", ""),
        device=CPU,
        events=QUIET,
        _digests=digests,
    )
    cell_id = babe.BabeCellId(SYSTEMS[cell.row], cell.group, cell.protocol, cell.seed, cell.fold)
    check(runner.task(cell_id, scale=cell.scale, command=cell.command).cell, cell)


@pytest.mark.parametrize("cell", read_results(wikibias_tables.SPEC.results), ids=lambda cell: cell.place)
def test_wikibias(cell: ResultCell, tmp_path: Path) -> None:
    facts = cell.facts
    lists = tmp_path / "lists"
    lists.mkdir()
    for number in range(int(facts.get("lists", "0 ").split()[0])):
        (lists / f"{number}.txt").touch()
    runner = wikibias.WikibiasRunner(
        corpus=Corpus([], [], [], [], facts["corpus"], facts["material"]),
        folder=tmp_path,
        budget=wikibias_tables.BUDGETS[cell.scale],
        sources=sources_of(cell),
        lists=lists,
        glove=tmp_path,
        device=CPU,
        events=QUIET,
        _digests={name: last_word(facts.get(name, "")) for name in ("lists", "bundle", "glove")},
    )
    (system,) = {
        row.name: row for rows in ROWS.values() for row in rows.values() if row.name == cell.row
    }.values()
    cell_id = wikibias.WikibiasCellId(system, cell.group, cell.protocol, cell.seed)
    check(runner.task(cell_id, scale=cell.scale, command=cell.command).cell, cell)


@pytest.mark.parametrize("cell", read_results(bsw_tables.SPEC.results), ids=lambda cell: cell.place)
def test_stereotype_removal(cell: ResultCell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    facts = cell.facts

    def known_facts(_tools: StrategyResources, _key: str) -> dict[str, str]:
        return {name: facts[name] for name in ("glove", "wordnet", "spacy") if name in facts}

    monkeypatch.setattr(StrategyResources, "facts", known_facts)
    corpus = next(name for name in bsw_tables.VIEWS["bsw-3"].corpora if cell.row.startswith(name))
    runner = bsw.BswRunner(
        tmp_path,
        StrategyResources(glove=None, wordnet=None, spacy=""),
        bsw_tables.BUDGETS[cell.scale],
        tmp_path,
        CPU,
        QUIET,
        _corpora=Corpora(corpus, None, (), facts["corpus"]),  # type: ignore[arg-type]
    )
    replacement = cell.row.removeprefix(f"{corpus}-{cell.protocol}-").removesuffix("words")
    cell_id = bsw.BswCellId(corpus, cell.protocol, replacement, cell.group, cell.seed)
    check(runner.task(cell_id, scale=cell.scale, command=cell.command).cell, cell)


def check(computed: ResultCell, committed: ResultCell) -> None:
    fields: tuple[str, ...] = ("place", "row", "group", "protocol", "seed", "fold", "facts", "key")
    expected: dict[str, Any] = {name: getattr(committed, name) for name in fields}
    assert {name: getattr(computed, name) for name in fields} == expected


def test_names_of_corpora_in_the_facts_are_unchanged() -> None:
    assert manual_corpus.NAME == (
        "WIKIBIAS's manual train part; a quarter of its dev part chooses, scores are on the other three quarters (the "
        "test part is not here); WNC pairs with Appendix C's spans for AUTO"
    )
    assert HEADLINES != HEADLINES_PROXY
