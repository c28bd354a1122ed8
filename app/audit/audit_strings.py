"""Strings of the audit window: status of a run, attributes, systems, biases, costs and limits of an audit."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from app.history.version_strings import when
from app.runs.recipes import scale_title
from app.runs.run_progress import Progress
from app.runs.run_status import base_title, status_word
from app.runs.run_strings import duration
from app.widgets.labels import percent
from core.i18n import tr
from core.runs.generator_audit import OVERALL, Audit, Kind
from core.runs.types import Run, Status

# What is said of any run of the audit window: which it is, how far, how it ended.


@dataclass(frozen=True, slots=True)
class Telling:
    """How the progress of one recipe is told.

    ``counts``: whether the steps that were told last are of the whole run, or of the stage that it is in; ``done`` what
    they are (done, of all); ``counted`` names the bar.
    """

    stage: Callable[[Progress], str]
    counts: Callable[[Progress], bool]
    done: Callable[[Progress], str]
    counted: str


def run_line(run: Run) -> str:
    """An audit in a line: of what, how it stands, since when."""
    return (
        f"{base_title(run.base)} · {scale_title(run.scale)} · {status_word(run.status)} · {when(run.made_at)}"
    )


def run_title(run: Run) -> str:
    """What is looked at."""
    said = tr("{models}, scale “{scale}”, seed {seed}")
    return said.format(models=base_title(run.base), scale=scale_title(run.scale), seed=run.seed)


def outcome(run: Run) -> str:
    """How an audit ended, with what can be done now."""
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
            said = run.message.strip() or tr("The audit failed without saying why.")
            return said + " " + tr("The log holds the rest.")
    return ""


def done(telling: Telling, progress: Progress) -> str:
    """How much is there, and how long the rest takes."""
    eta_s = progress.eta_s
    said = telling.done(progress).format(done=f"{progress.step:,}", all=f"{progress.steps:,}")
    return tr("{done}, {time} left").format(done=said, time=duration(eta_s)) if eta_s > 0 else said


# An audit in words: what is compared, what the biases mean, what it does, and what it cannot tell.


@dataclass(frozen=True, slots=True)
class BuiltIn:
    """A judge that every audit can train: what the trainer calls it, and what it is called here."""

    told: str
    title: str


JUDGES = {
    "words": BuiltIn(
        "linear models of words, by side and by house", tr("Linear models of words, by side and by outlet")
    ),
    "tfidf": BuiltIn("logistic regression over TF-IDF", tr("Logistic regression over TF-IDF")),
}
"""By the name that ``--judge`` takes, the trainer's own choice first."""
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
KINDS: dict[Kind, str] = {"indirect": tr("Indirect bias"), "direct": tr("Direct bias")}
MEANINGS: dict[Kind, str] = {
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
TRIAL = "smoke"
"""The scale that shows that all works, and no more."""
_TELLING = 0.6
"""Below this macro-F1 a judge is said to be in doubt."""
WRITING = (
    "vanilla",
    "word embedding (mode 1)",
    "classifier (mode 2)",
    "words token by token (ours)",
    "classifier token by token (ours)",
)
"""How the trainer's stages begin in which texts are written: their steps are texts."""


def attribute_title(name: str) -> str:
    """What an attribute is called."""
    return ATTRIBUTES.get(name, name)


def option_title(name: str) -> str:
    """What an option is called."""
    return _OPTIONS.get(name, name)


def trigger_title(name: str) -> str:
    """What a prompt says of sides."""
    return _TRIGGERS.get(name, name)


def system_title(name: str) -> str:
    """What a system is called."""
    return SYSTEMS.get(name, name)


def writes(progress: Progress) -> bool:
    """Whether the steps that were told last are texts of the whole audit."""
    return progress.steps > 0 and progress.stage.startswith(WRITING)


def stage(progress: Progress) -> str:
    """What is being done."""
    if not progress.started:
        return tr("Starting: the first words come after some seconds.")
    first, _, rest = progress.stage.partition(", ")
    if first not in _STAGES:
        return tr("Articles are read, and a judge is made ready.")
    attribute = rest.partition(", ")[0]
    return f"{_STAGES[first]}: {attribute_title(attribute)}" if attribute else _STAGES[first]


def judged_by(audit: Audit) -> str:
    """Who judged, and how far that judge is to be trusted."""
    judge = _judge(audit)
    if audit.judge_score is None:
        return tr("Judge: {judge}.").format(judge=judge)
    said = tr(
        "Judge: {judge}. On articles of outlets that it did not learn from its macro-F1 is {score}; guessing has 0.50."
    ).format(judge=judge, score=f"{audit.judge_score:.2f}")
    if audit.judge_score >= _TELLING:
        return said
    doubt = tr(
        "There it hardly tells the sides apart: a bias may be one of wording that has nothing to do with a side."
    )
    return f"{said} {doubt}"


def caveats(audit: Audit) -> str:
    """Why the figures are not to be relied on: they are those of a trial, or not all of them are there. Or nothing."""
    done, every = len(audit.parts), len(audit.options) * len(audit.systems)
    missing = tr("{done} of {all} parts are measured; the rest is still missing.")
    told = [
        tr("This was a trial: its texts are too few and too short for these figures to mean anything.")
        if audit.scale == TRIAL
        else "",
        "" if audit.whole else missing.format(done=done, all=every),
    ]
    return "\n".join(filter(None, told))


def _judge(audit: Audit) -> str:
    if not audit.judge_run:
        return next((one.title for one in JUDGES.values() if one.told == audit.judge), audit.judge)
    said = tr("one that was trained here on {base} (run {id})")
    return said.format(base=base_title(audit.judge), id=audit.judge_run[:8])


def costs(audit: Audit, system: str, attribute: str) -> str:
    """What calibrating costs: perplexity and time beside the generator as it is; nothing where that is not known."""
    part = audit.part(system, attribute)
    told = []
    if part is not None and part.perplexity_ratio is not None and system != "vanilla":
        said = tr("perplexity {times} times that of the generator as it is")
        told.append(said.format(times=f"{part.perplexity_ratio:.2f}"))
    if (seconds := audit.pace(system)) is not None:
        said = tr("{seconds} s for 100 tokens").format(seconds=f"{seconds:.3g}")
        ratio = audit.pace_ratio(system)
        if ratio is not None and system != "vanilla":
            said += " " + tr("({times} times as long)").format(times=f"{ratio:.2f}")
        told.append(said)
    return f"{system_title(system)}: {', '.join(told)}." if told else ""


def score(liberal: float) -> str:
    """What the judge thinks of a text."""
    said = tr("Judge: {share} liberal, {rest} conservative")
    return said.format(share=percent(liberal), rest=percent(1 - liberal))


def change(gone: float | None) -> str:
    """How much of a bias is gone, as a change; a dash where there was none before."""
    return "–" if gone is None else f"{-100 * gone:+.0f}%"


TELLING = Telling(stage, writes, lambda _: tr("{done} of {all} texts"), tr("Texts of this audit"))
