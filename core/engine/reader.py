"""The reader: texts in; spans, bias and political leaning of each out.

Every window of text is one run of the graph. The graph is quantised dynamically with one scale per batch, so in a
batch the reading of a sentence would depend on its neighbours. Run alone, it depends on its words only, and an edited
text keeps its other readings. Instead of batches there are threads with one sentence each; that costs about a fifth of
the speed of the best batches.
"""

from __future__ import annotations

import math
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_EXCEPTION, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from core.bundles.reader import ReaderBundle, load_reader_bundle
from core.engine.cues import Lexicon
from core.engine.onnx_session import (
    ReaderError,
    ReaderSession,
    lower_thread_priority,
    physical_cores,
    run_options,
)
from core.engine.spans import (
    NO_CLASSES,
    Span,
    WordClasses,
    decode_words,
    raise_cue_odds,
    word_classes,
    word_probabilities,
)
from core.failures import failures_as
from core.i18n import tr
from core.text.tokens import WORD, has_letter, split_chunks, windows
from core.types import LABELS

if TYPE_CHECKING:
    from tokenizers import Encoding

MAX_CACHED = 50_000
MAX_CACHED_EMBEDDINGS = 512
BATCH_SIZE = 16
BATCH_CHARACTERS = 4000
"""Chunks, and their characters, that are read between two checks for cancellation."""

MAX_BATCH_S = 120.0
"""A batch takes a second or two; a model that takes longer than this has no end."""

MAX_THREADS = 4
_POLL_S = 0.05
UNIFORM = (1 / 3, 1 / 3, 1 / 3)
_ROUNDING = 0.001
"""More than the rounding of a probability in [0, 1] to float16."""

_NO_WORDS = np.zeros((0, len(LABELS)), dtype=np.float16)


class Cancelled(Exception):  # noqa: N818
    """The caller cancelled the work."""


@dataclass(frozen=True, slots=True)
class Reading:
    """The calibrated reading of one text.

    ``spans`` are whole words, sorted and disjoint. ``bias`` is the probability that the text is biased, ``political``
    that it is political, ``leaning`` those of left, center and right given that it is (they sum to 1). ``kinds`` has
    for each kind the highest probability of any word.
    """

    spans: tuple[Span, ...]
    bias: float
    leaning: tuple[float, float, float]
    political: float
    kinds: tuple[float, float, float] = (0.0, 0.0, 0.0)


@dataclass(frozen=True, slots=True)
class _Chunk:
    """The reading of a chunk of text; ``bias`` and ``political`` are log-odds, ``tokens`` is its weight.

    ``words`` are the label probabilities of its words, float16 [words, 7], for spans at another threshold; ``classes``
    are the class logits of those that any threshold of the bundle marks: a few words in a hundred.
    """

    spans: tuple[Span, ...]
    bias: float
    leaning: tuple[float, float, float]
    political: float
    tokens: int
    words: NDArray[np.float16]
    classes: WordClasses


class Reader:
    """A reader with a cache of its readings. Thread-safe."""

    def __init__(self, bundle: ReaderBundle, session: ReaderSession, *, threads: int) -> None:
        self.bundle = bundle
        self._session = session
        self._threads = threads
        self._cache: OrderedDict[str, _Chunk] = OrderedDict()
        self._embeddings: OrderedDict[str, NDArray[np.float32]] = OrderedDict()
        self._lock = threading.Lock()
        curve = bundle.sensitivity.points if bundle.sensitivity else ()
        self._lowest = min([bundle.thresholds.span, *(point.threshold for point in curve)]) - _ROUNDING

    @classmethod
    def load(cls, folder: Path | str, *, threads: int | None = None) -> Reader:
        """Check the bundle in ``folder`` and open it. Raises BundleError.

        ``threads`` sentences are read at a time; by default one for each physical core that this process may use, at
        most `MAX_THREADS`.
        """
        bundle = load_reader_bundle(folder)
        return cls(bundle, ReaderSession.open(bundle), threads=threads or min(MAX_THREADS, physical_cores()))

    @cached_property
    def _lexicon(self) -> Lexicon:
        return Lexicon.load()

    @property
    def predicts_classes(self) -> bool:
        """Whether its spans have a guide class."""
        return self._session.has_classes

    @cached_property
    def ignores_case(self) -> bool:
        """Whether its tokenizer lower-cases all words."""
        one, other = self._session.tokenizer.encode_batch(["Word", "word"])
        return bool(one.ids == other.ids)

    def read(
        self,
        texts: Sequence[str],
        *,
        threshold: float | None = None,
        cancelled: Callable[[], bool] | None = None,
        on_progress: Callable[[float], None] | None = None,
    ) -> list[Reading]:
        """The readings of ``texts``, in order; texts read before come from the cache.

        Spans are of words that reach ``threshold``, by default the bundle's; another threshold needs no new run of the
        model. (At one below all of the bundle's, a span of which no word reaches those has no guide class.) A text
        without a letter has no spans, bias 0 and a uniform leaning. A text longer than the model takes is read in
        windows that end between words: its log-odds of bias and of being political are means over the windows, weighted
        by tokens (a maximum would rise with length alone), and so is its leaning.

        ``on_progress`` is called with the share of new text that is read, in [0, 1]. Raises ReaderError, and Cancelled
        once ``cancelled()`` is true; what was read until then stays in the cache.
        """
        chunks = [[text[start:end] for start, end in split_chunks(text)] for text in texts]
        wanted = {chunk for cut in chunks for chunk in cut if has_letter(chunk)}
        known = self._recall(wanted)
        missing = sorted(wanted - known.keys(), key=lambda chunk: (-len(chunk), chunk))
        left = size = sum(map(len, missing))
        for batch in _batches(missing):
            if cancelled is not None and cancelled():
                raise Cancelled
            fresh = dict(zip(batch, self._read_batch(batch, cancelled), strict=True))
            self._remember(fresh)
            known |= fresh
            left -= sum(map(len, batch))
            if on_progress is not None:
                on_progress(1 - left / size)
        other = None if threshold == self.bundle.thresholds.span else threshold
        margin = self.bundle.thresholds.demographic_margin
        return [_join(cut, known, other, margin) for cut in chunks]

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Embeddings of the texts: float32 [texts, hidden], rows of length 1, to be compared by their dot product.

        A long text is the mean of its windows; a text without a letter has a row of zeros. Recent texts are cached.
        Raises ReaderError, also where the model has no embedding output.
        """
        if not self._session.has_embeddings:
            raise self._session.error(tr("The model in {folder} cannot compare what texts say. {repair}"))
        rows = [
            sum((self._summed_embedding(text[a:b]) for a, b in split_chunks(text)), np.float32(0))
            for text in texts
        ]
        width = max((row.size for row in rows), default=0)
        joined = np.stack([np.broadcast_to(row, width) for row in rows]) if rows else np.zeros((0, width))
        lengths = np.linalg.norm(joined, axis=1, keepdims=True)
        return np.asarray(joined / np.where(lengths > 0, lengths, 1), dtype=np.float32)

    def _summed_embedding(self, chunk: str) -> Any:
        """The sum over the windows of ``chunk`` of embedding times number of tokens: float32 [hidden], or 0."""
        if not has_letter(chunk):
            return np.float32(0)
        with self._lock:
            known = self._embeddings.get(chunk)
        if known is None:
            self._remember(dict(zip([chunk], self._read_batch([chunk]), strict=True)))
            with self._lock:
                known = self._embeddings.get(chunk)
        return np.float32(0) if known is None else known

    def _recall(self, wanted: set[str]) -> dict[str, _Chunk]:
        with self._lock:
            known = {chunk: self._cache[chunk] for chunk in wanted if chunk in self._cache}
            for chunk in known:
                self._cache.move_to_end(chunk)
        return known

    def _remember(self, fresh: dict[str, _Chunk]) -> None:
        with self._lock:
            self._cache.update(fresh)
            while len(self._cache) > MAX_CACHED:
                self._cache.popitem(last=False)

    def _read_batch(self, batch: Sequence[str], cancelled: Callable[[], bool] | None = None) -> list[_Chunk]:
        """Read chunks side by side. The calling thread only waits, so that Ctrl+C and ``cancelled`` end the runs."""
        encodings = self._session.encode(batch)
        options = run_options()
        threads = min(self._threads, len(batch))
        pool = ThreadPoolExecutor(
            threads,
            thread_name_prefix="evenhand-reader",
            initializer=lower_thread_priority if threads > 1 else None,
        )
        message = tr("The model in {folder} cannot read this text. {repair}")
        try:
            with failures_as(lambda: self._session.error(message), ReaderError, Cancelled):
                pairs = zip(batch, encodings, strict=True)
                futures = [pool.submit(self._read_text, text, encoding, options) for text, encoding in pairs]
                self._wait(futures, cancelled)
                return [future.result() for future in futures]
        finally:
            options.terminate = True
            pool.shutdown(cancel_futures=True)

    def _wait(self, futures: Sequence[Future[_Chunk]], cancelled: Callable[[], bool] | None) -> None:
        """Wait until all are done or one has failed. Raises Cancelled, and ReaderError for a model without an end."""
        end = time.monotonic() + MAX_BATCH_S
        while True:
            done, running = wait(futures, _POLL_S, FIRST_EXCEPTION)
            if not running or any(future.exception() is not None for future in done):
                return
            if cancelled is not None and cancelled():
                raise Cancelled
            if time.monotonic() > end:
                message = tr("The model in {folder} takes too long to read a text. {repair}")
                raise self._session.error(message)

    def _read_text(self, text: str, encoding: Encoding, options: Any) -> _Chunk:
        """Read one chunk of text, in as many windows as it needs."""
        ids, offsets = encoding.ids, encoding.offsets
        first, last = ids[0], ids[-1]
        scale = self.bundle.calibration
        spans, bias, leaning, political, weights, classes = [], [], [], [], [], []
        embedding: Any = np.float32(0)
        for start, end in windows(offsets[1:-1], self.bundle.max_tokens - 2):
            output = self._session.run([first, *ids[start + 1 : end + 1], last], options)
            spans.append(_softmax(output.spans[1:-1] / scale.spans.temperature))
            bias.append(output.bias / scale.bias.temperature + scale.bias.offset)
            leaning.append(_softmax(output.leaning[:3] / scale.leaning.temperature))
            odds = _logsumexp(output.leaning[:3]) - float(output.leaning[3])
            political.append(odds / scale.political.temperature + scale.political.offset)
            weights.append(end - start)
            if self.predicts_classes:
                classes.append(output.classes[1:-1])
            embedding = embedding + output.meaning * np.float32(end - start)
        if not weights:
            return _Chunk((), -math.inf, UNIFORM, -math.inf, 0, _NO_WORDS, NO_CLASSES)
        if embedding.size > 1:
            with self._lock:
                self._embeddings[text] = embedding
                while len(self._embeddings) > MAX_CACHED_EMBEDDINGS:
                    self._embeddings.popitem(last=False)
        places = [match.span() for match in WORD.finditer(text)]
        words = word_probabilities(np.concatenate(spans), offsets[1:-1], places)
        if scale.cue_offset:
            words = raise_cue_odds(words, self._lexicon.cue_words(text), scale.cue_offset)
        marked = 1.0 - words[:, 0] >= self._lowest
        named = (
            word_classes(np.concatenate(classes), offsets[1:-1], places, marked) if classes else NO_CLASSES
        )
        share = np.array(weights) / sum(weights)
        mean = share @ np.array(leaning)
        return _Chunk(
            spans=tuple(
                decode_words(
                    words,
                    text,
                    threshold=self.bundle.thresholds.span,
                    demographic_margin=self.bundle.thresholds.demographic_margin,
                    classes=named,
                )
            ),
            bias=float(share @ np.array(bias)),
            leaning=(float(mean[0]), float(mean[1]), float(mean[2])),
            political=float(share @ np.array(political)),
            tokens=sum(weights),
            words=words.astype(np.float16),
            classes=named,
        )


def _batches(missing: Sequence[str]) -> Iterator[list[str]]:
    """``missing`` in batches of at most BATCH_SIZE chunks and BATCH_CHARACTERS, or of one longer chunk."""
    batch: list[str] = []
    size = 0
    for chunk in missing:
        if batch and (len(batch) == BATCH_SIZE or size + len(chunk) > BATCH_CHARACTERS):
            yield batch
            batch, size = [], 0
        batch.append(chunk)
        size += len(chunk)
    if batch:
        yield batch


def _join(
    chunks: Sequence[str], known: dict[str, _Chunk], threshold: float | None, demographic_margin: float
) -> Reading:
    """The reading of a text from those of its chunks; without ``threshold`` the spans are the bundle's own."""
    start = 0
    spans: list[Span] = []
    read: list[_Chunk] = []
    for chunk in chunks:
        if chunk in known:
            part = known[chunk]
            read.append(part)
            own: Sequence[Span] = part.spans
            if threshold is not None:
                words = part.words.astype(np.float32)
                own = decode_words(
                    words,
                    chunk,
                    threshold=threshold,
                    demographic_margin=demographic_margin,
                    classes=part.classes,
                )
            spans += (replace(span, start=span.start + start, end=span.end + start) for span in own)
        start += len(chunk)
    total = sum(part.tokens for part in read)
    if not total:
        return Reading((), 0.0, UNIFORM, 0.0)
    shares = [(part, part.tokens / total) for part in read if part.tokens]
    left, center, right = (sum(share * part.leaning[i] for part, share in shares) for i in range(3))
    return Reading(
        spans=tuple(spans),
        bias=_sigmoid(sum(share * part.bias for part, share in shares)),
        leaning=(left, center, right),
        political=_sigmoid(sum(share * part.political for part, share in shares)),
        kinds=_kinds([part for part, _ in shares]),
    )


def _kinds(read: Sequence[_Chunk]) -> tuple[float, float, float]:
    words = np.concatenate([part.words for part in read]).astype(np.float32)
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
