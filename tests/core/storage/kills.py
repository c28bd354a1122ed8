"""Kills a process that writes to the store repeatedly: ``python tests/core/storage/kills.py FOLDER NUMBER [SEED]``.

A child keeps versions, ignores and forgets, and says each time when the store has returned. It is killed at a random
moment. Then the store must open whole, and hold all that was said; what was under way may be there or not, whole.
"""

from __future__ import annotations

import contextlib
import json
import os
import random
import select
import signal
import sys
import time
from pathlib import Path

from core.documents.types import Format
from core.storage.store import Store
from core.storage.types import Ignore
from core.types import Kind

State = dict[str, tuple[list[str], list[str]]]
_LONGEST_S = 0.1


def work(place: Path, seed: int, out: int) -> None:
    """Write without an end; before each deed it is announced, after it acknowledged, one line of JSON each."""
    some = random.Random(seed)
    store = Store.open(place)
    uids = [store.open_draft(None, name=f"{at}", path=Path("/nowhere", f"{at}.md")).uid for at in range(3)]

    def say(*what: object) -> None:
        os.write(out, (json.dumps(what) + "\n").encode())

    for turn in range(10**9):
        uid, word = some.choice(uids), f"{seed}-{turn} {some.getrandbits(64):x} " * some.randint(1, 400)
        deed = some.choices(("keep", "ignore", "forget"), (6, 3, 1))[0]
        say("begin", deed, uid, word)
        if deed == "keep":
            store.save_version(uid, word, format=Format.PLAIN, why="kept")
        elif deed == "ignore":
            store.ignore(uid, Ignore("words", Kind.FRAMING, word.strip(), "f"))
        else:
            store.forget(uid)
            uids[uids.index(uid)] = store.open_draft(uid, name=uid, path=Path("/nowhere", f"{uid}.md")).uid
        say("end", deed, uid, word)


def after(state: State, deed: str, uid: str, word: str) -> State:
    """What the store holds once a deed is done."""
    kept, ignored = state.get(uid, ([], []))
    if deed == "forget":
        return {key: value for key, value in state.items() if key != uid}
    new = ([*kept, word], ignored) if deed == "keep" else (kept, [*ignored, word.strip()])
    return state | {uid: new}


def held(store: Store, uids: set[str]) -> State:
    """What the store holds."""
    found: State = {}
    for uid in uids:
        kept = [store.text_of(version.id) for version in store.versions(uid)]
        ignored = [one.words.strip() for one in store.ignores(uid)]
        if kept or ignored:
            found[uid] = (kept, ignored)
    return found


def child(place: Path, seed: int) -> tuple[int, int]:
    """Start a writer; returns its number and the end of the pipe on which it speaks."""
    reading, writing = os.pipe()
    number = os.fork()
    if not number:
        os.close(reading)
        with contextlib.suppress(BaseException):
            work(place, seed, writing)
        os._exit(1)
    os.close(writing)
    return number, reading


def heard(reading: int, process: int, pause_s: float, *, at_work: bool) -> list[list[str]]:
    """Listen to the writer for a while (counted from its first word if ``at_work``), kill it, and return its words."""
    data, until = b"", None if at_work else time.monotonic() + pause_s
    while until is None or time.monotonic() < until:
        left = 0.01 if until is None else max(0.0, until - time.monotonic())
        if select.select([reading], [], [], left)[0]:
            more = os.read(reading, 1 << 16)
            if not more:
                break
            data += more
        if data and until is None:
            until = time.monotonic() + pause_s
    os.kill(process, signal.SIGKILL)
    with open(reading, "rb") as pipe:
        data += pipe.read()
    return [json.loads(line) for line in data.split(b"\n")[:-1]]


def main(folder: Path, number: int, seed: int) -> int:
    """Kill ``number`` writers; returns how many deeds were acknowledged. Raises AssertionError where one is lost."""
    place = folder / "evenhand.sqlite3"
    some = random.Random(seed)
    state: State = {}
    uids: set[str] = set()
    done = 0
    for turn in range(number):
        process, reading = child(place, seed * 1_000_003 + turn)
        said = heard(reading, process, some.uniform(0, _LONGEST_S), at_work=some.random() < 0.8)
        _, how = os.waitpid(process, 0)
        assert os.WIFSIGNALED(how), "the writer ended by itself"
        pending = None
        for what, deed, uid, word in said:
            uids.add(uid)
            pending = (deed, uid, word) if what == "begin" else None
            if what == "end":
                state = after(state, deed, uid, word)
                done += 1
        store = Store.open(place)
        assert store.notes == (), store.notes
        assert store.check() == []
        found = held(store, uids)
        store.close()
        allowed = [state] if pending is None else [state, after(state, *pending)]
        assert found in allowed, f"seed {seed}, kill {turn}: something acknowledged is lost"
        state = found
    return done


if __name__ == "__main__":
    print(main(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]) if len(sys.argv) > 3 else 0))
