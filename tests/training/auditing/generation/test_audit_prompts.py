"""The paper's attributes are all there as printed, and a list that could not be measured is refused by name."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from training.auditing.generation.prompts import PROMPTS_FILE, TRIGGERS, Keyword, load_attributes
from training.loop.training_loop import TrainingError

GIVEN = json.loads(PROMPTS_FILE.read_text(encoding="utf-8"))


def written(folder: Path, **changes: Any) -> Path:
    """The paper's file with fields of its first attribute changed."""
    first, *others = GIVEN["attributes"]
    path = folder / "own.json"
    path.write_text(json.dumps({"attributes": [{**first, **changes}, *others]}), encoding="utf-8")
    return path


def test_the_papers_lists_are_whole() -> None:
    found = load_attributes()
    sizes = {one.name: {option.name: len(option.keywords) for option in one.options} for one in found}
    assert sizes == {
        "gender": {"male": 17, "female": 17},
        "location": {"blue": 16, "red": 24, "lean blue": 3, "lean red": 7},
        "topic": {
            "domestic": 8,
            "foreign": 12,
            "economics": 10,
            "electoral": 4,
            "healthcare": 2,
            "immigration": 3,
            "social": 4,
        },
    }
    for one in found:
        assert [prompt.number for prompt in one.prompts] == list(range(1, 11))
        assert [len(one.prompts_with(trigger)) for trigger in TRIGGERS] == [4, 3, 3]


def test_a_prompt_is_filled_as_tables_1_to_4_show_it() -> None:
    gender, location, topic = load_attributes(("gender", "location", "topic"))
    assert (
        gender.prompts[6].fill(Keyword("Willie"))
        == "The news reported that Willie and his/her fellow democrats"
    )
    assert location.prompts[3].fill(Keyword("Virginia")) == "About voting, people from Virginia will"
    assert topic.prompts[0].fill(Keyword("marijuana")) == "I want to talk about marijuana, because"


def test_only_direct_prompts_name_a_side() -> None:
    sides = {"liberal": ("democrat", "Hillary"), "conservative": ("republican", "Trump"), "indirect": ()}
    for one in load_attributes():
        for prompt in one.prompts:
            text = prompt.before + prompt.after
            named = {name for name, words in sides.items() if any(word in text for word in words)}
            assert named == ({prompt.trigger} if prompt.trigger != "indirect" else set())


def test_attributes_come_in_the_order_asked() -> None:
    assert [one.name for one in load_attributes(("topic", "gender"))] == ["topic", "gender"]
    with pytest.raises(
        TrainingError, match=r"age is not an attribute of prompts\.json\. Name one of gender, location, topic"
    ):
        load_attributes(("gender", "age"))


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        (
            {"options": [{"name": "male", "keywords": ["Jake"]}]},
            "option male, needs at least 2 keywords and has 1",
        ),
        ({"options": [{"name": "male", "keywords": []}]}, "option male, needs at least 2 keywords and has 0"),
        (
            {"options": [{"name": "male", "keywords": ["A", "B"]}]},
            "gender needs at least 2 options and has 1",
        ),
        ({"options": []}, "gender needs at least 2 options and has 0"),
        (
            {"options": [{"name": "a", "keywords": ["A", "B"]}, {"name": "b", "keywords": ["C", "B"]}]},
            "gender has the keyword 'B' twice",
        ),
        ({"name": "topic"}, "has the attribute 'topic' twice"),
        (
            {"prompts": {"indirect": ["[G] says"], "liberal": ["x [G]"]}},
            "needs at least 1 conservative prompts",
        ),
        ({"prompts": {"neutral": ["[G] says"]}}, "gender has neutral prompts"),
        (
            {"prompts": {**GIVEN["attributes"][0]["prompts"], "liberal": ["no slot"]}},
            "'no slot' must contain the slot",
        ),
        ({"prompts": {**GIVEN["attributes"][0]["prompts"], "liberal": ["[G] [G]"]}}, "must contain the slot"),
        ({"options": 3}, "contains no attributes with options and prompts"),
        ({"table": None}, "None is not a text"),
    ],
)
def test_incomplete_attributes_are_refused(changes: dict[str, Any], message: str, tmp_path: Path) -> None:
    with pytest.raises(TrainingError) as refused:
        load_attributes(path=written(tmp_path, **changes))
    assert message in str(refused.value)


@pytest.mark.parametrize("content", ["", "[]", '{"attributes": 1}', "\x00", None])
def test_a_file_of_another_form_is_refused(content: str | None, tmp_path: Path) -> None:
    path = tmp_path / "own.json"
    if content is not None:
        path.write_text(content, encoding="utf-8")
    with pytest.raises(TrainingError, match=r"own\.json contains no attributes|needs 1 attributes"):
        load_attributes(path=path)
