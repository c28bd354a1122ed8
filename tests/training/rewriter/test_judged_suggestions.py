"""Protects the judged suggestions: a sentence is found by its hash, and only what all readers say alike counts."""

from __future__ import annotations

import json
import lzma
from pathlib import Path

import pytest

from core.text.diff import TextEdit
from training.corpora import wikipedia
from training.corpora.annotated_sentences import text_key
from training.corpora.files import read_lines
from training.rewriter import judged_suggestions
from training.rewriter.judged_suggestions import FILE, VERDICTS, JudgedItem, JudgedSuggestion


def suggestion(*verdicts: str) -> JudgedSuggestion:
    """A suggestion with these verdicts."""
    return JudgedSuggestion((TextEdit(0, 1, "x"),), "x b", 0, 1, verdicts)


def test_a_sentence_is_looked_up_in_its_corpus(
    corpora: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = next(row.text for row in wikipedia.load_cw_hard(corpora))
    start, end = 0, text.index(" ")
    rows = [
        {
            "corpus": "cw_hard",
            "text": text_key(text),
            "start": start,
            "end": end,
            "wordings": ["at", ""],
            "suggestions": [{"edits": [[start, end, "By"]], "verdicts": ["g", "a"]}],
        },
        {"corpus": "cw_hard", "text": "0" * 16, "start": 0, "end": 2, "kept": True},
        {"corpus": "nowhere", "text": "0" * 16, "start": 0, "end": 2},
    ]
    path = tmp_path / "judged.jsonl.xz"
    with lzma.open(path, "wt", encoding="utf-8") as file:
        file.write("\n".join(map(json.dumps, rows)))
    monkeypatch.setattr(judged_suggestions, "FILE", path)
    said: list[str] = []
    (item,) = judged_suggestions.load(corpora, said.append)
    assert (item.text, item.references, item.kept) == (text, ("at", ""), False)
    (one,) = item.suggestions
    assert one.text == f"By{text[end:]}"
    assert one.text[one.start : one.end] == "By"
    assert one.is_good is True
    assert any("unknown corpus" in line for line in said)


@pytest.mark.parametrize(
    ("verdicts", "good", "sound"),
    [
        ("ga", True, True),
        ("gn", None, True),
        ("mn", False, True),
        ("uu", False, False),
        ("un", False, None),
        ("a", True, True),
        ("u", False, False),
    ],
)
def test_only_what_all_say_alike_counts(verdicts: str, good: bool | None, sound: bool | None) -> None:
    assert suggestion(*verdicts).is_good is good
    assert suggestion(*verdicts).is_sound is sound


def test_the_place_of_a_suggestion_holds_the_finding_and_every_edit() -> None:
    text = "Rather sadly, the old man died."
    edits = (TextEdit(0, 7, ""), TextEdit(14, 17, "an"))
    put = JudgedSuggestion(edits, "sadly, an old man died.", 0, 9, ("g",))
    item = JudgedItem("wnc", text, 7, 12, (), False, (put,))
    assert item.place_of(put) == (0, 17, "sadly, an")
    out = JudgedSuggestion((TextEdit(7, 14, ""),), "Rather the old man died.", 7, 7, ("g",))
    assert item.place_of(out) == (7, 14, "")


def test_the_file_holds_no_text_of_a_corpus_and_no_broken_row() -> None:
    for line in read_lines(FILE):
        row = json.loads(line)
        assert len(row["text"]) == 16
        assert 0 <= row["start"] < row["end"]
        assert row.keys() <= {"corpus", "text", "start", "end", "wordings", "kept", "suggestions"}
        assert all(len(words) < 80 for words in row.get("wordings", ()))
        assert all(set(one["verdicts"]) <= VERDICTS for one in row.get("suggestions", ()))


def test_brackets_are_no_part_of_a_gendered_sentence(corpora: Path) -> None:
    pair = wikipedia.load_gender_pairs(corpora)[0]
    assert pair.source == "the clerk of desk 0 lost her key"
    assert pair.target == "the clerk of desk 0 lost their key"


def test_sides_of_pairs_are_not_left_for_the_ranking() -> None:
    texts = [f"sentence {number}" for number in range(300)]
    items = {
        corpus: [JudgedItem(corpus, text, 0, 8, (), False, ()) for text in texts]
        for corpus in ("wnc", "cw_hard")
    }
    assert not any(item.is_for_ranking for item in items["wnc"])
    assert 20 < sum(item.is_for_ranking for item in items["cw_hard"]) < 80
