"""Protects who trains with a model from elsewhere: weights are loaded as numbers, and no code comes with them."""

from __future__ import annotations

import ast
import pickle
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
import torch

from tests.training.auditing.generation.tiny_generator import generator
from training.evaluation.injection_perplexity import _Scorer
from training.types import CorpusError

ROOT = Path(__file__).resolve().parents[3]
FILES = sorted((ROOT / "training").rglob("*.py"))
NO_WEIGHTS = ("Config", "Tokenizer")


def calls(name: str) -> Iterator[tuple[str, str, dict[str, str]]]:
    """(place, what is called, its named arguments) of every call of a method of that name in the package."""
    for file in FILES:
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == name:
                said = {one.arg: ast.unparse(one.value) for one in node.keywords if one.arg}
                yield f"{file.relative_to(ROOT)}:{node.lineno}", ast.unparse(node.func.value), said


def test_models_are_loaded_from_safetensors_and_without_code() -> None:
    found = list(calls("from_pretrained"))
    assert len(found) > 5
    for place, owner, said in found:
        assert said.get("trust_remote_code") == "False", place
        if not owner.endswith(NO_WEIGHTS):
            assert said.get("use_safetensors") == "True", place


def test_checkpoints_are_loaded_as_weights_only() -> None:
    found = [(place, said) for place, owner, said in calls("load") if owner == "torch"]
    assert found
    for place, said in found:
        assert said.get("weights_only") == "True", place


def test_the_least_torch_loads_weights_only() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    (torch_range,) = (
        one for one in project["project"]["optional-dependencies"]["train"] if one.startswith("torch")
    )
    least = torch_range.partition(">=")[2].partition(",")[0]
    assert tuple(map(int, least.split("."))) >= (2, 6)


class Trap:
    """Writes a file when it is unpickled."""

    def __init__(self, place: Path) -> None:
        self.place = place

    def __reduce__(self) -> object:
        return Path.touch, (self.place,)


def test_a_scorer_reads_safetensors_and_refuses_pickled_weights(tmp_path: Path) -> None:
    folder, sprung = tmp_path / "model", tmp_path / "sprung"
    made = generator()
    made.model.save_pretrained(folder)
    made.tokenizer.save_pretrained(folder)
    (pair,) = _Scorer(str(folder)).read([("the people vote", "the state vote")])
    assert pair.biased > 0
    (folder / "model.safetensors").unlink()
    torch.save(made.model.state_dict(), folder / "pytorch_model.bin")
    with pytest.raises(CorpusError, match="safetensors"):
        _Scorer(str(folder))
    (folder / "pytorch_model.bin").write_bytes(pickle.dumps(Trap(sprung)))
    with pytest.raises(CorpusError, match="safetensors"):
        _Scorer(str(folder))
    assert not sprung.exists()
