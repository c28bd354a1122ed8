"""Protects the import of Vale styles: existence and substitution become rules, the rest is named."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.style.matcher import StyleMatcher
from core.style.packs import Severity, load_pack
from core.style.toml_source import StyleError
from core.style.vale import import_vale

EXISTENCE = """extends: existence
message: "Avoid '%s'."
link: https://example.org
level: error
ignorecase: true
exceptions:
  - very large array
tokens:
  - very
  - rather (?:good|bad)
  - '(?<!x)y'
"""
SUBSTITUTION = """extends: substitution
message: "Use '%s' instead of '%s'."
swap:
  utilize: use
  "(?:e-mail|electronic mail)": email|mail
"""


@pytest.fixture
def style(tmp_path: Path) -> Path:
    folder = tmp_path / "House"
    folder.mkdir()
    (folder / "Weak Words.yml").write_text(EXISTENCE, encoding="utf-8")
    (folder / "Swap.yml").write_text(SUBSTITUTION, encoding="utf-8")
    (folder / "Length.yml").write_text("extends: occurrence\nmax: 30\n", encoding="utf-8")
    (folder / "Broken.yml").write_text("a: [1\nb: 2\n", encoding="utf-8")
    return folder


def test_rules_that_map_are_imported_and_the_others_named(style: Path) -> None:
    text, left_out = import_vale(style)
    path = style.parent / "house.toml"
    path.write_text(text, encoding="utf-8")
    pack = load_pack(path)
    assert pack.problems == ()
    by_key = {rule.key: rule for rule in pack.rules}
    weak = by_key["house/weak-words"]
    assert (weak.severity, weak.address, weak.message) == (
        Severity.ERROR,
        "https://example.org",
        "Avoid '{match}'.",
    )
    assert by_key["house/swap-2"].replacements == ("email", "mail")
    assert by_key["house/swap-2"].message == "Use 'email' instead of '{match}'."
    matcher = StyleMatcher([pack])
    sentence = "We utilize e-mail: Very good, rather bad, a very large array."
    assert [sentence[one.start : one.end] for one in matcher.matches(sentence)] == [
        "utilize",
        "e-mail",
        "Very",
        "rather bad",
    ]
    assert sorted(one.partition("House")[2][1:8] for one in left_out) == ["Broken.", "Length.", "Weak Wo"]
    assert "Broken.yml, line 2: this is not YAML." in "\n".join(left_out)


def test_a_folder_without_rules_is_said_in_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(StyleError, match="contains no Vale rules"):
        import_vale(tmp_path)
