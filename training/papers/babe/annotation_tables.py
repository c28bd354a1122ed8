"""BABE's Tables 1 to 4, computed from the individual annotations: agreement, marked words and classes.

Labels are the majority vote of a sentence's annotators; agreement is Krippendorff's alpha over every distinct text of
the release. Of MBIC only the final labels are used.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from training.corpora import babe
from training.corpora.babe import Annotation, FinalLabel, Opinion, words_in
from training.evaluation.results_table import Block, Table
from training.metrics.agreement import Level, krippendorff_alpha
from training.papers.babe.published import BABE_TABLE_1, BABE_TABLE_2, BABE_TABLE_3, BABE_TABLE_4
from training.types import print_to_stderr

TABLES = {
    "babe-1": "BABE, Table 1: agreement and marked words, experts (SG1) and crowd (MBIC)",
    "babe-2": "BABE, Table 2: classes in percent, experts (SG1) and crowd (MBIC)",
    "babe-3": "BABE, Table 3: agreement of eight annotators (SG1) and of five (SG2)",
    "babe-4": "BABE, Table 4: classes in percent by eight annotators (SG1) and by five (SG2)",
}
_MARKED_BY = {"SG1": 3, "SG2": 2}
_HEADER = ("", "n", "ours", "published", "deviation")
_ABSENT = "no data"
_BIASES = {"biased": True, "non-biased": False, "no agreement on bias": None}
_OPINIONS = {
    "opinionated": Opinion.OPINIONATED,
    "factual": Opinion.FACTUAL,
    "mixed": Opinion.MIXED,
    "no agreement on opinion": None,
}
_CUT = (
    "Most published percentages are truncated after two digits, not rounded (800 of 1,700 is 47.06, printed as 47.05), "
    "hence deviations of 0.01."
)
_INTERVAL = (
    "Opinion: the released evaluation calls krippendorff.alpha without a level of measurement, whose default is "
    "interval (factual 0, mixed 1, opinionated 2); with it the published values follow from the release. At the "
    "nominal level, which these labels have, agreement on opinion is lower."
)
_NO_MBIC = (
    "MBIC: its individual annotations (raw_labels_MBIC.xlsx) are not used, so its agreement is not computed. Its words "
    "and classes are those of its final labels, as published."
)
_AVERAGE = "Biased words per sentence: over all sentences with a biased word, whatever their label, as in the release."
_Vote = TypeVar("_Vote", bound=Hashable)


@dataclass(frozen=True, slots=True)
class _Group:
    """SG1, SG2 or MBIC. ``labels`` are bias and opinion of each sentence, None for no agreement."""

    name: str
    final: Sequence[FinalLabel]
    annotations: Sequence[Annotation]
    labels: Sequence[tuple[bool | None, Opinion | None]]


def run(data: Path, *, on_message: Callable[[str], None] = print_to_stderr) -> dict[str, Table]:
    """The four tables by name. Raises CorpusError for a file that is missing or not as published."""
    sg1, sg2 = (_load_group(data, name, on_message) for name in ("SG1", "SG2"))
    final = babe.load_final_labels(data, "MBIC", on_message=on_message)
    mbic = _Group("MBIC", final, (), [(row.biased, row.opinion) for row in final])
    return {
        "babe-1": Table(
            TABLES["babe-1"],
            tuple(
                Block(group.name, _HEADER, (*_agreement(group, BABE_TABLE_1), *_words(group)))
                for group in (sg1, mbic)
            ),
            (_INTERVAL, _NO_MBIC, _AVERAGE, _marks_note(sg1), _texts_note(sg1)),
        ),
        "babe-2": Table(
            TABLES["babe-2"],
            tuple(Block(group.name, _HEADER, _classes(group, BABE_TABLE_2)) for group in (sg1, mbic)),
            (_CUT, _labels_note(sg1), _NO_MBIC),
        ),
        "babe-3": Table(
            TABLES["babe-3"],
            tuple(Block(group.name, _HEADER, _agreement(group, BABE_TABLE_3)) for group in (sg1, sg2)),
            (_INTERVAL, _texts_note(sg1), _texts_note(sg2), _annotators_note(sg1, sg2)),
        ),
        "babe-4": Table(
            TABLES["babe-4"],
            tuple(Block(group.name, _HEADER, _classes(group, BABE_TABLE_4)) for group in (sg1, sg2)),
            (_CUT, _labels_note(sg1), _labels_note(sg2), _annotators_note(sg1, sg2)),
        ),
    }


def majority(votes: Sequence[_Vote]) -> _Vote | None:
    """The most frequent vote; None for a tie, or without votes."""
    leading = Counter(votes).most_common(2)
    if not leading or (len(leading) == 2 and leading[0][1] == leading[1][1]):
        return None
    return leading[0][0]


def _load_group(data: Path, name: str, on_message: Callable[[str], None]) -> _Group:
    annotations = babe.load_annotations(data, name, on_message=on_message)
    final = babe.load_final_labels(data, name, on_message=on_message)
    biases, opinions = _votes(annotations)
    labels = [(majority(biases[row.text]), majority(opinions[row.text])) for row in final]
    return _Group(name, final, annotations, labels)


def _votes(annotations: Sequence[Annotation]) -> tuple[Mapping[str, list[bool]], Mapping[str, list[Opinion]]]:
    """The given answers by text."""
    biases: defaultdict[str, list[bool]] = defaultdict(list)
    opinions: defaultdict[str, list[Opinion]] = defaultdict(list)
    for row in annotations:
        if row.biased is not None:
            biases[row.text].append(row.biased)
        if row.opinion is not None:
            opinions[row.text].append(row.opinion)
    return biases, opinions


def _agreement(group: _Group, published: Mapping[str, Mapping[str, float]]) -> tuple[tuple[str, ...], ...]:
    bias, opinion = (published[f"{what} agreement"][group.name] for what in ("bias", "opinion"))
    if not group.annotations:
        return tuple(
            (f"{what} agreement", _ABSENT, _ABSENT, f"{figure:.2f}", "")
            for what, figure in (("bias", bias), ("opinion", opinion))
        )
    biases, opinions = _votes(group.annotations)

    def row(what: str, votes: Mapping[str, Sequence[int]], level: Level, figure: float) -> tuple[str, ...]:
        units = [[float(vote) for vote in given] for given in votes.values()]
        ours = krippendorff_alpha(units, level)
        return _row(f"{what} agreement (α, {level})", sum(map(len, units)), ours, figure, digits=3)

    return (
        row("bias", biases, "nominal", bias),
        row("opinion", opinions, "interval", opinion),
        row("opinion", opinions, "nominal", opinion),
    )


def _words(group: _Group) -> tuple[tuple[str, ...], ...]:
    counts = [len(row.words) for row in group.final]
    marked = sum(count > 0 for count in counts)
    total, each = (BABE_TABLE_1[what][group.name] for what in ("biased words", "biased words a sentence"))
    return (
        _row("biased words", len(counts), sum(counts), total, digits=0),
        _row("biased words a sentence", marked, sum(counts) / max(marked, 1), each, digits=3),
    )


def _classes(group: _Group, published: Mapping[str, Mapping[str, float]]) -> tuple[tuple[str, ...], ...]:
    counts = Counter[tuple[str, object]]()
    for bias, opinion in group.labels:
        counts.update((("bias", bias), ("opinion", opinion)))
    named = [
        *((name, counts["bias", label]) for name, label in _BIASES.items()),
        *((name, counts["opinion", label]) for name, label in _OPINIONS.items()),
    ]
    whole = max(len(group.labels), 1)
    return tuple(
        _row(name, count, 100 * count / whole, published[name][group.name], digits=2) for name, count in named
    )


def _row(name: str, n: int, ours: float, published: float, *, digits: int) -> tuple[str, ...]:
    shown = f"{published:,.0f}" if not digits else f"{published:.2f}"
    deviation = round(ours - published, digits) + 0.0
    return name, f"{n:,}", f"{ours:,.{digits}f}", shown, f"{deviation:+,.{digits}f}"


def _labels_note(group: _Group) -> str:
    same = sum(
        (row.biased, row.opinion) == label for row, label in zip(group.final, group.labels, strict=True)
    )
    return (
        f"{group.name}: {len(group.final):,} sentences; for {same:,} of them the majority of the individual "
        "annotations is the published final label, of bias and of opinion."
    )


def _marks_note(group: _Group) -> str:
    least = _MARKED_BY[group.name]
    marks: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for row in group.annotations:
        marks[row.text].update(words_in(row))
    ours = {text: {word for word, count in words.items() if count >= least} for text, words in marks.items()}
    total = sum(len(ours.get(row.text, ())) for row in group.final)
    same = sum(ours.get(row.text, set()) == set(row.words) for row in group.final)
    return (
        f"{group.name}: words are counted as the release lists them. Counted from the marks (a word is biased if "
        f"{least} annotators marked it) they are {total:,}, and the same words in {same:,} of "
        f"{len(group.final):,} sentences."
    )


def _texts_note(group: _Group) -> str:
    texts = {row.text for row in group.annotations}
    answers = Counter(Counter(row.text for row in group.annotations).values())
    usual, count = answers.most_common(1)[0]
    return (
        f"{group.name}: {len(group.annotations):,} annotations of {len(texts):,} distinct texts; {count:,} of these "
        f"have {usual}, and {len(texts) - len({row.text for row in group.final} & texts):,} are not among the "
        f"published {len(group.final):,} sentences (altered copies, or left out)."
    )


def _annotators_note(sg1: _Group, sg2: _Group) -> str:
    first, second = ({row.annotator for row in group.annotations} for group in (sg1, sg2))
    return (
        f"The paper has five of SG1's eight annotators in SG2, and 3,700 sentences; the release has {len(sg2.final):,} "
        f"sentences, and {len(second)} annotator numbers in SG2, of which {len(second - first)} are not in SG1."
    )
