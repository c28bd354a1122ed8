"""Protects the program from weights that would end it: sizes that do not fit each other never reach CTranslate2."""

from __future__ import annotations

import json
import struct
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from core.bundles.ctranslate2_checks import (
    WeightsError,
    check_vocabulary,
    check_weights,
    rebuild_configuration,
    rebuild_model_files,
)
from core.bundles.manifest import BundleError
from core.rewriting.rewriter import Rewriter
from tests import hostile_models
from tests.tiny_rewriter import make_random


@pytest.fixture(scope="module")
def weights(tiny_rewriter: Path) -> bytes:
    return (tiny_rewriter / "model.bin").read_bytes()


@pytest.fixture(scope="module")
def pieces(tiny_rewriter: Path) -> list[str]:
    return check_vocabulary((tiny_rewriter / "shared_vocabulary.json").read_bytes())


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (hostile_models.without_heads, "attention heads"),
        (hostile_models.with_short_weights, "wrong size"),
    ],
)
def test_sizes_that_would_end_the_program_are_refused(
    spoil: Callable[[Path], Path], said: str, tiny_rewriter: Path, tmp_path: Path
) -> None:
    folder = spoil(hostile_models.copied(tiny_rewriter, tmp_path / "odd"))
    with pytest.raises(BundleError, match=said):
        Rewriter.load(folder)


def test_sound_weights_are_accepted(tiny_rewriter: Path, tmp_path: Path) -> None:
    for folder in (tiny_rewriter, make_random(tmp_path / "random")):
        files = rebuild_model_files(folder, ["[CLS]"])
        assert files["model.bin"] == (folder / "model.bin").read_bytes()


def test_a_vocabulary_of_another_length_is_refused(weights: bytes, pieces: list[str]) -> None:
    check_weights(weights, len(pieces))
    for count in (len(pieces) - 1, len(pieces) + 1):
        with pytest.raises(WeightsError, match="embeddings"):
            check_weights(weights, count)


@pytest.mark.parametrize("keep", [0, 3, 30, 500, 5000, -1])
def test_weights_that_are_cut_or_longer_are_refused(weights: bytes, pieces: list[str], keep: int) -> None:
    with pytest.raises(WeightsError):
        check_weights(weights[:keep], len(pieces))
    with pytest.raises(WeightsError, match="longer"):
        check_weights(weights + b"\0" * (keep % 7 + 1), len(pieces))


def test_values_that_are_not_finite_are_refused(weights: bytes, pieces: list[str]) -> None:
    name = b"decoder/layer_0/attention/layer_norm/gamma\0"
    at = weights.index(name) + len(name) + 1 + 4 + 5
    for value in (float("nan"), float("inf")):
        changed = weights[:at] + struct.pack("<f", value) + weights[at + 4 :]
        with pytest.raises(WeightsError, match="not finite"):
            check_weights(changed, len(pieces))


def test_every_dimension_counts(weights: bytes, pieces: list[str]) -> None:
    """No number before the values of a tensor can be another one."""
    refused = accepted = 0
    chance = Random(5)
    for at in range(0, len(weights) - 4):
        if weights[at : at + 6] in (b"weight", b"gamma\0", b"beta\0\x01", b"bias\0\x01") and at > 40:
            end = weights.index(b"\0", at) + 1
            place = end + 1 + chance.randrange(4)
            changed = bytearray(weights)
            changed[place] ^= 1 << chance.randrange(8)
            try:
                check_weights(bytes(changed), len(pieces))
                accepted += 1
            except WeightsError:
                refused += 1
    assert refused > 20
    assert accepted == 0


@pytest.mark.parametrize(
    "change",
    [
        {"bos_token": "not a piece"},
        {"eos_token": 3},
        {"layer_norm_epsilon": 0.0},
        {"layer_norm_epsilon": -1.0},
        {"layer_norm_epsilon": "x"},
        {"multi_query_attention": True},
        {"add_source_bos": None},
    ],
)
def test_an_option_that_is_wrong_is_refused(
    change: dict[str, object], tiny_rewriter: Path, pieces: list[str]
) -> None:
    sound = json.loads((tiny_rewriter / "config.json").read_text())
    with pytest.raises(WeightsError, match=next(iter(change))):
        rebuild_configuration(json.dumps(sound | change).encode(), pieces)


def test_an_option_that_is_not_known_is_left_out(tiny_rewriter: Path, pieces: list[str]) -> None:
    sound = json.loads((tiny_rewriter / "config.json").read_text())
    rebuilt = rebuild_configuration(json.dumps(sound | {"later": [1]}).encode(), pieces)
    assert json.loads(rebuilt) == sound


@pytest.mark.parametrize("data", [b"{", b"{}", b"[1]", b'["a", "a"]', b"\xff"])
def test_what_is_no_vocabulary_is_refused(data: bytes) -> None:
    with pytest.raises(WeightsError):
        check_vocabulary(data)
