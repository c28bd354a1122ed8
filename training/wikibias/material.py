"""The corpus of the tables: WIKIBIAS where it is, else what stands in its place, made once in the same layout."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from training.corpora.base import CorpusError, checksum, open_file, tell
from training.corpora.pairs import WNC_FACTS
from training.corpora.wikibias import auto_is_here, files_here, is_here, load_auto_tagged, load_tagged
from training.wikibias.files import name_of, write_corpus
from training.wikibias.model import Material, Tagged

OFFICIAL = "WIKIBIAS"

_VERSION = "1"
"""Changes when the same input files would give another stand-in."""
_SEED = 42
_DIGITS = 16


def gather(
    data: Path,
    *,
    limit: int | None,
    folder: Path,
    injected: Path | None,
    spacy: str,
    say: Callable[[str], None] = tell,
) -> Material:
    """The corpus under ``data/wikibias``, else the stand-in from WNC's pairs and the ``injected`` ones.

    The stand-in is made once into a folder of its own under ``folder`` with the English model ``spacy`` (or ``none``);
    a corpus that was prepared elsewhere in the official layout is simply named as ``data``. Without AUTO, or without
    injected pairs, ``auto`` is empty. ``limit`` caps each part at so many sentences, pairs whole, drawn at random but
    always the same. Raises CorpusError where files are missing or cannot be read.
    """
    home = data
    if not is_here(data):
        home = _stand_in(data, limit=limit, folder=folder, injected=injected, spacy=spacy, say=say)
    auto = load_auto_tagged(home, say) if auto_is_here(home) else []
    manual, dev, test = (load_tagged(home, part, say) for part in ("train", "dev", "test"))
    return Material(
        manual=capped(manual, limit),
        auto=capped(auto, limit),
        dev=capped(dev, limit),
        test=capped(test, limit),
        name=name_of(home) or OFFICIAL,
        mark=_mark(f"{path.relative_to(home).as_posix()} {checksum(path)}" for path in files_here(home)),
    )


def _stand_in(
    data: Path,
    *,
    limit: int | None,
    folder: Path,
    injected: Path | None,
    spacy: str,
    say: Callable[[str], None],
) -> Path:
    """The folder whose ``wikibias`` is the stand-in; its name changes with everything that it is made of."""
    if injected is not None and not injected.is_file():
        raise CorpusError(f"{injected} is not there. Make it with `evenhand train data inject`.")
    files = [open_file(data, name) for name in WNC_FACTS.files] + ([injected] if injected else [])
    made_of = [_VERSION, str(limit), Path(spacy).name, *map(checksum, files)]
    home = folder / f"stand-in-{_mark(made_of)}"
    if is_here(home):
        return home
    from training.wikibias.stand_in import make
    from training.wikibias.subtrees import pipeline

    say("WIKIBIAS is not there: making what stands in its place, once")
    parts = make(data, injected=injected, nlp=pipeline(spacy), limit=limit)
    try:
        write_corpus(home, manual=parts.manual, auto=parts.auto, dev=parts.dev, test=parts.test)
    except CorpusError:
        if not is_here(home):  # another process may have been faster
            raise
    return home


def capped(part: Sequence[Tagged], limit: int | None) -> list[Tagged]:
    """At most ``limit`` sentences in their order, each pair whole or not at all; one group at least."""
    if limit is None or len(part) <= limit:
        return list(part)
    groups: dict[str, list[int]] = {}
    for at, sentence in enumerate(part):
        groups.setdefault(sentence.group or f"\0{at}", []).append(at)
    order = list(groups.values())
    random.Random(_SEED).shuffle(order)
    chosen = list(order[0])
    for group in order[1:]:
        if len(chosen) + len(group) <= limit:
            chosen += group
    return [part[at] for at in sorted(chosen)]


def _mark(lines: Iterable[str]) -> str:
    return hashlib.sha256("\n".join(lines).encode("utf-8", "surrogateescape")).hexdigest()[:_DIGITS]
