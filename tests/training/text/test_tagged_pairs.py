"""Pairs become tagged sentences: what an edit touched is tagged, whole words, on the source side alone."""

from __future__ import annotations

import pytest
import spacy

from core.types import Kind
from tests.training.tagged_revisions import tag_revision
from training.text.parsing import ParseTree, parse_trees
from training.text.tagged_pairs import tag_injected
from training.types import BEGIN, INSIDE, OUTSIDE, CorpusError, InjectedEdit, InjectedPair


def test_a_revision_tags_its_source_and_its_target_is_neutral() -> None:
    source, target = tag_revision("the truly cruel king died".split(), "the king died".split(), group="7")
    assert source.tags == (OUTSIDE, BEGIN, INSIDE, OUTSIDE, OUTSIDE)
    assert (source.biased, source.original, source.group) == (True, True, "7")
    assert source.kinds
    assert (target.biased, target.original, target.group) == (False, False, "7")
    assert target.kinds == frozenset()
    assert set(target.tags) == {OUTSIDE}


def test_an_injected_edit_inside_a_word_tags_the_word() -> None:
    edits = (
        InjectedEdit(4, 15, "truly great", "", Kind.FRAMING, "x"),
        InjectedEdit(26, 28, "wo", "", Kind.DEMOGRAPHIC, "x"),
    )
    row = InjectedPair("The chair-met men.", "The truly great chair-met women.", edits, "g", "train", "y")
    source, target = tag_injected(row)
    assert source.tokens == ("the", "truly", "great", "chair", "-", "met", "women", ".")
    assert source.tags == (OUTSIDE, BEGIN, INSIDE, OUTSIDE, OUTSIDE, OUTSIDE, BEGIN, OUTSIDE)
    assert source.kinds == {Kind.FRAMING, Kind.DEMOGRAPHIC}
    assert target.tokens == ("the", "chair", "-", "met", "men", ".")


def test_trees_keep_the_tokens_and_want_a_parser() -> None:
    nlp = spacy.blank("en")
    with pytest.raises(CorpusError, match="no parser"):
        list(parse_trees([["a", "king"]], nlp))


def test_a_range_is_whole_where_one_word_hangs_outside() -> None:
    # he was by far the best king
    tree = ParseTree((1, 1, 5, 2, 6, 6, 1), ("PRON", "AUX", "ADP", "ADV", "DET", "ADJ", "NOUN"))
    assert tree.whole(2, 4)
    assert not tree.whole(2, 5)
    assert tree.whole(2, 7)
    assert (tree.type_of(2, 4), tree.type_of(4, 7), tree.type_of(0, 2)) == ("relational", "nominal", "verbal")
