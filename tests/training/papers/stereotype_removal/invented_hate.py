"""Invented hate speech with a known bias: some words stand in hateful sentences above all, others make them hateful.

Everything that the tables read is here: corpora in their published layout, word vectors, a tagger, a WordNet.
"""

from __future__ import annotations

import csv
import random
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from training.corpora.hate_speech import LabelledText, tokens
from training.modeling.word_vectors import VectorSpace
from training.papers.stereotype_removal.detection import MANUAL
from training.papers.stereotype_removal.replacement import Tag

VILE = ("vile", "rotten", "nasty", "filthy", "stinking", "horrid")
KIND = ("great", "friendly", "gentle", "clever", "honest", "lovely")
STEREOTYPED = ("nerd", "donkey", "gay", "sikh")
PLAIN = ("neighbour", "teacher", "baker", "doctor", "farmer", "pilot")
FRAME = ("the", "is", "a", "and", "so", "was")
CLASSES = ("person", "noun", "adj", "norp", "entity")
ABUSIVE = "stinking"
BATCH_SIZE = 12


def rows(count: int, seed: int) -> list[LabelledText]:
    """Half of them hateful; four in five hateful ones are about a stereotyped word, and one in five of the others."""
    draw, made = random.Random(seed), []
    for number in range(count):
        hateful = number % 2 == 0
        about = draw.choice(STEREOTYPED if (draw.random() < 0.8) == hateful else PLAIN)
        text = (
            f"the {about} is a {draw.choice(VILE if hateful else KIND)} {draw.choice(PLAIN)} and so {number}"
        )
        made.append(LabelledText(text, tokens(text), hateful))
    return made


def vocabulary() -> list[str]:
    """Every word that has a vector."""
    manual = [piece for term in MANUAL for piece in tokens(term)]
    return list(
        dict.fromkeys((*FRAME, *VILE, *KIND, *STEREOTYPED, *PLAIN, *CLASSES, "hug", "murder", *manual))
    )


def space() -> VectorSpace:
    """A vector for each word of ``vocabulary``, always the same."""
    words = vocabulary()
    return VectorSpace(
        words, np.random.default_rng(5).normal(size=(len(words), BATCH_SIZE)).astype(np.float32)
    )


def tagger(asked: Sequence[Sequence[str]]) -> list[tuple[Tag, ...]]:
    """Words of the manual list are names of groups; vile and kind words adjectives; all other words nouns."""
    groups = {piece for term in MANUAL for piece in tokens(term)}

    def tag(word: str) -> Tag:
        return Tag("ADJ" if word in VILE + KIND else "NOUN", "NORP" if word in groups else "")

    return [tuple(tag(word) for word in row) for row in asked]


class WordNet:
    """Any word of the manual list, and a nerd, is a person; a person is an entity."""

    def synsets(self, form: str) -> list[Synset]:
        """The one sense of a word."""
        known = {"person", "nerd", "donkey", *MANUAL}
        return [Synset(form, self.synsets("person") if form != "person" else [])] if form in known else []

    def get_version(self) -> str:
        """That of no WordNet."""
        return "invented"


class Synset:
    """One sense, as nltk has it."""

    def __init__(self, lemma: str, above: list[Synset]) -> None:
        self._lemma, self._parents = lemma, above

    def pos(self) -> str:
        """All are nouns."""
        return "n"

    def lemma_names(self) -> list[str]:
        """The one lemma."""
        return [self._lemma]

    def hypernyms(self) -> list[Synset]:
        """What is above."""
        return self._parents

    def instance_hypernyms(self) -> list[Synset]:
        """Nothing is one of a kind."""
        return []


def make_data(folder: Path, *, count: int = 240) -> Path:
    """Write the corpora in their layouts under ``folder`` and return it."""
    labelled = rows(count, seed=1)
    tweets = [(int(not row.hateful) + 1, row.text) for row in labelled]
    _table(folder / "davidson" / "labeled_data.csv", ("class", "tweet"), tweets)
    comments = [(f"{row.text} person", int(row.hateful)) for row in rows(count, seed=2)]
    _table(folder / "wikipedia_toxicity_partial" / "merged_binary.csv", ("comment_text", "toxic"), comments)
    templates = [
        (f"{word} {term}", label)
        for term in MANUAL
        for word, label in (("hug", "NOT_BAD"), ("murder", "BAD"), ("great", "NOT_BAD"), ("vile", "BAD"))
    ]
    _table(folder / "madlibs" / "bias_madlibs_77k.csv", ("Text", "Label"), templates)
    more = [
        (f"the {word} was a {KIND[at]} {PLAIN[at]}", "False", "train") for at, word in enumerate(STEREOTYPED)
    ]
    _table(
        folder / "madlibs" / "toxicity_debiasing_data.tsv",
        ("comment", "is_toxic", "split"),
        more * 6,
        delimiter="\t",
    )
    (folder / "badwords").mkdir()
    (folder / "badwords" / "en.txt").write_text(f"{ABUSIVE}\n", encoding="utf-8")
    return folder


def make_glove(path: Path) -> Path:
    """Write ``space`` as a GloVe text file."""
    known = space()
    lines = (
        f"{word} {' '.join(f'{value:.4f}' for value in row)}"
        for word, row in zip(known.words, known.table, strict=True)
    )
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def _table(
    path: Path, head: Sequence[str], lines: Sequence[Sequence[object]], *, delimiter: str = ","
) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.writer(stream, delimiter=delimiter)
        writer.writerow(head)
        writer.writerows(lines)
