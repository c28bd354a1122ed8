"""Tweets, talk pages, Madlibs and the word list: their layouts, classes and parts; bad rows are told and left out."""

from __future__ import annotations

import lzma
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from training.cli.main import main
from training.corpora import hate_speech
from training.corpora.hate_speech import LabelledText, split_by_tokens, tokens
from training.types import CorpusError

TWEETS = ",count,hate_speech,offensive_language,neither,class,tweet\n"
COMMENTS = "comment_text,toxic,source_file\n"
TEMPLATES = "Text,Label,Template\n"
ADDITIONS = "rev_id\tcomment\tis_toxic\tsplit\n"
PLACES = {
    "davidson": "davidson/labeled_data.csv",
    "talk_pages": "wikipedia_toxicity_partial/merged_binary.csv.xz",
    "madlibs": "madlibs/bias_madlibs_77k.csv",
}


def put(data: Path, place: str, text: str) -> Path:
    path = data / place
    path.parent.mkdir(parents=True, exist_ok=True)
    raw = text.encode()
    path.write_bytes(lzma.compress(raw) if path.suffix == ".xz" else raw)
    return path


def test_hate_and_offence_are_hateful_and_a_tweet_may_have_several_lines(tmp_path: Path) -> None:
    rows = '0,3,3,0,0,0,"one, two"\n1,3,0,3,0,1,"""three""\n\nfour"\n2,3,0,0,3,2,Five &amp; six\n'
    put(tmp_path, PLACES["davidson"], TWEETS + rows)
    found = hate_speech.load_davidson(tmp_path)
    assert [(row.tokens, row.hateful) for row in found] == [
        (("one", "two"), True),
        (("three", "four"), True),
        (("five", "six"), False),
    ]
    assert found[2].text == "Five &amp; six"


def test_comments_are_read_packed_or_not(tmp_path: Path) -> None:
    text = f'{COMMENTS}"a ""b""\n\nc",0,x.csv\nYou donkey,1,x.csv\n'
    put(tmp_path / "one", PLACES["talk_pages"], text)
    put(tmp_path / "two", PLACES["talk_pages"].removesuffix(".xz"), text)
    found = hate_speech.load_talk_pages(tmp_path / "one")
    assert found == hate_speech.load_talk_pages(tmp_path / "two")
    assert [(row.tokens, row.hateful) for row in found] == [
        (("a", "b", "c"), False),
        (("you", "donkey"), True),
    ]


def test_templates_have_the_spelling_of_the_list(tmp_path: Path) -> None:
    put(
        tmp_path,
        PLACES["madlibs"],
        f'{TEMPLATES}"murder millenial",BAD,verb_adj\n"hug gay",NOT_BAD,verb_adj\n',
    )
    assert [(row.text, row.hateful) for row in hate_speech.load_madlibs(tmp_path)] == [
        ("murder millennial", True),
        ("hug gay", False),
    ]


def test_additions_are_neutral_rows_of_one_part(tmp_path: Path) -> None:
    rows = (
        'a_1\t"The ""gay"" district."\tFalse\ttrain\na_2\tOld town\tFalse\tdev\n'
        "a_3\tBad\tTrue\ttrain\na_4\tx\tFalse\tall\n"
    )
    put(tmp_path, "madlibs/toxicity_debiasing_data.tsv", ADDITIONS + rows)
    said: list[str] = []
    found = hate_speech.load_madlibs_additions(tmp_path, on_message=said.append)
    assert [(row.text, row.hateful) for row in found] == [('The "gay" district.', False)]
    assert "row 4: is_toxic is 'True'; row 5: unknown split 'all'" in said[0]
    assert [
        row.text for row in hate_speech.load_madlibs_additions(tmp_path, part="dev", on_message=said.append)
    ] == ["Old town"]
    with pytest.raises(CorpusError, match="contains no row of the part test"):
        hate_speech.load_madlibs_additions(tmp_path, part="test", on_message=said.append)


@pytest.mark.parametrize(
    ("load", "place", "text", "why"),
    [
        (
            hate_speech.load_davidson,
            PLACES["davidson"],
            f"{TWEETS}0,3,3,0,0,0,a\n1,3,0,3,0,7,b\n2,3,0,0,3,2,c\n3,3,0,0,3,2, \n",
            "class is '7'",
        ),
        (
            hate_speech.load_talk_pages,
            PLACES["talk_pages"],
            f"{COMMENTS}a,1,x\nb,yes,x\nc,0,x\n ,0,x\n",
            "toxic is 'yes'",
        ),
        (
            hate_speech.load_madlibs,
            PLACES["madlibs"],
            f"{TEMPLATES}a,BAD,t\nb,WORSE,t\nc,NOT_BAD,t\n,BAD,t\n",
            "unknown label 'WORSE'",
        ),
    ],
)
def test_bad_rows_are_told_by_line_and_the_rest_is_read(
    tmp_path: Path, load: Callable[..., list[LabelledText]], place: str, text: str, why: str
) -> None:
    put(tmp_path, place, text)
    said: list[str] = []
    assert [row.text for row in load(tmp_path, on_message=said.append)] == ["a", "c"]
    assert "2 rows cannot be read" in said[0]
    assert f"row 3: {why}" in said[0]
    assert "row 5: no text" in said[0]


@pytest.mark.parametrize(
    ("load", "place", "text"),
    [
        (hate_speech.load_davidson, PLACES["davidson"], f"{TWEETS}0,3,3,0,0,0,a\n"),
        (hate_speech.load_talk_pages, PLACES["talk_pages"], f"{COMMENTS}a,1,x\n"),
        (hate_speech.load_madlibs, PLACES["madlibs"], f"{TEMPLATES}a,BAD,t\n"),
    ],
)
def test_one_class_and_no_file_are_one_clear_line(
    tmp_path: Path, load: Callable[..., list[LabelledText]], place: str, text: str
) -> None:
    with pytest.raises(CorpusError, match=r"is not in .*data list"):
        load(tmp_path)
    put(tmp_path, place, text)
    with pytest.raises(CorpusError, match="has no row that is neutral"):
        load(tmp_path)
    put(tmp_path, place, "a,b\n1,2\n")
    with pytest.raises(CorpusError, match="row 1: no column"):
        load(tmp_path)


def test_the_word_list_says_which_are_single_and_counts_their_endings(tmp_path: Path) -> None:
    put(tmp_path, hate_speech.BAD_WORDS_FACTS.files[0], "Slut\nrape\nball gag\ns&m\npussy\n🖕\n\n")
    found = hate_speech.load_bad_words(tmp_path)
    assert found.entries == {"slut", "rape", "ball gag", "s&m", "pussy"}
    assert {"slut", "sluts", "slutted", "raped", "raping", "pussies", "hoe", "hoes"} <= found.single
    assert not {"ball", "gag", "s", "ball gag", "slu", "rap", "gay", ""} & found.single
    put(tmp_path, hate_speech.BAD_WORDS_FACTS.files[0], "🖕\n")
    with pytest.raises(CorpusError, match="contains no words"):
        hate_speech.load_bad_words(tmp_path)


def corpus(count: int) -> list[LabelledText]:
    return [LabelledText(f"w{at}", (f"w{at}",), at % 5 == 0) for at in range(count)]


def test_the_parts_are_8_1_1_with_the_share_of_both_classes() -> None:
    made = split_by_tokens(corpus(1000), seed=3)
    parts = (made.train, made.dev, made.test)
    assert [len(part) for part in parts] == [800, 100, 100]
    assert [sum(row.hateful for row in part) for part in parts] == [160, 20, 20]
    assert made == split_by_tokens(corpus(1000), seed=3)
    assert made.test != split_by_tokens(corpus(1000), seed=4).test


@settings(max_examples=30)
@given(words=some.lists(some.sampled_from("abcdefghijklm"), max_size=60), seed=some.integers(0, 9))
def test_rows_of_the_same_tokens_stay_together_and_none_is_lost(words: list[str], seed: int) -> None:
    rows = [
        LabelledText(f"{word}{'!' * (at % 2)}", tokens(word), at % 3 == 0) for at, word in enumerate(words)
    ]
    made = split_by_tokens(rows, seed=seed)
    parts = [made.train, made.dev, made.test]
    assert sorted((row.text, row.hateful) for part in parts for row in part) == sorted(
        (row.text, row.hateful) for row in rows
    )
    seen = [{row.tokens for row in part} for part in parts]
    assert sum(map(len, seen)) == len(set().union(*seen))


def test_the_command_line_knows_them(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["data", "list"]) == 0
    said = capsys.readouterr().out
    for facts in (
        hate_speech.DAVIDSON_FACTS,
        hate_speech.TALK_PAGES_FACTS,
        hate_speech.MADLIBS_FACTS,
        hate_speech.BAD_WORDS_FACTS,
    ):
        assert f"{facts.key}: {facts.name} (optional)" in said
    assert "2,546,446 bytes  davidson/labeled_data.csv" in said
    assert "7,826,832 bytes  wikipedia_toxicity_partial/merged_binary.csv.xz" in said
