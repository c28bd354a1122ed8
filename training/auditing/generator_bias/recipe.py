"""The recipe that audits a generator: how it leans by gender, place and topic, before and after calibration.

Indirect and direct bias (Liu et al. 2021, Equations 2 and 3) of the generator as it is and as Algorithm 1 calibrates
it, by bias words (mode 1, ``emb``) and by a classifier (mode 2, ``cls``), and as either calibrates it token by token
(``emb-token`` and ``token``, ours), each beside what chance alone would show. A judge that learnt from other articles
than the calibration scores the texts. Figures and texts are kept part by part, a part being a system on an attribute; a
run that was stopped goes on in the midst of a part.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
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
from core.storage.files import write_bytes
from training.auditing.debiasing.systems import MODES, VANILLA, Systems, named
from training.auditing.debiasing.training_data import gather
from training.auditing.generation.prompts import attributes
from training.auditing.generator_bias.experiment import SCALES, Experiment, Slot
from training.auditing.generator_bias.progress import AllTexts, try_out
from training.auditing.ideology_classifiers.registry import DEFAULT_CLASSIFIER, find_classifier
from training.loop.result_cache import digest
from training.loop.runs import Running
from training.loop.training_loop import TrainingError
from training.metrics import macro_f1

__all__ = ["SCALES", "Request", "run"]


@dataclass(frozen=True, slots=True)
class Request:
    """What a person asks of the recipe.

    ``base`` is the generator by hub name or folder; ``attributes`` are those of ``training/auditing/generation/prompts.json``;
    without ``modes`` the generator is measured as it is, and nothing is calibrated. ``judge`` is a key of
    ``ideology_classifiers.registry.BUILT_IN``, or a run of the recipe ``judge``.
    """

    data: Path
    base: str
    attributes: tuple[str, ...] = ()
    modes: tuple[str, ...] = MODES
    judge: str = DEFAULT_CLASSIFIER
    device: str = "auto"
    scale: str = "cpu"
    seed: int = 42

    def __post_init__(self) -> None:
        """Raise TrainingError for a request without a generator, or one that names what there is not."""
        if not self.base:
            raise TrainingError(
                "No generator was named. Say which with --base NAME, such as openai-community/gpt2-medium, or --base "
                "FOLDER."
            )
        unknown = [name for name in self.modes if name not in MODES]
        if unknown:
            raise TrainingError(f"{unknown[0]} is no mode. Name one of {', '.join(MODES)}.")
        find_classifier(self.judge)
        attributes(self.attributes)

    @property
    def systems(self) -> tuple[str, ...]:
        """What is measured: the generator as it is first."""
        return (VANILLA, *(mode for mode in MODES if mode in self.modes))


def run(request: Request, running: Running) -> Audit:
    """Measure every part, keep each at once, and say the figures; what is there from before is not made again.

    Raises CorpusError where the articles are not there or of one side alone, TrainingError where the generator cannot
    be had, does not fit into memory or nothing can be written, and StoppedError if somebody stopped it.
    """
    events, amount = running.events, SCALES[request.scale]
    events.say("stage", "reading the articles")
    systems = Systems(
        gather(request.data),
        request.base,
        glove=None,
        judging=request.judge,
        fitting=amount.fitting,
        folder=running.folder,
        device=running.device,
        events=events,
    )
    systems.generator()
    names = [attribute.name for attribute in attributes(request.attributes)]
    texts = AllTexts.over(events)
    experiment = Experiment(systems, amount, running.folder, texts)
    slots = [Slot(system, name, request.seed) for name in names for system in request.systems]
    texts.expect(_sizes(experiment, slots))
    if events.trial is not None:
        try_out(experiment, slots, events.trial)
        return _begun(request, experiment)
    audit = _goes_on(_begun(request, experiment), running.folder)
    for slot in slots:
        texts.begin(slot.system, slot.attribute)
        audit = _with_part(audit, experiment, slot, running)
    audit = _with_paces(audit, experiment, request, running)
    events.stage = "audit"
    events.say("end", "the audit is done", metrics=dict(_summed(audit)))
    return audit


def _sizes(experiment: Experiment, slots: Sequence[Slot]) -> list[tuple[str, str, int]]:
    """The system, the attribute and the number of texts of each part."""
    found = []
    for slot in slots:
        asked = experiment.asked(slot, [slot.attribute])
        found.append((slot.system, slot.attribute, len(asked.places) * asked.scale.samples))
    return found


def _begun(request: Request, experiment: Experiment) -> Audit:
    judge = find_classifier(request.judge)
    return Audit(
        generator=named(request.base),
        judge=judge.base or judge.title,
        judge_run=judge.run,
        scale=request.scale,
        seed=request.seed,
        options={
            attribute.name: tuple(option.name for option in attribute.options)
            for attribute in attributes(request.attributes)
        },
        systems=request.systems,
        judge_score=None if experiment.events.trial is not None else _judge_score(experiment, request),
    )


def _judge_score(experiment: Experiment, request: Request) -> float:
    """The judge's macro-F1 on the dev articles: those of houses that neither it nor the calibration learnt from.

    One that was trained before may know them: its own run has told how it reads houses that it never saw.
    """
    known = find_classifier(request.judge).grouped
    if known is not None:
        return known
    seed = request.seed
    rows = experiment.systems.material.parts(seed).dev
    if not rows:
        raise TrainingError(
            "There are too few articles to examine the judge. Give more articles of both sides."
        )
    read = experiment.systems.judge(seed).liberal([row.text for row in rows])
    return macro_f1([int(row.liberal) for row in rows], [int(chance > 0.5) for chance in read])


def _goes_on(audit: Audit, folder: Path) -> Audit:
    """The audit with what the folder keeps of it. Raises TrainingError where that is damaged."""
    try:
        kept = read_audit(folder)
    except RunError as error:
        raise TrainingError(f"{error} Begin a new audit.") from error
    return audit if kept is None else replace(audit, parts=kept.parts, paces=kept.paces)


def _with_part(audit: Audit, experiment: Experiment, slot: Slot, running: Running) -> Audit:
    """The audit with one more part, which is written; as it is where the part was made in the very same way."""
    events, key = running.events, digest(experiment.facts(slot))
    there = audit.part(slot.system, slot.attribute)
    if there is not None and there.key == key:
        return audit
    events.obey()
    figures = experiment.values(slot)
    others = tuple(part for part in audit.parts if part is not there)
    audit = replace(audit, parts=(*others, AuditPart(slot.system, slot.attribute, key, figures)))
    with running.writing():
        _write_texts(experiment, slot, running.folder)
        write_audit(running.folder, audit)
    events.stage = f"{slot.attribute}, {slot.system}"
    events.say("eval", f"{len(audit.parts)} of {len(audit.options) * len(audit.systems)}", metrics=figures)
    return audit


def _with_paces(audit: Audit, experiment: Experiment, request: Request, running: Running) -> Audit:
    """The audit with the seconds of 100 tokens of each system."""
    for system in request.systems:
        if system in audit.paces:
            continue
        running.events.obey()
        running.events.stage = "time"
        running.events.say("stage", f"seconds of 100 tokens, {system}")
        pace = experiment.pace(Slot(system, next(iter(audit.options)), request.seed))
        audit = replace(audit, paces=audit.paces | {system: pace})
        with running.writing():
            write_audit(running.folder, audit)
    return audit


def _summed(audit: Audit) -> Iterator[tuple[str, float]]:
    """What the store lists of an audit: both biases of each attribute and system, perplexity and time."""
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
    if audit.judge_score is not None:
        yield "macro_f1_of_judge", audit.judge_score


def _write_texts(experiment: Experiment, slot: Slot, folder: Path) -> None:
    made = experiment.written(slot.system, slot.attribute, slot.seed)
    asked = experiment.asked(slot, [slot.attribute])
    filled = {(place.keyword, place.prompt): place.text for place in asked.places}
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
        for sample, score in zip(made.samples, made.found.scores, strict=True)
    ]
    lines = "".join(f"{json.dumps(row)}\n" for row in rows)
    write_bytes(folder / texts_file(slot.system, slot.attribute), lines.encode())
