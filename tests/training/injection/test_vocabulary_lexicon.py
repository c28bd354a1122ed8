"""The table of known replacements that the app ships is the one that the rules' own tables give."""

from __future__ import annotations

from pathlib import Path

from resources import ROOT
from training.injection import vocabulary


def test_the_shipped_table_is_the_one_that_is_made(tmp_path: Path) -> None:
    vocabulary.write_lexicon(tmp_path / "made.tsv")
    shipped = ROOT / "lexicons" / "replacements.tsv"
    assert shipped.read_text(encoding="utf-8") == (tmp_path / "made.tsv").read_text(encoding="utf-8")


def test_words_come_in_the_form_of_the_loaded_one() -> None:
    found = {loaded: (neutral.split("|"), part) for loaded, neutral, part in vocabulary.lexicon_rows()}
    assert found["slammed"][0][0] == "criticized"
    assert found["admits"][0][0] == "says"
    assert "died" in found["passed away"][0]
    assert "shot" in found["murdered"][0]
    assert found["policemen"] == (["police officers"], "other")
    assert found["slammed"][1] == "verb"


def test_what_may_be_a_noun_is_not_answered_with_a_verb() -> None:
    found = {loaded: neutral.split("|") for loaded, neutral, _ in vocabulary.lexicon_rows()}
    assert found["mob"][:2] == ["crowd", "group"]
    assert "kill" not in found["murder"]
