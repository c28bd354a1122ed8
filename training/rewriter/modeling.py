"""A small BART on the weights of a BERT-architecture encoder.

A post-norm BERT layer and a BART layer are the same thing, so encoder weights copy over (to within the layer norms'
epsilon). The decoder takes layers spread over the encoder; its cross-attention starts from their self-attention
(Rothe, Narayan and Severyn 2020, "Leveraging pre-trained checkpoints for sequence generation tasks").
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch
from torch import Tensor
from transformers import AutoTokenizer, BartConfig, BartForConditionalGeneration

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
from training.loop.batches import IGNORED, pad_rows
from training.modeling.reader import load_base, load_bundle_weights
from training.rewriter.examples import Row

MAX_POSITIONS = 192
"""Positions that are kept: of the sentence, and of prompt and answer together."""

_OFFSET = 2
_RARE = 1e-6
"""The frequency that every piece has beside those counted."""

_LIKE = {
    TARGET_START: "[",
    TARGET_END: "]",
    ANSWER: ":",
    FIT_QUESTION: "?",
    KEEP: "same",
    DELETE: "nothing",
    FITS: "right",
    FITS_NOT: "wrong",
    ACCEPTANCE_QUESTION: "good",
    TAKEN: "yes",
    NOT_TAKEN: "no",
}
_PARTS = {
    "self_attn.q_proj": "attention.self.query",
    "self_attn.k_proj": "attention.self.key",
    "self_attn.v_proj": "attention.self.value",
    "self_attn.out_proj": "attention.output.dense",
    "self_attn_layer_norm": "attention.output.LayerNorm",
    "fc1": "intermediate.dense",
    "fc2": "output.dense",
    "final_layer_norm": "output.LayerNorm",
}


def load_tokenizer(base: str | Path) -> Any:
    """The tokenizer of ``base`` as one of the ``tokenizers`` library, without truncation and padding."""
    backend = AutoTokenizer.from_pretrained(str(base), trust_remote_code=False).backend_tokenizer
    backend.no_truncation()
    backend.no_padding()
    return backend


def load_encoder(base: str | Path, reader: Path | None = None) -> Any:
    """A BERT-architecture encoder by hub name or folder (safetensors only, no remote code).

    With ``reader``, a reader's bundle made on the same base, the weights are that reader's. Raises OSError where the
    base cannot be had, BundleError, and ValueError where it is of another architecture.
    """
    model, _ = load_base(base)
    facts: Any = model.encoder.config
    if facts.model_type != "bert":
        raise ValueError(f"{base} is no BERT but {facts.model_type}; name another with --base.")
    if reader is not None:
        load_bundle_weights(reader, model)
    return model.encoder


def warm_start(bert: Any, tokenizer: Any, *, decoder_layers: int) -> BartForConditionalGeneration:
    """A BART whose encoder is ``bert`` and whose decoder takes layers spread over it.

    It has no dropout: a run sees most of its sentences once, so there is nothing to overfit.

    Raises ValueError where the tokenizer lacks a piece that the rewriter is asked with.
    """
    facts = bert.config
    names = {name: tokenizer.token_to_id(name) for name in ("[PAD]", "[CLS]", "[SEP]", *_LIKE)}
    if lacking := [name for name, number in names.items() if number is None]:
        raise ValueError(f"The tokenizer does not know {', '.join(lacking)}; name another with --base.")
    known = bert.state_dict()
    first = known["embeddings.token_type_embeddings.weight"][0]
    places = known["embeddings.position_embeddings.weight"][:MAX_POSITIONS] + first
    config = BartConfig(
        vocab_size=facts.vocab_size,
        d_model=facts.hidden_size,
        encoder_layers=facts.num_hidden_layers,
        decoder_layers=decoder_layers,
        encoder_attention_heads=facts.num_attention_heads,
        decoder_attention_heads=facts.num_attention_heads,
        encoder_ffn_dim=facts.intermediate_size,
        decoder_ffn_dim=facts.intermediate_size,
        max_position_embeddings=places.shape[0],
        activation_function="gelu",
        dropout=0.0,
        pad_token_id=names["[PAD]"],
        bos_token_id=names["[CLS]"],
        eos_token_id=names["[SEP]"],
        decoder_start_token_id=names["[CLS]"],
        forced_eos_token_id=None,
    )
    bart = BartForConditionalGeneration(config)
    state = bart.state_dict()
    words = known["embeddings.word_embeddings.weight"].clone()
    _shape_marks(words, tokenizer)
    for name in ("shared.weight", "encoder.embed_tokens.weight", "decoder.embed_tokens.weight"):
        state[f"model.{name}"] = words
    state["lm_head.weight"] = words
    taken = [
        round((number + 1) * facts.num_hidden_layers / decoder_layers) - 1 for number in range(decoder_layers)
    ]
    for side, layers in (("encoder", list(range(facts.num_hidden_layers))), ("decoder", taken)):
        state[f"model.{side}.embed_positions.weight"][_OFFSET:] = places
        for end in ("weight", "bias"):
            state[f"model.{side}.layernorm_embedding.{end}"] = known[f"embeddings.LayerNorm.{end}"]
            for number, source in enumerate(layers):
                for ours, theirs in _PARTS.items():
                    values = known[f"encoder.layer.{source}.{theirs}.{end}"]
                    state[f"model.{side}.layers.{number}.{ours}.{end}"] = values
                    crossed = ours.replace("self_attn", "encoder_attn")
                    if side == "decoder" and crossed != ours:
                        state[f"model.{side}.layers.{number}.{crossed}.{end}"] = values
    bart.load_state_dict(state)
    return bart


def _shape_marks(words: Tensor, tokenizer: Any) -> None:
    """Give the marks, which the base never saw, the embeddings of pieces that it knows, made twice as strong.

    Otherwise both marks look like any other unused piece, and the model must first learn to see them.
    """
    for mark, like in _LIKE.items():
        known = tokenizer.token_to_id(like)
        if known is not None:
            words[tokenizer.token_to_id(mark)] = 2 * words[known]


def set_prior(model: BartForConditionalGeneration, rows: Sequence[Row]) -> None:
    """Start the output at the log frequency of each piece among the answers of ``rows``.

    The weights need not learn first how often a piece is answered at all, which takes a small run most of its steps.
    """
    labels = torch.tensor([label for row in rows for _, answer in row.questions for label in answer])
    counts = torch.bincount(labels, minlength=model.config.vocab_size).float()
    model.final_logits_bias.copy_((counts / counts.sum() + _RARE).log().unsqueeze(0))


def answer_loss(model: BartForConditionalGeneration, rows: Sequence[Row], device: torch.device) -> Tensor:
    """Cross-entropy of the answers after their prompts, the mean over the answers' pieces.

    A sentence is encoded once for all of its questions. Without the label smoothing of WIKIBIAS's appendix D: an answer
    is a choice among three kinds more than a text, and how sure the model is of it counts.
    """
    start, pad = int(model.config.decoder_start_token_id or 0), int(model.config.pad_token_id or 0)
    asked = [(at, prompt, answer) for at, row in enumerate(rows) for prompt, answer in row.questions]
    given = pad_rows([[start, *prompt, *answer[:-1]] for _, prompt, answer in asked], pad)
    labels = pad_rows([[IGNORED] * len(prompt) + answer for _, prompt, answer in asked], IGNORED).to(device)
    ids = pad_rows([row.ids for row in rows], pad).to(device)
    mask = pad_rows([[1] * len(row.ids) for row in rows], 0).to(device)
    states = model.model.encoder(input_ids=ids, attention_mask=mask).last_hidden_state
    owner = torch.tensor([at for at, _, _ in asked], device=device)
    found = model.model.decoder(
        input_ids=given.to(device), encoder_hidden_states=states[owner], encoder_attention_mask=mask[owner]
    ).last_hidden_state
    known = labels != IGNORED
    logits = model.lm_head(found[known]) + model.final_logits_bias
    return torch.nn.functional.cross_entropy(logits.float(), labels[known])
