"""Political texts by side: books, headlines, speeches (Pryzant et al. 2020), debates of 2016, Convote.

The samples of WNC are ``wnc/real_world_samples/NAME.tsv`` in the layout of WNC: no header, tab-separated columns id,
src_tok, tgt_tok, src_raw, tgt_raw, src_POS_tags, tgt_parse_tags. These sentences were not revised, so both sides of a
row are equal; src_raw is read, the last two columns may be missing. All of it is in lower case, and the headlines
have lost their apostrophes and dashes.

WIKIBIAS's speeches, the debates of 2020, are in no release; the debates of the presidential election of 2016 and of the
House in 2005 (Convote) are what is available of both parties. Turns are split into sentences; what was not said
(*applause*) and marks of the release (*xz4003430*) are removed.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from core.documents.sentences import split
from training.corpora.allsides import strip_markup
from training.corpora.files import UnreadableRows, read_lines, read_table
from training.types import CorpusError, CorpusFacts, OnMessage, locate_file, open_file, print_to_stderr

BOOKS, NEWS, SPEECHES = "books", "news", "speeches"
_RAW = 3
_COLUMNS = range(5, 8)
_STAGE = re.compile(r"\[[^\]\[]*\]")


class Side(StrEnum):
    """The side that a text is on, as its corpus says."""

    LEFT = "left"
    RIGHT = "right"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class Passage:
    """One sentence or headline, the corpus it is from, and the side of its author."""

    text: str
    corpus: str
    side: Side


PLACES = {
    "ibc_left": (BOOKS, Side.LEFT),
    "ibc_right": (BOOKS, Side.RIGHT),
    "news_left": (NEWS, Side.LEFT),
    "news_right": (NEWS, Side.RIGHT),
    "news_sensationalist_dramatic": (NEWS, Side.NONE),
    "speeches": (SPEECHES, Side.RIGHT),
}
"""Corpus and side of each file. The speeches are those of Donald Trump's campaign of 2016."""

FACTS = CorpusFacts(
    key="real-world",
    name="Real-world samples (WNC)",
    homepage="https://github.com/rpryzant/neutralizing-bias",
    licence="MIT (repository); the sentences are their authors' and publishers'",
    files=tuple(f"wnc/real_world_samples/{name}.tsv" for name in PLACES),
    manual_steps="They come with WNC: its repository names the archive bias_data.zip. Unpack it and copy its folder "
    "real_world_samples to wnc/real_world_samples; each file's name must end in .tsv.",
)


def load(data: Path, *, on_message: OnMessage = print_to_stderr) -> list[Passage]:
    """The sentences of every file that is there, each once in its file, in ordinary writing.

    What stands in square brackets (*applause*, *video*) is left out. Rows that cannot be read are reported in a line
    for each file. Raises CorpusError where there is none of the files, and for one of which nothing can be read.
    """
    here = [
        name for name, place in zip(PLACES, FACTS.files, strict=True) if locate_file(data, place).is_file()
    ]
    found: list[Passage] = []
    for name in here or list(PLACES)[:1]:
        path = open_file(data, f"wnc/real_world_samples/{name}.tsv")
        corpus, side = PLACES[name]
        found += (Passage(text, corpus, side) for text in dict.fromkeys(_texts(path, on_message)))
    return found


def normalize_quotes(text: str) -> str:
    """``text`` without Penn Treebank's tokens, what stands in square brackets, and needless white space."""
    return " ".join(strip_markup(_STAGE.sub(" ", text)).split())


def _texts(path: Path, on_message: OnMessage) -> Iterator[str]:
    unread = UnreadableRows(path, on_message)
    for line in unread.reading(enumerate(read_lines(path), start=1)):
        columns = line.rstrip("\r\n").split("\t")
        text = normalize_quotes(columns[_RAW]) if len(columns) in _COLUMNS else ""
        if any(map(str.isalpha, text)):
            yield text
        elif len(columns) in _COLUMNS:
            unread.leave_out("no words in column 4 (src_raw)")
        else:
            wanted = f"{_COLUMNS[0]} to {_COLUMNS[-1]} expected, tabs between them"
            unread.leave_out(f"{len(columns)} column{'s' * (len(columns) > 1)}, {wanted}")


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
    homepage="https://www.kaggle.com/datasets/mrisdal/2016-us-presidential-debates",
    licence="CC0",
    files=("debates_2016.csv",),
    manual_steps="Its home asks for an account. Download debate.csv there and save it as debates_2016.csv, in UTF-8.",
)
CONVOTE_FACTS = CorpusFacts(
    key="convote",
    name="Convote (House debates 2005)",
    homepage="https://www.cs.cornell.edu/home/llee/data/convote.html",
    licence="research use",
    files=("convote/convote_v1.1_stage_one.jsonl.xz",),
    manual_steps="Download the archive (v1.1) at its home, unpack it and copy its folder data_stage_one to "
    "convote/data_stage_one; or put the speeches into the file, one JSON object a line (party, text).",
    folder="convote/data_stage_one",
)


def load_debates(data: Path, *, on_message: OnMessage = print_to_stderr) -> list[Passage]:
    """The sentences of four words or more of both candidates, each once for each of them. Raises CorpusError."""
    path = open_file(data, DEBATES_FACTS.files[0])
    unread = UnreadableRows(path, on_message)
    found: list[Passage] = []
    for row in unread.reading(read_table(path, columns=("Speaker", "Text"), delimiter=",")):
        side = CANDIDATES.get(row["Speaker"].strip())
        if not row["Text"].strip():
            unread.leave_out("no text")
            continue
        if side is not None:
            turn = normalize_quotes(_UNSAID.sub(" ", row["Text"]))
            found += (
                Passage(turn[start:end], DEBATES, side)
                for start, end in split(turn)
                if _long_enough(turn[start:end])
            )
    if not found:
        raise CorpusError(f"{path} contains no turn of {' or '.join(CANDIDATES)}. Is it the debates' file?")
    return list(dict.fromkeys(found))


def load_convote(data: Path, *, on_message: OnMessage = print_to_stderr) -> list[Passage]:
    """The sentences of four words or more of both parties, each once for each party. Raises CorpusError."""
    folder = data / CONVOTE_FACTS.folder
    own = folder.is_dir() and not locate_file(data, CONVOTE_FACTS.files[0]).is_file()
    path = folder if own else open_file(data, CONVOTE_FACTS.files[0])
    unread = UnreadableRows(path, on_message)
    found: dict[Passage, None] = {}
    for party, text in unread.reading(_files(path) if own else _objects(path)):
        if not text.strip():
            unread.leave_out("no speech: a party and a text are expected")
            continue
        if party in PARTIES:
            for line in text.split("\n"):
                sentence = normalize_quotes(_REFERENCE.sub(" ", line))
                if _long_enough(sentence):
                    found[Passage(sentence, CONGRESS, PARTIES[party])] = None
    if not found:
        raise CorpusError(f"{path} contains no speech of a party (D or R). Is it Convote's first stage?")
    return list(found)


def _objects(path: Path) -> Iterator[tuple[int, tuple[str, str]]]:
    """Number, party and text of every line; no text where it is no such object."""
    for number, line in enumerate(read_lines(path), start=1):
        try:
            row = json.loads(line)
            yield number, (str(row["party"]), str(row["text"]))
        except (ValueError, KeyError, TypeError, RecursionError):
            yield number, ("", "")


def _files(folder: Path) -> Iterator[tuple[int, tuple[str, str]]]:
    """The same of the official folder, where a file's name says the party: ``055_400144_1031004_DON.txt``."""
    for number, path in enumerate(sorted(folder.glob("*/*.txt")), start=1):
        named = _NAME.fullmatch(path.stem)
        yield number, (named[1], "".join(read_lines(path))) if named else ("", "")


def _long_enough(sentence: str) -> bool:
    return len(sentence.split()) >= _LEAST_WORDS


COMPASS_FILE = "polilean/pct_scoring_weights.json"
COMPASS_FACTS = CorpusFacts(
    key="compass",
    name="Political compass statements and weights",
    homepage="https://github.com/BunsenFeng/PoliLean",
    licence="MIT (release of the statements); CC BY 4.0 (weights, https://github.com/paul-rottger/llm-values-pct)",
    files=(COMPASS_FILE,),
    manual_steps="Take the statements from response/example.jsonl of the release and the weights from "
    "pct_helpers.py of "
    "Röttger et al., and write both into polilean/pct_scoring_weights.json: econ_init, soc_init, and items with id, "
    "statement, econ and soc, each four numbers from strongly disagree to strongly agree.",
)
