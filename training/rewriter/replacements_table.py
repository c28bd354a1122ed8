"""The table of replacements that annotators gave for loaded words, which the app proposes beside the rewriter's.

    python -m training.rewriter.replacements_table --data DIR

writes ``resources/lexicons/annotated_replacements.tsv.gz``: a loaded word or phrase in lower case, and up to four
replacements and taking it out, each with how often in a hundred it was given, as ``60:criticised``. Only what the
rewriter may learn from is counted: no held-out sentence, and no item that is left for the ranking.
``loaded_expressions.tsv``, beside this module, adds words of the corpora's vocabulary that no annotated sentence has,
and the usual replacements of words that few have: a large language model wrote them without a sentence (``-`` takes the
word out). They count as two findings.
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
from training.rewriter import judged_suggestions

LOADED_EXPRESSIONS = Path(__file__).with_name("loaded_expressions.tsv")
_MOST, _MAX_WORDS, _LEAST_SHARE = 4, 5, 0.1
_VOTES = (3, 2, 1, 1, 1, 1)
_PLAIN = re.compile(r"[^\W\d_]+(?:[ '’-][^\W\d_]+)*")


def collect(expressions: Iterable[tuple[str, Sequence[str]]]) -> dict[str, dict[str, float]]:
    """The replacements of each loaded expression with their shares in [0, 1], largest first; "" takes it out.

    A first replacement has three votes, a second two, the others one. The share is that of the votes that it could have
    had, with one more finding of the expression whose replacements are not known. A replacement with less than
    `_LEAST_SHARE` said something of its own sentence and is left out.
    """
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    possible: Counter[str] = Counter()
    for loaded, replacements in expressions:
        if not replacements:
            continue
        possible[loaded.lower()] += _VOTES[0]
        for votes, words in zip(_VOTES, replacements, strict=False):
            counts[loaded.lower()][words.lower() if loaded.isupper() else words] += votes
    found = {}
    for loaded, counted in sorted(counts.items()):
        shares = {words: votes / (possible[loaded] + _VOTES[0]) for words, votes in counted.most_common()}
        best = {
            words: share
            for words, share in shares.items()
            if share >= _LEAST_SHARE and (not words or _is_plain(words)) and words.lower() != loaded
        }
        kept = [words for words in best if words][:_MOST]
        if best and _is_plain(loaded):
            found[loaded] = {words: share for words, share in best.items() if not words or words in kept}
    return found


def _is_plain(words: str) -> bool:
    return len(words.split()) <= _MAX_WORDS and _PLAIN.fullmatch(words) is not None


def read_expressions() -> list[tuple[str, tuple[str, ...]]]:
    """The words of ``loaded_expressions.tsv`` with their replacements, best first; "" takes the word out."""
    rows = (line.split("\t") for line in LOADED_EXPRESSIONS.read_text(encoding="utf-8").splitlines()[1:])
    return [
        (word, tuple("" if one == "-" else one for one in replacements.split("|")))
        for word, replacements in rows
    ]


def load_replacements(data: Path) -> list[tuple[str, tuple[str, ...]]]:
    """Every expression that has references in the sentences that the rewriter learns from, then those of
    ``loaded_expressions.tsv``, twice where the sentences have the expression too.

    Raises CorpusError.
    """
    sentences = [*annotated_sentences.load(data), *annotated_sentences.load_written()]
    items = judged_suggestions.load(data)
    held = {item.text for item in items if item.is_for_ranking}
    of_corpora = annotated_sentences.load_corpus_sentences(data)
    found = [
        (one.example.text[span.start : span.end], references)
        for one in (*annotated_sentences.split(sentences)[0], *of_corpora)
        if one.example.text not in held
        for span, references in zip(one.example.spans or (), one.references, strict=True)
    ]
    learned = [item for item in items if not item.is_for_ranking]
    found += [(item.text[item.start : item.end], item.references) for item in learned]
    known = {loaded.lower() for loaded, replacements in found if replacements}
    listed = read_expressions()
    return found + listed + [row for row in listed if row[0] in known]


def main() -> None:
    """Collect and write the table."""
    parser = argparse.ArgumentParser(description="Write the table of annotated replacements.")
    parser.add_argument("--data", type=Path, required=True, help="folder of the corpora")
    options = parser.parse_args()
    table = collect(load_replacements(options.data))
    lines = ["loaded\twordings"]
    for loaded, shares in table.items():
        replacements = "|".join(f"{100 * share:.0f}:{words}" for words, share in shares.items())
        lines.append(f"{loaded}\t{replacements}")
    with gzip.GzipFile(ROOT / "lexicons" / ANNOTATED_FILE, "wb", mtime=0) as file:
        file.write(("\n".join(lines) + "\n").encode())
    print(f"{len(table)} expressions")


if __name__ == "__main__":
    main()
