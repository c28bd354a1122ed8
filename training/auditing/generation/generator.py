"""A causal language model for audits: hidden states, continuation by one token at a time, and the output layer.

The model is frozen and runs without dropout. Its next-token logits must be a linear function of its last hidden states,
as in GPT-2 and Llama: debiasing changes that state, and nothing behind it runs again. Where the device supports it, the
layers may run in bf16; the logits of candidate tokens, and all that debiasing computes, are fp32.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar, cast

import torch
from torch import Tensor

from training.loop.training_loop import TrainingError, is_out_of_memory
from training.modeling.encoders import files_digest
from training.modeling.pretrained import load_pretrained
from training.types import print_to_stderr

BATCH_SIZE = 64
"""Rows per batch. Halved when memory runs out."""
EXCLUDED_LOGIT = -1e9
"""The logit of an excluded token: finite, so that differences of logits are defined."""
_TOLERANCE = 1e-4
_FILES = ("*.json", "*.txt", "*.model", "*.safetensors")
"""Patterns of the files of a model."""
_CONTEXT_WORD = "the"
"""Put before a word to get its tokens inside a sentence; at the beginning of a text they differ."""

Item = TypeVar("Item")
Answer = TypeVar("Answer")


class Generator:
    """A model with its tokenizer.

    ``rows`` [V, d] and ``offsets`` [V] are the output layer: logits are ``rows @ state + offsets``. ``logit_scale`` is
    the root of the summed variances of the d columns of ``rows``: a random change of each coordinate of a state by 1 /
    ``logit_scale`` changes logits by about 1 relative to each other, in any model.

    The tokenizer needs neither a pad nor an end token: rows are padded on the left with an arbitrary token, which the
    mask hides. Special tokens, the end token included, are never drawn, so that every continuation has the requested
    length, as the 100 tokens of the paper have (section 5.2.1). An empty prompt starts at the first available of the
    begin, end and pad tokens.

    ``bf16`` converts the weights of ``model`` to bf16; ``rows`` and ``offsets`` stay fp32.
    """

    def __init__(
        self,
        model: Any,
        tokenizer: Any,
        *,
        name: str,
        device: torch.device,
        batch: int = BATCH_SIZE,
        bf16: bool = False,
        on_message: Callable[[str], None] = print_to_stderr,
    ) -> None:
        self.name, self.device, self.tokenizer = name, device, tokenizer
        self.model, self._batch, self._say = model, batch, on_message
        self._takes_position_ids = "position_ids" in inspect.signature(model.base_model.forward).parameters
        layer = model.get_output_embeddings()
        self.rows: Tensor = layer.weight.detach()
        bias = getattr(layer, "bias", None)
        self.offsets: Tensor = self.rows.new_zeros(len(self.rows)) if bias is None else bias.detach()
        self.logit_scale = float(self.rows.var(0).sum().sqrt())
        self.allowed = torch.zeros(len(self.rows), dtype=torch.bool, device=device)
        self.allowed[: min(len(tokenizer), len(self.rows))] = True
        self.allowed[[one for one in tokenizer.all_special_ids if one < len(self.rows)]] = False
        self._masked_offsets = self.offsets.masked_fill(~self.allowed, EXCLUDED_LOGIT)
        self._bf16_rows = _convert_to_bf16(model) if bf16 else None

    @property
    def width(self) -> int:
        """The size d of a hidden state."""
        return self.rows.shape[1]

    def ids(self, texts: Sequence[str], *, longest: int | None = None, more: int = 0) -> list[list[int]]:
        """The token ids of each text, truncated to ``longest`` if given.

        Raises TrainingError if a text has no token and the tokenizer has none to begin with, and if the longest text
        with ``more`` tokens behind it exceeds the context of the model.
        """
        cut = {"truncation": True, "max_length": longest} if longest else {}
        packed: list[list[int]] = self.tokenizer(list(texts), **cut)["input_ids"] if texts else []
        places = (
            self.tokenizer.bos_token_id,
            self.tokenizer.eos_token_id,
            self.tokenizer.pad_token_id,
        )
        first = next((place for place in places if place is not None), None)
        if first is None and not all(packed):
            raise TrainingError(
                f"{self.name} has no token to begin an empty prompt with. Give it a prompt of one word "
                "or more."
            )
        packed = [row or [cast(int, first)] for row in packed]
        most = getattr(self.model.config, "max_position_embeddings", None)
        if most is not None and packed and max(map(len, packed)) + more > most:
            raise TrainingError(
                f"{self.name} has a context of {most} tokens; the longest prompt has "
                f"{max(map(len, packed))}, and {more} more are needed. Use fewer tokens, or a shorter "
                "prompt."
            )
        return packed

    def words(self, words: Sequence[str]) -> tuple[Tensor, Tensor]:
        """The output rows [n, d] and offsets [n] of words inside a sentence; the mean over the tokens of a word.

        Raises TrainingError for a word without a token.
        """
        found, offsets = [], []
        before = len(self.tokenizer(_CONTEXT_WORD, add_special_tokens=False)["input_ids"])
        for word in words:
            pieces = self.tokenizer(f"{_CONTEXT_WORD} {word}", add_special_tokens=False)["input_ids"][before:]
            if not pieces:
                raise TrainingError(
                    f"{self.name} has no token for {word!r}. Remove it from the list of words."
                )
            found.append(self.rows[pieces].mean(0))
            offsets.append(self.offsets[pieces].mean())
        return torch.stack(found), torch.stack(offsets)

    def top_tokens(self, state: Tensor, most: int) -> tuple[Tensor, Tensor]:
        """The logits and the ids [B, most] of the likeliest tokens after states [B, d], in descending order.

        In bf16 only the choice of the tokens is rounded, not their logits.
        """
        if self._bf16_rows is None:
            logits, ids = torch.addmm(self._masked_offsets, state, self.rows.T).topk(most, dim=1)
            return logits, ids
        rough = torch.addmm(
            self._masked_offsets.to(self._bf16_rows.dtype), state.to(self._bf16_rows.dtype), self._bf16_rows.T
        )
        ids = rough.topk(most, dim=1).indices
        exact = torch.baddbmm(
            self._masked_offsets[ids].unsqueeze(2), self.rows[ids], state.unsqueeze(2)
        ).squeeze(2)
        logits, order = exact.sort(dim=1, descending=True, stable=True)
        return logits, ids.gather(1, order)

    def begin(self, ids: Sequence[Sequence[int]]) -> Continuation:
        """Read prompts of any length; each has at least one token."""
        return Continuation(self.model, ids, device=self.device, takes_position_ids=self._takes_position_ids)

    def states(self, ids: Sequence[Sequence[int]]) -> list[Tensor]:
        """The last hidden states [tokens, d] of each row, on the CPU."""

        def read(part: Sequence[Sequence[int]]) -> list[Tensor]:
            width = max(map(len, part))
            filled = torch.tensor(
                [[*row, *[row[-1]] * (width - len(row))] for row in part], device=self.device
            )
            # A causal model does not look ahead, so padding on the right needs no mask.
            states = self.model.base_model(input_ids=filled, use_cache=False).last_hidden_state.float().cpu()
            return [states[at, : len(row)].clone() for at, row in enumerate(part)]

        with torch.inference_mode():
            return self.map_batches(ids, read)

    def map_batches(
        self, items: Sequence[Item], run: Callable[[Sequence[Item]], list[Answer]]
    ) -> list[Answer]:
        """The results of ``run`` over all items, in batches; the batch size is halved when memory runs out.

        Raises TrainingError if a single item does not fit.
        """
        found: list[Answer] = []
        while len(found) < len(items):
            part = items[len(found) : len(found) + self._batch]
            try:
                found += run(part)
            except (RuntimeError, MemoryError) as error:
                if not is_out_of_memory(error):
                    raise
                self._halve(len(part), error)
        return found

    def _halve(self, rows: int, error: Exception) -> None:
        if self.device.type == "cuda":
            torch.cuda.empty_cache()
        if rows == 1:
            raise TrainingError(
                f"A single text does not fit into memory beside {self.name}. Choose a smaller "
                "generator, fewer tokens or --device cpu."
            ) from error
        self._batch = rows // 2
        self._say(f"Memory ran out: {self.name} now takes {self._batch} texts at once.")


class Continuation:
    """A batch of rows that grow by one token at a time. ``state`` [B, d], fp32, is the last hidden state of each."""

    def __init__(
        self, model: Any, ids: Sequence[Sequence[int]], *, device: torch.device, takes_position_ids: bool
    ) -> None:
        width = max(map(len, ids))
        filled = torch.tensor([[row[0]] * (width - len(row)) + list(row) for row in ids], device=device)
        self._mask = torch.tensor([[0] * (width - len(row)) + [1] * len(row) for row in ids], device=device)
        self._model, self._takes_position_ids = model.base_model, takes_position_ids
        self._cache: Any = None
        self._read(filled, (self._mask.cumsum(1) - 1).clamp(min=0))

    def advance(self, tokens: Tensor) -> None:
        """Read one more token [B] of each row."""
        self._mask = torch.cat([self._mask, self._mask.new_ones(len(tokens), 1)], 1)
        self._read(tokens.unsqueeze(1), self._mask.sum(1, keepdim=True) - 1)

    def _read(self, tokens: Tensor, places: Tensor) -> None:
        where = {"position_ids": places} if self._takes_position_ids else {}
        answer = self._model(
            input_ids=tokens,
            attention_mask=self._mask,
            past_key_values=self._cache,
            use_cache=True,
            **where,
        )
        self._cache = answer.past_key_values
        self.state: Tensor = answer.last_hidden_state[:, -1].float()


def check_finite(numbers: Tensor, name: str) -> None:
    """Raise TrainingError if the output of the model called ``name`` is not finite."""
    if not bool(torch.isfinite(numbers).all()):
        raise TrainingError(f"{name} returns numbers that are not finite. Download its weights again.")


def model_digest(base: str) -> str:
    """Changes with the files of a model's folder; for a hub name, the name."""
    folder = Path(base)
    if not folder.is_dir():
        return f"hub {base}"
    return files_digest(sorted(path for pattern in _FILES for path in folder.glob(pattern)))


def load_generator(
    base: str | Path,
    *,
    device: torch.device,
    batch: int = BATCH_SIZE,
    bf16: bool = False,
    on_message: Callable[[str], None] = print_to_stderr,
) -> Generator:
    """Load a causal language model by hub name or folder (``openai-community/gpt2-medium`` in the paper, section 5.2).

    With ``bf16`` its layers run in bf16: for sampling and reading only, not for training. Safetensors only, no remote
    code. Raises TrainingError if the model is not available or does not fit into memory, if weights are missing, if it
    is not causal, or if its logits are not a linear function of its last states.
    """
    opened = load_pretrained(
        "causal",
        base,
        otherwise="a causal language model. Name a folder that holds one as safetensors, without code "
        "of its own, or, with a network connection, a name of the Hugging Face hub.",
    )
    name = opened.name
    if not opened.is_complete:
        raise TrainingError(f"{name}: weights of its output layer are missing. Name a causal language model.")
    model = opened.frozen(device)
    _check_model(model, name)
    return Generator(
        model, opened.tokenizer, name=name, device=device, batch=batch, bf16=bf16, on_message=on_message
    )


def _convert_to_bf16(model: Any) -> Tensor:
    """Convert a model's weights to bf16, and return those of its output layer.

    Buffers stay as they are: rounded frequencies of the position embeddings would misplace distant tokens.
    """
    for weights in model.parameters():
        weights.data = weights.data.to(torch.bfloat16)
    rows: Tensor = model.get_output_embeddings().weight.detach()
    return rows


@torch.inference_mode()
def _check_model(model: Any, name: str) -> None:
    """Raise TrainingError unless the model is causal and its logits are its output layer applied to its last states."""
    probe = torch.tensor([[0, 1], [0, 2]], device=model.device)
    logits = model(input_ids=probe).logits.float()
    check_finite(logits, name)
    if not _is_close(logits[0, 0], logits[1, 0]):
        raise TrainingError(f"{name} is not causal. Name a causal language model, such as gpt2-medium.")
    states = model.base_model(input_ids=probe).last_hidden_state
    if not _is_close(model.get_output_embeddings()(states).float(), logits):
        raise TrainingError(
            f"{name} changes its logits after its output layer, which audits do not support. Name "
            "another generator, such as gpt2-medium."
        )


def _is_close(one: Tensor, other: Tensor) -> bool:
    return bool((one - other).abs().max() <= _TOLERANCE * (1 + one.abs().max()))
