"""Counterfactuals to learn from: labels do not hang on who is meant; nothing of the evaluation half is learnt."""

from __future__ import annotations

from core.stereotypes.templates import TemplateHalf, template_half
from core.types import Kind
from training.reader.counterfactuals import swapped_examples, template_examples
from training.types import Example, GoldSpan


def test_templates_teach_the_neutral_and_the_loaded_side_of_the_training_half() -> None:
    made = template_examples(seed=1)
    assert {template_half(example.group) for example in made} == {TemplateHalf.TRAINING}
    for example in made:
        words = [example.text[span.start : span.end] for span in example.spans or ()]
        assert example.bias == float(bool(words))
        assert len(words) == example.bias
    assert sum(example.bias or 0.0 for example in made) == len(made) / 2


def test_a_swapped_sentence_keeps_its_bias_and_its_spans() -> None:
    text = "He said Muslim voters were sheep."
    kept = Example(text, "babe", spans=(GoldSpan(27, 32, Kind.FRAMING),), bias=1.0)
    other = Example("The road was closed.", "babe", spans=(), bias=0.0)
    made = swapped_examples([kept, other], seed=1)
    assert {example.bias for example in made} == {1.0}
    assert len({example.text for example in made}) == 2
    for example in made:
        assert [example.text[span.start : span.end] for span in example.spans or ()] == ["sheep"]
    assert kept.text in {example.text for example in made}
    assert any("Muslim" not in example.text for example in made)
