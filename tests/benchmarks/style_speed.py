"""What style rules add to the reading of new sentences: ``python -m tests.benchmarks.style_speed [--sentences N]``.

Prints figures and asserts nothing: run it on a quiet machine.
"""

from __future__ import annotations

import argparse
import statistics
import time

from core.documents import Format, parse
from core.engine.engine import Engine
from core.style.library import bundled_folder
from core.style.matcher import StyleMatcher
from core.style.packs import load_pack
from core.style.style_findings import StyleChecker
from tests.benchmarks.beside.text import sentences

RUNS = 5


def main() -> None:
    """Read different sentences by turns with and without the rules of every bundled pack, and print the medians."""
    parser = argparse.ArgumentParser(description="Speed of style rules beside the reader.")
    parser.add_argument("--sentences", type=int, default=400)
    count = parser.parse_args().sentences
    matcher = StyleMatcher([load_pack(path) for path in sorted(bundled_folder().glob("*.toml"))])
    engine = Engine.load()
    engine.analyse(parse("Warm.", Format.PLAIN))
    plain = sentences(count * RUNS)
    reading, rules = [], []
    for run in range(RUNS):
        document = parse("\n\n".join(plain[run * count : (run + 1) * count]), Format.PLAIN)
        began = time.perf_counter()
        report = engine.analyse(document)
        reading.append(time.perf_counter() - began)
        checker = StyleChecker(matcher)
        began = time.perf_counter()
        checker.add_to(report, document)
        rules.append(time.perf_counter() - began)
    read, ruled = statistics.median(reading), statistics.median(rules)
    print(f"{count:,} sentences, {len(matcher.rules)} rules")
    print(f"reading {read:.3f} s, rules {ruled:.3f} s: {100 * ruled / read:.1f}% of the reading")


if __name__ == "__main__":
    main()
