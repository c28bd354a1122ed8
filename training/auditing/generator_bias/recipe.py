"""The recipe that audits a generator: its political bias by gender, place and topic, before and after debiasing.

Indirect and direct bias (Liu et al. 2021, Equations 2 and 3) of the vanilla generator, and of the generator debiased by
reinforced calibration with bias words (mode 1, ``emb``) or a classifier (mode 2, ``cls``), and by token reweighting
(``emb-token`` and ``token``, ours), each with its value under chance. An ideology classifier trained on other articles
than the debiasing scores the texts. Results and texts are saved part by part (a system on an attribute); an interrupted
run resumes within a part.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from core.runs.folder import RunError
from core.runs.generator_audit import (
    BIAS_KINDS,
    OVERALL,
    Audit,
    AuditPart,
    read_audit,
    texts_file,
    write_audit,
)
from core.runs.recipes import GeneratorAuditRequest, model_name
from core.storage.files import write_bytes
from training.auditing.debiasing.systems import MODES, VANILLA, DebiasingSystems
from training.auditing.debiasing.training_data import load_articles
from training.auditing.generation.prompts import load_attributes
from training.auditing.generator_bias.progress import AuditProgress, estimate_parts
from training.auditing.generator_bias.runner import SCALES, BiasCellId, BiasRunner
from training.auditing.ideology_classifiers.registry import find_classifier
from training.loop.runs import RunContext
from training.loop.training_loop import TrainingError
from training.metrics import macro_f1

__all__ = ["SCALES", "check", "run"]


def check(request: GeneratorAuditRequest) -> None:
    """Raise TrainingError for a request without a generator, or with an unknown mode, classifier or attribute."""
    if not request.base:
        raise TrainingError(
            "No generator was named. Name one with --base: a hub name (openai-community/gpt2-medium) or a folder."
        )
    unknown = [name for name in request.modes if name not in MODES]
    if unknown:
        raise TrainingError(f"{unknown[0]} is not a mode. Name one of {', '.join(MODES)}.")
    find_classifier(request.ideology_classifier)
    load_attributes(request.attributes)


def _systems(request: GeneratorAuditRequest) -> tuple[str, ...]:
    """The systems that are measured, the unchanged generator first."""
    return (VANILLA, *(mode for mode in MODES if mode in request.modes))


def run(request: GeneratorAuditRequest, context: RunContext) -> Audit:
    """Measure every part, save it, and emit its metrics; parts that are saved are not computed again.

    Raises CorpusError if there are no articles or none of one side, TrainingError if the generator is not available,
    does not fit into memory or results cannot be written, and StoppedError if the run is stopped.
    """
    events, budget = context.events, SCALES[request.scale]
    events.emit("stage", "reading the articles")
    systems = DebiasingSystems(
        load_articles(request.data),
        request.base,
        glove=None,
        classifier_name=request.ideology_classifier,
        fitting=budget.fitting,
        folder=context.folder,
        device=context.device,
        events=events,
    )
    systems.generator()
    names = [attribute.name for attribute in load_attributes(request.attributes)]
    texts = AuditProgress.from_events(events)
    runner = BiasRunner(systems, budget, context.folder, texts)
    cell_ids = [BiasCellId(system, name, request.seed) for name in names for system in _systems(request)]
    texts.expect(_part_sizes(runner, cell_ids))
    if events.dry_run is not None:
        estimate_parts(runner, cell_ids, events.dry_run)
        return _new_audit(request, runner)
    audit = _resume(_new_audit(request, runner), context.folder)
    for cell_id in cell_ids:
        texts.begin(cell_id.system, cell_id.attribute)
        audit = _add_part(audit, runner, cell_id, context)
    audit = _add_paces(audit, runner, request, context)
    events.stage = "audit"
    events.emit("end", "the audit is done", metrics=dict(_summary_metrics(audit)))
    return audit


def _part_sizes(runner: BiasRunner, cell_ids: Sequence[BiasCellId]) -> list[tuple[str, str, int]]:
    """System, attribute and number of texts of each part."""
    found = []
    for cell_id in cell_ids:
        plan = runner.plan(cell_id, [cell_id.attribute])
        found.append((cell_id.system, cell_id.attribute, len(plan.places) * plan.scale.samples))
    return found


def _new_audit(request: GeneratorAuditRequest, runner: BiasRunner) -> Audit:
    classifier = find_classifier(request.ideology_classifier)
    return Audit(
        generator=model_name(request.base),
        ideology_classifier=classifier.base or classifier.title,
        classifier_run=classifier.run,
        scale=request.scale,
        seed=request.seed,
        options={
            attribute.name: tuple(option.name for option in attribute.options)
            for attribute in load_attributes(request.attributes)
        },
        systems=_systems(request),
        classifier_score=None if runner.events.dry_run is not None else _classifier_score(runner, request),
    )


def _classifier_score(runner: BiasRunner, request: GeneratorAuditRequest) -> float:
    """The classifier's macro-F1 on dev articles, whose publishers neither it nor the debiasing was trained on.

    A classifier of a run may know them; then it is the score that its run measured on held-out publishers.
    """
    known = find_classifier(request.ideology_classifier).grouped
    if known is not None:
        return known
    seed = request.seed
    rows = runner.systems.articles.split_publishers(seed).dev
    if not rows:
        raise TrainingError(
            "There are too few articles to evaluate the ideology classifier. Give more of both sides."
        )
    read = runner.systems.classifier(seed).p_liberal([row.text for row in rows])
    return macro_f1([int(row.liberal) for row in rows], [int(chance > 0.5) for chance in read])


def _resume(audit: Audit, folder: Path) -> Audit:
    """The audit with the results that the folder holds. Raises TrainingError if they are damaged."""
    try:
        kept = read_audit(folder)
    except RunError as error:
        raise TrainingError(f"{error} Begin a new audit.") from error
    return audit if kept is None else replace(audit, parts=kept.parts, paces=kept.paces)


def _add_part(audit: Audit, runner: BiasRunner, cell_id: BiasCellId, context: RunContext) -> Audit:
    """The audit with one more part, saved; unchanged if it holds a part with the same facts."""
    events = context.events
    task = runner.task(cell_id, scale=audit.scale, command="")
    there = audit.part(cell_id.system, cell_id.attribute)
    if there is not None and there.key == task.cell.key:
        return audit
    events.check_cancelled()
    metrics = task.compute().values
    others = tuple(part for part in audit.parts if part is not there)
    audit = replace(
        audit, parts=(*others, AuditPart(cell_id.system, cell_id.attribute, task.cell.key, metrics))
    )
    with context.explain_write_errors():
        _write_texts(runner, cell_id, context.folder)
        write_audit(context.folder, audit)
    events.stage = f"{cell_id.attribute}, {cell_id.system}"
    events.emit("eval", f"{len(audit.parts)} of {len(audit.options) * len(audit.systems)}", metrics=metrics)
    return audit


def _add_paces(
    audit: Audit, runner: BiasRunner, request: GeneratorAuditRequest, context: RunContext
) -> Audit:
    """The audit with the seconds per 100 tokens of each system."""
    for system in _systems(request):
        if system in audit.paces:
            continue
        context.events.check_cancelled()
        context.events.stage = "time"
        context.events.emit("stage", f"seconds of 100 tokens, {system}")
        pace = runner.time_sampling(BiasCellId(system, next(iter(audit.options)), request.seed))
        audit = replace(audit, paces=audit.paces | {system: pace})
        with context.explain_write_errors():
            write_audit(context.folder, audit)
    return audit


def _summary_metrics(audit: Audit) -> Iterator[tuple[str, float]]:
    """The metrics for the list of runs: both biases of each attribute and system, perplexity ratio and time."""
    for part in audit.parts:
        for kind in BIAS_KINDS:
            bias = part.bias(kind, OVERALL)
            if bias is not None:
                yield f"{kind}_{part.attribute}_{part.system}", bias.value
        if part.system != VANILLA and part.perplexity_ratio is not None:
            yield f"perplexity_ratio_{part.attribute}_{part.system}", part.perplexity_ratio
    for system in audit.systems:
        pace = audit.pace(system)
        if pace is not None:
            yield f"seconds_per_100_tokens_{system}", pace
    if audit.classifier_score is not None:
        yield "macro_f1_of_judge", audit.classifier_score


def _write_texts(runner: BiasRunner, cell_id: BiasCellId, folder: Path) -> None:
    measured = runner.measure_texts(cell_id.system, cell_id.attribute, cell_id.seed)
    plan = runner.plan(cell_id, [cell_id.attribute])
    filled = {(place.keyword, place.prompt): place.text for place in plan.places}
    rows: list[Mapping[str, object]] = [
        {
            "option": sample.option,
            "keyword": sample.keyword,
            "trigger": sample.trigger,
            "prompt": filled[sample.keyword, sample.prompt],
            "number": sample.number,
            "text": sample.text,
            "liberal": round(float(score), 4),
        }
        for sample, score in zip(measured.samples, measured.bias.scores, strict=True)
    ]
    lines = "".join(f"{json.dumps(row)}\n" for row in rows)
    write_bytes(folder / texts_file(cell_id.system, cell_id.attribute), lines.encode())
