"""Bad input that both fronts meet: the ways in which the model's folder can be broken."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest


def _lose_all(folder: Path) -> None:
    shutil.rmtree(folder)


def _lose_tokenizer(folder: Path) -> None:
    (folder / "tokenizer.json").unlink()


def _alter_graph(folder: Path) -> None:
    graph = bytearray((folder / "reader.onnx").read_bytes())
    graph[len(graph) // 2] ^= 0xFF
    (folder / "reader.onnx").write_bytes(graph)


def _alter_card(folder: Path) -> None:
    with (folder / "README.md").open("a", encoding="utf-8") as card:
        card.write("It is always right.\n")


BREAKAGES: dict[str, tuple[Callable[[Path], None], str]] = {
    "missing bundle": (_lose_all, "bundle.json is missing"),
    "missing tokenizer": (_lose_tokenizer, "tokenizer.json is missing"),
    "altered graph": (_alter_graph, "reader.onnx does not match its checksum"),
    "altered card": (_alter_card, "README.md does not match its checksum"),
}


@pytest.fixture(params=list(BREAKAGES))
def broken(request: pytest.FixtureRequest, tiny_bundle: Path, tmp_path: Path) -> tuple[Path, str]:
    """The folder of a bundle that cannot be used, and what a person must be told of it."""
    folder = Path(shutil.copytree(tiny_bundle, tmp_path / "reader"))
    breakage, said = BREAKAGES[request.param]
    breakage(folder)
    return folder, said
