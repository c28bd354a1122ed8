"""Corpora in their published layouts: typed rows, exact spans, nothing that gives an outlet away, nothing scored."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from core.engine.cues import Lexicon
from core.types import KINDS, Kind
from training.corpora import allsides, babe, wikipedia
from training.corpora.wikibias_manual import to_example
from training.reader.dataset_mix import load_dataset_mix
from training.reader.quality_checks import load_gold_kinds
from training.text.edits import KindFinder
from training.text.near_duplicates import NearDuplicateIndex
from training.types import CorpusError


@pytest.fixture(scope="module")
def kinds() -> KindFinder:
    return KindFinder(Lexicon.load())


def test_babe_words_are_found_whole_and_joined(kinds: KindFinder) -> None:
    text = "A shameful, utterly shameful record of shamefulness."
    spans = babe.locate_words(text, ["shameful", "utterly"], kinds)
    assert [text[span.start : span.end] for span in spans] == ["shameful", "utterly shameful"]


def test_babe_phrases_match_across_punctuation(kinds: KindFinder) -> None:
    text = "So-called pro life groups"
    spans = babe.locate_words(text, ["pro-life", "not there"], kinds)
    assert [text[span.start : span.end] for span in spans] == ["pro life"]


def test_babe_says_how_an_outlet_leans_whatever_the_label(tmp_path: Path) -> None:
    """A row without a side is left out: it says nothing of its outlet."""
    rows = [
        ("One.", "Alternet", "left", "Biased"),
        ("Two.", "Reuters", "center", "No agreement"),
        ("Three.", "Fox News", "right", "Non-biased"),
        ("Four.", "Fox News", "", "Biased"),
    ]
    lines = ["text;outlet;type;label_bias", *map(";".join, rows)]
    (tmp_path / "babe").mkdir()
    (tmp_path / "babe" / "final_labels_SG2.csv").write_text("\n".join(lines) + "\n", encoding="utf-8-sig")
    assert babe.rated_sentences(tmp_path) == [
        ("One.", "Alternet", 0),
        ("Two.", "Reuters", 1),
        ("Three.", "Fox News", 2),
    ]


@pytest.mark.parametrize(
    ("before", "after", "kind"),
    [
        ("his", "their", Kind.DEMOGRAPHIC),
        ("chairman", "chairperson", Kind.DEMOGRAPHIC),
        ("claimed", "said", Kind.EPISTEMOLOGICAL),
        ("known", "asserted", Kind.EPISTEMOLOGICAL),
        ("legendary", "", Kind.FRAMING),
        ("fantastic", "accurate", Kind.FRAMING),
    ],
)
def test_the_kind_of_an_edit(before: str, after: str, kind: Kind, kinds: KindFinder) -> None:
    assert kinds.of(before, after) is kind


def test_articles_lose_what_gives_the_outlet_away() -> None:
    pattern = allsides.outlet_pattern({"Fox News (Online)", "The Hill", "Daily Kos"})
    assert "Fox" not in pattern.sub("", "He told Fox News that it was over.")
    assert "Kos" not in pattern.sub("", "as Daily Kos's editor wrote")
    assert pattern.sub("", "on the hill above the town") == "on the hill above the town"


@pytest.mark.parametrize(
    ("first", "told"),
    [
        ("WASHINGTON ( AP ) — The council voted on a new budget .", "The council voted on a new budget."),
        ("The council of the town voted on it .", "The council of the town voted on it."),
        ("Council splits over the budget again today", ""),
        ("The mayor speaks at the town hall on Monday . ( Jo Doe/Reuters )", ""),
        ("For reporting on the town , subscribe to our newsletters .", ""),
        ("The mayor at the hall . | Jo Doe", ""),
        ("By Jo Doe of the town paper", ""),
    ],
)
def test_a_first_paragraph_is_the_lead_and_what_a_house_puts_there_is_not(
    first: str, told: str, tmp_path: Path
) -> None:
    lines = [first, *("The council met again and voted on it ." for _ in range(5))]
    row = {"source": "A", "bias": 0, "title": "Council splits over the budget", "content": "\n".join(lines)}
    (tmp_path / "article_bias").mkdir()
    (tmp_path / "article_bias" / "articles.jsonl").write_text(json.dumps(row) + "\n", encoding="utf-8")
    (article,) = allsides.load(tmp_path, NearDuplicateIndex(()))
    assert " ".join(article.lead) == told
    assert article.sentences == ("The council met again and voted on it.",) * 5


def test_treebank_tokens_become_prose() -> None:
    assert allsides.strip_markup("It wo n't do , he said ; the president ’ s men `` agreed ''.") == (
        'It won\'t do, he said; the president’s men "agreed".'
    )


def test_sections_of_a_house_stay_together() -> None:
    assert (
        allsides.publisher_of("Fox News")
        == allsides.publisher_of("Fox Online News")
        == allsides.publisher_of("Fox News Opinion")
    )


def test_a_near_duplicate_is_found_inside_a_longer_text() -> None:
    scored = "The senator's shameful record reveals a pattern of neglect that voters will remember."
    index = NearDuplicateIndex([scored])
    assert index.has_near_duplicate(
        f"Some words before. {scored} And many more words come after it, about other things."
    )
    assert index.has_near_duplicate(scored.replace("shameful", "poor"))
    assert not index.has_near_duplicate(
        "The senator's office published its yearly report on road repairs in the north."
    )


def test_nothing_scored_is_trained_on(corpora: Path) -> None:
    mixture = load_dataset_mix(corpora, on_message=lambda _: None)
    scored = NearDuplicateIndex(
        example.text
        for example in (
            *mixture.dev_babe,
            *mixture.dev_wnc,
            *(to_example(one, prose=True) for one in mixture.dev_wikibias),
            *(one.example for one in mixture.dev_annotated),
        )
    )
    train = (
        *mixture.babe,
        *mixture.wikibias,
        *mixture.annotated,
        *mixture.wnc,
        *mixture.cw_hard,
        *mixture.gbnc,
        *mixture.opinions,
        *mixture.anno_lexical,
        *mixture.unlabelled,
        *(row for rows in mixture.auxiliary.values() for row in rows),
    )
    assert not [example for example in train if scored.has_near_duplicate(example.text)]
    held = {text.publisher for text in mixture.leaning_texts if text.is_held_out}
    assert held
    assert not held & {allsides.publisher_of(example.group) for example in mixture.articles}
    assert not held & {text.publisher for text in mixture.leaning_texts if not text.is_held_out}


def test_wnc_pairs_share_their_group_and_their_spans_fit(corpora: Path, kinds: KindFinder) -> None:
    examples = wikipedia.load_wnc(corpora, kinds, part="train")
    assert len(examples) % 2 == 0
    for biased, neutral in zip(examples[::2], examples[1::2], strict=True):
        assert biased.group == neutral.group
        assert [biased.text[span.start : span.end] for span in biased.spans or ()] != [""]
        assert neutral.spans == ()


def test_a_broken_file_is_one_clear_line(tmp_path: Path, kinds: KindFinder) -> None:
    (tmp_path / "wnc").mkdir()
    (tmp_path / "wnc" / "pairs.dev.tsv").write_text("biased\tneutral\nonly one column\n", encoding="utf-8")
    with pytest.raises(CorpusError, match="not a table of pairs"):
        wikipedia.load_wnc(tmp_path, kinds, part="dev")
    with pytest.raises(CorpusError, match="is not in"):
        wikipedia.load_wnc(tmp_path, kinds, part="train")


def test_the_hand_labels_cover_300_spans_in_two_passes() -> None:
    rows, agreement = load_gold_kinds()
    assert 0.0 < agreement <= 1.0
    assert sum(len(spans) for spans in rows.values()) <= 300
    assert {span[2] for spans in rows.values() for span in spans} == set(KINDS)
