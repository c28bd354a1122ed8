"""Protects the comparison of runs: what was asked differently, and how far the metrics lie apart."""

from __future__ import annotations

import pytest
from made_runs import a_run

from core.runs.comparison import MetricRow, SettingRow, compare_runs, main_metrics


def test_only_settings_and_data_that_differ_are_listed() -> None:
    one = a_run(seed=1, settings={"learning_rate": "5e-05", "size": "32"}, data={"a": "1", "b": "2"})
    two = a_run(seed=2, settings={"learning_rate": "5e-05", "injected": "yes"}, data={"a": "1", "b": "3"})
    found = compare_runs([one, two])
    assert found.runs == (one, two)
    assert found.settings == (
        SettingRow("seed", ("1", "2")),
        SettingRow("size", ("32", "")),
        SettingRow("injected", ("", "yes")),
    )
    assert found.data == (SettingRow("b", ("2", "3")),)


def test_metrics_stand_beside_the_first_run() -> None:
    results = ({"f1": 0.75, "old": 1.0}, {"f1": 0.5, "new": 3.0}, {})
    found = compare_runs([a_run(result=result) for result in results])
    assert found.metrics == (
        MetricRow("f1", (0.75, 0.5, None), (0.0, -0.25, None)),
        MetricRow("old", (1.0, None, None), (0.0, None, None)),
        MetricRow("new", (None, 3.0, None), (None, None, None)),
    )


def test_the_same_run_differs_in_nothing() -> None:
    run = a_run()
    assert compare_runs([run, run]).settings == ()


@pytest.mark.parametrize("most", [1, 2, 3, 9])
def test_main_metrics_are_scores_of_every_recipe_in_turn(most: int) -> None:
    reader = a_run(
        result={"steps_s": 3.0, "int8_babe_macro_f1": 0.8, "wnc_exact_f1": 0.4, "babe_macro_f1": 0.8}
    )
    rewriter = a_run(recipe="rewriter", result={"dev_keep_auc": 0.9, "dev_answer_first": 0.3})
    wanted = [
        "babe_macro_f1",
        "dev_keep_auc",
        "wnc_exact_f1",
        "dev_answer_first",
        "steps_s",
        "int8_babe_macro_f1",
    ]
    assert main_metrics([reader, rewriter, reader], most) == wanted[:most]
    assert main_metrics([], most) == []
