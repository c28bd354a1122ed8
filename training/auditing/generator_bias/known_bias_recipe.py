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
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from training.auditing.debiasing.systems import named
from training.auditing.debiasing.training_data import gather
from training.auditing.generation.generator import Generator, load_generator
from training.auditing.generation.prompts import attributes
from training.auditing.generation.samples import Plan, Sample, Scale, generated
from training.auditing.generation.samples import plan as planned
from training.auditing.generation.sampling import Vanilla
from training.auditing.generator_bias import known_bias
from training.auditing.generator_bias.known_bias import (
    PLANTED,
    SIDES,
    direction,
    lessons,
    neutral,
    plant,
    repeats,
    side_words,
    told,
)
from training.auditing.generator_bias.progress import paced
from training.loop.events import Trial
from training.loop.runs import Running
from training.loop.training_loop import TrainingError
from training.modeling.pretrained import write_model

LEAST = 0.6
"""Where the side is read right in fewer places, the model is no control."""
CIRCLES = 0.02
"""Where more of its words are the word before than that, and than before planting, a model writes in circles."""
SCALES = {
    "smoke": Scale("smoke", samples=2, length=8, keywords=2),
    "cpu": Scale("cpu", samples=4, length=50),
    "full": Scale("full", samples=10, length=100),
}
"""The last text of each prompt is held out."""


@dataclass(frozen=True, slots=True)
class Request:
    """What a person asks of the recipe.

    ``base`` is the generator by hub name or folder, ``attribute`` one of ``training/auditing/generation/prompts.json``;
    ``strength`` in [0, 1] is the share of the texts from which the option's own side is read.
    """

    data: Path
    base: str
    attribute: str
    strength: float = 1.0
    device: str = "auto"
    scale: str = "cpu"
    seed: int = 42

    def __post_init__(self) -> None:
        """Raise TrainingError for a request without a generator, of another attribute, or of no share."""
        if not self.base:
            raise TrainingError(
                "No generator was named. Say which with --base NAME, such as openai-community/gpt2-medium, or --base "
                "FOLDER."
            )
        if self.attribute not in SIDES:
            said = f"{self.attribute} cannot be planted." if self.attribute else "No attribute was named."
            raise TrainingError(f"{said} Name one with --attribute: {', '.join(SIDES)}.")
        if not 0 <= self.strength <= 1:
            raise TrainingError(
                f"--strength {self.strength:g} is no share. Say a number from 0 (no bias) to 1 (all texts follow)."
            )

    @property
    def name(self) -> str:
        """As the model is called."""
        share = "" if self.strength == 1 else f"-{self.strength:g}"
        return f"{named(self.base).rpartition('/')[2]}{PLANTED}{self.attribute}{share}"


def run(request: Request, running: Running) -> Path:
    """Plant, and say what was planted. Returns the model's folder.

    Raises CorpusError where the articles are not there or of one side alone, TrainingError where the generator cannot
    be had, does not fit or cannot be written, and StoppedError if somebody stopped it: texts that it wrote stay.
    """
    events = running.events
    events.say("stage", "reading the articles")
    articles = gather(request.data).parts(request.seed).judge
    generator = load_generator(request.base, device=running.device)
    words = side_words(generator, articles)
    (whole,) = attributes([request.attribute])
    attribute = neutral(whole)
    asked = planned(
        [attribute],
        SCALES[request.scale],
        seed=request.seed + 1,
        generator={"generator": named(request.base)},
    )
    if events.trial is not None:
        _try_out(generator, asked, events.trial)
        return running.folder
    events.stage = f"texts of {generator.name}"
    samples = generated(Vanilla(generator), asked, running.folder / "samples", events=events)
    events.stage = "planting"
    events.obey()
    events.say("stage", f"{len(samples)} texts, {request.attribute}")
    learnt, held_out = _parted(samples, asked.scale)
    way = direction(
        generator,
        lessons(generator, attribute, learnt, strength=request.strength, seed=request.seed),
    )
    found = told(
        generator, words, way, lessons(generator, attribute, held_out, strength=1.0, seed=request.seed)
    )
    planted = plant(generator, words, way, name=request.name)
    again = planned(
        [attribute], replace(asked.scale, samples=1), seed=asked.seed, generator={"generator": planted.name}
    )
    events.stage = f"texts of {planted.name}"
    written = generated(Vanilla(planted), again, running.folder / "samples", events=events)
    metrics = {
        **asdict(found),
        "repeats": repeats(written),
        "repeats_before": repeats(held_out),
        "texts": float(len(learnt)),
        "held_out_texts": float(len(held_out)),
    }
    for doubt in _doubts(metrics, strength=request.strength):
        events.say("warning", doubt)
    place = running.folder / request.name
    with running.writing():
        running.keep("metrics.json", metrics)
        if not (place / "config.json").is_file():
            write_model(planted.model, planted.tokenizer, place)
        card = known_bias.write_card(request=running.told, name=request.name, run=running.id, metrics=metrics)
        (place / "README.md").write_text(card, encoding="utf-8")
    events.say("end", str(place), metrics=metrics)
    return place


def _doubts(metrics: Mapping[str, float], *, strength: float) -> Iterator[str]:
    """Why the planted generator is no control, or a poor one."""
    if metrics["share"] < LEAST and strength:
        yield (
            f"The option can hardly be read: its side is read right in {metrics['share']:.2f} of the places where one "
            "half is chance. Plant at a larger scale or in another generator before an audit is held against it."
        )
    if metrics["repeats"] > max(CIRCLES, metrics["repeats_before"]):
        yield (
            f"It writes in circles: {metrics['repeats']:.1%} of its words are the word before, of the plain "
            f"generator's {metrics['repeats_before']:.1%}. What an audit finds may be that. Plant with another seed or "
            "in another generator."
        )


def _parted(samples: list[Sample], scale: Scale) -> tuple[list[Sample], list[Sample]]:
    """What is learnt from, and the last text of each prompt."""
    last = scale.samples - 1
    return [one for one in samples if one.number < last], [one for one in samples if one.number == last]


def _try_out(generator: Generator, asked: Plan, trial: Trial) -> None:
    """Add to ``trial`` the seconds that the texts would take; what else is done is a small part of it."""
    start, token = paced(Vanilla(generator), asked)
    trial.seconds += len(asked.places) * (asked.scale.samples + 1) * (start + asked.scale.length * token)
    trial.checkpoint_bytes += 4 * sum(weights.numel() for weights in generator.model.parameters())
