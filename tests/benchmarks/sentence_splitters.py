"""Sentence splitters side by side, on tricky sentences and on real pages.

``python -m tests.benchmarks.sentence_splitters [FOLDER]`` prints a table: how many of the hand-checked passages below
each splitter gets wholly right, how many of their sentence borders it misses or invents, how many spans it cannot
place in the text, and how fast it is. With a folder of pages (``.wikitext``, ``.md``, ``.txt``) it adds, for their
prose, how many sentences each finds, how many begin in lower case (mostly wrong borders) and how many still hold a
stop between a long word and a word that opens sentences (mostly missed borders).

Our own rules were written with the passages in view, the libraries' were not: the pages are the fairer comparison.
"""

from __future__ import annotations

import re
import sys
import time
from collections.abc import Callable, Iterable
from pathlib import Path

from core.documents import parse
from core.documents.format_specs import detect_format
from core.documents.prose_view import prose
from core.documents.sentences import split
from core.documents.types import Document

Spans = list[tuple[int, int]]
Splitter = Callable[[str], Spans]

# A bar stands where a sentence ends within the passage.
PASSAGES = (
    "Dr. Miller saw the patient at noon.| She was discharged.",
    "The vote began at 9 p.m. on Tuesday.| Nobody left early.",
    "The vote ended at 9 p.m.| The chamber then emptied.",
    "The U.S. Senate passed the bill.| It now goes to the president.",
    "He moved to the U.S.| He never went back.",
    "The parade ran along St. James Street to St. Paul's.| Crowds cheered.",
    "They live on Main St.| The house is small.",
    "Mambo No. 5 topped the chart.| No. 6 did not.",
    "Was it true?| No.| It never was.",
    "Some fruits, e.g. Apples and pears, were taxed.| Others, i.e. Plums, were not.",
    "J. K. Rowling spoke first.| J. R. R. Tolkien was quoted.",
    "George W. Bush won.| Al Gore conceded.",
    "Inflation rose 3.4 percent to 7.9 percent.| Wages fell 0.5 percent.",
    "Growth hit 2.5.| Exports doubled.",
    "Well ... he paused ... and left.| Nobody spoke...| Then the lights went out.",
    "“I wonder… really,” she said.| “So do I…”| They left.",
    "“Why now?!” he asked.| “Because!” she said.",
    '"Stop!" Anna Lee said.| The car did not stop.',
    'He said, "We won."| The crowd roared.',
    "“We won.”| “You lost,” they answered.",
    "She joined Acme Inc. in 1999.| She left Acme Inc.| The firm then folded.",
    "Smith v. Jones was decided in 1954.| The court was split.",
    "Apples, pears, etc. were sold.| Prices rose, etc.| The market closed.",
    "The law (see Art. 5 of the code) was struck down.| (It was later restored.)| Judges disagreed.",
    "In Jan. 2020 the plan was dropped.| By Feb. it was back.",
    "Sen. Ted Cruz and Rep. Maxine Waters met Gov. Gavin Newsom.| Lt. Col. Vindman testified.",
    "The company, Yahoo!, was sold.| Jeopardy! was not.",
    "in 1990 .| he said that the war was over .| it was not .",
    "hutchinson died in november of 1964, at the age of 45.| the reds' home games were played at crosley field.",
    "the u.s. government and mr. smith sued apple inc. in may.| they won.",
    "彼は勝った。|「本当に？」|彼女は笑った。",
    "他说：“我们赢了。”|大家都很高兴！|真的吗？",
    "See pp. 12–14 and fig. 3 for details.| Vol. 2 has more.",
    "Plan B failed.| They chose plan C.| The city agreed.",
    "The 19. Oktober 1956 edition cites Dr. Oetker, u. a. in Berlin.| It sold out.",
    "Martin Luther King Jr. spoke.| So did Robert F. Kennedy Jr.| They were cheered.",
    "It cost $5.| 20 people bought it.",
    "He visited Washington, D.C. and Boston, Mass. before noon.| Then he slept.",
    "¿Quién ganó?| Nobody knows.| ¡Viva!",
    "Version 2.0.1 shipped.| Node.js and e.e. cummings were mentioned at example.com today.",
)
LOWER = re.compile(r"[\"“‘'(\[]*[a-z]")
MISSED = re.compile(r"[a-z]{5,}[.?!][\"”’)]*\s+(?:The|He|She|It|In|They|This|However|But|On|At|After)\s[a-z]")


def passage_and_borders(passage: str) -> tuple[str, Spans]:
    """The text of a passage and the spans of its sentences."""
    spans, text = [], ""
    for piece in passage.split("|"):
        start = len(text) + len(piece) - len(piece.lstrip())
        text += piece
        spans.append((start, len(text.rstrip())))
    return text, spans


def _placed(text: str, sentences: Iterable[str]) -> Spans:
    """Where sentences that come as strings stand in the text; (-1, -1) for what is not in it."""
    spans, position = [], 0
    for sentence in sentences:
        start = text.find(sentence.strip(), position)
        spans.append((start, start + len(sentence.strip())) if start >= 0 else (-1, -1))
        position = max(position, spans[-1][1])
    return spans


def _trimmed(text: str, spans: Iterable[tuple[int, int]]) -> Spans:
    return [
        (start + len(text[start:end]) - len(text[start:end].lstrip()), start + len(text[start:end].rstrip()))
        for start, end in spans
        if text[start:end].strip()
    ]


def _pysbd() -> Splitter:
    import pysbd

    segmenter = pysbd.Segmenter(language="en", clean=False)
    return lambda text: _placed(text, segmenter.segment(text))


def _blingfire() -> Splitter:
    import blingfire

    return lambda text: (
        _trimmed(text, blingfire.text_to_sentences_and_offsets(text)[1]) if text.strip() else []
    )


def _nupunkt() -> Splitter:
    import nupunkt

    return lambda text: _trimmed(text, nupunkt.sent_spans(text))


def _syntok() -> Splitter:
    from syntok import segmenter

    def spans(text: str) -> Spans:
        found = [sentence for paragraph in segmenter.process(text) for sentence in paragraph]
        return [(tokens[0].offset, tokens[-1].offset + len(tokens[-1].value)) for tokens in found]

    return spans


CANDIDATES: dict[str, Callable[[], Splitter]] = {
    "own rules": lambda: split,
    "pysbd": _pysbd,
    "blingfire": _blingfire,
    "nupunkt": _nupunkt,
    "syntok": _syntok,
}


def blocks_of(folder: Path) -> list[str]:
    """The prose of every page in a folder, block by block, mark-up gone."""
    blocks = []
    for path in sorted(folder.iterdir()):
        if path.suffix in (".wikitext", ".md", ".txt"):
            source = path.read_text(encoding="utf-8")
            document = parse(source, detect_format(path.name, source))
            blocks += _runs(document)
    return blocks


def _runs(document: Document) -> list[str]:
    """Neighbouring sentences that only a little white space parts, as one text each."""
    runs: list[str] = []
    last = -1
    for sentence in document.sentences:
        text = prose(document, sentence).text
        between = document.source[last : sentence.start] if last >= 0 else "\n\n"
        if "\n" in between or len(between) > 3:
            runs.append(text)
        else:
            runs[-1] += " " + text
        last = sentence.end
    return runs


def score(splitter: Splitter) -> tuple[int, int, int, int]:
    """Passages wholly right, borders missed, borders invented, spans that cannot be placed."""
    right = missed = invented = unplaced = 0
    for passage in PASSAGES:
        text, gold = passage_and_borders(passage)
        found = splitter(text)
        unplaced += found.count((-1, -1))
        ends, gold_ends = {end for _, end in found[:-1]}, {end for _, end in gold[:-1]}
        right += found == gold
        missed += len(gold_ends - ends)
        invented += len(ends - gold_ends)
    return right, missed, invented, unplaced


def read_pages(splitter: Splitter, blocks: list[str]) -> tuple[int, int, int, int, float]:
    """Sentences, beginnings in lower case, borders that look missed, spans not placed, characters per second."""
    began = time.perf_counter()
    found = [splitter(block) for block in blocks]
    seconds = time.perf_counter() - began
    sentences = [block[a:b] for block, spans in zip(blocks, found, strict=True) for a, b in spans if a >= 0]
    unplaced = sum(spans.count((-1, -1)) for spans in found)
    lower = sum(
        LOWER.match(block[a:b]) is not None
        for block, spans in zip(blocks, found, strict=True)
        for a, b in spans[1:]
        if a >= 0
    )
    missed = sum(len(MISSED.findall(sentence)) for sentence in sentences)
    return len(sentences), lower, missed, unplaced, sum(map(len, blocks)) / max(seconds, 1e-9)


def main(arguments: list[str]) -> int:
    """Print the table; returns the exit status."""
    if len(arguments) > 1 or (arguments and not Path(arguments[0]).is_dir()):
        print("usage: python -m tests.benchmarks.sentence_splitters [FOLDER OF PAGES]", file=sys.stderr)
        return 2
    blocks = blocks_of(Path(arguments[0])) if arguments else []
    print(f"{len(PASSAGES)} passages; {len(blocks)} blocks of pages, {sum(map(len, blocks)):,} characters")
    head = f"{'splitter':<10} {'right':>6} {'missed':>7} {'invented':>9} {'unplaced':>9} {'load s':>7}"
    if blocks:
        head += f" | {'sentences':>9} {'lower':>6} {'missed':>7} {'unplaced':>9} {'char/s':>12}"
    print(head)
    for name, load in CANDIDATES.items():
        began = time.perf_counter()
        try:
            splitter = load()
        except ImportError:
            print(f"{name:<10} not measured: it is not installed")
            continue
        splitter("Warm up. Now.")
        loaded = time.perf_counter() - began
        right, missed, invented, unplaced = score(splitter)
        line = f"{name:<10} {right:>6} {missed:>7} {invented:>9} {unplaced:>9} {loaded:>7.2f}"
        if blocks:
            sentences, lower, absent, lost, speed = read_pages(splitter, blocks)
            line += f" | {sentences:>9} {lower:>6} {absent:>7} {lost:>9} {speed:>12,.0f}"
        print(line, flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
