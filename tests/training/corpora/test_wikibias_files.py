"""A corpus that is written is the corpus that is read, and damage to a file never moves tags to other sentences."""

from __future__ import annotations

import itertools
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from core.types import Kind
from training.corpora.wikibias import load_auto_tagged, load_tagged, read_labels
from training.corpora.wikibias_files import CLASSES, open_part
from training.corpora.wikibias_writer import corpus_name, write_corpus, write_tagged
from training.types import BEGIN, INSIDE, OUTSIDE, CorpusError, TaggedSentence

ODD = (
    "|||",
    "||",
    "`",
    "``",
    '"',
    "''",
    "0",
    "1",
    "O",
    "B-bias",
    "\ufeff",
    "\ufeffx",
    "naïve",
    "e\u0301",
    "🙂",
    "עברית",
    "-",
)


def sentence(text: str, tags: str = "", **facts: object) -> TaggedSentence:
    tokens = tuple(text.split())
    written = tuple({"B": BEGIN, "I": INSIDE, "O": OUTSIDE}[tag] for tag in tags or "O" * len(tokens))
    values: dict[str, object] = {"biased": BEGIN in written, "original": BEGIN in written, **facts}
    return TaggedSentence(tokens, written, **values)  # type: ignore[arg-type]


def bare(sentences: list[TaggedSentence]) -> list[tuple[object, ...]]:
    """Sentences without their group, which is counted anew."""
    return [(row.tokens, row.tags, row.biased, row.original, row.kinds) for row in sentences]


def partners(sentences: list[TaggedSentence]) -> list[int]:
    """The place of the first sentence in the group of each."""
    groups = [row.group for row in sentences]
    return [groups.index(group) for group in groups]


token = st.one_of(
    st.sampled_from(ODD),
    st.text(st.characters(codec="utf-8", exclude_characters="\0"), min_size=1, max_size=6)
    .map(lambda text: "".join(text.split()))
    .filter(bool),
)


@st.composite
def sentences(draw: st.DrawFn) -> TaggedSentence:
    tokens = tuple(draw(st.lists(token, min_size=1, max_size=8)))
    tags: list[str] = []
    for _ in tokens:
        allowed = (BEGIN, OUTSIDE) if not tags or tags[-1] == OUTSIDE else (BEGIN, INSIDE, OUTSIDE)
        tags.append(draw(st.sampled_from(allowed)))
    return TaggedSentence(tokens, tuple(tags), biased=draw(st.booleans()), original=draw(st.booleans()))


@st.composite
def revisions(draw: st.DrawFn) -> list[TaggedSentence]:
    """Pairs of AUTO: some words changed, some kept."""
    found = []
    for number in range(draw(st.integers(0, 3))):
        row = draw(sentences())
        group = f"g{number}"
        left = TaggedSentence(
            (*row.tokens, "kept"), (*row.tags, OUTSIDE), biased=True, original=True, group=group
        )
        right = TaggedSentence(
            ("kept", "anew"), (OUTSIDE, OUTSIDE), biased=False, original=False, group=group
        )
        found += [left, right]
    return found


@settings(max_examples=20)
@given(
    manual=st.lists(sentences(), min_size=1, max_size=5),
    auto=revisions(),
    test=st.lists(sentences(), max_size=3),
)
@example(manual=[sentence("\ufeff ||| 1", "OBI")], auto=[], test=[])
def test_what_was_written_is_read(
    manual: list[TaggedSentence], auto: list[TaggedSentence], test: list[TaggedSentence]
) -> None:
    with TemporaryDirectory() as folder:
        data = Path(folder)
        said: list[str] = []
        write_corpus(data, manual=manual, auto=auto, dev=manual, test=test)
        assert bare(load_tagged(data, "train", said.append)) == bare(manual)
        assert bare(load_tagged(data, "dev", said.append)) == bare(manual)
        if test:
            assert bare(load_tagged(data, "test", said.append)) == bare(test)
        if auto:
            found = load_auto_tagged(data, said.append)
            assert bare(found) == bare(auto)
            assert partners(found) == partners(auto)
        assert [line for line in said if "contradict" not in line] == []


def test_types_labels_and_pairs_come_back(tmp_path: Path) -> None:
    both = [
        sentence("the vile deeds", "OBO", group="1", kinds=frozenset({Kind.FRAMING, Kind.DEMOGRAPHIC})),
        sentence("the deeds", group="1", kinds=frozenset()),
        sentence("so he said", "OOB", group="2", kinds=frozenset({Kind.EPISTEMOLOGICAL})),
        sentence("he said", group="2", kinds=frozenset()),
        sentence("an inn", "BO", group="3"),
    ]
    auto = [sentence("old inn", "BO", group="4", kinds=frozenset({Kind.FRAMING})), sentence("inn", group="4")]
    write_corpus(tmp_path, manual=both, auto=auto, dev=both[:2], test=both[2:4])
    assert bare(load_tagged(tmp_path, "train")) == bare(both)
    assert partners(load_tagged(tmp_path, "train")) == partners(both)
    assert bare(load_auto_tagged(tmp_path)) == bare(auto)
    assert read_labels(open_part(tmp_path, CLASSES, "dev")) == [
        ("the vile deeds", True),
        ("the deeds", False),
    ]
    assert read_labels(open_part(tmp_path, CLASSES, "auto")) == [("old inn", True), ("inn", False)]


WORDS = ("alpha", "beta", "gamma", "delta")


damages = st.dictionaries(
    st.integers(0, 29), st.sampled_from(["lost", "double", "blank", "cut", "after"]), min_size=1, max_size=3
)
"""Up to three lines, by number, that are lost, doubled, emptied, cut in half, or followed by an empty one."""

# Every sentence has its own words and its own tags, all of one length, so that moved tags would go unnoticed by number.
WRITTEN = [
    TaggedSentence(
        tuple(f"{word}{number}" for word in WORDS), tags, biased=number % 2 == 0, original=number % 2 == 0
    )
    for number, tags in enumerate(itertools.islice(itertools.product((BEGIN, OUTSIDE), repeat=4), 6))
]


def revision(number: int) -> tuple[TaggedSentence, TaggedSentence]:
    """Two sides that share words with all other pairs and can yet be told to belong together."""
    words = [*WORDS, f"end{number}"]
    group = str(number)
    return sentence(" ".join(words), "BOOOO", group=group), sentence(" ".join(words[1:]), group=group)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A corpus of six sentences, and of six pairs of AUTO."""
    folder = tmp_path_factory.mktemp("whole")
    auto = [side for number in range(6) for side in revision(number)]
    write_corpus(folder, manual=WRITTEN, auto=auto, dev=WRITTEN, test=[])
    return folder


def damage(path: Path, deeds: dict[int, str]) -> str:
    """The text of a file with some of its lines damaged."""
    found: list[str] = []
    for at, line in enumerate(path.read_text(encoding="utf-8").split("\n")[:-1]):
        after = {"lost": [], "double": [line, line], "blank": [""], "cut": [line[: len(line) // 2]]}
        found += {**after, "after": [line, ""]}.get(deeds.get(at, ""), [line])
    return "\n".join(found) + "\n"


def put(folder: str, name: str, text: str) -> Path:
    path = Path(folder) / "wikibias" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return Path(folder)


@settings(max_examples=40)
@given(deeds=damages)
def test_damage_moves_no_tags(whole: Path, deeds: dict[int, str]) -> None:
    with TemporaryDirectory() as folder:
        data = put(folder, "tag_binary/train.tsv", damage(whole / "wikibias/tag_binary/train.tsv", deeds))
        found = load_tagged(data, "train", lambda _: None)
        assert len(found) >= len(WRITTEN) - 3
        assert [row for row in bare(found) if row not in bare(WRITTEN)] == []


@settings(max_examples=40)
@given(deeds=damages, hit=st.sampled_from(["noisy_train.tsv", "noisy_train_neg.tsv"]))
def test_damage_gives_no_sentence_of_auto_another_partner(
    whole: Path, deeds: dict[int, str], hit: str
) -> None:
    with TemporaryDirectory() as folder:
        for name in ("noisy_train.tsv", "noisy_train_neg.tsv"):
            data = put(folder, name, damage(whole / "wikibias" / name, deeds if name == hit else {}))
        try:
            found = load_auto_tagged(data, lambda _: None)
        except CorpusError:
            found = []  # it cannot be told which belong together
        for left, right in zip(found[::2], found[1::2], strict=True):
            assert left.group == right.group
            assert left.tokens[1:] == right.tokens


BAD = {
    "empty": (TaggedSentence((), (), biased=False, original=False), "it is empty"),
    "white space": (TaggedSentence(("a b",), (OUTSIDE,), biased=False, original=False), "has white space"),
    "no-break space": (
        TaggedSentence(("a\xa0b",), (OUTSIDE,), biased=False, original=False),
        "has white space",
    ),
    "empty token": (TaggedSentence(("",), (OUTSIDE,), biased=False, original=False), "a token is empty"),
    "zero byte": (TaggedSentence(("a\0",), (OUTSIDE,), biased=False, original=False), "zero byte"),
    "lengths": (TaggedSentence(("a", "b"), (OUTSIDE,), biased=False, original=False), "1 tags for 2 tokens"),
    "tag": (
        TaggedSentence(("a",), ("B-framing",), biased=True, original=True),
        "none of B-bias, I-bias and O",
    ),
    "inside": (
        TaggedSentence(("a",), (INSIDE,), biased=True, original=True),
        "I-bias without B-bias before it",
    ),
}


@pytest.mark.parametrize(("bad", "why"), BAD.values(), ids=BAD)
def test_what_the_layout_cannot_hold_is_named_and_nothing_is_left(
    tmp_path: Path, bad: TaggedSentence, why: str
) -> None:
    with pytest.raises(CorpusError, match=f"Sentence 2 of dev cannot be written: .*{why}"):
        write_corpus(tmp_path, manual=WRITTEN, auto=[], dev=[WRITTEN[0], bad], test=[])
    assert list(tmp_path.iterdir()) == []


def test_half_a_character_cannot_be_written(tmp_path: Path) -> None:
    bad = TaggedSentence(("a\ud800",), (OUTSIDE,), biased=False, original=False)
    with pytest.raises(CorpusError, match="could not be written"):
        write_corpus(tmp_path, manual=[bad], auto=[], dev=[], test=[])
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("cut", [1, 3])
def test_auto_is_pairs(tmp_path: Path, cut: int) -> None:
    auto = [sentence("old inn", "BO", group="1"), sentence("inn", group="1"), sentence("so", "B", group="2")]
    with pytest.raises(
        CorpusError, match=f"Sentence {cut} of AUTO and the one after it are not the two sides"
    ):
        write_corpus(tmp_path, manual=WRITTEN, auto=auto[:cut], dev=[], test=[])


def test_a_corpus_that_is_there_is_not_replaced(tmp_path: Path) -> None:
    write_corpus(tmp_path, manual=WRITTEN, auto=[], dev=WRITTEN, test=WRITTEN, name="my own pairs")
    with pytest.raises(CorpusError, match="already exists"):
        write_corpus(tmp_path, manual=WRITTEN[:1], auto=[], dev=WRITTEN, test=WRITTEN)
    assert bare(load_tagged(tmp_path, "train", lambda _: None)) == bare(WRITTEN)
    assert corpus_name(tmp_path) == "my own pairs"
    assert corpus_name(tmp_path / "elsewhere") == ""
    assert [path.name for path in tmp_path.iterdir()] == ["wikibias"]


def test_a_folder_that_cannot_be_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(CorpusError, match="could not be written to"):
        write_corpus(tmp_path / "file", manual=WRITTEN, auto=[], dev=[], test=[])


def test_one_file_of_tagged_sentences(tmp_path: Path) -> None:
    path = tmp_path / "own" / "pairs.tsv"
    write_tagged(path, WRITTEN)
    whole = path.read_bytes()
    (tmp_path / "wikibias" / "tag_binary").mkdir(parents=True)
    (tmp_path / "wikibias" / "tag_binary" / "test.tsv").write_bytes(whole)
    assert bare(load_tagged(tmp_path, "test", lambda _: None)) == bare(WRITTEN)
    with pytest.raises(CorpusError, match=r"Sentence 1 of pairs\.tsv cannot be written"):
        write_tagged(path, [TaggedSentence((), (), biased=False, original=False)])
    assert path.read_bytes() == whole
    with pytest.raises(CorpusError, match="could not be written to"):
        write_tagged(path / "below", WRITTEN)
