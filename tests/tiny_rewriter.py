"""A rewriter bundle that is made in a moment: a BART of one layer in CTranslate2's form, without torch.

Its attention is switched off, so what it writes follows from the piece before alone: after the prompt one of
``ANSWERS``, with those odds, and then the end. `make_random` makes one with random weights instead, which heeds the
sentence and writes nonsense.
"""

from __future__ import annotations

import hashlib
import json
import math
from pathlib import Path
from typing import Any

import numpy as np
from ctranslate2.specs.common_spec import Activation
from ctranslate2.specs.transformer_spec import TransformerSpec
from numpy.typing import NDArray

from core.bundles.rewriter import DEFAULT_RANKING
from core.rewriting.rewriter import (
    ACCEPTANCE_QUESTION,
    ANSWER,
    DELETE,
    FIT_QUESTION,
    FITS,
    FITS_NOT,
    KEEP,
    NOT_TAKEN,
    TAKEN,
    TARGET_END,
    TARGET_START,
)
from tests.tiny import RUN, tokenizer, vocabulary

ANSWERS = {DELETE: 0.4, "said": 0.3, "person": 0.15, "new": 0.1, KEEP: 0.05}
JUDGING = (FITS, FIT_QUESTION, FITS_NOT, TAKEN, ACCEPTANCE_QUESTION, NOT_TAKEN)
SOUND = 0.75
"""How likely every suggestion is sound English."""

LIKED = 0.6
"""How likely an editor would take any suggestion."""

INNER = 16
RANKING = {"offset": 0.0, "weights": DEFAULT_RANKING.weights._asdict(), "leaning": 0.0}


def pieces() -> dict[str, int]:
    """The reader's vocabulary, the rewriter's marks, and words to answer with.

    No two answers share a pair of columns: processors without VNNI add such pairs in 16 bits, where two full weights
    do not fit.
    """
    known = list(vocabulary())
    extra = [
        piece
        for piece in (TARGET_START, KEEP, TARGET_END, DELETE, *ANSWERS, "shows", "'", ANSWER, *JUDGING)
        if piece not in known
    ]
    return {piece: number for number, piece in enumerate(dict.fromkeys([*known, *extra]))}


def make_rewriter(folder: Path, **changes: Any) -> Path:
    """Write the bundle that answers with ``ANSWERS`` into ``folder`` and return it."""
    return _make(folder, taught=True, changes=changes)


def make_random(folder: Path, **changes: Any) -> Path:
    """Write a bundle with random weights into ``folder`` and return it."""
    return _make(folder, taught=False, changes=changes)


def describe_rewriter(folder: Path, **changes: Any) -> None:
    """Write ``bundle.json`` for the files in ``folder``; ``changes`` replace its top-level fields."""
    names = sorted(path.name for path in folder.iterdir() if path.is_file() and path.name != "bundle.json")
    description: dict[str, Any] = {
        "format": 1,
        "name": "rewriter tiny",
        "role": "rewriter",
        "version": "0.1",
        "max_tokens": 64,
        "graph": "model.bin",
        "tokenizer": "tokenizer.json",
        "thresholds": {"score": 0.2},
        "ranking": RANKING,
        "run": RUN,
        "corpora": [{"name": "none", "licence": "CC0-1.0"}],
        "sha256": {name: hashlib.sha256((folder / name).read_bytes()).hexdigest() for name in names},
    }
    (folder / "bundle.json").write_text(json.dumps(description | changes, indent=2), encoding="utf-8")


def _make(folder: Path, *, taught: bool, changes: dict[str, Any]) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    vocab = pieces()
    tokenizer(vocab).save(str(folder / "tokenizer.json"))
    spec = _Bart(vocab, taught=taught).spec
    for register in (spec.register_source_vocabulary, spec.register_target_vocabulary):
        register(list(vocab))
    spec.config.bos_token = spec.config.decoder_start_token = "[CLS]"
    spec.config.eos_token, spec.config.unk_token = "[SEP]", "[UNK]"
    spec.validate()
    spec.optimize(quantization="int8")
    spec.save(str(folder))
    (folder / "README.md").write_text("# tiny\n\nA rewriter for tests.\n", encoding="utf-8")
    describe_rewriter(folder, **changes)
    return folder


class _Bart:
    """Fills a CTranslate2 specification of a BART with one layer on either side."""

    def __init__(self, vocab: dict[str, int], *, taught: bool) -> None:
        self.vocab = vocab
        self.random = np.random.default_rng(11)
        self.spread = 0.0 if taught else 0.5
        self.width = 4 * math.ceil(len(vocab) / 4) if taught else 16
        self.spec = TransformerSpec.from_config(
            (1, 1), 2, pre_norm=False, activation=Activation.GELU, layernorm_embedding=True
        )
        words = np.eye(len(vocab), self.width, dtype=np.float32) if taught else self._weights(len(vocab))
        for half, embeddings in (
            (self.spec.encoder, self.spec.encoder.embeddings[0]),
            (self.spec.decoder, self.spec.decoder.embeddings),
        ):
            embeddings.weight = words
            half.scale_embeddings = 1.0
            half.position_encodings.encodings = self._weights(128)
            self._norm(half.layernorm_embedding)
            self._layer(half.layer[0])
        attention = self.spec.decoder.layer[0].attention
        for linear, times in zip(attention.linear, (1, 2, 1), strict=True):
            self._linear(linear, times * self.width)
        self._norm(attention.layer_norm)
        self.spec.decoder.projection.weight = self._head() if taught else words

    def _weights(self, rows: int, columns: int | None = None) -> NDArray[np.float32]:
        return self.random.normal(0, self.spread, (rows, columns or self.width)).astype(np.float32)

    def _linear(self, linear: Any, rows: int, columns: int | None = None) -> None:
        linear.weight = self._weights(rows, columns)
        linear.bias = np.zeros(rows, dtype=np.float32)

    def _norm(self, norm: Any) -> None:
        norm.gamma = np.ones(self.width, dtype=np.float32)
        norm.beta = np.zeros(self.width, dtype=np.float32)

    def _layer(self, layer: Any) -> None:
        for linear, times in zip(layer.self_attention.linear, (3, 1), strict=True):
            self._linear(linear, times * self.width)
        self._linear(layer.ffn.linear_0, INNER)
        self._linear(layer.ffn.linear_1, self.width, INNER)
        self._norm(layer.self_attention.layer_norm)
        self._norm(layer.ffn.layer_norm)

    def _head(self) -> NDArray[np.float32]:
        """What follows which piece; the last layer norm gives a piece's own direction the root of the width."""
        head = np.zeros((len(self.vocab), self.width), dtype=np.float32)
        lift = math.sqrt(self.width)
        head[:, self.vocab[ANSWER]] = -30 / lift
        for piece, share in ANSWERS.items():
            head[self.vocab["[SEP]"], self.vocab[piece]] = 30 / lift
            head[self.vocab[piece], self.vocab[ANSWER]] = math.log(share) / lift
        for question, yes, no, share in (
            (FIT_QUESTION, FITS, FITS_NOT, SOUND),
            (ACCEPTANCE_QUESTION, TAKEN, NOT_TAKEN, LIKED),
        ):
            head[:, self.vocab[question]] = -8 / lift
            head[self.vocab[yes], self.vocab[question]] = math.log(share) / lift
            head[self.vocab[no], self.vocab[question]] = math.log(1 - share) / lift
        return head
