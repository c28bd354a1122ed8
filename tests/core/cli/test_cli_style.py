"""Protects house style on the command line: packs, project files, folders, changed lines, annotations."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

Call = Callable[..., tuple[int, str, str]]

PACK = """name = "Desk"

[[rule]]
id = "meeting"
message = "Write session, not “{match}”."
severity = "error"
terms = ["meeting"]
forms = "noun"
replacement = "session"
match = ["The meeting is on Monday."]
pass = ["They met on Monday."]
"""
BIASED = "The senator said this shameful policy."

pytestmark = pytest.mark.usefixtures("tiny_models")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working folder, with a pack and a draft."""
    (tmp_path / "desk.toml").write_text(PACK, encoding="utf-8")
    (tmp_path / "draft.md").write_text(f"The meetings are new.\n\n{BIASED}\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("EVENHAND_HOME", str(tmp_path / "home"))
    return tmp_path


def found(out: str) -> list[tuple[str, str]]:
    return [(one["kind"], one["text"]) for one in json.loads(out)["files"][0]["findings"]]


def test_a_pack_is_named_by_its_file(call: Call) -> None:
    code, out, err = call("check", "--style", "desk.toml", "--format", "json", "draft.md")
    assert (code, err) == (1, "")
    assert ("style", "meetings") in found(out)
    (rule,) = [one for one in json.loads(out)["files"][0]["findings"] if one["kind"] == "style"]
    assert rule["style"]["rule"] == "desk/meeting"
    assert rule["style"]["replacements"] == ["sessions"]


def test_without_a_pack_and_with_other_kinds_there_is_no_style_finding(call: Call) -> None:
    for more in ((), ("--style", "none"), ("--style", "desk.toml", "--kinds", "framing")):
        _, out, _ = call("check", *more, "--format", "json", "draft.md")
        assert [kind for kind, _ in found(out)] == ["framing"]
        assert "style" not in json.loads(out)["files"][0]["summary"]
    _, out, _ = call("check", "--style", "desk.toml", "--kinds", "style", "--format", "json", "draft.md")
    assert found(out) == [("style", "meetings")]


def test_the_project_file_names_packs_kinds_and_ignored_words(call: Call, folder: Path) -> None:
    (folder / ".evenhand.toml").write_text(
        'packs = ["desk.toml"]\nignore_words = ["shameful"]\n', encoding="utf-8"
    )
    _, out, _ = call("check", "--format", "json", "draft.md")
    assert found(out) == [("style", "meetings")]
    assert json.loads(out)["files"][0]["summary"]["kinds"]["framing"] == 0


def test_a_wrong_project_file_fails_its_files_and_a_missing_pack_is_said_once(
    call: Call, folder: Path
) -> None:
    (folder / "other.md").write_text("Nothing.\n", encoding="utf-8")
    code, _, err = call("check", "--style", "none-such", "draft.md", "other.md")
    assert (code, err.count("There is no style pack")) == (1, 1)
    (folder / ".evenhand.toml").write_text("kinds = 3\n", encoding="utf-8")
    code, _, err = call("check", "draft.md")
    assert code == 2
    assert ".evenhand.toml, line 1: “kinds” must be a list of texts." in err


def test_fix_writes_the_one_suggestion_of_a_rule(call: Call, folder: Path) -> None:
    code, _, err = call("check", "--fix", "--style", "desk.toml", "draft.md")
    assert (code, err) == (0, "evenhand: draft.md: 2 places were changed.\n")
    text = (folder / "draft.md").read_text(encoding="utf-8")
    assert text == "The sessions are new.\n\nThe senator said this policy.\n"


def test_folders_and_globs_are_read_without_hidden_files(call: Call, folder: Path) -> None:
    for name in ("a/one.md", "a/b/two.txt", "a/.git/three.md", "a/picture.png"):
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("The law is new.\n", encoding="utf-8")

    def paths(*arguments: str) -> list[str]:
        _, out, _ = call("check", "--format", "json", *arguments)
        return [one["path"] for one in json.loads(out)["files"]]

    names = [str(Path("a/one.md")), str(Path("a/b/two.txt"))]
    assert paths("a") == names
    assert paths("a/**/*.*t") == names[1:]
    (folder / "a" / ".evenhand.toml").write_text('exclude = ["b/**"]\n', encoding="utf-8")
    assert paths("a") == names[:1]


def test_a_folder_and_a_glob_without_files_are_errors(call: Call, folder: Path) -> None:
    (folder / "empty").mkdir()
    assert call("check", "empty")[0] == 2
    code, _, err = call("check", "x*.md")
    assert (code, err) == (2, "evenhand: x*.md: No file matches this pattern.\n")


def test_only_changed_lines_are_reported(call: Call, folder: Path) -> None:
    def git(*arguments: str) -> None:
        identity = ("-c", "user.name=a", "-c", "user.email=a@b")
        subprocess.run(["git", *identity, *arguments], check=True, capture_output=True, cwd=folder)

    git("init", "-q")
    git("add", "draft.md")
    git("commit", "-qm", "draft")
    _, out, _ = call("check", "--changed-since", "HEAD", "--format", "json", "draft.md")
    assert found(out) == []
    (folder / "draft.md").write_text(f"The meetings are new.\n\nOne.\n\n{BIASED}\n", encoding="utf-8")
    git("commit", "-qam", "more")
    (folder / "draft.md").write_text(f"The meetings are new.\n\nOne.\n\n{BIASED} Two.\n", encoding="utf-8")
    _, out, _ = call(
        "check", "--changed-since", "HEAD~1", "--style", "desk.toml", "--format", "json", "draft.md"
    )
    assert found(out) == [("framing", "shameful")]
    code, _, err = call("check", "--changed-since", "nowhere", "draft.md")
    assert code == 2
    assert "there is no commit 'nowhere'" in err


def test_annotations_and_sarif_name_the_rule_with_its_severity(call: Call) -> None:
    code, out, _ = call("check", "--style", "desk.toml", "--kinds", "style", "--format", "github", "draft.md")
    assert code == 1
    assert out == (
        "::error file=draft.md,line=1,endLine=1,col=5,endColumn=13,title=Desk::"
        "Write session, not “meetings”. (Style pack: Desk)\n"
    )
    _, out, _ = call("check", "--style", "desk.toml", "--kinds", "style", "--format", "sarif", "draft.md")
    (run,) = json.loads(out)["runs"]
    (result,) = run["results"]
    rule = run["tool"]["driver"]["rules"][result["ruleIndex"]]
    assert (rule["id"], result["level"]) == ("style/desk/meeting", "error")
    assert rule["properties"]["tags"] == ["style", "desk"]


def test_style_check_runs_the_sentences_of_a_pack(call: Call, folder: Path) -> None:
    assert call("style", "check", "desk.toml") == (0, "Desk: 1 rules, 2 sentences, 0 problems\n", "")
    wrong = PACK.replace("They met", "The meeting was").replace("The meeting is", "It is")
    (folder / "desk.toml").write_text(wrong, encoding="utf-8")
    code, out, err = call("style", "check", "desk.toml")
    assert (code, out) == (1, "Desk: 1 rules, 2 sentences, 2 problems\n")
    assert "desk/meeting does not match: It is on Monday." in err
    assert "desk/meeting matches “meeting” in: The meeting was on Monday." in err
    assert call("style", "check", "none-such")[0] == 2


def test_style_import_makes_a_pack_of_a_vale_style(call: Call, folder: Path) -> None:
    vale = folder / "House"
    vale.mkdir()
    (vale / "Weak.yml").write_text("extends: existence\ntokens: [very]\n", encoding="utf-8")
    assert call("style", "import", "House", "--out", "house.toml")[0] == 0
    assert call("style", "check", "house.toml")[1] == "House: 1 rules, 0 sentences, 0 problems\n"
    code, _, err = call("style", "import", "home", "--out", "x.toml")
    assert (code, err) == (2, "evenhand: home contains no Vale rules (.yml).\n")
