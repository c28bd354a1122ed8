"""Tokens become pieces: every token that has a piece before the cut is found again at its first one."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, processors, trainers
from transformers import AutoTokenizer, PreTrainedTokenizerFast

from tests.training.tiny_corpora import ADJECTIVES, NOUNS
from training.loop.training_loop import TrainingError
from training.papers.wikibias.models.sentence_model import MAX_WORDPIECES, NO_WORDPIECE, collate, encode
from training.types import TaggedSentence

STRANGE = (
    "日本",
    "naïve",
    "\u200b",
    "\u0301",
    "e\u0301",
    "don't",
    "1,000",
    "[UNK]",
    "[SEP]",
    "\x07",
    "…",
    "🙂",
    "x\u00a0y",
)
WORDS = st.sampled_from([*NOUNS, *ADJECTIVES, *STRANGE]) | st.text(min_size=1, max_size=4).filter(
    lambda text: text.split() == [text]
)


def plain(*tokens: str) -> TaggedSentence:
    return TaggedSentence(tokens, ("O",) * len(tokens), biased=False, original=True)


@pytest.fixture(scope="module")
def tokenizer(tiny_base: Path) -> PreTrainedTokenizerFast:
    return AutoTokenizer.from_pretrained(str(tiny_base))


@pytest.fixture(scope="module")
def bytewise() -> PreTrainedTokenizerFast:
    """A tokenizer as RoBERTa's: pieces of bytes that begin with the space before them."""
    made = Tokenizer(models.BPE())
    made.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    made.decoder = decoders.ByteLevel()
    made.post_processor = processors.RobertaProcessing(("</s>", 1), ("<s>", 0), add_prefix_space=False)
    trainer = trainers.BpeTrainer(
        vocab_size=400,
        special_tokens=["<s>", "</s>", "<pad>"],
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    made.train_from_iterator([" ".join((*NOUNS, *ADJECTIVES))] * 3, trainer)
    return PreTrainedTokenizerFast(
        tokenizer_object=made, cls_token="<s>", sep_token="</s>", pad_token="<pad>"
    )


@settings(max_examples=60, deadline=None)
@given(tokens=st.lists(WORDS, min_size=1, max_size=30), most=st.integers(4, 40))
def test_first_pieces_are_those_of_the_library(
    tokenizer: PreTrainedTokenizerFast, tokens: list[str], most: int
) -> None:
    row = encode([plain(*tokens)], tokenizer, most=most)[0]
    packed = tokenizer(tokens, is_split_into_words=True, truncation=True, max_length=most)
    owners = packed.word_ids()
    assert list(row.ids) == packed["input_ids"]
    assert len(row) <= most
    assert row.first_wordpieces == tuple(
        owners.index(at) if at in owners else NO_WORDPIECE for at in range(len(row.sentence.tokens))
    )


def test_unknown_characters_have_a_piece_and_dropped_ones_none(tokenizer: PreTrainedTokenizerFast) -> None:
    row = encode([plain("日本", "\u200b", "senator")], tokenizer)[0]
    assert row.first_wordpieces == (1, NO_WORDPIECE, 3)
    assert [row.ids[1], row.ids[2]] == [tokenizer.unk_token_id] * 2


def test_a_long_sentence_is_cut_at_128_and_keeps_its_end_mark(tokenizer: PreTrainedTokenizerFast) -> None:
    row = encode([plain(*["senator"] * 300)], tokenizer)[0]
    assert len(row) == MAX_WORDPIECES == 128
    assert row.ids[-1] == tokenizer.sep_token_id
    assert row.first_wordpieces == (*range(1, 127), *[NO_WORDPIECE] * 174)


def test_pieces_with_a_space_of_their_own_are_those_of_running_text(
    bytewise: PreTrainedTokenizerFast,
) -> None:
    tokens = ("the", "shameful", "treaty", "🙂", "railway")
    row = encode([plain(*tokens)], bytewise)[0]
    assert list(row.ids) == bytewise(" ".join(tokens))["input_ids"]
    ends = [*row.first_wordpieces[1:], len(row.ids) - 1]
    pieces = zip(row.first_wordpieces, ends, strict=True)
    assert tuple(bytewise.decode(row.ids[start:end]).strip() for start, end in pieces) == tokens


def test_rows_are_padded_to_the_longest(tokenizer: PreTrainedTokenizerFast) -> None:
    rows = encode([plain("senator"), plain("the", "senator", ".")], tokenizer)
    batch = collate(rows, pad=7, device=torch.device("cpu"))
    assert batch.ids.tolist() == [[*rows[0].ids, 7, 7], list(rows[1].ids)]
    assert batch.mask.tolist() == [[1, 1, 1, 0, 0], [1] * 5]
    assert batch.first_wordpieces.tolist() == [[1, NO_WORDPIECE, NO_WORDPIECE], [1, 2, 3]]


@pytest.mark.parametrize(
    ("tokens", "why"),
    [((), "no tokens"), (("the", ""), "without characters"), ((" ",), "without characters")],
)
def test_empty_sentences_and_tokens_are_refused(
    tokenizer: PreTrainedTokenizerFast, tokens: tuple[str, ...], why: str
) -> None:
    with pytest.raises(TrainingError, match=rf"Sentence 2 of 2 has .*{why}\. Take it out"):
        encode([plain("fine"), plain(*tokens)], tokenizer)
