"""spaCy as a tagger of token rows: the same tokens come back tagged; a model that cannot do it is told in a line."""

from __future__ import annotations

from pathlib import Path

import pytest
import spacy

from training.papers.stereotype_removal.replacement import Tag, spacy_tagger
from training.types import CorpusError


def make_model(folder: Path) -> Path:
    """An English pipeline whose words are all nouns but *gay*, an adjective."""
    nlp = spacy.blank("en")
    nlp.add_pipe("tagger").add_label("X")  # type: ignore[attr-defined]
    nlp.add_pipe("ner").add_label("NORP")  # type: ignore[attr-defined]
    nlp.initialize()
    ruler = nlp.add_pipe("attribute_ruler")
    ruler.add(patterns=[[{}]], attrs={"POS": "NOUN"})  # type: ignore[attr-defined]
    ruler.add(patterns=[[{"ORTH": "gay"}]], attrs={"POS": "ADJ"})  # type: ignore[attr-defined]
    nlp.to_disk(folder)
    return folder


def test_every_token_of_every_row_has_a_tag(tmp_path: Path) -> None:
    tagger = spacy_tagger(str(make_model(tmp_path / "model")))
    rows = [("gay", "don't", "@abc"), (), ("<url>",)]
    tagged = tagger(rows)
    assert [len(tags) for tags in tagged] == [3, 0, 1]
    assert [tag.pos for tag in tagged[0]] == ["ADJ", "NOUN", "NOUN"]
    assert all(tag.entity in ("", "NORP") for tags in tagged for tag in tags)
    assert isinstance(tagged[2][0], Tag)
    assert tagger([]) == []


def test_a_model_without_a_tagger_or_entities_is_refused(tmp_path: Path) -> None:
    spacy.blank("en").to_disk(tmp_path / "blank")
    with pytest.raises(CorpusError, match="has no tagger or no entity recogniser"):
        spacy_tagger(str(tmp_path / "blank"))
    with pytest.raises(CorpusError, match="is no spaCy model"):
        spacy_tagger("no_such_model")
