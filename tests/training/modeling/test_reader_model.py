"""A base that cannot be used is told in one sentence with what is missing; pickled weights are never opened."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
import torch

from training.loop.training_loop import TrainingError
from training.modeling.reader import check_tokenizer, load_base


@pytest.fixture
def base(tiny_base: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(tiny_base, tmp_path / "base"))


def test_a_folder_with_all_of_it_is_a_reader(base: Path) -> None:
    model, tokenizer = load_base(base)
    packed = tokenizer("The senator.", return_tensors="pt")
    assert model(packed["input_ids"], packed["attention_mask"]).bias.shape == (1,)


def test_a_base_that_is_nowhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    with pytest.raises(TrainingError, match="cannot be loaded"):
        load_base(tmp_path / "none")


def test_a_folder_without_a_tokenizer(base: Path) -> None:
    for path in base.glob("*token*"):
        path.unlink()
    with pytest.raises(TrainingError, match="no tokenizer in this folder"):
        load_base(base)


def test_pickled_weights_are_never_opened(base: Path) -> None:
    (base / "model.safetensors").unlink()
    torch.save({}, base / "pytorch_model.bin")
    with pytest.raises(TrainingError, match="no weights in this folder"):
        load_base(base)


def test_damaged_weights(base: Path) -> None:
    whole = (base / "model.safetensors").read_bytes()
    (base / "model.safetensors").write_bytes(whole[: len(whole) // 2])
    with pytest.raises(TrainingError, match="weights cannot be read"):
        load_base(base)


def test_a_tokenizer_that_no_bundle_may_have_is_refused_before_the_training(base: Path) -> None:
    check_tokenizer(base)
    path = base / "tokenizer.json"
    tokenizer = json.loads(path.read_text(encoding="utf-8"))
    tokenizer["model"] = {"type": "WordLevel", "vocab": tokenizer["model"]["vocab"], "unk_token": "[UNK]"}
    path.write_text(json.dumps(tokenizer), encoding="utf-8")
    with pytest.raises(TrainingError, match="is not the WordPiece of BERT"):
        check_tokenizer(base)
