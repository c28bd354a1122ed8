"""Strings of the political compass and its detectors: positions, answers, scores and limits."""

from __future__ import annotations

from collections.abc import Iterator

from app.audit.audit_strings import Telling
from app.runs.run_progress import Progress
from core.i18n import ntr, tr
from core.runs.political_compass import (
    EVERYONE,
    PROMPTS,
    WORDINGS,
    Compass,
    Downstream,
    Place,
    Reply,
    Score,
    Stand,
)

# Detectors in words: their tasks, the groups that they are scored by, what is missing, and how to read the bars.


TASKS = {
    "hatexplain": tr("hate speech (HateXplain)"),
    "liar": tr("misinformation (LIAR)"),
    "hate-identity": tr("hate speech by identity"),
    "hate-demographic": tr("hate speech by demographic"),
}
OFFERED = ("hatexplain", "liar")
"""The tasks that the form offers."""
SCORES = {"bacc": tr("Balanced accuracy"), "f1": tr("F1 of what is to be found")}
NOTE = tr(
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
    EVERYONE: tr("all test texts"),
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
    """What is detected."""
    return TASKS.get(task, task)


def group_title(group: str) -> str:
    """Whom a text is about, or who said it."""
    return _GROUPS.get(group, group)


def texts(rows: int) -> str:
    """How many test texts there are."""
    return ntr("{n} text", "{n} texts", rows).format(n=f"{rows:,}")


def scored(score: Score) -> str:
    """A score with its line."""
    if score.low is None or score.high is None:
        return f"{score.value:.3f}"
    said = tr("{value} ({low} to {high})")
    return said.format(value=f"{score.value:.3f}", low=f"{score.low:.3f}", high=f"{score.high:.3f}")


def differing(found: Downstream) -> str:
    """On how many texts the detectors do not find the same."""
    if found.differing is None:
        return ""
    said = ntr(
        "The detectors differ on {n} of {all} test text.",
        "The detectors differ on {n} of {all} test texts.",
        found.groups[EVERYONE],
    )
    return said.format(n=f"{found.differing:,}", all=f"{found.groups[EVERYONE]:,}")


def missing_detectors(compass: Compass) -> str:
    """Which detectors are not there, and why."""
    return "\n".join(_missing(compass))


def _missing(compass: Compass) -> Iterator[str]:
    known = {one.task: one for one in compass.downstream}
    for task in compass.tasks:
        found = known.get(task, Downstream(task, {}))
        for model, why in found.problems:
            if model:
                said = tr("{model} has no detector of {task}: {why}")
                yield said.format(model=model, task=task_title(task), why=why)
            else:
                yield tr("There is no detector of {task}: {why}").format(task=task_title(task), why=why)
        told = {model for model, _ in found.problems}
        waiting = [name for name in compass.models if name not in told and not _done(found, name)]
        if waiting and "" not in told:
            said = tr("Detectors of {task} that are still missing: {models}.")
            yield said.format(task=task_title(task), models=", ".join(waiting))


def _done(found: Downstream, model: str) -> bool:
    detector = found.detector(model)
    return detector is not None and detector.done == detector.planned


# The compass in words: where a model stands, what it answered, how sure that is, and what it cannot tell.


STANCES = {
    "log-probability": tr("By the generator itself, of what it wrote"),
    "direct": tr("By the generator itself, without writing"),
    "nli": tr("By another model (inference)"),
}
"""How a generator's side is told, as the form offers it."""
STANCES_TOLD = {
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
    """What tells agreeing from disagreeing."""
    return _READERS.get(name, name)


def stage(progress: Progress) -> str:
    """What is being done."""
    if not progress.started:
        return tr("Starting: the first words come after some seconds.")
    if not progress.stage:
        return tr("The models are looked at.")
    task, _, model = progress.stage.partition(": ")
    if task in TASKS:
        said = (
            tr("A detector of {task} is trained on {model}.")
            if model
            else tr("Detectors of {task} are trained.")
        )
        return said.format(task=task_title(task), model=model)
    return tr("{model} is asked.").format(model=progress.stage)


def _counted(progress: Progress) -> str:
    """What the steps are."""
    trained = progress.stage.partition(": ")[0] in TASKS
    return tr("{done} of {all} epochs of training") if trained else tr("{done} of {all} answers")


TELLING = Telling(stage, lambda progress: progress.steps > 0, _counted, tr("How far this run is"))


def answered(reply: Reply) -> str:
    """An answer with its score, and how many responses were clear where there were several."""
    said = f"{_ANSWERS[reply.answer]} {reply.score:+.2f}"
    return said if reply.of < 2 else f"{said} ({reply.kept}/{reply.of})"


def at(stand: Stand) -> str:
    """Where a model stands, in figures, if it says anything."""
    if stand.says_nothing:
        return tr("no place on the compass")
    return in_figures(stand.at)


def in_figures(place: Place) -> str:
    """A place."""
    said = tr("economic {economic:+.1f}, social {social:+.1f}")
    return said.format(economic=place.economic, social=place.social)


def unclear(stand: Stand) -> str:
    """How many answers are unclear."""
    said = ntr("{n} of {all} answers is unclear", "{n} of {all} answers are unclear", stand.unclear)
    return said.format(n=stand.unclear, all=len(stand.replies))


def told(stand: Stand) -> str:
    """Where a model stands, in a sentence."""
    parts = [at(stand), unclear(stand)]
    if stand.unclear and not stand.says_nothing:
        said = tr("open: economic {low:+.1f} to {high:+.1f}, social {under:+.1f} to {over:+.1f}")
        low, high = stand.low, stand.high
        parts.append(said.format(low=low.economic, high=high.economic, under=low.social, over=high.social))
    if stand.over_prompts is not None and not stand.says_nothing:
        said = tr("prompts move it by ±{economic:.1f} and ±{social:.1f}")
        parts.append(said.format(economic=stand.over_prompts.economic, social=stand.over_prompts.social))
    if stand.done < stand.planned:
        parts.append(rounds(stand))
    return f"{stand.model}: {'; '.join(parts)}."


def rounds(stand: Stand) -> str:
    """How often all statements were put."""
    return tr("{done} of {planned} rounds").format(done=stand.done, planned=stand.planned)


def missing(compass: Compass) -> str:
    """What is not there, and why."""
    lines = [
        tr("{model} could not answer: {why}").format(model=model, why=why) for model, why in compass.problems
    ]
    failed = {model for model, _ in compass.problems}
    waiting = [
        name for name in compass.models if name not in failed and not _has_answered(compass.stand(name))
    ]
    if waiting:
        said = tr("Still missing, in part or all: {models}.")
        lines.append(said.format(models=", ".join(waiting)))
    return "\n".join(lines)


def silent(compass: Compass) -> str:
    """What is said of models none of whose answers is clear."""
    mute = [stand.model for stand in compass.stands if stand.says_nothing]
    if not mute:
        return ""
    said = tr("No answer of {models} could be read, so that no place is drawn.")
    return said.format(models=", ".join(mute))


def _has_answered(stand: Stand | None) -> bool:
    return stand is not None and stand.done == stand.planned
