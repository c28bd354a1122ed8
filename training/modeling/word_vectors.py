"""Word vectors from GloVe files (Pennington et al. 2014): initial embeddings, neighbours, and vectors of tags."""

from __future__ import annotations

import contextlib
import gzip
import lzma
import math
import zlib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from pathlib import Path
from typing import IO, Self, cast

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from training.corpora.files import UnreadableRows
from training.corpora.hate_speech import tokens
from training.loop.training_loop import TrainingError
from training.types import OnMessage, print_to_stderr

DIMENSIONS = 100
"""Dimensions of random vectors, as of the GloVe file that Ma and Hovy (2016) use."""
_HEAD = 100
"""The width of a row is that of most of so many first rows."""


@dataclass(frozen=True, slots=True)
class InitialEmbeddings:
    """``table`` [words, dimensions], and which of the words a file gave their row."""

    table: Tensor
    known: frozenset[str]


def initial_embeddings(
    words: Sequence[str], path: Path | None, *, seed: int, on_message: OnMessage = print_to_stderr
) -> InitialEmbeddings:
    """A vector for each of ``words``; those that ``path`` does not hold are drawn as Ma and Hovy do (section 3.1).

    That is uniformly from [-sqrt(3/d), sqrt(3/d)]. ``path`` is a text file ``word v1 … vd``, plain or packed (.gz,
    .xz), of any d; unreadable rows are left out and reported through ``on_message``. Raises TrainingError where the
    file cannot be opened or not one row can be read.
    """
    found = {} if path is None else read_vectors(path, words, on_message=on_message)
    width = len(next(iter(found.values()))) if found else DIMENSIONS
    most = math.sqrt(3 / width)
    table = torch.empty(len(words), width).uniform_(
        -most, most, generator=torch.Generator().manual_seed(seed)
    )
    for at, word in enumerate(words):
        if word in found:
            table[at] = torch.tensor(found[word])
    return InitialEmbeddings(table, frozenset(found))


def read_vectors(
    path: Path, words: Sequence[str], *, on_message: OnMessage = print_to_stderr
) -> dict[str, list[float]]:
    """The vectors of those of ``words`` that a GloVe text file holds; of two rows of a word the first counts.

    Raises TrainingError as ``initial_embeddings`` does.
    """
    wanted = {word.encode(): word for word in words}
    found: dict[str, list[float]] = {}
    for word, values in _vectors(path, on_message, lambda word: word in wanted and wanted[word] not in found):
        found[wanted[word]] = values
    return found


def read_all_vectors(
    path: Path, *, on_message: OnMessage = print_to_stderr
) -> tuple[tuple[str, ...], NDArray[np.float32]]:
    """Every word of a GloVe text file, in its order, and the vectors [words, dimensions].

    Words that are not UTF-8 are passed over. Raises TrainingError as ``initial_embeddings`` does.
    """
    found: dict[str, NDArray[np.float32]] = {}
    for raw, values in _vectors(path, on_message, lambda _: True):
        with contextlib.suppress(UnicodeDecodeError):
            found.setdefault(raw.decode(), np.array(values, dtype=np.float32))
    table = np.stack(list(found.values())) if found else np.zeros((0, DIMENSIONS), dtype=np.float32)
    return tuple(found), table


def _vectors(
    path: Path, on_message: OnMessage, wanted: Callable[[bytes], bool]
) -> Iterator[tuple[bytes, list[float]]]:
    """The readable rows of the wanted words, in their order; unreadable rows are reported at the end."""
    unread, readable = UnreadableRows(path, on_message), 0
    rows = _rows(path, unread)
    head = list(islice(rows, _HEAD))
    width = _width([fields for _, fields in head])
    for number, (word, *numbers) in chain(head, rows):
        if not numbers or len(numbers) != width:
            unread.add(number, f"a word and {width} numbers expected, {len(numbers)} found after the word")
            continue
        readable += 1
        if not wanted(word):
            continue
        try:
            values = [float(value) for value in numbers]
        except ValueError:
            values = [math.nan]
        if all(map(math.isfinite, values)):
            yield word, values
        else:
            readable -= 1
            unread.add(number, f"a word and {width} numbers expected, not all of them are numbers")
    if not readable:
        raise TrainingError(
            f"{path} contains no word vectors: each line is a word and its numbers, with a space between. "
            "Name a GloVe text file, or none."
        )
    unread.done(readable)


def _rows(path: Path, unread: UnreadableRows) -> Iterator[tuple[int, list[bytes]]]:
    """Numbered rows as fields; without the line of counts that word2vec's files begin with, and without empty ones."""
    number = 0
    try:
        with _opened(path) as stream:
            for number, line in enumerate(stream, start=1):
                fields = line.split()
                counts = number == 1 and len(fields) == 2 and all(field.isdigit() for field in fields)
                if fields and not counts:
                    yield number, fields
    except (EOFError, lzma.LZMAError, zlib.error, gzip.BadGzipFile):
        unread.add(number + 1, "the file is damaged or cut off from here on")
    except OSError as error:
        raise TrainingError(
            f"{path} cannot be opened ({error.strerror or error}). Name a GloVe text file, or none."
        ) from error


def _opened(path: Path) -> IO[bytes]:
    if path.suffix == ".gz":
        return cast(IO[bytes], gzip.open(path))
    return lzma.open(path) if path.suffix == ".xz" else path.open("rb")


def _width(rows: Sequence[Sequence[bytes]]) -> int:
    """How many numbers most rows have."""
    counts = Counter(len(fields) - 1 for fields in rows)
    return max(counts, key=lambda width: (counts[width], width), default=0)


class VectorSpace:
    """``words``, the frequent first as GloVe has them, and their ``table`` [words, dimensions]."""

    def __init__(self, words: Sequence[str], table: NDArray[np.float32]) -> None:
        self.words = tuple(words)
        self.table = table
        self._places = {word: at for at, word in enumerate(self.words)}
        lengths = np.linalg.norm(table, axis=1)
        self._scales = np.divide(1, lengths, out=np.zeros_like(lengths), where=lengths > 0)

    @classmethod
    def read(cls, path: Path, *, on_message: OnMessage = print_to_stderr) -> Self:
        """Every word of a GloVe text file. Raises TrainingError where it cannot be opened, or is none."""
        return cls(*read_all_vectors(path, on_message=on_message))

    def of(self, term: str) -> NDArray[np.float32] | None:
        """The vector of a word; of several words the mean of theirs. None where one has no vector."""
        words = (term,) if term in self._places else tokens(term)
        places = [self._places[word] for word in words if word in self._places]
        if not places or len(places) < len(words):
            return None
        mean: NDArray[np.float32] = self.table[places].mean(axis=0)
        return mean

    def nearest(self, term: str, count: int) -> tuple[str, ...]:
        """The ``count`` other words nearest to a term by cosine, nearest first, ties by the word.

        Only words that ``tokens`` could give are named: no numbers, no punctuation. Empty where the term has no vector.
        """
        vector = self.of(term)
        if vector is None:
            return ()
        near = (self.table @ vector) * self._scales
        named: list[tuple[float, str]] = []
        for most in (4 * count + 16, len(self.words)):
            named = self._named(near, most, term)
            if len(named) >= count:
                break
        return tuple(word for _, word in named[:count])

    def _named(self, near: NDArray[np.float32], most: int, term: str) -> list[tuple[float, str]]:
        places = np.argpartition(-near, most - 1)[:most] if most < len(near) else np.arange(len(near))
        own = {term, *tokens(term)}
        found = ((-float(near[place]), self.words[place]) for place in places)
        return sorted((score, word) for score, word in found if word not in own and _is_word(word))


def _is_word(word: str) -> bool:
    return tokens(word) == (word,) and not any(letter.isdigit() for letter in word)


def check_glove(file: Path | None) -> Path:
    """The GloVe text file that was named. Raises TrainingError where none was, or it is not there."""
    if file is None:
        raise TrainingError(
            "Word vectors are needed. Name a text file of GloVe (6B, 100d) with --glove FILE."
        )
    if not file.is_file():
        raise TrainingError(f"{file} is not there. Name a text file of GloVe with --glove FILE.")
    return file


class Lexicon:
    """Numbers and vectors of the words read so far; a word without a vector has zeros.

    ``tags`` are vectors of tags that replace words, with GloVe's dimensions. A tag without one, such as ``<noun>``, is
    looked up as the word in it.
    """

    def __init__(self, space: VectorSpace, tags: Mapping[str, NDArray[np.float32]]) -> None:
        self._space = space
        self._tags = tags
        self._numbers: dict[str, int] = {}
        self._rows: list[NDArray[np.float32]] = [np.zeros(space.table.shape[1], dtype=np.float32)]
        self._table: NDArray[np.float32] = np.stack(self._rows)

    def number(self, word: str) -> int:
        """The row of a word in ``table``; 0 for a word without a vector."""
        if word not in self._numbers:
            vector = self._tags[word] if word in self._tags else self._space.of(word)
            self._numbers[word] = 0 if vector is None else len(self._rows)
            if vector is not None:
                self._rows.append(np.asarray(vector, dtype=np.float32))
        return self._numbers[word]

    def table(self) -> NDArray[np.float32]:
        """The vectors of the words so far [words, dimensions]."""
        if len(self._table) < len(self._rows):
            self._table = np.stack(self._rows)
        return self._table
