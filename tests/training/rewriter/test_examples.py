"""What the rewriter is asked and should answer: the right words, marked where they stand, and nothing of dev."""

from __future__ import annotations

import random
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from core.rewriting.rewriter import ANSWER, DELETE, KEEP, TARGET_END, TARGET_START
from training.rewriter.examples import (
    RewriteExample,
    encode,
    examples_of_pair,
    find_replacements,
    keep_examples,
)
from training.rewriter.modeling import load_tokenizer

WORDS = st.lists(
    st.sampled_from("the a old shameful mayor spoke of law , and built it".split()), min_size=1, max_size=12
)


def test_a_deleted_word_is_to_be_taken_out() -> None:
    assert find_replacements("the infamous bank robber", "the bank robber") == [(4, 12, "")]


def test_a_changed_phrase_is_answered_with_the_editors_words() -> None:
    assert find_replacements("he admitted to using it", "he acknowledged using it") == [
        (3, 14, "acknowledged")
    ]


def test_an_article_that_agrees_with_its_noun_is_no_part_of_a_change() -> None:
    assert find_replacements("it was a horrible accident", "it was an accident") == [(9, 17, "")]


def test_insertions_and_rewritten_sentences_give_nothing() -> None:
    assert find_replacements("he spoke", "he allegedly spoke") == []
    assert find_replacements("one two three four", "five six seven eight") == []


def test_a_widened_ask_answers_with_the_neighbour_too() -> None:
    asks = list(
        examples_of_pair("she is a renowned chemist", "she is a chemist", random.Random(1), widened=1.0)
    )
    assert asks[0] == RewriteExample("she is a renowned chemist", 9, 17, "")
    wide = asks[1]
    assert (wide.text[wide.start : wide.end], wide.answer) in (
        ("a renowned", "a"),
        ("renowned chemist", "chemist"),
    )


def test_words_to_keep_touch_no_edited_ones() -> None:
    text = "shameful mayors build lovely houses"
    asks = list(keep_examples(text, random.Random(3), count=9, apart=[(0, 8), (22, 28)]))
    assert sorted(text[ask.start : ask.end] for ask in asks) == ["build", "houses", "mayors"]
    assert all(ask.answer is None for ask in asks)


@given(WORDS, WORDS)
def test_changes_lie_on_whole_words_in_order(old: list[str], new: list[str]) -> None:
    biased, neutral = " ".join(old), " ".join(new)
    at = 0
    for start, end, answer in find_replacements(biased, neutral):
        assert at <= start < end
        assert set(biased[start:end].split()) <= set(old)
        assert set(answer.split()) <= set(new)
        at = end


def test_rows_hold_the_sentence_the_prompt_and_the_answer_alone(tiny_base: Path) -> None:
    tokenizer = load_tokenizer(tiny_base)
    text = "In 1950 the shameful senator visited the museum."
    asks = [
        RewriteExample(text, 12, 20, ""),
        RewriteExample(text, 12, 20, None),
        RewriteExample(text, 12, 20, "union"),
    ]
    out, keep, words = (
        [[tokenizer.id_to_token(number) for number in part] for part in (row.ids, row.prompt, row.labels)]
        for row in encode(asks, tokenizer)
    )
    assert (out[0][0], out[0][-1]) == ("[CLS]", "[SEP]")
    assert "".join(out[0]).replace("##", "").count("shameful") == 1
    flagged = out[1][out[1].index(TARGET_START) + 1 : out[1].index(TARGET_END)]
    assert "".join(flagged).replace("##", "") == "shameful"
    assert out[1][-1] == ANSWER
    assert out[1][out[1].index(TARGET_START) - 1] == "the"
    assert out[2] == [DELETE, "[SEP]"]
    assert keep[2] == [KEEP, "[SEP]"]
    assert "".join(words[2][:-1]).replace("##", "") == "union"


def test_a_sentence_that_is_too_long_is_left_out(tiny_base: Path) -> None:
    tokenizer = load_tokenizer(tiny_base)
    assert encode([RewriteExample("law " * 200, 0, 3, "")], tokenizer) == []
