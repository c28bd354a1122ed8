"""What the reader's run reads: with every corpus, and without those that it can do without."""

from __future__ import annotations

import json
import lzma
import shutil
from pathlib import Path

import pytest

from training.corpora import (
    annotated_sentences,
    opinion_spans,
    political_texts,
    wikibias_manual,
    wikipedia,
)
from training.corpora.annotated_sentences import text_key
from training.corpora.wikibias_manual import ManualSentence
from training.reader.dataset_mix import (
    CORPORA,
    WIKIBIAS_UNMARKED_WEIGHT,
    DatasetMix,
    load_dataset_mix,
)
from training.types import OUTSIDE, CorpusError

OPTIONAL_PARTS = ("wikibias", "opinions", "anno_lexical", "unlabelled")
LEFT_OUT = 2
"""The books and speeches that teach the leaning are in no folder of the tests."""


def loaded_sentence(corpora: Path) -> ManualSentence:
    """A sentence of WIKIBIAS whose first word its annotators left alone."""
    return next(
        one
        for one in wikibias_manual.load(corpora, "train")
        if one.tagged.biased and one.tagged.tags[0] == OUTSIDE
    )


@pytest.fixture(scope="module")
def whole(corpora: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[DatasetMix, list[str]]:
    """The mix, where a sentence of CW-Hard and one of WIKIBIAS were read in full, the latter with its first word."""
    sentence = loaded_sentence(corpora)
    first = {"start": 0, "end": len(sentence.tagged.tokens[0]), "kind": "framing", "class": "judgement"}
    neutral = next(one.text for one in wikipedia.load_cw_hard(corpora) if not one.bias)
    rows = [
        {"source": "cw_hard", "text": text_key(neutral), "bias": 0, "spans": []},
        {
            "source": "wikibias",
            "text": text_key(wikibias_manual.to_example(sentence, prose=True).text),
            "bias": 2,
            "spans": [{**first, "severity": 2, "wordings": []}],
        },
    ]
    path = tmp_path_factory.mktemp("annotated") / "rows.jsonl.xz"
    with lzma.open(path, "wt", encoding="utf-8") as file:
        file.write("\n".join(map(json.dumps, rows)))
    told: list[str] = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(annotated_sentences, "CORPUS_SENTENCES", path)
        return load_dataset_mix(corpora, on_message=told.append), told


@pytest.fixture(scope="module")
def least(required_corpora: Path) -> tuple[DatasetMix, list[str]]:
    told: list[str] = []
    return load_dataset_mix(required_corpora, on_message=told.append), told


def test_every_corpus_is_in_its_part(whole: tuple[DatasetMix, list[str]]) -> None:
    mixture, told = whole
    for name in DatasetMix.__slots__:
        if name not in ("dropped", "corrections", "own_pairs"):
            assert getattr(mixture, name), name
    absent = {political_texts.FACTS, political_texts.CONVOTE_FACTS}
    assert set(mixture.corpora) == set(CORPORA) - absent
    assert len(mixture.missing) == LEFT_OUT
    assert sum(line.startswith("The run goes on without") for line in told) == LEFT_OUT
    assert {one.corpus for one in mixture.opinions} == {"ptc", "mpqa", "szeged"}
    assert {one.corpus for one in mixture.unlabelled} == {"wnc_single", "news_pool"}
    assert {one.example.corpus for one in mixture.dev_annotated} == {"editors", "written"}


def test_wikibias_is_read_in_both_spellings_and_an_unmarked_word_of_it_counts_less(
    whole: tuple[DatasetMix, list[str]], corpora: Path
) -> None:
    rows = whole[0].wikibias
    half = len(rows) // 2
    assert all(one.text.endswith(" .") for one in rows[:half])
    assert not any(one.text.endswith(" .") for one in rows[half:])
    assert {one.unmarked_weight for one in rows} == {WIKIBIAS_UNMARKED_WEIGHT}
    assert {one.group for one in rows} <= {one.tagged.group for one in wikibias_manual.load(corpora, "train")}


def test_a_word_of_wikibias_that_was_marked_later_has_no_label(
    whole: tuple[DatasetMix, list[str]], corpora: Path
) -> None:
    mixture, sentence = whole[0], loaded_sentence(corpora)
    read = [
        wikibias_manual.to_example(sentence, prose=prose).text in {one.text for one in mixture.wikibias}
        for prose in (False, True)
    ]
    assert read == [True, True]
    half = len(mixture.wikibias) // 2
    for rows, prose in ((mixture.wikibias[:half], False), (mixture.wikibias[half:], True)):
        example = wikibias_manual.to_example(sentence, prose=prose)
        known = next(one.labelled_ranges for one in rows if one.text == example.text)
        assert known is not None
        words = [example.text[start:end] for start, end in known]
        assert words == list(sentence.tagged.tokens[1:])
        assert all(any(a <= span.start < b for a, b in known) for span in example.spans or ())
    assert {one.labelled_ranges for one in mixture.wikibias if one.group != sentence.tagged.group} == {None}
    (neutral,) = mixture.annotated_corpora
    assert (neutral.spans, neutral.unmarked_weight, neutral.bias) == ((), 1.0, 0.0)


def test_weights_of_unmarked_words_follow_what_a_corpus_leaves_unmarked(
    whole: tuple[DatasetMix, list[str]],
) -> None:
    mixture = whole[0]
    assert {one.unmarked_weight for one in mixture.annotated} == {1.0}
    assert {one.unmarked_weight for one in mixture.wnc} == {wikipedia.EDITED_UNMARKED_WEIGHT}
    assert {one.unmarked_weight for one in mixture.opinions} == {opinion_spans.UNMARKED_WEIGHT}


def test_what_a_teacher_labels_has_no_labels(whole: tuple[DatasetMix, list[str]]) -> None:
    rows = whole[0].unlabelled
    assert {(one.spans, one.bias, one.leaning) for one in rows} == {(None, None, None)}
    first, second = (one.corpus for one in rows[:2])
    assert first != second, "in turn, so that a part of them holds both"


def test_pairs_that_stand_in_wikibias_dev_are_left_out(corpora: Path) -> None:
    groups = {pair.group for pair in wikipedia.load_additional_pairs(corpora)}
    assert groups.isdisjoint({"wnc-50001", "wnc-50003"})
    assert {"wnc-50000", "wnc-50002"} <= groups


def test_without_what_it_can_do_without_the_rest_is_there_and_each_is_told(
    least: tuple[DatasetMix, list[str]], whole: tuple[DatasetMix, list[str]], required_corpora: Path
) -> None:
    mixture, told = least
    assert not any(getattr(mixture, name) for name in (*OPTIONAL_PARTS, "dev_wikibias"))
    assert {one.corpus for one in mixture.annotated} == {"written"}, (
        "this project's own sentences are always there"
    )
    assert mixture.babe == whole[0].babe[: len(mixture.babe)]
    goes_on = [line for line in told if line.startswith("The run goes on without")]
    assert len(goes_on) == len(mixture.missing) == 12
    assert all("is not in" in line for line in goes_on)
    absent = set(CORPORA) - set(mixture.corpora)
    assert {facts.key for facts in absent} == {
        "wikibias-manual",
        "editors",
        "anno-lexical",
        "ptc",
        "mpqa",
        "szeged-uncertainty",
        "news-pool",
        "real-world",
        "convote",
    }
    for facts in absent:
        assert any(line.startswith(f"{facts.name}: ") for line in mixture.missing)
    assert not any(str(required_corpora) in line for line in mixture.missing), (
        "a card names no folder of a machine"
    )


def test_a_corpus_that_is_partly_there_is_used_and_what_is_missing_is_told(
    corpora: Path, tmp_path: Path
) -> None:
    data = tmp_path / "data"
    shutil.copytree(corpora, data)
    (data / "wikibias" / "dev.jsonl.xz").unlink()
    (data / "mpqa2" / "sentences.jsonl.xz").write_bytes(b"garbage!")
    told: list[str] = []
    mixture = load_dataset_mix(data, on_message=told.append)
    assert mixture.wikibias
    assert mixture.dev_wikibias == []
    assert wikibias_manual.FACTS in mixture.corpora
    assert opinion_spans.MPQA_FACTS not in mixture.corpora
    assert "dev scores on WIKIBIAS" in mixture.missing
    assert any("the file is damaged" in line for line in told)


@pytest.mark.parametrize("name", ["babe/final_labels_SG2.csv", "wnc/pairs.train.tsv", "gbnc/pairs.tsv"])
def test_without_one_that_it_needs_nothing_is_trained(
    name: str, required_corpora: Path, tmp_path: Path
) -> None:
    data = tmp_path / "data"
    shutil.copytree(required_corpora, data)
    (data / name).unlink()
    with pytest.raises(CorpusError, match="is not in"):
        load_dataset_mix(data, on_message=lambda _: None)


def test_a_sentence_of_babe_that_stands_in_another_dev_part_is_not_trained_on(
    corpora: Path, tmp_path: Path
) -> None:
    data = tmp_path / "data"
    shutil.copytree(corpora, data)
    before = load_dataset_mix(data, on_message=lambda _: None)
    stolen = before.babe[0].text
    path = data / "wnc" / "pairs.dev.tsv"
    path.write_text(path.read_text(encoding="utf-8") + f"{stolen} sadly\t{stolen}\n", encoding="utf-8")
    after = load_dataset_mix(data, on_message=lambda _: None)
    assert stolen not in {one.text for one in (*after.babe, *after.wnc, *after.cw_hard)}


def test_the_same_seed_gives_the_same_parts_and_a_limit_caps_each(corpora: Path) -> None:
    one, other = (load_dataset_mix(corpora, limit=5, on_message=lambda _: None) for _ in range(2))
    assert one == other
    for name in DatasetMix.__slots__:
        part = getattr(one, name)
        if isinstance(part, list) and name != "leaning_texts":
            assert len(part) <= 5, name
