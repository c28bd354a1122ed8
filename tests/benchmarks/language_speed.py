"""How long it takes to tell the language of new sentences, beside reading them.

    python -m tests.benchmarks.language_speed [--sentences N]

Prints figures and asserts nothing: run it on a quiet machine.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable

from core.engine.engine import bundled_reader
from core.engine.language import detect_language
from core.engine.reader import Reader
from tests.benchmarks.beside.text import sentences

_FOREIGN = "Der Minister wies am Dienstag alle Vorwürfe der Opposition zum {number}. Mal scharf zurück."


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description="Speed of telling the language of sentences.")
    parser.add_argument("--sentences", type=int, default=2_000)
    count = parser.parse_args().sentences
    plain = sentences(count)
    headlines = [" ".join(words[:5]).title() for words in map(str.split, plain)]
    reader = Reader.load(bundled_reader())
    reader.read(["Warm."])
    _print("detector, loaded", 1, lambda: detect_language(_FOREIGN))
    _print("English sentences", count, lambda: [detect_language(text) for text in plain])
    _print("English headlines", count, lambda: [detect_language(text) for text in headlines])
    _print(
        "sentences in German",
        count,
        lambda: [detect_language(_FOREIGN.format(number=number)) for number in range(count)],
    )
    _print("sentences read", count, lambda: reader.read(plain))


def _print(what: str, count: int, work: Callable[[], object]) -> None:
    start = time.perf_counter()
    work()
    print(f"{what:24}{1000 * (time.perf_counter() - start) / count:10.3f} ms each")


if __name__ == "__main__":
    main()
