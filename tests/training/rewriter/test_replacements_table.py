"""Protects the table of replacements: the ones given most come first, and what one sentence alone needed stays out."""

from __future__ import annotations

import pytest

from training.rewriter.replacements_table import collect, read_expressions


def test_replacements_given_often_and_first_come_first() -> None:
    found = collect(
        [("Slammed", ("criticised", "rejected")), ("slammed", ("rejected",)), ("slammed", ("rejected",))]
    )
    assert found == {"slammed": pytest.approx({"rejected": 8 / 12, "criticised": 3 / 12})}
    assert next(iter(found["slammed"])) == "rejected"


def test_a_replacement_that_is_rare_beside_taking_the_words_out_is_left_out() -> None:
    """*Racist* became *white nationalist* in one sentence, whose facts said so; in nine others it was taken out."""
    assert set(collect([("racist", ("",))] * 9 + [("racist", ("white nationalist",))])["racist"]) == {""}
    assert set(collect([("racist", ("",)), ("racist", ("white nationalist",))])["racist"]) == {
        "",
        "white nationalist",
    }


def test_every_listed_replacement_counts_and_capitals_of_a_headline_go() -> None:
    found = collect([("SLAMS", ("CRITICIZES", "rejects", "hits", "attacks"))] * 2)
    assert found == {
        "slams": pytest.approx({"criticizes": 6 / 9, "rejects": 4 / 9, "hits": 2 / 9, "attacks": 2 / 9})
    }


def test_a_finding_without_replacements_says_nothing() -> None:
    assert collect([("sham", ()), ("sham", ("",))]) == {"sham": {"": 0.5}}


def test_marks_long_replacements_and_the_words_themselves_are_left_out() -> None:
    worded = [("sham", ("sham",)), ("sham", ("a vote that some call unfair",)), ("(sham)", ("vote",))]
    assert collect(worded) == {}


def test_the_loaded_words_are_plain_and_none_stands_twice() -> None:
    rows = read_expressions()
    words = [word for word, _ in rows]
    assert len(set(words)) == len(words)
    assert sorted(words) == words
    for word, replacements in rows:
        assert word == word.lower().strip()
        assert 1 <= len(replacements) <= 6
        assert len(set(replacements)) == len(replacements)
        assert word not in replacements
    assert set(collect(rows)) == set(words), "each has a replacement that the table takes"
