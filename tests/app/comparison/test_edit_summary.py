"""Protects the comparison: both versions can be read back from it, whole, and an edit summary claims nothing more."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from app.comparison.compare_window import MAX_SUMMARY_LENGTH, edit_summary
from core.text.diff import DiffRow, Replacement, compare_texts

WORDS = ("the", "shameful", "👍🏽", "plan", "וְ", ",", ".", "\u00a0", "  ", "\n", "\n\n", "it's", "a")
TEXTS = st.lists(st.sampled_from(WORDS), max_size=40).map(" ".join)


def side(rows: tuple[DiffRow, ...], which: str) -> list[str]:
    return ["".join(stretch.text for stretch in getattr(row, which)) for row in rows]


@given(TEXTS, TEXTS)
def test_both_versions_can_be_read_back(before: str, after: str) -> None:
    found = compare_texts(before, after, context=1000)
    assert "".join(side(found.rows, "before")) == before.replace("\n", "")
    assert "".join(side(found.rows, "after")) == after.replace("\n", "")
    assert bool(found.changes) == (before != after)
    for row in found.rows:
        old, new = (
            "".join(stretch.text for stretch in side if not stretch.changed).split()
            for side in (row.before, row.after)
        )
        assert "".join(old) == "".join(new), "what is not marked is the same on both sides"


@given(TEXTS)
def test_equal_texts_have_no_changes(text: str) -> None:
    assert compare_texts(text, text).changes == ()


def test_only_the_changed_words_are_marked() -> None:
    found = compare_texts("One.\nThe infamous bank slammed it.\nEnd.", "One.\nThe bank criticized it.\nEnd.")
    assert found.changes == (Replacement("infamous", ""), Replacement("slammed", "criticized"))
    row = found.rows[1]
    assert [s.text for s in row.before if s.changed] == ["infamous", "slammed"]
    assert [s.text for s in row.after if s.changed] == ["criticized"]


def test_paragraphs_stay_beside_their_own() -> None:
    before = "The first shameful plan of all.\nThe second one is here."
    after = "Something new altogether was put before them.\nThe first plan of all.\nThe second one is here."
    rows = compare_texts(before, after).rows
    assert rows[0].before == ()
    assert side(rows, "before")[1] == "The first shameful plan of all."
    assert side(rows, "after")[1] == "The first plan of all."


def test_spacing_alone_is_a_change() -> None:
    assert compare_texts("a  b", "a b").changes == (Replacement("", ""),)


def test_long_equal_parts_are_skipped_and_counted() -> None:
    text = "\n".join(f"Paragraph {number}." for number in range(100))
    rows = compare_texts(text + "\nA shameful end.", text + "\nAn end.").rows
    assert [row.skipped for row in rows] == [98, 0, 0, 0]


def test_a_text_that_was_rewritten_whole_is_compared_in_time() -> None:
    """Word by word this would be 10^10 steps; it is told as one change instead."""
    found = compare_texts("old " * 100_000, "new " * 100_000)
    assert len(found.changes) == 1


def test_the_summary_names_what_was_changed() -> None:
    changes = [
        Replacement("infamous", ""),
        Replacement("slammed", "criticized"),
        Replacement("", "reportedly"),
    ]
    assert edit_summary(changes, more_neutral=True) == (
        "Neutral wording (NPOV): “infamous” removed; “slammed” → “criticized”; “reportedly” added; 3 changes"
    )
    assert edit_summary(changes[:1], more_neutral=True).endswith("“infamous” removed; 1 change")


def test_it_claims_neutral_wording_only_where_the_draft_reads_so() -> None:
    assert edit_summary([Replacement("fine", "shameful")], more_neutral=False).startswith("Wording: ")


def test_long_passages_are_counted_not_quoted_and_repeats_are_told_once() -> None:
    changes = [
        Replacement("very long " * 30, ""),
        Replacement("", "new " * 9),
        *[Replacement("slams", "says")] * 3,
        Replacement("", ""),
    ]
    told = edit_summary(changes, more_neutral=True)
    assert "60 words removed; 9 words added; “slams” → “says” (3×); spacing; 6 changes" in told


@given(st.lists(st.builds(Replacement, st.text(max_size=90), st.text(max_size=90)), min_size=1, max_size=60))
def test_the_summary_fits_and_counts_all(changes: list[Replacement]) -> None:
    told = edit_summary(changes, more_neutral=True)
    assert len(told) <= MAX_SUMMARY_LENGTH
    assert f"{len(changes)} change" in told
