"""Types, saves and keeps versions in children that are killed at random points, and looks at what is left.

``python -m tests.reliability.killing 1000 [seed]`` prints how many kills there were and what was lost; its exit code is
1 if anything was. A process of its own, without threads, so that its children start warm by a fork.
"""

from __future__ import annotations

import contextlib
import os
import random
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path

from app.editor.positions import utf16_length
from core.documents.types import Format
from core.storage import journal as journal_module
from core.storage.files import read_text, write_text
from core.storage.journal import Journal, find_orphans
from core.storage.journal_format import DraftLocation
from core.storage.store import Store

_WORDS = ("the ", "record 👍🏽 ", "shameful ", "é\n", "no\u00a0break ", "\n\n", "x", "y", "z ")
_LONGEST_S = 0.12
_STEPS = 4_000
_AHEAD = 1_500
"""Steps that a child can be ahead of what it has told."""


@dataclass
class Left:
    """What a child has told before it was killed: the last step that was journalled, saved and kept."""

    journalled: int = 0
    saved: int = -1
    kept: set[int] = field(default_factory=set)


def typing(seed: int) -> Iterator[tuple[int, int, str, str]]:
    """The edits of a seed, always the same: start, removed (both in UTF-16 units), inserted, and the text after."""
    chance = random.Random(seed)
    text = ""
    for _ in range(_STEPS):
        start = chance.choice((len(text), chance.randint(0, len(text))))
        end = min(start + chance.choice((0, 0, 0, 1, 2)), len(text))
        inserted = chance.choice(_WORDS) * (40 if chance.random() < 0.02 else 1)
        before, removed = utf16_length(text[:start]), utf16_length(text[start:end])
        text = text[:start] + inserted + text[end:]
        yield before, removed, inserted, text


def child(folder: Path, seed: int, pipe: int) -> None:
    """Type until the end comes; tell through the pipe what lies on the disk."""
    chance = random.Random(seed + 1)
    journal_module.LARGE_JOURNAL = chance.choice((500, 3_000, 4_000_000))
    journal_module.MAX_GROWTH = chance.choice((1, 20))
    path, uid = folder / f"{seed}.md", f"{seed:08d}-draft"
    place = DraftLocation(uid, path.name, path, Format.MARKDOWN)
    journal = Journal(folder / "journals", place)
    store = Store.open(folder / "store.sqlite3")
    revisions: list[tuple[int, int]] = []
    for step, (start, removed, inserted, text) in enumerate(typing(seed), 1):
        revisions.append((journal.edit(start, removed, inserted), step))
        if chance.random() < 0.2:
            journal.wait(journal.revision)
        while revisions and revisions[0][0] <= journal.written_revision:
            os.write(pipe, f"J {revisions.pop(0)[1]}\n".encode())
        if chance.random() < 0.05:
            write_text(path, text, encoding="utf-8")
            os.write(pipe, f"S {step}\n".encode())
            journal.saved(place)
        if chance.random() < 0.04:
            store.open_draft(uid, name=path.name, path=path)
            store.save_version(uid, text, format=Format.MARKDOWN, why="saved")
            os.write(pipe, f"V {step}\n".encode())
    time.sleep(60)


def kill_one(folder: Path, seed: int, chance: random.Random) -> str:
    """One kill; returns what was lost, or nothing."""
    reading, writing = os.pipe()
    pid = os.fork()
    if pid == 0:
        code = 1
        with contextlib.suppress(BaseException):
            os.close(reading)
            child(folder, seed, writing)
            code = 0
        os._exit(code)
    os.close(writing)
    time.sleep(chance.uniform(0.0, _LONGEST_S))
    os.kill(pid, signal.SIGKILL)
    _, status = os.waitpid(pid, 0)
    with os.fdopen(reading, "rb") as pipe:
        told = pipe.read().decode().split("\n")[:-1]
    if not os.WIFSIGNALED(status):
        return "the child ended by itself"
    left = Left()
    for line in told:
        kind, number = line.split()
        if kind == "J":
            left.journalled = max(left.journalled, int(number))
        elif kind == "S":
            left.saved = int(number)
        else:
            left.kept.add(int(number))
    return lost(folder, seed, left)


def lost(folder: Path, seed: int, left: Left) -> str:
    """What a child had told to be on the disk and is not there."""
    far = max(left.journalled, left.saved, *left.kept, 0) + _AHEAD
    texts = ["", *(text for _, _, _, text in islice(typing(seed), far))]
    path = folder / f"{seed}.md"
    on_disk = read_text(path).text if path.exists() else None
    if on_disk is None and left.saved >= 0:
        return "the saved file is not there"
    if on_disk is not None and on_disk not in texts[max(left.saved, 0) :]:
        return "the file is none of the saved states"
    found = find_orphans(folder / "journals")
    if found.unreadable:
        return "the journal cannot be read"
    known = [orphan.text for orphan in found.orphans if not orphan.damaged]
    for orphan in found.orphans:
        orphan.discard()
    # A journal whose text was saved is done with: the file tells the text then.
    known += [on_disk] if on_disk is not None else []
    if left.journalled and not any(text in texts[left.journalled :] for text in known):
        return f"edit {left.journalled} was acknowledged and is gone"
    store = Store.open(folder / "store.sqlite3")
    try:
        kept = {store.text_of(version.id) for version in store.versions(f"{seed:08d}-draft")}
    finally:
        store.close()
    if any(texts[step] not in kept for step in left.kept):
        return "a version that was kept is gone"
    return "" if kept <= set(texts) else "a version is none of the texts"


def main(kills: int, seed: int) -> int:
    """Kill ``kills`` children; prints one line, and one for each loss."""
    chance = random.Random(seed)
    folder = Path(tempfile.mkdtemp(prefix="kills-"))
    losses = []
    try:
        Store.open(folder / "store.sqlite3").close()
        for number in range(kills):
            if said := kill_one(folder, seed * 100_000 + number, chance):
                losses.append(f"seed {seed * 100_000 + number}: {said}")
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    print("\n".join((f"kills {kills} losses {len(losses)}", *losses)))
    return bool(losses)


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 1))
