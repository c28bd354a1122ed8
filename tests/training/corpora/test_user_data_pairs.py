"""Protects what is learnt from a person's own pairs: the words they changed, no scored sentence, and every line that
teaches nothing told by its number.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from core.engine.cues import Lexicon
from core.types import Kind
from training.corpora import user_data
from training.corpora.wikipedia import SentencePair
from training.text.edits import KindFinder
from training.text.near_duplicates import NearDuplicateIndex
from training.types import CorpusError, Example, GoldSpan

BEFORE = "The shameful senator approved the iconic treaty near river 7."
ONCE = BEFORE.replace("shameful ", "")
TWICE = ONCE.replace("iconic ", "")
NONE = NearDuplicateIndex([])


@pytest.fixture(scope="module")
def kinds() -> KindFinder:
    return KindFinder(Lexicon.load())


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "mine.tsv"


def write(path: Path, *pairs: tuple[str, str]) -> None:
    path.write_text("".join(f"{before}\t{after}\n" for before, after in pairs), encoding="utf-8")


def test_a_pair_is_a_biased_sentence_with_its_changed_words_and_a_clean_one(
    path: Path, kinds: KindFinder
) -> None:
    write(path, ("before", "after"), (BEFORE, ONCE), ("The chairman spoke well.", "The chair spoke well."))
    assert user_data.load_pairs_examples(path, NONE, kinds) == [
        Example(BEFORE, "pairs", (GoldSpan(4, 12, Kind.FRAMING),), 1.0, group="pairs-2"),
        Example(ONCE, "pairs", (), 0.0, group="pairs-2"),
        Example(
            "The chairman spoke well.", "pairs", (GoldSpan(4, 12, Kind.DEMOGRAPHIC),), 1.0, group="pairs-3"
        ),
        Example("The chair spoke well.", "pairs", (), 0.0, group="pairs-3"),
    ]


def test_a_sentence_that_was_changed_again_was_not_clean(path: Path, kinds: KindFinder) -> None:
    write(path, (BEFORE, ONCE), (ONCE, TWICE))
    first, second, end = user_data.load_pairs_examples(path, NONE, kinds)
    assert (first.text, first.bias, first.labelled_ranges) == (BEFORE, 1.0, ((4, 12),))
    assert (second.text, second.bias, second.labelled_ranges) == (ONCE, 1.0, None)
    assert (end.text, end.bias, end.spans) == (TWICE, 0.0, ())


def test_two_revisions_of_a_sentence_mark_the_words_of_both(path: Path, kinds: KindFinder) -> None:
    write(path, (BEFORE, ONCE), (BEFORE, BEFORE.replace("iconic ", "")), (BEFORE, ONCE))
    first, *clean = user_data.load_pairs_examples(path, NONE, kinds)
    assert first.spans is not None
    assert [BEFORE[span.start : span.end] for span in first.spans] == ["shameful", "iconic"]
    assert len(clean) == 2


def test_what_is_near_a_scored_sentence_is_left_out_and_told(path: Path, kinds: KindFinder) -> None:
    said: list[str] = []
    other = "The legendary harbour was closed by the council in May."
    write(path, (BEFORE, ONCE), (other, other.replace("legendary ", "")))
    found = user_data.load_pairs_examples(path, NearDuplicateIndex([ONCE]), kinds, said.append)
    assert [example.text for example in found] == [other, other.replace("legendary ", "")]
    assert said == [f"{path}: 1 of 2 pairs are near a scored sentence and left out."]
    assert user_data.load_pairs(path, NearDuplicateIndex([ONCE, other])) == []


def test_the_rewriter_gets_the_pairs_as_they_are(path: Path) -> None:
    write(path, (BEFORE, ONCE))
    assert user_data.load_pairs(path, NONE) == [SentencePair(BEFORE, ONCE, "pairs-1")]


def test_offsets_stay_right_beside_an_emoji(path: Path, kinds: KindFinder) -> None:
    write(path, ("🙂 The shameful senator closed the old school.", "🙂 The senator closed the old school."))
    first, _ = user_data.load_pairs_examples(path, NONE, kinds)
    assert first.spans is not None
    assert [first.text[span.start : span.end] for span in first.spans] == ["shameful"]


def test_lines_that_teach_nothing_are_told_by_number_and_the_rest_is_read(
    path: Path, kinds: KindFinder
) -> None:
    bad = {
        2: ("only one column", "not two columns but 1"),
        3: ("a\tb\tc", "not two columns but 3"),
        4: (f"{BEFORE}\t ", "the side after is empty"),
        5: (f"\t{ONCE}", "the side before is empty"),
        6: (f"{TWICE}\t{TWICE}", "nothing changed; "),
        7: ("Shameful people ruin towns.\tRivers flow to some sea!", "everything changed"),
        8: ("It was my favourite colour.\tIt was my favorite color.", "nothing changed but"),
        9: (f"{'word ' * 500}\t{'word ' * 499}", "longer than 2,000 characters"),
    }
    for number, (line, why) in bad.items():
        lines = ["", *([""] * (number - 2)), line, "", f"{BEFORE}\t{ONCE}"]
        path.write_text("\r\n".join(lines), encoding="utf-8-sig")
        said: list[str] = []
        assert len(user_data.load_pairs_examples(path, NONE, kinds, said.append)) == 2
        (told,) = said
        assert f"line {number}: {why}" in told
        assert "Expected: the sentence before, a tab, the sentence after" in told
        assert "senator" not in told


@pytest.mark.parametrize(
    ("raw", "why"),
    [
        (b"", "contains no pair to learn from"),
        (b"before\tafter\n", "contains no pair to learn from"),
        (b"same\tsame\n", "line 1: nothing changed"),
        (b"caf\xe9 x\tcaf\xe9\n", "line 1: byte 0xe9 is not UTF-8"),
        ("a\tb".encode("utf-16"), "line 1: byte 0xff is not UTF-8"),
        (b"a\0\tb\n", "line 1: holds zero bytes"),
    ],
)
def test_a_file_without_a_pair_is_an_error_that_says_what_to_do(path: Path, raw: bytes, why: str) -> None:
    path.write_bytes(raw)
    with pytest.raises(CorpusError) as caught:
        user_data.load_pairs(path, NONE)
    assert why in str(caught.value)
    assert "data list" not in str(caught.value)


def test_a_file_that_is_gone_is_an_error(path: Path) -> None:
    with pytest.raises(CorpusError, match="is not there"):
        user_data.load_pairs(path, NONE)
