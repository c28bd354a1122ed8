"""Protects the model's side: the same answer alone and in company, nothing cut, damage told in a clear line."""

from __future__ import annotations

import json
import shutil
import threading
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.bundles.manifest import BundleError, MissingBundleError
from core.bundles.reader import load_reader_bundle
from core.bundles.rewriter import DEFAULT_RANKING, DEFAULT_SCORE_THRESHOLD, load_rewriter_bundle
from core.rewriting.rewriter import (
    ACCEPTANCE_QUESTION,
    ANSWER,
    DELETE,
    TARGET_END,
    TARGET_START,
    AcceptanceRequest,
    Proposals,
    Rewriter,
    RewriteRequest,
    SentenceTooLong,
)
from tests.tiny_rewriter import LIKED, describe_rewriter, make_random

SENTENCE = "The senator said this shameful policy."
ASK = RewriteRequest(SENTENCE, 22, 30)


@pytest.fixture(scope="module")
def random_rewriter(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A rewriter whose answers depend on the sentence."""
    return make_random(tmp_path_factory.mktemp("random") / "rewriter", max_tokens=100)


@pytest.fixture
def spoiled(tiny_rewriter: Path, tmp_path: Path) -> Path:
    """A copy that the test may spoil."""
    return Path(shutil.copytree(tiny_rewriter, tmp_path / "rewriter"))


def test_answers_come_with_their_odds(rewriter: Rewriter) -> None:
    (answer,) = rewriter.propose([ASK], 5)
    assert answer.keep == pytest.approx(0.05, abs=0.005)
    assert [words for words, _ in answer.items] == ["", "said", "person", "new"]
    assert [share for _, share in answer.items] == pytest.approx([0.4, 0.3, 0.15, 0.1], abs=0.01)


def test_words_are_judged_beside_the_marked_ones(rewriter: Rewriter) -> None:
    asked = [AcceptanceRequest(*ASK, words) for words in ("new", "")]
    worded, out = (rewriter._acceptance_source(one) for one in asked)
    assert worded.prompt == (*rewriter._source(ASK).prompt, "new", ACCEPTANCE_QUESTION)
    assert out.prompt[-2:] == (DELETE, ACCEPTANCE_QUESTION)
    assert rewriter.judge_acceptance(asked) == pytest.approx([LIKED, LIKED], abs=0.02)
    assert rewriter.judge_acceptance([]) == []


def test_a_bundle_says_whether_it_judges_acceptance(tiny_rewriter: Path, spoiled: Path) -> None:
    assert not load_rewriter_bundle(tiny_rewriter).judges_acceptance
    describe_rewriter(spoiled, judges_wordings=True)
    assert load_rewriter_bundle(spoiled).judges_acceptance


def test_keep_is_bounded_where_it_is_not_among_the_best(tiny_rewriter: Path) -> None:
    (answer,) = Rewriter.load(tiny_rewriter).propose([ASK], 1)
    assert len(answer.items) == 1
    assert 0.05 <= answer.keep <= answer.items[0].probability


def test_the_encoder_reads_the_sentence_and_the_prompt_marks_the_flagged_words(rewriter: Rewriter) -> None:
    source = rewriter._source(RewriteRequest("A SHAMEFUL, new law.", 2, 10))
    assert source.sentence[:4] == ("[CLS]", "a", "shameful", ",")
    assert source.sentence[-1] == "[SEP]"
    assert source.prompt == ("a", TARGET_START, "shameful", TARGET_END, ",", "new", "law", ".", ANSWER)


def rounded(answer: Proposals) -> tuple[float, list[tuple[str, float]]]:
    """An answer up to the last digits, which depend on the shape of a matrix."""
    return round(answer.keep, 4), [(words, round(share, 3)) for words, share in answer.items]


@settings(max_examples=15, deadline=None)
@given(st.lists(st.integers(0, 6), min_size=1, max_size=6))
def test_company_does_not_matter(random_rewriter: Path, sizes: list[int]) -> None:
    asks = [
        RewriteRequest(f"The law {'to the people ' * size}of this shameful policy.", 0, 7) for size in sizes
    ]
    together = Rewriter.load(random_rewriter).propose(asks, 4)
    alone = Rewriter.load(random_rewriter)
    assert list(map(rounded, together)) == [rounded(alone.propose([ask], 4)[0]) for ask in asks]


def test_what_was_asked_before_is_remembered(tiny_rewriter: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rewriter = Rewriter.load(tiny_rewriter)
    first = rewriter.propose([ASK], 3)
    monkeypatch.setattr(rewriter, "_translator", None)
    assert rewriter.propose([ASK, ASK], 3) == [first[0], first[0]]


def test_several_threads_may_ask_at_once(tiny_rewriter: Path) -> None:
    rewriter = Rewriter.load(tiny_rewriter)
    answers: list[list[Proposals]] = []
    threads = [threading.Thread(target=lambda: answers.append(rewriter.propose([ASK], 4))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(answers) == 4
    assert all([words for words, _ in one[0].items] == ["", "said", "person", "new"] for one in answers)


def test_a_sentence_is_never_cut(rewriter: Rewriter) -> None:
    with pytest.raises(SentenceTooLong):
        rewriter.propose([ASK, RewriteRequest("the law " * 40, 0, 3)], 3)


@pytest.mark.parametrize("text", ["[CLS] law", "[unused3] law", "\ud800 law", "🙂 law", "\u200b law"])
def test_strange_text_is_only_text(rewriter: Rewriter, text: str) -> None:
    (answer,) = rewriter.propose([RewriteRequest(text, len(text) - 3, len(text))], 2)
    assert answer.items


def test_words_without_a_piece_are_kept(rewriter: Rewriter) -> None:
    assert rewriter.propose([RewriteRequest("law \u200b", 4, 5)], 2) == [Proposals(1.0, ())]


def test_a_missing_bundle_says_how_to_get_it(tmp_path: Path) -> None:
    with pytest.raises(
        MissingBundleError, match=r"no rewriter in .*Findings still work.*evenhand train rewriter"
    ):
        Rewriter.load(tmp_path / "none")


@pytest.mark.parametrize("name", ["model.bin", "config.json", "shared_vocabulary.json", "tokenizer.json"])
def test_one_changed_byte_is_damage(spoiled: Path, name: str) -> None:
    data = bytearray((spoiled / name).read_bytes())
    data[len(data) // 2] ^= 1
    (spoiled / name).write_bytes(data)
    with pytest.raises(BundleError, match=rf"damaged: {name} does not match its checksum"):
        load_rewriter_bundle(spoiled)


def test_every_part_needs_a_checksum(spoiled: Path) -> None:
    describe_rewriter(spoiled, sha256={})
    with pytest.raises(BundleError, match=r"model\.bin has no checksum"):
        load_rewriter_bundle(spoiled)
    describe_rewriter(spoiled)
    (spoiled / "vmap.txt").write_text("stray")
    with pytest.raises(BundleError, match=r"vmap\.txt has no checksum"):
        load_rewriter_bundle(spoiled)


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"graph": "../model.bin"}, "graph is missing or wrong"),
        ({"tokenizer": "../tokenizer.json"}, "no checksum"),
        ({"thresholds": {}}, "thresholds.score is missing or wrong"),
        ({"thresholds": {"score": 2}}, "thresholds.score is missing or wrong"),
        ({"ranking": {"offset": 0, "weights": {}, "leaning": 0}}, "ranking.weights.confidence is missing"),
        ({"ranking": 1}, "ranking is missing or wrong"),
        ({"max_tokens": 0}, "max_tokens is missing or wrong"),
        ({"format": 2}, "newer version of Evenhand"),
    ],
)
def test_a_wrong_field_is_named(spoiled: Path, fields: dict[str, object], said: str) -> None:
    describe_rewriter(spoiled, **fields)
    with pytest.raises(BundleError) as caught:
        load_rewriter_bundle(spoiled)
    assert said in str(caught.value)


def test_a_bundle_from_before_rankings_has_the_plain_one(spoiled: Path) -> None:
    describe_rewriter(spoiled, thresholds={"keep": 0.5, "confidence": 0.8, "likely": 0.1})
    listing = spoiled / "bundle.json"
    facts = json.loads(listing.read_text(encoding="utf-8"))
    del facts["ranking"]
    listing.write_text(json.dumps(facts), encoding="utf-8")
    bundle = load_rewriter_bundle(spoiled)
    assert (bundle.ranking, bundle.thresholds.score) == (DEFAULT_RANKING, DEFAULT_SCORE_THRESHOLD)


def test_a_reader_is_no_rewriter_and_the_other_way_round(tiny_bundle: Path, tiny_rewriter: Path) -> None:
    with pytest.raises(BundleError, match="it is a reader, and a rewriter is needed here"):
        load_rewriter_bundle(tiny_bundle)
    with pytest.raises(BundleError, match="it is a rewriter, and a reader is needed here"):
        load_reader_bundle(tiny_rewriter)


@pytest.mark.parametrize(
    ("name", "data", "said"),
    [
        ("model.bin", b"no model", "its weights are not those of CTranslate2"),
        ("shared_vocabulary.json", b"{", "is not JSON"),
        ("shared_vocabulary.json", b'["[CLS]"]', "its vocabulary lacks"),
        ("tokenizer.json", b"{}", "in its tokenizer, model is missing or wrong"),
    ],
)
def test_an_invalid_entry_is_reported(spoiled: Path, name: str, data: bytes, said: str) -> None:
    (spoiled / name).write_bytes(data)
    (spoiled / "bundle.json").unlink()
    describe_rewriter(spoiled)
    with pytest.raises(BundleError, match=said):
        Rewriter.load(spoiled)
