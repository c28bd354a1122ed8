"""Every trained generator: word by word equals all at once, chances sum to one, it learns, stops and resumes."""

from __future__ import annotations

import io
from functools import partial
from pathlib import Path

import pytest
import torch

from training.corpora.wikipedia import SentencePair
from training.loop import checkpoints, training_loop
from training.loop.events import Events
from training.papers.wikibias import generators
from training.papers.wikibias.generators.base import Settings, scaled
from training.papers.wikibias.generators.modular import Modular
from training.papers.wikibias.generators.neural import NeuralGenerator
from training.papers.wikibias.generators.recurrent import CopyNet, LstmSeq2Seq
from training.papers.wikibias.generators.seq2seq import Seq2Seq, merge_copies, target_log_probabilities
from training.papers.wikibias.generators.transformer import Transformer
from training.papers.wikibias.generators.vocabulary import PAD, Vocabulary, collate, rows_of

PAIRS = [
    SentencePair(
        f"The shameful senator {verb} the {thing} in {1900 + n}.",
        f"The senator {verb} the {thing} in {1900 + n}.",
        str(n),
    )
    for n in range(24)
    for verb, thing in [(("visited", "opened", "sold")[n % 3], ("museum", "harbour")[n % 2])]
]
MODELS: dict[str, type[Seq2Seq]] = {
    "lstm": LstmSeq2Seq,
    "copynet": CopyNet,
    "transformer": Transformer,
    "modular": Modular,
}
EVENTS = Events("t", io.StringIO())


@pytest.fixture
def settings(tiny_base: Path) -> Settings:
    return scaled("smoke", detector_base=str(tiny_base), vocabulary=14)


def built(name: str, settings: Settings) -> tuple[Seq2Seq, Vocabulary]:
    torch.manual_seed(1)
    rows = rows_of(PAIRS)
    vocabulary = Vocabulary.build((row.source for row in rows), size=settings.vocabulary)
    return MODELS[name](len(vocabulary), settings).eval(), vocabulary


def fitted(name: str, settings: Settings, folder: Path) -> generators.Generator:
    generator = generators.make_generator(name)
    generator.fit(PAIRS[:20], dev=PAIRS[20:], settings=settings, folder=folder, events=EVENTS)
    return generator


@pytest.mark.parametrize("name", generators.TRAINED)
def test_word_by_word_equals_all_at_once(name: str, settings: Settings) -> None:
    model, vocabulary = built(name, settings)
    batch = collate(rows_of(PAIRS[:5]), vocabulary, device="cpu")
    assert batch.oov_words > 0
    memory = model.encode_source(batch)
    whole = model.teacher_forced(memory, batch.decoder_input)
    state = model.initial_state(memory)
    for at, last in enumerate(batch.decoder_input.unbind(1)):
        scores, state = model.step(memory, state, last)
        torch.testing.assert_close(scores.words[:, 0], whole.words[:, at], atol=1e-4, rtol=1e-4)
        torch.testing.assert_close(scores.attention[:, 0], whole.attention[:, at], atol=1e-4, rtol=1e-4)
        if whole.places is not None and scores.places is not None:
            torch.testing.assert_close(scores.places[:, 0], whole.places[:, at], atol=1e-3, rtol=1e-4)
    assert (whole.places is None) == (name in ("lstm", "transformer"))


@pytest.mark.parametrize("name", generators.TRAINED)
def test_what_may_come_next_sums_to_one_and_agrees_with_the_likelihood(name: str, settings: Settings) -> None:
    model, vocabulary = built(name, settings)
    batch = collate(rows_of(PAIRS[:5]), vocabulary, device="cpu")
    memory = model.encode_source(batch)
    scores, _ = model.step(memory, model.initial_state(memory), batch.decoder_input[:, 0])
    chances = merge_copies(scores, batch.extended, oov_words=batch.oov_words)
    torch.testing.assert_close(chances.exp().sum(-1), torch.ones(5), atol=1e-4, rtol=1e-4)
    first = batch.target[:, :1]
    found = target_log_probabilities(scores, first, batch.extended, model.known(first)).squeeze(1)
    torch.testing.assert_close(found, chances.gather(1, first).squeeze(1), atol=1e-4, rtol=1e-4)


@pytest.mark.parametrize("name", generators.TRAINED)
def test_padding_changes_no_score(name: str, settings: Settings) -> None:
    model, vocabulary = built(name, settings)
    short, long = PAIRS[0], SentencePair(f"{PAIRS[1].source} {PAIRS[2].source}", PAIRS[1].target, "x")
    alone = collate(rows_of([short]), vocabulary, device="cpu")
    beside = collate(rows_of([short, long]), vocabulary, device="cpu")
    assert bool((beside.source[0] == PAD).any())
    one = model.teacher_forced(model.encode_source(alone), alone.decoder_input).words[0]
    other = model.teacher_forced(model.encode_source(beside), beside.decoder_input).words[0, : one.shape[0]]
    torch.testing.assert_close(one, other, atol=1e-4, rtol=1e-4)


@pytest.mark.parametrize("name", generators.TRAINED)
def test_a_fitted_generator_is_loaded_and_says_the_same(
    name: str, settings: Settings, tmp_path: Path
) -> None:
    first = fitted(name, settings, tmp_path)
    sources = [pair.source for pair in PAIRS[:5]] + ["", "   "]
    said = first.generate(sources)
    assert len(said) == len(sources)
    assert said[5:] == ["", "   "]
    assert (tmp_path / f"{name}.safetensors").is_file()
    assert fitted(name, settings, tmp_path).generate(sources) == said


def test_copynet_learns_to_leave_out_the_word_that_editors_left_out(tiny_base: Path, tmp_path: Path) -> None:
    settings = Settings(
        steps=220,
        batch_size=8,
        learning_rate=1e-2,
        embedding=24,
        hidden=32,
        vocabulary=14,
        eval_every=55,
        beam=2,
    )
    said = fitted("copynet", settings, tmp_path).generate([pair.source for pair in PAIRS])
    right = sum(one == pair.target for one, pair in zip(said, PAIRS, strict=True))
    assert right >= 18, said


def test_a_stopped_fit_goes_on_to_the_same_weights(
    settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = fitted("copynet", settings, tmp_path / "whole")
    taken = 0
    real = checkpoints.save
    everything = partial(training_loop.TrainingSettings, checkpoint_every_s=0.0)
    monkeypatch.setattr(training_loop, "TrainingSettings", everything)

    def stop(*arguments: object) -> None:
        nonlocal taken
        real(*arguments)  # type: ignore[arg-type]
        taken += 1
        if taken == 3:
            raise KeyboardInterrupt

    monkeypatch.setattr(checkpoints, "save", stop)
    with pytest.raises(KeyboardInterrupt):
        fitted("copynet", settings, tmp_path / "stopped")
    monkeypatch.setattr(checkpoints, "save", real)
    again = fitted("copynet", settings, tmp_path / "stopped")
    assert isinstance(whole, NeuralGenerator)
    assert isinstance(again, NeuralGenerator)
    pairs = zip(whole.model.state_dict().items(), again.model.state_dict().values(), strict=True)
    assert all(torch.equal(one, other) for (_, one), other in pairs)


def test_generating_before_fitting_says_what_to_do() -> None:
    with pytest.raises(ValueError, match="call fit first"):
        generators.make_generator("lstm").generate(["a"])


def test_the_detector_learns_which_words_go(settings: Settings) -> None:
    model, vocabulary = built("modular", settings)
    assert isinstance(model, Modular)
    model.freeze_detector(False)
    batch = collate(rows_of(PAIRS), vocabulary, device="cpu")
    optimiser = torch.optim.Adam([one for one in model.detector.parameters() if one.requires_grad], lr=1e-2)
    for _ in range(40):
        optimiser.zero_grad()
        model.detection_loss(batch).backward()
        optimiser.step()
    odds = model.detector([row.source for row in batch.rows], width=batch.source.shape[1])
    assert all(
        row.source[at] == "shameful" for row, at in zip(batch.rows, odds.argmax(1).tolist(), strict=True)
    )


def test_a_held_detector_answers_as_it_did_and_does_not_learn(settings: Settings) -> None:
    model, vocabulary = built("modular", settings)
    assert isinstance(model, Modular)
    model.join_embedding.data.fill_(0.5)
    batch = collate(rows_of(PAIRS[:4]), vocabulary, device="cpu")
    free = model.encode_source(batch)["states"]
    model.freeze_detector(True)
    torch.testing.assert_close(model.encode_source(batch)["states"], free)
    torch.testing.assert_close(model.encode_source(batch)["states"], free)
    model.loss(batch).backward()
    assert all(one.grad is None for one in model.detector.parameters())
    assert model.join_embedding.grad is not None


def test_words_that_the_source_lacks_weigh_more(settings: Settings) -> None:
    model, vocabulary = built("modular", settings)
    pair = SentencePair("The shameful senator opened the museum.", "The senator visited the museum.", "x")
    batch = collate(rows_of([pair]), vocabulary, device="cpu")
    weights = model.weights(batch)[0].tolist()
    assert weights == pytest.approx([1.0, 1.0, 1.3, 1.0, 1.0, 1.0, 1.0])
