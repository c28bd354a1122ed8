"""Protects the table ``bsw-reader``: what is scanned, that abusive words are no BSWs, that the card is written once."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from core.bundles.reader import load_reader_bundle
from core.stereotypes.identity_terms import GROUPS
from core.stereotypes.word_scores import load_word_scores
from training.cli.main import main
from training.evaluation import stereotypes
from training.evaluation.stereotypes import measure, most_unequal_words
from training.reader.export import seal_bundle
from training.types import CorpusError

FEW = 8
CARD = "# a reader\n\n## What it cannot do\n\nMuch.\n"


@pytest.fixture(autouse=True)
def _few_sentences(monkeypatch: pytest.MonkeyPatch) -> None:
    """A few templates and terms of each sort: the tiny reader reads letters, and slowly."""
    every, wide, terms = (
        stereotypes.build_frames,
        stereotypes.build_term_frames,
        stereotypes.load_identity_terms(),
    )
    few = tuple(term for group in GROUPS for term in [one for one in terms if one.group == group][:3])
    monkeypatch.setattr(stereotypes, "build_frames", lambda half, **options: every(half, **options)[:FEW])
    monkeypatch.setattr(stereotypes, "build_term_frames", lambda half: wide(half)[:2])
    monkeypatch.setattr(stereotypes, "load_identity_terms", lambda: few)


@pytest.fixture
def bundle(tiny_bundle: Path, tmp_path: Path) -> Path:
    folder = tmp_path / "reader"
    shutil.copytree(tiny_bundle, folder)
    seal_bundle(folder, CARD)
    return folder


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A data folder with nothing but a list of abusive words."""
    folder = tmp_path / "data"
    (folder / "badwords").mkdir(parents=True)
    (folder / "badwords" / "en.txt").write_text("disastrous\n", encoding="utf-8")
    return folder


@pytest.fixture
def words(tmp_path: Path) -> Path:
    path = tmp_path / "words.txt"
    path.write_text("shameful\nlaw\n\ndisastrous\nshameful\nnew policy\n42\n", encoding="utf-8")
    return path


def test_words_come_once_and_abusive_ones_are_no_bsws(bundle: Path, data: Path, words: Path) -> None:
    figures = measure(data, bundle, words=words)
    assert len(figures.scanned) == 4
    assert [score.word for score in figures.sensitive] == ["shameful"]
    assert figures.listed
    assert set(figures.pinned) >= {"faith", "gender", ""}
    assert 0 <= figures.auc <= 1
    higher, lower = most_unequal_words(figures)
    assert all(shift > 0 for _, _, shift in higher)
    assert all(shift < 0 for _, _, shift in lower)


def test_without_the_list_abusive_words_stay_and_that_is_said(
    bundle: Path, tmp_path: Path, words: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    figures = measure(tmp_path, bundle, words=words)
    assert [score.word for score in figures.sensitive] == ["disastrous", "shameful"]
    assert "data get badwords" in capsys.readouterr().err
    assert "including abusive words" in stereotypes.format_section(figures)


def test_the_section_is_put_into_the_card_once_and_the_bundle_still_opens(
    bundle: Path, data: Path, words: Path
) -> None:
    for _ in range(2):
        text = stereotypes.run(data, bundle, words=words, min_documents=1, save_results=True)
    opened = load_reader_bundle(bundle)
    assert set(load_word_scores(opened)) == {"shameful", "law", "disastrous", "new policy"}
    card = opened.card
    assert card is not None
    written = card.read_text(encoding="utf-8")
    assert written.count(stereotypes.HEADING) == 1
    assert written.startswith(CARD + f"\n{stereotypes.HEADING}\n")
    assert "shameful 0.8" in written
    assert "disastrous" not in written
    assert written.endswith(text[text.index(stereotypes.HEADING) :].rstrip("\n") + "\n")
    for line in written.splitlines():
        assert not line.startswith("|") or line.endswith("|")
        assert "nan" not in line


def test_a_section_behind_it_stays(bundle: Path, data: Path, words: Path) -> None:
    stereotypes.run(data, bundle, words=words, min_documents=1, save_results=True)
    card = (bundle / "README.md").read_text(encoding="utf-8")
    seal_bundle(bundle, card + "\n## Sensitivity\n\nSo much.\n")
    stereotypes.run(data, bundle, words=words, min_documents=1, save_results=True)
    card = (bundle / "README.md").read_text(encoding="utf-8")
    assert card.index("## Sensitivity") < card.index(stereotypes.HEADING)
    assert "So much." in card


def test_words_of_the_corpora_stand_in_enough_documents(corpora: Path) -> None:
    many, few = (
        stereotypes.corpus_vocabulary(corpora, min_documents=20),
        stereotypes.corpus_vocabulary(corpora, min_documents=2),
    )
    assert set(many) < set(few)
    assert "senator" in few
    assert not {"the", "and", "of"} & set(few)
    with pytest.raises(CorpusError, match="--min-documents"):
        stereotypes.corpus_vocabulary(corpora, min_documents=10**6)


def test_the_command_tells_bad_words_in_one_line(
    bundle: Path, data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    empty = tmp_path / "empty.txt"
    empty.write_text("\n42\n", encoding="utf-8")
    base = ["table", "bsw-reader", "--data", str(data), "--reader", str(bundle)]
    for more, said in (
        (["--words", str(empty)], "has no words"),
        (["--words", str(tmp_path / "nowhere.txt")], "is not a file"),
        (["--min-documents", "0"], "--min-documents"),
        ([], "babe"),
    ):
        assert main([*base, *more]) == 2
        error = capsys.readouterr().err
        assert said in error.lower() if said == "babe" else said in error
        assert error.strip().count("\n") == 0


def test_the_command_prints_the_table(
    bundle: Path, data: Path, words: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    call = ["table", "bsw-reader", "--data", str(data), "--reader", str(bundle), "--words", str(words)]
    assert main(call) == 0
    text = capsys.readouterr().out
    assert stereotypes.HEADING in text
    assert "| gender |" in text
    assert "| all |" in text
    assert (bundle / "README.md").read_text(encoding="utf-8") == CARD


def test_an_earlier_reader_stands_beside_it_in_the_same_rows(bundle: Path, data: Path, words: Path) -> None:
    text = stereotypes.run(data, bundle, words=words, min_documents=1, save_results=False, before=bundle)
    at = next(place for place, line in enumerate(text.splitlines()) if "before: flips" in line)
    lines = text.splitlines()[at + 2 :]
    lines = lines[: lines.index("")]
    assert len(lines) > 1
    for line in lines:
        cells = line.strip("| ").split(" | ")
        assert cells[2:5] == cells[5:8], "the same reader reads the same"
    assert "before: flips" not in stereotypes.run(
        data, bundle, words=words, min_documents=1, save_results=False
    )
