"""From a trained reader to a bundle: ONNX, int8, tokenizer, hashes, card."""

from __future__ import annotations

import json
import logging
import re
import shutil
import tempfile
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from copy import deepcopy
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import onnx
import torch
from onnxruntime.quantization import QuantType, quantize_dynamic
from torch import Tensor, nn

from core.bundles.manifest import CARD, FORMAT, MANIFEST, Evaluation
from core.bundles.reader import LEANINGS, Calibration, Thresholds
from core.engine.onnx_session import OUTPUTS
from core.types import GUIDE_CLASSES, LABELS
from training.modeling.reader import ReaderModel
from training.reader.bert_graph import OPSET, is_supported, write_bert_graph
from training.types import checksum

GRAPH, TOKENIZER = "reader.onnx", "tokenizer.json"
_LEAST = 1e-6


@dataclass(frozen=True, slots=True)
class TunedParameters:
    """Calibration and thresholds, fitted on dev data."""

    calibration: Calibration
    thresholds: Thresholds


class _ByRow(nn.Module):
    """A linear layer whose input is divided by the largest value of its row, and whose product is multiplied by it.

    In float this changes only rounding. In int8 it gives each token a scale of its own; otherwise the outliers of one
    token would leave only a few steps of a shared scale to the others.
    """

    def __init__(self, layer: nn.Linear) -> None:
        super().__init__()
        self.layer = layer

    def forward(self, states: Tensor) -> Tensor:
        largest = states.abs().amax(-1, keepdim=True).clamp(min=_LEAST)
        product = (states / largest) @ self.layer.weight.T * largest
        return product if self.layer.bias is None else product + self.layer.bias


class _Graph(nn.Module):
    """The model with its outputs as a tuple, as ONNX needs them; the encoder's layers by row."""

    def __init__(self, model: ReaderModel) -> None:
        super().__init__()
        self.model = deepcopy(model)
        for name, layer in list(self.model.encoder.named_modules()):
            if isinstance(layer, nn.Linear):
                self.model.encoder.set_submodule(name, _ByRow(layer))

    def forward(self, input_ids: Tensor, attention_mask: Tensor) -> tuple[Tensor, ...]:
        output = self.model(input_ids, attention_mask)
        return output.spans, output.bias, output.leaning, output.meaning, output.classes


def write_graph(model: ReaderModel, path: Path, *, fixed: bool = True) -> None:
    """Write the reader as one int8 ONNX file with dynamic batch and length.

    With ``fixed`` its activations have fixed ranges, where it has a BERT encoder (`training.reader.bert_graph`). Else
    their ranges are those of each batch, and they have 8 bits: slower, and closer to the checkpoint.
    """
    if fixed and is_supported(model):
        write_bert_graph(model, path)
    else:
        _write_dynamic_graph(model, path)


def _write_dynamic_graph(model: ReaderModel, path: Path) -> None:
    """Write a graph of standard operators that finds the ranges of its activations while it runs.

    Weights are unsigned, as activations are: signed 8-bit weights saturate in the products of processors without VNNI,
    and 7 bits are too few for the encoders here. A reader's card gives the difference between graph and checkpoint.
    """
    graph = _Graph(model).cpu().float().eval()
    ids = torch.ones((2, 12), dtype=torch.long)
    outputs = OUTPUTS[: len(graph(ids, torch.ones_like(ids)))]
    sizes = {0: torch.export.Dim("batch", min=1, max=4096), 1: torch.export.Dim("tokens", min=2, max=512)}
    with tempfile.TemporaryDirectory() as scratch, _without_warnings():
        whole = Path(scratch) / "whole.onnx"
        program = torch.onnx.export(
            graph,
            (ids, torch.ones_like(ids)),
            input_names=["input_ids", "attention_mask"],
            output_names=list(outputs),
            dynamic_shapes=(sizes, sizes),
            opset_version=OPSET,
            dynamo=True,
            verbose=False,
        )
        assert program is not None
        program.save(str(whole), external_data=False)
        heads = _forget_shapes(whole)
        quantize_dynamic(whole, path, weight_type=QuantType.QUInt8, per_channel=True, nodes_to_exclude=heads)


@contextmanager
def _without_warnings() -> Iterator[None]:
    """Silence exporter and quantiser, which warn of their own deprecated calls and of optional packages."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        logging.disable(logging.WARNING)
        try:
            yield
        finally:
            logging.disable(logging.NOTSET)


def _forget_shapes(path: Path) -> list[str]:
    """Drop the intermediate shapes, which would be wrong after quantisation.

    Returns the products that compute span tags and guide classes: they are small and stay in float.
    """
    proto = onnx.load(path)
    del proto.graph.value_info[:]
    proto.doc_string = ""
    for node in proto.graph.node:
        node.doc_string = ""
        del node.metadata_props[:]
    onnx.save(proto, path)
    widths = ([len(LABELS)], [len(GUIDE_CLASSES)])
    tags = {weights.name for weights in proto.graph.initializer if list(weights.dims[1:]) in widths}
    return [node.name for node in proto.graph.node if node.op_type == "MatMul" and tags & set(node.input)]


def write_model(folder: Path, model: ReaderModel, tokenizer: Any, *, fixed: bool = True) -> Path:
    """Write graph (see `write_graph`) and tokenizer into ``folder`` (created anew). Returns the graph's file."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    write_graph(model, folder / GRAPH, fixed=fixed)
    backend = tokenizer.backend_tokenizer
    backend.no_truncation()
    backend.no_padding()
    backend.save(str(folder / TOKENIZER), pretty=False)
    return folder / GRAPH


def write_manifest(
    folder: Path,
    *,
    tuned: TunedParameters,
    name: str,
    version: str,
    run: str,
    corpora: list[dict[str, str]],
    max_tokens: int,
) -> None:
    """Write the ``bundle.json`` of the model in ``folder``. The card comes after, by ``seal_bundle``."""
    facts = {
        "format": FORMAT,
        "name": name,
        "role": "reader",
        "version": version,
        "labels": {"spans": list(LABELS), "leaning": list(LEANINGS), "classes": list(GUIDE_CLASSES)},
        "max_tokens": max_tokens,
        "graph": GRAPH,
        "tokenizer": TOKENIZER,
        "calibration": asdict(tuned.calibration),
        "thresholds": asdict(tuned.thresholds),
        "run": run,
        "corpora": corpora,
    }
    write_bundle_json(folder, facts)


def seal_bundle(
    folder: Path, card: str, *, evaluation: Sequence[Evaluation] = (), limitations: Sequence[str] = ()
) -> None:
    """Write the card, and into ``bundle.json`` the scores and limitations, if given, and the SHA-256 of every file."""
    (folder / CARD).write_text(card, encoding="utf-8")
    facts = read_bundle_json(folder)
    if evaluation:
        facts["evaluation"] = [score.as_json() for score in evaluation]
    if limitations:
        facts["limits"] = list(limitations)  # The former word: earlier versions read and write this key.
    facts.pop("sha256", None)
    files = [path for path in sorted(folder.iterdir()) if path.name != MANIFEST]
    write_bundle_json(folder, {**facts, "sha256": {path.name: checksum(path) for path in files}})


def replace_card_section(folder: Path, heading: str, section: str) -> None:
    """Write ``section``, which begins with ``heading``, into a bundle's card in place of an earlier one; seal it."""
    earlier = re.compile(rf"\n{heading}\n.*?(?=\n## |\Z)", re.DOTALL)
    card = (folder / CARD).read_text(encoding="utf-8")
    seal_bundle(folder, earlier.sub("", card).rstrip("\n") + "\n" + section)


def read_bundle_json(folder: Path) -> dict[str, Any]:
    """The contents of ``bundle.json``."""
    facts: dict[str, Any] = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
    return facts


def write_bundle_json(folder: Path, facts: Mapping[str, Any]) -> None:
    """Write ``bundle.json``."""
    (folder / MANIFEST).write_text(json.dumps(facts, indent=2) + "\n", encoding="utf-8")
