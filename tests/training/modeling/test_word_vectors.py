"""Word vectors come from a GloVe file as it is written; bad lines are told by number and the rest is read."""

from __future__ import annotations

import gzip
import lzma
import math
from pathlib import Path

import pytest
import torch

from training.loop.training_loop import TrainingError
from training.modeling.word_vectors import DIMENSIONS, initial_embeddings, read_all_vectors, read_vectors

TEXT = "the 0.5 -1 2\nsenator 1e-2 0 3\n, 1 1 1\nnever 9 9 9\nthe 7 7 7\n"


def write(path: Path, text: str) -> Path:
    raw = text.encode()
    packed = {".xz": lzma.compress, ".gz": gzip.compress}.get(path.suffix)
    path.write_bytes(packed(raw) if packed else raw)
    return path


@pytest.mark.parametrize("name", ["glove.txt", "glove.txt.xz", "glove.txt.gz"])
def test_the_words_asked_for_are_read_from_plain_and_packed_files(tmp_path: Path, name: str) -> None:
    said: list[str] = []
    found = read_vectors(
        write(tmp_path / name, TEXT), ["the", ",", "senator", "absent"], on_message=said.append
    )
    assert found == {"the": [0.5, -1.0, 2.0], "senator": [0.01, 0.0, 3.0], ",": [1.0, 1.0, 1.0]}
    assert said == []


def test_the_whole_file_is_read_in_its_order_and_a_repeat_counts_once(tmp_path: Path) -> None:
    path = tmp_path / "glove.txt"
    path.write_bytes(TEXT.encode() + b"\xff\xfe 1 1 1\nbad 1 x 1\n")
    said: list[str] = []
    words, table = read_all_vectors(path, on_message=said.append)
    assert words == ("the", "senator", ",", "never")
    assert table.tolist() == [
        [0.5, -1.0, 2.0],
        [pytest.approx(0.01), 0.0, 3.0],
        [1.0, 1.0, 1.0],
        [9.0, 9.0, 9.0],
    ]
    assert "row 7: a word and 3 numbers expected, not all of them are numbers" in said[0]


def test_words_that_are_not_there_are_drawn_from_the_published_range(tmp_path: Path) -> None:
    path = write(tmp_path / "glove.txt", TEXT)
    made = initial_embeddings(["the", *[f"absent{number}" for number in range(200)]], path, seed=3)
    again = initial_embeddings(["the", *[f"absent{number}" for number in range(200)]], path, seed=3)
    assert made.known == {"the"}
    assert made.table.shape == (201, 3)
    assert made.table[0].tolist() == [0.5, -1.0, 2.0]
    assert made.table[1:].abs().max() <= math.sqrt(3 / 3)
    assert made.table[1:].std() > 0.4
    assert torch.equal(made.table, again.table)


def test_without_a_file_all_is_random() -> None:
    made = initial_embeddings(["the", "senator"], None, seed=1)
    assert made.known == frozenset()
    assert made.table.shape == (2, DIMENSIONS)
    assert made.table.abs().max() <= math.sqrt(3 / DIMENSIONS)


def test_bad_lines_are_told_by_number_and_the_rest_is_read(tmp_path: Path) -> None:
    said: list[str] = []
    path = write(
        tmp_path / "glove.txt", TEXT.replace("9 9 9", "9 9") + "budget 1 x 3\n\ncouncil 1 2 nan\nlast 1 2 3\n"
    )
    found = read_vectors(path, ["the", "never", "budget", "council", "last"], on_message=said.append)
    assert set(found) == {"the", "last"}
    (line,) = said
    assert "3 rows cannot be read" in line
    assert "row 4: a word and 3 numbers expected, 2 found" in line
    assert "row 6: a word and 3 numbers expected, not all of them are numbers" in line
    assert "row 8" in line


def test_the_count_line_of_word2vec_files_is_passed_over(tmp_path: Path) -> None:
    said: list[str] = []
    assert read_vectors(write(tmp_path / "v.txt", "1 3\nthe 1 2 3\n"), ["the"], on_message=said.append) == {
        "the": [1.0, 2.0, 3.0]
    }
    assert said == []


def test_bytes_that_are_no_text_cost_only_their_own_line(tmp_path: Path) -> None:
    path = tmp_path / "glove.txt"
    path.write_bytes(b"\xff\xfe 1 2\nthe 3 4\n")
    assert read_vectors(path, ["the"]) == {"the": [3.0, 4.0]}


@pytest.mark.parametrize("name", ["glove.txt.xz", "glove.txt.gz"])
def test_a_packed_file_that_is_cut_off_is_read_as_far_as_it_goes(tmp_path: Path, name: str) -> None:
    rows = "".join(f"w{number * 7919 % 100_003} {number * 0.37:.5f} {number}\n" for number in range(6000))
    path = write(tmp_path / name, "the 1 2\n" + rows)
    path.write_bytes(path.read_bytes()[: path.stat().st_size * 2 // 3])
    said: list[str] = []
    assert read_vectors(path, ["the"], on_message=said.append) == {"the": [1.0, 2.0]}
    assert "cut off" in said[0]


@pytest.mark.parametrize("text", ["", "\n\n", "senator\nbudget\n", "a b c\n"])
def test_a_file_without_vectors_is_an_error_that_says_what_is_expected(tmp_path: Path, text: str) -> None:
    with pytest.raises(TrainingError, match="contains no word vectors"):
        read_vectors(write(tmp_path / "glove.txt", text), ["senator", "a"])


@pytest.mark.parametrize("name", ["no.txt", "no.txt.gz", "no.txt.xz", ""])
def test_a_file_that_cannot_be_opened_is_an_error(tmp_path: Path, name: str) -> None:
    with pytest.raises(TrainingError, match="cannot be opened"):
        read_vectors(tmp_path / name, ["the"])
