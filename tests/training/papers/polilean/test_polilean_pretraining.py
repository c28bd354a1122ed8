"""Partisan pre-training: whose texts, without whom, into what blocks; a stopped one ends as one that was not."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors.torch import load_file
from transformers import AutoModel

from tests.training.auditing.compass.tiny_models import save_generator, save_masked, save_nli, tokenizer
from tests.training.auditing.compass.tiny_tasks import make_liar
from tests.training.papers.polilean.tiny_partisans import OWN, make_articles, make_speeches
from training.auditing.compass.models_under_test import model_under_test
from training.auditing.compass.probes import load_masked
from training.corpora import grouped_texts
from training.loop.events import Events
from training.loop.training_loop import TrainingError
from training.papers.polilean import pretraining
from training.papers.polilean.partisan_corpora import (
    PartisanCorpus,
    drop_hateful,
    load_scored_texts,
    load_scorer,
    load_texts,
    parse_corpus,
    take_share,
)
from training.papers.polilean.pretraining import Budget, cut_blocks, mask_tokens, pretrain
from training.text.near_duplicates import NearDuplicateIndex
from training.types import CorpusError

CPU = torch.device("cpu")
EFFORT = Budget(blocks=80, tokens=16, epochs=2)


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Articles and speeches."""
    return make_speeches(make_articles(tmp_path_factory.mktemp("data")))


def _events() -> Events:
    return Events("test", stream=io.StringIO(), stage="news-left")


def _own(found: list[str], side: int) -> float:
    words = " ".join(found).split()
    return sum(word in OWN[side].split() for word in words) / len(words)


def test_texts_are_of_the_side_that_is_asked_for(data: Path) -> None:
    for domain, sides in (("news", ("left", "center", "right")), ("speech", ("left", "right"))):
        for side in sides:
            found = load_texts(data, PartisanCorpus(domain, side))
            at = {"left": 0, "center": 1, "right": 2}[side]
            others = [_own(found, other) for other in OWN if other != at]
            assert _own(found, at) > 0.2 > max(others)
    assert all(len(text.split()) >= 20 for text in load_texts(data, PartisanCorpus("news", "left")))


def test_the_border_is_the_20th_of_january_2017(data: Path) -> None:
    said: list[str] = []
    every = load_texts(data, PartisanCorpus("news", "left"))
    before = load_texts(data, PartisanCorpus("news", "left", "before"), on_message=said.append)
    after = load_texts(data, PartisanCorpus("news", "left", "after"), on_message=said.append)
    # Nineteen articles: the first of the twenty is a caption; four have no date.
    assert (len(every), len(before), len(after)) == (19, 7, 8)
    assert not set(before) & set(after)
    assert "4 articles of this side have no date" in said[0]
    rows = (data / "article_bias" / "articles.jsonl").read_text(encoding="utf-8").splitlines()
    dates = {row["content"]: row["date"] for row in map(json.loads, rows)}
    assert max(dates[text] for text in before) == "2017-01-19"
    assert min(dates[text] for text in after) == "2017-01-20"


def test_texts_scored_downstream_are_not_pretrained_on(data: Path, tmp_path: Path) -> None:
    everything = load_texts(data, PartisanCorpus("news", "right"))
    kept = load_texts(data, PartisanCorpus("news", "right"), excluded=NearDuplicateIndex([everything[3]]))
    assert kept == [text for text in everything if text != everything[3]]
    make_liar(tmp_path)
    held = load_scored_texts(tmp_path, on_message=lambda _: None)
    parts = grouped_texts.load_liar(tmp_path)
    assert held.has_near_duplicate(parts.test[0].text)
    assert held.has_near_duplicate(parts.dev[5].text)


def test_an_unknown_or_missing_corpus_is_one_clear_line(data: Path, tmp_path: Path) -> None:
    for name, why in (
        ("reddit-left", "no partisan corpus"),
        ("speech-center", "only speeches of the left and the right"),
        ("speech-left-after", "all before 2017"),
    ):
        with pytest.raises(CorpusError, match=why):
            parse_corpus(name)
    assert parse_corpus("news-center-after") == PartisanCorpus("news", "center", "after")
    assert parse_corpus("news-center-after").name == "news-center-after"
    for wanted in (PartisanCorpus("news", "left"), PartisanCorpus("speech", "left")):
        with pytest.raises(CorpusError, match="is not in"):
            load_texts(tmp_path, wanted)
    path = tmp_path / "article_bias" / "articles.jsonl"
    path.parent.mkdir()
    path.write_text('{"bias": 2, "content": "short"}\n', encoding="utf-8")
    with pytest.raises(CorpusError, match="no text of news-left"):
        load_texts(tmp_path, PartisanCorpus("news", "left"))


def test_a_larger_share_holds_every_smaller_one() -> None:
    every = [str(number) for number in range(50)]
    half, most = take_share(every, of=0.5), take_share(every, of=0.8)
    assert (len(half), len(most)) == (25, 40)
    assert set(half) < set(most)
    assert take_share(every, of=1.0) == every


def test_hateful_texts_are_left_out(tmp_path: Path) -> None:
    some = ["kind", "vile", "mild"]
    assert drop_hateful(some, lambda found: [float(text == "vile") for text in found]) == ["kind", "mild"]
    scorer = load_scorer(save_nli(tmp_path / "hate", labels=("NOT-HATE", "HATE")), device=CPU)
    found = scorer(["agree with the market", "a law"])
    assert all(0 < chance < 1 for chance in found)
    assert scorer(["a law"]) == pytest.approx(found[1:], abs=1e-5)
    assert scorer([]) == []
    with pytest.raises(TrainingError, match="no trained class called hate"):
        load_scorer(save_nli(tmp_path / "other"), device=CPU)


def test_blocks_are_full_with_special_tokens() -> None:
    framed = cut_blocks(tokenizer(), ["a law a law", "school people money"], tokens=5)
    words = tokenizer()
    ids = words.convert_tokens_to_ids
    assert framed == [
        [2, *ids(["a", "law", "a"]), 3],
        [2, ids("law"), 3, ids("school"), 3],
        [2, *ids(["people", "money"]), 3, 3],
    ]
    bare = cut_blocks(tokenizer(frame=False), ["a law a", "school"], tokens=4)
    assert bare == [[*ids(["a", "law", "a"]), 3]]  # the rest does not fill a block
    assert cut_blocks(words, ["a"], tokens=9) == []


def test_masks_are_drawn_as_bert_draws_them() -> None:
    words = tokenizer()
    torch.manual_seed(1)
    ids = torch.randint(5, len(words), (400, 64))
    ids[:, 0] = 2
    hidden, labels = mask_tokens(ids, words, words=len(words))
    asked = labels != -100
    assert float(asked.float().mean()) == pytest.approx(0.15 * 63 / 64, abs=0.01)
    assert bool((labels[asked] == ids[asked]).all())
    assert not bool(asked[:, 0].any())
    assert bool((hidden[~asked] == ids[~asked]).all())
    masked = hidden[asked] == words.mask_token_id
    same = hidden[asked] == ids[asked]
    assert float(masked.float().mean()) == pytest.approx(0.8, abs=0.03)
    assert float(same.float().mean()) == pytest.approx(0.1, abs=0.03)


@pytest.mark.parametrize("kind", ["masked", "causal"])
def test_a_model_reads_its_texts_better_afterwards_and_a_stopped_training_ends_alike(
    kind: str, data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pretraining, "LEARNING_RATE", 2e-3)
    base = model_under_test(
        str((save_masked if kind == "masked" else save_generator)(tmp_path / "base")),
        stance="direct",
        length=4,
    )
    found = load_texts(data, PartisanCorpus("news", "left"))

    def run(folder: str) -> Path:
        return pretrain(base, found, EFFORT, seed=1, device=CPU, events=_events(), folder=tmp_path / folder)

    whole = run("whole")
    assert not (tmp_path / "whole.pt").exists()
    before, after = (_loss(place, found) for place in (Path(base.base), whole))
    assert after < before - 0.1
    stamp = (whole / "config.json").stat().st_mtime_ns
    assert run("whole") == whole
    assert (whole / "config.json").stat().st_mtime_ns == stamp
    steps = 0
    real: Any = torch.optim.AdamW.step

    def killed(self: Any, *given: Any, **named: Any) -> Any:
        nonlocal steps
        steps += 1
        if steps == 4:
            raise KeyboardInterrupt
        return real(self, *given, **named)

    monkeypatch.setattr("training.loop.training_loop.CHECKPOINT_EVERY_S", -1.0)
    monkeypatch.setattr(torch.optim.AdamW, "step", killed)
    with pytest.raises(KeyboardInterrupt):
        run("cut")
    assert (tmp_path / "cut.pt").is_file()
    assert not (tmp_path / "cut").exists()
    run("cut")
    one, other = (load_file(tmp_path / name / "model.safetensors") for name in ("whole", "cut"))
    assert all(torch.equal(one[name], other[name]) for name in one)


def test_an_encoder_without_its_head_gets_one_that_the_seed_draws(data: Path, tmp_path: Path) -> None:
    bare = save_masked(tmp_path / "bare")
    AutoModel.from_pretrained(bare).save_pretrained(bare)
    base = model_under_test(str(bare), stance="direct", length=4)
    assert base.kind == "masked"
    said = io.StringIO()
    events = Events("test", stream=said)
    found = load_texts(data, PartisanCorpus("news", "left"))
    one, other = (
        load_file(
            pretrain(base, found, EFFORT, seed=1, device=CPU, events=events, folder=tmp_path / name)
            / "model.safetensors"
        )
        for name in ("one", "other")
    )
    assert any(name.startswith("cls.") for name in one)
    assert all(torch.equal(one[name], other[name]) for name in one)
    assert "no trained output layer" in said.getvalue()
    assert load_masked(tmp_path / "one", device=CPU).read(["a law"], prompt=1, seed=0)


def _loss(folder: Path, found: list[str]) -> float:
    """The loss of a model on its texts, masks drawn alike."""
    of = model_under_test(str(folder), stance="direct", length=4)
    model, words, _ = pretraining._open(of, CPU, _events())
    model.eval()
    rows = cut_blocks(words, found, tokens=16)
    torch.manual_seed(5)
    make = (
        pretraining._masked_loss(model, words, CPU)
        if of.kind == "masked"
        else pretraining._causal_loss(model, CPU)
    )
    with torch.inference_mode():
        return float(make(None, rows))  # type: ignore[arg-type]


def test_too_few_texts_and_unsuitable_models_are_refused(tmp_path: Path) -> None:
    base = model_under_test(str(save_masked(tmp_path / "base")), stance="direct", length=4)
    with pytest.raises(TrainingError, match="do not fill one block of 16 tokens"):
        pretrain(base, ["a law"], EFFORT, seed=1, device=CPU, events=_events(), folder=tmp_path / "m")
    assert not (tmp_path / "m").exists()
