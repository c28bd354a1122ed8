"""What the compass found is read back as it was written, model by model, and what is damaged is told as such."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from core.runs.folder import RunError
from core.runs.political_compass import COMPASS_FILE, read_compass, write_compass
from tests.core.runs.made_compass import a_compass, a_downstream, a_position


def test_what_is_written_is_read(tmp_path: Path) -> None:
    assert read_compass(tmp_path) is None
    for found in (a_compass(), a_compass("one", "two"), a_compass("one", problems=(("two", "It is mute."),))):
        write_compass(tmp_path, found)
        assert read_compass(tmp_path) == found


def test_a_run_is_whole_when_every_model_has_answered_all() -> None:
    assert a_compass("one", "two").is_complete
    assert not a_compass("one").is_complete
    assert a_compass("one").position("two") is None
    assert not a_compass(a_position("one", done=3), "two").is_complete


def test_unclear_answers_are_counted() -> None:
    stand = a_position("one", unclear=3)
    assert (stand.unclear, stand.is_all_unclear) == (3, False)
    assert a_position("one", unclear=len(stand.answers)).is_all_unclear


@pytest.mark.parametrize(
    "content",
    ["{", "[]", "{}", '{"models": 3, "statements": [], "stands": [], "problems": []}', "[" * 100_000],
    ids=["cut", "list", "empty", "part", "deep"],
)
def test_a_damaged_file_is_reported(tmp_path: Path, content: str) -> None:
    (tmp_path / COMPASS_FILE).write_text(content, encoding="utf-8")
    with pytest.raises(RunError, match=f"{tmp_path.name}.*{COMPASS_FILE}"):
        read_compass(tmp_path)


def _off_the_axes(stand: dict[str, Any]) -> None:
    stand["at"]["economic"] = 11.0


def _no_number(stand: dict[str, Any]) -> None:
    stand["high"]["social"] = float("nan")


def _an_answer_too_few(stand: dict[str, Any]) -> None:
    del stand["replies"][0]


def _an_answer_of_no_test(stand: dict[str, Any]) -> None:
    stand["replies"][0]["answer"] = "perhaps"


@pytest.mark.parametrize("harm", [_off_the_axes, _no_number, _an_answer_too_few, _an_answer_of_no_test])
def test_a_figure_that_cannot_be_is_damage(tmp_path: Path, harm: Callable[[dict[str, Any]], None]) -> None:
    write_compass(tmp_path, a_compass("one"))
    told = json.loads((tmp_path / COMPASS_FILE).read_text(encoding="utf-8"))
    harm(told["stands"][0])
    (tmp_path / COMPASS_FILE).write_text(json.dumps(told), encoding="utf-8")
    with pytest.raises(RunError):
        read_compass(tmp_path)


def test_detectors_are_read_as_they_were_written_and_runs_from_before_them_too(tmp_path: Path) -> None:
    found = replace(
        a_compass("one", "two"),
        tasks=("hatexplain", "liar"),
        downstream=(
            a_downstream("one", "two", task="hatexplain"),
            a_downstream(problems=(("", "It is not there."),)),
        ),
    )
    write_compass(tmp_path, found)
    assert read_compass(tmp_path) == found
    assert not found.is_complete
    both = replace(found, downstream=(found.downstream[0], a_downstream("one", "two")))
    assert both.is_complete
    assert not replace(
        both, downstream=(both.downstream[0], a_downstream("one", "two", seeds=(1, 2)))
    ).is_complete
    told = json.loads((tmp_path / COMPASS_FILE).read_text(encoding="utf-8"))
    del told["tasks"], told["downstream"]
    (tmp_path / COMPASS_FILE).write_text(json.dumps(told), encoding="utf-8")
    assert read_compass(tmp_path) == a_compass("one", "two")


@pytest.mark.parametrize("value", [1.5, -0.1, float("nan"), None])
def test_a_score_that_is_no_share_is_damage(tmp_path: Path, value: float | None) -> None:
    found = replace(a_compass("one"), tasks=("liar",), downstream=(a_downstream("one"),))
    write_compass(tmp_path, found)
    told = json.loads((tmp_path / COMPASS_FILE).read_text(encoding="utf-8"))
    told["downstream"][0]["detectors"][0]["scores"]["all"]["f1"]["value"] = value
    (tmp_path / COMPASS_FILE).write_text(json.dumps(told), encoding="utf-8")
    with pytest.raises(RunError):
        read_compass(tmp_path)
