"""What padding, batches and missing tokens may not change, and what is refused as a generator."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import torch
from transformers import BertConfig, BertLMHeadModel, Gemma2Config, Gemma2ForCausalLM

from tests.training.auditing.generation import tiny_generator as tiny
from training.auditing.generation.generator import Generator, load_generator
from training.auditing.generation.sampling import VanillaSampler
from training.loop.training_loop import TrainingError

PROMPTS = ["the people", "I think that she says it was", "a law about guns and", "the"]
KINDS = pytest.mark.parametrize("kind", ["gpt2", "llama"])


def whole(made: Generator, ids: list[int]) -> torch.Tensor:
    """The last state of a row that is read at once, alone and without padding."""
    return made.model.base_model(input_ids=torch.tensor([ids]), use_cache=False).last_hidden_state[0, -1]


@KINDS
def test_a_row_has_the_same_states_alone_and_in_a_batch(kind: str) -> None:
    made = tiny.generator(kind)
    ids = made.ids(PROMPTS)
    rows = made.begin(ids)
    more = tiny.ids(["vote", "for", "taxes"])
    for token in [None, *more]:
        if token is not None:
            rows.advance(torch.full((len(ids),), token))
            ids = [[*row, token] for row in ids]
        for at, row in enumerate(ids):
            torch.testing.assert_close(rows.state[at], whole(made, row), atol=1e-4, rtol=1e-4)


@KINDS
def test_states_of_texts_are_those_of_each_text(kind: str) -> None:
    made = tiny.generator(kind, batch=3)
    ids = made.ids(PROMPTS, longest=5)
    for row, states in zip(ids, made.states(ids), strict=True):
        assert states.shape == (len(row), made.width)
        for end in range(1, len(row) + 1):
            torch.testing.assert_close(states[end - 1], whole(made, row[:end]), atol=1e-4, rtol=1e-4)


@KINDS
def test_states_in_bf16_are_nearly_those_in_fp32(kind: str) -> None:
    """At every place of a long row: weights are rounded, and what places are reckoned with is not."""
    row = (tiny.ids(tiny.WORDS) * 2)[:60]
    made, bf16 = tiny.generator(kind), tiny.generator(kind, bf16=True)
    (exact,), (rounded,) = (one.states([row]) for one in (made, bf16))
    apart = (exact - rounded).norm(dim=1) / exact.norm(dim=1)
    assert 0 < float(apart.mean()) < 0.03
    assert {weights.dtype for weights in bf16.model.parameters()} == {torch.bfloat16}
    for name, numbers in made.model.named_buffers():
        assert torch.equal(numbers, bf16.model.get_buffer(name))


@KINDS
def test_logits_of_candidates_are_not_rounded(kind: str) -> None:
    made, bf16 = tiny.generator(kind), tiny.generator(kind, bf16=True)
    states = torch.randn(7, made.width, generator=torch.Generator().manual_seed(1))
    every = int(made.allowed.sum())
    logits, ids = made.top_tokens(states, every)
    found, same = bf16.top_tokens(states, every)
    torch.testing.assert_close(found, logits, atol=1e-5, rtol=1e-5)
    assert torch.equal(made.rows, bf16.rows)
    assert torch.equal(ids, same)
    few, _ = bf16.top_tokens(states, 5)
    assert (few[:, 1:] <= few[:, :-1]).all()
    torch.testing.assert_close(few, logits[:, :5], atol=0.05, rtol=0.05)
    for one in (made, bf16):
        assert not one.allowed[one.top_tokens(states, len(one.allowed))[1][:, every:]].any()
        assert (one.top_tokens(states, len(one.allowed))[0][:, every:] < -1e8).all()


def test_bf16_texts_have_the_requested_length() -> None:
    texts = VanillaSampler(tiny.generator("llama", bf16=True)).sample(PROMPTS, samples=3, length=12, seed=1)
    assert {len(text.split()) for row in texts for text in row} == {12}


@pytest.mark.parametrize(("pad", "end"), [(False, False), (False, True), (True, False)])
def test_without_a_pad_or_an_end_token_padding_changes_no_text(pad: bool, end: bool) -> None:
    sampler = VanillaSampler(tiny.generator(pad=pad, end=end))
    together = sampler.sample(PROMPTS, samples=2, length=9, seed=4)
    assert together == [sampler.sample([one], samples=2, length=9, seed=4)[0] for one in PROMPTS]
    assert {len(text.split()) for row in together for text in row} == {9}


def test_no_special_token_is_drawn_and_every_text_has_its_length() -> None:
    texts = VanillaSampler(tiny.generator()).sample(PROMPTS, samples=20, length=15, seed=1)
    words = [text.split() for row in texts for text in row]
    assert {len(row) for row in words} == {15}
    assert {word for row in words for word in row} <= {*tiny.WORDS}


def test_an_empty_prompt_starts_with_the_end_token_or_is_refused() -> None:
    begun = tiny.generator()
    assert begun.ids([""]) == [[tiny.SPECIAL.index("<end>")]]
    with pytest.raises(TrainingError, match="prompt of one word"):
        tiny.generator(pad=False, end=False).ids([""])


def test_a_prompt_that_is_too_long_is_refused_with_advice() -> None:
    with pytest.raises(TrainingError, match=r"has a context of 64 tokens.*Use fewer"):
        VanillaSampler(tiny.generator()).sample(["the people of"], samples=1, length=62, seed=0)


def test_a_word_is_the_mean_of_its_tokens() -> None:
    made = tiny.generator()
    rows, offsets = made.words(["taxes", "old music"])
    torch.testing.assert_close(rows[0], made.rows[tiny.ids(["taxes"])[0]])
    torch.testing.assert_close(rows[1], made.rows[tiny.ids(["old", "music"])].mean(0))
    assert offsets.tolist() == [0, 0]
    with pytest.raises(TrainingError, match="no token for ''"):
        made.words([""])


def short_of_memory(made: Generator, monkeypatch: pytest.MonkeyPatch, most: int) -> None:
    """Let the model run out of memory for more than ``most`` rows."""
    forward = made.model.base_model.forward

    def tight(*args: Any, **more: Any) -> Any:
        if len(more["input_ids"]) > most:
            raise torch.OutOfMemoryError("CUDA out of memory")
        return forward(*args, **more)

    monkeypatch.setattr(made.model.base_model, "forward", tight)


def test_where_memory_runs_out_batches_are_halved_and_no_text_changes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    texts = VanillaSampler(tiny.generator()).sample(PROMPTS, samples=4, length=8, seed=3)
    said: list[str] = []
    made = tiny.generator(said=said)
    short_of_memory(made, monkeypatch, 3)
    assert VanillaSampler(made).sample(PROMPTS, samples=4, length=8, seed=3) == texts
    assert [int(line.split()[-4]) for line in said] == [8, 4, 2]
    assert len(made.states(made.ids(PROMPTS, longest=9))) == len(PROMPTS)
    assert len(said) == 3, "the size that fits is kept"


def test_a_single_row_that_does_not_fit_gives_advice(monkeypatch: pytest.MonkeyPatch) -> None:
    made = tiny.generator()
    short_of_memory(made, monkeypatch, 0)
    with pytest.raises(TrainingError, match=r"A single text does not fit.*smaller generator"):
        VanillaSampler(made).sample(["the"], samples=2, length=2, seed=0)


def test_other_errors_are_not_treated_as_out_of_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    made = tiny.generator()
    monkeypatch.setattr(
        made.model.base_model, "forward", lambda **_: (_ for _ in ()).throw(RuntimeError("shape"))
    )
    with pytest.raises(RuntimeError, match="shape"):
        VanillaSampler(made).sample(["the"], samples=1, length=1, seed=0)


@KINDS
def test_a_folder_gives_the_texts_of_its_model(kind: str, tmp_path: Path) -> None:
    loaded = load_generator(tiny.save(tmp_path / kind, kind), device=tiny.CPU)
    assert loaded.name == kind
    texts = VanillaSampler(loaded).sample(PROMPTS, samples=1, length=6, seed=8)
    assert texts == VanillaSampler(tiny.generator(kind)).sample(PROMPTS, samples=1, length=6, seed=8)


def refused(folder: Path, match: str) -> None:
    with pytest.raises(TrainingError, match=match):
        load_generator(folder, device=tiny.CPU)


def test_a_folder_without_tokenizer_or_weights_is_refused(tmp_path: Path) -> None:
    refused(tmp_path, "no tokenizer in this folder")
    folder = tiny.save(tmp_path / "one")
    (folder / "model.safetensors").unlink()
    torch.save({}, folder / "pytorch_model.bin")
    refused(folder, "as safetensors")
    (folder / "model.safetensors").write_bytes(b"broken")
    refused(folder, "as safetensors")


def test_a_model_without_its_output_layer_is_refused(tmp_path: Path) -> None:
    folder = tiny.save(tmp_path / "one", "llama")
    tiny._model("llama").base_model.save_pretrained(folder)
    refused(folder, "output layer are missing")


def test_a_model_that_is_not_causal_is_refused(tmp_path: Path) -> None:
    size = {"hidden_size": 16, "num_hidden_layers": 1, "num_attention_heads": 2, "intermediate_size": 16}
    tiny.tokenizer().save_pretrained(tmp_path)
    BertLMHeadModel(BertConfig(vocab_size=50, initializer_range=0.5, **size)).save_pretrained(tmp_path)
    refused(tmp_path, "is not causal")


def test_a_model_that_changes_its_logits_after_the_output_layer_is_refused(tmp_path: Path) -> None:
    shape = Gemma2Config(
        vocab_size=50,
        hidden_size=16,
        intermediate_size=16,
        num_hidden_layers=1,
        num_attention_heads=2,
        num_key_value_heads=1,
        head_dim=8,
        final_logit_softcapping=0.05,
        initializer_range=0.5,
    )
    tiny.tokenizer().save_pretrained(tmp_path)
    Gemma2ForCausalLM(shape).save_pretrained(tmp_path)
    refused(tmp_path, "changes its logits")


def test_weights_that_are_not_finite_are_refused(tmp_path: Path) -> None:
    from safetensors.torch import load_file, save_file

    folder = tiny.save(tmp_path / "one")
    weights = load_file(folder / "model.safetensors")
    weights["transformer.ln_f.weight"][3] = torch.nan
    save_file(weights, folder / "model.safetensors", metadata={"format": "pt"})
    refused(folder, "not finite")
    assert json.loads((folder / "config.json").read_text())["model_type"] == "gpt2"
