"""Pairs and statements: WNC (Pryzant et al. 2020), GBNC, gender rewriting, the full WNC, and CW-Hard.

The full WNC, for those who have it, is ``wnc/biased.word.{train,dev,test}`` (edits of one word) and
``wnc/biased.full`` (all edits, released as one file; a split of it is ``wnc/biased.full.{train,dev,test}``): no
header, tab-separated columns id, src_tok, tgt_tok, src_raw, tgt_raw, src_POS_tags, tgt_parse_tags. The last two are
not read and may be missing. CW-Hard (Hube and Fetahu 2019) holds Wikipedia statements that a crowd called biased, and
three kinds of neutral ones.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from core.types import Kind
from training.corpora.files import read_lines, read_table
from training.text.edits import KindFinder, WordEdit
from training.text.revision_spans import char_edits
from training.types import DOWNLOAD_AGAIN, CorpusError, CorpusFacts, Download, Example, GoldSpan, open_file

WNC_FACTS = CorpusFacts(
    key="wnc",
    name="WNC (1.3% part)",
    homepage="https://github.com/rpryzant/neutralizing-bias",
    licence="MIT (repository); text CC BY-SA (Wikipedia)",
    files=(
        "wnc/pairs.train.tsv",
        "wnc/pairs.dev.tsv",
        "wnc/pairs_part2.tsv.xz",
        "wnc/rows_in_wikibias_dev.txt",
        "wnc/biased_only.txt.xz",
    ),
    manual_steps="This part (2,139 and 299 pairs, lower case) has no home of its own that the project knows. "
    "Whoever gave "
    "you the corpora has it; the whole corpus is at its home (`evenhand train data get wnc-full`).",
)
GBNC_FACTS = CorpusFacts(
    key="gbnc",
    name="Gender Bias Neutrality Corpus",
    homepage="no address known to this project",
    licence="none stated",
    files=("gbnc/pairs.tsv",),
    manual_steps="Ask its authors for the corpus and put it into gbnc/pairs.tsv: a header, then biased, tab, "
    "neutral, tab, "
    "type of bias.",
)


GENDER_REWRITING_FACTS = CorpusFacts(
    key="gender-rewriting",
    name="Gender-neutral rewriting",
    homepage="https://github.com/vnmssnhv/NeuTralRewriter",
    licence="CC BY-SA",
    files=tuple(f"gender_rewriting/{name}.tsv.xz" for name in ("winobias_plus", "reddit", "opensubtitles")),
    manual_steps="Take the pairs from its home; each file is a table with the columns gendered and neutral.",
)


EDITED_UNMARKED_WEIGHT = 0.4
"""How much a word that an editor left alone counts as neutral: one edit says little of a sentence's other words."""


@dataclass(frozen=True, slots=True)
class SentencePair:
    """A biased sentence and its neutral version, as their corpus has them. ``group`` stays together in a split."""

    source: str
    target: str
    group: str


def read_rows(path: Path) -> list[list[str]]:
    """Rows of a tab-separated file with a header, at least two columns each, neither empty.

    Raises CorpusError with the row's number for another layout, and where there is no row.
    """
    found: list[list[str]] = []
    for number, line in enumerate(read_lines(path), start=1):
        cells = line.rstrip("\r\n").split("\t")
        if number == 1 or not line.strip():
            continue
        if len(cells) < 2 or not cells[0].strip() or not cells[1].strip():
            cut = "" if line.endswith("\n") else " It is the last one: the file is truncated."
            raise CorpusError(
                f"{path}, row {number}: not a table of pairs here (biased, tab, neutral).{cut} {DOWNLOAD_AGAIN}"
            )
        found.append(cells)
    if not found:
        raise CorpusError(f"{path} contains no pairs. {DOWNLOAD_AGAIN}")
    return found


def load_wnc(data: Path, kinds: KindFinder, *, part: str) -> list[Example]:
    """Both sides of the pairs of ``part`` (train or dev); a pair's two sides share their ``group``."""
    return pairs_to_examples(load_pairs(data, part), "wnc", lambda edit: kinds.of(edit.before, edit.after))


def load_pairs(data: Path, part: str) -> list[SentencePair]:
    """WNC pairs of ``part`` (train or dev), both sides untouched but for white space at their ends."""
    return _pairs(open_file(data, f"wnc/pairs.{part}.tsv"), f"wnc-{part}")


def load_additional_wnc(data: Path, kinds: KindFinder) -> list[Example]:
    """Both sides of `load_additional_pairs`."""
    return pairs_to_examples(
        load_additional_pairs(data), "wnc", lambda edit: kinds.of(edit.before, edit.after)
    )


def load_additional_pairs(data: Path) -> list[SentencePair]:
    """The 27,836 pairs of rows 50,000 to 78,504 of ``biased.full``, without those that stand in WIKIBIAS's dev part."""
    rows = read_table(
        open_file(data, WNC_FACTS.files[2]), columns=("row", "biased", "neutral"), delimiter="\t"
    )
    held = {line.strip() for line in read_lines(open_file(data, WNC_FACTS.files[3]))}
    return [
        SentencePair(row["biased"].strip(), row["neutral"].strip(), f"wnc-{row['row']}")
        for _, row in rows
        if row["row"] not in held and row["biased"].strip() and row["neutral"].strip()
    ]


def load_sentences(data: Path, part: str) -> list[str]:
    """Both sides of each WNC pair of ``part`` as single sentences."""
    return [side for pair in load_pairs(data, part) for side in (pair.source, pair.target)]


def load_unpaired_biased(data: Path) -> list[Example]:
    """Biased sides whose neutral partner is not given: text that a teacher labels."""
    path = open_file(data, WNC_FACTS.files[4])
    return [Example(line.strip(), "wnc_single", bias=1.0) for line in read_lines(path) if line.strip()]


def load_gbnc_pairs(data: Path) -> list[SentencePair]:
    """GBNC's posts, before and after their correction."""
    return _pairs(open_file(data, "gbnc/pairs.tsv"), "gbnc")


def load_gender_pairs(data: Path) -> list[SentencePair]:
    """The pairs of all three files, without the brackets around what changes. Raises CorpusError."""
    found: list[SentencePair] = []
    for name in GENDER_REWRITING_FACTS.files:
        rows = read_table(open_file(data, name), columns=("gendered", "neutral"), delimiter="\t")
        for number, row in rows:
            source, target = (row[side].strip() for side in ("gendered", "neutral"))
            if source and target:
                source = source.replace("[", "").replace("]", "")
                found.append(SentencePair(source, target, f"{Path(name).name} {number}"))
    return found


def load_gbnc(data: Path) -> list[Example]:
    """Posts corrected for gender bias: every edited stretch is demographic."""
    return pairs_to_examples(load_gbnc_pairs(data), "gbnc", lambda _: Kind.DEMOGRAPHIC)


def _pairs(path: Path, group: str) -> list[SentencePair]:
    return [
        SentencePair(row[0].strip(), row[1].strip(), f"{group}-{number}")
        for number, row in enumerate(read_rows(path))
    ]


def pairs_to_examples(
    pairs: Iterable[SentencePair],
    corpus: str,
    kind_of: Callable[[WordEdit], Kind],
    *,
    unmarked_weight: float = EDITED_UNMARKED_WEIGHT,
) -> list[Example]:
    """Both sides of the pairs of which an edit tells of bias; an editor may have left other loaded words alone."""
    examples: list[Example] = []
    for pair in pairs:
        edits = char_edits(pair.source, pair.target)
        if spans := tuple(GoldSpan(edit.start, edit.end, kind_of(edit)) for edit in edits):
            for text, marked, bias in ((pair.source, spans, 1.0), (pair.target, (), 0.0)):
                examples.append(
                    Example(
                        text,
                        corpus,
                        spans=marked,
                        bias=bias,
                        group=pair.group,
                        unmarked_weight=unmarked_weight,
                    )
                )
    return examples


EDITS = ("word", "full")
PARTS = ("train", "dev", "test")
WHOLE = "all"
_RELEASED = ("biased.full", *(f"biased.word.{part}" for part in PARTS))
_COLUMNS = 5
_MOST = 7

WNC_FULL_FACTS = CorpusFacts(
    key="wnc-full",
    name="WNC (whole)",
    homepage="https://github.com/rpryzant/neutralizing-bias",
    licence="MIT (repository); text CC BY-SA (Wikipedia)",
    files=("wnc/biased.full", *(f"wnc/biased.{edits}.{part}" for edits in EDITS for part in PARTS)),
    downloads=(
        Download(
            "https://nlp.stanford.edu/projects/bias/bias_data.zip",
            "wnc/bias_data.zip",
            members=tuple((f"bias_data/WNC/{name}", f"wnc/{name}") for name in _RELEASED),
            max_bytes=512 * 2**20,
        ),
    ),
)


def load_wnc_full(data: Path, edits: str, part: str) -> Iterator[SentencePair]:
    """Raw sides of the pairs of ``edits`` (word or full) and ``part`` (full also has all); a revision is a group.

    Raises CorpusError for a missing file, and with the line's number for a row that is not of this layout.
    """
    whole = edits == "full" and part == WHOLE
    if edits not in EDITS or (part not in PARTS and not whole):
        raise CorpusError(f"WNC has no biased.{edits}.{part}. Take word or full, and train, dev or test.")
    return _rows(open_file(data, "wnc/biased.full" if whole else f"wnc/biased.{edits}.{part}"))


def _rows(path: Path) -> Iterator[SentencePair]:
    for number, line in enumerate(read_lines(path), start=1):
        columns = line.rstrip("\r\n").split("\t")
        source, target = (columns[at].strip() if len(columns) > at else "" for at in (3, 4))
        if not _COLUMNS <= len(columns) <= _MOST or not source or not target:
            raise CorpusError(
                f"{path}, line {number}: not a row of WNC (id, src_tok, tgt_tok, src_raw, tgt_raw, and at most "
                "two more columns); copy the file again from its home."
            )
        yield SentencePair(source, target, f"wnc-{columns[0].strip()}")


CW_HARD_FACTS = CorpusFacts(
    key="cw-hard",
    name="CW-Hard NPOV",
    homepage="https://github.com/ChristophHubeL3S/Neural_Based_Statement_Classification_for_Biased_Language_WSDM2019",
    licence="none stated; text CC BY-SA (Wikipedia)",
    files=(
        "cw_hard_npov/statements_biased",
        "cw_hard_npov/statements_neutral_cw-hard",
        "cw_hard_npov/statements_neutral_featured",
        "cw_hard_npov/statements_neutral_type_balanced",
    ),
    manual_steps="Take the four files statements_* from the repository and put them into cw_hard_npov/. If it is gone, "
    "its paper (https://doi.org/10.1145/3289600.3291018) names the authors.",
)


def load_cw_hard(data: Path) -> list[Example]:
    """Statements of four words or more; ``group`` is the kind of statement. The featured ones serve as not political.

    Raises CorpusError for a file without one statement: then a class would be missing.
    """
    examples: list[Example] = []
    for part in ("biased", "neutral_cw-hard", "neutral_type_balanced", "neutral_featured"):
        path = open_file(data, f"cw_hard_npov/statements_{part}")
        biased = part == "biased"
        spans = None if biased else ()
        statements = [line.strip() for line in read_lines(path) if len(line.split()) >= 4]
        if not statements:
            raise CorpusError(f"{path} contains no statement. {DOWNLOAD_AGAIN}")
        examples += [
            Example(text, "cw_hard", spans=spans, bias=float(biased), group=part) for text in statements
        ]
    return examples
