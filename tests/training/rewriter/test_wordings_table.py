"""Protects the table of wordings: the ones given most come first, and what one sentence alone needed stays out."""

from __future__ import annotations

from training.rewriter.wordings_table import collect


def test_wordings_given_often_and_first_come_first() -> None:
    found = collect(
        [("Slammed", ("criticised", "rejected")), ("slammed", ("rejected",)), ("slammed", ("rejected",))]
    )
    assert found == {"slammed": ["rejected", "criticised"]}


def test_a_wording_that_is_rare_beside_taking_the_words_out_is_left_out() -> None:
    """*Racist* became *white nationalist* in one sentence, whose facts said so; in nine others it was taken out."""
    assert collect([("racist", ("",))] * 9 + [("racist", ("white nationalist",))]) == {}
    assert collect([("racist", ("",)), ("racist", ("white nationalist",))]) == {
        "racist": ["white nationalist"]
    }


def test_marks_long_wordings_and_the_words_themselves_are_left_out() -> None:
    worded = [("sham", ("sham",)), ("sham", ("a vote that some call unfair",)), ("(sham)", ("vote",))]
    assert collect(worded) == {}
