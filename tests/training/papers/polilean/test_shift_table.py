"""Where partisan pre-training moves a model: one command, models kept, differences with intervals over prompts."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest
import torch

from tests.training.auditing.compass.tiny_models import make_statements, save_generator, save_masked
from tests.training.papers.polilean.tiny_partisans import make_articles, make_speeches
from training.auditing.compass import runner
from training.auditing.compass.questionnaire import load_questionnaire
from training.cli import main
from training.loop.result_cache import load_cells
from training.loop.training_loop import TrainingError
from training.papers.polilean import positions_table, pretraining, shift_table
from training.papers.polilean.shift_layout import build_table
from training.papers.polilean.shift_table import SHIFT, TRAJECTORY, Plan
from training.types import CorpusError

CPU = torch.device("cpu")


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Statements, articles and speeches."""
    return make_statements(make_speeches(make_articles(tmp_path_factory.mktemp("data"))))


@pytest.fixture(scope="module")
def bases(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A masked model and a generator."""
    folder = tmp_path_factory.mktemp("bases")
    save_masked(folder / "masked")
    save_generator(folder / "gen")
    return folder


@pytest.fixture
def plan(bases: Path, tmp_path: Path) -> Plan:
    """A smoke run that knows no committed cell."""
    return Plan(
        models=(str(bases / "masked"),),
        corpora=("news-left", "news-right"),
        scale="smoke",
        results=tmp_path / "results.json",
    )


def _row(text: str, title: str, block: str) -> list[str]:
    lines = text[text.index(block) :].splitlines()
    return re.split(r"\s{2,}", next(line for line in lines if line.startswith(f"{title} ")))


def test_one_command_pretrains_and_places_models_of_both_kinds(
    data: Path, bases: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = f"table compass-shift --data {data} --out {tmp_path} --scale smoke --device cpu "
    words += "--ignore-cache --stance direct "
    words += "--corpora news-left-before news-left-after news-right speech-left "
    words += f"--base {bases / 'masked'} {bases / 'gen'}"
    assert main.main(words.split()) == 0
    text = capsys.readouterr().out
    assert "not run here" not in text
    for title in ("masked (lexicon)", "gen (direct)"):
        assert "[" in _row(text, title.replace(" (", "-speech-left ("), f"{title}: before and after")[2]
        assert _row(text, "news-left-after less news-left-before", f"{title}: differences between corpora")
    models = sorted(path.name for path in (tmp_path / "compass" / "models").glob("*/*"))
    assert len(models) == 8
    cells = load_cells(tmp_path / "compass" / "cells")
    assert {cell.row for cell in cells} == {"masked", "gen", *models}
    assert all(("--stance direct" in cell.command) == cell.row.startswith("gen") for cell in cells)
    assert not any(str(tmp_path) in cell.command or str(bases) in cell.command for cell in cells)
    # What was pre-trained here can be placed like any model.
    place = next((tmp_path / "compass" / "models").glob("*/gen-news-right"))
    assert (
        main.main(f"table compass-answers --data {data} --out {tmp_path} --show --base {place}".split()) == 0
    )


def test_a_second_run_trains_nothing(
    data: Path, plan: Plan, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = shift_table.run(data, plan, tmp_path, device=CPU).text()

    def never(*_given: object, **_named: object) -> None:
        raise AssertionError("trained again")

    monkeypatch.setattr(pretraining, "train", never)
    again = shift_table.run(data, plan, tmp_path, device=CPU).text()
    assert [line for line in again.splitlines() if "run at" not in line] == [
        line for line in first.splitlines() if "run at" not in line
    ]


def test_other_epochs_are_in_the_name_and_the_command(data: Path, plan: Plan, tmp_path: Path) -> None:
    table = shift_table.run(data, replace(plan, corpora=("news-right",), epochs=3), tmp_path, device=CPU)
    (model,) = (tmp_path / "compass" / "models").glob("*/*")
    assert model.name == "masked-news-right-3ep"
    assert "masked-news-right-3ep (lexicon)" in table.text()
    made = next(cell for cell in load_cells(tmp_path / "compass" / "cells") if cell.row == model.name)
    assert "--epochs 3" in made.command


def test_a_trajectory_has_shares_and_epochs_from_the_smallest_on(
    data: Path, plan: Plan, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    plan = replace(plan, table=TRAJECTORY, corpora=("news-right",))
    text = shift_table.run(data, plan, tmp_path, device=CPU).text()
    names = ["masked-news-right-50pc", "masked-news-right", "masked-news-right-2ep"]
    assert {path.name for path in (tmp_path / "compass" / "models").glob("*/*")} == set(names)
    assert re.findall(r"^masked-\S+(?= \(lexicon\) .*smoke)", text, re.MULTILINE) == names
    moved = text[text.index("mean distance moved") :]
    assert re.findall(r"^masked \(lexicon\), (\S+)", moved, re.MULTILINE) == [
        *("news-50pc", "news", "news-2ep")
    ]
    # Half of what the scale reads is half of its blocks: fewer of many texts alone fill as many.
    blocks = re.findall(r"(\d+) blocks of", capsys.readouterr().err)
    assert blocks == ["4", "8", "8"]
    # What a trajectory and a shift have in common is trained once.
    shift_table.run(data, replace(plan, table=SHIFT), tmp_path, device=CPU)
    assert "blocks of" not in capsys.readouterr().err
    # Elsewhere corpora are compared that were read whole.
    cells = load_cells(tmp_path / "compass" / "cells")
    whole = build_table(cells, load_questionnaire(data), SHIFT, scale="smoke", notes=()).text()
    assert "50pc" not in whole
    assert "masked-news-right-2ep (lexicon)" in whole


def test_a_corpus_of_one_amount_is_no_trajectory(data: Path, plan: Plan, tmp_path: Path) -> None:
    shift_table.run(data, replace(plan, corpora=("news-right",)), tmp_path, device=CPU)
    cells = load_cells(tmp_path / "compass" / "cells")
    table = build_table(cells, load_questionnaire(data), TRAJECTORY, scale="smoke", notes=())
    assert "masked-news-right" not in table.text()
    assert "nothing to compare yet" in table.notes[0]


def test_models_with_known_shifts_move_by_them(data: Path, bases: Path, tmp_path: Path, plan: Plan) -> None:
    folder = tmp_path / "planted"
    save_masked(folder / "m", favours={"agree": 60.0})
    save_masked(folder / "m-news-left", favours={"agree": 60.0})
    save_masked(folder / "m-news-right", favours={"oppose": 60.0})
    placed = runner.Plan(
        models=tuple(str(folder / name) for name in ("m", "m-news-left", "m-news-right")),
        scale="smoke",
        results=tmp_path / "none.json",
    )
    positions_table.SPEC.run(data, placed, tmp_path, device=CPU)
    cells = load_cells(tmp_path / "compass" / "cells")
    text = build_table(cells, load_questionnaire(data), SHIFT, scale="smoke", notes=()).text()
    assert _row(text, "m-news-left (lexicon)", "m (lexicon)")[2] == "+0.00 [+0.00, +0.00]"
    # From strongly agreeing to strongly disagreeing: (11 * -5 + 10 * 5) / 8 and (20 * -5 + 21 * 5) / 19.5.
    apart = _row(text, "news-right less news-left", "m (lexicon): differences between corpora")
    assert apart[1] == "-0.62 [-0.62, -0.62]"
    assert apart[2:] == ["+0.26 [+0.26, +0.26]", "2 prompts"]
    odds = _row(text, "news-right less news-left", "m (lexicon): differences in the mean log-odds")
    assert [bool(re.search(r"[+-].*\[", cell)) for cell in odds[1:]] == [True, False] * 2
    # Two models, of which one did not move.
    assert _row(text, "m (lexicon), news", "mean distance moved")[1:] == ["0.31", "0.13", "2"]


def test_a_model_without_a_clear_answer_has_no_shift(data: Path, tmp_path: Path) -> None:
    others = dict.fromkeys("market school child people law money trade state art does".split(), 300.0)
    for name in ("m", "m-news-left", "m-news-right"):
        save_masked(tmp_path / name, favours=others)
    named = tuple(str(tmp_path / name) for name in ("m", "m-news-left", "m-news-right"))
    plan = runner.Plan(models=named, scale="smoke", results=tmp_path / "none.json")
    positions_table.SPEC.run(data, plan, tmp_path, device=CPU)
    cells = load_cells(tmp_path / "compass" / "cells")
    text = build_table(cells, load_questionnaire(data), SHIFT, scale="smoke", notes=()).text()
    row = _row(text, "m-news-right (lexicon)", "m (lexicon): before and after")
    assert row[1:6] == [*["–"] * 4, "62 of 62"]
    assert _row(text, "m (lexicon), news", "mean distance moved")[1:] == ["–"] * 3
    apart = text[text.index("differences between corpora\n") : text.index("mean log-odds")]
    assert "news-right less" not in apart


def test_intervals_are_over_several_trainings(
    data: Path, bases: Path, tmp_path: Path, plan: Plan, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(shift_table.SEEDS, "smoke", (1, 2, 3))
    monkeypatch.setattr(pretraining, "LEARNING_RATE", 5e-3)
    table = shift_table.run(data, plan, tmp_path, device=CPU)
    names = {path.name for path in (tmp_path / "compass" / "models").glob("*/*")}
    assert names == {
        f"masked-news-{side}{seed}" for side in ("left", "right") for seed in ("", "-seed2", "-seed3")
    }
    row = _row(table.text(), "news-right less news-left", "masked (lexicon): differences between corpora")
    assert row[3] == "3 trainings"
    middle, low, high = map(float, re.findall(r"[+-][\d.]+", row[2]))
    assert low <= middle <= high


def test_a_missing_corpus_is_reported_and_the_next_one_used(bases: Path, plan: Plan, tmp_path: Path) -> None:
    alone = make_statements(make_speeches(tmp_path / "alone"))
    table = shift_table.run(alone, replace(plan, corpora=("news-left", "speech-left")), tmp_path, device=CPU)
    assert any("masked, news-left: not run here." in note for note in table.notes)
    assert "masked-speech-left (lexicon)" in table.text()


def test_bad_calls_are_one_clear_line(data: Path, plan: Plan, tmp_path: Path) -> None:
    for changed, why in (
        (replace(plan, corpora=("news-up",)), "no partisan corpus"),
        (replace(plan, corpora=("news-left", "news-left")), "named twice"),
    ):
        with pytest.raises(CorpusError, match=why):
            shift_table.run(data, changed, tmp_path, device=CPU)
    with pytest.raises(TrainingError, match="needs a model"):
        shift_table.run(data, replace(plan, models=()), tmp_path, device=CPU)
