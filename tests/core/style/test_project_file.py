"""Protects ``.evenhand.toml``: found upwards, the last override first, and a clear message for a wrong file."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.documents.types import Format
from core.style.library import StyleLibrary
from core.style.project import NAME, find_project, load_project, matches_glob
from core.style.toml_source import StyleError
from core.types import Finding, Kind


def write(folder: Path, text: str) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / NAME
    path.write_text(text, encoding="utf-8")
    return path


def test_the_nearest_project_file_upwards_is_used(tmp_path: Path) -> None:
    write(tmp_path, "")
    near = write(tmp_path / "a", "")
    draft = tmp_path / "a" / "b" / "draft.md"
    draft.parent.mkdir()
    project = find_project(draft)
    assert project is not None
    assert project.path == near


def test_the_last_override_that_says_something_wins(tmp_path: Path) -> None:
    text = """packs = ["one"]
sensitivity = 2

[[files]]
match = "news/**"
packs = ["two"]
kinds = ["framing", "style"]

[[files]]
match = "news/live/*.md"
packs = []
quotations = true
"""
    project = load_project(write(tmp_path, text))
    plain = project.options_for(tmp_path / "draft.md")
    news = project.options_for(tmp_path / "news" / "a.md")
    live = project.options_for(tmp_path / "news" / "live" / "b.md")
    assert (plain.packs, plain.kinds, plain.sensitivity, plain.quotations) == (("one",), None, 2, None)
    assert (news.packs, news.kinds) == (("two",), (Kind.FRAMING, Kind.STYLE))
    assert (live.packs, live.kinds, live.sensitivity, live.quotations) == (
        (),
        (Kind.FRAMING, Kind.STYLE),
        2,
        True,
    )


@pytest.mark.parametrize(
    ("name", "glob", "matches"),
    [
        ("a.md", "*.md", True),
        ("b/a.md", "*.md", True),
        ("b/a.md", "b/*.md", True),
        ("b/c/a.md", "b/*.md", False),
        ("b/c/a.md", "b/**", True),
        ("b/c/a.md", "**/a.md", True),
        ("a.md", "**/a.md", True),
        ("b/a.md", "c/**", False),
    ],
)
def test_globs(name: str, glob: str, matches: bool) -> None:
    assert matches_glob(name, glob) is matches


def test_include_and_exclude_choose_the_files_of_a_folder(tmp_path: Path) -> None:
    project = load_project(write(tmp_path, 'include = ["*.md"]\nexclude = ["old/**"]\n'))
    names = ("a.md", "b/a.md", "a.txt", "old/a.md")
    assert [project.is_wanted(tmp_path / name) for name in names] == [True, True, False, False]


def test_ignored_words_and_patterns_cover_whole_findings_only(tmp_path: Path) -> None:
    project = load_project(
        write(tmp_path, 'ignore_words = ["radical"]\nignore_patterns = ["shameful \\\\d+"]\n')
    )
    source = "A radical plan.\nThe shameful 7 and the shameful plan."

    def ignored(start: int, words: str) -> bool:
        at = source.index(words, start)
        return project.ignores(Finding(at, at + len(words), words, Kind.FRAMING, 1.0, False), source)

    assert ignored(0, "radical")
    assert ignored(0, "shameful")
    assert not ignored(35, "shameful")
    assert not ignored(0, "plan")


@pytest.mark.parametrize(
    ("text", "line", "reason"),
    [
        ("colour = 1\n", 1, "“colour” is not a key"),
        ('packs = ["a"]\nkinds = ["bias"]\n', 2, "“bias” is not a kind"),
        ("sensitivity = 40\n", 1, "from -12 to 12"),
        ('ignore_patterns = ["(("]\n', 1, "regular expression"),
        ('[[files]]\npacks = ["a"]\n', 1, "“match” is missing"),
        ('[[files]]\nmatch = "a"\nquotations = 1\n', 3, "true or false"),
        ("packs = \n", 1, "not TOML"),
    ],
)
def test_a_wrong_project_file_is_named_with_its_line(
    tmp_path: Path, text: str, line: int, reason: str
) -> None:
    path = write(tmp_path, text)
    with pytest.raises(StyleError) as caught:
        load_project(path)
    assert f"{path}, line {line}: " in str(caught.value)
    assert reason in str(caught.value)


PACK = (
    'name = "Desk"\nformats = ["wikitext"]\n[[rule]]\nid = "r"\nmessage = "m"\nterms = ["very", "rather"]\n'
)


def rules_for(library: StyleLibrary, path: Path | None, form: Format, **options: object) -> list[str]:
    style = library.for_draft(path, form, **options)  # type: ignore[arg-type]
    return [rule.key for rule in style.checker.matcher.rules]


def test_the_call_comes_before_the_project_and_the_project_before_the_person(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EVENHAND_HOME", str(tmp_path / "home"))
    monkeypatch.setattr("core.style.library.bundled_folder", lambda: tmp_path / "none")
    own = tmp_path / "home" / "style"
    own.mkdir(parents=True)
    for name in ("desk", "other"):
        text = PACK if name == "desk" else PACK.replace('formats = ["wikitext"]\n', "")
        (own / f"{name}.toml").write_text(text, encoding="utf-8")
    library = StyleLibrary()
    assert rules_for(library, None, Format.WIKITEXT) == ["desk/r"]
    assert rules_for(library, None, Format.MARKDOWN) == []
    assert rules_for(library, None, Format.MARKDOWN, choices={"other": True}) == ["other/r"]
    assert rules_for(library, None, Format.WIKITEXT, choices={"desk": False}) == []
    assert rules_for(library, None, Format.WIKITEXT, without=("desk/r",)) == []
    write(tmp_path / "site", 'packs = ["other", "house.toml"]\n')
    (tmp_path / "site" / "house.toml").write_text(PACK, encoding="utf-8")
    draft = tmp_path / "site" / "draft.wiki"
    assert rules_for(library, draft, Format.WIKITEXT) == ["other/r", "house/r"]
    assert rules_for(library, draft, Format.WIKITEXT, packs=("desk",)) == ["desk/r"]
    assert rules_for(library, draft, Format.WIKITEXT, packs=()) == []


def test_a_pack_that_changes_on_disk_is_read_again_and_a_missing_one_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EVENHAND_HOME", str(tmp_path / "home"))
    path = tmp_path / "house.toml"
    path.write_text(PACK, encoding="utf-8")
    library = StyleLibrary()
    names = (str(path), "none")
    before = library.for_draft(None, Format.PLAIN, packs=names)
    assert before.problems == ("There is no style pack “none”.",)
    assert library.for_draft(None, Format.PLAIN, packs=names).checker is before.checker
    path.write_text(PACK.replace("very", "extremely"), encoding="utf-8")
    (rule,) = library.for_draft(None, Format.PLAIN, packs=names).checker.matcher.rules
    assert rule.terms == ("extremely", "rather")
