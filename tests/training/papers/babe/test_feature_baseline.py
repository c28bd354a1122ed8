"""The feature baseline: features of words, word lists, and the rule for sentences."""

from __future__ import annotations

import zipfile
from pathlib import Path

import numpy as np
import pytest
import spacy

from core.engine.cues import Lexicon
from core.types import Kind
from training.papers import word_lists
from training.papers.babe import feature_baseline
from training.papers.babe.systems import Fold, make_folds
from training.types import CorpusError, Example, GoldSpan

SHEET = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
LISTS = {"loaded": frozenset({"shameful", "iconic"}), "plain": frozenset({"budget"})}


@pytest.fixture(scope="module")
def lexicon() -> Lexicon:
    return Lexicon.load()


def _example(text: str, marked: str = "") -> Example:
    at = text.find(marked) if marked else -1
    spans = (GoldSpan(at, at + len(marked), Kind.FRAMING),) if at >= 0 else ()
    return Example(text, "babe", spans=spans, bias=float(bool(spans)))


def _read(examples: list[Example], lexicon: Lexicon) -> feature_baseline.WordFeatures:
    return feature_baseline.extract_features(examples, spacy.blank("en"), lists=LISTS, lexicon=lexicon)


def test_features_hold_lists_neighbours_and_gold_marks(lexicon: Lexicon) -> None:
    words = _read([_example("A Shameful new budget, they said.", "Shameful"), _example("Rain.")], lexicon)
    assert words.forms == ("a", "shameful", "new", "budget", "they", "said", "rain")
    assert words.sentences.tolist() == [0] * 6 + [1]
    assert words.gold.tolist() == [False, True, *[False] * 5]
    own, around = (words.matrix[:, words.names.index(name)] for name in ("loaded", "around_loaded"))
    assert own.tolist() == [0, 1, 0, 0, 0, 0, 0]
    assert around.tolist() == [1, 0, 1, 1, 0, 0, 0]
    assert words.matrix.shape == (7, len(words.names))


def test_inverse_frequency_uses_the_training_part_only(lexicon: Lexicon) -> None:
    words = _read([_example("A budget."), _example("The budget."), _example("The treaty treaty.")], lexicon)
    found = dict(zip(words.forms, feature_baseline.inverse_frequency(words, [0, 1]).tolist(), strict=True))
    assert found["budget"][0] == pytest.approx(0.0)
    assert found["treaty"][0] == pytest.approx(np.log(3))
    assert found["treaty"][1] == pytest.approx(2 * np.log(3))


@pytest.mark.parametrize("protocol", ["clean", "original"])
def test_a_sentence_is_biased_if_a_word_is(protocol: str, lexicon: Lexicon) -> None:
    examples = [
        _example(f"The {word} senator opened school {number}.", word if word in LISTS["loaded"] else "")
        for number in range(60)
        for word in ("shameful", "old", "iconic", "new")
    ]
    words = _read(examples, lexicon)
    fold = make_folds(examples, "original")[0]
    found = feature_baseline.biased_sentences(words, fold, protocol=protocol, seed=1)
    assert found == [int(examples[at].bias or 0) for at in fold.scored]


def test_only_the_original_protocol_trains_on_near_duplicates_of_scored_sentences() -> None:
    examples = [
        Example(
            f"Senator number {n // 2} of state {n // 2} opened school {n // 2} again",
            "babe",
            bias=float(n % 4 < 2),
        )
        for n in range(80)
    ]
    for clean, original in zip(make_folds(examples, "clean"), make_folds(examples, "original"), strict=True):
        assert clean.scored == original.scored
        assert len(original.train) == len(clean.train) + clean.dropped == 64
        assert not {n // 2 for n in clean.train} & {n // 2 for n in clean.scored}
        assert clean.dropped


def test_word_lists_are_read_from_the_releases(tmp_path: Path) -> None:
    assert word_lists.word_lists(tmp_path) == {}
    _book(tmp_path / word_lists.BIAS_WORDS, ["Shameful", "iconic"])
    classic = tmp_path / word_lists.CLASSIC / "hedges_hyland2005.txt"
    classic.parent.mkdir(parents=True)
    classic.write_text("# a comment\r\n; another\n\nPerhaps\nof course\n", encoding="utf-8")
    assert word_lists.word_lists(tmp_path) == {
        "bias_word_lexicon": frozenset({"shameful", "iconic"}),
        "hedges_hyland2005": frozenset({"perhaps"}),
    }
    assert word_lists.list_files(tmp_path) == [
        word_lists.BIAS_WORDS,
        f"{word_lists.CLASSIC}/hedges_hyland2005.txt",
    ]


@pytest.mark.parametrize("damage", ["no zip", "no sheet", "doctype"])
def test_a_damaged_list_is_one_clear_line(damage: str, tmp_path: Path) -> None:
    path = tmp_path / word_lists.BIAS_WORDS
    _book(path, ["x"], head="<!DOCTYPE a [<!ENTITY b 'c'>]>" if damage == "doctype" else "")
    if damage == "no zip":
        path.write_bytes(path.read_bytes()[:40])
    if damage == "no sheet":
        with zipfile.ZipFile(path, "w") as book:
            book.writestr("xl/sharedStrings.xml", f"<sst {SHEET}/>")
    with pytest.raises(CorpusError, match="again from its home"):
        word_lists.word_lists(tmp_path)


def test_every_sentence_is_scored_in_one_fold() -> None:
    examples = [
        Example(f"Sentence {n} stands alone here today", "babe", bias=float(n % 2)) for n in range(50)
    ]
    folds: list[Fold] = make_folds(examples, "original")
    assert sorted(at for fold in folds for at in fold.scored) == list(range(50))


def _book(path: Path, words: list[str], head: str = "") -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    items = "".join(f"<si><t>{word}</t></si>" for word in words)
    cells = "".join(f'<row><c t="s"><v>{number}</v></c></row>' for number in range(len(words)))
    with zipfile.ZipFile(path, "w") as book:
        book.writestr("xl/sharedStrings.xml", f"{head}<sst {SHEET}>{items}</sst>")
        book.writestr(
            "xl/worksheets/sheet1.xml", f"<worksheet {SHEET}><sheetData>{cells}</sheetData></worksheet>"
        )
