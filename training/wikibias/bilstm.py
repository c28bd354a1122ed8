"""Table 7's BiLSTM-CNN-CRF (Ma and Hovy 2016), learnt from the manual part alone, its biased sources as in ``taught``.

The network is as printed by Ma and Hovy; rate and batch are those WIKIBIAS reports (Appendix D.2). Ours: AdamW at one
rate, as 1e-3 asks for, instead of SGD whose rate falls; and words seen once are read as unknown half of the time while
it learns, so that the unknown word has a vector that says something.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import save_file

from training.batches import Stream
from training.generators.vocabulary import Vocabulary
from training.loop import Settings, TrainingError, train
from training.metrics.tags import authors_scores
from training.stages import once
from training.wikibias.bilstm_model import BilstmCnnCrf, Row, Sizes, rows_of, word_of
from training.wikibias.glove import vectors
from training.wikibias.model import Answers, Material, Tagged, Work
from training.wikibias.taught import MANUAL, demand, taught

RATE, SIZE, CLIP = 1e-3, 16, 5.0
"""The rate and batch that the paper reports, of [1e-3, 5e-3, 1e-2] and [10, 16, 32]."""
LONGER = 10
"""A network that begins with nothing may take so many epochs for one of an encoder's: 50, as Ma and Hovy's."""
PATIENCE = 10
SPECIAL = len(Vocabulary([]))
_MOST_CHARACTERS = 10**5
_KNOWN = "vocabulary"


@dataclass(slots=True)
class _Tagger:
    """The network and its vocabularies; ``glove_words`` of the words have their vector from GloVe."""

    model: BilstmCnnCrf
    words: Vocabulary
    characters: Vocabulary
    glove_words: int

    def rows(self, sentences: Sequence[Tagged]) -> list[Row]:
        return rows_of(sentences, self.words, self.characters)

    def tags(self, sentences: Sequence[Tagged]) -> list[list[str]]:
        return self.model.tags(self.rows(sentences))


def bilstm_cnn_crf(material: Material, work: Work) -> Answers:
    """Tags of every test sentence. The best epoch on dev (the authors' exact F1) counts.

    Facts: ``glove_words`` and ``words`` of its vocabulary, ``dev_exact``. Raises TrainingError where there is nothing
    to learn from or ``work.glove`` is no GloVe file.
    """
    return with_sizes(material, work, Sizes())


def with_sizes(material: Material, work: Work, sizes: Sizes) -> Answers:
    """``bilstm_cnn_crf`` in another size."""
    work.events.stage = "bilstm"
    tagger = _trained(material, work, sizes)
    return Answers(
        tags=tagger.tags(material.test),
        facts={
            "glove_words": tagger.glove_words,
            "words": len(tagger.words),
            "dev_exact": _dev_exact(tagger, material),
        },
    )


def _trained(material: Material, work: Work, sizes: Sizes) -> _Tagger:
    tagger: list[_Tagger] = []

    def fit(checkpoint: Path) -> None:
        tagger[:] = [_fresh(material, work, sizes)]
        _fit(tagger[0], material, work, checkpoint)

    once(
        work.folder / f"bilstm-{_mark(work.glove)}.safetensors",
        fit=fit,
        load=lambda path: tagger.append(_loaded(path, sizes, work.device)),
        save=lambda path: _save(path, tagger[0]),
        events=work.events,
    )
    return tagger[0]


def _fresh(material: Material, work: Work, sizes: Sizes) -> _Tagger:
    """An untrained tagger for the words of the manual part, and for those of dev and test that GloVe has."""
    counts = Counter(word_of(token) for sentence in material.manual for token in sentence.tokens)
    others = {
        word_of(token) for part in (material.dev, material.test) for one in part for token in one.tokens
    }
    candidates = [*sorted(counts), *sorted(others.difference(counts))]
    whole = Vocabulary(candidates)
    say = work.events.say
    begin = vectors(whole.words, work.glove, seed=work.seed, say=lambda message: say("warning", message))
    words = Vocabulary([word for word in candidates if word in counts or word in begin.known])
    characters = Vocabulary.build(
        (token for sentence in material.manual for token in sentence.tokens), size=_MOST_CHARACTERS
    )
    torch.manual_seed(work.seed)
    model = BilstmCnnCrf(
        begin.table[whole.encode(words.words)],
        characters=len(characters),
        rare=words.encode([word for word, count in counts.items() if count == 1]),
        sizes=sizes,
    )
    return _Tagger(model, words, characters, len(begin.known))


def _fit(tagger: _Tagger, material: Material, work: Work, checkpoint: Path) -> None:
    demand(material, MANUAL)
    rows = [row for row in tagger.rows(taught(material.manual)) if len(row)]
    epoch = -(-len(rows) // SIZE)
    epochs = LONGER * work.effort.manual
    work.events.say(
        "stage", f"BiLSTM-CNN-CRF; {tagger.glove_words} words with a vector from GloVe", steps=epochs * epoch
    )
    model = tagger.model
    train(
        model,
        [Stream("manual", rows, 1.0)],
        Settings(
            steps=epochs * epoch,
            size=SIZE,
            rate=RATE,
            warmup=0.0,
            floor=1.0,
            decay=0.0,
            clip=CLIP,
            seed=work.seed,
            judge_every=epoch,
            patience=PATIENCE,
        ),
        loss_of=lambda _, some: model.loss(some),
        device=work.device,
        events=work.events,
        checkpoint=checkpoint,
        judge=lambda: _judged(tagger, material),
    )


def _judged(tagger: _Tagger, material: Material) -> float:
    """The exact F1 on dev; before the first right span minus the loss there, as that says whether it gets better."""
    return _dev_exact(tagger, material) or -tagger.model.mean_loss(tagger.rows(material.dev))


def _dev_exact(tagger: _Tagger, material: Material) -> float:
    exact, _ = authors_scores(material.dev, tagger.tags(material.dev))
    return exact.f1


def _mark(glove: Path | None) -> str:
    """Tells files of GloVe apart, so that weights learnt from one are not taken for another's."""
    return f"{glove.name}-{glove.stat().st_size}" if glove is not None and glove.is_file() else "random"


def _save(path: Path, tagger: _Tagger) -> None:
    """Weights and vocabulary in one file, so that they cannot part."""
    known = {
        "words": tagger.words.words[SPECIAL:],
        "characters": tagger.characters.words[SPECIAL:],
        "glove_words": tagger.glove_words,
    }
    save_file(tagger.model.state_dict(), path, metadata={_KNOWN: json.dumps(known)})


def _loaded(path: Path, sizes: Sizes, device: torch.device) -> _Tagger:
    try:
        with safe_open(path, framework="pt") as file:
            known = json.loads(file.metadata()[_KNOWN])
            state = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
        words, characters = Vocabulary(known["words"]), Vocabulary(known["characters"])
        model = BilstmCnnCrf(state["words.weight"], characters=len(characters), sizes=sizes)
        model.load_state_dict(state)
    except (OSError, SafetensorError, RuntimeError, ValueError, KeyError, TypeError) as error:
        raise TrainingError(f"{path} is damaged or of another model. Delete it to learn it anew.") from error
    return _Tagger(model.to(device), words, characters, int(known["glove_words"]))
