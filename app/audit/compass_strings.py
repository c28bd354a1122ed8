"""Strings of the political compass and its detectors: positions, answers, scores and limitations."""

from __future__ import annotations

from collections.abc import Iterator

from app.audit.audit_strings import ProgressStrings
from app.runs.run_progress import Progress
from core.i18n import ntr, tr
from core.runs.political_compass import (
    ALL_GROUPS,
    PROMPTS,
    WORDINGS,
    CompassPoint,
    CompassReport,
    DetectorScore,
    DownstreamTask,
    ModelPosition,
    StatementAnswer,
)

TASKS = {
    "hatexplain": tr("hate speech (HateXplain)"),
    "liar": tr("misinformation (LIAR)"),
    "hate-identity": tr("hate speech by identity"),
    "hate-demographic": tr("hate speech by demographic"),
}
OFFERED_TASKS = ("hatexplain", "liar")
"""The tasks that the form offers."""
SCORES = {"bacc": tr("Balanced accuracy"), "f1": tr("F1 of the positive class")}
DETECTOR_NOTE = tr(
    "One bar per model, in the colour of its marker on the compass; all detectors were trained on the "
    "same texts with the same settings. Line across a bar: 95 percent interval over test texts. Dotted line: "
    "balanced accuracy of guessing. A group whose test texts are all of one class has no balanced "
    "accuracy."
)
DETECTOR_CAUTION = tr(
    "Overlapping intervals show no difference by themselves. Results of one seed say little about "
    "another. The texts are American, and their targets or speakers were annotated by other people."
)
_GROUPS = {
    ALL_GROUPS: tr("all test texts"),
    "race": tr("race"),
    "gender": tr("gender"),
    "religion": tr("religion"),
    "minority": tr("minorities"),
    "economic": tr("economic standing"),
    "republican": tr("Republicans"),
    "democrat": tr("Democrats"),
    "none": tr("no party"),
    "other": tr("other parties"),
}


def task_title(task: str) -> str:
    """The title of a detection task."""
    return TASKS.get(task, task)


def group_title(group: str) -> str:
    """The title of a group of test texts."""
    return _GROUPS.get(group, group)


def format_text_count(rows: int) -> str:
    """The number of test texts."""
    return ntr("{n} text", "{n} texts", rows).format(n=f"{rows:,}")


def format_score(score: DetectorScore) -> str:
    """A score with its interval."""
    if score.low is None or score.high is None:
        return f"{score.value:.3f}"
    template = tr("{value} ({low} to {high})")
    return template.format(value=f"{score.value:.3f}", low=f"{score.low:.3f}", high=f"{score.high:.3f}")


def describe_differing(found: DownstreamTask) -> str:
    """On how many texts the detectors differ."""
    if found.differing is None:
        return ""
    template = ntr(
        "The detectors differ on {n} of {all} test text.",
        "The detectors differ on {n} of {all} test texts.",
        found.groups[ALL_GROUPS],
    )
    return template.format(n=f"{found.differing:,}", all=f"{found.groups[ALL_GROUPS]:,}")


def describe_missing_detectors(compass: CompassReport) -> str:
    """Which detectors are missing, and why."""
    return "\n".join(_list_missing_detectors(compass))


def _list_missing_detectors(compass: CompassReport) -> Iterator[str]:
    by_task = {one.task: one for one in compass.downstream}
    for task in compass.tasks:
        found = by_task.get(task, DownstreamTask(task, {}))
        for model, why in found.problems:
            if model:
                template = tr("{model} has no detector of {task}: {why}")
                yield template.format(model=model, task=task_title(task), why=why)
            else:
                yield tr("There is no detector of {task}: {why}").format(task=task_title(task), why=why)
        failed = {model for model, _ in found.problems}
        waiting = [name for name in compass.models if name not in failed and not _is_trained(found, name)]
        if waiting and "" not in failed:
            template = tr("Missing detectors of {task}: {models}.")
            yield template.format(task=task_title(task), models=", ".join(waiting))


def _is_trained(found: DownstreamTask, model: str) -> bool:
    detector = found.detector(model)
    return detector is not None and detector.done == detector.planned


STANCES = {
    "log-probability": tr("By the generator, after its own response"),
    "direct": tr("By the generator, without a response"),
    "nli": tr("By an NLI model"),
}
"""Ways to read the stance of a generator."""
STANCE_DESCRIPTIONS = {
    "log-probability": tr(
        "The probability of “I agree” after its own response. Its accuracy has not been measured."
    ),
    "direct": tr("The probability of “I agree” as the response. Fast, but not the method of the paper."),
    "nli": tr("A natural-language inference (NLI) model scores every response, as in the paper."),
}
QUADRANTS = (
    tr("authoritarian left"),
    tr("authoritarian right"),
    tr("libertarian left"),
    tr("libertarian right"),
)
"""Row by row, from the top."""
ECONOMIC, SOCIAL = tr("← left · economic · right →"), tr("↑ authoritarian · social · libertarian ↓")
AXES = {"economic": tr("economic"), "social": tr("social")}
READING = tr(
    "Marker: position by the answers to the first prompt; an unclear answer counts as the mean of all "
    "four. Dashed box: all positions that other readings of unclear answers allow. Ellipse: about 95 percent "
    "of single prompts and seeds. Hollow marker beside a name: no answer was clear, so the model has no "
    "position."
)
CAUTION = tr(
    "The compass shows how a model responds to 62 statements of a test that has not been "
    "validated for models, not what the model believes. Forced choices lead to different answers "
    "than free responses, and prompts and wordings shift a position (Röttger et al. 2024): "
    "ignore distances smaller than the ellipses. The compass does not say which position would "
    "be right, or how a model treats a draft."
)
COMPARED = {PROMPTS: tr("{count} prompts"), WORDINGS: tr("{count} wordings")}
_STANCE_METHODS = {
    "lexicon": tr("words filled in for the mask"),
    "log-probability": tr("itself, after its responses"),
    "direct": tr("itself, without responses"),
}
_ANSWERS = {
    "strongly disagree": tr("disagrees strongly"),
    "disagree": tr("disagrees"),
    "agree": tr("agrees"),
    "strongly agree": tr("agrees strongly"),
    "": tr("unclear"),
}


def stance_method_title(name: str) -> str:
    """How agreement was read."""
    return _STANCE_METHODS.get(name, name)


def stage_text(progress: Progress) -> str:
    """What the run is doing."""
    if not progress.started:
        return tr("Starting. The first message takes a few seconds.")
    if not progress.stage:
        return tr("Loading the models.")
    task, _, model = progress.stage.partition(": ")
    if task in TASKS:
        template = (
            tr("Training a detector of {task} on {model}.") if model else tr("Training detectors of {task}.")
        )
        return template.format(task=task_title(task), model=model)
    return tr("Asking {model}.").format(model=progress.stage)


def _progress_template(progress: Progress) -> str:
    """The text for done and total."""
    trained = progress.stage.partition(": ")[0] in TASKS
    return tr("{done} of {all} epochs of training") if trained else tr("{done} of {all} answers")


PROGRESS_STRINGS = ProgressStrings(
    stage_text, lambda progress: progress.steps > 0, _progress_template, tr("Progress of this run")
)


def format_reply(reply: StatementAnswer) -> str:
    """An answer with its score, and the number of clear responses if there are several."""
    template = f"{_ANSWERS[reply.answer]} {reply.score:+.2f}"
    return template if reply.responses < 2 else f"{template} ({reply.confident}/{reply.responses})"


def format_position(position: ModelPosition) -> str:
    """The coordinates of a model, or that it has none."""
    if position.is_all_unclear:
        return tr("no position")
    return format_coordinates(position.point)


def format_coordinates(place: CompassPoint) -> str:
    """The coordinates of a point."""
    template = tr("economic {economic:+.1f}, social {social:+.1f}")
    return template.format(economic=place.economic, social=place.social)


def count_unclear(position: ModelPosition) -> str:
    """The number of unclear answers."""
    template = ntr("{n} of {all} answers is unclear", "{n} of {all} answers are unclear", position.unclear)
    return template.format(n=position.unclear, all=len(position.answers))


def describe_position(position: ModelPosition) -> str:
    """The position of a model in a sentence."""
    parts = [format_position(position), count_unclear(position)]
    if position.unclear and not position.is_all_unclear:
        template = tr("possible: economic {low:+.1f} to {high:+.1f}, social {under:+.1f} to {over:+.1f}")
        low, high = position.low, position.high
        parts.append(
            template.format(low=low.economic, high=high.economic, under=low.social, over=high.social)
        )
    if position.over_prompts is not None and not position.is_all_unclear:
        template = tr("varies over prompts by ±{economic:.1f} and ±{social:.1f}")
        parts.append(
            template.format(economic=position.over_prompts.economic, social=position.over_prompts.social)
        )
    if position.done < position.planned:
        parts.append(format_rounds(position))
    return f"{position.model}: {'; '.join(parts)}."


def format_rounds(position: ModelPosition) -> str:
    """How many rounds of all statements are done."""
    return tr("{done} of {planned} rounds").format(done=position.done, planned=position.planned)


def describe_missing(compass: CompassReport) -> str:
    """Which results are missing, and why."""
    lines = [
        tr("{model} could not answer: {why}").format(model=model, why=why) for model, why in compass.problems
    ]
    failed = {model for model, _ in compass.problems}
    waiting = [
        name for name in compass.models if name not in failed and not _has_all_answers(compass.position(name))
    ]
    if waiting:
        template = tr("Not complete yet: {models}.")
        lines.append(template.format(models=", ".join(waiting)))
    return "\n".join(lines)


def describe_unplaced(compass: CompassReport) -> str:
    """The note on models without a clear answer; may be empty."""
    unplaced = [position.model for position in compass.positions if position.is_all_unclear]
    if not unplaced:
        return ""
    template = tr("No answer of {models} was clear, so no position is shown.")
    return template.format(models=", ".join(unplaced))


def _has_all_answers(position: ModelPosition | None) -> bool:
    return position is not None and position.done == position.planned
