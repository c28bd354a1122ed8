"""Protects the identity terms: well formed, the paper's fifty among them, every form one term's, no insult."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from core.engine.cue_classes import LexiconError
from core.stereotypes.generalisation import Generaliser
from core.stereotypes.identity_terms import GROUPS, load_identity_terms


def test_there_are_some_hundreds_in_every_group() -> None:
    terms = load_identity_terms()
    assert len(terms) > 300
    for group in GROUPS:
        assert sum(term.group == group for term in terms) >= 10, group


def test_the_papers_list_is_whole() -> None:
    words = [term.paper for term in load_identity_terms() if term.paper]
    assert len(words) == len(set(words)) == 50
    assert {"lesbian", "african american", "middle eastern", "jewish", "middle aged", "paralyzed"} <= set(
        words
    )


def test_a_paper_word_is_a_form_of_its_term() -> None:
    known = Generaliser.load()
    for term in load_identity_terms():
        if term.paper:
            assert known.term(term.paper) == term


def test_a_form_belongs_to_one_term() -> None:
    seen: dict[str, str] = {}
    for term in load_identity_terms():
        for form in term.forms:
            assert seen.setdefault(form.casefold(), term.group) == term.group, form


@pytest.mark.parametrize(
    "rows",
    [
        "no json",
        "[]",
        json.dumps({"terms": [{"term": "x", "group": "shoe size", "plural": "xs"}]}),
        json.dumps({"terms": [{"term": "x", "group": "faith"}]}),
        json.dumps({"terms": [{"term": "x", "group": "faith", "plural": "xs", "colour": 1}]}),
        json.dumps({"terms": [{"group": "faith", "plural": "xs"}]}),
    ],
)
def test_a_damaged_list_gives_a_one_line_error(tmp_path: Path, rows: str) -> None:
    path = tmp_path / "identity_terms.json"
    path.write_text(rows, encoding="utf-8")
    with pytest.raises(LexiconError, match="Reinstall Evenhand") as told:
        load_identity_terms(path)
    assert "\n" not in str(told.value)
    with pytest.raises(LexiconError):
        load_identity_terms(tmp_path / "nowhere.json")
