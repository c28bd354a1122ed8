"""Protects a graph with fixed ranges: a sentence reads the same in any batch, and nearly as the checkpoint reads it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from onnxruntime import InferenceSession
from transformers import BertConfig, BertModel

from training.modeling.reader import ReaderModel
from training.reader.bert_graph import is_supported, write_bert_graph
from training.reader.export import write_graph

WORDS, WIDTH, TOKENS = 60, 32, 7
OUTPUTS = ("spans", "bias", "leaning", "meaning", "classes")


def made_model(**changes: Any) -> ReaderModel:
    torch.manual_seed(5)
    config = BertConfig(
        vocab_size=WORDS,
        hidden_size=WIDTH,
        num_hidden_layers=2,
        num_attention_heads=4,
        intermediate_size=64,
        initializer_range=0.2,
        **changes,
    )
    return ReaderModel(BertModel(config, add_pooling_layer=False), WIDTH).eval()


@pytest.fixture(scope="module")
def model() -> ReaderModel:
    return made_model()


@pytest.fixture(scope="module")
def session(model: ReaderModel, tmp_path_factory: pytest.TempPathFactory) -> InferenceSession:
    path = tmp_path_factory.mktemp("graph") / "reader.onnx"
    write_bert_graph(model, path)
    return InferenceSession(str(path), providers=["CPUExecutionProvider"])


def read(session: InferenceSession, ids: Any, mask: Any = None) -> list[Any]:
    tokens = np.array(ids, dtype=np.int64)
    given_mask = np.ones_like(tokens) if mask is None else np.array(mask, dtype=np.int64)
    return list(session.run(list(OUTPUTS), {"input_ids": tokens, "attention_mask": given_mask}))


rows = st.lists(st.integers(0, WORDS - 1), min_size=TOKENS, max_size=TOKENS)


@settings(max_examples=60, deadline=None)
@given(batch=st.lists(rows, min_size=1, max_size=9), data=st.data())
def test_a_sentence_reads_the_same_in_any_batch_of_its_length(
    session: InferenceSession, batch: list[list[int]], data: st.DataObject
) -> None:
    at = data.draw(st.integers(0, len(batch) - 1))
    for name, together, alone in zip(OUTPUTS, read(session, batch), read(session, [batch[at]]), strict=True):
        np.testing.assert_array_equal(together[at], alone[0], err_msg=name)


@settings(max_examples=30, deadline=None)
@given(tokens=st.lists(st.integers(0, WORDS - 1), min_size=1, max_size=40))
def test_it_answers_nearly_as_the_checkpoint(
    session: InferenceSession, model: ReaderModel, tokens: list[int]
) -> None:
    with torch.inference_mode():
        wanted = model(torch.tensor([tokens]), torch.ones((1, len(tokens)), dtype=torch.long))
    for name, found in zip(OUTPUTS, read(session, [tokens]), strict=True):
        np.testing.assert_allclose(found, getattr(wanted, name).numpy(), atol=0.25, err_msg=name)


def test_padding_does_not_count(session: InferenceSession) -> None:
    alone = read(session, [[3, 4, 5]])
    padded = read(session, [[3, 4, 5, 9, 9], [1, 2, 3, 4, 5]], [[1, 1, 1, 0, 0], [1, 1, 1, 1, 1]])
    for name, one, other in zip(OUTPUTS, alone, padded, strict=True):
        same = other[0][:3] if name in ("spans", "classes") else other[0]
        np.testing.assert_allclose(same, one[0], atol=0.02, err_msg=name)


def test_no_sum_of_two_products_can_saturate(
    session: InferenceSession, model: ReaderModel, tmp_path: Path
) -> None:
    write_bert_graph(model, tmp_path / "reader.onnx")
    graph = onnx.load(tmp_path / "reader.onnx").graph
    quantised = [node.output[0] for node in graph.node if node.op_type == "QuantizeLinear"]
    assert quantised
    for output in quantised:
        graph.output.append(onnx.helper.make_tensor_value_info(output, onnx.TensorProto.UINT8, None))
    shown = onnx.helper.make_model(
        graph, opset_imports=onnx.load(tmp_path / "reader.onnx").opset_import, ir_version=10
    )
    values = InferenceSession(shown.SerializeToString(), providers=["CPUExecutionProvider"]).run(
        quantised,
        {"input_ids": np.arange(24).reshape(2, 12), "attention_mask": np.ones((2, 12), dtype=np.int64)},
    )
    assert max(int(found.max()) for found in values) <= 127
    weights = [
        onnx.numpy_helper.to_array(one) for one in graph.initializer if one.name.endswith("_quantized")
    ]
    assert max(int(np.abs(one.astype(np.int16)).max()) for one in weights) <= 127


def test_another_encoder_is_written_with_dynamic_ranges(tmp_path: Path) -> None:
    other = made_model(hidden_act="relu")
    assert is_supported(made_model())
    assert not is_supported(other)
    write_graph(other, tmp_path / "reader.onnx")
    operators = {node.op_type for node in onnx.load(tmp_path / "reader.onnx").graph.node}
    assert "DynamicQuantizeLinear" in operators
