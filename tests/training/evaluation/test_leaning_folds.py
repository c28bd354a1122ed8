"""The tables: every fold and seed has its cell, and a second call reads them instead of training again."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
import torch

from training.corpora import allsides
from training.evaluation import leaning_folds
from training.loop.batches import EncodedExample
from training.loop.result_cache import ScoreCache
from training.modeling.leaning_head import LeaningHead
from training.reader import leaning_classifier


def test_leaning_folds_keep_houses_apart(
    corpora: Path, tiny_base: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real, learnt = leaning_classifier.fit_leaning_head_on_rows, []

    def watch(states: torch.Tensor, rows: Sequence[EncodedExample], edits: torch.Tensor) -> LeaningHead:
        learnt.append({allsides.publisher_of(row.example.group) for row in rows})
        assert len(edits)
        return real(states, rows, edits)

    monkeypatch.setattr(leaning_classifier, "fit_leaning_head_on_rows", watch)
    text = leaning_folds.run(corpora, str(tiny_base), tmp_path, device=torch.device("cpu"))
    assert len(learnt) == 5
    everyone = set.union(*learnt)
    unread = [everyone - known for known in learnt]
    assert all(unread)
    assert sum(map(len, unread)) == len(everyone), "each house is read by one head that never saw it"
    assert "article macro-F1" in text
    monkeypatch.setattr(leaning_folds, "_all_folds", None)
    assert leaning_folds.run(corpora, str(tiny_base), tmp_path, device=torch.device("cpu")) == text


def test_cells_are_on_disk_at_once(tmp_path: Path) -> None:
    ScoreCache(tmp_path / "cells.json").put("a", {"f1": 0.5})
    assert ScoreCache(tmp_path / "cells.json")["a"] == {"f1": 0.5}
