"""Protects the scan that a bundle carries: the words of a draft are not read again, and only its own scan counts."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from core.bundles.manifest import BundleError
from core.bundles.reader import WORD_SCORES, load_reader_bundle
from core.engine.reader import Reader
from core.stereotypes.word_scores import WordScore, load_word_scores, score_words, write_word_scores
from core.types import KINDS
from training.reader.export import seal_bundle

SAID = [
    WordScore("law", 0.25, dict.fromkeys(KINDS, 0.125)),
    WordScore("new policy", 0.75, dict.fromkeys(KINDS, 0.5)),
]


@pytest.fixture
def folder(tiny_bundle: Path, tmp_path: Path) -> Path:
    home = tmp_path / "reader"
    shutil.copytree(tiny_bundle, home)
    write_word_scores(home, load_reader_bundle(tiny_bundle).run, SAID)
    seal_bundle(home, "# a reader\n")
    return home


def test_what_was_written_is_read(folder: Path) -> None:
    assert list(load_word_scores(load_reader_bundle(folder)).values()) == SAID


def test_a_bundle_without_one_and_one_of_another_run_have_none(tiny_bundle: Path, folder: Path) -> None:
    bundle = load_reader_bundle(folder)
    assert load_word_scores(load_reader_bundle(tiny_bundle)) == {}
    assert load_word_scores(replace(bundle, run="another")) == {}


def test_a_changed_scan_is_refused_with_its_bundle(folder: Path) -> None:
    (folder / WORD_SCORES).write_bytes(b"law")
    with pytest.raises(BundleError, match=WORD_SCORES):
        load_reader_bundle(folder)


def test_a_scan_that_is_none_is_left_alone(folder: Path) -> None:
    (folder / WORD_SCORES).write_bytes(b"law")
    seal_bundle(folder, "# a reader\n")
    assert load_word_scores(load_reader_bundle(folder)) == {}


def test_words_of_the_scan_are_not_read(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    reader = Reader.load(folder, threads=1)
    read: list[str] = []
    plain = reader.read

    def noted(texts: Sequence[str], **more: object) -> object:
        read.extend(texts)
        return plain(texts, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(reader, "read", noted)
    words = ["law", "shameful", "new policy", "law"]
    scores = score_words(reader, words, stored=load_word_scores(reader.bundle))
    assert [score.word for score in scores] == words
    assert scores[0].bias == scores[3].bias == 0.25
    assert read == ["shameful"]


@pytest.mark.parametrize("ignores", [True, False])
def test_another_case_is_the_same_word_only_where_the_reader_sees_none(folder: Path, ignores: bool) -> None:
    reader = Reader.load(folder, threads=1)
    reader.__dict__["ignores_case"] = ignores
    (score,) = score_words(reader, ["Law"], stored=load_word_scores(reader.bundle))
    assert score.word == "Law"
    assert (score.bias == 0.25) is ignores
