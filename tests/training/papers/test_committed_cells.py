"""Protects the committed results of the papers: their keys are those of their facts, and today's code finds them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest
import torch

from core.runs.trained_models import MEASURED_FILE
from training.auditing.compass import detector_runner, models_under_test, runner
from training.auditing.compass.models_under_test import ModelUnderTest
from training.auditing.compass.questionnaire import STATEMENT_COUNT, Questionnaire, Statement
from training.auditing.debiasing import systems
from training.auditing.debiasing.systems import DebiasingSystems
from training.auditing.debiasing.training_data import ArticleCorpus
from training.auditing.generator_bias.runner import BiasCellId, BiasRunner
from training.auditing.ideology_classifiers.masked_articles import PublisherMasks
from training.loop.events import Events
from training.loop.result_cache import ResultCell, digest, read_results
from training.papers.polilean import pretraining
from training.papers.political_calibration.tables import SCALES

PAPERS = Path(__file__).resolve().parents[3] / "training" / "papers"
FILES = sorted(PAPERS.glob("*/results/*.json"))
COUNTS = {"babe_5": 25, "bsw": 125, "calibration": 56, "compass": 141, "wikibias": 18}
WEIGHTS = (0.0, 0.0, 0.0, 0.0)
QUESTIONS = Questionnaire(
    tuple(
        Statement(number, f"Statement {number}.", WEIGHTS, WEIGHTS)
        for number in range(1, STATEMENT_COUNT + 1)
    ),
    0.0,
    0.0,
    "99fe5bc22c9ab6cc",
)


def committed(name: str) -> list[ResultCell]:
    return read_results(PAPERS / name)


@pytest.mark.parametrize("path", [*FILES, MEASURED_FILE], ids=lambda path: path.stem)
def test_every_key_is_the_digest_of_the_facts(path: Path) -> None:
    cells = read_results(path)
    assert len(cells) == COUNTS.get(path.stem, 2)
    assert [cell.place for cell in cells if cell.key != digest(cell.facts)] == []


def test_no_results_file_is_missing() -> None:
    assert {path.stem for path in FILES} == COUNTS.keys()


def test_the_facts_of_every_generator_cell_are_those_of_the_code(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for cell in committed("political_calibration/results/calibration.json"):
        judge, mark = cell.facts["judge"].split(", ")
        monkeypatch.setattr(systems, "has_fast_bf16", lambda _device, known=cell.facts: "numbers" in known)
        made = DebiasingSystems(
            ArticleCorpus((), PublisherMasks(set()), mark, shared="setting" in cell.facts),
            str(tmp_path),
            glove=None,
            classifier_name=judge,
            fitting=SCALES[cell.scale].fitting,
            folder=tmp_path,
            device=torch.device("cpu"),
            events=Events("test"),
            _base_digest=cell.facts["generator"],
            _vectors_digest=cell.facts.get("glove", ""),
        )
        experiment = BiasRunner(made, SCALES[cell.scale], tmp_path, made.events)
        assert _same_cell(
            experiment.task(
                BiasCellId(cell.row, cell.protocol, cell.seed, cell.group), scale=cell.scale, command=""
            ).cell,
            cell,
        )


def test_the_facts_of_every_compass_cell_are_those_of_the_code(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asking = runner.CompassRunner(QUESTIONS, tmp_path, torch.device("cpu"), Events("test"))
    for cell in committed("polilean/results/compass.json"):
        if not cell.place.startswith("compass-"):
            continue
        monkeypatch.setattr(models_under_test, "model_digest", lambda _base, known=cell.facts: known["model"])
        one = ModelUnderTest(cell.row, cell.group, cell.protocol, runner.SCALES[cell.scale].length)
        prompt, wording = (int(part.strip("prowmtding")) for part in cell.place.split("-")[2:4])
        cell_id = runner.CompassCellId(one, prompt, wording, cell.seed)
        found = asking.task(cell_id, scale=cell.scale, command="").cell
        facts = _without_texts(found.facts)
        assert _same_cell(
            replace(found, facts=facts, key=digest(facts)), replace(cell, facts=_without_texts(cell.facts))
        )


def _same_cell(found: ResultCell, known: ResultCell) -> bool:
    """Whether a cell without values is the same as a committed one, apart from its command."""
    empty = replace(known, key=digest(known.facts), command="", values={}, counts="")
    assert found == empty
    return True


def _without_texts(facts: dict[str, str]) -> dict[str, str]:
    """The facts without the digest of the statements, which are not part of this project."""
    return facts | {"cell": facts["cell"].rpartition(", ")[0]}


def test_the_facts_of_every_detector_cell_are_those_of_the_code(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for cell in committed("polilean/results/compass.json"):
        if not cell.place.startswith("downstream-"):
            continue
        known = cell.facts
        monkeypatch.setattr(detector_runner, "model_digest", lambda _base, known=known: known["model"])
        task = SimpleNamespace(corpus_digest=lambda _data, known=known: known["corpus"], title=cell.group)
        monkeypatch.setitem(detector_runner.TASKS, cell.group, task)
        making = detector_runner.DetectorRunner(
            tmp_path, detector_runner.SCALES[cell.scale], tmp_path, torch.device("cpu"), Events("test")
        )
        cell_id = detector_runner.DetectorCellId(cell.group, cell.protocol, cell.seed)
        assert _same_cell(making.task(cell_id, scale=cell.scale, command="").cell, cell)


def test_partisan_models_are_found_under_the_names_of_earlier_versions() -> None:
    assert [pretraining.SCALES[scale].as_fact() for scale in ("smoke", "cpu", "full")] == [
        "Effort(blocks=8, tokens=32, epochs=1)",
        "Effort(blocks=1280, tokens=64, epochs=1)",
        "Effort(blocks=None, tokens=512, epochs=20)",
    ]
