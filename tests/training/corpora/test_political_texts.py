"""Books, headlines, speeches by side: what is read of which file, as ordinary prose; bad rows are told and left out."""

from __future__ import annotations

import json
import lzma
from pathlib import Path

import pytest

from training.corpora import political_texts
from training.corpora.political_texts import Passage, Side
from training.types import CorpusError


def row(raw: str, *, tokens: str = "x", columns: int = 7) -> str:
    return "\t".join(["n/a", tokens, tokens, raw, raw, "NOUN", "ROOT"][:columns])


def put(data: Path, name: str, *rows: str) -> Path:
    path = data / "wnc" / "real_world_samples" / f"{name}.tsv"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(f"{one}\n" for one in rows), encoding="utf-8")
    return path


def test_the_file_gives_corpus_and_side_and_only_the_raw_source_is_read(tmp_path: Path) -> None:
    put(tmp_path, "ibc_left", row("the rich got richer .", tokens="the rich got rich ##er ."))
    put(tmp_path, "news_sensationalist_dramatic", row("storm hits town", columns=5))
    put(tmp_path, "speeches", row("[applause]  we  will win."))
    assert political_texts.load(tmp_path) == [
        Passage("the rich got richer.", "books", Side.LEFT),
        Passage("storm hits town", "news", Side.NONE),
        Passage("we will win.", "speeches", Side.RIGHT),
    ]


def test_penn_treebank_is_written_as_prose_and_a_repeat_counts_once(tmp_path: Path) -> None:
    put(tmp_path, "ibc_right", row("they ca n't say `` yes '' ."), row("they ca n't say `` yes '' ."))
    assert [one.text for one in political_texts.load(tmp_path)] == ['they can\'t say "yes".']


def test_a_row_that_does_not_fit_is_told_by_number_and_the_rest_is_read(tmp_path: Path) -> None:
    put(tmp_path, "news_left", row("one headline"), "no columns", row(" [video] "), "", row("two headlines"))
    said: list[str] = []
    found = political_texts.load(tmp_path, on_message=said.append)
    assert [one.text for one in found] == ["one headline", "two headlines"]
    assert len(said) == 1
    assert "row 2: 1 column, 5 to 7 expected" in said[0]
    assert "row 3: no words in column 4" in said[0]
    assert "row 4" in said[0]


def test_without_a_readable_file_it_says_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(CorpusError, match=r"ibc_left\.tsv is not in .*published layout"):
        political_texts.load(tmp_path)
    put(tmp_path, "news_left", "nothing", "of", "this")
    with pytest.raises(CorpusError, match="not one of 3 rows can be read"):
        political_texts.load(tmp_path)


def test_debates_are_the_sentences_of_the_two_candidates(tmp_path: Path) -> None:
    (tmp_path / "debates_2016.csv").write_text(
        '"Line","Speaker","Text","Date"\n'
        '1,"Holt","Good evening from a hall somewhere.","9/26/16"\n'
        '2,"Clinton","I think that is wrong. (APPLAUSE) Thank you. It was a sad day for us.","9/26/16"\n'
        '3,"Trump","","9/26/16"\n'
        '4,"Trump","It\'s a disaster, believe me. No.","9/26/16"\n',
        encoding="utf-8",
    )
    said: list[str] = []
    assert political_texts.load_debates(tmp_path, on_message=said.append) == [
        Passage("I think that is wrong.", "debates 2016", Side.LEFT),
        Passage("It was a sad day for us.", "debates 2016", Side.LEFT),
        Passage("It's a disaster, believe me.", "debates 2016", Side.RIGHT),
    ]
    assert "row 4: no text" in said[0]


def test_congress_by_party_from_lines_and_from_the_official_folder(tmp_path: Path) -> None:
    lines = [
        {"party": "D", "text": "i thank mr. miller xz4003430 for this . \nyes . \n"},
        {"party": "R", "text": "they do not like the bill . "},
        {"party": "X", "text": "nobody knows my party here . "},
    ]
    packed = tmp_path / "one" / "convote" / "convote_v1.1_stage_one.jsonl.xz"
    packed.parent.mkdir(parents=True)
    text = "".join(f"{json.dumps(line)}\n" for line in lines) + "{broken\n"
    packed.write_bytes(lzma.compress(text.encode()))
    said: list[str] = []
    expected = [
        Passage("i thank mr. miller for this.", "House 2005", Side.LEFT),
        Passage("they do not like the bill.", "House 2005", Side.RIGHT),
    ]
    assert political_texts.load_convote(tmp_path / "one", on_message=said.append) == expected
    assert "row 4: no speech" in said[0]
    folder = tmp_path / "two" / "convote" / "data_stage_one" / "training_set"
    folder.mkdir(parents=True)
    for number, line in enumerate(lines):
        (folder / f"055_40014{number}_1031004_{line['party']}ON.txt").write_text(
            line["text"], encoding="utf-8"
        )
    assert political_texts.load_convote(tmp_path / "two") == expected


def test_speeches_without_a_side_are_refused(tmp_path: Path) -> None:
    (tmp_path / "debates_2016.csv").write_text(
        "Speaker,Text\nHolt,Good evening to you all.\n", encoding="utf-8"
    )
    with pytest.raises(CorpusError, match="no turn of Clinton or Trump"):
        political_texts.load_debates(tmp_path)
    with pytest.raises(CorpusError, match="convote_v1"):
        political_texts.load_convote(tmp_path)
