"""Protects who feeds SARIF to a code host: the shape of the standard, places that hold, and names that stay."""

from __future__ import annotations

import io
import json
import os
import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest

from core.cli import main
from core.engine.cues import Lexicon
from core.reports.sarif import path_to_uri
from core.types import KINDS
from tests.core.formats.test_formats_loader import docx

BIASED = "The law is new.\r\n🙂 The chairman reveals a shameful record.\n“A shameful law.”\n"
LEVELS = {"none", "note", "warning", "error"}
RESULT = {
    *("ruleId", "ruleIndex", "level", "rank", "message", "locations", "partialFingerprints", "suppressions"),
    *("properties", "fixes"),
}


@pytest.fixture(autouse=True)
def _tiny(tiny_bundle: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("core.engine.engine.bundled_reader", lambda: tiny_bundle)


@pytest.fixture
def run(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Callable[..., dict[str, Any]]:
    """The one run of ``evenhand check --format sarif`` in an empty folder, its shape checked."""
    monkeypatch.chdir(tmp_path)

    def check(*argv: str) -> dict[str, Any]:
        main.main(["check", "--format", "sarif", *argv])
        log = json.loads(capsys.readouterr().out)
        assert log["version"] == "2.1.0"
        assert log["$schema"].endswith("sarif-schema-2.1.0.json")
        (one,) = log["runs"]
        check_run(one)
        return dict(one)

    return check


def check_run(run: dict[str, Any]) -> None:
    """The parts of the schema that matter: what must be there, what refers to what, and what is counted from where."""
    assert run.keys() == {"tool", "invocations", "artifacts", "columnKind", "newlineSequences", "results"}
    assert run["columnKind"] == "unicodeCodePoints"
    driver = run["tool"]["driver"]
    assert driver["name"] == "Evenhand"
    assert driver["version"]
    names = [rule["id"] for rule in driver["rules"]]
    assert len(names) == len(set(names))
    for rule in driver["rules"]:
        assert rule["shortDescription"]["text"]
        assert rule["fullDescription"]["text"]
        assert rule["defaultConfiguration"]["level"] in LEVELS
        assert re.fullmatch(r"https://\S+", rule.get("helpUri", "https://x"))
    (invocation,) = run["invocations"]
    assert isinstance(invocation["executionSuccessful"], bool)
    for told in invocation["toolExecutionNotifications"]:
        assert told["level"] in LEVELS
        assert told["message"]["text"]
    addresses = [artifact.get("location", {}).get("uri") for artifact in run["artifacts"]]
    assert len(addresses) == len(set(addresses))
    for artifact, address in zip(run["artifacts"], addresses, strict=True):
        if address is None:
            assert artifact["description"]["text"]
        else:
            assert re.fullmatch(r"[A-Za-z0-9._~%/:-]+", address)
            assert not {".", ".."} & set(address.split("/"))
            assert address != "-"
    for result in run["results"]:
        assert result.keys() <= RESULT
        assert names[result["ruleIndex"]] == result["ruleId"]
        assert result["level"] in LEVELS
        assert 0 <= result["rank"] <= 100
        assert result["message"]["text"]
        assert all(isinstance(value, str) for value in result["partialFingerprints"].values())
        assert result["suppressions"] == []
    for place in places(run):
        assert place.keys() <= {"uri", "index"}
        assert addresses[place["index"]] == place.get("uri")
    for region in regions(run):
        assert region["startLine"] >= 1
        assert region["startColumn"] >= 1
        assert (region["endLine"], region["endColumn"]) >= (region["startLine"], region["startColumn"])
        assert region["charOffset"] >= 0
        assert region["charLength"] >= 0


def found(node: object, name: str) -> Iterator[Any]:
    """Every value of that name, however deep."""
    if isinstance(node, dict):
        for key, value in node.items():
            if key == name:
                yield value
            yield from found(value, name)
    elif isinstance(node, list):
        for value in node:
            yield from found(value, name)


def places(run: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Every artifact location that refers to an artifact."""
    yield from found(run, "artifactLocation")


def regions(run: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Every region of a result and of a fix."""
    yield from found(run, "region")
    yield from found(run, "deletedRegion")


def cut(source: str, region: dict[str, Any]) -> tuple[str, str]:
    """What a region holds, by its offset and by its line and columns."""
    lines = re.split(r"(?<=\n)|(?<=\r)(?!\n)", source)
    assert region["startLine"] == region["endLine"]
    by_line = lines[region["startLine"] - 1][region["startColumn"] - 1 : region["endColumn"] - 1]
    return source[region["charOffset"] : region["charOffset"] + region["charLength"]], by_line


def test_a_result_says_what_where_and_why(run: Callable[..., dict[str, Any]], tmp_path: Path) -> None:
    (tmp_path / "draft.txt").write_bytes(BIASED.encode())
    one = run("draft.txt")
    assert [cut(BIASED, region) for region in regions(one)] == [
        (word, word) for word in ("chairman", "reveals", "shameful")
    ]
    first = one["results"][0]
    assert first["ruleId"] == "gendered_default"
    assert first["message"]["text"].startswith(
        "“chairman” reads as demographic. “chairman” is a gendered default"
    )
    assert first["properties"]["kind"] == "demographic"
    assert first["level"] == "warning"
    assert one["invocations"] == [
        {"executionSuccessful": True, "exitCode": 1, "toolExecutionNotifications": []}
    ]
    assert one["artifacts"][0]["mimeType"] == "text/plain"
    assert one["tool"]["driver"]["properties"]["reader"] == "reader tiny 0.1"


def test_rules_are_the_kinds_and_the_cue_classes(run: Callable[..., dict[str, Any]], tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("The law.", encoding="utf-8")
    rules = run("a.md")["tool"]["driver"]["rules"]
    lexicon = Lexicon.load()
    assert [rule["id"] for rule in rules] == [*(kind.value for kind in KINDS), *lexicon.classes]
    with_guides = [rule for rule in rules if "helpUri" in rule]
    assert any(rule["helpUri"] == "https://en.wikipedia.org/wiki/MOS:GNL" for rule in with_guides)
    assert {rule["properties"]["tags"][0] for rule in rules} == {kind.value for kind in KINDS}


def test_the_guide_classes_are_rules_where_the_reader_tells_them(
    run: Callable[..., dict[str, Any]], tmp_path: Path, class_bundle: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("core.engine.engine.bundled_reader", lambda: class_bundle)
    (tmp_path / "draft.txt").write_bytes(BIASED.encode())
    one = run("draft.txt")
    assert [result["ruleId"] for result in one["results"]] == [
        "demographic/gendered_default",
        "epistemological/factive_verb",
        "framing/judgement",
    ]
    lexicon = Lexicon.load()
    label = lexicon.guide_classes["gendered_default"]
    assert one["results"][0]["message"]["text"].startswith(
        f"“chairman” reads as demographic. {label.text} “chairman” is a gendered default"
    )
    rules = one["tool"]["driver"]["rules"][len(KINDS) + len(lexicon.classes) :]
    assert [rule["id"] for rule in rules] == [
        f"{one.kind.value}/{key}" for key, one in lexicon.guide_classes.items()
    ]
    assert [rule["helpUri"] for rule in rules if rule["id"].endswith("group_term")] == [
        "https://en.wikipedia.org/wiki/MOS:IDENTITY"
    ]


def test_quoted_findings_are_notes(run: Callable[..., dict[str, Any]], tmp_path: Path) -> None:
    (tmp_path / "draft.txt").write_bytes(BIASED.encode())
    assert [one["level"] for one in run("draft.txt", "--include-quotes")["results"]] == ["warning"] * 3 + [
        "note"
    ]


def test_files_that_fail_are_reported(run: Callable[..., dict[str, Any]], tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("<!-- evenhand of -->\n\nA shameful law.\n", encoding="utf-8")
    one = run("missing.md", "a.md")
    (invocation,) = one["invocations"]
    assert (invocation["executionSuccessful"], invocation["exitCode"]) == (False, 2)
    assert [told["level"] for told in invocation["toolExecutionNotifications"]] == ["error", "note"]
    assert [artifact["location"]["uri"] for artifact in one["artifacts"]] == ["missing.md", "a.md"]
    assert len(one["results"]) == 1
    assert run("missing.md")["results"] == []
    assert len(run("a.md", "a.md")["results"]) == 2


def test_words_of_a_page_stand_in_its_source(run: Callable[..., dict[str, Any]], tmp_path: Path) -> None:
    page = "<p>The law.</p>\n<p>A &amp; <b>shame</b>ful\n  law: shameful.</p>\n"
    (tmp_path / "page.html").write_text(page, encoding="utf-8")
    first, second = regions(run("page.html"))
    assert cut(page, second) == ("shameful", "shameful")
    assert page[first["charOffset"] : first["charOffset"] + first["charLength"]] == "shame</b>ful"
    assert (first["startLine"], first["startColumn"]) == (2, 15)


def test_words_of_a_word_document_have_their_paragraph(
    run: Callable[..., dict[str, Any]], tmp_path: Path
) -> None:
    (tmp_path / "a.docx").write_bytes(docx("A shameful law."))
    (location,) = run("a.docx")["results"][0]["locations"]
    assert "region" not in location["physicalLocation"]
    assert location["logicalLocations"] == [{"fullyQualifiedName": "paragraph 1"}]
    assert location["properties"] == {"textOffset": 2, "textLength": 8}


def test_suggestions_are_fixes(
    run: Callable[..., dict[str, Any]], tmp_path: Path, tiny_rewriter: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("core.rewriting.rewriter.bundled_rewriter", lambda: tiny_rewriter)
    source = "The law is new.\r\n\r\nThe senator said this shameful policy.\n"
    (tmp_path / "draft.txt").write_bytes(source.encode())
    (result,) = run("draft.txt", "--suggest", "2")["results"]
    assert len(result["fixes"]) == 2
    (change,) = result["fixes"][0]["artifactChanges"]
    assert change["artifactLocation"] == result["locations"][0]["physicalLocation"]["artifactLocation"]
    text = source
    for one in reversed(change["replacements"]):
        start, length = one["deletedRegion"]["charOffset"], one["deletedRegion"]["charLength"]
        text = text[:start] + one["insertedContent"]["text"] + text[start + length :]
    assert text == "The law is new.\r\n\r\nThe senator said this policy.\n"


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("a b.md", "a%20b.md"),
        ("docs/é 漢.md", "docs/%C3%A9%20%E6%BC%A2.md"),
        ("a:b#c?d%.md", "a%3Ab%23c%3Fd%25.md"),
        ("./x.md", "x.md"),
        ("docs/../x.md", "x.md"),
        ("docs//a/./x.md", "docs/a/x.md"),
    ],
)
def test_a_path_is_a_relative_uri(path: str, expected: str) -> None:
    assert path_to_uri(path, Path.cwd()) == expected
    assert unquote(expected) == os.path.normpath(path).replace(os.sep, "/")


def test_a_file_of_the_repository_has_its_address_there(
    run: Callable[..., dict[str, Any]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / ".git").mkdir()
    for folder in ("news", "desk"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "a.md").write_text("A shameful law.", encoding="utf-8")
    monkeypatch.chdir(tmp_path / "news")
    names = ("a.md", "../desk/a.md", str(tmp_path / "desk" / "a.md"))
    one = run(*names)
    assert [artifact["location"]["uri"] for artifact in one["artifacts"]] == ["news/a.md", "desk/a.md"]
    assert [place["uri"] for result in one["results"] for place in places(result)] == [
        "news/a.md",
        "desk/a.md",
        "desk/a.md",
    ]


def test_a_file_outside_the_repository_has_a_whole_address(
    run: Callable[..., dict[str, Any]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "x.txt").write_bytes(BIASED.encode())
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    one = run("../x.txt", "../missing.txt")
    assert [artifact["location"]["uri"] for artifact in one["artifacts"]] == [
        (tmp_path / name).as_uri() for name in ("x.txt", "missing.txt")
    ]
    assert len(one["results"]) == 3


def test_standard_input_has_no_address(
    run: Callable[..., dict[str, Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"A shameful law.\n")))
    one = run("-")
    assert list(places(one["results"])) == [{"index": 0}]
    assert one["artifacts"][0]["description"] == {"text": "standard input"}
    assert [region["startColumn"] for region in regions(one)] == [3]


def test_an_absolute_path_is_relative_where_it_can_be(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert path_to_uri(str(tmp_path / "docs" / "a b.md"), tmp_path) == "docs/a%20b.md"
    assert path_to_uri(str(tmp_path.parent / "x.md"), tmp_path).startswith("file:///")


@pytest.mark.skipif(os.name == "nt" or sys.platform == "darwin", reason="file names of any bytes")
def test_a_name_of_any_bytes_is_a_uri() -> None:
    assert path_to_uri(os.fsdecode(b"a\xff.md"), Path.cwd()) == "a%FF.md"
