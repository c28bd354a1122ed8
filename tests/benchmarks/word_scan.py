"""How long stereotyped words take: a scan of 20,000 words, and the words of a 1,000-word draft as a panel asks them.

    python -m tests.benchmarks.word_scan [--words FILE] [--bundle FOLDER]

Prints figures and asserts nothing: run it on a quiet machine. Processor time, which other work does not stretch, stands
beside.
"""

from __future__ import annotations

import argparse
import random
import statistics
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from core.documents import Format, parse
from core.engine.engine import Engine, bundled_reader
from core.engine.onnx_session import physical_cores
from core.engine.reader import MAX_THREADS, Reader
from core.stereotypes.generalisation import HYPERNYMS_FILE, Generaliser, read_hypernyms
from core.stereotypes.identity_terms import load_identity_terms
from core.stereotypes.word_effects import word_effects
from core.stereotypes.word_scores import score_words
from resources import ROOT
from tests.benchmarks.beside.text import sentences

SCANNED, DRAFT, ROUNDS = 20_000, 1_000, 3
SENTENCES = 1_000


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description="Speed of word scores.")
    parser.add_argument("--words", type=Path, help="a UTF-8 file with a word a line")
    parser.add_argument("--bundle", type=Path, default=bundled_reader(), help="folder of the reader")
    parser.add_argument("--no-scan", action="store_true", help="the draft alone")
    arguments = parser.parse_args()
    print(f"{min(MAX_THREADS, physical_cores())} threads")
    _print("general words, loaded", lambda: read_hypernyms(ROOT / "lexicons" / HYPERNYMS_FILE))
    _documents(arguments.bundle)
    if not arguments.no_scan:
        words = _words(arguments.words)
        reader = Reader.load(arguments.bundle)
        reader.read(["Warm."])
        _print(f"{len(words):,} words scanned", lambda: score_words(reader, words))


def _documents(bundle: Path) -> None:
    """The words of drafts whose sentences the window has read already; each draft's own words are new."""
    Generaliser.load()
    walls, shown = [], 0
    for number in range(ROUNDS):
        engine = Engine.load(bundle)
        document = parse(_draft(number), Format.PLAIN)
        engine.analyse(document)
        start = time.perf_counter()
        rows = word_effects(engine.reader, document)
        walls.append(time.perf_counter() - start)
        shown = sum(len(row.effects) for row in rows)
    print(
        f"{'words of a draft':24}{statistics.median(walls) * 1000:8.0f} ms ({DRAFT} words, {shown} effects)"
    )
    _print("the same again", lambda: word_effects(engine.reader, document))


def _draft(seed: int) -> str:
    """About 1,000 words of the samples' own, with identity terms here and there."""
    draw = random.Random(seed)
    terms = [term.plural for term in load_identity_terms() if term.plural]
    parts: list[str] = []
    words = 0
    for sentence in draw.sample(sentences(SENTENCES), 200):
        parts.append(f"{sentence.rstrip('.')} for {draw.choice(terms)}." if len(parts) % 5 == 0 else sentence)
        words += len(parts[-1].split())
        if words >= DRAFT:
            break
    return "\n\n".join(parts)


def _words(path: Path | None) -> list[str]:
    """Those of a file, or nouns of the table of general words and made-up plurals of them."""
    if path is not None:
        return list(dict.fromkeys(path.read_text(encoding="utf-8").split()))[:SCANNED]
    nouns = list(read_hypernyms(ROOT / "lexicons" / HYPERNYMS_FILE))
    return [*nouns, *(f"{noun}s" for noun in nouns)][:SCANNED]


def _print(what: str, work: Callable[[], Any]) -> None:
    wall, cpu = time.perf_counter(), time.process_time()
    work()
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    shown = f"{wall:8.2f} s " if wall >= 1 else f"{wall * 1000:8.0f} ms"
    print(f"{what:24}{shown} ({cpu:.2f} s of processor time)")


if __name__ == "__main__":
    main()
