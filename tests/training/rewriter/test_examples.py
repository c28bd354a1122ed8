"""What the rewriter is asked and should answer: the right words, marked where they stand, and nothing of dev."""

from __future__ import annotations

import random
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

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
from training.rewriter.corrupted_text import masked_sentences
from training.rewriter.examples import (
    MASK,
    MarkedSentence,
    Question,
    encode,
    find_replacements,
    marked_pair,
    widen,
    words_to_keep,
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


def test_a_widened_question_is_answered_with_the_neighbour_too() -> None:
    text = "she is a renowned chemist"
    wide = {widen(text, Question(9, 17, ""), random.Random(seed)) for seed in range(8)}
    assert {(text[one.start : one.end], one.answer) for one in wide} == {
        ("a renowned", "a"),
        ("renowned chemist", "chemist"),
    }


def test_words_to_keep_touch_no_edited_ones() -> None:
    text = "shameful mayors build lovely houses"
    kept = list(words_to_keep(text, random.Random(3), count=9, apart=[(0, 8), (22, 28)]))
    assert sorted(text[one.start : one.end] for one in kept) == ["build", "houses", "mayors"]
    assert all(one.answer is None and one.fits is None for one in kept)


def test_a_pair_asks_for_its_edits_and_says_that_the_new_words_fit() -> None:
    biased, neutral = (
        "the mayor slammed a plan of the infamous old party",
        "the mayor criticised a plan of the old party",
    )
    before, after = marked_pair(biased, neutral, random.Random(1), widened=0.0, kept=1)
    asked = {(biased[one.start : one.end], one.answer) for one in before.questions if one.answer is not None}
    assert asked == {("slammed", "criticised"), ("infamous", "")}
    fitting = [(neutral[one.start : one.end], one.start) for one in after.questions if one.fits]
    assert ("criticised", 10) in fitting
    assert any(not words and neutral[at - 3 : at] == "the" for words, at in fitting)
    assert list(marked_pair(neutral, neutral, random.Random(1))) == []


@given(WORDS, WORDS)
def test_changes_lie_on_whole_words_in_order(old: list[str], new: list[str]) -> None:
    biased, neutral = " ".join(old), " ".join(new)
    at = 0
    for start, end, answer in find_replacements(biased, neutral):
        assert at <= start < end
        assert set(biased[start:end].split()) <= set(old)
        assert set(answer.split()) <= set(new)
        at = end


def test_rows_hold_the_sentence_and_a_prompt_and_an_answer_for_each_question(tiny_base: Path) -> None:
    tokenizer = load_tokenizer(tiny_base)
    text = "In 1950 the shameful senator visited the museum."
    questions = (
        Question(12, 20, ""),
        Question(12, 20, None),
        Question(12, 20, "union"),
        Question(12, 20, None, fits=True),
        Question(21, 21, None, fits=False),
        Question(12, 20, "union", taken=True),
        Question(12, 20, "", taken=False),
    )
    (row,) = encode([MarkedSentence(text, questions)], tokenizer)
    pieces = [tokenizer.id_to_token(number) for number in row.ids]
    assert (pieces[0], pieces[-1]) == ("[CLS]", "[SEP]")
    assert "".join(pieces).replace("##", "").count("shameful") == 1
    named = [
        (
            [tokenizer.id_to_token(number) for number in prompt],
            [tokenizer.id_to_token(number) for number in answer],
        )
        for prompt, answer in row.questions
    ]
    (delete, deleted), (_, kept), (_, worded), (fit, fits), (gap, fits_not), *judged = named
    (liked, taken), (out, not_taken) = judged
    flagged = delete[delete.index(TARGET_START) + 1 : delete.index(TARGET_END)]
    assert "".join(flagged).replace("##", "") == "shameful"
    assert delete[delete.index(TARGET_START) - 1] == "the"
    assert (delete[-1], fit[-1], gap[-1]) == (ANSWER, FIT_QUESTION, FIT_QUESTION)
    assert gap[gap.index(TARGET_START) + 1] == TARGET_END
    assert (deleted, kept, fits, fits_not) == ([DELETE, "[SEP]"], [KEEP, "[SEP]"], [FITS], [FITS_NOT])
    assert "".join(worded[:-1]).replace("##", "") == "union"
    asked = len(delete)
    assert liked == [*delete, *worded[:-1], ACCEPTANCE_QUESTION]
    assert out == [*delete, DELETE, ACCEPTANCE_QUESTION]
    assert (liked[asked - 1], taken, not_taken) == (ANSWER, [TAKEN], [NOT_TAKEN])


def test_masked_words_are_hidden_from_sentence_and_prompt(tiny_base: Path) -> None:
    tokenizer = load_tokenizer(tiny_base)
    text = "In 1950 the shameful senator visited the museum."
    questions = (Question(8, 20, "the shameful"), Question(29, 36, "visited"))
    (row,) = encode([MarkedSentence(text, questions, masked=True)], tokenizer)
    pieces = [tokenizer.id_to_token(number) for number in row.ids]
    assert pieces.count(MASK) == 2
    assert "".join(pieces).count("visited") == "".join(pieces).replace("##", "").count("shameful") == 0
    for (prompt, answer), words in zip(row.questions, ("theshameful", "visited"), strict=True):
        shown = [tokenizer.id_to_token(number) for number in prompt]
        assert shown[shown.index(TARGET_START) + 1 : shown.index(TARGET_END)] == [MASK]
        assert "".join(tokenizer.id_to_token(number) for number in answer[:-1]).replace("##", "") == words


@given(st.data())
def test_masks_hide_what_they_ask_for_wherever_they_stand(data: st.DataObject) -> None:
    words = data.draw(st.lists(st.sampled_from(["ab", "cd", "ef", "gh"]), min_size=6, max_size=20))
    text = " ".join(words)
    for sentence in masked_sentences([text], random.Random(data.draw(st.integers(0, 99)))):
        at = -1
        for question in sentence.questions:
            assert question.start > at
            assert text[question.start : question.end] == question.answer
            at = question.end


def test_a_sentence_that_is_too_long_or_asks_nothing_is_left_out(tiny_base: Path) -> None:
    tokenizer = load_tokenizer(tiny_base)
    assert (
        encode([MarkedSentence("law " * 200, (Question(0, 3, ""),)), MarkedSentence("law", ())], tokenizer)
        == []
    )
