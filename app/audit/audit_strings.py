"""Strings of the audit window: status of a run, attributes, methods, biases, costs and limits of an audit."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from app.history.version_strings import format_time
from app.runs.run_progress import Progress
from app.runs.run_status import base_title, scale_title, status_text
from app.runs.run_strings import describe_duration
from app.widgets.labels import format_percent
from core.i18n import tr
from core.runs.generator_audit import OVERALL, Audit, BiasKind
from core.runs.types import Run, Status


@dataclass(frozen=True, slots=True)
class ProgressStrings:
    """How the progress of a recipe is described.

    ``counts_whole_run``: whether the current steps count over the whole run instead of the stage; ``done_template``:
    the text for done and total; ``bar_name``: the name of the progress bar.
    """

    stage_text: Callable[[Progress], str]
    counts_whole_run: Callable[[Progress], bool]
    done_template: Callable[[Progress], str]
    bar_name: str


def run_summary(run: Run) -> str:
    """An audit in a line: models, scale, status and start."""
    return f"{base_title(run.base)} · {scale_title(run.scale)} · {status_text(run.status)} · {format_time(run.made_at)}"


def run_title(run: Run) -> str:
    """Models, scale and seed of an audit."""
    template = tr("{models}, scale “{scale}”, seed {seed}")
    return template.format(models=base_title(run.base), scale=scale_title(run.scale), seed=run.seed)


def describe_outcome(run: Run) -> str:
    """How an audit ended and what can be done now."""
    match run.status:
        case Status.FINISHED:
            return tr("Finished.")
        case Status.PAUSED:
            return tr("Paused. Resume goes on where it stopped.")
        case Status.CANCELLED:
            return tr("Cancelled.")
        case Status.DIED:
            return tr(
                "It ended without a word: its process was killed, or the memory or the power gave out. Resume goes on "
                "where it stopped; if it ends again, choose a smaller model or another device."
            )
        case Status.FAILED:
            template = run.message.strip() or tr("The audit failed without saying why.")
            return template + " " + tr("The log holds the rest.")
    return ""


def progress_text(telling: ProgressStrings, progress: Progress) -> str:
    """The amount done and the time left."""
    eta_s = progress.eta_s
    template = telling.done_template(progress).format(done=f"{progress.step:,}", all=f"{progress.steps:,}")
    return (
        tr("{done}, {time} left").format(done=template, time=describe_duration(eta_s))
        if eta_s > 0
        else template
    )


@dataclass(frozen=True, slots=True)
class BuiltInClassifier:
    """A classifier that every audit can train: its name in the results, and its title here."""

    trainer_title: str
    title: str


BUILT_IN_CLASSIFIERS = {
    "words": BuiltInClassifier(
        "linear models of words, by side and by house", tr("Linear models of words, by side and by outlet")
    ),
    "tfidf": BuiltInClassifier("logistic regression over TF-IDF", tr("Logistic regression over TF-IDF")),
}
"""By the name that ``--classifier`` takes, the trainer's own choice first."""
SYSTEMS = {
    "vanilla": tr("as it is"),
    "emb": tr("mode 1, by words"),
    "cls": tr("mode 2, by a classifier"),
    "emb-token": tr("by token, by words"),
    "token": tr("by token, by a classifier"),
}
"""What is compared, in a few words."""
ATTRIBUTES = {
    "gender": tr("Gender of a name"),
    "location": tr("Place in the United States"),
    "topic": tr("Political topic"),
}
KINDS: dict[BiasKind, str] = {"indirect": tr("Indirect bias"), "direct": tr("Direct bias")}
BIAS_MEANINGS: dict[BiasKind, str] = {
    "indirect": tr(
        "How far texts about one option lean from texts about all, after prompts that name no side."
    ),
    "direct": tr(
        "How much farther texts about one option lean from texts about all after prompts that name one side (liberal, "
        "conservative) than after prompts that name the other."
    ),
}
CAUTION = tr(
    "An audit tells how the options of a list differ to one judge. It cannot tell which leaning would be right, what "
    "the generator writes after other prompts, or what the judge itself mistakes: its words are American news."
)
_OPTIONS = {
    "male": tr("male"),
    "female": tr("female"),
    "blue": tr("blue states"),
    "red": tr("red states"),
    "lean blue": tr("states that lean blue"),
    "lean red": tr("states that lean red"),
    "domestic": tr("domestic policy"),
    "foreign": tr("foreign policy"),
    "economics": tr("economics"),
    "electoral": tr("elections"),
    "healthcare": tr("healthcare"),
    "immigration": tr("immigration"),
    "social": tr("social issues"),
    OVERALL: tr("all together"),
}
_TRIGGERS = {
    "indirect": tr("names no side"),
    "liberal": tr("names the liberal side"),
    "conservative": tr("names the conservative side"),
}
_STAGES = {
    "vanilla": tr("The generator writes as it is"),
    "word embedding (mode 1)": tr("The generator writes, calibrated by words"),
    "classifier (mode 2)": tr("The generator writes, calibrated by a classifier"),
    "words token by token (ours)": tr("The generator writes, calibrated token by token, by words"),
    "classifier token by token (ours)": tr(
        "The generator writes, calibrated token by token, by a classifier"
    ),
    "f_debias": tr("The classifier that calibrates learns"),
    "time": tr("The time of 100 tokens is taken"),
}
SMOKE = "smoke"
"""The scale that shows that all works, and no more."""
_MIN_RELIABLE_F1 = 0.6
"""Below this macro-F1 a judge is said to be in doubt."""
WRITING_STAGES = (
    "vanilla",
    "word embedding (mode 1)",
    "classifier (mode 2)",
    "words token by token (ours)",
    "classifier token by token (ours)",
)
"""How the trainer's stages begin in which texts are written: their steps are texts."""


def attribute_title(name: str) -> str:
    """The title of an attribute."""
    return ATTRIBUTES.get(name, name)


def option_title(name: str) -> str:
    """The title of an option."""
    return _OPTIONS.get(name, name)


def trigger_title(name: str) -> str:
    """What a prompt mentions."""
    return _TRIGGERS.get(name, name)


def system_title(name: str) -> str:
    """The title of a debiasing method."""
    return SYSTEMS.get(name, name)


def is_writing(progress: Progress) -> bool:
    """Whether the current steps are texts of the whole audit."""
    return progress.steps > 0 and progress.stage.startswith(WRITING_STAGES)


def stage_text(progress: Progress) -> str:
    """What the audit is doing."""
    if not progress.started:
        return tr("Starting: the first words come after some seconds.")
    stage_name, _, remainder = progress.stage.partition(", ")
    if stage_name not in _STAGES:
        return tr("Articles are read, and a judge is made ready.")
    attribute = remainder.partition(", ")[0]
    return f"{_STAGES[stage_name]}: {attribute_title(attribute)}" if attribute else _STAGES[stage_name]


def classifier_note(audit: Audit) -> str:
    """Which classifier scored the texts, and how reliable it is."""
    classifier = _classifier_title(audit)
    if audit.judge_score is None:
        return tr("Judge: {judge}.").format(judge=classifier)
    template = tr(
        "Judge: {judge}. On articles of outlets that it did not learn from its macro-F1 is {score}; guessing has 0.50."
    ).format(judge=classifier, score=f"{audit.judge_score:.2f}")
    if audit.judge_score >= _MIN_RELIABLE_F1:
        return template
    doubt = tr(
        "There it hardly tells the sides apart: a bias may be one of wording that has nothing to do with a side."
    )
    return f"{template} {doubt}"


def describe_caveats(audit: Audit) -> str:
    """Why the metrics are not reliable yet; empty if they are."""
    progress_text, all_parts = len(audit.parts), len(audit.options) * len(audit.systems)
    missing = tr("{done} of {all} parts are measured; the rest is still missing.")
    lines = [
        tr("This was a trial: its texts are too few and too short for these figures to mean anything.")
        if audit.scale == SMOKE
        else "",
        "" if audit.whole else missing.format(done=progress_text, all=all_parts),
    ]
    return "\n".join(filter(None, lines))


def _classifier_title(audit: Audit) -> str:
    if not audit.judge_run:
        return next(
            (one.title for one in BUILT_IN_CLASSIFIERS.values() if one.trainer_title == audit.judge),
            audit.judge,
        )
    template = tr("one that was trained here on {base} (run {id})")
    return template.format(base=base_title(audit.judge), id=audit.judge_run[:8])


def describe_costs(audit: Audit, system: str, attribute: str) -> str:
    """The costs of debiasing: perplexity and time relative to the unchanged generator; empty if unknown."""
    part = audit.part(system, attribute)
    lines = []
    if part is not None and part.perplexity_ratio is not None and system != "vanilla":
        template = tr("perplexity {times} times that of the generator as it is")
        lines.append(template.format(times=f"{part.perplexity_ratio:.2f}"))
    if (seconds := audit.pace(system)) is not None:
        template = tr("{seconds} s for 100 tokens").format(seconds=f"{seconds:.3g}")
        ratio = audit.pace_ratio(system)
        if ratio is not None and system != "vanilla":
            template += " " + tr("({times} times as long)").format(times=f"{ratio:.2f}")
        lines.append(template)
    return f"{system_title(system)}: {', '.join(lines)}." if lines else ""


def score_text(liberal: float) -> str:
    """The score of a text."""
    template = tr("Judge: {share} liberal, {rest} conservative")
    return template.format(share=format_percent(liberal), rest=format_percent(1 - liberal))


def format_change(removed_share: float | None) -> str:
    """The change of a bias in per cent; a dash if there was none before."""
    return "–" if removed_share is None else f"{-100 * removed_share:+.0f}%"


PROGRESS_STRINGS = ProgressStrings(
    stage_text, is_writing, lambda _: tr("{done} of {all} texts"), tr("Texts of this audit")
)
