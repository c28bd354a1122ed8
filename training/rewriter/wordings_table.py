"""The table of wordings that annotators put in the place of loaded words, which the app proposes beside the rewriter's.

    python -m training.rewriter.wordings_table --data DIR

writes ``resources/lexicons/annotated_wordings.tsv.gz``: a loaded word or phrase in lower case, and up to four wordings,
those given most often and first before others. Only what the rewriter may learn from is counted: no held-out sentence,
and no item that is left for the ranking.
"""

from __future__ import annotations

import argparse
import gzip
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from pathlib import Path

from core.rewriting.candidates import ANNOTATED_FILE
from resources import ROOT
from training.corpora import annotated_sentences
from training.rewriter import judged_wordings

_MOST, _MAX_WORDS, _LEAST_SHARE = 4, 5, 0.15
_PLAIN = re.compile(r"[^\W\d_]+(?:[ '’-][^\W\d_]+)*")


def collect(worded: Iterable[tuple[str, Sequence[str]]]) -> dict[str, list[str]]:
    """The wordings of each loaded expression, best first, without those that only take it out.

    A first wording counts three, a second two, a third one. One with less than `_LEAST_SHARE` of what was given for an
    expression, taking it out included, said something of its own sentence and is left out.
    """
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for loaded, wordings in worded:
        for place, words in enumerate(wordings[:3]):
            counts[loaded.lower()][words.lower() if words.islower() else words] += 3 - place
    found = {}
    for loaded, given in sorted(counts.items()):
        least = _LEAST_SHARE * given.total()
        best = [
            words
            for words, count in given.most_common(_MOST)
            if count >= least and _is_plain(words) and words.lower() != loaded
        ]
        if best and _is_plain(loaded):
            found[loaded] = best
    return found


def _is_plain(words: str) -> bool:
    return len(words.split()) <= _MAX_WORDS and _PLAIN.fullmatch(words) is not None


def load_worded(data: Path) -> list[tuple[str, tuple[str, ...]]]:
    """Every expression that has wordings, in the sentences that the rewriter learns from. Raises CorpusError."""
    sentences = [*annotated_sentences.load(data), *annotated_sentences.load_written()]
    items = judged_wordings.load(data)
    held = {item.text for item in items if item.is_for_ranking}
    of_corpora = annotated_sentences.load_of_corpora(data)
    found = [
        (one.example.text[span.start : span.end], wordings)
        for one in (*annotated_sentences.split(sentences)[0], *of_corpora)
        if one.example.text not in held
        for span, wordings in zip(one.example.spans or (), one.wordings, strict=True)
    ]
    learned = [item for item in items if not item.is_for_ranking]
    return found + [(item.text[item.start : item.end], item.wordings) for item in learned]


def main() -> None:
    """Collect and write the table."""
    parser = argparse.ArgumentParser(description="Write the table of annotated wordings.")
    parser.add_argument("--data", type=Path, required=True, help="folder of the corpora")
    options = parser.parse_args()
    table = collect(load_worded(options.data))
    lines = ["loaded\twordings", *(f"{loaded}\t{'|'.join(words)}" for loaded, words in table.items())]
    with gzip.GzipFile(ROOT / "lexicons" / ANNOTATED_FILE, "wb", mtime=0) as file:
        file.write(("\n".join(lines) + "\n").encode())
    print(f"{len(table)} expressions")


if __name__ == "__main__":
    main()
