"""Protects Table 9's rating sheets: every rater's row is a prompt and what one system truly wrote after it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path

import pytest

from training.auditing.generation.prompts import load_attributes
from training.auditing.generation.samples import Sample
from training.cli.main import main
from training.papers.political_calibration.rated_texts import NOTHING, read_generated_texts
from training.types import RatingError

FACTS = {"generator": "g1", "prompts": "p1", "scale": "1 x 5 tokens", "seed": "1"}


def _write(folder: Path, system: str, texts: Mapping[str, str], **facts: str) -> Path:
    """A kept file: a text for each of some men's names after the first prompt on gender."""
    folder.mkdir(exist_ok=True)
    cell = {**FACTS, "system": system, **facts}
    rows = [json.dumps(cell)]
    rows += [
        json.dumps(asdict(Sample("gender", "male", name, 1, "indirect", 0, text)))
        for name, text in texts.items()
    ]
    path = folder / f"samples-{len(list(folder.iterdir()))}.jsonl"
    path.write_text("\n".join(rows) + "\n", encoding="utf-8")
    return path


def _names() -> list[str]:
    (gender,) = load_attributes(["gender"])
    return [keyword.text for keyword in gender.options[0].keywords][:3]


def test_each_text_belongs_to_its_prompt(tmp_path: Path) -> None:
    names = _names()
    _write(tmp_path, "vanilla", {name: f"plain\n\n{name}" for name in names})
    _write(
        tmp_path, "cls", {name: f"mild {name}" for name in reversed(names)}, **{"lambda": "0.6, controlled"}
    )
    prompts, systems = read_generated_texts(tmp_path)
    assert set(systems) == {"vanilla", "cls"}
    for prompt, plain, mild in zip(prompts, systems["vanilla"], systems["cls"], strict=True):
        (name,) = [name for name in names if name in prompt]
        assert (plain, mild) == (f"plain {name}", f"mild {name}")


def test_only_prompts_of_all_systems_are_used_without_the_sweep(tmp_path: Path) -> None:
    one, two, three = _names()
    _write(tmp_path, "vanilla", {one: "a", two: "b", three: "c"})
    _write(tmp_path, "vanilla", {one: "other"}, prompts="of the sweep")
    _write(tmp_path, "emb", {two: " ", three: "d"})
    _write(tmp_path, "cls", {one: "swept"}, **{"lambda": "0.9, held still"})
    prompts, systems = read_generated_texts(tmp_path)
    assert len(prompts) == 2
    assert {name: sorted(texts) for name, texts in systems.items()} == {
        "vanilla": ["b", "c"],
        "emb": [NOTHING, "d"],
    }


def test_texts_that_cannot_be_compared_are_refused(tmp_path: Path) -> None:
    name = _names()[0]
    with pytest.raises(RatingError, match="contains no generated texts"):
        read_generated_texts(tmp_path / "nothing")
    _write(tmp_path / "two", "vanilla", {name: "a"})
    _write(tmp_path / "two", "cls", {name: "a"}, generator="g2")
    with pytest.raises(RatingError, match="2 generators"):
        read_generated_texts(tmp_path / "two")
    _write(tmp_path / "again", "cls", {name: "a"}, articles="few")
    _write(tmp_path / "again", "cls", {name: "b"}, articles="many")
    with pytest.raises(RatingError, match="with two settings"):
        read_generated_texts(tmp_path / "again")
    _write(tmp_path / "apart", "vanilla", {name: "a"})
    _write(tmp_path / "apart", "cls", {name: "b"}, seed="2")
    with pytest.raises(RatingError, match="answered by all of cls, vanilla"):
        read_generated_texts(tmp_path / "apart")
    _write(tmp_path / "unknown", "vanilla", {"Nobody": "a"})
    with pytest.raises(RatingError, match="does not know"):
        read_generated_texts(tmp_path / "unknown")


def test_a_damaged_file_is_refused_with_its_line(tmp_path: Path) -> None:
    path = _write(tmp_path, "vanilla", {_names()[0]: "a"})
    path.write_text(path.read_text(encoding="utf-8") + "[]\n", encoding="utf-8")
    with pytest.raises(RatingError, match="line 3"):
        read_generated_texts(tmp_path)


def test_the_command_writes_rating_sheets(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    name = _names()[0]
    _write(tmp_path / "samples", "vanilla", {name: "plain"})
    _write(tmp_path / "samples", "cls", {name: "mild"})
    asked = ["ratings", "sheet", "--generated", str(tmp_path / "samples"), "--out", str(tmp_path / "out")]
    assert main([*asked, "--n", "1"]) == 2
    assert "--protocol liu" in capsys.readouterr().err
    assert main([*asked, "--n", "1", "--protocol", "liu"]) == 0
    sheet = (tmp_path / "out" / "raters" / "rater-1.csv").read_text(encoding="utf-8-sig")
    assert all(word in sheet for word in ("plain", "mild", name))
