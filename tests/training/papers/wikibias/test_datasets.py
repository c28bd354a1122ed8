"""The corpus of WIKIBIAS's tables: the release, else the manual corpus; its digest changes with the files."""

from __future__ import annotations

import lzma
import re
import shutil
from pathlib import Path

import pytest

from tests.training.papers.wikibias.invented_corpus import pairs
from training.corpora.wikibias_writer import write_corpus
from training.papers.wikibias import manual_corpus
from training.papers.wikibias.datasets import limit_part, load_corpus
from training.papers.wikibias.types import Corpus
from training.types import CorpusError, TaggedSentence


def quiet(_: str) -> None:
    """Says nothing."""


def official(folder: Path, *, auto: bool = True) -> Path:
    """A corpus as its authors' would lie there."""
    noisy = pairs(6, seed=2) if auto else []
    write_corpus(folder, manual=pairs(8, seed=1), auto=noisy, dev=pairs(3, seed=3), test=pairs(4, seed=4))
    return folder


def copy_files(data: Path, folder: Path) -> Path:
    """Those files of ``data`` of which the manual corpus is made."""
    for name in manual_corpus.FILES:
        (folder / name).parent.mkdir(exist_ok=True)
        shutil.copyfile(data / name, folder / name)
    return folder


def gathered(data: Path, *, limit: int | None = None) -> Corpus:
    return load_corpus(data, limit=limit, on_message=quiet)


def words(part: list[TaggedSentence]) -> list[tuple[str, ...]]:
    return [sentence.tokens for sentence in part]


def test_the_official_corpus_goes_before_everything(tmp_path: Path) -> None:
    found = gathered(official(tmp_path))
    assert found.name == "WIKIBIAS"
    assert words(list(found.manual)) == words(pairs(8, seed=1))
    assert words(list(found.auto)) == words(pairs(6, seed=2))
    assert words(list(found.dev)) == words(pairs(3, seed=3))
    assert words(list(found.test)) == words(pairs(4, seed=4))


def test_without_the_release_the_manual_corpus_is_split(corpora: Path) -> None:
    found = gathered(corpora)
    assert found.name == manual_corpus.NAME
    groups = [{one.group for one in part} for part in (found.manual, found.auto, found.dev, found.test)]
    assert all(groups)
    assert sum(map(len, groups)) == len(set().union(*groups))
    few = gathered(corpora, limit=4)
    assert [len(part) for part in (few.manual, few.auto, few.dev, few.test)] == [4, 4, 4, 4]
    assert few.digest == found.digest


@pytest.mark.parametrize("name", manual_corpus.FILES)
def test_a_file_that_is_missing_is_named(name: str, corpora: Path, tmp_path: Path) -> None:
    data = copy_files(corpora, tmp_path)
    (data / name).unlink()
    with pytest.raises(CorpusError, match=rf"{re.escape(name)} is not in"):
        gathered(data)


def test_the_mark_changes_with_each_file_of_the_manual_corpus(corpora: Path, tmp_path: Path) -> None:
    data = copy_files(corpora, tmp_path)
    marks = {gathered(data).digest, gathered(corpora).digest}
    assert len(marks) == 1
    for name in manual_corpus.FILES:
        path = data / name
        if path.suffix == ".xz":
            lines = lzma.decompress(path.read_bytes()).decode().splitlines()
            path.write_bytes(lzma.compress("".join(f"{line}\n" for line in lines[:-1]).encode()))
        else:
            with path.open("a", encoding="utf-8") as stream:
                stream.write("\n")
        marks.add(gathered(data).digest)
    assert len(marks) == 1 + len(manual_corpus.FILES)


def test_without_auto_that_part_is_empty(tmp_path: Path) -> None:
    found = gathered(official(tmp_path, auto=False))
    assert not found.auto
    assert found.manual


def test_half_of_auto_is_an_error(tmp_path: Path) -> None:
    data = official(tmp_path)
    (data / "wikibias" / "noisy_train_neg.tsv").unlink()
    with pytest.raises(CorpusError, match=r"noisy_train_neg\.tsv is not in"):
        gathered(data)


@pytest.mark.parametrize("part", ["train", "dev", "test"])
def test_a_part_of_the_release_that_is_missing_is_an_error(tmp_path: Path, part: str) -> None:
    data = official(tmp_path)
    (data / "wikibias" / "tag_binary" / f"{part}.tsv").unlink()
    with pytest.raises(CorpusError, match=rf"wikibias/tag_binary/{part}\.tsv is not in"):
        gathered(data)


def test_the_mark_changes_with_the_files(tmp_path: Path) -> None:
    data = official(tmp_path / "data")
    first = gathered(data).digest
    assert gathered(data).digest == first
    shutil.copytree(data, tmp_path / "copy")
    assert gathered(tmp_path / "copy").digest == first
    with (data / "wikibias" / "noisy_train.tsv").open("a", encoding="utf-8") as stream:
        stream.write("\n")
    assert gathered(data).digest != first


def test_a_cap_keeps_pairs_whole_and_in_order() -> None:
    part = pairs(20, seed=1)
    found = limit_part(part, 7)
    assert len(found) == 6
    assert [part.index(sentence) for sentence in found] == sorted(part.index(sentence) for sentence in found)
    groups = [sentence.group for sentence in found]
    assert all(groups.count(group) == 2 for group in groups)
    assert limit_part(part, 7) == found
    assert groups != [
        sentence.group for sentence in part[:6]
    ]  # a file in some order of its own gives all classes
    assert limit_part(part, 40) == part
    assert limit_part(part, None) == part


def test_sentences_without_a_group_are_capped_one_by_one() -> None:
    part = [TaggedSentence((str(number),), ("O",), biased=False, original=True) for number in range(9)]
    assert len(limit_part(part, 5)) == 5


def test_a_cap_below_a_pair_leaves_one_pair() -> None:
    assert len(limit_part(pairs(5, seed=1), 1)) == 2
