"""The warm start: a BART that begins as the encoder it is made of, and says what it cannot be made of."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
import torch
from transformers import AutoModel, DistilBertConfig, DistilBertModel

from core.rewriting.rewriter import DELETE, KEEP
from training.rewriter.examples import MarkedSentence, Question, encode
from training.rewriter.modeling import (
    answer_loss,
    load_encoder,
    load_tokenizer,
    set_prior,
    warm_start,
)

CPU = torch.device("cpu")


def test_its_encoder_reads_as_the_base_does(tiny_base: Path) -> None:
    tokenizer = load_tokenizer(tiny_base)
    bart = warm_start(load_encoder(tiny_base), tokenizer, decoder_layers=2).eval()
    bert = AutoModel.from_pretrained(tiny_base).eval()
    ids = torch.tensor([tokenizer.encode("the senator visited the museum").ids])
    ours, theirs = bart.model.encoder(ids).last_hidden_state, bert(ids).last_hidden_state
    assert torch.allclose(ours, theirs, atol=2e-3)


def test_cross_attention_starts_from_self_attention(tiny_base: Path) -> None:
    bart = warm_start(load_encoder(tiny_base), load_tokenizer(tiny_base), decoder_layers=1)
    layer, source = bart.model.decoder.layers[0], bart.model.encoder.layers[1]
    assert torch.equal(layer.encoder_attn.q_proj.weight, source.self_attn.q_proj.weight)
    assert torch.equal(layer.self_attn.q_proj.weight, source.self_attn.q_proj.weight)


def test_padding_and_company_change_no_loss(tiny_base: Path) -> None:
    tokenizer = load_tokenizer(tiny_base)
    bart = warm_start(load_encoder(tiny_base), tokenizer, decoder_layers=1).eval()
    rows = encode(
        [
            MarkedSentence("the shameful senator", (Question(4, 12, "union"), Question(13, 20, None))),
            MarkedSentence("the old treaty of the school", (Question(4, 7, ""),)),
        ],
        tokenizer,
    )
    pieces = [sum(len(answer) for _, answer in row.questions) for row in rows]
    with torch.inference_mode():
        apart = [
            answer_loss(bart, [row], CPU).item() * count for row, count in zip(rows, pieces, strict=True)
        ]
        together = answer_loss(bart, rows, CPU).item() * sum(pieces)
    assert together == pytest.approx(sum(apart), rel=1e-3)


def test_encoder_and_decoder_learn(tiny_base: Path) -> None:
    tokenizer = load_tokenizer(tiny_base)
    bart = warm_start(load_encoder(tiny_base), tokenizer, decoder_layers=1)
    rows = encode([MarkedSentence("the shameful senator", (Question(4, 12, ""),))], tokenizer)
    answer_loss(bart, rows, CPU).backward()
    assert bart.model.encoder.layers[0].fc1.weight.grad is not None
    assert bart.model.decoder.layers[0].fc1.weight.grad is not None
    assert bart.model.shared.weight.grad is not None


def test_another_architecture_is_refused(tiny_base: Path, tmp_path: Path) -> None:
    config = DistilBertConfig(vocab_size=30, dim=16, n_layers=1, n_heads=2, hidden_dim=16)
    DistilBertModel(config).save_pretrained(tmp_path)
    for file in tiny_base.glob("token*"):
        shutil.copy(file, tmp_path)
    with pytest.raises(ValueError, match="--base"):
        load_encoder(tmp_path)


def test_the_prior_is_the_frequency_of_the_answers(tiny_base: Path) -> None:
    tokenizer = load_tokenizer(tiny_base)
    bart = warm_start(load_encoder(tiny_base), tokenizer, decoder_layers=1)
    out = encode([MarkedSentence("the shameful senator", (Question(4, 12, ""),))] * 3, tokenizer)
    keep = encode([MarkedSentence("the shameful senator", (Question(4, 12, None),))], tokenizer)
    set_prior(bart, [*out, *keep])
    prior = bart.final_logits_bias[0].exp().tolist()
    assert prior[tokenizer.token_to_id(DELETE)] == pytest.approx(
        3 * prior[tokenizer.token_to_id(KEEP)], rel=1e-3
    )
    assert prior[tokenizer.token_to_id("[SEP]")] == pytest.approx(0.5, rel=1e-3)
