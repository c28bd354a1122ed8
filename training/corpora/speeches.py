"""Political speech by party: the debates of the US presidential election of 2016, and of the House in 2005 (Convote).

WIKIBIAS's own speeches, the debates of 2020, are in no release; these are what there is of both parties. Turns are cut
into sentences; what nobody said (*applause*) and marks of the release (*xz4003430*) are taken out.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path

from core.documents.sentences import split
from training.corpora.base import CorpusError, CorpusFacts, located, open_file, tell
from training.corpora.reading import Unread, lines, table
from training.corpora.real_world import Passage, Side, ordinary

DEBATES, CONGRESS = "debates 2016", "House 2005"
PARTIES = {"D": Side.LEFT, "R": Side.RIGHT}
CANDIDATES = {"Clinton": Side.LEFT, "Trump": Side.RIGHT}
_LEAST_WORDS = 4
_UNSAID = re.compile(r"\((?:[A-Z ]+|inaudible|ph)\)")
_REFERENCE = re.compile(r"\bxz\d+")
_NAME = re.compile(r"\d{3}_\d{6}_\d{7}_([A-Z])[A-Z]{2}")

DEBATES_FACTS = CorpusFacts(
    key="debates",
    name="Presidential debates 2016",
    home="https://www.kaggle.com/datasets/mrisdal/2016-us-presidential-debates",
    licence="CC0",
    files=("debates_2016.csv",),
    person="Its home asks for an account. Download debate.csv there and save it as debates_2016.csv, in UTF-8.",
)
CONVOTE_FACTS = CorpusFacts(
    key="convote",
    name="Convote (House debates 2005)",
    home="https://www.cs.cornell.edu/home/llee/data/convote.html",
    licence="research use",
    files=("convote/convote_v1.1_stage_one.jsonl.xz",),
    person="Download the archive (v1.1) at its home, unpack it and copy its folder data_stage_one to "
    "convote/data_stage_one; or put the speeches into the file, one JSON object a line (party, text).",
    folder="convote/data_stage_one",
)


def load_debates(data: Path, *, say: Callable[[str], None] = tell) -> list[Passage]:
    """The sentences of four words or more of both candidates, each once for each of them. Raises CorpusError."""
    path = open_file(data, DEBATES_FACTS.files[0])
    unread, read = Unread(path, say), 0
    found: list[Passage] = []
    for number, row in table(path, columns=("Speaker", "Text"), delimiter=","):
        side = CANDIDATES.get(row["Speaker"].strip())
        if not row["Text"].strip():
            unread.add(number, "no text")
            continue
        read += 1
        if side is not None:
            turn = ordinary(_UNSAID.sub(" ", row["Text"]))
            found += (
                Passage(turn[start:end], DEBATES, side)
                for start, end in split(turn)
                if _long_enough(turn[start:end])
            )
    unread.done(read)
    if not found:
        raise CorpusError(f"{path} holds no turn of {' or '.join(CANDIDATES)}. Is it the debates' file?")
    return list(dict.fromkeys(found))


def load_convote(data: Path, *, say: Callable[[str], None] = tell) -> list[Passage]:
    """The sentences of four words or more of both parties, each once for each party. Raises CorpusError."""
    folder = data / CONVOTE_FACTS.folder
    own = folder.is_dir() and not located(data, CONVOTE_FACTS.files[0]).is_file()
    path = folder if own else open_file(data, CONVOTE_FACTS.files[0])
    unread, read = Unread(path, say), 0
    found: dict[Passage, None] = {}
    for number, party, text in _files(path) if own else _objects(path):
        if not text.strip():
            unread.add(number, "no speech: a party and a text are expected")
            continue
        read += 1
        if party in PARTIES:
            for line in text.split("\n"):
                sentence = ordinary(_REFERENCE.sub(" ", line))
                if _long_enough(sentence):
                    found[Passage(sentence, CONGRESS, PARTIES[party])] = None
    unread.done(read)
    if not found:
        raise CorpusError(f"{path} holds no speech of a party (D or R). Is it Convote's first stage?")
    return list(found)


def _objects(path: Path) -> Iterator[tuple[int, str, str]]:
    """Number, party and text of every line; no text where it is no such object."""
    for number, line in enumerate(lines(path), start=1):
        try:
            row = json.loads(line)
            yield number, str(row["party"]), str(row["text"])
        except (ValueError, KeyError, TypeError, RecursionError):
            yield number, "", ""


def _files(folder: Path) -> Iterator[tuple[int, str, str]]:
    """The same of the official folder, where a file's name says the party: ``055_400144_1031004_DON.txt``."""
    for number, path in enumerate(sorted(folder.glob("*/*.txt")), start=1):
        named = _NAME.fullmatch(path.stem)
        yield number, named[1] if named else "", "".join(lines(path)) if named else ""


def _long_enough(sentence: str) -> bool:
    return len(sentence.split()) >= _LEAST_WORDS
