"""What stands in WIKIBIAS's place keeps its parts apart, keeps pairs together, and tags what was injected."""

from __future__ import annotations

from pathlib import Path

import pytest
import spacy

from core.types import Kind
from tests.training.tiny_corpora import make_injected
from training.corpora.injected_pairs import write_injected
from training.corpora.wikibias import load_auto_tagged, load_tagged
from training.corpora.wikibias_proxy import ProxyCorpus, build_proxy, tag_injected, write_corpus
from training.text.near_duplicates import NearDuplicateIndex
from training.text.parsing import ParseTree, parse_trees
from training.types import BEGIN, INSIDE, OUTSIDE, CorpusError, Injected, InjectedEdit, TaggedSentence


@pytest.fixture(scope="module")
def injected(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_injected(tmp_path_factory.mktemp("injected") / "pairs.jsonl")


@pytest.fixture(scope="module")
def made(corpora: Path, injected: Path) -> ProxyCorpus:
    return build_proxy(corpora, injected=injected, nlp=None)


def parts(made: ProxyCorpus) -> dict[str, tuple[TaggedSentence, ...]]:
    return {"manual": made.manual, "auto": made.auto, "dev": made.dev, "test": made.test}


def test_both_sides_of_each_pair_stand_together(made: ProxyCorpus) -> None:
    for name, part in parts(made).items():
        assert part, name
        for source, target in zip(part[::2], part[1::2], strict=True):
            assert (source.original, target.original) == (True, False)
            assert source.group == target.group
            assert source.biased
            assert source.kinds
            assert not target.biased
            assert target.kinds == frozenset()
            assert set(target.tags) == {OUTSIDE}


def test_parts_share_no_group_and_nothing_near(made: ProxyCorpus) -> None:
    groups = [{sentence.group for sentence in part} for part in parts(made).values()]
    assert sum(map(len, groups)) == len(set().union(*groups))
    scored = NearDuplicateIndex(" ".join(sentence.tokens) for sentence in (*made.dev, *made.test))
    assert not any(scored.has_near_duplicate(" ".join(one.tokens)) for one in (*made.manual, *made.auto))


def test_an_eighth_of_the_pairs_is_dev_and_the_choice_is_always_the_same(
    made: ProxyCorpus, corpora: Path, injected: Path
) -> None:
    rows = (corpora / "wnc" / "pairs.train.tsv").read_text(encoding="utf-8").splitlines()
    assert len(made.dev) == 2 * ((len(rows) - 1) // 8)
    assert made == build_proxy(corpora, injected=injected, nlp=None)


def test_only_the_train_part_of_injected_pairs_is_taken(made: ProxyCorpus) -> None:
    assert len(made.auto) == 2 * 16
    source = made.auto[0]
    words = [token for token, tag in zip(source.tokens, source.tags, strict=True) if tag != OUTSIDE]
    assert " ".join(words) in ("clearly", "bravely", "of course", "sadly")
    assert all(token == token.lower() for token in source.tokens)


def test_a_near_duplicate_of_a_scored_sentence_is_left_out(
    corpora: Path, tmp_path: Path, made: ProxyCorpus
) -> None:
    biased = " ".join(made.test[0].tokens)
    neutral = " ".join(made.test[1].tokens)
    edit = InjectedEdit(0, 2, biased[:2], "", Kind.FRAMING, "editorialising")
    other = Injected(
        "A council met.",
        "A great council met.",
        (InjectedEdit(2, 7, "great", "", Kind.FRAMING, "x"),),
        "b",
        "train",
        "y",
    )
    write_injected(tmp_path / "near.jsonl", [Injected(neutral, biased, (edit,), "a", "train", "y"), other])
    assert {one.group for one in build_proxy(corpora, injected=tmp_path / "near.jsonl", nlp=None).auto} == {
        "b"
    }


def test_without_injected_pairs_there_is_no_auto_part_and_a_limit_caps(corpora: Path) -> None:
    made = build_proxy(corpora, injected=None, nlp=None, limit=2)
    assert made.auto == ()
    assert [len(part) for part in (made.manual, made.dev, made.test)] == [4, 4, 4]


def test_an_injected_edit_inside_a_word_tags_the_word() -> None:
    edits = (
        InjectedEdit(4, 15, "truly great", "", Kind.FRAMING, "x"),
        InjectedEdit(26, 28, "wo", "", Kind.DEMOGRAPHIC, "x"),
    )
    row = Injected("The chair-met men.", "The truly great chair-met women.", edits, "g", "train", "y")
    source, target = tag_injected(row)
    assert source.tokens == ("the", "truly", "great", "chair", "-", "met", "women", ".")
    assert source.tags == (OUTSIDE, BEGIN, INSIDE, OUTSIDE, OUTSIDE, OUTSIDE, BEGIN, OUTSIDE)
    assert source.kinds == {Kind.FRAMING, Kind.DEMOGRAPHIC}
    assert target.tokens == ("the", "chair", "-", "met", "men", ".")


def test_the_loaders_read_what_was_made(made: ProxyCorpus, tmp_path: Path) -> None:
    write_corpus(tmp_path, manual=made.manual, auto=made.auto, dev=made.dev, test=made.test)
    for part, sentences in (("train", made.manual), ("dev", made.dev), ("test", made.test)):
        found = load_tagged(tmp_path, part)
        assert [(one.tokens, one.tags, one.kinds) for one in found] == [
            (one.tokens, one.tags, one.kinds) for one in sentences
        ]
    assert [one.tags for one in load_auto_tagged(tmp_path)] == [one.tags for one in made.auto]


def test_trees_keep_the_tokens_and_want_a_parser() -> None:
    nlp = spacy.blank("en")
    with pytest.raises(CorpusError, match="no parser"):
        list(parse_trees([["a", "king"]], nlp))


def test_a_range_is_whole_where_one_word_hangs_outside() -> None:
    # he was by far the best king
    tree = ParseTree((1, 1, 5, 2, 6, 6, 1), ("PRON", "AUX", "ADP", "ADV", "DET", "ADJ", "NOUN"))
    assert tree.whole(2, 4)
    assert not tree.whole(2, 5)
    assert tree.whole(2, 7)
    assert (tree.type_of(2, 4), tree.type_of(4, 7), tree.type_of(0, 2)) == ("relational", "nominal", "verbal")
