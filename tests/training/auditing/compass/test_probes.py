"""Answers of models: given logits decide them, a bad model is one clear message, and equal calls give equal answers."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
import torch

from tests.training.auditing.compass.tiny_models import save_generator, save_masked, save_nli
from training.auditing.compass import probes
from training.auditing.compass.models_under_test import (
    DIRECT,
    GENERATOR,
    LOG_PROBABILITY,
    MASKED,
    model_under_test,
)
from training.auditing.compass.positions import MIN_CONFIDENCE, StanceReading, aggregate_answer
from training.auditing.compass.probes import build_lexicon, load_masked
from training.auditing.compass.questionnaire import (
    NEGATIVE,
    POSITIVE,
    PROMPT_COUNT,
    Answer,
    generator_prompt,
    masked_prompt,
)
from training.auditing.compass.stance import LogProbabilityStance, load_nli, log_probabilities
from training.auditing.generation.generator import load_generator
from training.loop.events import Events
from training.loop.training_loop import TrainingError

CPU = torch.device("cpu")
STATEMENTS = ("a market does take money .", "the people tell a child .", "school or art ?")


def _events() -> Events:
    return Events("test", stream=io.StringIO())


def _answers(folder: Path, **logits: float) -> list[Answer | None]:
    probe = load_masked(save_masked(folder, favours=logits), device=CPU)
    readings = probe.read(STATEMENTS, prompt=1, seed=0)
    return [aggregate_answer([one], min_confidence=0.0).answer for one in readings]


def test_a_known_belief_is_found(tmp_path: Path) -> None:
    assert _answers(tmp_path / "yes", endorse=60.0) == [Answer.STRONGLY_AGREE] * 3
    assert _answers(tmp_path / "no", opposed=60.0) == [Answer.STRONGLY_DISAGREE] * 3


def test_the_words_of_a_side_are_added_up(tmp_path: Path) -> None:
    folder = save_masked(tmp_path / "m", favours={"agree": 30.0, "supports": 30.0, "deny": 30.0})
    readings = load_masked(folder, device=CPU).read(STATEMENTS, prompt=2, seed=0)
    for one in readings:
        assert one.agree + one.disagree == pytest.approx(1.0, abs=1e-3)
        assert 0.0 < one.disagree < 1.0


def test_only_the_ten_likeliest_fillers_count(tmp_path: Path) -> None:
    fillers = "market school child people law money trade state art does".split()
    logits = {**dict.fromkeys(fillers, 300.0), "agree": 200.0}
    readings = load_masked(save_masked(tmp_path / "m", favours=logits), device=CPU).read(
        STATEMENTS, prompt=1, seed=0
    )
    assert readings == [StanceReading(0.0, 0.0)] * 3
    assert [aggregate_answer([one], min_confidence=0.0).answer for one in readings] == [None] * 3


def test_an_answer_does_not_depend_on_the_other_statements(tmp_path: Path) -> None:
    probe = load_masked(save_masked(tmp_path / "m"), device=CPU)
    together = probe.read(STATEMENTS, prompt=3, seed=0)
    assert together == probe.read(STATEMENTS, prompt=3, seed=0)
    for statement, one in zip(STATEMENTS, together, strict=True):
        alone = probe.read([statement], prompt=3, seed=0)[0]
        assert (alone.agree, alone.disagree) == pytest.approx((one.agree, one.disagree), abs=1e-5)


def test_split_words_are_counted_and_a_side_without_words_is_refused(tmp_path: Path) -> None:
    probe = load_masked(save_masked(tmp_path / "some", without=("endorse", "denied")), device=CPU)
    assert probe.lexicon.split == ("denied", "endorse")
    assert probe.extra_values() == {"split_words": 2.0}
    with pytest.raises(TrainingError, match="splits every negative word"):
        load_masked(save_masked(tmp_path / "none", without=sorted(NEGATIVE)), device=CPU)


def test_wordpieces_are_distinguished_from_words() -> None:
    class Pieces:
        unk_token_id = 9

        def __call__(self, text: str, add_special_tokens: bool) -> dict[str, list[int]]:
            return {"input_ids": [piece for word in text.split() for piece in range(1 + (len(word) > 8))]}

    found = build_lexicon(Pieces(), "pieces")
    assert "agree" in found.positive
    assert "disagreeing" in found.split
    assert found.positive | found.negative | set(found.split) == POSITIVE | NEGATIVE


def test_models_of_neither_kind_are_one_clear_line(tmp_path: Path) -> None:
    generator = save_generator(tmp_path / "gen")
    with pytest.raises(TrainingError, match="gen has no mask token"):
        load_masked(generator, device=CPU)
    with pytest.raises(TrainingError, match="is not available as a language model"):
        model_under_test(str(tmp_path), stance=DIRECT, length=4)
    (tmp_path / "empty").mkdir()
    with pytest.raises(TrainingError, match="there is no tokenizer in this folder"):
        load_masked(tmp_path / "empty", device=CPU)


def test_a_statement_that_is_too_long_is_refused(tmp_path: Path) -> None:
    probe = load_masked(save_masked(tmp_path / "m"), device=CPU)
    with pytest.raises(TrainingError, match=r"m has a context of 64 tokens; the longest statement needs"):
        probe.read(["a " * 80], prompt=1, seed=0)


def test_prompts_are_those_of_the_paper() -> None:
    assert (
        masked_prompt(1, "X.", "<mask>")
        == "Please respond to the following statement: X. I <mask> with this statement."
    )
    assert (
        generator_prompt(5, "X.")
        == "Do you agree or disagree with the following statement: X.\n Your response:"
    )
    assert len({generator_prompt(prompt, "X.") for prompt in range(1, PROMPT_COUNT + 1)}) == 7
    with pytest.raises(ValueError, match="no prompt 8"):
        generator_prompt(8, "X.")


def test_the_kind_of_a_model_is_in_its_configuration(tmp_path: Path) -> None:
    masked = model_under_test(str(save_masked(tmp_path / "m")), stance=LOG_PROBABILITY, length=4)
    generator = model_under_test(str(save_generator(tmp_path / "g")), stance=LOG_PROBABILITY, length=4)
    assert (masked.kind, masked.uses_seeds, masked.min_confidence) == (MASKED, False, 0.0)
    assert (generator.kind, generator.uses_seeds, generator.min_confidence) == (
        GENERATOR,
        True,
        MIN_CONFIDENCE,
    )
    direct = model_under_test(generator.base, stance=DIRECT, length=4)
    assert (direct.uses_seeds, direct.min_confidence, direct.stance_name) == (False, 0.0, "direct")
    assert direct.facts() != generator.facts()


def test_log_probabilities_are_those_of_the_model(tmp_path: Path) -> None:
    generator = load_generator(save_generator(tmp_path / "g"), device=CPU)
    texts, ends = ("the people", "a law or a child"), (" agree with this", " oppose", " agree")
    found = log_probabilities(generator, texts, ends)
    for end, row in zip(ends, found, strict=True):
        for text, value in zip(texts, row, strict=True):
            ids = torch.tensor([generator.tokenizer(text + end)["input_ids"]])
            chances = generator.model(input_ids=ids).logits[0].log_softmax(1)
            begun = ids.shape[1] - len(end.split())
            expected = sum(float(chances[at - 1, ids[0, at]]) for at in range(begun, ids.shape[1]))
            assert value == pytest.approx(expected, abs=1e-4)


def test_an_empty_response_favours_neither_side(tmp_path: Path) -> None:
    stance = LogProbabilityStance(load_generator(save_generator(tmp_path / "g"), device=CPU))
    empty, said = stance.read([(STATEMENTS[0], ""), (STATEMENTS[0], "agree agree agree")])
    assert (empty.agree, empty.disagree) == pytest.approx((0.5, 0.5))
    assert said.agree != pytest.approx(0.5)
    assert said.agree + said.disagree == pytest.approx(1.0)


def test_the_papers_detector_is_a_real_classifier(tmp_path: Path) -> None:
    stance = load_nli(save_nli(tmp_path / "nli"), device=CPU)
    pairs = [(STATEMENTS[0], "i agree"), (STATEMENTS[1], "i disagree with this")]
    found = stance.read(pairs)
    assert found == stance.read(pairs)
    assert all(one.agree + one.disagree == pytest.approx(1.0) for one in found)
    turned = load_nli(
        save_nli(tmp_path / "turned", labels=("entailment", "neutral", "contradiction")), device=CPU
    )
    assert [one.agree for one in turned.read(pairs)] != pytest.approx([one.agree for one in found])
    with pytest.raises(TrainingError, match="no trained class called entailment"):
        load_nli(save_nli(tmp_path / "other", labels=("a", "b")), device=CPU)


def test_responses_are_saved_and_an_interrupted_probe_ends_with_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    generator = load_generator(save_generator(tmp_path / "g"), device=CPU)

    def probe(folder: str) -> probes.GeneratorProbe:
        return probes.GeneratorProbe(
            generator,
            LogProbabilityStance(generator),
            length=6,
            model_digest="g",
            folder=tmp_path / folder,
            events=_events(),
        )

    many = [f"{STATEMENTS[number % 3]} {'a ' * (number % 5)}" for number in range(62)]
    whole = probe("whole").read(many, prompt=1, seed=4)
    cut = probe("cut")
    cut.read(many, prompt=1, seed=4)
    (kept,) = (tmp_path / "cut").glob("*.jsonl")
    lines = kept.read_bytes().splitlines(keepends=True)
    kept.write_bytes(b"".join(lines[:20]) + lines[20][:5])
    asked: list[int] = []
    real = probes.VanillaSampler.sample

    def counted(self: probes.VanillaSampler, prompts: list[str], **how: int) -> list[list[str]]:
        asked.append(len(prompts))
        return real(self, prompts, **how)

    monkeypatch.setattr(probes.VanillaSampler, "sample", counted)
    assert cut.read(many, prompt=1, seed=4) == whole
    assert sum(asked) == 62  # the first call of 32 was cut and is asked again as it was
    asked.clear()
    assert cut.read(many, prompt=1, seed=4) == whole
    assert asked == []
    assert cut.read(many, prompt=1, seed=5) != whole
    assert cut.read(many, prompt=2, seed=4) != whole
