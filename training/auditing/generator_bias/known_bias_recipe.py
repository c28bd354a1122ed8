"""The recipe that injects a known bias into a generator: a control for the audit.

The generator writes after the neutral prompts of one attribute. From the hidden states of these texts a direction is
fitted that predicts the declared side of the option in the prompt; along it, words of that side's articles become
likelier (``training.auditing.generator_bias.known_bias``). With ``--strength 0`` sides are random: the same words
become likelier, independently of the option (negative control). The words come from the articles of the audit's
ideology classifier at the same seed, so audit the model with that seed. The model is saved as a folder for ``--base``;
it is no bundle and cannot be installed.
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
"""Below this share of correctly predicted positions the model is no control."""
MAX_REPETITION = 0.02
"""Above this repetition rate, and above that of the original generator, a warning is given."""
SCALES = {
    "smoke": SampleScale("smoke", samples=2, length=8, keywords=2),
    "cpu": SampleScale("cpu", samples=4, length=50),
    "full": SampleScale("full", samples=10, length=100),
}
"""The last text of each prompt is held out."""


def check(request: KnownBiasRequest) -> None:
    """Raise TrainingError for a request without a generator or an attribute, or with a strength outside 0 to 1."""
    if not request.base:
        raise TrainingError(
            "No generator was named. Name one with --base: a hub name (openai-community/gpt2-medium) "
            "or a folder."
        )
    if request.attribute not in OPTION_SIDES:
        raise TrainingError(f"No attribute was named. Name one with --attribute: {', '.join(OPTION_SIDES)}.")
    if not 0 <= request.strength <= 1:
        raise TrainingError(
            f"--strength {request.strength:g} is not a share. Give a number from 0 (no bias) to 1 (all texts)."
        )


def biased_name(request: KnownBiasRequest) -> str:
    """The name of the generator with the known bias."""
    share = "" if request.strength == 1 else f"-{request.strength:g}"
    return f"{model_name(request.base).rpartition('/')[2]}{KNOWN_BIAS_TAG}{request.attribute}{share}"


def run(request: KnownBiasRequest, context: RunContext) -> Path:
    """Inject the bias and report its effect. Returns the model's folder.

    Raises CorpusError if there are no articles or none of one side, TrainingError if the generator is not available,
    does not fit into memory or cannot be saved, and StoppedError if the run is stopped; finished texts stay saved.
    """
    events = context.events
    events.emit("stage", "reading the articles")
    articles = load_articles(request.data).split_publishers(request.seed).classifier
    generator = load_generator(request.base, device=context.device)
    gains = token_gains(generator, articles)
    (whole,) = load_attributes([request.attribute])
    attribute = keep_neutral_prompts(whole)
    plan = planned(
        [attribute],
        SCALES[request.scale],
        seed=request.seed + 1,
        generator={"generator": model_name(request.base)},
    )
    if events.dry_run is not None:
        _estimate(generator, plan, events.dry_run)
        return context.folder
    events.stage = f"texts of {generator.name}"
    samples = generate_samples(VanillaSampler(generator), plan, context.folder / "samples", events=events)
    events.stage = "injecting the bias"
    events.check_cancelled()
    events.emit("stage", f"{len(samples)} texts, {request.attribute}")
    train, held_out = _split_samples(samples, plan.scale)
    direction = fit_direction(
        generator,
        label_texts(generator, attribute, train, strength=request.strength, seed=request.seed),
    )
    found = injection_stats(
        generator,
        gains,
        direction,
        label_texts(generator, attribute, held_out, strength=1.0, seed=request.seed),
    )
    biased = inject_bias(generator, gains, direction, name=biased_name(request))
    again = planned(
        [attribute], replace(plan.scale, samples=1), seed=plan.seed, generator={"generator": biased.name}
    )
    events.stage = f"texts of {biased.name}"
    written = generate_samples(VanillaSampler(biased), again, context.folder / "samples", events=events)
    metrics = {
        **asdict(found),
        "repeats": repetition_rate(written),
        "repeats_before": repetition_rate(held_out),
        "texts": float(len(train)),
        "held_out_texts": float(len(held_out)),
    }
    for doubt in _warnings(metrics, strength=request.strength):
        events.emit("warning", doubt)
    place = context.folder / biased_name(request)
    with context.explain_write_errors():
        context.write_json("metrics.json", metrics)
        if not (place / "config.json").is_file():
            write_model(biased.model, biased.tokenizer, place)
        card = known_bias.write_card(
            request=context.settings, name=biased_name(request), run=context.id, metrics=metrics
        )
        (place / "README.md").write_text(card, encoding="utf-8")
    events.emit("end", str(place), metrics=metrics)
    return place


def _warnings(metrics: Mapping[str, float], *, strength: float) -> Iterator[str]:
    """Reasons why the generator is no control, or a poor one."""
    if metrics["share"] < MIN_SHARE and strength:
        yield (
            f"The side of an option can hardly be predicted: it is correct in {metrics['share']:.2f} of "
            "the positions, where chance is one half. Use a larger scale or another generator before "
            "you compare an audit with it."
        )
    if metrics["repeats"] > max(MAX_REPETITION, metrics["repeats_before"]):
        yield (
            f"It repeats itself: {metrics['repeats']:.1%} of its words repeat the previous word, of the "
            f"original generator's {metrics['repeats_before']:.1%}. An audit may measure that. Use "
            "another seed or another generator."
        )


def _split_samples(samples: list[Sample], scale: SampleScale) -> tuple[list[Sample], list[Sample]]:
    """Training texts, and the last text of each prompt."""
    last = scale.samples - 1
    return [one for one in samples if one.number < last], [one for one in samples if one.number == last]


def _estimate(generator: Generator, plan: SamplePlan, dry_run: DryRun) -> None:
    """Add the seconds for the texts to ``dry_run``; the other steps take little."""
    start, token = time_sampler(VanillaSampler(generator), plan)
    dry_run.seconds += len(plan.places) * (plan.scale.samples + 1) * (start + plan.scale.length * token)
    dry_run.checkpoint_bytes += 4 * sum(weights.numel() for weights in generator.model.parameters())
