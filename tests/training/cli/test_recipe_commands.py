"""Protects ``evenhand train RECIPE``: a recipe is a subcommand with its own options alone, declared once."""

from __future__ import annotations

from importlib import import_module

import pytest

from core.runs.recipes import RECIPES, SCALE_NAMES, Recipe, current_settings, recipe_name
from training.auditing.compass.detectors import TASKS
from training.auditing.debiasing.systems import MODES
from training.auditing.generation.prompts import load_attributes
from training.cli import main


@pytest.mark.parametrize("recipe", RECIPES.values(), ids=RECIPES)
def test_every_recipe_is_a_module_of_training(recipe: Recipe) -> None:
    module = import_module(recipe.module)
    assert callable(module.run)
    assert callable(module.check)
    assert tuple(module.SCALES) == SCALE_NAMES


def test_choices_of_audits_are_those_that_training_knows() -> None:
    options = RECIPES["audit"].options
    assert options["attributes"].choices == tuple(one.name for one in load_attributes())
    assert set(options["modes"].choices) == set(MODES)
    assert set(RECIPES["compass"].options["detectors"].choices) == set(TASKS)


@pytest.mark.parametrize("arguments", [["audit", "--learning-rate", "1"], ["reader", "--modes", "emb"]])
def test_an_option_of_another_recipe_is_refused(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        main.main(arguments)
    assert ended.value.code == 2
    assert f"unrecognized arguments: {arguments[1]}" in capsys.readouterr().err


@pytest.mark.parametrize("name", [*RECIPES, "judge", "plant"])
def test_show_says_what_a_recipe_does_and_its_options(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main.main(["show", name]) == 0
    shown = capsys.readouterr().out
    assert RECIPES[recipe_name(name)].help in shown
    assert "--data" in shown


def test_a_run_without_a_recipe_is_one_clear_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main.main(["run", "--seed", "1"]) == 2
    assert "No recipe was named. Name one of reader, rewriter" in capsys.readouterr().err


def test_settings_of_earlier_versions_get_their_present_names() -> None:
    stored = {"rate": "5e-05", "start": "bundle", "trainings": "0", "judge": "words", "base": "b"}
    assert current_settings(stored) == {
        "learning_rate": "5e-05",
        "init_from": "bundle",
        "ensemble_size": "0",
        "ideology_classifier": "words",
        "base": "b",
    }
