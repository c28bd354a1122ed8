"""``evenhand train data spans``: a person's own pairs become tagging files; what is wrong is told by its line."""

from __future__ import annotations

from pathlib import Path

import pytest

from training.cli.main import main
from training.corpora.wikibias import load_tagged

GOOD = "The truly famous singer of the town died .\tThe singer of the town died ."


def run(*arguments: object) -> int:
    return main(["data", "spans", "--spacy", "none", *map(str, arguments)])


def write(folder: Path, *lines: str | bytes) -> Path:
    path = folder / "pairs.tsv"
    path.write_bytes(b"\n".join(line if isinstance(line, bytes) else line.encode() for line in lines))
    return path


@pytest.mark.parametrize("header", [(), ("before\tafter",), ("\ufeffBiased\tNeutral",)])
def test_pairs_become_five_row_blocks(
    header: tuple[str, ...], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out.tsv"
    assert run(write(tmp_path, *header, GOOD, ""), "--out", out) == 0
    said = capsys.readouterr()
    assert said.out.strip() == "1 pairs read, 1 spans found, 0 lines left out"
    assert said.err == ""
    blocks = out.read_text(encoding="utf-8").split("\n\n")
    assert [block.splitlines()[0] for block in blocks[:2]] == [
        "The truly famous singer of the town died . ||| 1",
        "The singer of the town died . ||| 0",
    ]
    assert blocks[0].splitlines()[3] == "O B-bias I-bias O O O O O O ||| Original"


def test_a_folder_becomes_a_corpus_that_the_loaders_read(tmp_path: Path) -> None:
    assert (
        run(write(tmp_path, GOOD, "Windows ends\r\t Windows ended once more .\r"), "--out", tmp_path / "made")
        == 0
    )
    found = load_tagged(tmp_path / "made", "train")
    assert [one.biased for one in found][:2] == [True, False]


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("only one column here", "not two columns but 1; expected: before, tab, after"),
        ("a b\tc d\te f", "not two columns but 3; expected: before, tab, after"),
        ("\tThe singer died", "the side before is empty; expected a sentence on both sides of the tab"),
        ("The singer died\t  ", "the side after is empty"),
        ("The singer\0 died\tThe died", "holds zero bytes"),
        ("The singer died\tthe singer  died", "nothing changed"),
        ("one big town by night\ttwo small lakes at noon", "everything changed (more than 60% of the words)"),
        (b"The caf\xe9 closed\tThe closed", "byte 0xe9 is not UTF-8; expected text in UTF-8"),
    ],
)
def test_a_line_that_is_wrong_is_named_and_the_rest_is_read(
    line: str | bytes, why: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, out = write(tmp_path, "before\tafter", line, GOOD), tmp_path / "out.tsv"
    assert run(path, "--out", out) == 0
    said = capsys.readouterr()
    assert f"{path}, line 2: {why}" in said.err
    assert "1 spans found, 1 lines left out" in said.out
    assert len(out.read_text(encoding="utf-8").strip().split("\n\n")) == 2


def test_many_wrong_lines_are_counted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(write(tmp_path, GOOD, *["x"] * 30), "--out", tmp_path / "out.tsv") == 0
    said = capsys.readouterr()
    assert len(said.err.splitlines()) == 11
    assert "and 20 more lines" in said.err


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (("PAIRS",), "--out FILE or --out DIR"),
        (("missing.tsv", "--out", "x.tsv"), "missing.tsv is not there"),
    ],
)
def test_a_wrong_call_says_what_to_do(
    arguments: tuple[str, ...],
    why: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    pairs = write(tmp_path, GOOD)
    assert run(*(pairs if argument == "PAIRS" else argument for argument in arguments)) == 2
    assert why in capsys.readouterr().err


def test_a_file_without_one_usable_pair_writes_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out.tsv"
    assert run(write(tmp_path, "x", "same\tsame"), "--out", out) == 2
    assert "contains no usable pair" in capsys.readouterr().err
    assert not out.exists()
