"""Protects what a rewriter learns of neutral sentences: what is broken is called so, and what is whole is not."""

from __future__ import annotations

import random

from training.rewriter.corrupted_text import WordSwaps, corrupted_sentences

TEXTS = [
    "The council opened the new school near the river in the spring.",
    "She said that the committee had accepted the report of the minister.",
    "The company sold its old factory to the city after a long dispute.",
] * 20


def test_a_corrupted_sentence_says_where_it_is_broken_and_where_it_is_whole() -> None:
    chooser = random.Random(5)
    found = list(corrupted_sentences(TEXTS, WordSwaps(TEXTS, chooser), chooser))
    assert len(found) > 20
    for one in found:
        assert one.text not in TEXTS
        wrong = [question for question in one.questions if question.fits is False]
        assert len(wrong) == 1
        assert all(question.answer is None and question.fits is not None for question in one.questions)
        others = [question for question in one.questions if question.fits]
        assert all(
            question.end < wrong[0].start - 19 or question.start > wrong[0].end + 19 for question in others
        )


def test_a_word_is_taken_out_only_where_the_sentence_needs_it() -> None:
    chooser = random.Random(6)
    gaps = [
        one
        for one in corrupted_sentences(TEXTS * 5, WordSwaps(TEXTS, chooser), chooser)
        if one.questions[0].start == one.questions[0].end
    ]
    assert gaps
    lengths = {len(text.split()) - 1 for text in TEXTS}
    assert all(len(one.text.split()) in lengths for one in gaps)
    assert not any("new" not in one.text for one in gaps if "opened the school" in one.text)


def test_forms_are_of_another_class_than_the_word() -> None:
    swaps = WordSwaps(TEXTS, random.Random(1))
    found = {swaps.form("accepted") for _ in range(20)}
    assert None not in found
    assert found <= {"accept", "accepts", "accepting"}
    assert swaps.alike("qwertzuiop") is None
