"""The table ``bsw-reader``: how a reader scores single words and persons; also a section of its card.

It holds the reader's own list of bias sensitive words (SPCPD, Badjatiya et al. 2019, Equation 1), the pinned bias
over the identity terms, counterfactual pairs from the templates that no reader is trained on, and BPSN and BNSP AUC
over the same templates with a loaded word.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from core.bundles.reader import ReaderBundle
from core.engine.reader import Reader
from core.stereotypes.counterfactual_pairs import (
    CounterfactualPair,
    FrameReading,
    TermAuc,
    flip_rate,
    iterate_pairs,
    mean_gap,
    read_frames,
    term_aucs,
    term_shifts,
)
from core.stereotypes.identity_terms import GROUPS, load_identity_terms
from core.stereotypes.templates import Frame, TemplateHalf, build_frames, build_term_frames
from core.stereotypes.word_scores import (
    MIN_SENSITIVE_BIAS,
    PinnedBias,
    WordScore,
    pinned_bias,
    score_words,
    write_word_scores,
)
from core.text.english import FUNCTION_WORDS
from training.corpora import allsides, babe, hate_speech, wikipedia
from training.corpora.files import read_lines
from training.corpora.wikipedia import load_gbnc_pairs, load_pairs
from training.reader.export import replace_card_section
from training.types import CorpusError, locate_file, print_to_stderr

MIN_DOCUMENTS = 25
"""In how many documents, mostly articles, a word must occur; about 20,000 words of all corpora do."""

_WORD = re.compile(r"[a-z]+(?:['-][a-z]+)*")


def corpus_vocabulary(data: Path, *, min_documents: int = MIN_DOCUMENTS) -> list[str]:
    """Lower-cased words that occur in at least ``min_documents`` documents, the most frequent first.

    An article, a pair and a sentence each count as one document. Function words and single letters are left out.
    Raises CorpusError where no word is that frequent.
    """
    held: Counter[str] = Counter()
    for text in _texts(data):
        held.update(set(_WORD.findall(text.lower().replace("’", "'"))))
    found = [
        word
        for word, documents in held.most_common()
        if documents >= min_documents and _is_content_word(word)
    ]
    if not found:
        raise CorpusError(
            f"No word occurs in {min_documents} documents. Give a smaller number with --min-documents."
        )
    return found


def read_word_list(path: Path) -> list[str]:
    """The words of a file with one word or term per line, each once. Raises CorpusError."""
    if not path.is_file():
        raise CorpusError(f"{path} is not a file. Name a file with one word per line: --words FILE.")
    found = list(dict.fromkeys(" ".join(line.split()) for line in read_lines(path)))
    words = [word for word in found if any(map(str.isalpha, word))]
    if not words:
        raise CorpusError(f"{path} has no words. Write one word per line.")
    return words


def abusive_words(data: Path) -> frozenset[str] | None:
    """Abusive words in lower case, which do not count as stereotyped; None where the list is missing."""
    if not all(locate_file(data, name).is_file() for name in hate_speech.BAD_WORDS_FACTS.files):
        return None
    listed = hate_speech.load_bad_words(data)
    return listed.entries | listed.single


def _texts(data: Path) -> Iterator[str]:
    yield from babe.texts(data)
    for pair in (*load_pairs(data, "train"), *load_gbnc_pairs(data)):
        yield pair.source
    yield from (example.text for example in wikipedia.load_cw_hard(data))
    yield from (article.content for article in allsides.read_articles(data))


def _is_content_word(word: str) -> bool:
    return len(word) > 1 and word not in FUNCTION_WORDS and word.replace("'", "") not in FUNCTION_WORDS


MAX_EQUAL_SHIFT = 0.02
"""A term counts as treated equally if its sentences differ from those of other terms by no more than this."""


@dataclass(frozen=True, slots=True)
class StereotypeScores:
    """Scores of a reader: scanned words, its bias sensitive words, pinned bias, pairs, AUCs and shifts of terms.

    ``pinned`` maps a group to its number of forms and its pinned bias; the empty name stands for all groups.
    ``listed``: abusive words were left out. ``before``: the same pairs read by an earlier reader; empty without one.
    """

    facts: ReaderBundle
    scanned: tuple[WordScore, ...]
    sensitive: tuple[WordScore, ...]
    listed: bool
    pinned: dict[str, tuple[int, PinnedBias]]
    pairs: tuple[CounterfactualPair, ...]
    auc: float
    aucs: tuple[TermAuc, ...]
    shifts: dict[tuple[str, str], float]
    before: tuple[CounterfactualPair, ...] = ()


def measure(
    data: Path,
    bundle: Path,
    *,
    words: Path | None = None,
    min_documents: int = MIN_DOCUMENTS,
    before: Path | None = None,
) -> StereotypeScores:
    """Measure the reader in ``bundle``; the reader in ``before``, if any, reads the same pairs.

    Raises CorpusError, BundleError and ReaderError.
    """
    reader = Reader.load(bundle)
    earlier = _pairs(Reader.load(before)) if before is not None else ()
    bad = abusive_words(data)
    if bad is None:
        print_to_stderr(
            "badwords/en.txt is not here: abusive words stay in the list (`evenhand train data get badwords`)."
        )
    scanned = corpus_vocabulary(data, min_documents=min_documents) if words is None else read_word_list(words)
    print_to_stderr(f"{len(scanned):,} words are read …")
    scores = score_words(reader, scanned, on_progress=_report_tenths())
    sensitive = [
        score for score in scores if score.sensitive and (bad is None or score.word.lower() not in bad)
    ]
    neutral, loaded = (
        _read_evaluation_frames(reader, with_loaded_word=False),
        _read_evaluation_frames(reader, with_loaded_word=True),
    )
    auc, aucs = term_aucs(neutral, loaded)
    return StereotypeScores(
        facts=reader.bundle,
        scanned=tuple(scores),
        sensitive=tuple(sorted(sensitive, key=lambda score: (-score.bias, score.word))),
        listed=bad is not None,
        pinned=_pinned(reader),
        pairs=tuple(iterate_pairs(neutral, threshold=reader.bundle.thresholds.bias)),
        auc=auc,
        aucs=tuple(aucs),
        shifts=term_shifts(read_frames(reader, _comparable(build_term_frames(TemplateHalf.EVALUATION)))),
        before=earlier,
    )


def _report_tenths() -> Callable[[float], None]:
    """A callback that prints each tenth of the scan to standard error."""
    last = 0

    def report(share: float) -> None:
        nonlocal last
        if int(share * 10) > last:
            last = int(share * 10)
            print_to_stderr(f"{last * 10}% of the words are read")

    return report


def _read_evaluation_frames(reader: Reader, *, with_loaded_word: bool) -> list[FrameReading]:
    return read_frames(reader, build_frames(TemplateHalf.EVALUATION, with_loaded_word=with_loaded_word))


def _pairs(reader: Reader) -> tuple[CounterfactualPair, ...]:
    return tuple(
        iterate_pairs(
            _read_evaluation_frames(reader, with_loaded_word=False), threshold=reader.bundle.thresholds.bias
        )
    )


def _comparable(some: Sequence[Frame]) -> list[Frame]:
    """Frames with at least two variants."""
    return [frame for frame in some if len(frame.variants) > 1]


def _pinned(reader: Reader) -> dict[str, tuple[int, PinnedBias]]:
    rows = {group: [term for term in load_identity_terms() if term.group == group] for group in GROUPS}
    forms = {group: [form for term in terms for form in term.forms] for group, terms in rows.items()}
    every = {**forms, "": [form for some in forms.values() for form in some]}
    return {group: (len(words), pinned_bias(score_words(reader, words))) for group, words in every.items()}


def most_unequal_words(
    scores: StereotypeScores,
) -> tuple[list[tuple[str, str, float]], list[tuple[str, str, float]]]:
    """Terms whose sentences get a higher bias than others of their set, and a lower one: set, term, shift.

    Widest first.
    """
    rows = [
        (about, group, shift)
        for (about, group), shift in scores.shifts.items()
        if abs(shift) > MAX_EQUAL_SHIFT
    ]
    rows.sort(key=lambda row: (-abs(row[2]), row[1]))
    return [row for row in rows if row[2] > 0], [row for row in rows if row[2] < 0]


COMMAND = "evenhand train table bsw-reader --data DIR"
HEADING = "## How it treats words"
WORDS, TERMS = 60, 20
"""How many words and terms are listed."""


def run(
    data: Path,
    folder: Path,
    *,
    words: Path | None,
    min_documents: int,
    save_results: bool,
    before: Path | None = None,
) -> str:
    """The table for the bundle in ``folder``, compared with the reader in ``before``.

    ``save_results`` writes it into the bundle's card as well. Raises CorpusError, BundleError and ReaderError.
    """
    scores = measure(data, folder, words=words, min_documents=min_documents, before=before)
    if save_results:
        write_section(folder, scores)
    facts = scores.facts
    return (
        f"Read by {facts.title} (run {facts.run}), biased from "
        f"{facts.thresholds.bias:.2f}.\n{format_section(scores)}"
    )


def write_section(folder: Path, scores: StereotypeScores) -> None:
    """Write the scan and the section of the card into a sealed bundle, and seal it again."""
    write_word_scores(folder, scores.facts.run, scores.scanned)
    replace_card_section(folder, HEADING, format_section(scores))


def format_section(scores: StereotypeScores) -> str:
    """The section of the card, in Markdown."""
    return "\n".join(
        [
            "",
            HEADING,
            "",
            f"Measured by `{COMMAND} --save-results` with this bundle (int8).",
            "",
            *_sensitive_words_section(scores),
            "",
            *_pinned_section(scores),
            "",
            *_pairs_section(scores.pairs, scores.before),
            "",
            *_auc_section(scores),
            "",
            *_unequal_section(scores),
            "",
        ]
    )


def _sensitive_words_section(scores: StereotypeScores) -> list[str]:
    found = scores.sensitive
    left_out = "obvious abusive words left out" if scores.listed else "including abusive words"
    scanned = len(scores.scanned)
    lines = [
        f"**Words that it scores as biased on their own.** Of {scanned:,} words {len(found):,} "
        f"({len(found) / scanned:.1%}) have a bias of {MIN_SENSITIVE_BIAS:.1f} or more without any context "
        f"({left_out}). Many of them are loaded words; the others are stereotyped."
    ]
    if found:
        named = ", ".join(f"{score.word} {score.bias:.2f}" for score in found[:WORDS])
        lines += ["", f"The first: {named}." if len(found) > WORDS else f"They are: {named}."]
    return lines


def _pinned_section(scores: StereotypeScores) -> list[str]:
    return [
        "**Pinned bias over the identity terms** (0 is best; PB_mean is 0 for terms that all get the same label, "
        f"PB_asym counts only scores above {MIN_SENSITIVE_BIAS:.1f}):",
        "",
        "| group | forms | PB_mean | PB_sym | PB_asym |",
        "|---|---|---|---|---|",
        *(
            f"| {group or 'all'} | {count} | {one.mean:.4f} | {one.sym:.4f} | {one.asym:.4f} |"
            for group, (count, one) in scores.pinned.items()
        ),
    ]


def _pairs_section(made: Sequence[CounterfactualPair], before: Sequence[CounterfactualPair]) -> list[str]:
    heads = ["set", "pairs", "flips", "mean absolute shift", "largest"]
    heads += ["before: flips", "before: shift", "before: largest"] if before else []
    rows = []
    for about in [*dict.fromkeys(pair.topic for pair in made), "all"]:
        some, earlier = ([one for one in pairs if about in (one.topic, "all")] for pairs in (made, before))
        cells = [about, f"{len(some)}", *_pair_cells(some), *(_pair_cells(earlier) if earlier else [])]
        rows.append(f"| {' | '.join(cells)} |")
    note = " The columns on the right are of the earlier reader." if before else ""
    return [
        "**Neutral sentences that differ only in the person** (templates that no reader is trained on; a pair flips "
        f"where one side is read as biased and the other is not).{note}",
        "",
        f"| {' | '.join(heads)} |",
        f"|{'---|' * len(heads)}",
        *rows,
    ]


def _pair_cells(some: Sequence[CounterfactualPair]) -> list[str]:
    widest = max(pair.gap for pair in some)
    return [f"{flip_rate(some):.1%}", f"{mean_gap(some):.4f}", f"{widest:.4f}"]


def _auc_section(scores: StereotypeScores) -> list[str]:
    sets = list(dict.fromkeys(one.topic for one in scores.aucs))
    rows = [(about, [one for one in scores.aucs if one.topic == about]) for about in sets]
    return [
        "**The same sentences compared with themselves after a loaded word was inserted**: overall AUC "
        f"{scores.auc:.4f}. The table names the group with the lowest AUC of each set. A low BPSN AUC means "
        "that its neutral sentences score too high, a low BNSP AUC that its loaded ones score too low:",
        "",
        "| set | subgroup AUC | BPSN AUC | BNSP AUC |",
        "|---|---|---|---|",
        *(f"| {about} | {_lowest_auc_cells(some)} |" for about, some in rows),
    ]


def _lowest_auc_cells(some: Sequence[TermAuc]) -> str:
    worst = [min(some, key=lambda one: getattr(one, name)) for name in ("subgroup", "bpsn", "bnsp")]
    values = (worst[0].subgroup, worst[1].bpsn, worst[2].bnsp)
    return " | ".join(f"{value:.4f} ({one.group})" for value, one in zip(values, worst, strict=True))


def _unequal_section(scores: StereotypeScores) -> list[str]:
    higher, lower = most_unequal_words(scores)
    lines = [
        f"**Terms that it treats unequally.** Of {len(scores.shifts)} identity terms in such sentences, {len(higher)} "
        f"raise the bias by more than {MAX_EQUAL_SHIFT:.2f} over the others of their set, {len(lower)} lower it "
        f"by more "
        "than that."
    ]
    for word, rows in (("More", higher), ("Less", lower)):
        if rows:
            named = ", ".join(f"{group} {shift:+.3f}" for _, group, shift in rows[:TERMS])
            lines += ["", f"{word}: {named}{' …' if len(rows) > TERMS else '.'}"]
    return lines
