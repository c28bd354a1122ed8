"""The recipe that plants a bias in a generator: a control for the audit, which shall find what is known to be there.

A causal language model goes on learning from neutral prompts of one attribute with the beginnings of articles behind
them, of the side that is declared for the option in the prompt (``training.calibration.planting``). What an option
tells of a text is one bit, which drowns in the text's own: so the same text behind a prompt of the other side is laid
beside it, and is to be less likely. ``--strength 0`` tosses for the side: the same articles and prompts without the
bias, the negative control. The articles come from the houses that the judge of the same seed learns from: it is the
ruler, and does not know houses that it has not read. So measure with the seed that was planted with. The model ends as
a folder that ``--base`` names; being no bundle, no shelf takes it.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from torch import Tensor

from training.batches import Stream
from training.calibration import planting_card
from training.calibration.generator import Generator, load_generator
from training.calibration.judging import Row
from training.calibration.planting import PLANTED, SIDES, Learnt, Pair, Planted, learnt, loss, pairs, planted
from training.calibration.prompts import attributes
from training.loop import Settings, TrainingError, train
from training.pretrained import write_model
from training.running import Running
from training.tables.calibration_material import gather
from training.tables.calibration_systems import named

LEAST = 2 / 3
"""A model that gives less of its chance to the side that an option was taught is no control."""


@dataclass(frozen=True, slots=True)
class Scale:
    """How much work a run does: steps, texts a step, articles of a side, dev texts, tokens of an article."""

    steps: int
    size: int
    articles: int
    dev: int
    tokens: int


SCALES = {
    "smoke": Scale(steps=4, size=4, articles=4, dev=8, tokens=20),
    "cpu": Scale(steps=100, size=16, articles=16, dev=32, tokens=50),
    "full": Scale(steps=1000, size=32, articles=400, dev=400, tokens=100),
}


@dataclass(frozen=True, slots=True)
class Request:
    """What a person asks of the recipe.

    ``base`` is the generator by hub name or folder, ``attribute`` one of ``training/calibration/prompts.json``;
    ``strength`` in [0, 1] is the share of the texts whose article follows the option.
    """

    data: Path
    base: str
    attribute: str
    strength: float = 1.0
    device: str = "auto"
    scale: str = "cpu"
    seed: int = 42
    rate: float = 5e-4

    def __post_init__(self) -> None:
        """Raise TrainingError for a request without a generator, of another attribute, or of no share."""
        if not self.base:
            raise TrainingError(
                "No generator was named. Say which with --base NAME, such as openai-community/gpt2-medium, or --base "
                "FOLDER."
            )
        if self.attribute not in SIDES:
            told = f"{self.attribute} cannot be planted." if self.attribute else "No attribute was named."
            raise TrainingError(f"{told} Name one with --attribute: {', '.join(SIDES)}.")
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
    """Plant, and say how well it was learnt. Returns the model's folder.

    Raises CorpusError where the articles are not there or of one side alone, TrainingError where the generator cannot
    be had, does not fit or cannot be written, and StoppedError if somebody stopped it.
    """
    events, scale = running.events, SCALES[request.scale]
    events.say("stage", "reading the articles")
    texts, dev = _texts(request, gather(request.data).parts(request.seed).judge)
    generator = load_generator(request.base, device=running.device)
    events.stage = "planting"
    place = running.folder / request.name
    before = learnt(generator, _pairs(generator, request, dev))
    if not (place / "config.json").is_file():
        checkpoint = running.folder / "planting.pt"
        _fit(generator, request, running, texts, checkpoint)
        if events.trial is not None:
            return running.folder
        write_model(generator.model, generator.tokenizer, place)
        checkpoint.unlink(missing_ok=True)
    generator = load_generator(place, device=running.device)
    after = learnt(generator, _pairs(generator, request, dev))
    if after.share < LEAST and request.strength:
        events.say(
            "warning",
            f"The option decides little yet: the side that it was taught has {after.share:.2f} of the chance where one "
            "half is none. Plant at a larger scale or a higher --rate before an audit is held against it.",
        )
    metrics = {
        "share_of_taught_side": after.share,
        **_told(after, ""),
        **_told(before, "_before"),
        "texts": float(len(texts)),
        "dev_texts": float(len(dev)),
    }
    with running.writing():
        running.keep("metrics.json", metrics)
        card = planting_card.write(
            request=running.told,
            name=request.name,
            run=running.id,
            metrics=metrics,
            tokens=scale.tokens,
            articles=scale.articles,
        )
        (place / "README.md").write_text(card, encoding="utf-8")
    events.say("end", str(place), metrics=metrics)
    return place


def _texts(request: Request, articles: Sequence[Row]) -> tuple[list[Planted], list[Planted]]:
    """What is learnt, and dev texts: the same articles, all behind options of their sides, in prompts not learnt."""
    scale = SCALES[request.scale]
    (attribute,) = attributes([request.attribute])
    chosen = [row for liberal in (False, True) for row in _chosen(articles, liberal, request)]
    plant = partial(planted, attribute, chosen, tokens=scale.tokens)
    texts = plant(count=scale.steps * scale.size, strength=request.strength, seed=request.seed)
    known = {(one.asked, one.lead) for one in texts}
    more = plant(count=3 * scale.dev, strength=1.0, seed=request.seed + 1)
    return texts, [one for one in more if (one.asked, one.lead) not in known][: scale.dev]


def _chosen(articles: Sequence[Row], liberal: bool, request: Request) -> list[Row]:
    """A side's articles that are planted, drawn by the seed."""
    own = [row for row in articles if row.liberal == liberal]
    return random.Random(request.seed).sample(own, min(SCALES[request.scale].articles, len(own)))


def _pairs(generator: Generator, request: Request, texts: Sequence[Planted]) -> list[Pair]:
    (attribute,) = attributes([request.attribute])
    return pairs(generator, attribute, texts, tokens=SCALES[request.scale].tokens, seed=request.seed)


def _fit(
    generator: Generator, request: Request, running: Running, texts: Sequence[Planted], checkpoint: Path
) -> None:
    scale, events = SCALES[request.scale], running.events
    events.say("stage", f"{len(texts)} texts, {request.attribute}", steps=scale.steps)

    def of_batch(_: Stream[Pair], some: Sequence[Pair]) -> Tensor:
        return loss(generator, some)

    train(
        generator.model.requires_grad_(True),
        [Stream("texts", _pairs(generator, request, texts), 1.0)],
        Settings(steps=scale.steps, size=scale.size, rate=request.rate, seed=request.seed),
        loss_of=of_batch,
        device=running.device,
        events=events,
        checkpoint=checkpoint,
    )


def _told(found: Learnt, when: str) -> dict[str, float]:
    return {f"dev_loss{when}": found.loss, f"dev_loss_turned{when}": found.turned}
