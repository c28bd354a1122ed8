"""The reader: sentences in, what each says of its words, its bias and its leaning out.

Every window of text is one run of the graph. The graph is quantised dynamically, with one scale for a whole
batch, so in a batch the reading of a sentence would depend on its neighbours. Alone it is a function of its
words, and an edited text keeps its other readings. Instead of batches there are threads, each with a
sentence: without padding and without barriers that costs about a fifth of the speed of the best batches.
"""

from __future__ import annotations

import math
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from core.bundles.reader import ReaderBundle, load_reader_bundle
from core.engine.onnx_session import ReaderSession, lower_thread_priority, physical_cores
from core.engine.spans import Span, decode_words, word_probabilities
from core.i18n import tr
from core.text.tokens import WORD, tokenizer_safe, has_letter, pieces, windows
from core.types import LABELS

if TYPE_CHECKING:
    from tokenizers import Encoding

MAX_CACHED = 50_000
MAX_CACHED_EMBEDDINGS = 512
BATCH_SIZE = 16
BATCH_CHARACTERS = 4000
"""Pieces, and their characters, read between two looks at whether the caller still wants them."""

MAX_THREADS = 4
UNIFORM = (1 / 3, 1 / 3, 1 / 3)
_NO_WORDS = np.zeros((0, len(LABELS)), dtype=np.float16)


class Cancelled(Exception):  # noqa: N818
    """The caller asked the work to stop."""


@dataclass(frozen=True, slots=True)
class Reading:
    """One text as the model reads it, calibrated.

    ``spans`` are whole words, sorted and disjoint. ``bias`` is the probability that the text is biased,
    ``leaning`` those of left, center and right given that it is political (they sum to 1), ``political`` that
    it is. ``kinds`` is for each kind how likely the word is of it that is likeliest.
    """

    spans: tuple[Span, ...]
    bias: float
    leaning: tuple[float, float, float]
    political: float
    kinds: tuple[float, float, float] = (0.0, 0.0, 0.0)


@dataclass(frozen=True, slots=True)
class _Piece:
    """The reading of a piece of text; ``bias`` and ``political`` are log-odds, ``tokens`` the weight.

    ``words`` are the label probabilities of its words, float16 [words, 7], for spans at another threshold.
    """

    spans: tuple[Span, ...]
    bias: float
    leaning: tuple[float, float, float]
    political: float
    tokens: int
    words: NDArray[np.float16]


class Reader:
    """A bundle's graph, and the readings it remembers. Safe to use from several threads."""

    def __init__(self, bundle: ReaderBundle, graph: ReaderSession, *, threads: int) -> None:
        self.bundle = bundle
        self._graph = graph
        self._threads = threads
        self._cache: OrderedDict[str, _Piece] = OrderedDict()
        self._meanings: OrderedDict[str, NDArray[np.float32]] = OrderedDict()
        self._lock = threading.Lock()

    @classmethod
    def load(cls, folder: Path | str, *, threads: int | None = None) -> Reader:
        """Check the bundle in ``folder`` and open it. Raises BundleError.

        ``threads`` sentences are read at a time: by default one for each physical core that this process may
        use, at most four.
        """
        bundle = load_reader_bundle(folder)
        return cls(bundle, ReaderSession.open(bundle), threads=threads or min(MAX_THREADS, physical_cores()))

    @cached_property
    def ignores_case(self) -> bool:
        """Whether its tokenizer writes all words in lower case."""
        one, other = self._graph.tokenizer.encode_batch(["Word", "word"])
        return bool(one.ids == other.ids)

    def read(
        self,
        texts: Sequence[str],
        *,
        threshold: float | None = None,
        cancelled: Callable[[], bool] | None = None,
        on_progress: Callable[[float], None] | None = None,
    ) -> list[Reading]:
        """Read ``texts``, one reading each, in order; what was read before comes from the cache.

        Spans are of words that reach ``threshold``, by default the bundle's; another one costs no run of the model.

        A text without a letter is not sent to the model: it has no spans, bias 0 and an even leaning. A text
        longer than the model takes is read in windows that end between words. Its log-odds of bias and of
        being political are the means over its windows weighted by tokens (a maximum would rise with length
        alone), its leaning is the weighted mean of theirs. Raises ReaderError, and Cancelled once
        ``cancelled()`` is true; what was read until then stays in the cache. ``on_progress`` hears how much of the new
        text is read, in [0, 1].
        """
        parts = [[text[start:end] for start, end in pieces(text)] for text in texts]
        wanted = {part for cut in parts for part in cut if has_letter(part)}
        known = self._recall(wanted)
        missing = sorted(wanted - known.keys(), key=lambda part: (-len(part), part))
        left = size = sum(map(len, missing))
        for chunk in _chunks(missing):
            if cancelled is not None and cancelled():
                raise Cancelled
            fresh = dict(zip(chunk, self._read_chunk(chunk), strict=True))
            self._remember(fresh)
            known |= fresh
            left -= sum(map(len, chunk))
            if on_progress is not None:
                on_progress(1 - left / size)
        other = None if threshold == self.bundle.thresholds.span else threshold
        return [_join(cut, known, other) for cut in parts]

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """What each text says, as a direction: float32 [texts, hidden], rows of length 1, to be compared by cosine.

        A long text is the mean of its windows; a text without a letter has a row of zeros. What was read lately
        costs nothing. Raises ReaderError, also where the model has no such output.
        """
        if not self._graph.has_embeddings:
            raise self._graph.error(tr("The model in {folder} cannot compare what texts say. {repair}"))
        rows = [sum((self._meaning(text[a:b]) for a, b in pieces(text)), np.float32(0)) for text in texts]
        width = max((row.size for row in rows), default=0)
        joined = np.stack([np.broadcast_to(row, width) for row in rows]) if rows else np.zeros((0, width))
        lengths = np.linalg.norm(joined, axis=1, keepdims=True)
        return np.asarray(joined / np.where(lengths > 0, lengths, 1), dtype=np.float32)

    def _meaning(self, part: str) -> Any:
        """The sum over the windows of ``part`` of what each says times its tokens: float32 [hidden], or 0."""
        if not has_letter(part):
            return np.float32(0)
        with self._lock:
            known = self._meanings.get(part)
        if known is None:
            self._remember(dict(zip([part], self._read_chunk([part]), strict=True)))
            with self._lock:
                known = self._meanings.get(part)
        return np.float32(0) if known is None else known

    def _recall(self, wanted: set[str]) -> dict[str, _Piece]:
        with self._lock:
            known = {part: self._cache[part] for part in wanted if part in self._cache}
            for part in known:
                self._cache.move_to_end(part)
        return known

    def _remember(self, fresh: dict[str, _Piece]) -> None:
        with self._lock:
            self._cache.update(fresh)
            while len(self._cache) > MAX_CACHED:
                self._cache.popitem(last=False)

    def _read_chunk(self, chunk: Sequence[str]) -> list[_Piece]:
        encodings = self._graph.tokenizer.encode_batch([tokenizer_safe(part) for part in chunk])
        if self._threads == 1 or len(chunk) == 1:
            return [self._read_piece(*pair) for pair in zip(chunk, encodings, strict=True)]
        with ThreadPoolExecutor(
            self._threads, thread_name_prefix="evenhand-reader", initializer=lower_thread_priority
        ) as pool:
            return list(pool.map(self._read_piece, chunk, encodings))

    def _read_piece(self, text: str, encoding: Encoding) -> _Piece:
        """One piece of text, through as many windows as it needs."""
        ids, offsets = encoding.ids, encoding.offsets
        first, last = ids[0], ids[-1]
        scale = self.bundle.calibration
        spans, bias, leaning, political, weights = [], [], [], [], []
        meaning: Any = np.float32(0)
        for start, end in windows(offsets[1:-1], self.bundle.max_tokens - 2):
            said = self._graph.run([first, *ids[start + 1 : end + 1], last])
            spans.append(_softmax(said.spans[1:-1] / scale.spans.temperature))
            bias.append(said.bias / scale.bias.temperature + scale.bias.offset)
            leaning.append(_softmax(said.leaning[:3] / scale.leaning.temperature))
            odds = _logsumexp(said.leaning[:3]) - float(said.leaning[3])
            political.append(odds / scale.political.temperature + scale.political.offset)
            weights.append(end - start)
            meaning = meaning + said.meaning * np.float32(end - start)
        if not weights:
            return _Piece((), -math.inf, UNIFORM, -math.inf, 0, _NO_WORDS)
        if meaning.size > 1:
            with self._lock:
                self._meanings[text] = meaning
                while len(self._meanings) > MAX_CACHED_EMBEDDINGS:
                    self._meanings.popitem(last=False)
        places = [match.span() for match in WORD.finditer(text)]
        words = word_probabilities(np.concatenate(spans), offsets[1:-1], places)
        share = np.array(weights) / sum(weights)
        mean = share @ np.array(leaning)
        return _Piece(
            spans=tuple(decode_words(words, text, threshold=self.bundle.thresholds.span)),
            bias=float(share @ np.array(bias)),
            leaning=(float(mean[0]), float(mean[1]), float(mean[2])),
            political=float(share @ np.array(political)),
            tokens=sum(weights),
            words=words.astype(np.float16),
        )


def _chunks(missing: Sequence[str]) -> Iterator[list[str]]:
    """``missing`` in runs of at most CHUNK pieces with CHUNK_CHARACTERS, or of one piece that is longer."""
    chunk: list[str] = []
    size = 0
    for part in missing:
        if chunk and (len(chunk) == BATCH_SIZE or size + len(part) > BATCH_CHARACTERS):
            yield chunk
            chunk, size = [], 0
        chunk.append(part)
        size += len(part)
    if chunk:
        yield chunk


def _join(parts: Sequence[str], known: dict[str, _Piece], threshold: float | None) -> Reading:
    """The reading of a text from those of its pieces; without ``threshold`` the spans are the bundle's own."""
    start = 0
    spans: list[Span] = []
    read: list[_Piece] = []
    for part in parts:
        if part in known:
            piece = known[part]
            read.append(piece)
            own: Sequence[Span] = piece.spans
            if threshold is not None:
                own = decode_words(piece.words.astype(np.float32), part, threshold=threshold)
            spans += (replace(span, start=span.start + start, end=span.end + start) for span in own)
        start += len(part)
    total = sum(piece.tokens for piece in read)
    if not total:
        return Reading((), 0.0, UNIFORM, 0.0)
    shares = [(piece, piece.tokens / total) for piece in read if piece.tokens]
    left, center, right = (sum(share * piece.leaning[i] for piece, share in shares) for i in range(3))
    return Reading(
        spans=tuple(spans),
        bias=_sigmoid(sum(share * piece.bias for piece, share in shares)),
        leaning=(left, center, right),
        political=_sigmoid(sum(share * piece.political for piece, share in shares)),
        kinds=_kinds([piece for piece, _ in shares]),
    )


def _kinds(read: Sequence[_Piece]) -> tuple[float, float, float]:
    words = np.concatenate([piece.words for piece in read]).astype(np.float32)
    if not len(words):
        return (0.0, 0.0, 0.0)
    framing, epistemological, demographic = (words[:, 1::2] + words[:, 2::2]).max(axis=0).clip(0, 1).tolist()
    return framing, epistemological, demographic


def _softmax(logits: NDArray[np.float32]) -> NDArray[np.float32]:
    powers = np.exp(logits - logits.max(axis=-1, keepdims=True))
    return np.asarray(powers / powers.sum(axis=-1, keepdims=True), dtype=np.float32)


def _logsumexp(logits: NDArray[np.float32]) -> float:
    highest = float(logits.max())
    return highest + math.log(float(np.exp(logits - highest).sum()))


def _sigmoid(odds: float) -> float:
    return 1 / (1 + math.exp(-odds)) if odds >= 0 else math.exp(odds) / (1 + math.exp(odds))
