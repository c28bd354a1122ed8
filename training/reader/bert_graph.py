"""The graph of a reader with a BERT encoder, written operator by operator: int8 products with fixed ranges.

Each token is divided by its largest value, so that every activation lies in [-1, 1], whatever the text: the range of a
product is fixed, and a sentence reads the same in any batch. Weights are signed bytes with a scale for each output;
activations have 7 bits, because processors without VNNI saturate the sum of two products of an unsigned and a signed
byte beyond 32,767, and 2 * 127 * 127 is below that.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper

from core.types import GUIDE_CLASSES, LABELS
from training.modeling.reader import LEANING_CLASSES, ReaderModel

OPSET = 18
_LEAST = 1e-6
_STEPS = 63
"""Activations are whole numbers from -63 to 63, stored with this added and one more, as unsigned bytes."""

_GELU_STEPS, _GELU_ZERO = 115, 12
_GELU_LEAST = 1.7
"""GELU has no values below -0.17: in a row that is divided by at least 1.7 none is below -0.1."""

_MICROSOFT = "com.microsoft"


def is_supported(model: ReaderModel) -> bool:
    """Whether the encoder is a plain BERT: absolute positions and GELU."""
    config: Any = model.encoder.config
    absolute = getattr(config, "position_embedding_type", "absolute") in (None, "absolute")
    return config.model_type == "bert" and config.hidden_act == "gelu" and absolute


def write_bert_graph(model: ReaderModel, path: Path) -> None:
    """Write the reader as one ONNX file with dynamic batch and length; `is_supported` holds for its encoder."""
    onnx.save(_Builder(model).build(), path)


class _Builder:
    """Nodes and tensors of the graph; tensors have the names of the model's parameters."""

    def __init__(self, model: ReaderModel) -> None:
        config: Any = model.encoder.config
        self._heads: int = config.num_attention_heads
        self._layers: int = config.num_hidden_layers
        self._epsilon: float = config.layer_norm_eps
        self._hidden: int = config.hidden_size
        self._weights = {
            name: value.detach().cpu().float().numpy() for name, value in model.state_dict().items()
        }
        self._nodes: list[Any] = []
        self._tensors: dict[str, Any] = {}

    def build(self) -> Any:
        """The model."""
        self._hold("steps", np.array(1 / _STEPS, np.float32))
        self._hold("zero", np.array(_STEPS + 1, np.uint8))
        self._hold("gelu_steps", np.array(1 / _GELU_STEPS, np.float32))
        self._hold("gelu_zero", np.array(_GELU_ZERO, np.uint8))
        self._hold("least", np.array(_LEAST, np.float32))
        self._hold("gelu_least", np.array(_GELU_LEAST, np.float32))
        self._hold("last_axis", np.array([-1], np.int64))
        states = self._embeddings()
        mask = self._add("Cast", ["attention_mask"], to=TensorProto.INT32)
        for number in range(self._layers):
            states = self._layer(states, mask, f"encoder.encoder.layer.{number}.")
        self._outputs(states)
        sizes: list[str | int | None] = ["batch", "tokens"]
        shapes: dict[str, list[str | int | None]] = {
            "spans": [*sizes, len(LABELS)],
            "bias": ["batch"],
            "leaning": ["batch", LEANING_CLASSES],
            "meaning": ["batch", self._hidden],
            "classes": [*sizes, len(GUIDE_CLASSES)],
        }
        graph = helper.make_graph(
            self._nodes,
            "reader",
            [
                helper.make_tensor_value_info(name, TensorProto.INT64, sizes)
                for name in ("input_ids", "attention_mask")
            ],
            [helper.make_tensor_value_info(name, TensorProto.FLOAT, shape) for name, shape in shapes.items()],
            list(self._tensors.values()),
        )
        opsets = [helper.make_opsetid("", OPSET), helper.make_opsetid(_MICROSOFT, 1)]
        return helper.make_model(graph, opset_imports=opsets, ir_version=10)

    def _embeddings(self) -> str:
        prefix = "encoder.embeddings."
        self._hold("first", np.array(0, np.int64))
        self._hold("next", np.array(1, np.int64))
        length = self._add("Gather", [self._add("Shape", ["input_ids"]), "next"])
        places = self._add("Range", ["first", length, "next"])
        words = self._looked_up(f"{prefix}word_embeddings.weight", "input_ids")
        position = self._looked_up(f"{prefix}position_embeddings.weight", places)
        kind = self._add("Gather", [self._parameter(f"{prefix}token_type_embeddings.weight"), "first"])
        total = self._add("Add", [words, self._add("Add", [position, kind])])
        norm = [self._parameter(f"{prefix}LayerNorm.{name}") for name in ("weight", "bias")]
        return self._add("LayerNormalization", [total, *norm], axis=-1, epsilon=self._epsilon)

    def _layer(self, states: str, mask: str, prefix: str) -> str:
        scaled = self._by_row(states)
        own = [f"{prefix}attention.self.{name}" for name in ("query", "key", "value")]
        products = [self._product(scaled, f"{name}.weight") for name in own]
        bias = self._add("Concat", [self._parameter(f"{name}.bias") for name in own], axis=0)
        context = self._add(
            "MultiHeadAttention", [*products, bias, mask], domain=_MICROSOFT, num_heads=self._heads
        )
        states = self._normalised(context, states, f"{prefix}attention.output.")
        inner = self._product(self._by_row(states), f"{prefix}intermediate.dense.weight")
        bias = self._parameter(f"{prefix}intermediate.dense.bias")
        inner = self._add("BiasGelu", [inner, bias], domain=_MICROSOFT)
        return self._normalised(inner, states, f"{prefix}output.", gelu=True)

    def _normalised(self, inner: str, before: str, prefix: str, *, gelu: bool = False) -> str:
        product = self._product(self._by_row(inner, gelu=gelu), f"{prefix}dense.weight")
        names = ("LayerNorm.weight", "LayerNorm.bias", "dense.bias")
        parameters = [self._parameter(f"{prefix}{name}") for name in names]
        return self._add(
            "SkipLayerNormalization",
            [product, before, *parameters],
            domain=_MICROSOFT,
            epsilon=self._epsilon,
        )

    def _outputs(self, states: str) -> None:
        kept = self._add("Cast", ["attention_mask"], to=TensorProto.FLOAT)
        number = self._add("ReduceSum", [kept, "last_axis"], keepdims=1)
        self._hold("token_axis", np.array([1], np.int64))
        # MatMul adds the tokens of each text alike in any batch; ReduceSum does not.
        total = self._add("MatMul", [self._add("Unsqueeze", [kept, "token_axis"]), states])
        mean = self._add("Div", [self._add("Squeeze", [total, "token_axis"]), number], to="meaning")
        for name in ("spans", "classes"):
            weight = self._parameter(f"{name}.weight", turned=True)
            product = self._add("MatMul", [states, weight])
            self._add("Add", [product, self._parameter(f"{name}.bias")], to=name)
        scaled = self._by_row(mean)
        for name in ("bias", "leaning"):
            product = self._product(scaled, f"{name}_layer.weight")
            inner = self._add("Add", [product, self._parameter(f"{name}_layer.bias")])
            inner = self._add("Unsqueeze", [self._add("Tanh", [inner]), "token_axis"])
            # A product and a sum, not MatMul, which adds in another order for a single row.
            weight = self._add("Transpose", [self._parameter(f"{name}.weight", turned=True)])
            sums = self._add("ReduceSum", [self._add("Mul", [inner, weight]), "last_axis"], keepdims=0)
            logits = [sums, self._parameter(f"{name}.bias")]
            if name == "bias":
                self._add("Squeeze", [self._add("Add", logits), "last_axis"], to=name)
            else:
                self._add("Add", logits, to=name)

    def _by_row(self, states: str, *, gelu: bool = False) -> tuple[str, str, str, str]:
        """Bytes of ``states``, each row divided by its largest value; their scale and zero point; and the divisors."""
        kind = "gelu_" if gelu else ""
        largest = self._add("ReduceMax", [self._add("Abs", [states]), "last_axis"], keepdims=1)
        largest = self._add("Max", [largest, f"{kind}least"])
        scale, zero = f"{kind}steps", f"{kind}zero"
        return (
            self._add("QuantizeLinear", [self._add("Div", [states, largest]), scale, zero]),
            scale,
            zero,
            largest,
        )

    def _product(self, scaled: tuple[str, str, str, str], name: str) -> str:
        values, scale, zero, largest = scaled
        weight = self._weights[name].T
        steps = np.maximum(np.abs(weight).max(axis=0) / 127, np.float32(1e-12)).astype(np.float32)
        self._hold(f"{name}_quantized", _rounded(weight / steps))
        self._hold(f"{name}_scale", steps)
        self._hold(f"{name}_zero_point", np.zeros(len(steps), np.int8))
        given = [values, f"{name}_quantized", scale, f"{name}_scale", zero, f"{name}_zero_point"]
        return self._add("Mul", [self._add("MatMulIntegerToFloat", given, domain=_MICROSOFT), largest])

    def _looked_up(self, name: str, ids: str) -> str:
        """Rows of an embedding that is held as bytes with a scale for each row."""
        rows = self._weights[name]
        steps = np.maximum(np.abs(rows).max(axis=1, keepdims=True) / 127, np.float32(1e-12)).astype(
            np.float32
        )
        self._hold(f"{name}_quantized", _rounded(rows / steps))
        self._hold(f"{name}_scale", steps)
        found = self._add("Cast", [self._add("Gather", [f"{name}_quantized", ids])], to=TensorProto.FLOAT)
        return self._add("Mul", [found, self._add("Gather", [f"{name}_scale", ids])])

    def _parameter(self, name: str, *, turned: bool = False) -> str:
        self._hold(name, self._weights[name].T if turned else self._weights[name])
        return name

    def _hold(self, name: str, values: NDArray[Any]) -> None:
        self._tensors[name] = numpy_helper.from_array(np.ascontiguousarray(values), name)

    def _add(
        self, operator: str, given: list[str], *, to: Any = None, domain: str = "", **attributes: Any
    ) -> str:
        """A node; returns its output. ``to`` is the output's name, or the type for a Cast."""
        name = f"n{len(self._nodes)}"
        if operator == "Cast":
            attributes["to"] = to
        output = to if isinstance(to, str) else name
        self._nodes.append(
            helper.make_node(operator, given, [output], name=name, domain=domain, **attributes)
        )
        return output


def _rounded(values: NDArray[np.float32]) -> NDArray[np.int8]:
    return np.rint(values).clip(-127, 127).astype(np.int8)
