"""Counterfactuals to learn from: whoever a sentence is about, it is as biased and its words are as neutral.

Templates are those of the training half alone; the other half examines (`core.stereotypes.templates`).
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace

from core.findings import Kind
from core.stereotypes.templates import ADJECTIVES, ADVERBS, Half, frames, term_frames
from training.corpora.base import Example, GoldSpan
from training.counterfactual.swaps import real_frames

PER_TERM_FRAME = 12
"""Sentences drawn of each template about every identity term, which has some dozens."""


def template_examples(*, seed: int) -> list[Example]:
    """The training half, each sentence without and with a loaded word: neutral without spans, biased with that span."""
    draw = random.Random(seed)
    made = []
    for loaded in (False, True):
        for frame in frames(Half.TRAINING, loaded=loaded):
            made += [_template(variant.text, frame.source) for variant in frame.variants]
        for frame in term_frames(Half.TRAINING, loaded=loaded):
            some = draw.sample(frame.variants, min(PER_TERM_FRAME, len(frame.variants)))
            made += [_template(variant.text, frame.source) for variant in some]
    return made


def swapped_examples(examples: Sequence[Example], *, seed: int) -> list[Example]:
    """Sentences that tell of a person, about one other group each: equally biased; their words are not taught."""
    draw = random.Random(seed)
    made = []
    known = {example.text: example for example in examples}
    for frame in real_frames(list(known)):
        others = [variant.text for variant in frame.variants if variant.text != frame.source]
        example = known[frame.source]
        made.append(replace(example, text=draw.choice(others), spans=None))
        made.append(replace(example, spans=None))
    return made


def _template(text: str, source: str) -> Example:
    spans = tuple(
        GoldSpan(at, at + len(word), Kind.FRAMING)
        for word in (*ADJECTIVES, *ADVERBS)
        if (at := text.find(word)) >= 0 and word.lower() not in source.lower()
    )
    return Example(text, "templates", spans=spans, bias=1.0 if spans else 0.0, group=source)
