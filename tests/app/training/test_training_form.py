"""The training form reports missing input before the start and queries the trainer for devices and estimates."""

from __future__ import annotations

from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot
from training_driver import TrainingDriver

from app.runs.request_form import SHARED_OPTIONS
from app.runs.run_process import recipe_of, start_arguments
from core.corrections import corpus
from core.runs.recipes import RECIPES, StartedFrom


def test_every_recipe_of_the_form_can_be_started(training: TrainingDriver) -> None:
    """The form makes a request of each recipe, and the arguments name nothing but what the form offers."""
    training.wait_until_ready()
    form = training.section.form
    offered = [form.recipe.itemData(row) for row in range(form.recipe.count())]
    assert offered == [
        name for name, recipe in RECIPES.items() if recipe.started_from is StartedFrom.TRAINING_FORM
    ]
    for name in offered:
        form.recipe.setCurrentIndex(form.recipe.findData(name))
        request = form.request()
        assert recipe_of(request) is RECIPES[name]
        assert request.base == RECIPES[name].default_base
        assert start_arguments(request, "x")[0] == name


def test_the_form_shows_the_options_that_a_recipe_offers_in_the_window(training: TrainingDriver) -> None:
    training.wait_until_ready()
    form = training.section.form
    for name, recipe in RECIPES.items():
        if recipe.started_from is StartedFrom.TRAINING_FORM:
            form.recipe.setCurrentIndex(form.recipe.findData(name))
            titled = {option.name for option in recipe.options.values() if option.title}
            shown = {option for option, field in form.fields.items() if field.isVisible()}
            assert shown == titled - set(SHARED_OPTIONS)


def test_devices_are_those_that_the_trainer_sees(training: TrainingDriver) -> None:
    training.wait_until_ready()
    box = training.section.form.device
    shown = [box.itemText(row) for row in range(box.count())]
    assert "core" in shown[1]
    assert "16.0 GB" in shown[1]
    assert shown[2] == "A card · 24.0 GB"
    assert box.currentData() == "auto"


def test_a_check_names_what_is_missing_or_altered(training: TrainingDriver, corpora: Path) -> None:
    training.wait_until_ready()
    form = training.section.form
    (corpora / "one.csv").unlink()
    form.check_button.click()
    training.until(lambda: "missing" in form.data_field.help_text)
    assert "one.csv" in form.data_field.help_text
    assert "1 file differs from the published one: two.csv" in form.data_field.help_text


def test_an_estimate_is_shown_and_cleared_when_the_form_changes(training: TrainingDriver) -> None:
    training.wait_until_ready()
    form = training.section.form
    form.estimate.click()
    training.until(lambda: "memory" in form.answer_text)
    assert form.answer_text == "This run takes about 2 hours, 3.1 GB of memory and 912 MB of disk space."
    form.scale.setCurrentIndex(0)
    assert form.answer_text == ""


def test_a_failed_estimate_shows_the_reason(training: TrainingDriver) -> None:
    training.wait_until_ready()
    form = training.section.form
    form.paths["base"].combo.setEditText("none")
    form.estimate.click()
    training.until(lambda: "no encoder" in form.answer_text)
    assert form.answer_text == "There is no encoder called none."


def test_a_second_press_stops_the_estimate(training: TrainingDriver) -> None:
    training.wait_until_ready()
    form = training.section.form
    words = form.estimate.text()
    form.estimate.click()
    assert form.estimate.text() != words
    form.estimate.click()
    assert form.estimate.text() == words
    assert form.answer_text == ""


@pytest.mark.parametrize("press", ["start", "estimate", "check_button"])
def test_nothing_is_started_without_corpora(training: TrainingDriver, press: str) -> None:
    training.wait_until_ready()
    form = training.section.form
    form.data.combo.setEditText("/no/such/folder")
    getattr(form, press).click()
    assert "/no/such/folder is not a folder" in form.answer_text
    form.data.combo.setEditText("")
    getattr(form, press).click()
    assert "The folder with the corpora is missing" in form.answer_text
    assert training.section.page is form
    assert training.runs() == []


def test_paths_used_before_are_offered_again(training: TrainingDriver, corpora: Path) -> None:
    training.start("finish")
    training.wait_until_ended()
    training.reopen()
    training.wait_until_ready()
    assert training.section.form.data.text == str(corpora)


def test_the_corpora_folder_defaults_to_the_environment(
    training: TrainingDriver, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    training.window.settings.set("corpora_folders", ())
    monkeypatch.setenv("EVENHAND_DATA", str(tmp_path))
    training.reopen()
    training.wait_until_ready()
    assert training.section.form.data.text == str(tmp_path)


def test_selected_corrections_are_passed_to_the_run(training: TrainingDriver) -> None:
    training.wait_until_ready()
    form = training.section.form
    assert "--corrections" not in start_arguments(form.request(), "x")
    path = corpus.choose([])
    arguments = start_arguments(form.request(), "x")
    assert arguments[arguments.index("--corrections") + 1] == str(path)


def test_user_pairs_are_passed_to_both_recipes_when_selected(
    training: TrainingDriver, tmp_path: Path
) -> None:
    training.wait_until_ready()
    form = training.section.form
    assert "--pairs" not in start_arguments(form.request(), "x")
    file = tmp_path / "mine.tsv"
    form.paths["pairs"].combo.setEditText(str(file))
    for recipe in ("reader", "rewriter"):
        form.recipe.setCurrentIndex(form.recipe.findData(recipe))
        assert form.paths["pairs"].isVisible()
        arguments = start_arguments(form.request(), "x")
        assert arguments[arguments.index("--pairs") + 1] == str(file)
    form.recipe.setCurrentIndex(0)
    form.start.click()
    assert f"{file} is not a file" in form.answer_text
    assert training.runs() == []
    assert form.paths["pairs"].isAncestorOf(form.focusWidget() or form)
    file.write_text("a\tb\n")
    training.start("finish")
    training.wait_until_ended()
    assert training.window.settings.value("pairs_files") == (str(file),)
    training.reopen()
    training.wait_until_ready()
    box = training.section.form.paths["pairs"]
    assert box.text == ""
    assert box.combo.itemText(0) == str(file)


def test_a_trainer_that_does_not_answer_is_reported(training: TrainingDriver, qtbot: QtBot) -> None:
    from core.training_env import TrainingPython

    training.wait_until_ready()
    training.section.form.set_trainer(TrainingPython(("/no/such/python",), "broken", managed=True))
    training.until(lambda: "could not be listed" in training.section.form.device_field.help_text)
