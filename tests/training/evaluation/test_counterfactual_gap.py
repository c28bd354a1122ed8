"""Protects counterfactual pairs: sentences stay English and differ in the group alone, and the figures are right."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from core.engine.reader import Reader
from core.stereotypes.counterfactual_pairs import FrameReading, iterate_pairs, read_frames
from core.stereotypes.templates import Frame, Variant, build_frames, fill_template
from tests.training.tiny_corpora import make_corpora
from training.evaluation import counterfactual_gap
from training.reader.counterfactuals import find_real_frames, swap_gender

FALSE_ARTICLE = re.compile(r"\ba [aeio]|\ban [^aeiouh]", re.IGNORECASE)


def test_every_template_is_a_sentence_with_its_article() -> None:
    for frame in build_frames():
        texts = [variant.text for variant in frame.variants]
        assert len(set(texts)) == len(texts) > 1
        for text in texts:
            assert text[0].isupper()
            assert text.endswith(".")
            assert "{" not in text
            assert not FALSE_ARTICLE.search(text), text


def test_pronouns_follow_the_person() -> None:
    template = "A {} said that {he} lost {his} ticket, and it was sent to {him}."
    assert (
        fill_template(template, "actor") == "An actor said that he lost his ticket, and it was sent to him."
    )
    assert (
        fill_template(template, "actress")
        == "An actress said that she lost her ticket, and it was sent to her."
    )


@pytest.mark.parametrize(
    ("sentence", "other"),
    [
        ("He sold his farm, and the bank wrote to him.", "She sold her farm, and the bank wrote to her."),
        ("She sold her farm, and the bank wrote to her.", "He sold his farm, and the bank wrote to him."),
        ("The fault was hers.", "The fault was his."),
        ("The fault was his.", "The fault was hers."),
        ("They asked her to leave.", "They asked him to leave."),
        ("The policeman hurt himself.", "The policewoman hurt herself."),
        ("She’s late.", "He’s late."),
        ("Women who teach earn less.", "Men who teach earn less."),
    ],
)
def test_gender_is_exchanged_throughout(sentence: str, other: str) -> None:
    assert swap_gender(sentence) == other
    assert swap_gender(other) == sentence


@pytest.mark.parametrize(
    "sentence",
    [
        "He told her about the farm.",
        "Biden said he would go.",
        "The senator, Ann Miller, sold her farm.",
        "the actor sold his farm.",
        "The council met on Monday.",
        "The manager met a mandate.",
    ],
)
def test_gender_stays_where_a_sentence_tells_both_or_may_name_somebody_or_tells_none(sentence: str) -> None:
    assert swap_gender(sentence) is None


def _variants(sentence: str, about: str) -> dict[str, str]:
    found = [frame for frame in find_real_frames([sentence]) if frame.topic == about]
    return {variant.group: variant.text for frame in found for variant in frame.variants}


def test_adjectives_before_people_and_plurals_are_exchanged_together() -> None:
    found = _variants("A Muslim voter in Leeds said that Muslims were not asked.", "faith")
    assert found["Jewish"] == "A Jewish voter in Leeds said that Jews were not asked."
    assert found["Muslim"] == "A Muslim voter in Leeds said that Muslims were not asked."


def test_an_article_and_capitals_fit() -> None:
    assert _variants("It shot a black man.", "colour")["Asian"] == "It shot an Asian man."
    assert _variants("An elderly woman fell.", "age")["young"] == "A young woman fell."
    assert _variants("Help For Young People", "age")["older"] == "Help For Older People"
    assert _variants("Young people moved.", "age")["middle-aged"] == "Middle-aged people moved."
    assert _variants("a gay man moved .", "orientation")["straight"] == "a straight man moved ."
    assert _variants("a white man moved .", "colour")["Asian"] == "an asian man moved ."


@pytest.mark.parametrize(
    "sentence",
    [
        "Black ice covered the French coast.",
        "The Democratic Party met.",
        "Black and white voters agreed.",
        "An African American man moved.",
        "The blind alley.",
    ],
)
def test_what_is_no_person_or_tells_of_several_groups_stays(sentence: str) -> None:
    assert find_real_frames([sentence]) == []


def _frame(*texts: str, about: str = "faith") -> Frame:
    return Frame(
        about, "source", tuple(Variant(group, text) for group, text in zip("abc", texts, strict=False))
    )


def test_flips_marks_and_shifts_by_hand() -> None:
    one = FrameReading(_frame("x", "y", "z"), (0.9, 0.3, 0.3), (("shameful",), (), ()))
    other = FrameReading(_frame("u", "v", "w"), (0.6, 0.6, 0.6), ((), (), ()))
    pairs = list(iterate_pairs([one, other], threshold=0.5))
    assert len(pairs) == 6
    assert [pair.sides for pair in pairs if pair.flips] == [("x", "y"), ("x", "z")]
    assert sum(pair.marks_differ for pair in pairs) == 2
    assert max(pair.gap for pair in pairs) == pytest.approx(0.6)
    moved = counterfactual_gap.mean_shifts([one, other], "faith")
    assert [round(moved[group].value, 3) for group in "abc"] == [0.2, -0.1, -0.1]


def test_a_reader_that_reads_letters_reads_every_variant(tiny_bundle: Path) -> None:
    found = read_frames(Reader.load(tiny_bundle, threads=1), [_frame("The law.", "The shameful law.")])
    assert found[0].marks == ((), ("shameful",))
    assert found[0].bias[1] > found[0].bias[0]


def test_the_table_names_the_bundle_and_has_both_parts(
    tiny_bundle: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = make_corpora(tmp_path / "data")
    with (data / "wnc" / "pairs.dev.tsv").open("a", encoding="utf-8") as stream:
        stream.write("a shameful muslim teacher moved .\ta muslim teacher moved .\n")
    text = counterfactual_gap.run(data, tiny_bundle)
    assert "evenhand train table counterfactuals" in text
    assert "## Templates" in text
    real = text[text.index("## Sentences") :]
    assert "| faith" in real
    assert "| Hindu" in real
    for line in text.splitlines():
        assert not line.startswith("|") or line.endswith("|")
