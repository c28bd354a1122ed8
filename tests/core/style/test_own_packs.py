"""Protects a person's own packs: words flagged once, packs copied in, bundled ones never removed."""

from __future__ import annotations

from pathlib import Path

import pytest
from packs_on_disk import write_pack

from core.style.library import bundled_folder, own_folder, pack_paths
from core.style.matcher import StyleMatcher
from core.style.own_packs import OWN_WORDS, add_own_rule, import_pack, remove_pack
from core.style.packs import load_pack
from core.style.toml_source import StyleError


@pytest.fixture(autouse=True)
def _home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EVENHAND_HOME", str(tmp_path / "home"))


def test_flagged_words_become_rules_of_one_pack() -> None:
    add_own_rule('the "so called" expert', instead="the expert", reason="Our desk says so.")
    add_own_rule("Freedom  Fighter")
    add_own_rule("freedom-fighters")
    pack = load_pack(own_folder() / f"{OWN_WORDS}.toml")
    assert pack.problems == ()
    assert [rule.key for rule in pack.rules] == [
        f"{OWN_WORDS}/the-so-called-expert",
        f"{OWN_WORDS}/freedom-fighter",
        f"{OWN_WORDS}/freedom-fighters",
    ]
    assert pack.rules[0].replacements == ("the expert",)
    text = "A freedom fighter met the so called expert and Freedom Fighter Smith."
    assert len(StyleMatcher([pack]).matches(text)) == 3


@pytest.mark.parametrize(("words", "reason"), [("…", "at least one word"), ("FREEDOM fighter", "already")])
def test_what_cannot_be_flagged_is_said(words: str, reason: str) -> None:
    add_own_rule("freedom fighter")
    with pytest.raises(StyleError, match=reason):
        add_own_rule(words)


def test_a_damaged_pack_of_own_words_is_not_overwritten() -> None:
    path = own_folder() / f"{OWN_WORDS}.toml"
    path.parent.mkdir(parents=True)
    path.write_text("name = ", encoding="utf-8")
    with pytest.raises(StyleError, match="line 1"):
        add_own_rule("very")
    assert path.read_text(encoding="utf-8") == "name = "


def test_a_pack_is_copied_and_can_be_removed_and_a_bundled_one_cannot(tmp_path: Path) -> None:
    source = write_pack(tmp_path, '[[rule]]\nid = "r"\nmessage = "m"\nterms = ["very"]\n', "Our Desk")
    pack, problems = import_pack(source)
    assert (pack.id, problems) == ("our-desk", [])
    assert pack_paths()["our-desk"] == pack.path
    remove_pack(pack.path)
    assert "our-desk" not in pack_paths()
    with pytest.raises(StyleError, match="comes with Evenhand"):
        remove_pack(bundled_folder() / "words-to-watch.toml")


def test_a_file_that_is_no_pack_is_not_imported(tmp_path: Path) -> None:
    source = tmp_path / "bad.toml"
    source.write_text("name = ", encoding="utf-8")
    with pytest.raises(StyleError):
        import_pack(source)
    assert "bad" not in pack_paths()
