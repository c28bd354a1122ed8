"""Strings of the audit window: status of a run, attributes, methods, biases, costs and limitations of an audit."""

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
            return tr("Paused. Resume continues where it stopped.")
        case Status.CANCELLED:
            return tr("Cancelled.")
        case Status.DIED:
            return tr(
                "The run ended unexpectedly: its process was killed, memory ran out, or the computer was switched "
                "off. Resume continues where it stopped. If it happens again, choose a smaller model or another "
                "device."
            )
        case Status.FAILED:
            template = run.message.strip() or tr("The audit failed for an unknown reason.")
            return template + " " + tr("See the log for details.")
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
    """A classifier that every audit can train: its name in the results, and its title here.

    ``former_title`` is its name in the results of earlier versions.
    """

    trainer_title: str
    title: str
    former_title: str = ""


BUILT_IN_CLASSIFIERS = {
    "words": BuiltInClassifier(
        "linear models of words, by side and by publisher",
        tr("Linear models on words, by side and by outlet"),
        former_title="linear models of words, by side and by house",
    ),
    "tfidf": BuiltInClassifier("logistic regression over TF-IDF", tr("Logistic regression over TF-IDF")),
}
"""By the value of ``--ideology-classifier``, the default first."""
SYSTEMS = {
    "vanilla": tr("unchanged"),
    "emb": tr("mode 1, bias words"),
    "cls": tr("mode 2, classifier"),
    "emb-token": tr("token reweighting, words"),
    "token": tr("token reweighting, classifier"),
}
"""Titles of the debiasing methods and of the unchanged generator."""
ATTRIBUTES = {
    "gender": tr("Gender of a name"),
    "location": tr("Place in the United States"),
    "topic": tr("Political topic"),
}
KINDS: dict[BiasKind, str] = {"indirect": tr("Indirect bias"), "direct": tr("Direct bias")}
BIAS_MEANINGS: dict[BiasKind, str] = {
    "indirect": tr(
        "How much texts about one option lean compared with texts about all options, after prompts that "
        "name no side."
    ),
    "direct": tr(
        "How much this differs between prompts that name one side (liberal, conservative) and prompts that "
        "name the other."
    ),
}
CAUTION = tr(
    "An audit shows how texts about the options differ for one ideology classifier. It cannot say which "
    "leaning would be right, what the generator writes after other prompts, or where the classifier, "
    "which was trained on American news, is wrong."
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
    OVERALL: tr("all options"),
}
_TRIGGERS = {
    "indirect": tr("names no side"),
    "liberal": tr("names the liberal side"),
    "conservative": tr("names the conservative side"),
}
_STAGES = {
    "vanilla": tr("Generating texts without debiasing"),
    "word embedding (mode 1)": tr("Generating texts, mode 1"),
    "classifier (mode 2)": tr("Generating texts, mode 2"),
    "token reweighting by words (ours)": tr("Generating texts, token reweighting by words"),
    "token reweighting by a classifier (ours)": tr("Generating texts, token reweighting by a classifier"),
    "f_debias": tr("Training the classifier for debiasing"),
    "time": tr("Measuring the time for 100 tokens"),
}
SMOKE = "smoke"
"""The scale whose metrics are not usable."""
_MIN_RELIABLE_F1 = 0.6
"""Below this macro-F1 a caveat is shown."""
WRITING_STAGES = (
    "vanilla",
    "word embedding (mode 1)",
    "classifier (mode 2)",
    "token reweighting by words (ours)",
    "token reweighting by a classifier (ours)",
)
"""Prefixes of the stages that generate texts; their steps are texts."""


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
        return tr("Starting. The first message takes a few seconds.")
    stage_name, _, remainder = progress.stage.partition(", ")
    if stage_name not in _STAGES:
        return tr("Loading articles and preparing the ideology classifier.")
    attribute = remainder.partition(", ")[0]
    return f"{_STAGES[stage_name]}: {attribute_title(attribute)}" if attribute else _STAGES[stage_name]


def classifier_note(audit: Audit) -> str:
    """Which classifier scored the texts, and how reliable it is."""
    classifier = _classifier_title(audit)
    if audit.classifier_score is None:
        return tr("Ideology classifier: {classifier}.").format(classifier=classifier)
    template = tr(
        "Ideology classifier: {classifier}. Its macro-F1 on articles of unseen publishers is {score}; "
        "guessing gives 0.50."
    ).format(classifier=classifier, score=f"{audit.classifier_score:.2f}")
    if audit.classifier_score >= _MIN_RELIABLE_F1:
        return template
    doubt = tr(
        "On these articles, the classifier hardly distinguishes the two sides, so a "
        "measured bias may have other causes."
    )
    return f"{template} {doubt}"


def describe_caveats(audit: Audit) -> str:
    """Why the metrics are not reliable yet; empty if they are."""
    measured, all_parts = len(audit.parts), len(audit.options) * len(audit.systems)
    missing = tr("{done} of {all} parts are measured.")
    lines = [
        tr("This was a smoke test: its texts are too few and too short for meaningful metrics.")
        if audit.scale == SMOKE
        else "",
        "" if audit.is_complete else missing.format(done=measured, all=all_parts),
    ]
    return "\n".join(filter(None, lines))


def _classifier_title(audit: Audit) -> str:
    if not audit.classifier_run:
        return next(
            (
                classifier.title
                for classifier in BUILT_IN_CLASSIFIERS.values()
                if audit.ideology_classifier in (classifier.trainer_title, classifier.former_title)
            ),
            audit.ideology_classifier,
        )
    template = tr("trained here on {base} (run {id})")
    return template.format(base=base_title(audit.ideology_classifier), id=audit.classifier_run[:8])


def describe_costs(audit: Audit, system: str, attribute: str) -> str:
    """The costs of debiasing: perplexity and time relative to the unchanged generator; empty if unknown."""
    part = audit.part(system, attribute)
    lines = []
    if part is not None and part.perplexity_ratio is not None and system != "vanilla":
        template = tr("perplexity {times} times that of the unchanged generator")
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
    template = tr("Classifier: {share} liberal, {rest} conservative")
    return template.format(share=format_percent(liberal), rest=format_percent(1 - liberal))


def format_change(removed_share: float | None) -> str:
    """The change of a bias in per cent; a dash if there was none before."""
    return "–" if removed_share is None else f"{-100 * removed_share:+.0f}%"


PROGRESS_STRINGS = ProgressStrings(
    stage_text, is_writing, lambda _: tr("{done} of {all} texts"), tr("Texts of this audit")
)
