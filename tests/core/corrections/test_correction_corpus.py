"""Protects the corpus file: what is written is read back, only its owner can read it, a failure leaves what was there,
and a line that does not fit is named by its number.
"""

from __future__ import annotations

import json
import os
import stat
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.corrections import Correction, Verdict, chosen_corpus, corpus
from core.corrections.corpus import CorpusFormatError, choose, read, remove_chosen, write
from core.storage.files import FileError
from core.types import KINDS, Kind

ONE = Correction(Verdict.ACCEPTED, Kind.FRAMING, "A\u2028“sad”\u00a0👍 end.", 3, 6, "An end.")
ROW = {
    "verdict": "rejected",
    "kind": "framing",
    "sentence": "A sad end.",
    "start": 2,
    "end": 5,
    "rewritten": "",
}
HEAD = '{"evenhand_corrections": 1}\n'
TEXTS = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=30)


@st.composite
def corrections(draw: st.DrawFn) -> Correction:
    sentence = draw(TEXTS.filter(str.strip))
    at = next(number for number, char in enumerate(sentence) if char.strip())
    verdict = draw(st.sampled_from(list(Verdict)))
    rewritten = draw(TEXTS.filter(str.strip)) if verdict is Verdict.ACCEPTED else ""
    made = Correction(verdict, draw(st.sampled_from(KINDS)), sentence, at, len(sentence), rewritten)
    return made if made.is_valid else Correction(Verdict.REJECTED, made.kind, sentence, at, at + 1)


@settings(max_examples=40)
@given(st.lists(corrections(), max_size=6))
def test_what_is_written_is_read_back(
    tmp_path_factory: pytest.TempPathFactory, rows: list[Correction]
) -> None:
    path = tmp_path_factory.mktemp("corpus") / "mine.jsonl"
    write(path, rows)
    assert read(path) == rows


def test_the_layout_is_the_documented_one(tmp_path: Path) -> None:
    path = tmp_path / "mine.jsonl"
    write(path, [ONE])
    first, second, end = path.read_text(encoding="utf-8").split("\n")
    assert json.loads(first) == {"evenhand_corrections": 1}
    assert json.loads(second) == {
        "verdict": "accepted",
        "kind": "framing",
        "sentence": ONE.sentence,
        "start": 3,
        "end": 6,
        "rewritten": "An end.",
    }
    assert end == ""


@pytest.mark.skipif(os.name == "nt", reason="permissions are those of POSIX")
@pytest.mark.parametrize("before", [None, 0o644])
def test_only_the_owner_can_read_it(tmp_path: Path, before: int | None) -> None:
    path = tmp_path / "mine.jsonl"
    if before is not None:
        path.write_text("old")
        path.chmod(before)
    write(path, [ONE])
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    chosen = choose([ONE])
    assert stat.S_IMODE(chosen.stat().st_mode) == 0o600
    assert stat.S_IMODE(chosen.parent.stat().st_mode) == 0o700


def test_a_full_disk_leaves_what_was_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "mine.jsonl"
    write(path, [ONE])

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("core.storage.disk.write_all", full)
    with pytest.raises(FileError, match=r"mine\.jsonl was not saved: the disk is full"):
        write(path, [])
    assert read(path) == [ONE]
    assert [file.name for file in tmp_path.iterdir() if "evenhand-save" in file.name] == []


def test_a_folder_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="was not saved"):
        write(tmp_path / "nowhere" / "mine.jsonl", [ONE])


def test_choosing_and_leaving_out() -> None:
    assert chosen_corpus() is None
    assert choose([ONE]) == chosen_corpus()
    remove_chosen()
    remove_chosen()
    assert chosen_corpus() is None


def test_a_damaged_chosen_corpus_is_removed_when_something_is_taken_out() -> None:
    choose([ONE]).write_text(f"{HEAD}{{", encoding="utf-8")
    corpus.prune_chosen([ONE])
    assert chosen_corpus() is None


@pytest.mark.parametrize(
    ("text", "line", "why"),
    [
        ("", 1, "empty"),
        ("{}\n", 1, "does not say"),
        ('{"evenhand_corrections": true}\n', 1, "does not say"),
        ('{"evenhand_corrections": 2}\n', 1, "newer version of Evenhand"),
        (f"{HEAD}{json.dumps(ROW)}\n\n", 3, "JSON"),
        (f'{HEAD}{json.dumps(ROW)}\n{{"verdict"', 3, "JSON"),
        (f"{HEAD}[1]\n", 2, "object"),
        (f"{HEAD}{json.dumps({**ROW, 'start': '2'})}\n", 2, "“start”"),
        (f"{HEAD}{json.dumps({**ROW, 'start': True})}\n", 2, "“start”"),
        (f"{HEAD}{json.dumps({**ROW, 'sentence': None})}\n", 2, "“sentence”"),
        (f"{HEAD}{json.dumps({**ROW, 'verdict': 'perhaps'})}\n", 2, "“verdict”"),
        (f"{HEAD}{json.dumps({**ROW, 'kind': ['framing']})}\n", 2, "“kind”"),
        (f"{HEAD}{json.dumps({**ROW, 'end': 50})}\n", 2, "do not match"),
        (f"{HEAD}{json.dumps({**ROW, 'rewritten': 'An end.'})}\n", 2, "do not match"),
        (f"{HEAD}{json.dumps({**ROW, 'verdict': 'accepted'})}\n", 2, "do not match"),
    ],
)
def test_a_line_that_does_not_fit_is_named(tmp_path: Path, text: str, line: int, why: str) -> None:
    path = tmp_path / "mine.jsonl"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(CorpusFormatError, match=why) as caught:
        read(path)
    assert caught.value.line == line
    assert str(caught.value).startswith(f"Line {line}: ")


def test_bytes_that_are_no_text_are_named(tmp_path: Path) -> None:
    path = tmp_path / "mine.jsonl"
    path.write_bytes(HEAD.encode() + b"\xff\xfe\n")
    with pytest.raises(CorpusFormatError, match="Line 2: it is not UTF-8"):
        read(path)


@settings(max_examples=60)
@given(st.binary(max_size=60))
def test_any_line_is_read_or_named(line: bytes) -> None:
    named: list[int] = []
    found = corpus.parse_lines([HEAD.encode(), line])
    while not named:
        try:
            if next(found, None) is None:
                break
        except CorpusFormatError as error:
            named.append(error.line)
    assert named in ([], [2])
