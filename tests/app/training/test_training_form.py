"""The form says what is missing before anything is started, and asks the trainer what only it can know."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot
from rooms import Training

from app.runs.recipes import AUDITS, CONTROLS, RECIPES, SCALES, recipe_title
from core.corrections import corpus

ROOT = Path(__file__).resolve().parents[3]


def asked(*arguments: str) -> str:
    command = [sys.executable, "-m", "app.entry", "train", *arguments]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout


def test_the_table_of_recipes_is_the_trainers() -> None:
    listed = asked("list").partition("tables")[0].splitlines()[1:]
    assert [line.split()[0] for line in listed] == [*RECIPES, *AUDITS, *CONTROLS]
    assert all(recipe_title(name) != name for name in (*AUDITS, *CONTROLS))
    choices = asked("run", "--help")
    assert "{" + ",".join(SCALES) + "}" in choices.replace("\n", " ")


@pytest.mark.slow
def test_the_base_models_are_the_recipes_own() -> None:
    for recipe in RECIPES.values():
        assert f"base {recipe.base}" in asked("show", recipe.name)


def test_devices_are_those_that_the_trainer_sees(training: Training) -> None:
    training.ready()
    box = training.section.form.device
    shown = [box.itemText(row) for row in range(box.count())]
    assert "core" in shown[1]
    assert "16.0 GB" in shown[1]
    assert shown[2] == "A card · 24.0 GB"
    assert box.currentData() == "auto"


def test_a_check_names_what_is_missing_or_altered(training: Training, corpora: Path) -> None:
    training.ready()
    form = training.section.form
    (corpora / "one.csv").unlink()
    form.check_button.click()
    training.until(lambda: "missing" in form.data_field.help_text)
    assert "one.csv" in form.data_field.help_text
    assert "1 file is not as published: two.csv" in form.data_field.help_text


def test_an_estimate_is_given_in_words_and_dropped_when_the_form_changes(training: Training) -> None:
    training.ready()
    form = training.section.form
    form.estimate.click()
    training.until(lambda: "memory" in form.answer_text)
    assert form.answer_text == "It takes about 2 hours, 3.1 GB of memory and 912 MB on the disk."
    form.scale.setCurrentIndex(0)
    assert form.answer_text == ""


def test_an_estimate_that_fails_says_why(training: Training) -> None:
    training.ready()
    form = training.section.form
    form.base.combo.setEditText("none")
    form.estimate.click()
    training.until(lambda: "no encoder" in form.answer_text)
    assert form.answer_text == "There is no encoder called none."


def test_a_second_press_stops_the_estimate(training: Training) -> None:
    training.ready()
    form = training.section.form
    words = form.estimate.text()
    form.estimate.click()
    assert form.estimate.text() != words
    form.estimate.click()
    assert form.estimate.text() == words
    assert form.answer_text == ""


@pytest.mark.parametrize("press", ["start", "estimate", "check"])
def test_nothing_is_started_without_corpora(training: Training, press: str) -> None:
    training.ready()
    form = training.section.form
    form.data.combo.setEditText("/no/such/folder")
    getattr(form, press).click()
    assert "/no/such/folder is not a folder" in form.answer_text
    form.data.combo.setEditText("")
    getattr(form, press).click()
    assert "No corpora are named" in form.answer_text
    assert training.section.page is form
    assert training.runs() == []


def test_the_rewriter_needs_its_pairs(training: Training) -> None:
    training.ready()
    form = training.section.form
    assert not form.pairs.isVisible()
    form.recipe.setCurrentIndex(form.recipe.findData("rewriter"))
    assert form.pairs.isVisible()
    form.start.click()
    assert "injected pairs" in form.answer_text
    assert training.section.page is form


def test_what_was_used_before_is_offered_again(training: Training, corpora: Path) -> None:
    training.start("finish")
    training.ended()
    training.reopen()
    training.ready()
    assert training.section.form.data.text == str(corpora)


def test_the_folder_is_taken_from_the_environment_at_first(
    training: Training, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    training.window.settings.set("corpora_folders", ())
    monkeypatch.setenv("EVENHAND_DATA", str(tmp_path))
    training.reopen()
    training.ready()
    assert training.section.form.data.text == str(tmp_path)


def test_chosen_corrections_are_learnt_from(training: Training) -> None:
    training.ready()
    assert training.section.form.request().corrections == ""
    place = corpus.choose([])
    assert training.section.form.request().arguments()[-2:] == ["--corrections", str(place)]


def test_own_pairs_are_learnt_from_by_either_recipe_when_they_are_chosen(
    training: Training, tmp_path: Path
) -> None:
    training.ready()
    form = training.section.form
    assert "--pairs" not in form.request().arguments()
    file = tmp_path / "mine.tsv"
    form.own_pairs.combo.setEditText(str(file))
    for recipe in RECIPES:
        form.recipe.setCurrentIndex(form.recipe.findData(recipe))
        assert form.own_pairs.isVisible()
        said = form.request().arguments()
        assert said[said.index("--pairs") + 1] == str(file)
    form.recipe.setCurrentIndex(0)
    form.start.click()
    assert f"{file} is not a file" in form.answer_text
    assert training.runs() == []
    assert form.own_pairs.isAncestorOf(form.focusWidget() or form)
    file.write_text("a\tb\n")
    training.start("finish")
    training.ended()
    assert training.window.settings.value("pairs_files") == (str(file),)
    training.reopen()
    training.ready()
    box = training.section.form.own_pairs
    assert box.text == ""
    assert box.combo.itemText(0) == str(file)


def test_a_trainer_that_cannot_be_asked_is_told(training: Training, qtbot: QtBot) -> None:
    from core.training_env import TrainingPython

    training.ready()
    training.section.form.set_trainer(TrainingPython(("/no/such/python",), "broken", managed=True))
    training.until(lambda: "names no devices" in training.section.form.device_field.help_text)
