"""Whatever is wrong with a corpus file is one clear CorpusError that names the file, and nothing is skipped unsaid."""

from __future__ import annotations

import lzma
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from core.engine.cues import Lexicon
from training.corpora import (
    allsides,
    anno_lexical,
    annotated_sentences,
    auxiliary_tasks,
    babe,
    news_pool,
    opinion_spans,
    wikibias,
    wikibias_manual,
    wikipedia,
)
from training.corpora.files import read_json_rows
from training.text.edits import KindFinder
from training.text.near_duplicates import NearDuplicateIndex
from training.types import CorpusError, require_classes

KINDS = KindFinder(Lexicon.load())
SUBJ = next(task for task in auxiliary_tasks.TASKS if task.name == "subjectivity")
Load = Callable[[Path], object]
LOADERS: dict[str, Load] = {
    "babe/final_labels_SG1.csv": lambda data: babe.load(data, KINDS, group="SG1"),
    "babe/final_labels_SG2.csv": lambda data: babe.texts(data),
    "wnc/pairs.train.tsv": lambda data: wikipedia.load_wnc(data, KINDS, part="train"),
    "wnc/pairs.dev.tsv": lambda data: wikipedia.load_pairs(data, "dev"),
    "gbnc/pairs.tsv": lambda data: wikipedia.load_gbnc(data),
    "cw_hard_npov/statements_biased": lambda data: wikipedia.load_cw_hard(data),
    "media_bias_tasks/31_SUBJ/preprocessed.csv.xz": lambda data: auxiliary_tasks.load(data, SUBJ),
    "article_bias/articles.jsonl.xz": lambda data: allsides.load(data, NearDuplicateIndex([])),
    "wnc/biased.word.train": lambda data: list(wikipedia.load_wnc_full(data, "word", "train")),
    "wikibias/generation.dev.tsv": lambda data: list(wikibias.load(data, "dev")),
    "wnc/pairs_part2.tsv.xz": lambda data: wikipedia.load_additional_pairs(data),
    "wnc/biased_only.txt.xz": lambda data: wikipedia.load_unpaired_biased(data),
    "wikibias/train.jsonl.xz": lambda data: wikibias_manual.load(data, "train"),
    "editors/sentences.jsonl.xz": lambda data: annotated_sentences.load(data),
    "anno_lexical/sentences.jsonl.xz": lambda data: anno_lexical.load(data),
    "mpqa2/sentences.jsonl.xz": lambda data: opinion_spans.load_mpqa(data),
    "ptc/articles.jsonl.xz": lambda data: opinion_spans.load_ptc(data),
    "szeged_uncertainty/wiki.jsonl.xz": lambda data: opinion_spans.load_uncertainty(data),
    "news_pool/sentences.tsv.xz": lambda data: news_pool.load(data),
}
JSON_LINES = [name for name in LOADERS if name.endswith("s.jsonl.xz") and not name.startswith("article_bias")]
TABLES = [name for name in LOADERS if name.endswith((".csv", ".csv.xz"))]
PACKED = [name for name in LOADERS if name.endswith(".xz")]


@pytest.fixture
def data(corpora: Path, tmp_path: Path) -> Path:
    """Every corpus, to be damaged."""
    folder = tmp_path / "data"
    shutil.copytree(corpora, folder)
    (folder / "wnc" / "biased.word.train").write_text(
        "1\ta\tb\tsad a\ta\n2\ta\tb\tsad b\tb\n", encoding="utf-8"
    )
    (folder / "wikibias").mkdir(exist_ok=True)
    (folder / "wikibias" / "generation.dev.tsv").write_text("sad a\ta\nsad b\tb\n", encoding="utf-8")
    return folder


def content(path: Path) -> bytes:
    return lzma.decompress(path.read_bytes()) if path.suffix == ".xz" else path.read_bytes()


def put(path: Path, raw: bytes) -> None:
    path.write_bytes(lzma.compress(raw) if path.suffix == ".xz" else raw)


def refused(name: str, data: Path, match: str) -> None:
    with pytest.raises(CorpusError, match=match) as caught:
        LOADERS[name](data)
    said = str(caught.value)
    assert Path(name).name in said
    assert "evenhand train data list" in said or "its home" in said


@pytest.mark.parametrize("name", LOADERS)
def test_as_published_all_can_be_read(name: str, data: Path) -> None:
    assert LOADERS[name](data)


@pytest.mark.parametrize("name", LOADERS)
def test_a_missing_file(name: str, data: Path) -> None:
    (data / name).unlink()
    refused(name, data, "is not in")


@pytest.mark.parametrize("name", LOADERS)
def test_an_empty_file(name: str, data: Path) -> None:
    (data / name).write_bytes(b"")
    refused(name, data, "is empty")


@pytest.mark.parametrize("name", LOADERS)
@pytest.mark.parametrize(
    "wrong", ["Caf\u00e9 \u201chere\u201d \u2013 na\u00efve".encode("cp1252"), b"\x00\x00"]
)
def test_another_encoding_is_named_with_its_row(name: str, wrong: bytes, data: Path) -> None:
    raw = content(data / name).split(b"\n")
    raw[1] = wrong + raw[1]
    put(data / name, b"\n".join(raw))
    refused(name, data, r"row 2: (byte 0xe9 is not UTF-8|holds zero bytes)")


@pytest.mark.parametrize("name", LOADERS)
def test_utf_16_is_told_as_that(name: str, data: Path) -> None:
    put(data / name, content(data / name).decode("utf-8-sig").encode("utf-16"))
    refused(name, data, "UTF-16")


@pytest.mark.parametrize("name", PACKED)
def test_a_packed_file_that_was_cut_off(name: str, data: Path) -> None:
    whole = (data / name).read_bytes()
    (data / name).write_bytes(whole[: len(whole) // 2])
    refused(name, data, "the file is truncated")


@pytest.mark.parametrize("name", PACKED)
def test_a_packed_file_that_was_damaged(name: str, data: Path) -> None:
    whole = bytearray((data / name).read_bytes())
    whole[:8] = b"garbage!"
    (data / name).write_bytes(whole)
    refused(name, data, "the file is damaged")


@pytest.mark.parametrize("name", PACKED)
def test_a_packed_file_may_lie_there_unpacked(name: str, data: Path) -> None:
    before = LOADERS[name](data)
    raw = content(data / name)
    (data / name).unlink()
    (data / name).with_suffix("").write_bytes(raw)
    assert LOADERS[name](data) == before


@pytest.mark.parametrize("name", [*TABLES, "wnc/pairs.dev.tsv", "gbnc/pairs.tsv"])
def test_a_table_that_ends_inside_a_row(name: str, data: Path) -> None:
    rows = content(data / name).rstrip(b"\n").split(b"\n")
    rows[-1] = rows[-1].replace(b";", b",").split(b"," if name in TABLES else b"\t")[0]
    put(data / name, b"\n".join(rows))
    refused(name, data, rf"row {len(rows)}: .*the file is truncated")


@pytest.mark.parametrize("name", TABLES)
def test_a_table_that_ends_inside_quotation_marks(name: str, data: Path) -> None:
    raw = content(data / name)
    put(data / name, raw + b'"and then it was cut')
    refused(name, data, rf"row {raw.count(10) + 1}: the file ends inside it")


@pytest.mark.parametrize("name", TABLES)
def test_other_columns_are_named(name: str, data: Path) -> None:
    put(data / name, content(data / name).replace(b"text", b"sentence", 1))
    refused(name, data, "row 1: no column text")


@pytest.mark.parametrize("name", TABLES)
def test_a_row_with_more_cells_than_columns(name: str, data: Path) -> None:
    rows = content(data / name).rstrip(b"\n").split(b"\n")
    rows[3] = rows[3].rstrip(b"\r") + b";;" + b",,"
    put(data / name, b"\n".join(rows))
    refused(name, data, "row 4: .* the file was altered")


@pytest.mark.parametrize("name", ["wnc/pairs.dev.tsv", "gbnc/pairs.tsv", *TABLES])
def test_a_table_of_a_header_alone(name: str, data: Path) -> None:
    put(data / name, content(data / name).split(b"\n")[0] + b"\n")
    refused(name, data, r"contains no (rows|pairs)")


@pytest.mark.parametrize("name", JSON_LINES)
def test_lines_that_hold_nothing_are_no_corpus(name: str, data: Path) -> None:
    put(data / name, b"\n\n  \n")
    refused(name, data, "contains no rows")


@pytest.mark.parametrize("name", JSON_LINES)
def test_lines_of_another_layout_are_told_once_and_the_rest_is_read(
    name: str, data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    whole = LOADERS[name](data)
    rows = content(data / name).rstrip(b"\n").split(b"\n")
    wrong = [b"[1, 2]", b"no JSON", b"{}", b'{"text": null, "spans": 7, "cues": 7}', b"[" * 5000, b"17"]
    put(data / name, b"\n".join([*wrong, *rows]) + b"\n")
    capsys.readouterr()
    assert LOADERS[name](data) == whole
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert "6 rows cannot be read and are left out (row 1: another layout; row 2: no JSON; row 3: no " in said
    assert "Expected: " in said


@pytest.mark.parametrize("name", JSON_LINES)
def test_lines_of_which_none_can_be_read(name: str, data: Path) -> None:
    put(data / name, b"{}\n[]\n")
    refused(name, data, "not one of 2 rows can be read")


def test_what_a_row_lacks_is_named(tmp_path: Path) -> None:
    path, told = tmp_path / "rows.jsonl", list[str]()
    path.write_text('{"a": 1}\n\n{"b": 2}\n{"a": "x"}\n{"a": []}\n{"a": {}}\n', encoding="utf-8")

    def parse(row: dict[str, Any]) -> int:
        return int(row["a"]) + int([0][row["a"] - 1])

    assert read_json_rows(path, parse, expected="a", on_message=told.append) == [1]
    (line,) = told
    assert "4 rows cannot be read and are left out (row 3: no a; row 4: invalid literal" in line
    assert line.endswith("row 5: another layout; …). Expected: a.")


def test_unknown_labels_are_counted_and_told(data: Path) -> None:
    path = data / "babe" / "final_labels_SG2.csv"
    path.write_bytes(path.read_bytes().replace(b";Biased;", b";Slanted;", 2))
    told: list[str] = []
    found = babe.load(data, KINDS, on_message=told.append)
    assert len(found) == 46
    assert len(told) == 1
    assert f"{path}: 2 rows cannot be read and are left out (row 2: unknown label 'Slanted'; row 4" in told[0]


def test_a_list_of_words_that_is_none_is_told(data: Path) -> None:
    path = data / "babe" / "final_labels_SG2.csv"
    path.write_bytes(path.read_bytes().replace(b";[]", b";[[[", 1))
    told: list[str] = []
    babe.load(data, KINDS, on_message=told.append)
    assert "1 row cannot be read and is left out" in told[0]
    assert "biased_words is not a list" in told[0]


def test_labels_of_a_task_are_counted_and_told(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = data / "media_bias_tasks" / "31_SUBJ" / "preprocessed.csv.xz"
    put(path, content(path).replace(b",1,1,1,1", b",7,7,7,7", 3).replace(b",0,0,0,0", b",no,0,0,0", 2))
    assert len(auxiliary_tasks.load(data, SUBJ)) == 43
    said = capsys.readouterr()
    assert said.out == ""
    assert "5 rows cannot be read and are left out" in said.err


def test_a_file_of_which_nothing_can_be_read(data: Path) -> None:
    path = data / "babe" / "final_labels_SG1.csv"
    raw = path.read_bytes().replace(b";Biased;", b";1;").replace(b";Non-biased;", b";0;")
    path.write_bytes(raw)
    refused("babe/final_labels_SG1.csv", data, "not one of 48 rows can be read")


def test_articles_in_the_layout_of_their_repository(data: Path) -> None:
    packed = data / "article_bias" / "articles.jsonl.xz"
    rows = content(packed).decode().splitlines()
    folder = data / "article_bias" / "jsons"
    folder.mkdir()
    for number, row in enumerate(rows):
        (folder / f"{number:03}.json").write_text(row, encoding="utf-8")
    before = allsides.read_articles(data)
    packed.unlink()
    assert allsides.read_articles(data) == before
    (folder / "007.json").write_text(rows[7][:50], encoding="utf-8")
    with pytest.raises(CorpusError, match=r"007\.json, row 1: no JSON object; the file is truncated"):
        allsides.read_articles(data)


def test_articles_without_a_rating_are_told(data: Path) -> None:
    path = data / "article_bias" / "articles.jsonl.xz"
    put(path, content(path).replace(b'"bias": 1', b'"bias": 5', 2))
    told: list[str] = []
    assert len(allsides.read_articles(data, on_message=told.append)) == 58
    assert "2 rows cannot be read" in told[0]


def test_an_article_that_is_no_object_is_named(data: Path) -> None:
    path = data / "article_bias" / "articles.jsonl.xz"
    put(path, content(path).replace(b"\n", b"\n[1, 2]\n", 1))
    with pytest.raises(CorpusError, match="row 2: no JSON object; the file was altered"):
        allsides.read_articles(data)


def test_a_corpus_of_one_class_says_which_is_missing() -> None:
    require_classes([0, 1, 1], ("not biased", "biased"), corpus="BABE SG2")
    with pytest.raises(CorpusError, match="BABE SG2 has no row that is not biased"):
        require_classes([1, 1], ("not biased", "biased"), corpus="BABE SG2")
    with pytest.raises(CorpusError, match="has no row that is left or center"):
        require_classes([2], ("left", "center", "right"), corpus="articles")
