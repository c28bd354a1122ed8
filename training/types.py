"""Row types that all of training shares: examples, corpus facts, parsed sentences, injected edits; and errors."""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from core.network.download import PublishedFile
from core.types import Kind

LEFT, CENTER, RIGHT, NOT_POLITICAL = range(4)

DOWNLOAD_AGAIN = "Download the file again; `evenhand train data list` names its home."
"""What to do about a damaged file."""

_MIB = 2**20


class CorpusError(Exception):
    """A corpus is missing or not in its published layout; the message names the file and what to do."""


class RatingError(Exception):
    """Rating sheets cannot be written or scored; each line of the message says what is wrong and what to do."""


@dataclass(frozen=True, slots=True)
class GoldSpan:
    """Biased words ``text[start:end]`` of an example, offsets in code points.

    ``guide_class`` is the class of the annotation guide (`core.types.GUIDE_CLASSES`), empty where it has no label.
    ``is_clear`` is False for a span that most editors would let pass.
    """

    start: int
    end: int
    kind: Kind
    guide_class: str = ""
    is_clear: bool = True


@dataclass(frozen=True, slots=True)
class Example:
    """One text with the labels of its corpus; None where there is no label.

    ``spans`` empty means that no words are biased. ``bias`` is 0 or 1 (or a probability, from a teacher). ``leaning``
    is 0 left, 1 center, 2 right, 3 not political. ``task`` and ``label`` are those of an auxiliary task with a head of
    its own. ``group`` keeps together in a split what must stay together (a publisher, a pair), ``topic`` is the topic
    of an article. ``spans`` covers ``labelled_ranges`` (None: the whole text); other words have no label.
    ``unmarked_weight`` in [0, 1] is how much an unmarked word counts as neutral: 1 where every biased word is marked,
    less where a corpus names one edit of a sentence and leaves other loaded words alone.
    """

    text: str
    corpus: str
    spans: tuple[GoldSpan, ...] | None = None
    bias: float | None = None
    leaning: int | None = None
    task: str = ""
    label: int = 0
    group: str = ""
    topic: str = ""
    labelled_ranges: tuple[tuple[int, int], ...] | None = None
    unmarked_weight: float = 1.0


@dataclass(frozen=True, slots=True)
class Download:
    """A file at its official home, and its place under the data folder.

    An archive has ``members``: the name of each that is extracted, and its place; the archive itself is not kept.
    ``max_bytes`` caps the download, and what is extracted, where no size is published.
    """

    url: str
    place: str
    members: tuple[tuple[str, str], ...] = ()
    max_bytes: int = 64 * _MIB


@dataclass(frozen=True, slots=True)
class CorpusFacts:
    """The home of a corpus, its licence, and the files that are read, by their place under the data folder.

    ``key`` is its name on the command line. ``manual_steps`` says what a person has to do for files that cannot simply
    be downloaded (empty where every file has a `Download`). ``folder`` may be there instead of the files.
    ``alternatives`` are all names of a file that may have several, the one in ``files`` first.
    """

    key: str
    name: str
    homepage: str
    licence: str
    files: tuple[str, ...]
    downloads: tuple[Download, ...] = ()
    manual_steps: str = ""
    folder: str = ""
    alternatives: tuple[tuple[str, ...], ...] = ()

    def find_name(self, data: Path, name: str) -> str:
        """The name under which a file of ``files`` exists under ``data``; ``name`` itself where there is none."""
        names = next((names for names in self.alternatives if names[0] == name), (name,))
        return next((other for other in names if locate_file(data, other).is_file()), name)


def locate_file(data: Path, relative: str) -> Path:
    """The path of a corpus file: at its place, or unpacked, without its ``.xz``."""
    path = data / relative
    unpacked = path.with_suffix("") if path.suffix == ".xz" else path
    return unpacked if unpacked.is_file() and not path.is_file() else path


def open_file(data: Path, relative: str) -> Path:
    """The path of a corpus file under ``data``; one that is packed with xz may lie there unpacked.

    Raises CorpusError where it is missing or empty.
    """
    path = locate_file(data, relative)
    if not path.is_file():
        raise CorpusError(
            f"{relative} is not in {data}. Put the corpus there in its published layout, "
            "or name another folder with --data or EVENHAND_DATA; `evenhand train data list` names its home."
        )
    if path.stat().st_size == 0:
        raise CorpusError(f"{path} is empty. {DOWNLOAD_AGAIN}")
    return path


def published_files() -> dict[str, PublishedFile]:
    """The published size and checksum of every corpus file, by its place."""
    lines = (Path(__file__).parent / "corpora" / "checksums.tsv").read_text(encoding="utf-8").splitlines()
    rows = (line.split("\t") for line in lines[1:])
    return {place: PublishedFile(sha256, int(size)) for place, sha256, size in rows}


def checksum(path: Path) -> str:
    """SHA-256 of a file, as hexadecimal digits."""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


OnMessage = Callable[[str], None]
"""Called with each line of output for the user."""


def print_to_stderr(line: str) -> None:
    """Print one line on standard error: standard output is for results."""
    print(line, file=sys.stderr)


def require_classes(labels: Iterable[int], names: Sequence[str], *, corpus: str) -> None:
    """Raise CorpusError unless every class, by its number in ``names``, has a row among ``labels``.

    Called before training: a model that saw only one class predicts nothing else.
    """
    found = set(labels)
    missing = [name for number, name in enumerate(names) if number not in found]
    if missing:
        raise CorpusError(
            f"{corpus} has no row that is {' or '.join(missing)}, so it cannot be trained on. "
            "Check that all of its files are there in their published form with `evenhand train data check`."
        )


@dataclass(frozen=True, slots=True)
class Statement:
    """A neutral sentence. ``group`` is its source's id, ``part`` train or dev, ``source`` its corpus."""

    text: str
    group: str
    part: str
    source: str


@dataclass(frozen=True, slots=True)
class Token:
    """One token: Penn tag, dependency label, index of its head, offset in code points, and entity label or empty."""

    text: str
    lemma: str
    tag: str
    dep: str
    head: int
    start: int
    ent: str = ""

    @property
    def end(self) -> int:
        """Offset after the last character."""
        return self.start + len(self.text)

    @property
    def lower(self) -> str:
        """The text in lower case."""
        return self.text.lower()


@dataclass(frozen=True, slots=True)
class Sentence:
    """A text and its tokens in order."""

    text: str
    tokens: tuple[Token, ...]

    def at(self, index: int) -> Token | None:
        """The token at ``index``, or None outside the sentence."""
        return self.tokens[index] if 0 <= index < len(self.tokens) else None

    def tag(self, index: int) -> str:
        """The tag at ``index``, or an empty string outside the sentence."""
        token = self.at(index)
        return token.tag if token else ""

    def word(self, index: int) -> str:
        """The lower-case word at ``index``, or an empty string outside the sentence."""
        token = self.at(index)
        return token.lower if token else ""

    def children(self, index: int, *deps: str) -> list[int]:
        """Indexes of the dependents of ``index`` whose relation is one of ``deps``."""
        return [
            number
            for number, token in enumerate(self.tokens)
            if token.head == index and number != index and token.dep in deps
        ]


@dataclass(frozen=True, slots=True)
class InjectionSite:
    """A place where one of ``options`` makes the sentence biased.

    ``text[start:end]`` is replaced by ``prefix + option + suffix`` (an insertion where start == end); only the
    option itself is marked. ``neighbour`` is the word that the option must suit, or empty; ``strict``: options that
    were not seen before that word are no options.
    """

    start: int
    end: int
    options: Sequence[str]
    family: str
    kind: Kind
    prefix: str = ""
    suffix: str = ""
    neighbour: str = ""
    strict: bool = False

    @classmethod
    def before(cls, token: Token, options: Sequence[str], family: str, kind: Kind) -> InjectionSite:
        """An insertion before ``token``, with a space after it."""
        return cls(token.start, token.start, options, family, kind, suffix=" ")


@dataclass(frozen=True, slots=True)
class InjectedEdit:
    """``biased[start:end] == before``; the neutral sentence has ``after`` there (empty: the words were inserted)."""

    start: int
    end: int
    before: str
    after: str
    kind: Kind
    rule: str


@dataclass(frozen=True, slots=True)
class InjectedPair:
    """A neutral sentence, the biased one made from it, and what was injected, in order."""

    neutral: str
    biased: str
    edits: tuple[InjectedEdit, ...]
    group: str
    part: str
    source: str


BEGIN, INSIDE, OUTSIDE = "B-bias", "I-bias", "O"
"""The tags of the corpus, BIO."""


@dataclass(frozen=True, slots=True)
class TaggedSentence:
    """One sentence of the corpus.

    There is one of ``tags`` (BEGIN, INSIDE or OUTSIDE) for each of ``tokens``. ``biased`` is the sentence's label.
    ``original`` tells the source side of a revision from its target side. ``kinds`` are those of its biased spans,
    each once, or None where they have no label. The two sides of a pair share their ``group``.
    """

    tokens: tuple[str, ...]
    tags: tuple[str, ...]
    biased: bool
    original: bool
    group: str = ""
    kinds: frozenset[Kind] | None = None

    def __len__(self) -> int:
        """The number of its tokens."""
        return len(self.tokens)
