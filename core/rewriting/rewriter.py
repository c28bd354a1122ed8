"""The rewriter: a sentence and its marked words in, other words for them out.

The model is a BART (Lewis et al. 2020) run by CTranslate2. The encoder reads the wordpieces of the sentence between
``[CLS]`` and ``[SEP]``; the decoder is prompted with the marked words and their neighbours and answers with the new
words, or with one piece that keeps the old ones, or with one that deletes them. Training builds the same prompts.

Answers are the likeliest first wordpieces, each continued by beam search (CTranslate2's *alternatives*). Answers are a
piece or two long, so these are nearly always the n best, and it takes a quarter of the time of a plain beam search,
which reads the prompt piece by piece.
"""

from __future__ import annotations

import math
import re
import threading
from bisect import bisect_left
from collections import OrderedDict
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from core.bundles.ctranslate2_checks import WeightsError, rebuild_model_files
from core.bundles.manifest import REPAIR, BundleError, refused_error
from core.bundles.rewriter import RewriterBundle, bundled_rewriter, load_rewriter_bundle
from core.bundles.tokenizer_checks import open_tokenizer
from core.failures import failures_as
from core.i18n import tr
from core.text.tokens import tokenizer_safe

if TYPE_CHECKING:
    from tokenizers import Tokenizer


TARGET_START = "[unused1]"
"""Precedes the marked words in the prompt."""

TARGET_END = "[unused2]"
"""Follows the marked words in the prompt."""

KEEP = "[unused3]"
"""The answer that the marked words should stay."""

DELETE = "[unused4]"
"""The answer that the marked words should be deleted."""

ANSWER = "[unused5]"
"""The last piece of the prompt, before the answer."""

FIT_QUESTION = "[unused6]"
"""In the place of `ANSWER`: whether the marked words, or nothing in their place, are sound English there."""

FITS, FITS_NOT = "[unused7]", "[unused8]"
"""The answers to `FIT_QUESTION`."""

ACCEPTANCE_QUESTION = "[unused9]"
"""After `ANSWER` and new words: whether an editor would take them for the marked words of this sentence."""

TAKEN, NOT_TAKEN = "[unused10]", "[unused11]"
"""The answers to `ACCEPTANCE_QUESTION`."""

CONTEXT_WORDPIECES = 4
"""Wordpieces of context on either side of the marked words in the prompt."""


def build_prompt(wordpieces: Sequence[str], first: int, last: int, *, end: str = ANSWER) -> list[str]:
    """The prompt of the decoder for the marked ``wordpieces[first:last]``, with their neighbours and the question."""
    left, right = (
        wordpieces[max(0, first - CONTEXT_WORDPIECES) : first],
        wordpieces[last : last + CONTEXT_WORDPIECES],
    )
    return [*left, TARGET_START, *wordpieces[first:last], TARGET_END, *right, end]


def wordpiece_range(offsets: Sequence[tuple[int, int]], start: int, end: int) -> tuple[int, int]:
    """(first, last) of the wordpieces in ``text[start:end]``; where there is none, twice the first after ``start``."""
    found = [at for at, (left, right) in enumerate(offsets) if right > start and left < end]
    if found:
        return found[0], found[-1] + 1
    gap = bisect_left(offsets, start, key=lambda place: place[0])
    return gap, gap


_TO_LEFT = frozenset(",.;:!?)]%")
_TO_RIGHT = frozenset("([$£€#")
_TO_BOTH = frozenset("-/‐‑")
_APOSTROPHES = frozenset("'’")
_ENDINGS = frozenset(("s", "t", "re", "ve", "ll", "d", "m"))
_ELIDED = frozenset(("o", "d", "l"))


def detokenise(wordpieces: Sequence[str]) -> str:
    """The text of wordpieces (``##`` continues a word); case as in the wordpieces.

    Hyphens and apostrophes join words (``long - term``, ``it ' s``); punctuation attaches to its word.
    """
    tokens: list[str] = []
    for piece in wordpieces:
        if piece.startswith("##") and tokens:
            tokens[-1] += piece[2:]
        else:
            tokens.append(piece)
    text = ""
    for at, token in enumerate(tokens):
        before = tokens[at - 1] if at else ""
        text += token if not at or _joined(tokens, at, before=before) else f" {token}"
    return text


def _joined(tokens: Sequence[str], at: int, *, before: str) -> bool:
    """Whether ``tokens[at]`` follows the token before it without a space."""
    token = tokens[at]
    if token in _TO_BOTH or before in _TO_BOTH or token in _TO_LEFT or before in _TO_RIGHT:
        return True
    if token in _APOSTROPHES:
        return before[-1:].isalnum()
    if before in _APOSTROPHES:
        owner = tokens[at - 2] if at > 1 else ""
        return token in _ENDINGS or owner in _ELIDED
    return before in (".", ",") and at > 1 and tokens[at - 2][-1:].isdigit() and token[:1].isdigit()


SPECIAL_TOKENS = ("[CLS]", "[SEP]")
BEAM_SIZE = 5
MAX_ANSWER_WORDPIECES = 12
"""The most wordpieces in an answer."""

MIN_PROBABILITY = 1e-3
"""Answers below this probability are not proposed."""

MAX_CACHED = 2_000
_SPECIAL = re.compile(r"\[[A-Za-z]+\d*\]")


class SentenceTooLong(Exception):  # noqa: N818
    """A sentence has more wordpieces than the model takes."""


class RewriterError(Exception):
    """The model cannot be run. The message says what to do."""


class RewriteRequest(NamedTuple):
    """The words to replace: ``text[start:end]`` of a sentence's prose, in code points."""

    text: str
    start: int
    end: int


class AcceptanceRequest(NamedTuple):
    """``words`` (empty: none) for ``text[start:end]`` of a sentence's prose, in code points."""

    text: str
    start: int
    end: int
    words: str


class Proposal(NamedTuple):
    """Replacement words (empty: delete the old ones), uncased, and their probability."""

    words: str
    probability: float


class Proposals(NamedTuple):
    """The answers for one request, likeliest first in ``items``.

    ``keep`` is the probability that the words should stay. Where that is not among the best answers, it is at most the
    probability of the last of them, which is given instead.
    """

    keep: float
    items: tuple[Proposal, ...]


class _Source(NamedTuple):
    """Wordpieces for the encoder, with special tokens, and for the decoder."""

    sentence: tuple[str, ...]
    prompt: tuple[str, ...]


_NOTHING = _Source((), ())


class Rewriter:
    """A rewriter with a cache of its answers. Thread-safe."""

    def __init__(self, bundle: RewriterBundle, translator: Any, *, tokenizer: Tokenizer) -> None:
        self.bundle = bundle
        self._translator = translator
        self._tokenizer = tokenizer
        self._cache: OrderedDict[tuple[_Source, int], Proposals] = OrderedDict()
        self._lock = threading.Lock()

    @classmethod
    def load(cls, folder: Path | str | None = None) -> Rewriter:
        """Check the bundle in ``folder`` (by default the bundled one), open it and run it once.

        Raises BundleError.
        """
        bundle = load_rewriter_bundle(bundled_rewriter() if folder is None else folder)
        rewriter = cls(bundle, _open_model(bundle), tokenizer=_open_tokenizer(bundle))
        try:
            rewriter.propose([RewriteRequest("a word", 0, 1)], 1)
        except RewriterError as error:
            raise BundleError(str(error)) from error
        return rewriter

    def propose(self, requests: Sequence[RewriteRequest], n: int) -> list[Proposals]:
        """Up to ``n`` proposals for each request, in order, from one run of the model.

        An answer does not depend on the other requests; words without a wordpiece are kept. Raises
        SentenceTooLong if any sentence has more wordpieces than the model takes, and RewriterError.
        """
        message = tr("The tokenizer in {folder} cannot read this text. {repair}")
        with failures_as(lambda: self._error(message), SentenceTooLong):
            sources = [self._source(request) for request in requests]
        known: dict[_Source, Proposals] = {_NOTHING: Proposals(1.0, ())}
        with self._lock:
            known |= {source: self._cache[source, n] for source in sources if (source, n) in self._cache}
        missing = [source for source in dict.fromkeys(sources) if source not in known]
        if missing:
            fresh = dict(zip(missing, self._run(missing, n), strict=True))
            known |= fresh
            with self._lock:
                self._cache.update({(source, n): answer for source, answer in fresh.items()})
                while len(self._cache) > MAX_CACHED:
                    self._cache.popitem(last=False)
        return [known[source] for source in sources]

    def judge_fit(self, requests: Sequence[RewriteRequest]) -> list[float]:
        """The probability of each request's marked words, or of nothing where they are none, being sound English there.

        Raises as ``propose`` does.
        """
        message = tr("The tokenizer in {folder} cannot read this text. {repair}")
        with failures_as(lambda: self._error(message), SentenceTooLong):
            sources = [self._source(request, question=FIT_QUESTION) for request in requests]
        return self._probabilities(sources, FITS)

    def judge_acceptance(self, requests: Sequence[AcceptanceRequest]) -> list[float]:
        """The probability of each request's words being ones that an editor would take for the marked ones.

        Raises as ``propose`` does.
        """
        message = tr("The tokenizer in {folder} cannot read this text. {repair}")
        with failures_as(lambda: self._error(message), SentenceTooLong):
            sources = [self._acceptance_source(request) for request in requests]
        return self._probabilities(sources, TAKEN)

    def _probabilities(self, sources: Sequence[_Source], answer: str) -> list[float]:
        """The probability that each prompt is followed by the piece ``answer``."""
        if not sources:
            return []
        try:
            results = self._translator.score_batch(
                [list(source.sentence) for source in sources],
                [[*source.prompt, answer] for source in sources],
                max_input_length=0,
            )
        except Exception as error:
            raise self._error(tr("The model in {folder} cannot be run. {repair}")) from error
        found = [
            result.log_probs[len(source.prompt)] for result, source in zip(results, sources, strict=True)
        ]
        if not all(map(math.isfinite, found)):
            raise self._error(tr("The model in {folder} gives values that are not finite. {repair}"))
        return [math.exp(min(value, 0.0)) for value in found]

    def _acceptance_source(self, request: AcceptanceRequest) -> _Source:
        """The input for the question whether words may stand for the marked ones."""
        source = self._source(RewriteRequest(*request[:3]))
        words = self._tokenizer.encode(tokenizer_safe(request.words), add_special_tokens=False).tokens
        return _Source(source.sentence, (*source.prompt, *(words or (DELETE,)), ACCEPTANCE_QUESTION))

    def _source(self, request: RewriteRequest, *, question: str = ANSWER) -> _Source:
        """The input of encoder and decoder; empty where words are to be replaced that have no wordpiece."""
        encoding = self._tokenizer.encode(tokenizer_safe(request.text), add_special_tokens=False)
        first, last = wordpiece_range(encoding.offsets, request.start, request.end)
        if first == last and question == ANSWER:
            return _NOTHING
        wordpieces = encoding.tokens
        if len(wordpieces) + len(SPECIAL_TOKENS) > self.bundle.max_tokens:
            raise SentenceTooLong
        return _Source(
            (SPECIAL_TOKENS[0], *wordpieces, SPECIAL_TOKENS[1]),
            tuple(build_prompt(wordpieces, first, last, end=question)),
        )

    def _run(self, sources: Sequence[_Source], n: int) -> list[Proposals]:
        prompts = [list(source.prompt) for source in sources]
        try:
            results = self._translator.translate_batch(
                [list(source.sentence) for source in sources],
                target_prefix=prompts,
                beam_size=max(BEAM_SIZE, n + 1),
                num_hypotheses=n + 1,
                return_alternatives=True,
                length_penalty=0,
                max_input_length=0,
                max_decoding_length=max(map(len, prompts)) + MAX_ANSWER_WORDPIECES,
                return_scores=True,
            )
        except Exception as error:
            raise self._error(tr("The model in {folder} cannot be run. {repair}")) from error
        if not all(math.isfinite(score) for result in results for score in result.scores):
            raise self._error(tr("The model in {folder} gives values that are not finite. {repair}"))
        return [
            _proposals([wordpieces[len(given) :] for wordpieces in result.hypotheses], result.scores, n)
            for result, given in zip(results, prompts, strict=True)
        ]

    def _error(self, message: str) -> RewriterError:
        """The error with this message, its ``{folder}`` and ``{repair}`` filled in."""
        return RewriterError(message.format(folder=self.bundle.folder, repair=REPAIR))


def _proposals(hypotheses: Sequence[Sequence[str]], scores: Sequence[float], n: int) -> Proposals:
    """The proposals in these hypotheses; ``scores`` are their log-probabilities."""
    keep: float | None = None
    found: dict[str, float] = {}
    least = 1.0
    for wordpieces, score in zip(hypotheses, scores, strict=True):
        probability = math.exp(min(score, 0.0))
        least = min(least, probability)
        if list(wordpieces) == [KEEP]:
            keep = probability
        elif list(wordpieces) == [DELETE]:
            found[""] = probability
        elif wordpieces and not any(_SPECIAL.fullmatch(piece) for piece in wordpieces):
            words = detokenise(wordpieces)
            found[words] = found.get(words, 0.0) + probability
    likely = [item for item in found.items() if item[1] >= MIN_PROBABILITY]
    best = sorted(likely, key=lambda item: -item[1])[:n]
    return Proposals(least if keep is None else keep, tuple(Proposal(*item) for item in best))


def _open_model(bundle: RewriterBundle) -> Any:
    import ctranslate2

    try:
        required = {*SPECIAL_TOKENS, TARGET_START, TARGET_END, ANSWER, KEEP, DELETE}
        files = rebuild_model_files(bundle.folder, required)
        # Given as bytes, so that no other file of the folder is looked for.
        return ctranslate2.Translator(
            str(bundle.folder),
            device="cpu",
            compute_type="int8",
            inter_threads=1,
            intra_threads=1,
            files=files,
        )
    except WeightsError as error:
        raise refused_error(bundle.folder, str(error)) from error
    except Exception as error:
        message = tr("The model in {folder} cannot be opened. {repair}")
        raise BundleError(message.format(folder=bundle.folder, repair=REPAIR)) from error


def _open_tokenizer(bundle: RewriterBundle) -> Tokenizer:
    tokenizer = open_tokenizer(bundle)
    tokenizer.encode_special_tokens = True
    return tokenizer
