"""WIKIBIAS's files in their official layouts: what is good is read, what is bad is named with its line and left out."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from core.types import KINDS
from training.corpora import wikibias, wikibias_files
from training.corpora.wikipedia import SentencePair
from training.types import CorpusError, TaggedSentence

F, E, D = KINDS
GOOD = "the vile deeds"
FORMAT = "five lines a sentence, being the sentence ||| 0 or 1, two lines of parts of speech"


def block(sentence: str, tags: str = "", *, label: str = "1", side: str = "Original") -> str:
    words = sentence.split()
    speech = " ".join(["NOUN"] * len(words))
    tags = tags or " ".join(["B-bias", *["O"] * (len(words) - 1)])
    return f"{sentence} ||| {label}\n{speech} ||| {side}\n{speech} ||| Neutral\n{tags} ||| {side}\n\n"


def tagged(*sentences: str, side: str = "Original") -> str:
    return "".join(block(sentence, side=side) for sentence in sentences)


def put(data: Path, name: str, text: str) -> Path:
    path = data / "wikibias" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def texts(sentences: list[TaggedSentence]) -> list[str]:
    return [" ".join(sentence.tokens) for sentence in sentences]


# Generation pairs


def test_generation_pairs(tmp_path: Path) -> None:
    put(tmp_path, "generation.dev.tsv", "Sadly he left .\the left .\nThe great hall\tThe hall\n")
    assert list(wikibias.load(tmp_path, "dev")) == [
        SentencePair("Sadly he left .", "he left .", "wikibias-dev-1"),
        SentencePair("The great hall", "The hall", "wikibias-dev-2"),
    ]


@pytest.mark.parametrize(
    ("bad", "why"),
    [
        ("one column", "1 column instead of 2"),
        ("a\tb\tc", "3 columns instead of 2"),
        ("a\t ", "the target is empty"),
        ("\ta", "the source is empty"),
        ("the  hall\tthe hall", "nothing was changed"),
        ("the hall .\tan inn .", "everything was changed"),
    ],
)
def test_what_is_no_pair_is_left_out_and_named(tmp_path: Path, bad: str, why: str) -> None:
    path = put(tmp_path, "generation.test.tsv", f"old inn\tinn\n\n{bad}\nbig inn\tinn\n")
    said: list[str] = []
    found = wikibias.load(tmp_path, "test", said.append)
    assert [(pair.source, pair.group) for pair in found] == [
        ("old inn", "wikibias-test-1"),
        ("big inn", "wikibias-test-4"),
    ]
    assert said == [
        f"{path}: 1 pair cannot be used and is left out (line 3: {why}). "
        "Expected: source, tab, target, with some words changed and some kept."
    ]


@pytest.mark.parametrize(
    ("text", "why"), [("\n \n", "contains no pairs"), ("a\na\n", "not one of 2 pairs can be used")]
)
def test_a_file_without_a_pair_is_an_error(tmp_path: Path, text: str, why: str) -> None:
    put(tmp_path, "generation.test.tsv", text)
    with pytest.raises(CorpusError, match=f"{why}.*Expected: source, tab, target"):
        wikibias.load(tmp_path, "test")


# Tagged sentences


def test_tagged_sentences_of_a_part(tmp_path: Path) -> None:
    text = (
        block("The vile old deeds", "O B-bias I-bias O")
        + block("The deeds", "O O", label="0", side="Neutral")
        + block("Here ||| there ||| 0", "O O O O O", label="0", side="neutral")
    )
    put(tmp_path, "tag_binary/dev.tsv", text)
    assert wikibias.load_tagged(tmp_path, "dev") == [
        TaggedSentence(
            ("The", "vile", "old", "deeds"),
            ("O", "B-bias", "I-bias", "O"),
            biased=True,
            original=True,
            group="wikibias-dev-0",
        ),
        TaggedSentence(("The", "deeds"), ("O", "O"), biased=False, original=False, group="wikibias-dev-0"),
        TaggedSentence(
            ("Here", "|||", "there", "|||", "0"),
            ("O",) * 5,
            biased=False,
            original=False,
            group="wikibias-dev-2",
        ),
    ]


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_other_names_line_ends_and_no_blank_line_at_the_end(tmp_path: Path, end: str) -> None:
    path = tmp_path / "wikibias" / "tag_binary" / "train.txt"
    path.parent.mkdir(parents=True)
    path.write_bytes(b"\xef\xbb\xbf" + tagged(GOOD, "a b").rstrip().replace("\n", end).encode())
    assert texts(wikibias.load_tagged(tmp_path, "train")) == [GOOD, "a b"]


def test_a_no_break_space_is_part_of_a_token_where_the_tags_say_so(tmp_path: Path) -> None:
    text = block("he ran 5\xa0km", "O O B-bias") + block("he ran 5\xa0km", "O O B-bias I-bias")
    put(tmp_path, "tag_binary/dev.tsv", text)
    first, second = wikibias.load_tagged(tmp_path, "dev")
    assert first.tokens == ("he", "ran", "5\xa0km")
    assert second.tokens == ("he", "ran", "5", "km")


BAD = {
    "too few tags": (block("so bad a", "B-bias O"), 9, "2 tags for 3 tokens"),
    "too many tags": (block("so bad", "B-bias O O"), 9, "3 tags for 2 tokens"),
    "inside after outside": (block("so bad", "O I-bias"), 9, "'I-bias' at token 2 without a B before it"),
    "inside first": (block("so bad", "I-bias O"), 9, "'I-bias' at token 1 without a B before it"),
    "unknown tag": (block("so bad", "B-framing O"), 9, "unknown tag 'B-framing'"),
    "no name": (block("so bad", "B O"), 9, "unknown tag 'B'"),
    "unknown label": (block("so bad", label="2"), 6, "label '2' instead of 0 or 1"),
    "unknown side": (block("so bad", side="Source"), 9, "'Source' instead of Original or Neutral"),
    "empty": (block("", "O"), 6, "an empty sentence"),
    "no bars": ("so bad\nX X\nX X\nO O\n\n", 6, "no ' ||| ' with one word after it"),
    "no label": (block("so bad").replace(" ||| 1", ""), 6, "no ' ||| ' with one word after it"),
    "no tags": (
        block("so bad").replace("B-bias O ||| Original\n", ""),
        6,
        "3 lines instead of 4 and a blank one",
    ),
    "no sentence": (block("so bad").partition("\n")[2], 6, "3 lines instead of 4 and a blank one"),
    "sentence alone": ("so bad ||| 1\n\n", 6, "1 line instead of 4 and a blank one"),
    "a line twice": (
        block("so bad").replace("B-bias O", "B-bias O ||| Original\nB-bias O"),
        6,
        "5 lines instead of 4 and a blank one",
    ),
    "a blank line inside": (block("so bad").replace("\nB-bias", "\n\nB-bias"), 6, "a blank line inside it"),
    "another layout": ("so bad\t\t1\n\n", 6, "1 line instead of 4 and a blank one"),
}


@pytest.mark.parametrize(("bad", "line", "why"), BAD.values(), ids=BAD)
def test_a_bad_sentence_is_named_and_the_rest_is_read(tmp_path: Path, bad: str, line: int, why: str) -> None:
    path = put(tmp_path, "tag_binary/dev.tsv", block(GOOD, "O B-bias O") + bad + block("a b c", "O O B-bias"))
    said: list[str] = []
    found = wikibias.load_tagged(tmp_path, "dev", said.append)
    assert [(sentence.tokens, sentence.tags) for sentence in found] == [
        (("the", "vile", "deeds"), ("O", "B-bias", "O")),
        (("a", "b", "c"), ("O", "O", "B-bias")),
    ]
    assert len(said) == 1
    assert (
        f"{path}: 1 sentence cannot be read and is left out (line {line}: {why}). Expected: {FORMAT}"
        in said[0]
    )
    assert "B-bias, I-bias, O; one a token, an I only behind its B" in said[0]


def test_a_lost_blank_line_costs_nothing(tmp_path: Path) -> None:
    put(tmp_path, "tag_binary/dev.tsv", tagged("a b", "c d", "e f").replace("\n\n", "\n"))
    said: list[str] = []
    assert texts(wikibias.load_tagged(tmp_path, "dev", said.append)) == ["a b", "c d", "e f"]
    assert said == []


def test_many_bad_sentences_are_one_line(tmp_path: Path) -> None:
    put(tmp_path, "tag_binary/dev.tsv", tagged("a b") + block("a b", "O") * 5)
    said: list[str] = []
    assert len(wikibias.load_tagged(tmp_path, "dev", said.append)) == 1
    assert len(said) == 1
    assert "5 sentences cannot be read and are left out (line 9: 1 tag for 2 tokens; line 14: " in said[0]
    assert "; …)" in said[0]


def test_label_and_tags_that_contradict_are_kept_and_told(tmp_path: Path) -> None:
    text = (
        block("a b", "O O", label="1")
        + block("c d", "O B-bias", label="0")
        + block("e f", "B-bias O", label="1")
    )
    path = put(tmp_path, "tag_binary/test.tsv", text)
    said: list[str] = []
    found = wikibias.load_tagged(tmp_path, "test", said.append)
    assert [(sentence.biased, "B-bias" in sentence.tags) for sentence in found] == [
        (True, False),
        (False, True),
        (True, True),
    ]
    assert len(said) == 1
    assert said[0].startswith(f"{path}: label and tags contradict each other, kept as they stand")
    assert said[0].endswith("labelled biased without a tagged word 1, labelled neutral with one 1.")


def test_sides_are_a_pair_only_side_by_side_in_their_file(tmp_path: Path) -> None:
    text = (
        block("old hall one")
        + block("hall one", side="Neutral")
        + block("old hall two")
        + block("hall two", "O", side="Neutral")  # cannot be read
        + block("hall three", side="Neutral")
        + block("old hall four")
        + block("inn five", side="Neutral")  # shares no word
        + block("hall six", side="Neutral")
    )
    put(tmp_path, "tag_binary/dev.tsv", text)
    found = wikibias.load_tagged(tmp_path, "dev", lambda _: None)
    groups = [sentence.group for sentence in found]
    assert groups[0] == groups[1]
    assert len(set(groups)) == len(groups) - 1


# Types of bias


def test_types_come_from_the_classes_by_text(tmp_path: Path) -> None:
    put(tmp_path, "tag_binary/dev.tsv", tagged("a b", "c d", "e f") + block("g h", "O O", label="0"))
    put(tmp_path, "class_finegrained/dev.tsv", "g h\t\t0|0|0\nc  d\t\t1|0|1\na b\t\t0|1|0\n")
    put(
        tmp_path,
        "tag_finegrained/dev.tsv",
        block("a b", "B-d O") + block("e f", "B-Demographic I-demographic"),
    )
    found = wikibias.load_tagged(tmp_path, "dev")
    assert [sentence.kinds for sentence in found] == [{E}, {F, D}, {D}, frozenset()]


def test_types_of_spans_go_by_whole_names_and_letters_in_either_case(tmp_path: Path) -> None:
    put(tmp_path, "tag_binary/dev.tsv", tagged("a b c"))
    put(tmp_path, "tag_finegrained/dev.tsv", block("a b c", "B-F b-epistemological B-d"))
    assert wikibias.load_tagged(tmp_path, "dev")[0].kinds == {F, E, D}


@pytest.mark.parametrize(
    ("tags", "why"),
    [("B-bias O", "unknown tag 'B-bias'"), ("B-f I-e", "'I-e' at token 2 without a B before it")],
)
def test_bad_fine_grained_tags_are_named(tmp_path: Path, tags: str, why: str) -> None:
    put(tmp_path, "tag_binary/dev.tsv", tagged("a b", "c d"))
    path = put(tmp_path, "tag_finegrained/dev.tsv", block("a b", tags) + block("c d", "B-f I-f"))
    said: list[str] = []
    assert [sentence.kinds for sentence in wikibias.load_tagged(tmp_path, "dev", said.append)] == [None, {F}]
    assert len(said) == 1
    assert f"{path}: 1 sentence cannot be read and is left out (line 4: {why}). Expected: " in said[0]
    assert "B-framing, I-framing, B-f, I-f, B-epistemological" in said[0]


def test_types_that_do_not_fit_the_label_are_not_taken(tmp_path: Path) -> None:
    put(tmp_path, "tag_binary/dev.tsv", tagged("a b") + block("c d", "O O", label="0"))
    put(tmp_path, "class_finegrained/dev.tsv", "a b\t\t0|0|0\nc d\t\t1|0|0\n")
    assert [sentence.kinds for sentence in wikibias.load_tagged(tmp_path, "dev")] == [None, None]


@pytest.mark.parametrize("label", ["f", "1|0", "1|0|2", "1|0|0|0", "1 0 0"])
def test_bad_types_are_named(tmp_path: Path, label: str) -> None:
    put(tmp_path, "tag_binary/dev.tsv", tagged("a b", "c d"))
    path = put(tmp_path, "class_finegrained/dev.tsv", f"a b\t\t{label}\nc d\t\t0|1|0\n")
    said: list[str] = []
    assert [sentence.kinds for sentence in wikibias.load_tagged(tmp_path, "dev", said.append)] == [None, {E}]
    assert said == [
        f"{path}: 1 row cannot be read and is left out (line 1: label '{label}'). Expected: the sentence, two tabs, "
        "f|e|d, each 0 or 1 (framing, epistemological, demographic)."
    ]


# Labels


def test_labels_are_after_two_tabs(tmp_path: Path) -> None:
    path = put(tmp_path, "class_binary/train_manual.tsv", "a  b\t\t1\r\nc\td\t\t0\r\n")
    assert wikibias.read_labels(path) == [("a b", True), ("c d", False)]


@pytest.mark.parametrize(
    ("bad", "why"),
    [
        ("a b\t\t2", "label '2'"),
        ("a b\t1", "no two tabs"),
        ("\t\t1", "an empty sentence"),
        ("a\t\t", "label ''"),
    ],
)
def test_a_bad_label_is_named_and_the_rest_is_read(tmp_path: Path, bad: str, why: str) -> None:
    path = put(tmp_path, "class_binary/dev.tsv", f"a\t\t1\n{bad}\nb\t\t0\n")
    said: list[str] = []
    assert wikibias.read_labels(path, said.append) == [("a", True), ("b", False)]
    assert said == [
        f"{path}: 1 row cannot be read and is left out (line 2: {why}). Expected: the sentence, two tabs, 0 or 1."
    ]


# AUTO


def test_auto_joins_the_sides_of_all_source_files_by_order(tmp_path: Path) -> None:
    put(tmp_path, "noisy_train.tsv", tagged("sadly he left", "vile deeds"))
    put(tmp_path, "noisy_train_10.tsv", tagged("so here"))
    put(tmp_path, "noisy_train_2.tsv", tagged("grand old hall").rstrip("\n"))
    put(tmp_path, "noisy_train_neg.tsv", tagged("he left", "deeds", "old hall", "here", side="Neutral"))
    assert texts(wikibias.load_auto_tagged(tmp_path)) == [
        *("sadly he left", "he left"),
        *("vile deeds", "deeds"),
        *("grand old hall", "old hall"),
        *("so here", "here"),
    ]


def test_both_sides_of_auto_are_tagged_and_share_their_group(tmp_path: Path) -> None:
    put(tmp_path, "tag_binary/noisy_train.tsv", tagged("vile deeds") + block("he left", "O O"))
    neutral = block("deeds", "O", label="0", side="Neutral") + block("then he left", "O O O", label="0")
    put(tmp_path, "tag_binary/noisy_train_neg.tsv", neutral)
    said: list[str] = []
    assert wikibias.load_auto_tagged(tmp_path, said.append) == [
        TaggedSentence(
            ("vile", "deeds"), ("B-bias", "O"), biased=True, original=True, group="wikibias-auto-0"
        ),
        TaggedSentence(("deeds",), ("O",), biased=False, original=False, group="wikibias-auto-0"),
        TaggedSentence(("he", "left"), ("O", "O"), biased=True, original=True, group="wikibias-auto-1"),
        TaggedSentence(
            ("then", "he", "left"), ("O", "O", "O"), biased=False, original=False, group="wikibias-auto-1"
        ),
    ]
    assert said == []


def test_sides_of_different_length_are_refused(tmp_path: Path) -> None:
    put(tmp_path, "noisy_train.tsv", tagged("sadly he left", "vile deeds"))
    put(tmp_path, "noisy_train_neg.tsv", tagged("he left"))
    with pytest.raises(CorpusError, match=r"\(1 sentences\).*\(2\) have different numbers of sentences"):
        wikibias.load_auto_tagged(tmp_path)


@pytest.mark.parametrize("side", ["source", "target"])
@pytest.mark.parametrize(("bad", "line", "why"), BAD.values(), ids=BAD)
def test_a_bad_side_takes_its_partner_with_it_and_shifts_nothing(
    tmp_path: Path, bad: str, line: int, why: str, side: str
) -> None:
    sources, targets = ["old inn", "so bad", "big hall"], ["inn", "bad", "hall"]
    (before, after) = (tagged(*sources), tagged(*targets))
    if side == "source":
        before = tagged(sources[0]) + bad + tagged(sources[2])
    else:
        after = tagged(targets[0]) + bad + tagged(targets[2])
    source, target = put(tmp_path, "noisy_train.tsv", before), put(tmp_path, "noisy_train_neg.tsv", after)
    said: list[str] = []
    found = wikibias.load_auto_tagged(tmp_path, said.append)
    assert [(*texts([one]), one.group) for one in found] == [
        ("old inn", "wikibias-auto-0"),
        ("inn", "wikibias-auto-0"),
        ("big hall", "wikibias-auto-2"),
        ("hall", "wikibias-auto-2"),
    ]
    damaged = source if side == "source" else target
    assert f"{damaged}: 1 sentence cannot be read and is left out (line {line}: {why})" in said[0]
    assert said[1] == (
        f"{target}: 1 pair cannot be used and is left out (line 6: the {side} cannot be read). "
        "Expected: both sides readable, some words changed and some kept."
    )
    assert len(said) == 2


@pytest.mark.parametrize(
    ("target", "why"), [("so bad", "nothing was changed"), ("well", "everything was changed")]
)
def test_a_pair_of_auto_must_be_a_revision(tmp_path: Path, target: str, why: str) -> None:
    put(tmp_path, "noisy_train.tsv", tagged("so bad", "old inn"))
    put(tmp_path, "noisy_train_neg.tsv", tagged(target, "inn"))
    said: list[str] = []
    assert texts(wikibias.load_auto_tagged(tmp_path, said.append)) == ["old inn", "inn"]
    assert f"1 pair cannot be used and is left out (line 1: {why})" in said[0]


# Files of which nothing can be read

LOADERS: dict[str, Callable[[Path], object]] = {
    "tag_binary/dev.tsv": lambda data: wikibias.load_tagged(data, "dev"),
    "class_binary/dev.tsv": lambda data: wikibias.read_labels(
        wikibias_files.open_part(data, wikibias_files.CLASSES, "dev")
    ),
    "noisy_train.tsv": wikibias.load_auto_tagged,
    "noisy_train_neg.tsv": wikibias.load_auto_tagged,
    "tag_finegrained/dev.tsv": lambda data: wikibias.load_tagged(data, "dev"),
    "class_finegrained/dev.tsv": lambda data: wikibias.load_tagged(data, "dev"),
}


@pytest.fixture
def whole(tmp_path: Path) -> Path:
    """A corpus in which one file will be spoilt."""
    put(tmp_path, "tag_binary/dev.tsv", tagged("a b"))
    put(tmp_path, "tag_finegrained/dev.tsv", block("a b", "B-f O"))
    put(tmp_path, "class_binary/dev.tsv", "a b\t\t1\n")
    put(tmp_path, "class_finegrained/dev.tsv", "a b\t\t1|0|0\n")
    put(tmp_path, "noisy_train.tsv", tagged("vile deeds"))
    put(tmp_path, "noisy_train_neg.tsv", tagged("deeds"))
    return tmp_path


@pytest.mark.parametrize("name", LOADERS)
@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"caf\xe9 ||| 1\n", r"row 1: byte 0xe9 is not UTF-8"),
        (b"\n\n  \n", r"contains no sentences\. Expected: "),
        (b"nothing\n\nof this sort\n", r"not one of 2 (sentences|rows) can be read \(line 1: .*Expected: "),
        ("a b ||| 1\n".encode("utf-16"), "UTF-16"),
    ],
)
def test_a_file_of_which_nothing_can_be_read(whole: Path, name: str, content: bytes, why: str) -> None:
    LOADERS[name](whole)
    (whole / "wikibias" / name).write_bytes(content)
    with pytest.raises(CorpusError, match=why) as caught:
        LOADERS[name](whole)
    assert Path(name).name in str(caught.value)


@pytest.mark.parametrize("name", list(LOADERS)[:4])
def test_a_missing_file_is_named(whole: Path, name: str) -> None:
    (whole / "wikibias" / name).write_bytes(b"")
    with pytest.raises(CorpusError, match=r"is empty|contains no sentences\."):
        LOADERS[name](whole)
    (whole / "wikibias" / name).unlink()
    with pytest.raises(CorpusError, match=rf"{Path(name).name} is not in"):
        LOADERS[name](whole)


def test_an_unknown_part_is_named(tmp_path: Path) -> None:
    for load in (wikibias.load, wikibias.load_tagged):
        with pytest.raises(CorpusError, match=r"has no part validation\. Take train, dev or test"):
            load(tmp_path, "validation")


def test_every_file_is_examined(whole: Path) -> None:
    path = put(whole, "class_binary/train.tsv", "a b\t\t1\nwrong\n")
    put(whole, "generation.dev.tsv", "wrong\n")
    said = wikibias.describe_files(whole)
    assert "wikibias/tag_binary/dev.tsv: 1 tagged sentences" in said
    assert "wikibias, AUTO: 1 pairs of tagged sentences" in said
    assert "wikibias/class_binary/train.tsv: 1 labelled sentences" in said
    assert any(f"{path}: 1 row cannot be read and is left out (line 2: no two tabs)" in line for line in said)
    assert "wikibias/class_finegrained/dev.tsv: 1 sentences with types of bias" in said
    assert "wikibias/tag_finegrained/dev.tsv: 1 sentences with tagged types of bias" in said
    assert any("not one of 1 pairs can be used (line 1: 1 column instead of 2)" in line for line in said)
    assert wikibias.describe_files(whole / "elsewhere") == []
