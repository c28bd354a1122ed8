"""The tables: every fold and seed has its cell, and a second call reads them instead of training again."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch

from tests.training.tiny_corpora import OUTLETS
from training import leaning
from training.tables import leaning_folds
from training.tables.cells import Cells


def test_leaning_folds_keep_houses_apart(
    corpora: Path, tiny_base: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real, groups = leaning.fit, []

    def watch(train: tuple, dev: tuple, *, seed: int) -> leaning.Head:  # type: ignore[type-arg]
        groups.append([{row.example.group for row in rows} for _, rows in (train, dev)])
        return real(train, dev, seed=seed)

    monkeypatch.setattr(leaning, "fit", watch)
    text = leaning_folds.run(corpora, str(tiny_base), tmp_path, device=torch.device("cpu"))
    assert len(groups) == 5
    assert all(not train & dev and len(train | dev) < len(OUTLETS) for train, dev in groups)
    assert "article macro-F1" in text
    monkeypatch.setattr(leaning_folds, "_all_folds", None)
    assert leaning_folds.run(corpora, str(tiny_base), tmp_path, device=torch.device("cpu")) == text


def test_cells_are_on_disk_at_once(tmp_path: Path) -> None:
    Cells(tmp_path / "cells.json").put("a", {"f1": 0.5})
    assert Cells(tmp_path / "cells.json")["a"] == {"f1": 0.5}
