"""The heuristic marks in a revision what its editors took out or changed, whole, and nothing that is not about bias."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tests.training.tagged_revisions import tag_revision
from training.text.parsing import ParseTree
from training.text.phrases import similarity
from training.text.revision_spans import (
    ChangeKind,
    RevisionState,
    char_edits,
    diff_revision,
    find_changes,
)
from training.types import BEGIN, INSIDE, OUTSIDE

SENTENCES = st.lists(
    st.sampled_from("the of a in famous , ( ) be cruel king was 's 12 Die".split()), max_size=14
)


def spans(before: str, after: str, trees: tuple[ParseTree, ParseTree] | None = None) -> list[tuple[str, str]]:
    old, new = before.split(), after.split()
    return [
        (" ".join(old[change.start : change.end]), " ".join(new[change.after_start : change.after_end]))
        for change in diff_revision(old, new, trees=trees).spans
    ]


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        (
            "the irish economy has benefited from a wave of inward investment in the private sector since 1990",
            "the irish economy saw a wave of investment in the private corporations since 1990",
            [("has benefited from", "saw"), ("inward", ""), ("sector", "corporations")],
        ),
        (
            "there is considerable support for nuclear power in order to meet kyoto emissions targets",
            "there is some support for nuclear power which could help meet kyoto emissions targets",
            [("considerable", "some"), ("in order to", "which could help")],
        ),
        (
            "it should be noted that the act does not make building power plants illegal",
            "the act does not make building power plants illegal",
            [("it should be noted that", "")],
        ),
        (
            "he died a horrible death in that old house",
            "he died a death in that old house",
            [("horrible", "")],
        ),
        ("it was a horrible accident on the road", "it was an accident on the road", [("horrible", "")]),
        (
            "one of the best of the directors , he moved",
            "one of the directors , he moved",
            [("of the best", "")],
        ),
        (
            "she is a ( sadly ) forgotten singer of the town",
            "she is a forgotten singer of the town",
            [("sadly", "")],
        ),
        (
            "he ( one of the great ( old ) men ) left the town then",
            "he left the town then",
            [("one of the great ( old ) men", "")],
        ),
        (
            "the firm was demoted to the lower status of school in 1990 there",
            "the firm was changed to school in 1990 there",
            [("demoted to the lower status of", "changed to")],
        ),
        (
            "the king of the sea came home",
            "the monarch of the ocean came home",
            [("king", "monarch"), ("sea", "ocean")],
        ),
        ("The Famous king came home", "the king came home", [("Famous", "")]),
    ],
)
def test_phrases_are_found_whole(before: str, after: str, expected: list[tuple[str, str]]) -> None:
    assert spans(before, after) == expected


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("this behavior was seen there often", "this behaviour was seen there often"),
        ("a well known singer of the town", "a well-known singer of the town"),
        ("it rained , then it stopped again", "it rained then it stopped again"),
        ("the cat sat on this mat", "a cat sat on this mat"),
        ("they can't divide his works at all", "they cannot divide his works at all"),
        ("he did n't go to the town", "he did not go to the town"),
        ("the 20th century began in the town", "the twentieth century began in the town"),
        ("about 10,000 people came to the town", "about 10000 people came to the town"),
        ("he sold five books in the town", "he sold 5 books in the town"),
        ("it opened on 3 may in the town", "it opened on 14 june in the town"),
        ("he claims that the town is old", "he claimed that the town is old"),
        ("he writes books in the old town", "he wrote books in the old town"),
        ("the men which came to the town", "the men who came to the town"),
        ("he spoke on the day in town", "he spoke at the day in town"),
        ("he spoke there [ citation needed ] at noon", "he spoke there at noon"),
        ("officials according to the firm said so twice", "according to the firm officials said so twice"),
        ("he resigned from that old post", "he has resigned from that old post"),
    ],
)
def test_what_is_not_about_bias_is_no_span(before: str, after: str) -> None:
    old, new = before.split(), after.split()
    assert diff_revision(old, new).state is RevisionState.NEUTRAL
    source, target = tag_revision(old, new)
    assert not source.biased
    assert set(source.tags) == {OUTSIDE}
    assert not target.biased


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("he clearly won the old cup there", "he clear won the old cup there"),
        ("that is a successful film of his", "that is a success film of his"),
        ("he is will to go to town", "he may is will to go to town of will"),
        ("all critics praised this long film", "some critics praised this long film"),
        ("he says that the town is old", "she says that the town is old"),
        ("it will open in the town", "it may open in the town"),
    ],
)
def test_small_words_that_matter_stay(before: str, after: str) -> None:
    assert diff_revision(before.split(), after.split()).state is not RevisionState.SAME
    if "may is" not in after:
        assert spans(before, after)


def test_nothing_changed_and_everything_changed_are_told() -> None:
    assert diff_revision(["The", "king"], ["the", "King"]).state is RevisionState.SAME
    rewritten = diff_revision("one big town by night".split(), "two small lakes at noon".split())
    assert rewritten.state is RevisionState.REWRITTEN
    assert rewritten.spans == ()
    assert rewritten.changes
    assert diff_revision([], []).state is RevisionState.SAME
    assert diff_revision([], ["king"]).state is RevisionState.NEUTRAL


def test_a_pair_becomes_two_sentences_of_one_group() -> None:
    source, target = tag_revision("a truly great king died".split(), "a king died".split(), group="7")
    assert source.tags == (OUTSIDE, BEGIN, INSIDE, OUTSIDE, OUTSIDE)
    assert (source.biased, source.original, target.biased, target.original) == (True, True, False, False)
    assert source.group == target.group == "7"
    assert target.tokens == ("a", "king", "died")


def test_only_additions_leave_both_sides_neutral() -> None:
    before, after = "the king fled the town".split(), "it is said that the king fled the town".split()
    assert [change.kind for change in find_changes(before, after)] == [ChangeKind.ADDITION]
    assert not tag_revision(before, after)[0].biased


def test_changes_at_one_place_need_the_same_type_of_sub_tree() -> None:
    before, after = "kings ruled sadly and died".split(), "kings parliament and left".split()
    heads = (1, 1, 1, 1, 1), (0, 0, 0, 0)
    nouns = ParseTree(heads[1], ("NOUN", "NOUN", "CCONJ", "VERB"))
    verbs = ParseTree(heads[0], ("NOUN", "VERB", "ADV", "CCONJ", "VERB"))
    plain = [change.kind for change in find_changes(before, after)]
    parsed = [change.kind for change in find_changes(before, after, trees=(verbs, nouns))]
    assert plain == [ChangeKind.SUBSTITUTION, ChangeKind.SUBSTITUTION]
    assert sorted(parsed) == [ChangeKind.ADDITION, ChangeKind.DELETION, ChangeKind.SUBSTITUTION]


def test_a_broken_phrase_is_joined_only_where_it_hangs_together() -> None:
    before, after = "it was by far the single best book".split(), "it was one of the best book".split()
    old = ParseTree((1, 1, 6, 2, 6, 6, 6, 1), ("PRON", "AUX", "ADP", "ADV", "DET", "ADJ", "ADJ", "NOUN"))
    new = ParseTree((1, 1, 1, 2, 6, 6, 3), ("PRON", "AUX", "NUM", "ADP", "DET", "ADJ", "NOUN"))
    assert spans(" ".join(before), " ".join(after)) == [("by far the single", "one of the")]
    assert spans(" ".join(before), " ".join(after), (old, new)) == [("by far", ""), ("single", "")]


def test_the_threshold_decides_what_is_a_substitution_at_a_distance() -> None:
    before = "the officials of penndot said that some roads".split()
    after = "the penndot said that all officials there some roads".split()
    low = {change.kind for change in find_changes(before, after, threshold=0.3)}
    high = {change.kind for change in find_changes(before, after, threshold=1.1)}
    assert ChangeKind.SUBSTITUTION in low
    assert high == {ChangeKind.DELETION, ChangeKind.ADDITION}


def test_likeness_is_of_letters_and_words() -> None:
    assert similarity(["the", "rebels"], ["rebels"]) == 1.0
    assert similarity(["labelled"], ["labeled"]) == 1.0
    assert similarity(["of", "the"], ["and"]) == 0.0
    assert 0 < similarity(["democrats"], ["democratic", "party"]) < 1


@given(SENTENCES, SENTENCES)
@example(["(", "famous"], [")"])
@example(["the", "a", "king"], ["the", "king"])
@settings(max_examples=150)
def test_spans_are_sorted_disjoint_and_in_range(before: list[str], after: list[str]) -> None:
    for old, new in ((before, after), (after, before)):
        revision = diff_revision(old, new)
        for change in revision.changes:
            assert 0 <= change.start <= change.end <= len(old)
            assert 0 <= change.after_start <= change.after_end <= len(new)
        assert all(one.end <= two.start for one, two in pairwise(revision.spans))
        assert all(change.start < change.end for change in revision.spans)
        source, target = tag_revision(old, new)
        assert (source.tokens, target.tokens) == (tuple(old), tuple(new))
        assert len(source.tags) == len(old)
        assert source.biased == (BEGIN in source.tags)


@given(SENTENCES)
def test_equal_sentences_have_no_changes(tokens: list[str]) -> None:
    assert find_changes(tokens, tokens) == ()


@given(st.text(alphabet="ab é’.😀-(", max_size=50), st.text(alphabet="ab é’.😀-(", max_size=50))
@settings(max_examples=100)
def test_an_edit_of_raw_text_slices_its_own_words(before: str, after: str) -> None:
    found = char_edits(before, after)
    assert all(before[edit.start : edit.end] == edit.before for edit in found)
    assert all(one.end <= two.start for one, two in pairwise(found))


def test_offsets_are_code_points_and_articles_stay_outside() -> None:
    before = "😀 The lawyer, a legendary figure, led Café Noir well."
    (edit,) = char_edits(before, "😀 The lawyer led Café Noir well.")
    assert edit.before == "legendary figure"
    assert before[edit.start : edit.end] == edit.before
    assert edit.after == ""
