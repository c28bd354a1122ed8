"""Hate speech: tweets (Davidson et al. 2017), talk pages, Wiki Madlibs (Dixon et al. 2018), and the word list LDNOOBW.

Badjatiya et al. 2019 (section 5.1) use the tweets with hate speech and offensive language as one class. They train on
WikiDetox (Wulczyn et al. 2017) with 95,692, 32,128 and 31,866 comments; the file read here holds 76,881 comments that
several people drew from Jigsaw's release of the same talk pages, 21% of them toxic (WikiDetox: about 10%), without
those parts: results on it can be compared with the paper's, but the experiment is not the same. With Wiki Madlibs
come the non-toxic sentences from Wikipedia articles that Dixon et al. add to the training rows, so that identity
terms do not occur mainly in hateful comments. The words of LDNOOBW are abusive by themselves: they never count as
bias sensitive words.
"""

from __future__ import annotations

import html
import random
import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from training.corpora.files import UnreadableRows, read_lines, read_table
from training.types import (
    DOWNLOAD_AGAIN,
    CorpusError,
    CorpusFacts,
    Download,
    OnMessage,
    open_file,
    print_to_stderr,
    require_classes,
)

URL = "<url>"
"""Replaces every address, because an address hardly ever occurs twice."""

_TOKEN = re.compile(
    r"(?P<url>https?:\S*|www\.\S+)|(?P<mention>(?<!\w)@\w+)|(?P<word>[^\W_]+(?:'[^\W_]+)*)", re.IGNORECASE
)

_APOSTROPHES = str.maketrans({"’": "'", "‘": "'", "ʼ": "'", "`": "'"})


@dataclass(frozen=True, slots=True)
class LabelledText:
    """One text, its tokens as ``tokens`` gives them, and whether its corpus calls it hateful."""

    text: str
    tokens: tuple[str, ...]
    hateful: bool


@dataclass(frozen=True, slots=True)
class Split:
    """The three parts of a corpus."""

    train: tuple[LabelledText, ...]
    dev: tuple[LabelledText, ...]
    test: tuple[LabelledText, ...]


def tokens(text: str) -> tuple[str, ...]:
    """The words of a text in lower case, with the apostrophes inside them: *don't* is one, *feelin'* is ``feelin``.

    Character references (``&amp;``) are read first. A mention stays as it is, with its ``@``: section 3 of the paper
    shows classifiers that stereotype one. An address becomes ``URL``; the ``#`` of a hashtag, punctuation and emoji
    go. No token of a text looks like a tag but ``URL``.
    """
    plain = html.unescape(text).translate(_APOSTROPHES)
    return tuple(
        URL if match.lastgroup == "url" else match.group().lower() for match in _TOKEN.finditer(plain)
    )


CLASSES = ("neutral", "hateful")
_PARTS = 10
"""One part in so many is dev, one is test."""


def read_labelled_texts(
    data: Path,
    place: str,
    *,
    classes: Mapping[str, bool],
    columns: tuple[str, str],
    corpus: str,
    on_message: OnMessage,
) -> list[LabelledText]:
    """The rows of a table with a column of ``classes`` (hateful or not) and one of texts, in the order of the file.

    Raises CorpusError where the file is not of the layout, and where one of the two classes is missing.
    """
    path, (label, text) = open_file(data, place), columns
    unread = UnreadableRows(path, on_message, expected=f"{text}, and {label} {', '.join(classes)}")
    found = []
    for row in unread.reading(read_table(path, columns=columns, delimiter=",")):
        hateful = classes.get(row[label].strip())
        if hateful is None:
            unread.leave_out(f"{label} is {row[label][:40]!r}")
        elif not row[text].strip():
            unread.leave_out("no text")
        else:
            found.append(label_text(row[text], hateful))
    require_both_classes(found, corpus=corpus)
    return found


def label_text(text: str, hateful: bool) -> LabelledText:
    """A row of a corpus."""
    return LabelledText(text, tokens(text), hateful)


def require_both_classes(rows: Sequence[LabelledText], *, corpus: str) -> None:
    """Raise CorpusError unless rows of both classes are there."""
    require_classes((int(row.hateful) for row in rows), CLASSES, corpus=corpus)


def split_by_tokens(rows: Sequence[LabelledText], *, seed: int) -> Split:
    """Train, dev and test as 8:1:1, each with about the same share of hateful rows; the rows keep their order.

    Rows of the same tokens stay in one part, whatever their labels: a classifier cannot tell them apart.
    """
    groups: defaultdict[tuple[str, ...], list[int]] = defaultdict(list)
    for place, row in enumerate(rows):
        groups[row.tokens].append(place)
    strata: dict[bool, list[list[int]]] = {False: [], True: []}
    for group in groups.values():
        strata[rows[group[0]].hateful].append(group)
    draw = random.Random(seed)
    part_of: dict[int, int] = {}
    for stratum in strata.values():
        draw.shuffle(stratum)
        wanted = round(sum(map(len, stratum)) / _PARTS)
        part, filled = 0, 0
        for group in stratum:
            if part < 2 and filled >= wanted:
                part, filled = part + 1, 0
            filled += len(group)
            part_of.update(dict.fromkeys(group, part))
    dev, test, train = (
        tuple(row for place, row in enumerate(rows) if part_of[place] == part) for part in range(3)
    )
    return Split(train, dev, test)


_DAVIDSON_FILE = "davidson/labeled_data.csv"

DAVIDSON_FACTS = CorpusFacts(
    key="davidson",
    name="Hate speech and offensive language (Davidson)",
    homepage="https://github.com/t-davidson/hate-speech-and-offensive-language",
    licence="MIT (repository); the tweets are their authors'",
    files=(_DAVIDSON_FILE,),
    downloads=(
        Download(
            "https://raw.githubusercontent.com/t-davidson/hate-speech-and-offensive-language/"
            "6a1e3f02522963d820e302c3ad48b189552c143b/data/labeled_data.csv",
            _DAVIDSON_FILE,
        ),
    ),
)
_DAVIDSON_HATEFUL = {"0": True, "1": True, "2": False}
"""By ``class``: hate speech, offensive language, neither."""


def load_davidson(data: Path, *, on_message: OnMessage = print_to_stderr) -> list[LabelledText]:
    """All tweets in the order of the file.

    Raises CorpusError where the file is not of the layout, and where one of the two classes is missing.
    """
    return read_labelled_texts(
        data,
        _DAVIDSON_FILE,
        classes=_DAVIDSON_HATEFUL,
        columns=("class", "tweet"),
        corpus="davidson",
        on_message=on_message,
    )


def split_davidson(data: Path, *, seed: int, on_message: OnMessage = print_to_stderr) -> Split:
    """The tweets as 8:1:1, the shares of the paper; its own split was not published."""
    return split_by_tokens(load_davidson(data, on_message=on_message), seed=seed)


_TALK_PAGES_FILE = "wikipedia_toxicity_partial/merged_binary.csv.xz"

TALK_PAGES_FACTS = CorpusFacts(
    key="talk-pages",
    name="Wikipedia talk pages (a union of samples)",
    homepage="https://www.kaggle.com/c/jigsaw-toxic-comment-classification-challenge",
    licence="CC0 (Jigsaw's release), of the samples none stated; the comments CC BY-SA (Wikipedia)",
    files=(_TALK_PAGES_FILE,),
    manual_steps="This union of samples has no home of its own that the project knows. Whoever gave you the "
    "corpora has it; "
    "or make one of the comments of Jigsaw's release at the home (an account is needed): "
    "wikipedia_toxicity_partial/merged_binary.csv with the columns comment_text and toxic (0 or 1), packed with xz or "
    "not.",
)
_TOXIC = {"0": False, "1": True}


def load_talk_pages(data: Path, *, on_message: OnMessage = print_to_stderr) -> list[LabelledText]:
    """All comments in the order of the file; toxic ones are hateful.

    Raises CorpusError where the file is not of the layout, and where one of the two classes is missing.
    """
    return read_labelled_texts(
        data,
        _TALK_PAGES_FILE,
        classes=_TOXIC,
        columns=("toxic", "comment_text"),
        corpus="talk-pages",
        on_message=on_message,
    )


def split_talk_pages(data: Path, *, seed: int, on_message: OnMessage = print_to_stderr) -> Split:
    """The comments as 8:1:1."""
    return split_by_tokens(load_talk_pages(data, on_message=on_message), seed=seed)


_TEMPLATES = "madlibs/bias_madlibs_77k.csv"
_ADDITIONS = "madlibs/toxicity_debiasing_data.tsv"
_HOME = "https://raw.githubusercontent.com/conversationai/unintended-ml-bias-analysis"

MADLIBS_FACTS = CorpusFacts(
    key="madlibs",
    name="Wiki Madlibs and the additions of Dixon et al.",
    homepage="https://github.com/conversationai/unintended-ml-bias-analysis",
    licence="CC BY 4.0; the additions CC BY-SA (Wikipedia)",
    files=(_TEMPLATES, _ADDITIONS),
    downloads=(
        Download(
            f"{_HOME}/ff0f436f0c3bf336702f80644b935b9bcc296cb4/unintended_ml_bias/eval_datasets/bias_madlibs_77k.csv",
            _TEMPLATES,
        ),
        Download(
            f"{_HOME}/18295478eb0a5fe959403c260e7f252f7ee6ea97/data/toxicity_debiasing_data.tsv", _ADDITIONS
        ),
    ),
)
MADLIBS_PARTS = ("train", "dev", "test")
_HATEFUL = {"BAD": True, "NOT_BAD": False}
_NEUTRAL = {"false": False, "true": True}
_MISSPELT = re.compile(r"\bmillenial\b")


def load_madlibs(data: Path, *, on_message: OnMessage = print_to_stderr) -> list[LabelledText]:
    """All sentences from templates in the order of the file.

    The file writes *millenial*; it is read as *millennial*, the spelling of the paper's Table 3. Raises CorpusError
    where the file is not of the layout, and where one of the two classes is missing.
    """
    path = open_file(data, _TEMPLATES)
    unread = UnreadableRows(path, on_message, expected="Text and Label, BAD or NOT_BAD")
    found = []
    for row in unread.reading(read_table(path, columns=("Text", "Label"), delimiter=",")):
        hateful = _HATEFUL.get(row["Label"].strip())
        text = _MISSPELT.sub("millennial", row["Text"])
        if hateful is None:
            unread.leave_out(f"unknown label {row['Label'][:40]!r}")
        elif not text.strip():
            unread.leave_out("no text")
        else:
            found.append(label_text(text, hateful))
    require_both_classes(found, corpus="madlibs")
    return found


def load_madlibs_additions(
    data: Path, *, part: str = "train", on_message: OnMessage = print_to_stderr
) -> list[LabelledText]:
    """The further neutral sentences of one part: 3,465 in train, as the paper says (section 5.4.2).

    A row that is called toxic is left out and reported. Raises CorpusError where the file is not of the layout, and
    where the part has no row.
    """
    path = open_file(data, _ADDITIONS)
    expected = "comment, is_toxic False, and split train, dev or test"
    unread = UnreadableRows(path, on_message, expected=expected)
    found = []
    for row in unread.reading(read_table(path, columns=("comment", "is_toxic", "split"), delimiter="\t")):
        toxic = _NEUTRAL.get(row["is_toxic"].strip().lower())
        if row["split"] not in MADLIBS_PARTS:
            unread.leave_out(f"unknown split {row['split'][:40]!r}")
        elif toxic is not False:
            unread.leave_out(f"is_toxic is {row['is_toxic'][:40]!r}")
        elif not row["comment"].strip():
            unread.leave_out("no text")
        elif row["split"] == part:
            found.append(label_text(row["comment"], False))
    if not found:
        raise CorpusError(f"{path} contains no row of the part {part}. Get the file again from its home.")
    return found


_BAD_WORDS_FILE = "badwords/en.txt"

BAD_WORDS_FACTS = CorpusFacts(
    key="badwords",
    name="Obscene words (LDNOOBW)",
    homepage="https://github.com/LDNOOBW/List-of-Dirty-Naughty-Obscene-and-Otherwise-Bad-Words",
    licence="CC BY 4.0",
    files=(_BAD_WORDS_FILE,),
    downloads=(
        Download(
            "https://raw.githubusercontent.com/LDNOOBW/List-of-Dirty-Naughty-Obscene-and-Otherwise-Bad-Words/"
            "master/en",
            _BAD_WORDS_FILE,
        ),
    ),
)


ADDED_BAD_WORDS = frozenset(
    "arse cocksucker dickhead dipshit douche douchebag dumbass dyke fucc goddamn hoe idiot jackass moron nicca niggah "
    "nigguh prick retard retarded scumbag shithead stfu thot wanker wtf".split()
)
"""Obvious ones that the list lacks and the corpora are full of: *hoe(s)* is in every sixth of Davidson's tweets."""
_ENDINGS = ("s", "z", "es", "ed", "er", "ers", "in", "ing")


@dataclass(frozen=True, slots=True)
class BadWords:
    """``entries`` as the list has them, in lower case; ``single`` are the tokens that count as abusive.

    The latter are the entries of one token and ``ADDED_BAD_WORDS``, both with their endings too (*-s*, *-ed*, *-ing*,
    …).
    """

    entries: frozenset[str]
    single: frozenset[str]


def load_bad_words(data: Path) -> BadWords:
    """The list, one entry a line; entries without a word in them (a sign) are passed over.

    Raises CorpusError where there is no entry.
    """
    path = open_file(data, _BAD_WORDS_FILE)
    split = {entry: pieces for line in read_lines(path) if (pieces := tokens(entry := line.strip().lower()))}
    if not split:
        raise CorpusError(f"{path} contains no words. {DOWNLOAD_AGAIN}")
    single = {pieces[0] for pieces in split.values() if len(pieces) == 1}
    return BadWords(
        frozenset(split),
        frozenset(form for word in (*single, *ADDED_BAD_WORDS) for form in (word, *_forms(word))),
    )


def _forms(word: str) -> list[str]:
    """The word with every ending, with its last letter left out (*rap-ed*), doubled (*slut-t-ed*) and as *-ies*."""
    stems = (word, word + word[-1], word[:-1] if word.endswith("e") else word)
    forms = [stem + ending for stem in stems for ending in _ENDINGS]
    return [*forms, word[:-1] + "ies"] if word.endswith("y") else forms
