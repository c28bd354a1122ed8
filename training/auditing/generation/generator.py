"""A causal language model as calibrating needs it: states, one token further at a time, and its output layer.

The model stays as it is, without dropout. Its next-token logits must be a linear reading of its last hidden states, as
those of GPT-2 and Llama are: what is calibrated is that state, and nothing behind it runs again. Where the device
multiplies in bf16 its layers may do so; the logits of what may be drawn, and all that calibrates, are fp32.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar, cast

import torch
from torch import Tensor

from training.loop.training_loop import TrainingError, is_out_of_memory
from training.modeling.pretrained import pretrained
from training.types import print_to_stderr

BATCH_SIZE = 64
"""Rows at once; where memory runs out, half as many."""
EXCLUDED_LOGIT = -1e9
"""The logit of a token that is not drawn: finite, so that no difference of two is undefined."""
_TOLERANCE = 1e-4
_CONTEXT_WORD = "the"
"""Stands before a word, which has other tokens at the beginning of a text."""

Item = TypeVar("Item")
Answer = TypeVar("Answer")


class Generator:
    """A model with its tokenizer.

    ``rows`` [V, d] and ``offsets`` [V] are the output layer: logits are ``rows @ state + offsets``. ``logit_scale`` is the
    root of the summed variances of the d columns of ``rows``: moving each coordinate of a state by 1 / ``logit_scale``, up
    or down by chance, moves logits by about 1 against each other, in any model.

    A tokenizer needs neither a pad nor an end token. Rows are padded on their left with any token, behind the mask.
    No special token is ever drawn, the end token among them: every continuation has the length that was asked for, as
    the 100 tokens of the paper have (section 5.2.1). An empty prompt begins at the first of the begin, end and pad
    tokens that there is.

    ``bf16`` makes the weights of ``model`` bf16; ``rows`` and ``offsets`` stay as they are.
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
        """Numbers of a state (d)."""
        return self.rows.shape[1]

    def ids(self, texts: Sequence[str], *, longest: int | None = None, more: int = 0) -> list[list[int]]:
        """The tokens of each text, cut at ``longest`` if given.

        Raises TrainingError where a text has none and the tokenizer no token to begin with, and where the model cannot
        read the longest and ``more`` tokens behind it.
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
                f"{self.name} has no token to begin with. Give it a prompt of a word at least."
            )
        packed = [row or [cast(int, first)] for row in packed]
        most = getattr(self.model.config, "max_position_embeddings", None)
        if most is not None and packed and max(map(len, packed)) + more > most:
            raise TrainingError(
                f"{self.name} reads {most} tokens; the longest prompt has {max(map(len, packed))} and {more} more are "
                "wanted. Ask for fewer tokens, or shorten the prompt."
            )
        return packed

    def words(self, words: Sequence[str]) -> tuple[Tensor, Tensor]:
        """The output rows [n, d] and offsets [n] of words inside a sentence; of a word of several tokens their mean.

        Raises TrainingError for a word that the tokenizer has no token for.
        """
        found, offsets = [], []
        before = len(self.tokenizer(_CONTEXT_WORD, add_special_tokens=False)["input_ids"])
        for word in words:
            pieces = self.tokenizer(f"{_CONTEXT_WORD} {word}", add_special_tokens=False)["input_ids"][before:]
            if not pieces:
                raise TrainingError(
                    f"{self.name} has no token for {word!r}. Take it out of the list of words."
                )
            found.append(self.rows[pieces].mean(0))
            offsets.append(self.offsets[pieces].mean())
        return torch.stack(found), torch.stack(offsets)

    def top_tokens(self, state: Tensor, most: int) -> tuple[Tensor, Tensor]:
        """The logits and the ids [B, most] of the tokens that may be drawn after states [B, d], the likeliest first.

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
        """Read prompts of any length, a token each at least."""
        return Continuation(self.model, ids, device=self.device, takes_position_ids=self._takes_position_ids)

    def states(self, ids: Sequence[Sequence[int]]) -> list[Tensor]:
        """The last hidden states [tokens, d] of each row, on the CPU."""

        def read(part: Sequence[Sequence[int]]) -> list[Tensor]:
            width = max(map(len, part))
            filled = torch.tensor(
                [[*row, *[row[-1]] * (width - len(row))] for row in part], device=self.device
            )
            # Nothing looks ahead in a causal model: what fills a row up on its right needs no mask.
            states = self.model.base_model(input_ids=filled, use_cache=False).last_hidden_state.float().cpu()
            return [states[at, : len(row)].clone() for at, row in enumerate(part)]

        with torch.inference_mode():
            return self.map_batches(ids, read)

    def map_batches(
        self, items: Sequence[Item], run: Callable[[Sequence[Item]], list[Answer]]
    ) -> list[Answer]:
        """Answers of all items, some at a time; where memory runs out, half as many from then on.

        Raises TrainingError where one item does not fit.
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
                f"One text alone does not fit into memory beside {self.name}. Choose a smaller generator, fewer tokens "
                "or --device cpu."
            ) from error
        self._batch = rows // 2
        self._say(f"Memory ran out: {self.name} now takes {self._batch} texts at once.")


class Continuation:
    """Rows that grow by a token at a time. ``state`` [B, d] is the last hidden state of each, fp32."""

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


def load_generator(
    base: str | Path,
    *,
    device: torch.device,
    batch: int = BATCH_SIZE,
    bf16: bool = False,
    on_message: Callable[[str], None] = print_to_stderr,
) -> Generator:
    """A causal language model by hub name or folder (``openai-community/gpt2-medium`` in the paper, section 5.2).

    ``bf16``: its layers in bf16, to write and to be read, not to be trained.
    Safetensors only, no remote code. Raises TrainingError where it cannot be had or does not fit, where weights are
    missing, where its places look ahead, and where its logits are no linear reading of its last states.
    """
    opened = pretrained(
        "causal",
        base,
        otherwise="a causal language model. Name a folder that holds one as safetensors, without code of its own, or a "
        "name of the Hugging Face hub while there is a network.",
    )
    name = opened.name
    if not opened.whole:
        raise TrainingError(f"{name}: weights of its output layer are missing. Name a causal language model.")
    model = opened.still(device)
    _check_model(model, name)
    return Generator(model, opened.tokenizer, name=name, device=device, batch=batch, bf16=bf16, on_message=on_message)


def _convert_to_bf16(model: Any) -> Tensor:
    """Make a model's weights bf16, and give those of its output layer.

    Weights alone: the frequencies that places are turned by are buffers, and rounded they would tell far places wrong.
    """
    for weights in model.parameters():
        weights.data = weights.data.to(torch.bfloat16)
    rows: Tensor = model.get_output_embeddings().weight.detach()
    return rows


@torch.inference_mode()
def _check_model(model: Any, name: str) -> None:
    """Raise TrainingError unless the model is causal and its logits are the output layer's reading of its states."""
    probe = torch.tensor([[0, 1], [0, 2]], device=model.device)
    logits = model(input_ids=probe).logits.float()
    if not bool(torch.isfinite(logits).all()):
        raise TrainingError(f"{name} gives numbers that are not finite. Copy its weights again.")
    if not _is_close(logits[0, 0], logits[1, 0]):
        raise TrainingError(
            f"{name} looks ahead: it is no causal language model. Name one, such as gpt2-medium."
        )
    states = model.base_model(input_ids=probe).last_hidden_state
    if not _is_close(model.get_output_embeddings()(states).float(), logits):
        raise TrainingError(
            f"{name} changes its logits behind its output layer, which calibrating does not know. "
            "Name another generator, such as gpt2-medium."
        )


def _is_close(one: Tensor, other: Tensor) -> bool:
    return bool((one - other).abs().max() <= _TOLERANCE * (1 + one.abs().max()))
