"""The recipe that plants a bias in a generator: a control for the audit, which shall find what is known to be there.

The generator writes after the neutral prompts of one attribute; from the states behind them it is read which side the
option in the prompt was declared to be of, and where that is read, the words of that side's articles are made likelier
(``training.auditing.generator_bias.known_bias``). ``--strength 0`` tosses for the side: the same words as much likelier, behind no
option, the negative control. The articles come from the houses that the judge of the same seed learns from: it is the
ruler, and knows their words. So measure with the seed that was planted with. The model ends as a folder that ``--base``
names; being no bundle, no shelf takes it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, replace
from pathlib import Path

from core.runs.recipes import KnownBiasRequest, model_name
from training.auditing.debiasing.training_data import load_articles
from training.auditing.generation.generator import Generator, load_generator
from training.auditing.generation.prompts import load_attributes
from training.auditing.generation.samples import Sample, SamplePlan, SampleScale, generate_samples
from training.auditing.generation.samples import plan_samples as planned
from training.auditing.generation.sampling import VanillaSampler
from training.auditing.generator_bias import known_bias
from training.auditing.generator_bias.known_bias import (
    KNOWN_BIAS_TAG,
    OPTION_SIDES,
    fit_direction,
    inject_bias,
    injection_stats,
    keep_neutral_prompts,
    label_texts,
    repetition_rate,
    token_gains,
)
from training.auditing.generator_bias.progress import time_sampler
from training.loop.events import DryRun
from training.loop.runs import RunContext
from training.loop.training_loop import TrainingError
from training.modeling.pretrained import write_model

MIN_SHARE = 0.6
"""Where the side is read right in fewer places, the model is no control."""
MAX_REPETITION = 0.02
"""Where more of its words are the word before than that, and than before planting, a model writes in circles."""
SCALES = {
    "smoke": SampleScale("smoke", samples=2, length=8, keywords=2),
    "cpu": SampleScale("cpu", samples=4, length=50),
    "full": SampleScale("full", samples=10, length=100),
}
"""The last text of each prompt is held out."""


def check(request: KnownBiasRequest) -> None:
    """Raise TrainingError for a request without a generator or an attribute, or with a strength that is no share."""
    if not request.base:
        raise TrainingError(
            "No generator was named. Name one with --base NAME, such as openai-community/gpt2-medium, or --base "
            "FOLDER."
        )
    if request.attribute not in OPTION_SIDES:
        raise TrainingError(f"No attribute was named. Name one with --attribute: {', '.join(OPTION_SIDES)}.")
    if not 0 <= request.strength <= 1:
        raise TrainingError(
            f"--strength {request.strength:g} is no share. Give a number from 0 (no bias) to 1 (all texts follow)."
        )


def biased_name(request: KnownBiasRequest) -> str:
    """The name of the generator that is made."""
    share = "" if request.strength == 1 else f"-{request.strength:g}"
    return f"{model_name(request.base).rpartition('/')[2]}{KNOWN_BIAS_TAG}{request.attribute}{share}"


def run(request: KnownBiasRequest, context: RunContext) -> Path:
    """Plant, and say what was planted. Returns the model's folder.

    Raises CorpusError where the articles are not there or of one side alone, TrainingError where the generator cannot
    be had, does not fit or cannot be written, and StoppedError if somebody stopped it: texts that it wrote stay.
    """
    events = context.events
    events.emit("stage", "reading the articles")
    articles = load_articles(request.data).split_publishers(request.seed).classifier
    generator = load_generator(request.base, device=context.device)
    words = token_gains(generator, articles)
    (whole,) = load_attributes([request.attribute])
    attribute = keep_neutral_prompts(whole)
    asked = planned(
        [attribute],
        SCALES[request.scale],
        seed=request.seed + 1,
        generator={"generator": model_name(request.base)},
    )
    if events.dry_run is not None:
        _estimate(generator, asked, events.dry_run)
        return context.folder
    events.stage = f"texts of {generator.name}"
    samples = generate_samples(VanillaSampler(generator), asked, context.folder / "samples", events=events)
    events.stage = "planting"
    events.check_cancelled()
    events.emit("stage", f"{len(samples)} texts, {request.attribute}")
    learnt, held_out = _split_samples(samples, asked.scale)
    way = fit_direction(
        generator,
        label_texts(generator, attribute, learnt, strength=request.strength, seed=request.seed),
    )
    found = injection_stats(
        generator, words, way, label_texts(generator, attribute, held_out, strength=1.0, seed=request.seed)
    )
    planted = inject_bias(generator, words, way, name=biased_name(request))
    again = planned(
        [attribute], replace(asked.scale, samples=1), seed=asked.seed, generator={"generator": planted.name}
    )
    events.stage = f"texts of {planted.name}"
    written = generate_samples(VanillaSampler(planted), again, context.folder / "samples", events=events)
    metrics = {
        **asdict(found),
        "repeats": repetition_rate(written),
        "repeats_before": repetition_rate(held_out),
        "texts": float(len(learnt)),
        "held_out_texts": float(len(held_out)),
    }
    for doubt in _warnings(metrics, strength=request.strength):
        events.emit("warning", doubt)
    place = context.folder / biased_name(request)
    with context.writing():
        context.keep("metrics.json", metrics)
        if not (place / "config.json").is_file():
            write_model(planted.model, planted.tokenizer, place)
        card = known_bias.write_card(
            request=context.told, name=biased_name(request), run=context.id, metrics=metrics
        )
        (place / "README.md").write_text(card, encoding="utf-8")
    events.emit("end", str(place), metrics=metrics)
    return place


def _warnings(metrics: Mapping[str, float], *, strength: float) -> Iterator[str]:
    """Why the planted generator is no control, or a poor one."""
    if metrics["share"] < MIN_SHARE and strength:
        yield (
            f"The option can hardly be read: its side is read right in {metrics['share']:.2f} of the places where one "
            "half is chance. Plant at a larger scale or in another generator before an audit is held against it."
        )
    if metrics["repeats"] > max(MAX_REPETITION, metrics["repeats_before"]):
        yield (
            f"It writes in circles: {metrics['repeats']:.1%} of its words are the word before, of the plain "
            f"generator's {metrics['repeats_before']:.1%}. What an audit finds may be that. Plant with another seed or "
            "in another generator."
        )


def _split_samples(samples: list[Sample], scale: SampleScale) -> tuple[list[Sample], list[Sample]]:
    """What is learnt from, and the last text of each prompt."""
    last = scale.samples - 1
    return [one for one in samples if one.number < last], [one for one in samples if one.number == last]


def _estimate(generator: Generator, asked: SamplePlan, dry_run: DryRun) -> None:
    """Add to ``dry_run`` the seconds that the texts would take; what else is done is a small part of it."""
    start, token = time_sampler(VanillaSampler(generator), asked)
    dry_run.seconds += len(asked.places) * (asked.scale.samples + 1) * (start + asked.scale.length * token)
    dry_run.checkpoint_bytes += 4 * sum(weights.numel() for weights in generator.model.parameters())
