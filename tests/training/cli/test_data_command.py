"""``evenhand train data``: homepages and sizes, what is wrong with which file, and getting what may be downloaded."""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from core.network.download import PublishedFile
from tests.homepages import Home, serving
from training.cli import data as cli_data
from training.cli.main import main
from training.corpora import ALL, OPTIONAL
from training.corpora.download import download_corpus_file
from training.types import CorpusFacts, Download

SG1, SG2 = "babe/final_labels_SG1.csv", "babe/final_labels_SG2.csv"
BODY = b"text;label\n" * 2000


@pytest.fixture
def data(corpora: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Every corpus, which count as published just so."""
    folder = tmp_path / "data"
    shutil.copytree(corpora, folder)
    right = {
        path.relative_to(folder).as_posix(): PublishedFile(
            hashlib.sha256(path.read_bytes()).hexdigest(), path.stat().st_size
        )
        for path in folder.rglob("*")
        if path.is_file()
    }
    monkeypatch.setattr(cli_data, "published_files", lambda: right)
    return folder


@pytest.fixture
def home(monkeypatch: pytest.MonkeyPatch) -> Iterator[Home]:
    """A home of three corpora: one to be had, one that needs a person, one of which both is true."""
    with serving(Home(files={"a.csv": BODY})) as served:
        there = Download(served.url("a.csv"), "a/a.csv")
        known = {"a/a.csv": PublishedFile(hashlib.sha256(BODY).hexdigest(), len(BODY))}
        monkeypatch.setattr(cli_data, "published_files", lambda: known)
        monkeypatch.setattr(
            cli_data, "download_corpus_file", partial(download_corpus_file, schemes=frozenset({"http"}))
        )
        corpora = (
            CorpusFacts("open", "Open", served.url(""), "CC0", ("a/a.csv",), (there,)),
            CorpusFacts(
                "form", "Form", "https://example.org", "ask", ("b/b.csv",), manual_steps="Fill in the form."
            ),
            CorpusFacts(
                "both", "Both", served.url(""), "ask", ("a/a.csv", "b/b.csv"), (there,), "Ask for b."
            ),
        )
        monkeypatch.setattr(cli_data, "CORPORA", {facts.key: facts for facts in corpora})
        yield served


def test_the_list_has_homes_terms_sizes_and_who_is_needed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["data", "list"]) == 0
    said = capsys.readouterr().out
    for facts in (*ALL, *OPTIONAL):
        assert f"\n{facts.key}: {facts.name}" in f"\n{said}"
        assert facts.homepage in said
        assert facts.licence in said
        assert facts.manual_steps in said
        assert not facts.downloads or f"evenhand train data get {facts.key} " in said
    assert "1,455,879 bytes  babe/final_labels_SG2.csv" in said


def test_all_as_published_is_well(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["data", "check", "--data", str(data)]) == 0
    rows = capsys.readouterr().out.splitlines()
    assert sum(row.startswith("as published") for row in rows) == sum(len(facts.files) for facts in ALL)


def test_truncated_altered_empty_and_missing_are_told_apart(
    data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    whole = (data / SG1).read_bytes()
    (data / SG1).write_bytes(whole[:-100])
    (data / SG2).write_bytes((data / SG2).read_bytes().replace(b"shameful", b"disgrace", 1))
    (data / "gbnc" / "pairs.tsv").write_bytes(b"")
    (data / "wnc" / "pairs.dev.tsv").unlink()
    assert main(["data", "check", "--data", str(data)]) == 2
    said = capsys.readouterr().out
    assert f"differs       {SG1} (truncated: {len(whole) - 100:,} of {len(whole):,} bytes)" in said
    assert f"differs       {SG2} (altered: " in said
    assert "differs       gbnc/pairs.tsv (empty)" in said
    assert "missing       wnc/pairs.dev.tsv\n" in said


def test_an_optional_corpus_never_makes_the_check_fail(
    data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (data / "wnc" / "biased.full").write_text("a", encoding="utf-8")
    assert main(["data", "check", "--data", str(data)]) == 0
    said = capsys.readouterr().out
    assert "optional      WNC (whole): 1 of 7 files here" in said
    assert "optional      WIKIBIAS: 0 of 18 files here" in said


def test_the_sentences_of_wikibias_are_read(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    good = "sad men ||| 1\nX X ||| Original\nX X ||| Original\nB-bias O ||| Original\n\n"
    (data / "wikibias" / "tag_binary").mkdir(parents=True)
    path = data / "wikibias" / "tag_binary" / "train.txt"
    path.write_text(f"{good}{good.replace('B-bias O', 'B-bias')}", encoding="utf-8")
    (data / "wikibias" / "noisy_train.tsv").write_text(good, encoding="utf-8")
    assert main(["data", "check", "--data", str(data)]) == 0
    said = capsys.readouterr().out
    assert "optional      WIKIBIAS: 2 of 18 files here" in said
    assert "read          wikibias/tag_binary/train.txt: 1 tagged sentences\n" in said
    assert (
        f"read          {path}: 1 sentence cannot be read and is left out (line 9: 1 tag for 2 tokens)"
        in said
    )
    assert "read          wikibias/noisy_train_neg.tsv is not in" in said
    assert main(["data", "get", "wikibias", "--data", str(data)]) == 0


def test_articles_in_the_folder_of_their_repository_are_here(
    data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (data / "article_bias" / "articles.jsonl.xz").unlink()
    (data / "article_bias" / "jsons").mkdir()
    assert main(["data", "check", "--data", str(data)]) == 0
    assert "here          article_bias/articles.jsonl.xz (as the folder" in capsys.readouterr().out


def test_a_corpus_is_got_into_a_new_folder(
    home: Home, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "new"
    assert main(["data", "get", "open", "--data", str(folder)]) == 0
    assert (folder / "a" / "a.csv").read_bytes() == BODY
    said = capsys.readouterr()
    assert said.out == ""
    assert f"a/a.csv: {len(BODY):,} of {len(BODY):,} (100%) bytes" in said.err
    assert main(["data", "get", "open", "--data", str(folder)]) == 0
    assert "a/a.csv already exists" in capsys.readouterr().err
    assert len(home.asked) == 1


def test_progress_as_json_lines(home: Home, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["data", "get", "open", "--json", "--data", str(tmp_path)]) == 0
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert {row["event"] for row in rows} == {"step"}
    assert {row["stage"] for row in rows} == {"get a/a.csv"}
    assert (rows[-1]["step"], rows[-1]["steps"]) == (len(BODY), len(BODY))


def test_where_a_person_is_needed_it_says_what_to_do(
    home: Home, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["data", "get", "form", "both", "--data", str(tmp_path)]) == 2
    said = capsys.readouterr().err
    assert "form: needs manual steps. Fill in the form." in said
    assert "https://example.org" in said
    assert "both: needs manual steps. Ask for b." in said
    assert (tmp_path / "a" / "a.csv").is_file()
    (tmp_path / "b").mkdir()
    (tmp_path / "b" / "b.csv").write_text("b", encoding="utf-8")
    assert main(["data", "get", "form", "both", "--data", str(tmp_path)]) == 0


def test_one_that_fails_does_not_keep_the_others_away(
    home: Home, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    gone = CorpusFacts(
        "gone", "Gone", home.url(""), "CC0", ("c/c.csv",), (Download(home.url("c.csv"), "c/c.csv"),)
    )
    monkeypatch.setitem(cli_data.CORPORA, "gone", gone)
    assert main(["data", "get", "gone", "open", "--data", str(tmp_path)]) == 2
    said = capsys.readouterr().err
    assert "evenhand train: 127.0.0.1 answered 404" in said
    assert (tmp_path / "a" / "a.csv").is_file()


def test_stopping_it_is_one_line(
    home: Home, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def stopped(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(cli_data, "download_corpus_file", stopped)
    assert main(["data", "get", "open", "--data", str(tmp_path)]) == 2
    assert "stopped. Run the same command again to resume." in capsys.readouterr().err


def test_a_wrong_call_is_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("EVENHAND_DATA", raising=False)
    assert main(["data", "get", "babe"]) == 2
    assert "No folder was named" in capsys.readouterr().err
    (tmp_path / "file").write_text("", encoding="utf-8")
    assert main(["data", "get", "babe", "--data", str(tmp_path / "file")]) == 2
    assert "is a file. Name a folder" in capsys.readouterr().err
    with pytest.raises(SystemExit) as left:
        main(["data", "get", "nothing", "--data", str(tmp_path)])
    assert left.value.code == 2
    assert main(["data", "inject", "--data", str(tmp_path)]) == 2
    assert "Name one with --out FILE" in capsys.readouterr().err
