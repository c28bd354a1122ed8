"""A user's own data: sentence pairs before and after a revision, and the corrections made in the editor.

Pairs come one a line, the sentence before, a tab, and the sentence after. The words that were changed or deleted are
spans (``training.text.revision_spans``) of the kind that ``KindFinder`` gives them; the sentence before is biased,
the one after is neutral. A sentence that was changed a second time was not neutral after the first: it counts as
biased, and of its first form only the changed words are labelled.

Of corrections (``core.corrections.corpus``), words whose rewrite was *accepted* are a span of their kind in a biased
sentence, and the sentence that resulted is neutral. Words that were *rejected* as a finding are neutral; the other
words of their sentence, and the sentence as a whole, have no label. Words both accepted and rejected are left out.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from core.corrections import Correction, Verdict
from core.corrections.corpus import CorpusFormatError, parse_lines
from core.engine.cues import Lexicon
from core.text.tokens import tokenizer_safe
from training.corpora.files import UnreadableRows
from training.corpora.wikipedia import SentencePair
from training.text.edits import KindFinder, WordEdit
from training.text.near_duplicates import NearDuplicateIndex
from training.text.revision_spans import RevisionState, char_edits, diff_revision
from training.text.tagged_pairs import label_revisions, tag_sides, tokenize
from training.types import (
    CorpusError,
    CorpusFacts,
    Example,
    GoldSpan,
    OnMessage,
    TaggedSentence,
    print_to_stderr,
)

WHY = {
    RevisionState.SAME: "nothing changed; both sides are the same words",
    RevisionState.REWRITTEN: "everything changed (more than 60% of the words); expected an edited sentence, not "
    "another one",
}
"""What is wrong with a pair that gives no sentences."""

_HEADS = frozenset({"before", "after", "biased", "neutral", "source", "target", "original"})
_COLUMNS = 2


@dataclass(frozen=True, slots=True)
class UserPair:
    """Both sides, and the number of their line."""

    number: int
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class TaggedPairs:
    """The sentences of pairs, both sides together, the number of spans in them, and the pairs that gave none."""

    sentences: tuple[TaggedSentence, ...]
    spans: int
    unusable: tuple[tuple[UserPair, RevisionState], ...]


def read_pairs(path: Path) -> tuple[list[UserPair], list[tuple[int, str]]]:
    """The pairs of a tab-separated UTF-8 file, with or without a header, and what is wrong with which other line.

    Empty lines are passed over. Raises CorpusError where there is no such file.
    """
    if not path.is_file():
        raise CorpusError(f"{path} is not there. Name a file of pairs, one a line: before, tab, after.")
    pairs: list[UserPair] = []
    wrong: list[tuple[int, str]] = []
    for number, raw in enumerate(path.read_bytes().split(b"\n"), start=1):
        try:
            line = raw.decode("utf-8-sig" if number == 1 else "utf-8").rstrip("\r")
        except UnicodeDecodeError as error:
            wrong.append(
                (number, f"byte 0x{error.object[error.start]:02x} is not UTF-8; expected text in UTF-8")
            )
            continue
        cells = [cell.strip() for cell in line.split("\t")]
        if not any(cells) or (number == 1 and _HEADS.issuperset(cell.lower() for cell in cells)):
            continue
        if len(cells) != _COLUMNS:
            wrong.append((number, f"not two columns but {len(cells)}; expected: before, tab, after"))
        elif not all(tokenize(cell) for cell in cells):
            side = "before" if not tokenize(cells[0]) else "after"
            wrong.append((number, f"the side {side} is empty; expected a sentence on both sides of the tab"))
        elif "\0" in line:
            wrong.append((number, "holds zero bytes; expected text in UTF-8"))
        else:
            pairs.append(UserPair(number, *cells))
    return pairs, wrong


def tag_pairs(pairs: Sequence[UserPair], nlp: Any) -> TaggedPairs:
    """Both sides of each usable pair, tagged by the heuristic; ``nlp`` as in ``label_revisions``."""
    kinds = KindFinder(Lexicon.load())
    sentences = [(tokenize(pair.before), tokenize(pair.after)) for pair in pairs]
    made: list[TaggedSentence] = []
    unusable: list[tuple[UserPair, RevisionState]] = []
    spans = 0
    found = label_revisions(sentences, nlp)
    for pair, (before, after), revision in zip(pairs, sentences, found, strict=True):
        if revision.state in WHY:
            unusable.append((pair, revision.state))
            continue
        spans += len(revision.spans)
        made += tag_sides(before, after, revision, group=f"own-{pair.number}", kinds=kinds)
    return TaggedPairs(tuple(made), spans, tuple(unusable))


PAIRS_NAME = "pairs"
PAIRS_FACTS = CorpusFacts(
    key=PAIRS_NAME,
    name="Own pairs",
    homepage="a file of the person's own, sentences before and after",
    licence="the person's own text",
    files=(),
)

_EXPECTED = "the sentence before, a tab, the sentence after, with some words changed and some kept"
_LONGEST = 2000


@dataclass(frozen=True, slots=True)
class RevisedSentence:
    """A pair, the number of its line, and its edits (at least one; offsets into ``before``)."""

    line: int
    before: str
    after: str
    edits: tuple[WordEdit, ...]


def read_revised(path: Path, on_message: OnMessage = print_to_stderr) -> list[RevisedSentence]:
    """The pairs of a file, each once. Lines without an edit to learn from are left out and reported by number.

    Raises CorpusError where the file cannot be read or holds no pair to learn from.
    """
    try:
        pairs, wrong = read_pairs(path)
    except OSError as error:
        raise CorpusError(
            f"{path} cannot be read: {error.strerror or error}. Name a file of your own pairs."
        ) from error
    found: dict[tuple[str, str], RevisedSentence] = {}
    for pair in pairs:
        before, after = tokenizer_safe(pair.before), tokenizer_safe(pair.after)
        if max(len(before), len(after)) > _LONGEST:
            wrong.append((pair.number, f"longer than {_LONGEST:,} characters; expected one sentence a side"))
        elif edits := char_edits(before, after):
            found.setdefault((before, after), RevisedSentence(pair.number, before, after, edits))
        else:
            wrong.append((pair.number, _taught_nothing(before, after)))
    wrong.sort()
    if not found:
        first = "".join(f" (line {number}: {why})" for number, why in wrong[:1])
        raise CorpusError(
            f"{path} contains no pair to learn from{first}. Expected in each line: {_EXPECTED}."
        )
    unread = UnreadableRows(
        path, on_message, what=("line", "lines"), at="line", use="used", expected=_EXPECTED
    )
    for number, why in wrong:
        unread.add(number, why)
    unread.done(len(found))
    return list(found.values())


def load_pairs_examples(
    path: Path,
    scored: NearDuplicateIndex,
    kinds: KindFinder,
    on_message: OnMessage = print_to_stderr,
) -> list[Example]:
    """Examples for the reader, both sides of each pair; a pair near a scored sentence is left out.

    Raises CorpusError as ``read_revised`` does.
    """
    pairs = _apart(path, scored, on_message)
    changed = {pair.before for pair in pairs}
    texts: dict[str, list[RevisedSentence]] = {}
    for pair in pairs:
        texts.setdefault(pair.before, []).append(pair)
    return [example for some in texts.values() for example in _pair_examples(some, changed, kinds)]


def load_pairs(
    path: Path, scored: NearDuplicateIndex, on_message: OnMessage = print_to_stderr
) -> list[SentencePair]:
    """The pairs for the rewriter, without those near a scored sentence. Raises CorpusError as ``read_revised`` does."""
    return [
        SentencePair(pair.before, pair.after, f"{PAIRS_NAME}-{pair.line}")
        for pair in _apart(path, scored, on_message)
    ]


def _apart(path: Path, scored: NearDuplicateIndex, on_message: OnMessage) -> list[RevisedSentence]:
    pairs = read_revised(path, on_message)
    kept = [pair for pair in pairs if not scored.has_near_duplicate(pair.before, pair.after)]
    if len(kept) < len(pairs):
        on_message(
            f"{path}: {len(pairs) - len(kept):,} of {len(pairs):,} pairs are near a scored sentence and left out."
        )
    return kept


def _pair_examples(pairs: list[RevisedSentence], changed: set[str], kinds: KindFinder) -> list[Example]:
    """What the pairs of one sentence teach."""
    text, group = pairs[0].before, f"{PAIRS_NAME}-{pairs[0].line}"
    edits = [edit for pair in pairs for edit in pair.edits]
    spans = _disjoint(GoldSpan(edit.start, edit.end, kinds.of(edit.before, edit.after)) for edit in edits)
    clean = [pair.after for pair in pairs if pair.after not in changed]
    known = None if len(clean) == len(pairs) else tuple((span.start, span.end) for span in spans)
    before = Example(text, PAIRS_NAME, spans=spans, bias=1.0, group=group, labelled_ranges=known)
    return [before, *(Example(other, PAIRS_NAME, spans=(), bias=0.0, group=group) for other in clean)]


def _disjoint(found: Iterable[GoldSpan]) -> tuple[GoldSpan, ...]:
    """The spans in order, without those that begin inside one before them."""
    spans: list[GoldSpan] = []
    for span in sorted(found, key=lambda span: (span.start, span.end)):
        if not spans or span.start >= spans[-1].end:
            spans.append(span)
    return tuple(spans)


def _taught_nothing(before: str, after: str) -> str:
    state = diff_revision(tokenize(before), tokenize(after)).state
    return WHY.get(state, "nothing changed but what says nothing of bias")


CORRECTIONS_NAME = "corrections"
CORRECTIONS_FACTS = CorpusFacts(
    key=CORRECTIONS_NAME,
    name="Corrections",
    homepage="the settings of Evenhand, Models and training, Corrections",
    licence="the person's own text",
    files=(),
)

_PASSES = 8
_MOST = 0.1


@dataclass(slots=True)
class _Sentence:
    """What was said of one sentence: the line it first stands in, accepted and rejected corrections."""

    line: int
    accepted: list[Correction] = field(default_factory=list)
    rejected: list[Correction] = field(default_factory=list)


def load_corrections(path: Path, scored: NearDuplicateIndex) -> list[Example]:
    """Examples for the reader; a correction near a scored sentence is left out.

    Raises CorpusError, with the line's number for one that does not fit.
    """
    sentences = _sentences(
        [row for row in _rows(path) if not scored.has_near_duplicate(row[1].sentence, row[1].rewritten)]
    )
    biased = {text for text, said in sentences.items() if said.accepted}
    return [
        example for text, said in sentences.items() for example in _correction_examples(text, said, biased)
    ]


def corpora_of_model(
    shipped: Sequence[CorpusFacts], *, corrections: Path | None, pairs: Path | None
) -> list[dict[str, str]]:
    """Name and licence of every corpus that a model learnt from, a person's own files included, for its bundle."""
    own = ((corrections, CORRECTIONS_FACTS), (pairs, PAIRS_FACTS))
    learnt = (*shipped, *(facts for path, facts in own if path is not None))
    return [{"name": facts.name, "licence": facts.licence} for facts in learnt]


def load_correction_pairs(path: Path) -> list[SentencePair]:
    """The accepted sentences before and after, for the rewriter. Raises CorpusError as ``load_corrections`` does."""
    return [
        SentencePair(
            tokenizer_safe(one.sentence), tokenizer_safe(one.rewritten), f"{CORRECTIONS_NAME}-{line}"
        )
        for line, one in _rows(path)
        if one.verdict is Verdict.ACCEPTED
    ]


def sampling_weight(rows: int, *, steps: int, size: int) -> float:
    """The share of a stream of so many rows: each is seen about eight times, in at most a tenth of the steps."""
    return min(_MOST, _PASSES * rows / max(1, steps * size))


def _rows(path: Path) -> list[tuple[int, Correction]]:
    """The corrections with their lines, each once."""
    try:
        with path.open("rb") as stream:
            first: dict[Correction, int] = {}
            for line, correction in parse_lines(stream):
                first.setdefault(correction, line)
    except CorpusFormatError as error:
        raise CorpusError(
            f"{path}, line {error.line}: {error.why}. Save the corrections again in the settings of Evenhand."
        ) from error
    except OSError as error:
        raise CorpusError(
            f"{path} cannot be read: {error.strerror or error}. Save the corrections again in the settings of Evenhand."
        ) from error
    return [(line, correction) for correction, line in first.items()]


def _sentences(rows: list[tuple[int, Correction]]) -> dict[str, _Sentence]:
    """What was said of each sentence, without what contradicts itself."""
    found: dict[str, _Sentence] = {}
    meeting: defaultdict[str, list[Correction]] = defaultdict(list)
    for _, one in rows:
        meeting[one.sentence].append(one)
    for line, one in rows:
        if any(_contradict(one, other) for other in meeting[one.sentence]):
            continue
        said = found.setdefault(one.sentence, _Sentence(line))
        (said.accepted if one.verdict is Verdict.ACCEPTED else said.rejected).append(one)
    return found


def _contradict(one: Correction, other: Correction) -> bool:
    return one.verdict is not other.verdict and one.start < other.end and other.start < one.end


def _correction_examples(text: str, said: _Sentence, biased: set[str]) -> list[Example]:
    group = f"{CORRECTIONS_NAME}-{said.line}"
    spans = _disjoint(GoldSpan(one.start, one.end, one.kind) for one in said.accepted)
    places = sorted({(one.start, one.end) for one in (*said.accepted, *said.rejected)})
    if not spans:
        return [
            Example(
                tokenizer_safe(text), CORRECTIONS_NAME, spans=(), group=group, labelled_ranges=tuple(places)
            )
        ]
    after = list(dict.fromkeys(one.rewritten for one in said.accepted))
    whole = not any(other in biased for other in after)
    known = None if whole else tuple(places)
    before = Example(
        tokenizer_safe(text), CORRECTIONS_NAME, spans=spans, bias=1.0, group=group, labelled_ranges=known
    )
    # Of two findings that were reworded apart from each other, each new sentence still holds the other one.
    clean = [other for other in after if other not in biased] if len(spans) == 1 else []
    return [
        before,
        *(
            Example(tokenizer_safe(other), CORRECTIONS_NAME, spans=(), bias=0.0, group=group)
            for other in clean
        ),
    ]
