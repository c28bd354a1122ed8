"""The rewriter: a sentence and its flagged words in, as a prompt; other words for that place out, detokenized."""

from __future__ import annotations

import json
import math
import re
import threading
from collections import OrderedDict
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from core.bundles.manifest import REPAIR, BundleError
from core.bundles.rewriter import MODEL_FILES, RewriterBundle, bundled_rewriter, load_rewriter_bundle
from core.i18n import tr
from core.text.tokens import tokenizer_safe

if TYPE_CHECKING:
    from tokenizers import Tokenizer


# How the rewriter's model is asked: the sentence to the encoder, a prompt with the flagged words to the decoder.
#
# The training room asks in the same way.


TARGET_START = "[unused1]"
"""Stands before the first piece of the flagged words."""

TARGET_END = "[unused2]"
"""Stands after the last piece of the flagged words."""

KEEP = "[unused3]"
"""The answer that the flagged words are well as they are."""

DELETE = "[unused4]"
"""The answer that the flagged words should go and nothing take their place."""

ANSWER = "[unused5]"
"""The last piece of the prompt: what follows is the answer."""

CONTEXT_PIECES = 4
"""Pieces of context that the prompt repeats on either side of the flagged ones."""


def build_prompt(pieces: Sequence[str], first: int, last: int) -> list[str]:
    """What the decoder is given before it answers: ``pieces[first:last]`` are flagged, with their neighbours."""
    left, right = pieces[max(0, first - CONTEXT_PIECES) : first], pieces[last : last + CONTEXT_PIECES]
    return [*left, TARGET_START, *pieces[first:last], TARGET_END, *right, ANSWER]


def piece_range(offsets: Sequence[tuple[int, int]], start: int, end: int) -> tuple[int, int]:
    """(first, last) of the pieces that stand for ``text[start:end]``; (0, 0) where there is none."""
    found = [at for at, (left, right) in enumerate(offsets) if right > start and left < end]
    return (found[0], found[-1] + 1) if found else (0, 0)


# From the word pieces that the model writes to words as a person would type them.


_TO_LEFT = frozenset(",.;:!?)]%")
_TO_RIGHT = frozenset("([$£€#")
_TO_BOTH = frozenset("-/‐‑")
_APOSTROPHES = frozenset("'’")
_ENDINGS = frozenset(("s", "t", "re", "ve", "ll", "d", "m"))
_ELIDED = frozenset(("o", "d", "l"))


def detokenise(pieces: Sequence[str]) -> str:
    """The words that ``pieces`` (WordPiece, ``##`` goes on with a word) spell; case as in the pieces.

    Hyphens and apostrophes join (``long - term``, ``it ' s``), marks stand at the words that they belong to.
    """
    tokens: list[str] = []
    for piece in pieces:
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
    """Whether ``tokens[at]`` stands right after the token before it."""
    token = tokens[at]
    if token in _TO_BOTH or before in _TO_BOTH or token in _TO_LEFT or before in _TO_RIGHT:
        return True
    if token in _APOSTROPHES:
        return before[-1:].isalnum()
    if before in _APOSTROPHES:
        owner = tokens[at - 2] if at > 1 else ""
        return token in _ENDINGS or owner in _ELIDED
    return before in (".", ",") and at > 1 and tokens[at - 2][-1:].isdigit() and token[:1].isdigit()


# The rewriter: a sentence and its flagged words in, other words for that place out.
#
# The model is a BART (Lewis et al. 2020) run by CTranslate2. The encoder reads the pieces of the sentence between
# ``[CLS]`` and ``[SEP]``; the decoder is prompted with the flagged words and their neighbours (`core.rewriting.rewriter`)
# and answers with the new words, or with one piece that keeps the old ones, or with one that takes them out.
#
# The answers are the likeliest first pieces, each gone on with by beam search (CTranslate2's *alternatives*): answers are
# a piece or two long, so that these are nearly always the n best, and CTranslate2 then runs over the prompt once, where a
# plain beam search takes it piece by piece and needs four times as long.


SPECIAL_TOKENS = ("[CLS]", "[SEP]")
BEAM_SIZE = 5
MAX_ANSWER_PIECES = 12
"""Pieces of the longest wording."""

MIN_PROBABILITY = 1e-3
"""What the model thinks less likely than this is not proposed."""

MAX_CACHED = 2_000
_SPECIAL = re.compile(r"\[[A-Za-z]+\d*\]")


class SentenceTooLong(Exception):  # noqa: N818
    """A sentence has more pieces than the model takes."""


class RewriterError(Exception):
    """The model could not propose anything. The message says what to do."""


class RewriteRequest(NamedTuple):
    """Words to reword: ``text[start:end]`` of a sentence's prose, in code points."""

    text: str
    start: int
    end: int


class Proposal(NamedTuple):
    """Words for a place (empty: take the old ones out), uncased, and how likely the model thinks them."""

    words: str
    probability: float


class Proposals(NamedTuple):
    """What the model says of one place.

    ``keep`` is the probability that the words are best left alone; where that is not among the best answers, it
    is at most that of the last of them, which stands for it. ``items`` are the other answers, likeliest first.
    """

    keep: float
    items: tuple[Proposal, ...]


class _Source(NamedTuple):
    """Pieces for the encoder, framed, and for the decoder."""

    sentence: tuple[str, ...]
    prompt: tuple[str, ...]


_NOTHING = _Source((), ())


class Rewriter:
    """A bundle's model and tokenizer, and the answers it remembers. Safe to use from several threads."""

    def __init__(self, bundle: RewriterBundle, translator: Any, *, tokenizer: Tokenizer) -> None:
        self.bundle = bundle
        self._translator = translator
        self._tokenizer = tokenizer
        self._cache: OrderedDict[tuple[_Source, int], Proposals] = OrderedDict()
        self._lock = threading.Lock()

    @classmethod
    def load(cls, folder: Path | str | None = None) -> Rewriter:
        """Check the bundle in ``folder`` (by default the bundled one), open it and run it once to warm it.

        Raises BundleError.
        """
        bundle = load_rewriter_bundle(bundled_rewriter() if folder is None else folder)
        rewriter = cls(bundle, _open_model(bundle), tokenizer=_open_tokenizer(bundle))
        try:
            rewriter.propose([RewriteRequest("a word", 0, 1)], 1)
        except RewriterError as error:
            raise BundleError(str(error)) from error
        return rewriter

    def propose(self, asks: Sequence[RewriteRequest], n: int) -> list[Proposals]:
        """Up to ``n`` wordings for each of ``asks``, in order, from one run of the model.

        An answer does not depend on what else is asked; words that the tokenizer does not see are kept. Raises
        TooLong if any sentence has more pieces than the model takes, and RewriterError.
        """
        sources = [self._source(ask) for ask in asks]
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

    def _source(self, ask: RewriteRequest) -> _Source:
        """What encoder and decoder are given; nothing where the flagged words have no piece."""
        encoding = self._tokenizer.encode(tokenizer_safe(ask.text), add_special_tokens=False)
        first, last = piece_range(encoding.offsets, ask.start, ask.end)
        if first == last:
            return _NOTHING
        pieces = encoding.tokens
        if len(pieces) + len(SPECIAL_TOKENS) > self.bundle.max_tokens:
            raise SentenceTooLong
        return _Source(
            (SPECIAL_TOKENS[0], *pieces, SPECIAL_TOKENS[1]), tuple(build_prompt(pieces, first, last))
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
                max_decoding_length=max(map(len, prompts)) + MAX_ANSWER_PIECES,
                return_scores=True,
            )
        except (RuntimeError, ValueError) as error:
            message = tr("The model in {folder} cannot be run. {repair}")
            raise RewriterError(message.format(folder=self.bundle.folder, repair=REPAIR)) from error
        return [
            _proposals([pieces[len(given) :] for pieces in result.hypotheses], result.scores, n)
            for result, given in zip(results, prompts, strict=True)
        ]


def _proposals(hypotheses: Sequence[Sequence[str]], scores: Sequence[float], n: int) -> Proposals:
    """What the hypotheses say; ``scores`` are their log-probabilities."""
    keep: float | None = None
    found: dict[str, float] = {}
    least = 1.0
    for pieces, score in zip(hypotheses, scores, strict=True):
        probability = math.exp(min(score, 0.0))
        least = min(least, probability)
        if list(pieces) == [KEEP]:
            keep = probability
        elif list(pieces) == [DELETE]:
            found[""] = probability
        elif pieces and not any(_SPECIAL.fullmatch(piece) for piece in pieces):
            words = detokenise(pieces)
            found[words] = found.get(words, 0.0) + probability
    likely = [item for item in found.items() if item[1] >= MIN_PROBABILITY]
    best = sorted(likely, key=lambda item: -item[1])[:n]
    return Proposals(least if keep is None else keep, tuple(Proposal(*item) for item in best))


def _open_model(bundle: RewriterBundle) -> Any:
    import ctranslate2

    try:
        vocabulary = set(json.loads((bundle.folder / MODEL_FILES[2]).read_bytes()))
        if lacking := sorted({*SPECIAL_TOKENS, TARGET_START, TARGET_END, ANSWER, KEEP, DELETE} - vocabulary):
            unfit = tr("The model in {folder} is no rewriter: it does not know {lacking}. {repair}")
            raise BundleError(unfit.format(folder=bundle.folder, lacking=", ".join(lacking), repair=REPAIR))
        return ctranslate2.Translator(
            str(bundle.folder), device="cpu", compute_type="int8", inter_threads=1, intra_threads=1
        )
    except (OSError, RuntimeError, ValueError, TypeError) as error:
        message = tr("The model in {folder} cannot be opened. {repair}")
        raise BundleError(message.format(folder=bundle.folder, repair=REPAIR)) from error


def _open_tokenizer(bundle: RewriterBundle) -> Tokenizer:
    from tokenizers import Tokenizer

    try:
        tokenizer = Tokenizer.from_file(str(bundle.tokenizer))
        tokenizer.no_truncation()
        tokenizer.no_padding()
        tokenizer.encode_special_tokens = True
    except Exception as error:
        message = tr("The tokenizer in {folder} cannot be read. {repair}")
        raise BundleError(message.format(folder=bundle.folder, repair=REPAIR)) from error
    return tokenizer
