"""The leaning of a reader: nothing that measures it is fitted, and it is shown only where it is right often enough."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from training.corpora.allsides import Article, is_held_out, publisher_of
from training.corpora.political_texts import Passage, Side
from training.loop.batches import EncodedExample
from training.modeling.reader import Logits, load_base
from training.reader import leaning_stage
from training.reader.dataset_mix import load_dataset_mix
from training.reader.leaning_stage import MIN_ACCURACY, MIN_SHOWN, NEVER, LeaningText, leaning_texts, measure
from training.reader.stages import ExampleEncoder
from training.types import CENTER, LEFT, NOT_POLITICAL, RIGHT, Example

CPU = torch.device("cpu")
NAMES = [f"Herald {number}" for number in range(20)]
HELD = [name for name in NAMES if is_held_out(name)]
SIDES = (LEFT, CENTER, RIGHT)


def article(outlet: str, number: int, leaning: int = LEFT) -> Article:
    lines = tuple(
        f"Sentence {at} of piece {number} that {outlet.lower()} printed on one of its days."
        for at in range(3)
    )
    return Article(outlet, leaning, "schools", lines)


def test_an_outlet_that_is_held_out_is_measured_and_never_fitted() -> None:
    articles = [article(name, number) for name in NAMES for number in range(2)]
    pool = [
        Example(f"A sentence of {name} in the pool.", "x", leaning=LEFT, group=name, topic="a")
        for name in NAMES
    ]
    made = leaning_texts(articles, [], pool, [], seed=1)
    assert HELD
    assert {text.publisher for text in made if text.is_held_out} == {publisher_of(name) for name in HELD}
    fitted = {text.publisher for text in made if not text.is_held_out}
    assert fitted == {publisher_of(name) for name in NAMES if name not in HELD}


@pytest.mark.parametrize("corpus", ["books", "speeches", "Convote (House debates 2005)"])
def test_speeches_and_books_are_fitted_whatever_the_name_of_their_corpus(corpus: str) -> None:
    """Only outlets are held out by their name."""
    passages = [Passage(f"Passage {number} of a speech.", corpus, Side.RIGHT) for number in range(9)]
    made = leaning_texts([], [*passages, Passage("Of no side.", corpus, Side.NONE)], [], [], seed=1)
    read = " ".join(window for text in made for window in text.windows)
    assert all(passage.text in read for passage in passages)
    assert "Of no side." not in read
    assert {(text.leaning, text.is_held_out) for text in made} == {(RIGHT, False)}


def test_sentences_of_one_article_are_one_text_and_outlets_without_a_rating_are_left_out() -> None:
    def row(text: str, outlet: str, article: str, leaning: int | None = LEFT) -> Example:
        return Example(text, "news_pool", leaning=leaning, group=outlet, topic=article)

    kept = next(name for name in NAMES if name not in HELD)
    pool = [
        row("One.", kept, "a"),
        row("Other.", kept, "b"),
        row("Two.", kept, "a"),
        row("Gone.", kept, "c", None),
    ]
    made = leaning_texts([], [], pool, [], seed=1)
    assert sorted(text.windows for text in made) == [("One. Two.",), ("Other.",)]


@given(st.integers(0, 40))
def test_about_one_text_in_five_that_is_not_political_is_held_out(count: int) -> None:
    made = leaning_texts(
        [], [], [], [f"A river is {number} miles long." for number in range(3 * count)], seed=1
    )
    assert {text.leaning for text in made} <= {NOT_POLITICAL}
    assert sum(text.is_held_out for text in made) == -(-count // 5)


def test_what_is_held_out_has_no_influence_on_the_fit(corpora: Path, tiny_base: Path) -> None:
    """The head is the same with other texts held out, or none."""
    mixture = load_dataset_mix(corpora, limit=24, on_message=lambda _: None)
    assert any(text.is_held_out for text in mixture.leaning_texts)
    fitted = []
    for texts in (mixture.leaning_texts, [text for text in mixture.leaning_texts if not text.is_held_out]):
        torch.manual_seed(1)
        model, tokenizer = load_base(tiny_base)
        encoder = ExampleEncoder(tokenizer)
        read: list[str] = []

        def encode(
            examples: Sequence[Example], encoder: ExampleEncoder = encoder, read: list[str] = read
        ) -> list[EncodedExample]:
            read += [example.text for example in examples]
            return encoder(examples)

        leaning_stage.fit_head(model, texts, mixture.wnc, encode, device=CPU)
        held = {part for text in texts if text.is_held_out for part in (*text.windows, *text.sentences)}
        assert not held & set(read)
        fitted.append(
            {name: value for name, value in model.state_dict().items() if name.startswith("leaning")}
        )
    assert all(torch.equal(fitted[0][name], fitted[1][name]) for name in fitted[0])


def held_text(number: int, leaning: int, publisher: str = "") -> LeaningText:
    text = f"text {number}"
    return LeaningText((text,), (text,), leaning, publisher or f"house {number}", "", is_held_out=True)


def measured(answers: Sequence[tuple[int, float, int]]) -> leaning_stage.LeaningFit:
    """What is measured where a reader answers (side, logit) for articles of a rating, each of another publisher."""
    texts = [held_text(number, rating) for number, (_, _, rating) in enumerate(answers)]
    texts += [held_text(number, NOT_POLITICAL) for number in range(len(answers), len(answers) + 20)]
    texts.append(LeaningText(("fitted",), (), LEFT, "fitted", "", is_held_out=False))

    def predict(examples: Sequence[Example]) -> Logits:
        leaning = np.zeros((len(examples), 4))
        for row, example in enumerate(examples):
            number = int(example.text.split()[1])
            side, logit = answers[number][:2] if number < len(answers) else (NOT_POLITICAL, 3.0)
            leaning[row, side] = logit
        return Logits([], np.zeros(len(examples)), leaning)

    return measure(texts, predict)


def right_from(fit: leaning_stage.LeaningFit, least: float) -> tuple[int, float]:
    shown = fit.answers.max(axis=1) >= least
    right = fit.answers.argmax(axis=1) == fit.gold
    return int(shown.sum()), float(right[shown].mean()) if shown.any() else 0.0


def test_a_leaning_is_shown_from_the_confidence_on_that_is_right_often_enough() -> None:
    """Confident answers are right, the others wrong: the threshold lies between the two."""
    sure = [(number % 3, 4.0, number % 3) for number in range(60)]
    unsure = [(number % 3, 0.5, (number + 1) % 3) for number in range(60)]
    fit = measured([*sure, *unsure])
    low, high = np.unique(fit.answers.max(axis=1).round(6))
    assert low < fit.threshold <= high
    assert right_from(fit, fit.threshold) == (60, 1.0)
    assert right_from(fit, fit.threshold - 0.011)[1] < MIN_ACCURACY


def test_a_reader_that_is_seldom_right_never_shows_a_leaning() -> None:
    fit = measured([(number % 3, 1.0 + number % 5, (number + number % 2) % 3) for number in range(120)])
    assert fit.threshold == NEVER


def test_too_few_sure_answers_are_no_ground_to_show_one() -> None:
    sure = [(number % 3, 4.0, number % 3) for number in range(MIN_SHOWN - 1)]
    unsure = [(number % 3, 0.5, (number + 1) % 3) for number in range(120)]
    assert measured([*sure, *unsure]).threshold == NEVER


@given(
    st.lists(
        st.tuples(st.sampled_from(SIDES), st.floats(0.1, 6), st.sampled_from(SIDES)), min_size=40, max_size=80
    ).filter(lambda answers: {rating for *_, rating in answers} == set(SIDES))
)
def test_from_the_threshold_on_enough_answers_are_right(answers: list[tuple[int, float, int]]) -> None:
    fit = measured(answers)
    if fit.threshold < NEVER:
        shown, right = right_from(fit, fit.threshold)
        assert shown >= MIN_SHOWN
        assert right >= MIN_ACCURACY
    assert [point.coverage for point in fit.curve] == sorted(
        (point.coverage for point in fit.curve), reverse=True
    )
    assert all(0 <= point.accuracy <= 1 for point in fit.curve)


def test_an_article_is_read_as_the_app_reads_a_draft() -> None:
    """From its first paragraph on, the outlet's name masked, in windows of which the first and the last are there."""
    lines = tuple(f"Sentence {at} of Fox News has some words in it that fill a window." for at in range(80))
    lead = ("The council of Fox News met in the old hall.",)
    (one,) = leaning_texts([Article("Fox News", RIGHT, "tax", lines, lead)], [], [], [], seed=1)
    assert one.windows[0].startswith("The council of")
    assert "Fox News" not in " ".join((*one.windows, *one.sentences))
    assert len(one.windows) == leaning_stage.MAX_WINDOWS
    assert "Sentence 79 of" in one.windows[-1]
    assert (one.leaning, one.topic, one.publisher) == (RIGHT, "tax", publisher_of("Fox News"))


def test_of_a_large_publisher_so_many_articles_are_taken() -> None:
    articles = [article(name, number) for name in NAMES[:2] for number in range(300)]
    found = leaning_texts(articles, [], [], [], seed=1)
    assert len(found) == 2 * leaning_stage.MAX_PER_PUBLISHER
    assert found == leaning_texts(articles, [], [], [], seed=1)


def test_only_the_leaning_head_changes(tiny_base: Path) -> None:
    model, tokenizer = load_base(tiny_base)
    before = {name: value.clone() for name, value in model.state_dict().items()}
    texts = [
        LeaningText((f"the {NAMES[at % 4]} opened {at}",), (), at % 4, f"house {at % 7}", "", False)
        for at in range(40)
    ]
    leaning_stage.fit_head(model, texts, [], ExampleEncoder(tokenizer), device=CPU)
    changed = {name for name, value in model.state_dict().items() if not torch.equal(before[name], value)}
    assert changed == {"leaning_layer.weight", "leaning_layer.bias", "leaning.weight", "leaning.bias"}


def test_sentences_of_which_less_can_be_told_make_the_answers_less_sure() -> None:
    """Windows are read alike in both cases, and the scale is fitted on sentences as well."""
    texts = [
        LeaningText((f"whole {at} {at % 4}",), (f"short {at} {at % 4}",), at % 4, f"house {at}", "", True)
        for at in range(240)
    ]

    def scales(strength: float) -> tuple[float, float]:
        draw = np.random.default_rng(6)

        def predict(examples: Sequence[Example]) -> Logits:
            leaning = draw.normal(0, 1, (len(examples), 4))
            for at, example in enumerate(examples):
                leaning[at, int(example.text[-1])] += 3.0 if example.text.startswith("whole") else strength
            return Logits([], np.zeros(len(examples)), leaning)

        found = measure(texts, predict)
        return found.leaning.temperature, found.political.temperature

    (sure, sure_political), (unsure, unsure_political) = scales(3.0), scales(0.0)
    assert unsure > 1.3 * sure
    assert unsure_political > 1.3 * sure_political


def test_a_confidence_is_told_as_it_is_compared() -> None:
    """Articles of exactly the confidence before the first one that is right often enough are not shown."""
    answers = np.array([[0.55, 0.45, 0.0]] * 60 + [[0.805, 0.195, 0.0]] * 60)
    gold = np.array([RIGHT] * 60 + [LEFT] * 60)
    assert leaning_stage._least_confidence(answers, gold, np.ones(120)) == 0.56
    assert leaning_stage._least_confidence(answers, np.zeros(120, dtype=np.int64), np.ones(120)) == 0.34
    assert leaning_stage._least_confidence(answers[:0], gold[:0], np.ones(0)) == NEVER


def test_the_curve_says_how_many_are_shown_and_how_many_of_them_are_right() -> None:
    answers = np.array([[0.55, 0.45, 0.0]] * 8 + [[0.905, 0.095, 0.0]] * 4)
    gold = np.array([LEFT] * 2 + [RIGHT] * 6 + [LEFT] * 3 + [RIGHT])
    curve = {
        point.confidence: (point.coverage, point.accuracy)
        for point in leaning_stage._confidence_curve(answers, gold, np.ones(12))
    }
    assert curve[0.35] == curve[0.5] == curve[0.55] == (1.0, pytest.approx(5 / 12))
    assert curve[0.6] == curve[0.9] == (pytest.approx(4 / 12), 0.75)
    assert max(curve) == 0.9, "nothing is shown above"


def test_a_large_publisher_that_is_held_out_counts_as_forty_five_articles() -> None:
    limit = leaning_stage.EQUAL_WEIGHT_LIMIT
    sizes = {"large": 4 * limit, "small": limit // 3}
    gold = np.array([LEFT] * sizes["large"] + [RIGHT] * sizes["small"])
    answers = np.zeros((len(gold), 3))
    answers[np.arange(len(gold)), gold] = 1.0
    answers[0 : sizes["large"] : 2] = (0.0, 0.0, 1.0)
    weights = leaning_stage._weights([name for name, size in sizes.items() for _ in range(size)])
    assert weights[: sizes["large"]].sum() == pytest.approx(limit)
    assert weights[sizes["large"] :].tolist() == [1.0] * sizes["small"]
    left = 2 * (limit / 2) / (limit / 2 + limit)
    right = 2 * sizes["small"] / (2 * sizes["small"] + limit / 2)
    scores = leaning_stage._scores(answers, gold, weights)
    assert scores["leaning_macro_f1"] == pytest.approx((left + right) / 2)
    assert scores["leaning_left_right_macro_f1"] == pytest.approx((left + right) / 2)
