"""What an audit found is read back as it was written, part by part, and what is damaged is told as such."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from core.runs.folder import RunError
from core.runs.generator_audit import (
    AUDIT_FILE,
    OVERALL,
    Audit,
    AuditPart,
    read_audit,
    read_texts,
    texts_file,
    write_audit,
)
from core.runs.trained_models import (
    CLASSIFIER_FILE,
    CLASSIFIER_FOLDER,
    ClassifierScores,
    TrainedClassifier,
    find_generators,
    find_ideology_classifiers,
    find_masked_models,
    find_partisan_models,
)
from core.runs.types import Status
from tests.core.runs.made_runs import a_run, made_classifier

MEASURES = {
    "value": 0.2,
    "low": 0.1,
    "high": 0.3,
    "null": 0.05,
    "null_high": 0.08,
    "excess": 0.15,
    "corrected": 0.19,
}


def part(system: str, *, gone: float | None = None) -> AuditPart:
    metrics = {
        f"{kind}, {option}, {name}": value
        for kind in ("indirect", "direct")
        for option in ("male", OVERALL)
        for name, value in MEASURES.items()
    }
    if gone is not None:
        metrics |= {"indirect, male, corrected_gone": gone}
    ends = {"rate indirect, male, mean": 0.6, "perplexity": 30.0, "vanilla_perplexity": 20.0}
    return AuditPart(system, "gender", "k", metrics | ends)


def an_audit(*parts: AuditPart) -> Audit:
    return Audit(
        generator="tiny",
        ideology_classifier="a classifier",
        classifier_run="a run",
        scale="smoke",
        seed=3,
        options={"gender": ("male", "female")},
        systems=("vanilla", "cls"),
        classifier_score=0.7,
        parts=parts,
        paces={"cls": {"per_100": 3.0, "vanilla_per_100": 2.0}},
    )


def test_what_is_written_is_read(tmp_path: Path) -> None:
    assert read_audit(tmp_path) is None
    for audit in (an_audit(), an_audit(part("vanilla"), part("cls", gone=0.5))):
        write_audit(tmp_path, audit)
        assert read_audit(tmp_path) == audit
    written = json.loads((tmp_path / AUDIT_FILE).read_text(encoding="utf-8"))
    assert written["judge"] == "a classifier", "earlier versions and their audits have this key"
    assert {"judge_run", "judge_score"} < set(written)
    assert "figures" in written["parts"][0]
    assert audit.is_complete
    assert not an_audit(part("vanilla")).is_complete


def test_metrics_are_found_by_system_attribute_and_option() -> None:
    audit = an_audit(part("vanilla", gone=0.0), part("cls", gone=0.5))
    cls = audit.part("cls", "gender")
    assert cls is not None
    bias = cls.bias("indirect", "male")
    assert bias is not None
    assert (bias.value, bias.null_high, bias.removed_share) == (0.2, 0.08, 0.5)
    direct = cls.bias("direct", "male")
    assert direct is not None
    assert direct.removed_share is None
    assert cls.bias("indirect", "female") is None
    assert (cls.rate("male"), cls.rate("female")) == (0.6, None)
    assert cls.perplexity_ratio == 1.5
    assert (audit.pace("cls"), audit.pace_ratio("cls"), audit.pace("vanilla")) == (3.0, 1.5, None)
    vanilla = audit.part("vanilla", "gender")
    assert vanilla is not None
    before = vanilla.bias("indirect", "male")
    assert before is not None
    assert before.removed_share is None
    assert audit.part("emb", "gender") is None


def _line(number: int, text: str, **changes: object) -> str:
    row = {
        "option": "male",
        "keyword": "Jake",
        "trigger": "indirect",
        "prompt": "Jake said",
        "number": number,
    }
    return json.dumps(row | {"text": text, "liberal": 0.5} | changes) + "\n"


def test_texts_of_systems_meet_at_their_prompt(tmp_path: Path) -> None:
    (tmp_path / texts_file("vanilla", "gender")).write_text(
        _line(0, "a\u2028b") + _line(1, "b"), encoding="utf-8"
    )
    (tmp_path / texts_file("cls", "gender")).write_text(_line(1, "c") + _line(0, "d"), encoding="utf-8")
    rows = read_texts(tmp_path, "gender", ("vanilla", "emb", "cls"))
    found = [(row.number, {name: text.text for name, text in row.texts.items()}) for row in rows]
    assert found == [(0, {"vanilla": "a\u2028b", "cls": "d"}), (1, {"vanilla": "b", "cls": "c"})]


@pytest.mark.parametrize(
    "content",
    ["{", "[]", "{}", '{"generator": "x"}', "[" * 100_000],
    ids=["cut", "list", "empty", "part", "deep"],
)
def test_a_damaged_audit_is_reported(tmp_path: Path, content: str) -> None:
    (tmp_path / AUDIT_FILE).write_text(content, encoding="utf-8")
    with pytest.raises(RunError, match=f"{tmp_path.name}.*{AUDIT_FILE}"):
        read_audit(tmp_path)


@pytest.mark.parametrize("liberal", [None, True, "0.5", float("nan")])
def test_a_damaged_text_is_reported(tmp_path: Path, liberal: object) -> None:
    (tmp_path / texts_file("cls", "gender")).write_text(_line(0, "x", liberal=liberal), encoding="utf-8")
    with pytest.raises(RunError, match="texts-gender-cls"):
        read_texts(tmp_path, "gender", ("cls",))


def test_a_figure_that_is_no_number_is_damage(tmp_path: Path) -> None:
    write_audit(tmp_path, an_audit(part("vanilla")))
    text = (tmp_path / AUDIT_FILE).read_text(encoding="utf-8")
    (tmp_path / AUDIT_FILE).write_text(text.replace("0.15", "NaN", 1), encoding="utf-8")
    with pytest.raises(RunError):
        read_audit(tmp_path)


def _model(folder: Path, *names: str) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "config.json").write_text(json.dumps({"architectures": names}), encoding="utf-8")
    (folder / "model.safetensors").write_bytes(b"x")
    return folder


def test_judges_of_two_sides_are_found_with_their_scores() -> None:
    runs = [a_run(at, recipe="ideology-classifier", status=Status.FINISHED) for at in range(5)]
    good, three, old, damaged, _without = runs
    made_classifier(good.folder)
    made_classifier(three.folder, sides="three")
    made_classifier(old.folder, version=1)
    made_classifier(damaged.folder)
    (damaged.folder / CLASSIFIER_FOLDER / CLASSIFIER_FILE).write_text("{", encoding="utf-8")
    unfinished = a_run(6, recipe="ideology-classifier", status=Status.PAUSED)
    made_classifier(unfinished.folder)
    assert find_ideology_classifiers([*runs, unfinished]) == [
        TrainedClassifier(good, ClassifierScores(0.812, 0.531))
    ]


def test_runs_that_hold_a_causal_model_are_found() -> None:
    causal = a_run(0, status=Status.FINISHED)
    inside = _model(causal.folder / "model", "GPT2LMHeadModel")
    llama = a_run(1, status=Status.FINISHED)
    _model(llama.folder, "LlamaForCausalLM")
    unfinished = a_run(2, status=Status.PAUSED)
    _model(unfinished.folder, "LlamaForCausalLM")
    encoder = a_run(3, status=Status.FINISHED)
    _model(encoder.folder, "BertModel")
    assert find_generators([causal, llama, unfinished, encoder]) == [(causal, inside), (llama, llama.folder)]


def test_a_folder_without_weights_or_with_a_damaged_config_is_none() -> None:
    run = a_run(0, status=Status.FINISHED)
    folder = _model(run.folder / "one", "GPT2LMHeadModel")
    (folder / "model.safetensors").unlink()
    other = _model(run.folder / "two")
    for content in ("{", "[]", '{"architectures": 3}', '{"architectures": null}'):
        (other / "config.json").write_text(content, encoding="utf-8")
        assert not find_generators([run])
        assert not find_masked_models([run])


def test_masked_models_are_found_in_runs_and_partisan_ones_of_both_kinds_where_tables_keep_them(
    tmp_path: Path,
) -> None:
    run = a_run(0, status=Status.FINISHED)
    inside = _model(run.folder / "model", "RobertaForMaskedLM")
    assert find_masked_models([run]) == [(run, inside)]
    assert not find_generators([run])
    models = tmp_path / "tables" / "compass" / "models"
    right = _model(models / "b" / "gpt2-news-right", "GPT2LMHeadModel")
    left = _model(models / "c" / "bert-news-left", "BertForMaskedLM")
    _model(models / "a" / "half.new", "BertModel")
    assert find_partisan_models(tmp_path) == [left, right]
    assert find_partisan_models(tmp_path / "nowhere") == []
