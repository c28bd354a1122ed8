"""A reader bundle that is made in a moment: the real form, a graph of table look-ups instead of an encoder.

Every token adds its row of three small tables, so that a test can say which words are flagged. All else about
the bundle (files, hashes, tokenizer, graph inputs and outputs) is as the training room exports it.
"""

from __future__ import annotations

import hashlib
import json
import string
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors

from core.types import GUIDE_CLASSES, LABELS

FLAGGED = {
    "shameful": "framing",
    "disastrous": "framing",
    "reveals": "epistemological",
    "claims": "epistemological",
    "chairman": "demographic",
    "mankind": "demographic",
}
CLASSES = {
    "shameful": "judgement",
    "disastrous": "metaphor",
    "reveals": "factive_verb",
    "claims": "assertive_verb",
    "chairman": "gendered_default",
    "mankind": "gendered_default",
}
"""The guide's classes of the flagged words, in a bundle that has them. Each adds 2; one of another kind adds more."""

LEFT, RIGHT = ("union", "workers"), ("border", "patriots")
NEUTRAL = ("law", "new", "of", "people", "policy", "record", "said", "senator", "that", "the", "this", "to")
SPECIAL = ("[PAD]", "[UNK]", "[CLS]", "[SEP]")
RUN = "6f0d8c52-2f1c-4b5e-9d3a-0c3f7a1e9b42"


def vocabulary() -> dict[str, int]:
    """Word pieces: the words above, and the letters, digits and marks of ASCII, which spell the rest."""
    marks = [mark for mark in string.punctuation if mark not in string.ascii_letters]
    letters = string.ascii_lowercase + string.digits
    words = (*FLAGGED, *LEFT, *RIGHT, *NEUTRAL)
    return {
        piece: number
        for number, piece in enumerate([*SPECIAL, *letters, *(f"##{one}" for one in letters), *marks, *words])
    }


def make_bundle(folder: Path, *, max_tokens: int = 32, classes: bool = False) -> Path:
    """Write the bundle into ``folder`` (made if need be) and return it; with ``classes`` its graph has their output."""
    folder.mkdir(parents=True, exist_ok=True)
    vocab = vocabulary()
    tokenizer(vocab).save(str(folder / "tokenizer.json"))
    onnx.save(_graph(vocab, classes=classes), str(folder / "reader.onnx"))
    (folder / "README.md").write_text("# tiny\n\nA reader for tests.\n", encoding="utf-8")
    describe(folder, max_tokens=max_tokens)
    return folder


def describe(folder: Path, **changes: Any) -> None:
    """Write ``bundle.json`` for the files in ``folder``; ``changes`` replace its top-level fields."""
    names = sorted(path.name for path in folder.iterdir() if path.is_file() and path.name != "bundle.json")
    description: dict[str, Any] = {
        "format": 1,
        "name": "reader tiny",
        "role": "reader",
        "version": "0.1",
        "labels": {"spans": list(LABELS), "leaning": ["left", "center", "right"]},
        "max_tokens": 32,
        "graph": "reader.onnx",
        "tokenizer": "tokenizer.json",
        "calibration": {
            "spans": {"temperature": 1.0},
            "bias": {"temperature": 1.0, "offset": 0.0},
            "leaning": {"temperature": 1.0},
            "political": {"temperature": 1.0, "offset": 0.0},
        },
        "thresholds": {"span": 0.5, "bias": 0.5, "political": 0.5},
        "run": RUN,
        "corpora": [{"name": "none", "licence": "CC0-1.0"}],
        "sha256": {name: hashlib.sha256((folder / name).read_bytes()).hexdigest() for name in names},
    }
    (folder / "bundle.json").write_text(json.dumps(description | changes, indent=2), encoding="utf-8")


def tokenizer(vocab: dict[str, int]) -> Tokenizer:
    tokenizer = Tokenizer(models.WordPiece(vocab, unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer(lowercase=True)
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", special_tokens=[("[CLS]", vocab["[CLS]"]), ("[SEP]", vocab["[SEP]"])]
    )
    return tokenizer


def _tables(vocab: dict[str, int]) -> dict[str, np.ndarray]:
    """What each token adds: span logits [V, 7], bias [V], leaning [V, 4] (the last: not political), meaning [V, 8],
    and logits of the guide's classes [V, 23].
    """
    random = np.random.default_rng(7)
    spans = random.normal(0, 0.1, (len(vocab), len(LABELS)))
    spans[:, 0] += 5
    bias = random.normal(0, 0.001, len(vocab))
    leaning = random.normal(0, 0.001, (len(vocab), 4))
    for word, kind in FLAGGED.items():
        spans[vocab[word], 0] -= 8
        spans[vocab[word], LABELS.index(f"B-{kind}")] += 6
        bias[vocab[word]] += 4
    for side, words in ((0, LEFT), (2, RIGHT)):
        for word in words:
            leaning[vocab[word], side] += 2
            leaning[vocab[word], 3] -= 3
    leaning[vocab["[CLS]"], 3] += 2
    bias[vocab["[CLS]"]] -= 2
    meaning = random.normal(0.5, 1, (len(vocab), HIDDEN))
    classes = random.normal(0, 0.01, (len(vocab), len(GUIDE_CLASSES)))
    names = list(GUIDE_CLASSES)
    for word, name in CLASSES.items():
        classes[vocab[word], names.index(name)] += 2
        other = next(one for one in names if GUIDE_CLASSES[one] is not GUIDE_CLASSES[name])
        classes[vocab[word], names.index(other)] += 5
    tables = zip(_OUTPUTS, (spans, bias, leaning, meaning, classes), strict=True)
    return {name: table.astype(np.float32) for name, table in tables}


_OUTPUTS = ("spans", "bias", "leaning", "meaning", "classes")
HIDDEN = 8


def _graph(vocab: dict[str, int], *, classes: bool) -> onnx.ModelProto:
    names = _OUTPUTS if classes else _OUTPUTS[:-1]
    tables = {name: table for name, table in _tables(vocab).items() if name in names}
    constants = [numpy_helper.from_array(table, f"{name}_table") for name, table in tables.items()]
    constants += [numpy_helper.from_array(np.array([axis]), f"axis{axis}") for axis in (1, 2)]
    nodes = [
        helper.make_node("Gather", ["spans_table", "input_ids"], ["spans"]),
        helper.make_node("Cast", ["attention_mask"], ["mask"], to=TensorProto.FLOAT),
        helper.make_node("Gather", ["bias_table", "input_ids"], ["bias_of_tokens"]),
        helper.make_node("Mul", ["bias_of_tokens", "mask"], ["bias_kept"]),
        helper.make_node("ReduceSum", ["bias_kept", "axis1"], ["bias"], keepdims=0),
        helper.make_node("Gather", ["leaning_table", "input_ids"], ["leaning_of_tokens"]),
        helper.make_node("Unsqueeze", ["mask", "axis2"], ["mask_of_rows"]),
        helper.make_node("Mul", ["leaning_of_tokens", "mask_of_rows"], ["leaning_kept"]),
        helper.make_node("ReduceSum", ["leaning_kept", "axis1"], ["leaning"], keepdims=0),
        helper.make_node("Gather", ["meaning_table", "input_ids"], ["meaning_of_tokens"]),
        helper.make_node("Mul", ["meaning_of_tokens", "mask_of_rows"], ["meaning_kept"]),
        helper.make_node("ReduceSum", ["meaning_kept", "axis1"], ["meaning"], keepdims=0),
    ]
    if classes:
        nodes.append(helper.make_node("Gather", ["classes_table", "input_ids"], ["classes"]))
    inputs = [
        helper.make_tensor_value_info(name, TensorProto.INT64, ["B", "T"])
        for name in ("input_ids", "attention_mask")
    ]
    shapes: dict[str, list[str | int]] = {
        "spans": ["B", "T", len(LABELS)],
        "bias": ["B"],
        "leaning": ["B", 4],
        "meaning": ["B", HIDDEN],
        "classes": ["B", "T", len(GUIDE_CLASSES)],
    }
    outputs = [helper.make_tensor_value_info(name, TensorProto.FLOAT, shapes[name]) for name in names]
    graph = helper.make_graph(nodes, "tiny", inputs, outputs, constants)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)
