"""WIKIBIAS's Tables 3 and 4: what is counted is what the files hold, and what is missing is named."""

from __future__ import annotations

from pathlib import Path

import pytest

from training.cli import main
from training.evaluation.results_table import Table
from training.papers.wikibias import corpus_table
from training.papers.wikibias.published import WIKIBIAS_TABLE_3, WIKIBIAS_TABLE_4


@pytest.fixture(scope="module")
def table(corpora: Path) -> Table:
    return corpus_table.run(corpora)


def row(table: Table, block: int, name: str) -> tuple[str, ...]:
    return next(line for line in table.blocks[block].rows if line[0] == name)


def test_sentences_and_labels_of_each_part(table: Table) -> None:
    assert row(table, 0, "manual, for training")[1:7:2] == ("48", "24", "24")
    assert row(table, 0, "dev part")[1:7:2] == ("24", "12", "12")
    shares = [row(table, 0, f"… of it for {what}")[1] for what in ("choosing", "scores")]
    assert sum(map(int, shares)) == 24
    assert row(table, 0, "test part")[1:7] == ("not here", "2,104", "not here", "852", "not here", "1,252")
    auto = row(table, 0, "AUTO")
    assert int(auto[3]) == int(auto[5]) == int(auto[1]) / 2 > 0


def test_kinds_and_spans_are_the_annotators(table: Table) -> None:
    assert row(table, 1, "manual, for training")[1:] == ("24", "8", "8", "8", "0", "0", "0")
    assert row(table, 1, "AUTO")[2:5] == ("0", "0", "0")
    manual = row(table, 2, "manual, for training")
    assert manual[1:] == ("24", "24", "8", "8", "8", "24", "0", "1.00", "1.00")
    assert row(table, 2, "manual, all that is here")[1:3] == ("36", "36")
    assert row(table, 2, "AUTO")[3:6] == ("–", "–", "–")


def test_published_counts_add_up() -> None:
    pairs, spans, *kinds = (
        int(cell.replace(",", "")) for cell in WIKIBIAS_TABLE_3["manual, all three parts"][:5]
    )
    assert sum(kinds) == spans
    assert sum(WIKIBIAS_TABLE_4[part][0] for part in ("manual", "dev", "test")) == 2 * pairs
    assert all(total == biased + neutral for total, biased, neutral, _ in WIKIBIAS_TABLE_4.values())


def test_the_command_prints_it_and_names_a_missing_file(
    corpora: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main.main(["table", "wikibias-corpus", "--data", str(corpora)]) == 0
    assert "Table 3: spans of biased source sentences" in capsys.readouterr().out
    assert main.main(["table", "wikibias-corpus", "--data", str(tmp_path)]) == 2
    assert "wikibias/train.jsonl.xz is not in" in capsys.readouterr().err
