"""Protects the packs that come with Evenhand: they load, their sentences pass, and they are on where they should be."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.cli.style import sentence_problems
from core.documents.types import Format
from core.style.library import StyleLibrary, bundled_folder
from core.style.matcher import StyleMatcher
from core.style.packs import load_pack

PACKS = sorted(bundled_folder().glob("*.toml"))
WORDS_TO_WATCH = bundled_folder() / "words-to-watch.toml"


def test_there_are_six_packs() -> None:
    assert [path.stem for path in PACKS] == [
        "conflict-and-crime",
        "gender-neutral",
        "immigration",
        "machine-prose",
        "people-first",
        "words-to-watch",
    ]


@pytest.mark.parametrize("path", PACKS, ids=lambda path: path.stem)
def test_a_pack_is_sound_and_its_sentences_pass(path: Path) -> None:
    pack = load_pack(path)
    assert pack.problems == ()
    assert sentence_problems(pack) == []
    assert pack.name
    assert pack.description
    assert pack.address.startswith("https://")
    for rule in pack.rules:
        assert rule.must_match, rule.key
        assert rule.must_pass, rule.key
        assert rule.reason, rule.key


def test_words_to_watch_is_on_in_wikitext_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EVENHAND_HOME", str(tmp_path))
    library = StyleLibrary()
    for form in Format:
        expected = ("words-to-watch",) if form is Format.WIKITEXT else ()
        assert library.default_packs(form, {}) == expected


CATEGORIES = {
    "puffery": "She is a legendary singer.",
    "label": "The cult leader spoke on Monday.",
    "unsupported": "Some critics say that the film is slow.",
    "doubt": "The so-called reform began in May.",
    "editorializing": "Tragically, the house burned down.",
    "said": "The minister pointed out that rents had risen.",
    "euphemism": "He passed away in 1998.",
    "cliche": "The firm took the lion’s share of the market.",
    "time": "The bridge was recently repaired.",
    "place": "The film is well known in this country.",
    "survived": "He is survived by his wife.",
    "office": "The treaty was made with the help of the King.",
    "neologism": "The book is about ecofascism.",
    "confused": "She was prime minister of England from 1979.",
    "vulgarity": "It was a shitty plan.",
    "reader": "Note that the bridge is closed in winter.",
}


@pytest.mark.parametrize(("category", "sentence"), CATEGORIES.items(), ids=CATEGORIES)
def test_every_category_of_words_to_watch_has_a_rule(category: str, sentence: str) -> None:
    matches = StyleMatcher([load_pack(WORDS_TO_WATCH)]).matches(sentence)
    assert [one.rule.key.partition("/")[2].startswith(category) for one in matches] == [True]
