"""No scored sentence of a fold is trained on: neither as a label, nor by the teacher, nor as an unlabelled sentence."""

from __future__ import annotations

import io
import json
import lzma
from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors.torch import save_file

from core.engine.cues import Lexicon
from training.corpora import babe
from training.loop.events import Events
from training.modeling.encoders import resolve_encoders
from training.papers.babe import pretraining, runner
from training.papers.babe.runner import BabeCellId, BabeRunner, Budget
from training.papers.babe.systems import SYSTEMS, make_folds
from training.reader import sentence_classifier
from training.text.edits import KindFinder
from training.text.near_duplicates import NearDuplicateIndex

CPU = torch.device("cpu")


def test_no_unlabelled_sentence_is_a_near_duplicate_of_babe(corpora: Path, tmp_path: Path) -> None:
    data = tmp_path / "data"
    (data / "babe").mkdir(parents=True)
    for group in ("SG1", "SG2"):
        name = f"babe/final_labels_{group}.csv"
        (data / name).write_bytes((corpora / name).read_bytes())
    stolen = babe.texts(corpora)[3]
    fresh = [f"Number {n} of the quiet new boats came home late on day {n}." for n in range(9)]
    rows = [
        {"source": "Vox", "bias": 0, "content": "Title\n" + " ".join(lines)}
        for lines in ([*fresh[:4]], [*fresh[4:], *fresh[:20], stolen])
    ]
    (data / "article_bias").mkdir()
    with lzma.open(data / "article_bias" / "articles.jsonl.xz", "wt", encoding="utf-8") as stream:
        stream.writelines(json.dumps(row) + "\n" for row in rows)
    found = [example.text for example in pretraining.unlabelled_sentences(data, 100)]
    assert set(found) & set(fresh)
    assert stolen not in found
    assert len(pretraining.unlabelled_sentences(data, 2)) == 2


def test_teacher_and_student_train_on_the_training_part_only(
    corpora: Path, tiny_base: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    weights = tmp_path / "broad.safetensors"
    save_file(sentence_classifier.new_classifier(str(tiny_base), seed=1).model.state_dict(), weights)
    seen: list[tuple[int, set[str], bool]] = []
    real = runner.train_classifier

    def watch(made: sentence_classifier.Classifier, streams: list[Any], **settings: Any) -> None:
        rows = [row for stream in streams for row in stream.rows]
        texts = {row.example.text for row in rows}
        seen.append((len(streams), texts, all(row.soft_labels is not None for row in rows)))
        real(made, streams, **settings)

    monkeypatch.setattr(runner, "train_classifier", watch)
    encoders = dict.fromkeys(("gte-small", "mpnet"), tiny_base)
    babe_runner = BabeRunner(
        data=corpora,
        folder=tmp_path,
        budget=Budget(epochs=1, max_epochs=2, auxiliary_steps=1, teacher_sentences=12),
        sources=resolve_encoders(encoders, tuple(encoders)),
        auxiliary=dict.fromkeys(encoders, weights),
        spacy="",
        device=CPU,
        events=Events("test", stream=io.StringIO()),
    )
    cell_id = BabeCellId(SYSTEMS["distilled"], "SG2", "clean", 1, 2)
    values = babe_runner.measure(cell_id).values
    examples = babe.load(corpora, KindFinder(Lexicon.load()))
    fold = make_folds(examples, "clean")[2]
    scored = NearDuplicateIndex(examples[at].text for at in fold.scored)
    assert [(count, soft_labels) for count, _, soft_labels in seen] == [(1, False), (2, True)]
    for _, texts, _ in seen:
        assert {examples[at].text for at in fold.train} <= texts
        assert not any(scored.has_near_duplicate(text) for text in texts)
    assert values["scored"] == len(fold.scored)
    assert "span_exact_f1" in values
