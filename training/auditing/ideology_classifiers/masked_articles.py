"""Articles with masked publishers, a TF-IDF classifier of their ideology, and its cross-validation.

Liu et al. (2021), section 5.1: the first 100 tokens, without names of outlets and without punctuation other than
``,.?!``, so that the outlet does not give the label away. Their XLNet is evaluated on a random split, which shares
outlets with the training data; here publisher-grouped folds are evaluated as well.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Self

import numpy as np
from numpy.typing import NDArray
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedGroupKFold, StratifiedKFold
from sklearn.pipeline import Pipeline, make_pipeline

from training.auditing.generation.prompts import IdeologyClassifier
from training.corpora.allsides import Article, publisher_of
from training.metrics import macro_f1
from training.types import LEFT, RIGHT, CorpusError, require_classes

MAX_WORDS = 100
FOLDS = 5
PAPER_OUTLETS = tuple(
    (
        "CNN, NYT, New York Times, PBS, NPR, NBC, Fox News, FoxNews, Rush Limbaugh Show, Rush Limbaugh, ABC, "
        "CBS, Breitbart News, WSJ, Huffington Post"
    ).split(", ")
)
"""The ten outlets of Liu et al. (2021), section 5.1, footnote 8, with other spellings, and two more."""

_SIDES = ("conservative", "liberal")
_TOKEN = re.compile(r"\w+(?:['’]\w+)*|[,.?!]")
_DATELINE = re.compile(
    r"""^\W*(?:
        [A-Z][A-Z.,'’ ]{2,40} (?:[A-Z][a-z]+\.?,?[ ]?){0,2} (?:\([^)]{0,30}\))?  # NEW YORK, Conn. (AP)
        | (?:[A-Z][\w.,'’]*[ ]?){1,5} \([^)]{0,30}\)                              # Washington (CNN)
        | \([^)]{0,30}\)                                                         # (CNN)
    ) \s* (?:--|[—–]|-(?=\s)) \s*""",
    re.VERBOSE,
)
_ADDRESS = re.compile(
    r"(?:\bthe\s+)?(?:https?://\S+|(?<!\w)[\w-]+(?:\.[\w-]+)*\.(?:com|org|net|gov|edu|co\.uk)\b(?:/\S*)?)(?:['’]s)?",
    re.IGNORECASE,
)
_SECTION = re.compile(r"\s*(?:\(.*\)|- .*|\b(?:(?:Online |Web )?News|Online|Opinion|Editorial))\s*$")
"""What lists of outlets append to a name: *(Online News)*, *- Editorial*, the *News* of *Fox News*."""
_MAX_FEATURES = 200_000
_MAX_CHARACTERS = 40 * MAX_WORDS
"""Characters that are read: enough for 100 tokens after masking."""


@dataclass(frozen=True, slots=True)
class LabelledArticle:
    """One article with its label; ``publisher`` is shared by the sections of an outlet."""

    text: str
    liberal: bool
    publisher: str


def label_articles(articles: Iterable[Article]) -> list[LabelledArticle]:
    """The articles of the left (liberal) and of the right (conservative), without those of the center.

    Raises CorpusError if one side is missing.
    """
    found = [
        LabelledArticle(" ".join(article.sentences), article.leaning == LEFT, publisher_of(article.outlet))
        for article in articles
        if article.leaning in (LEFT, RIGHT)
    ]
    require_classes([int(row.liberal) for row in found], _SIDES, corpus="The collection of articles")
    return found


class PublisherMasks:
    """Removes names of outlets, in any case, web addresses and datelines.

    A name that is also a word (*Slate*, *Nation*) is removed everywhere: losing one word costs little.
    """

    def __init__(self, outlets: Iterable[str]) -> None:
        self._names: defaultdict[str, set[tuple[str, ...]]] = defaultdict(set)
        for form in {form for name in (*outlets, *PAPER_OUTLETS) for form in _name_forms(name)}:
            self._names[form[0]].add(form)

    def tokens(self, text: str) -> tuple[str, ...]:
        """The first 100 words and marks ``,.?!`` of a masked text, in lower case."""
        return self.segments(text, most=1)[0]

    def segments(self, text: str, *, most: int) -> list[tuple[str, ...]]:
        """At most ``most`` consecutive segments of 100 such tokens; the first may be empty."""
        read = _tokens(_ADDRESS.sub(" ", _DATELINE.sub("", text[: _MAX_CHARACTERS * most])))
        kept: list[str] = []
        at = 0
        while at < len(read) and len(kept) < most * MAX_WORDS:
            taken = self._name(read, at)
            if not taken:
                kept.append(read[at])
            elif kept and kept[-1] == "the":
                kept.pop()
            at += taken or 1
        return [tuple(kept[first : first + MAX_WORDS]) for first in range(0, max(1, len(kept)), MAX_WORDS)]

    def _name(self, read: Sequence[str], at: int) -> int:
        """The number of tokens of the longest name at ``at``, with its ``'s``; 0 without a name."""
        forms = self._names.get(read[at].removesuffix("'s"), ())
        found = max((len(form) for form in forms if _matches(form, read[at : at + len(form)])), default=0)
        return found + (found > 0 and read[at + found : at + found + 1] == ["s"])


def _tokens(text: str) -> list[str]:
    return [match.group().lower().replace("’", "'") for match in _TOKEN.finditer(text)]


def _matches(name: tuple[str, ...], read: Sequence[str]) -> bool:
    return (*read[:-1], read[-1].removesuffix("'s")) == name


def _name_forms(name: str) -> set[tuple[str, ...]]:
    """The spellings of a name as tokens: with and without section, domain and punctuation."""
    short = _SECTION.sub("", _SECTION.sub("", name))
    written = [_tokens(re.sub(r"^The ", "", form)) for form in (name, short, re.sub(r"\.\w+$", "", name))]
    forms = {tuple(form) for form in written} | {tuple(filter(str.isalnum, form)) for form in written}
    return {form for form in forms if len("".join(form)) > 1}


def has_no_word(read: Iterable[Sequence[str]]) -> list[bool]:
    """Which tokenized texts contain no word."""
    return [not any(token.isalnum() for token in tokens) for tokens in read]


class TfidfClassifier:
    """Logistic regression over TF-IDF of words and bigrams: a classifier that trains within seconds on any machine."""

    def __init__(self, masks: PublisherMasks, model: Pipeline) -> None:
        self._masks, self._model = masks, model

    @classmethod
    def fit(cls, train: Sequence[LabelledArticle], *, masks: PublisherMasks, seed: int) -> Self:
        """Train on ``train``, with balanced sides.

        Raises CorpusError if one side is missing, or if no two articles share a word.
        """
        require_classes([int(row.liberal) for row in train], _SIDES, corpus="The classifier's training part")
        model = make_pipeline(
            TfidfVectorizer(analyzer=_features, sublinear_tf=True, min_df=2, max_features=_MAX_FEATURES),
            LogisticRegression(C=10.0, max_iter=1000, class_weight="balanced", random_state=seed),
        )
        read = [masks.tokens(row.text) for row in train]
        if len(set().union(*read)) == sum(len(set(tokens)) for tokens in read):
            raise CorpusError("No two training articles share a word. Use more articles.")
        model.fit(read, [row.liberal for row in train])
        return cls(masks, model)

    def p_liberal(self, texts: Sequence[str]) -> NDArray[np.float64]:
        """p(liberal) [texts]; one half for a text without a word."""
        if not texts:
            return np.zeros(0)
        read = [self._masks.tokens(text) for text in texts]
        found = np.asarray(self._model.predict_proba(read)[:, 1], dtype=np.float64)
        found[has_no_word(read)] = 0.5
        return found


@dataclass(frozen=True, slots=True)
class FoldScores:
    """Macro-F1 on held-out rows: over all of them together, and per fold."""

    macro_f1: float
    folds: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class CrossValidation:
    """Scores on random folds (as in the paper) and on folds that share no publisher with the training data."""

    random: FoldScores
    grouped: FoldScores


def cross_validate(
    labelled: Sequence[LabelledArticle],
    fit: Callable[[Sequence[LabelledArticle]], IdeologyClassifier],
    *,
    seed: int,
    folds: int = FOLDS,
) -> CrossValidation:
    """Train with ``fit`` on all folds but one and evaluate on that one, for each fold; folds are stratified by side.

    Raises CorpusError if a side has fewer rows or publishers than there are folds.
    """
    liberal = np.array([row.liberal for row in labelled])
    publishers = np.array([row.publisher for row in labelled])
    for side, of_side in zip(_SIDES, (~liberal, liberal), strict=True):
        found = len(set(publishers[of_side]))
        if found < folds:
            raise CorpusError(
                f"The {side} articles come from {found} outlets; {folds} publisher-grouped folds need "
                "as many. Use articles of more outlets, or fewer folds."
            )
    random = StratifiedKFold(folds, shuffle=True, random_state=seed).split(publishers, liberal)
    grouped = StratifiedGroupKFold(folds, shuffle=True, random_state=seed).split(
        publishers, liberal, publishers
    )
    return CrossValidation(_score_folds(labelled, fit, random), _score_folds(labelled, fit, grouped))


def _score_folds(
    labelled: Sequence[LabelledArticle],
    fit: Callable[[Sequence[LabelledArticle]], IdeologyClassifier],
    splits: Iterable[tuple[NDArray[np.int64], NDArray[np.int64]]],
) -> FoldScores:
    gold: list[int] = []
    found: list[int] = []
    scores: list[float] = []
    for train, held_out in splits:
        classifier = fit([labelled[at] for at in train])
        read = classifier.p_liberal([labelled[at].text for at in held_out])
        answers = [int(chance > 0.5) for chance in read]
        truth = [int(labelled[at].liberal) for at in held_out]
        scores.append(macro_f1(truth, answers))
        gold += truth
        found += answers
    return FoldScores(macro_f1(gold, found), tuple(scores))


def _features(tokens: Sequence[str]) -> list[str]:
    return [*tokens, *(f"{one} {other}" for one, other in pairwise(tokens))]
