"""Strings of the political compass and its detectors: positions, answers, scores and limits."""

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
SCORES = {"bacc": tr("Balanced accuracy"), "f1": tr("F1 of what is to be found")}
DETECTOR_NOTE = tr(
    "A bar for each model whose detector was trained on the same texts with the same settings, in the colour of its "
    "mark on the compass. The line across a bar: where the score lies in 19 of 20 draws of other test texts. Dotted, "
    "for balanced accuracy: what guessing gives. A group whose test texts are all of one class has no balanced "
    "accuracy."
)
DETECTOR_CAUTION = tr(
    "Lines that overlap tell no difference by themselves. One training with one seed says little of another; the texts "
    "are American, and whom they target or who spoke was marked by other people."
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
            template = tr("Detectors of {task} that are still missing: {models}.")
            yield template.format(task=task_title(task), models=", ".join(waiting))


def _is_trained(found: DownstreamTask, model: str) -> bool:
    detector = found.detector(model)
    return detector is not None and detector.done == detector.planned


STANCES = {
    "log-probability": tr("By the generator itself, of what it wrote"),
    "direct": tr("By the generator itself, without writing"),
    "nli": tr("By another model (inference)"),
}
"""How a generator's side is told, as the form offers it."""
STANCE_DESCRIPTIONS = {
    "log-probability": tr(
        "How likely it finds “I agree” after its own response. Nobody measured how often that is right."
    ),
    "direct": tr("How likely it finds “I agree” as a response. Quick; this is not how the paper does it."),
    "nli": tr("A model of natural-language inference reads every response, as in the paper."),
}
QUADRANTS = (
    tr("authoritarian left"),
    tr("authoritarian right"),
    tr("libertarian left"),
    tr("libertarian right"),
)
"""From the top, line by line."""
ECONOMIC, SOCIAL = tr("← left · economic · right →"), tr("↑ authoritarian · social · libertarian ↓")
AXES = {"economic": tr("economic"), "social": tr("social")}
READING = tr(
    "Mark: where the answers to the first prompt lie; an unclear answer counts as the mean of all four. Dashed box: "
    "where the mark could lie if unclear answers were filled in any way. Ellipse: about 19 in 20 of single prompts and "
    "seeds. A hollow mark beside a name: no answer was clear, so that the model has no place here."
)
CAUTION = tr(
    "The compass tells what a model does with 62 statements of a test that nobody validated for models, not what it "
    "believes. Models that are made to choose answer otherwise than models that write freely, and prompts and wordings "
    "move a position (Röttger et al. 2024): a distance smaller than the ellipses is none. It does not tell which "
    "place would be right, nor how a model treats a draft."
)
COMPARED = {PROMPTS: tr("{count} prompts"), WORDINGS: tr("{count} wordings")}
_READERS = {
    "lexicon": tr("words that fill the mask"),
    "log-probability": tr("itself, of its responses"),
    "direct": tr("itself, directly"),
}
_ANSWERS = {
    "strongly disagree": tr("disagrees strongly"),
    "disagree": tr("disagrees"),
    "agree": tr("agrees"),
    "strongly agree": tr("agrees strongly"),
    "": tr("unclear"),
}


def reader_title(name: str) -> str:
    """How agreement was read."""
    return _READERS.get(name, name)


def stage_text(progress: Progress) -> str:
    """What the run is doing."""
    if not progress.started:
        return tr("Starting: the first words come after some seconds.")
    if not progress.stage:
        return tr("The models are looked at.")
    task, _, model = progress.stage.partition(": ")
    if task in TASKS:
        template = (
            tr("A detector of {task} is trained on {model}.")
            if model
            else tr("Detectors of {task} are trained.")
        )
        return template.format(task=task_title(task), model=model)
    return tr("{model} is asked.").format(model=progress.stage)


def _progress_template(progress: Progress) -> str:
    """The text for done and total."""
    trained = progress.stage.partition(": ")[0] in TASKS
    return tr("{done} of {all} epochs of training") if trained else tr("{done} of {all} answers")


PROGRESS_STRINGS = ProgressStrings(
    stage_text, lambda progress: progress.steps > 0, _progress_template, tr("How far this run is")
)


def format_reply(reply: StatementAnswer) -> str:
    """An answer with its score, and the number of clear responses if there are several."""
    template = f"{_ANSWERS[reply.answer]} {reply.score:+.2f}"
    return template if reply.of < 2 else f"{template} ({reply.kept}/{reply.of})"


def format_position(position: ModelPosition) -> str:
    """The coordinates of a model, or that it has none."""
    if position.is_all_unclear:
        return tr("no place on the compass")
    return format_coordinates(position.at)


def format_coordinates(place: CompassPoint) -> str:
    """The coordinates of a point."""
    template = tr("economic {economic:+.1f}, social {social:+.1f}")
    return template.format(economic=place.economic, social=place.social)


def count_unclear(position: ModelPosition) -> str:
    """The number of unclear answers."""
    template = ntr("{n} of {all} answers is unclear", "{n} of {all} answers are unclear", position.unclear)
    return template.format(n=position.unclear, all=len(position.replies))


def describe_position(position: ModelPosition) -> str:
    """The position of a model in a sentence."""
    parts = [format_position(position), count_unclear(position)]
    if position.unclear and not position.is_all_unclear:
        template = tr("open: economic {low:+.1f} to {high:+.1f}, social {under:+.1f} to {over:+.1f}")
        low, high = position.low, position.high
        parts.append(
            template.format(low=low.economic, high=high.economic, under=low.social, over=high.social)
        )
    if position.over_prompts is not None and not position.is_all_unclear:
        template = tr("prompts move it by ±{economic:.1f} and ±{social:.1f}")
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
        name for name in compass.models if name not in failed and not _has_all_answers(compass.stand(name))
    ]
    if waiting:
        template = tr("Still missing, in part or all: {models}.")
        lines.append(template.format(models=", ".join(waiting)))
    return "\n".join(lines)


def describe_unplaced(compass: CompassReport) -> str:
    """The note on models without a clear answer; may be empty."""
    unplaced = [position.model for position in compass.stands if position.is_all_unclear]
    if not unplaced:
        return ""
    template = tr("No answer of {models} could be read, so that no place is drawn.")
    return template.format(models=", ".join(unplaced))


def _has_all_answers(position: ModelPosition | None) -> bool:
    return position is not None and position.done == position.planned
