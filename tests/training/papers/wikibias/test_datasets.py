"""The corpus of WIKIBIAS's tables: the official files where they are, else a proxy that is made once."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.training.papers.wikibias.invented_corpus import pairs
from tests.training.tiny_corpora import make_injected
from training.corpora import wikibias_proxy
from training.corpora.wikibias_proxy import PROXY_NAME, write_corpus
from training.papers.wikibias.datasets import limit_part, load_corpus
from training.papers.wikibias.types import Corpus
from training.types import CorpusError, TaggedSentence


def quiet(_: str) -> None:
    """Says nothing."""


def official(folder: Path, *, auto: bool = True) -> Path:
    """A corpus as its authors' would lie there: with no word from us beside it."""
    noisy = pairs(6, seed=2) if auto else []
    write_corpus(folder, manual=pairs(8, seed=1), auto=noisy, dev=pairs(3, seed=3), test=pairs(4, seed=4))
    (folder / "wikibias" / "name.txt").unlink()
    return folder


def gathered(
    data: Path, folder: Path, *, injected: Path | None = None, limit: int | None = None, spacy: str = "none"
) -> Corpus:
    return load_corpus(data, limit=limit, folder=folder, injected=injected, spacy=spacy, on_message=quiet)


def words(part: list[TaggedSentence]) -> list[tuple[str, ...]]:
    return [sentence.tokens for sentence in part]


def test_the_official_corpus_goes_before_everything(tmp_path: Path) -> None:
    found = gathered(official(tmp_path / "data"), tmp_path / "work", injected=tmp_path / "not looked at")
    assert found.name == "WIKIBIAS"
    assert words(list(found.manual)) == words(pairs(8, seed=1))
    assert words(list(found.auto)) == words(pairs(6, seed=2))
    assert words(list(found.dev)) == words(pairs(3, seed=3))
    assert words(list(found.test)) == words(pairs(4, seed=4))
    assert not (tmp_path / "work").exists()


def test_without_auto_that_part_is_empty(tmp_path: Path) -> None:
    found = gathered(official(tmp_path, auto=False), tmp_path / "work")
    assert not found.auto
    assert found.manual


def test_half_of_auto_is_an_error(tmp_path: Path) -> None:
    data = official(tmp_path)
    (data / "wikibias" / "noisy_train_neg.tsv").unlink()
    with pytest.raises(CorpusError, match=r"noisy_train_neg\.tsv is not in"):
        gathered(data, tmp_path / "work")


@pytest.mark.parametrize("part", ["train", "dev", "test"])
def test_a_part_that_is_missing_is_an_error_and_no_reason_for_a_stand_in(tmp_path: Path, part: str) -> None:
    data = official(tmp_path)
    (data / "wikibias" / "tag_binary" / f"{part}.tsv").unlink()
    with pytest.raises(CorpusError, match=rf"wikibias/tag_binary/{part}\.tsv is not in"):
        gathered(data, tmp_path / "work")


def test_the_mark_changes_with_the_files(tmp_path: Path) -> None:
    data = official(tmp_path / "data")
    first = gathered(data, tmp_path / "work").mark
    assert gathered(data, tmp_path / "elsewhere").mark == first
    shutil.copytree(data, tmp_path / "copy")
    assert gathered(tmp_path / "copy", tmp_path / "work").mark == first
    with (data / "wikibias" / "noisy_train.tsv").open("a", encoding="utf-8") as stream:
        stream.write("\n")
    assert gathered(data, tmp_path / "work").mark != first


def test_the_stand_in_is_made_once(corpora: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    injected = make_injected(tmp_path / "injected.jsonl")
    said: list[str] = []
    first = load_corpus(
        corpora, limit=None, folder=tmp_path / "work", injected=injected, spacy="none", on_message=said.append
    )
    assert first.name == PROXY_NAME
    assert all((first.manual, first.auto, first.dev, first.test))
    assert any("making the proxy corpus" in line for line in said)
    made = wikibias_proxy.build_proxy(corpora, injected=injected, nlp=None)
    for found, wanted in ((first.manual, made.manual), (first.dev, made.dev), (first.test, made.test)):
        assert [(row.tokens, row.tags, row.biased, row.kinds) for row in found] == [
            (row.tokens, row.tags, row.biased, row.kinds) for row in wanted
        ]
    monkeypatch.setattr(wikibias_proxy, "build_proxy", None)
    assert gathered(corpora, tmp_path / "work", injected=injected) == first
    (prepared,) = (tmp_path / "work").iterdir()
    assert gathered(prepared, tmp_path / "other") == first


def test_other_input_makes_another_stand_in(corpora: Path, tmp_path: Path) -> None:
    injected = make_injected(tmp_path / "injected.jsonl")
    work = tmp_path / "work"
    both = gathered(corpora, work, injected=injected)
    alone = gathered(corpora, work)
    assert not alone.auto
    assert alone.mark != both.mark
    few = gathered(corpora, work, injected=injected, limit=4)
    assert 0 < len(few.manual) <= 4
    assert len(list(work.iterdir())) == 3


def test_a_stand_in_that_another_process_made_meanwhile_is_taken(
    corpora: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make = wikibias_proxy.build_proxy
    work = tmp_path / "work"

    def slow(*args: object, **kwargs: object) -> wikibias_proxy.ProxyCorpus:
        monkeypatch.setattr(wikibias_proxy, "build_proxy", make)
        gathered(corpora, work)
        return make(*args, **kwargs)  # type: ignore[arg-type]

    monkeypatch.setattr(wikibias_proxy, "build_proxy", slow)
    assert gathered(corpora, work).manual
    assert len(list(work.iterdir())) == 1


def test_what_the_stand_in_is_made_of_must_be_there(corpora: Path, tmp_path: Path) -> None:
    with pytest.raises(CorpusError, match=r"does not exist\. Make it with `evenhand train data inject`"):
        gathered(corpora, tmp_path / "work", injected=tmp_path / "gone.jsonl")
    with pytest.raises(CorpusError, match=r"wnc/pairs\.train\.tsv is not in"):
        gathered(tmp_path, tmp_path / "work")
    with pytest.raises(CorpusError, match=r"is no spaCy model|spaCy is not installed"):
        gathered(corpora, tmp_path / "work", spacy="no-such-model")
    assert not (tmp_path / "work").exists()


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
