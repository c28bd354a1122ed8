"""The downstream corpora: labels, groups and parts as published; equal texts stay together; damage is one line."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.training.auditing.compass.tiny_tasks import make_hatexplain, make_identities, make_liar
from training.auditing.compass.detectors import TASKS, choose_rows
from training.corpora import grouped_texts
from training.corpora.grouped_texts import GroupedText, split_grouped
from training.types import CorpusError


@given(st.lists(st.tuples(st.sampled_from("abcdefgh"), st.integers(0, 1)), max_size=60))
def test_equal_texts_stay_in_one_part_and_no_row_is_lost(rows: list[tuple[str, int]]) -> None:
    items = [GroupedText(text, label, ()) for text, label in rows]
    parts = split_grouped(items, tenths=(2, 2))
    assert sorted(one.text for part in parts for one in part) == sorted(one.text for one in items)
    for at, part in enumerate(parts):
        others = {one.text for number, other in enumerate(parts) if number != at for one in other}
        assert not {one.text for one in part} & others
    assert parts == split_grouped(items, tenths=(2, 2))


def test_parts_have_the_labels_shares() -> None:
    items = [GroupedText(f"text {number}", int(number % 5 == 0), ()) for number in range(1000)]
    for part, size in zip(split_grouped(items, tenths=(1, 1)), (800, 100, 100), strict=True):
        assert len(part) == size
        assert sum(one.label for one in part) == size // 5


def test_hatexplain_counts_hate_speech_alone(tmp_path: Path) -> None:
    parts = grouped_texts.load_hatexplain(make_hatexplain(tmp_path))
    everything = [*parts.train, *parts.dev, *parts.test]
    assert (len(parts.dev), len(parts.test)) == (16, 16)
    assert sum(one.label for one in everything) == 80
    assert all("economic" not in one.groups for one in everything if one.label)
    assert {group for one in everything for group in one.groups} == {"gender", "religion", "race", "economic"}


def test_liar_has_its_official_parts_and_quotation_marks_are_text(tmp_path: Path) -> None:
    parts = grouped_texts.load_liar(make_liar(tmp_path))
    assert (len(parts.train), len(parts.dev), len(parts.test)) == (120, 40, 40)
    assert parts.test[1].text.endswith('"a')
    assert [one.label for one in parts.test[:4]] == [0, 1, 0, 1]
    assert {group for one in parts.test for group in one.groups} == {
        *grouped_texts.PARTIES,
        grouped_texts.OTHER,
    }


def test_the_papers_corpus_gives_a_fifth_of_train_to_dev(tmp_path: Path) -> None:
    parts = grouped_texts.load_hate_identities(make_identities(tmp_path), "identity")
    assert (len(parts.train), len(parts.dev), len(parts.test)) == (80, 20, 40)
    assert parts.test[1].groups == ("muslims", "women")
    assert parts.test[0].groups == ()
    with pytest.raises(CorpusError, match=r"hate_identities/demographic/train\.csv is not in"):
        grouped_texts.load_hate_identities(tmp_path, "demographic")


def test_bad_rows_are_reported_and_bad_files_refused(tmp_path: Path) -> None:
    said: list[str] = []
    make_hatexplain(tmp_path)
    path = tmp_path / "hatexplain" / "preprocessed.csv"
    lines = path.read_text(encoding="utf-8").splitlines()
    path.write_text(
        "\n".join([*lines, "odd,,7,0,0,0,0,0", "odd,,1,0,0,0,0,5", ",,1,0,0,0,0,0"]), encoding="utf-8"
    )
    grouped_texts.load_hatexplain(tmp_path, on_message=said.append)
    assert "3 rows cannot be read" in said[0]
    path.write_text(
        "\n".join([lines[0], *(line.replace(",,2,", ",,0,") for line in lines[1:])]), encoding="utf-8"
    )
    with pytest.raises(CorpusError, match=r"hatexplain \(train\) has no row that is hateful"):
        grouped_texts.load_hatexplain(tmp_path)
    make_liar(tmp_path)
    tsv = tmp_path / "liar" / "test.tsv"
    tsv.write_text("only\ttwo\n", encoding="utf-8")
    with pytest.raises(CorpusError, match="not one of 1 rows can be read"):
        grouped_texts.load_liar(tmp_path)


def test_some_rows_keep_the_labels_shares_and_the_seed_their_choice() -> None:
    items = [GroupedText(f"text {number}", int(number % 4 == 0), ()) for number in range(400)]
    some = choose_rows(items, 100, seed=3)
    assert (len(some), sum(one.label for one in some)) == (100, 25)
    assert some == choose_rows(items, 100, seed=3) != choose_rows(items, 100, seed=4)
    assert choose_rows(items, None, seed=3) == items


def test_every_task_says_where_its_corpus_is(tmp_path: Path) -> None:
    for task in TASKS.values():
        with pytest.raises(CorpusError, match="is not in"):
            task.load(tmp_path)
        assert set(task.corpus_digest(tmp_path).split()) == {"none"}
        assert task.facts.manual_steps
