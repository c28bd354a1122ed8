"""Table 7's BiLSTM-CNN-CRF (Ma and Hovy 2016), trained on the biased sources of the manual part.

The network is that of Ma and Hovy, section 2; learning rate and batch size are those of WIKIBIAS (Appendix D.2).
Deviations: AdamW with a constant learning rate, which 1e-3 requires, instead of SGD with a decaying one; and words that
occur once are read as the unknown word half of the time in training, so that the unknown word gets a useful vector.
"""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import cast

import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import save_file
from torch import Tensor, nn

from training.loop.batches import Stream, length_batches
from training.loop.training_loop import TrainingError, TrainingSettings, run_or_load, train
from training.metrics.tags import authors_scores, spans, tags_of
from training.modeling.crf import LinearChainCrf
from training.modeling.word_vectors import initial_embeddings
from training.papers.wikibias.datasets import MANUAL, biased_sources, check_training_parts
from training.papers.wikibias.generators.recurrent import BiEncoder
from training.papers.wikibias.generators.vocabulary import PAD, UNK, Vocabulary
from training.papers.wikibias.types import Corpus, Predictions, TrainingContext
from training.types import BEGIN, INSIDE, OUTSIDE, TaggedSentence

LABELS = (OUTSIDE, BEGIN, INSIDE)
_MAX_WORD_LENGTH = 45
_UNKNOWN_RATE = 0.5
_PREDICT_BATCH_SIZE = 64
_DIGIT = re.compile(r"\d")


@dataclass(frozen=True, slots=True)
class Sizes:
    """Width of a character's vector, filters of the character CNN, LSTM states per direction, dropout (Table 1)."""

    character: int = 30
    filters: int = 30
    hidden: int = 200
    dropout: float = 0.5


@dataclass(frozen=True, slots=True)
class Row:
    """A sentence as indices: words, characters of each word, tags (of LABELS)."""

    words: list[int]
    characters: list[list[int]]
    tags: list[int]

    def __len__(self) -> int:
        """Its words."""
        return len(self.words)


def normalize_word(token: str) -> str:
    """The vocabulary entry of a token: in lower case as in GloVe, digits replaced by 0."""
    return _DIGIT.sub("0", token.lower())


def rows_of(sentences: Sequence[TaggedSentence], words: Vocabulary, characters: Vocabulary) -> list[Row]:
    """The sentences as indices; words are truncated to 45 characters."""
    return [
        Row(
            words.encode([normalize_word(token) for token in sentence.tokens]),
            [characters.encode(token[:_MAX_WORD_LENGTH]) or [UNK] for token in sentence.tokens],
            [LABELS.index(tag) for tag in tags_of(spans(sentence.tags), len(sentence))],
        )
        for sentence in sentences
    ]


class BilstmCnnCrf(nn.Module):
    """A CNN over characters, concatenated with the word's vector; a BiLSTM over both; a CRF over its outputs.

    ``table`` [words, d] are the initial vectors. In training, ``rare`` words (indices) are read as the unknown word
    half of the time.
    """

    def __init__(self, table: Tensor, *, characters: int, rare: Collection[int] = (), sizes: Sizes) -> None:
        super().__init__()
        words, width = table.shape
        self.words = nn.Embedding(words, width, _weight=table.clone())
        self.characters = nn.Embedding(characters, sizes.character, padding_idx=PAD)
        most = math.sqrt(3 / sizes.character)
        nn.init.uniform_(self.characters.weight, -most, most)
        self.characters.weight.data[PAD] = 0.0
        self.filters = nn.Conv1d(sizes.character, sizes.filters, kernel_size=3, padding=1)
        self.encoder = BiEncoder(width + sizes.filters, 2 * sizes.hidden)
        for name, parameter in self.encoder.named_parameters():
            if "weight" in name:
                nn.init.xavier_uniform_(parameter)
            else:
                nn.init.zeros_(parameter)
                if "bias_ih" in name:  # The forget gate starts open.
                    parameter.data[sizes.hidden : 2 * sizes.hidden] = 1.0
        self.answer = nn.Linear(2 * sizes.hidden, len(LABELS))
        self.crf = LinearChainCrf(LABELS)
        self.dropout = nn.Dropout(sizes.dropout)
        self._rare: Tensor
        hidden = torch.zeros(words, dtype=torch.bool)
        hidden[list(rare)] = True
        self.register_buffer("_rare", hidden, persistent=False)

    def forward(self, words: Tensor, characters: Tensor, mask: Tensor) -> Tensor:
        """Scores of LABELS [B, T, 3] for words [B, T], their characters [B, T, C] (PAD after the last), mask [B, T]."""
        if self.training:
            unseen = self._rare[words] & (torch.rand(words.shape, device=words.device) < _UNKNOWN_RATE)
            words = words.masked_fill(unseen, UNK)
        character_vectors = self.dropout(self.characters(characters.flatten(0, 1))).transpose(1, 2)
        shapes = torch.tanh(self.filters(character_vectors)).transpose(1, 2)
        nothing = (characters.flatten(0, 1) == PAD).unsqueeze(-1)
        shape = shapes.masked_fill(nothing, -1.0).amax(1).view(*words.shape, -1)
        states, _, _ = self.encoder(self.dropout(torch.cat([self.words(words), shape], -1)), mask)
        return cast(Tensor, self.answer(self.dropout(states)))

    def loss(self, rows: Sequence[Row]) -> Tensor:
        """Mean negative log-likelihood of the rows' tags."""
        batch = self._batch(rows)
        return self.crf.loss(self(batch.words, batch.characters, batch.mask), batch.tags, batch.mask)

    @torch.no_grad()
    def tags(self, rows: Sequence[Row]) -> list[list[str]]:
        """The best BIO tags of each row. Leaves the model in evaluation mode."""
        self.eval()
        found: list[list[str]] = [[] for _ in rows]
        full = [at for at, row in enumerate(rows) if len(row)]
        for group in length_batches([rows[at] for at in full], _PREDICT_BATCH_SIZE):
            batch = self._batch([rows[full[at]] for at in group])
            scores = self(batch.words, batch.characters, batch.mask)
            for at, path in zip(group, self.crf.decode(scores, batch.mask), strict=True):
                found[full[at]] = [LABELS[label] for label in path]
        return found

    @torch.no_grad()
    def mean_loss(self, rows: Sequence[Row]) -> float:
        """The mean loss of the rows with words. Leaves the model in evaluation mode."""
        self.eval()
        full = [row for row in rows if len(row)]
        groups = length_batches(full, _PREDICT_BATCH_SIZE)
        total = sum(float(self.loss([full[at] for at in group])) * len(group) for group in groups)
        return total / max(1, len(full))

    def _batch(self, rows: Sequence[Row]) -> _Batch:
        width = max(map(len, rows))
        longest = max(len(word) for row in rows for word in row.characters)
        device = self.answer.weight.device
        return _Batch(
            words=torch.tensor([_padded(row.words, width) for row in rows], device=device),
            characters=torch.tensor(
                [_pad_characters(row.characters, width, longest) for row in rows], device=device
            ),
            tags=torch.tensor([_padded(row.tags, width) for row in rows], device=device),
            mask=torch.tensor([[at < len(row) for at in range(width)] for row in rows], device=device),
        )


@dataclass(frozen=True, slots=True)
class _Batch:
    """Words, tags and mask [B, T], characters [B, T, C]."""

    words: Tensor
    characters: Tensor
    tags: Tensor
    mask: Tensor


def _padded(numbers: list[int], width: int) -> list[int]:
    return [*numbers, *[PAD] * (width - len(numbers))]


def _pad_characters(words: list[list[int]], width: int, longest: int) -> list[list[int]]:
    return [_padded(word, longest) for word in [*words, *[[]] * (width - len(words))]]


RATE, SIZE, MAX_GRAD_NORM = 1e-3, 16, 5.0
"""Learning rate and batch size of the paper, chosen from [1e-3, 5e-3, 1e-2] and [10, 16, 32]."""
EPOCH_FACTOR = 10
"""Epochs for one epoch of a pre-trained encoder: 50 in all, as in Ma and Hovy."""
PATIENCE = 10
SPECIAL = len(Vocabulary([]))
_MAX_CHARACTERS = 10**5
_KNOWN = "vocabulary"


@dataclass(slots=True)
class _Tagger:
    """The network and its vocabularies; ``glove_words`` of the words have their vector from GloVe."""

    model: BilstmCnnCrf
    words: Vocabulary
    characters: Vocabulary
    glove_words: int

    def rows(self, sentences: Sequence[TaggedSentence]) -> list[Row]:
        return rows_of(sentences, self.words, self.characters)

    def tags(self, sentences: Sequence[TaggedSentence]) -> list[list[str]]:
        return self.model.tags(self.rows(sentences))


def bilstm_cnn_crf(corpus: Corpus, context: TrainingContext) -> Predictions:
    """Tags of every test sentence. The epoch with the best exact F1 on dev (as the authors count) is kept.

    Facts: ``glove_words`` and ``words`` of its vocabulary, ``dev_exact``. Raises TrainingError where there is nothing
    to learn from or ``context.glove`` is no GloVe file.
    """
    return with_sizes(corpus, context, Sizes())


def with_sizes(corpus: Corpus, context: TrainingContext, sizes: Sizes) -> Predictions:
    """``bilstm_cnn_crf`` with other sizes."""
    context.events.stage = "bilstm"
    tagger = _train_or_load(corpus, context, sizes)
    return Predictions(
        tags=tagger.tags(corpus.test),
        facts={
            "glove_words": tagger.glove_words,
            "words": len(tagger.words),
            "dev_exact": _dev_exact(tagger, corpus),
        },
    )


def _train_or_load(corpus: Corpus, context: TrainingContext, sizes: Sizes) -> _Tagger:
    tagger: list[_Tagger] = []

    def fit(checkpoint: Path) -> None:
        tagger[:] = [_new_tagger(corpus, context, sizes)]
        _fit(tagger[0], corpus, context, checkpoint)

    run_or_load(
        context.folder / f"bilstm-{_digest(context.glove)}.safetensors",
        fit=fit,
        load=lambda path: tagger.append(_load(path, sizes, context.device)),
        save=lambda path: _save(path, tagger[0]),
        events=context.events,
    )
    return tagger[0]


def _new_tagger(corpus: Corpus, context: TrainingContext, sizes: Sizes) -> _Tagger:
    """An untrained tagger for the words of the manual part, and the words of dev and test that GloVe has."""
    counts = Counter(normalize_word(token) for sentence in corpus.manual for token in sentence.tokens)
    others = {
        normalize_word(token) for part in (corpus.dev, corpus.test) for one in part for token in one.tokens
    }
    candidates = [*sorted(counts), *sorted(others.difference(counts))]
    whole = Vocabulary(candidates)
    emit = context.events.emit
    begin = initial_embeddings(
        whole.words, context.glove, seed=context.seed, on_message=lambda message: emit("warning", message)
    )
    words = Vocabulary([word for word in candidates if word in counts or word in begin.known])
    characters = Vocabulary.build(
        (token for sentence in corpus.manual for token in sentence.tokens), size=_MAX_CHARACTERS
    )
    torch.manual_seed(context.seed)
    model = BilstmCnnCrf(
        begin.table[whole.encode(words.words)],
        characters=len(characters),
        rare=words.encode([word for word, count in counts.items() if count == 1]),
        sizes=sizes,
    )
    return _Tagger(model, words, characters, len(begin.known))


def _fit(tagger: _Tagger, corpus: Corpus, context: TrainingContext, checkpoint: Path) -> None:
    check_training_parts(corpus, MANUAL)
    rows = [row for row in tagger.rows(biased_sources(corpus.manual)) if len(row)]
    epoch = -(-len(rows) // SIZE)
    epochs = EPOCH_FACTOR * context.budget.manual_epochs
    context.events.emit(
        "stage", f"BiLSTM-CNN-CRF; {tagger.glove_words} words with a vector from GloVe", steps=epochs * epoch
    )
    model = tagger.model
    train(
        model,
        [Stream("manual", rows, 1.0)],
        TrainingSettings(
            steps=epochs * epoch,
            batch_size=SIZE,
            learning_rate=RATE,
            warmup=0.0,
            final_lr_ratio=1.0,
            weight_decay=0.0,
            max_grad_norm=MAX_GRAD_NORM,
            seed=context.seed,
            eval_every=epoch,
            patience=PATIENCE,
        ),
        loss_fn=lambda _, some: model.loss(some),
        device=context.device,
        events=context.events,
        checkpoint=checkpoint,
        eval_fn=lambda: _dev_score(tagger, corpus),
    )


def _dev_score(tagger: _Tagger, corpus: Corpus) -> float:
    """The exact F1 on dev; until the first correct span the negative loss, which shows progress."""
    return _dev_exact(tagger, corpus) or -tagger.model.mean_loss(tagger.rows(corpus.dev))


def _dev_exact(tagger: _Tagger, corpus: Corpus) -> float:
    exact, _ = authors_scores(corpus.dev, tagger.tags(corpus.dev))
    return exact.f1


def _digest(glove: Path | None) -> str:
    """Identifies the GloVe file in the name of the weights."""
    return f"{glove.name}-{glove.stat().st_size}" if glove is not None and glove.is_file() else "random"


def _save(path: Path, tagger: _Tagger) -> None:
    """Weights and vocabulary in one file."""
    known = {
        "words": tagger.words.words[SPECIAL:],
        "characters": tagger.characters.words[SPECIAL:],
        "glove_words": tagger.glove_words,
    }
    save_file(tagger.model.state_dict(), path, metadata={_KNOWN: json.dumps(known)})


def _load(path: Path, sizes: Sizes, device: torch.device) -> _Tagger:
    try:
        with safe_open(path, framework="pt") as file:
            known = json.loads(file.metadata()[_KNOWN])
            state = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
        words, characters = Vocabulary(known["words"]), Vocabulary(known["characters"])
        model = BilstmCnnCrf(state["words.weight"], characters=len(characters), sizes=sizes)
        model.load_state_dict(state)
    except (OSError, SafetensorError, RuntimeError, ValueError, KeyError, TypeError) as error:
        raise TrainingError(f"{path} is damaged or of another model. Delete it to train again.") from error
    return _Tagger(model.to(device), words, characters, int(known["glove_words"]))
