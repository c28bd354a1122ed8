"""A reader's ONNX graph and tokenizer: wordpieces of a window in, logits of every head out."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import NDArray

from core.bundles.manifest import REPAIR, BundleError
from core.bundles.onnx_checks import rebuild_graph
from core.bundles.reader import ReaderBundle
from core.bundles.tokenizer_checks import open_tokenizer
from core.engine.int8_signed import has_exact_products, to_signed
from core.failures import failures_as
from core.i18n import tr
from core.text.tokens import tokenizer_safe
from core.types import GUIDE_CLASSES, LABELS

if TYPE_CHECKING:
    from tokenizers import Encoding, Tokenizer


_NICE = 5


def physical_cores() -> int:
    """Physical cores that this process may use; half of the logical ones where the system does not say."""
    if not hasattr(os, "sched_getaffinity"):
        return max(1, (os.cpu_count() or 2) // 2)
    cores = set()
    for number in os.sched_getaffinity(0):
        siblings = Path(f"/sys/devices/system/cpu/cpu{number}/topology/thread_siblings_list")
        try:
            cores.add(siblings.read_text(encoding="ascii"))
        except OSError:
            cores.add(str(number))
    return len(cores)


def lower_thread_priority() -> None:
    """Lower the priority of the calling thread permanently. Linux only; does nothing elsewhere."""
    if sys.platform == "linux":
        with suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), _NICE)


MEANING = "meaning"
CLASSES = "classes"
OUTPUTS = ("spans", "bias", "leaning", MEANING, CLASSES)
_OPTIONAL = {MEANING, CLASSES}
_INPUTS = {"input_ids", "attention_mask"}
_NONE = np.zeros(0, dtype=np.float32)


class ReaderError(Exception):
    """The model cannot read a text. The message says what to do."""


@dataclass(frozen=True, slots=True)
class WindowOutput:
    """Logits of one window: ``spans`` [tokens, 7], ``bias``, ``leaning`` [4].

    ``meaning`` is its embedding and ``classes`` [tokens, 23] are the guide's, each empty where the graph has none.
    """

    spans: NDArray[np.float32]
    bias: float
    leaning: NDArray[np.float32]
    meaning: NDArray[np.float32]
    classes: NDArray[np.float32]


class ReaderSession:
    """The graph and tokenizer of a bundle. Thread-safe."""

    def __init__(self, bundle: ReaderBundle, session: Any, tokenizer: Tokenizer) -> None:
        self.tokenizer = tokenizer
        self._bundle = bundle
        self._session = session
        self._outputs = [name for name in OUTPUTS if name in _names(session.get_outputs())]

    @classmethod
    def open(cls, bundle: ReaderBundle) -> Self:
        """Open the graph and the tokenizer. Raises BundleError."""
        return cls(bundle, _session(bundle), _tokenizer(bundle))

    @property
    def has_embeddings(self) -> bool:
        """Whether the graph has an embedding output."""
        return MEANING in self._outputs

    @property
    def has_classes(self) -> bool:
        """Whether the graph has an output for the classes of a style guide."""
        return CLASSES in self._outputs

    def encode(self, texts: Sequence[str]) -> list[Encoding]:
        """The wordpieces of each text. Raises ReaderError."""
        message = tr("The tokenizer in {folder} cannot read this text. {repair}")
        with failures_as(lambda: self.error(message)):
            return self.tokenizer.encode_batch([tokenizer_safe(text) for text in texts])

    def run(self, ids: list[int], options: Any = None) -> WindowOutput:
        """Run the graph on the ids of one window, special tokens included. Raises ReaderError.

        ``options`` are `run_options`, by which another thread can end the run.
        """
        tokens = np.array([ids], dtype=np.int64)
        try:
            found = self._session.run(
                self._outputs, {"input_ids": tokens, "attention_mask": np.ones_like(tokens)}, options
            )
        except Exception as error:
            raise self.error(tr("The model in {folder} cannot be run. {repair}")) from error
        outputs = dict(zip(self._outputs, found, strict=True))
        spans, bias, leaning = (outputs[name] for name in ("spans", "bias", "leaning"))
        shapes = (spans.shape, bias.shape, leaning.shape)
        if shapes != ((1, len(ids), len(LABELS)), (1,), (1, 4)) or (
            CLASSES in outputs and outputs[CLASSES].shape != (1, len(ids), len(GUIDE_CLASSES))
        ):
            raise self.error(tr("The model in {folder} has outputs of the wrong shape. {repair}"))
        if not all(np.isfinite(answer).all() for answer in found):
            raise self.error(tr("The model in {folder} gives values that are not finite. {repair}"))
        meaning, classes = (outputs[name][0] if name in outputs else _NONE for name in (MEANING, CLASSES))
        return WindowOutput(spans[0], float(bias[0]), leaning[0], meaning, classes)

    def error(self, message: str) -> ReaderError:
        """The error with this message, its ``{folder}`` and ``{repair}`` filled in."""
        return ReaderError(message.format(folder=self._bundle.folder, repair=REPAIR))


def run_options() -> Any:
    """Options for `ReaderSession.run`; every run with them ends once their ``terminate`` is set."""
    import onnxruntime

    return onnxruntime.RunOptions()


def _session(bundle: ReaderBundle) -> Any:
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    options.execution_mode = onnxruntime.ExecutionMode.ORT_SEQUENTIAL
    options.enable_cpu_mem_arena = False
    options.enable_mem_pattern = False
    options.log_severity_level = 4
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    # Else a file of ONNX Runtime's own format would be loaded as such, whatever was checked.
    options.add_session_config_entry("session.load_model_format", "ONNX")
    try:
        graph = rebuild_graph(bundle.graph.read_bytes())
        graph = to_signed(graph) if has_exact_products() else graph
        session = onnxruntime.InferenceSession(graph, options, providers=["CPUExecutionProvider"])
        session._model_bytes = None  # only needed to move the session to another device
    except Exception as error:
        message = tr("The model in {folder} cannot be opened. {repair}")
        raise BundleError(message.format(folder=bundle.folder, repair=REPAIR)) from error
    if (
        _names(session.get_inputs()) != _INPUTS
        or not _names(session.get_outputs()) >= set(OUTPUTS) - _OPTIONAL
    ):
        message = tr("The model in {folder} is not a reader: its graph has other inputs or outputs. {repair}")
        raise BundleError(message.format(folder=bundle.folder, repair=REPAIR))
    return session


def _names(nodes: Sequence[Any]) -> set[str]:
    return {node.name for node in nodes}


def _tokenizer(bundle: ReaderBundle) -> Tokenizer:
    tokenizer = open_tokenizer(bundle)
    if len(tokenizer.encode("").ids) != 2:
        message = tr("The tokenizer in {folder} adds no special tokens. {repair}")
        raise BundleError(message.format(folder=bundle.folder, repair=REPAIR))
    return tokenizer
