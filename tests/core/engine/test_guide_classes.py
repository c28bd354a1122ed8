"""Protects the class of a finding: told from its own tokens, within its kind, the same at every threshold."""

from __future__ import annotations

import json
import shutil
from itertools import pairwise
from pathlib import Path

import numpy as np
import onnx
import pytest
from hypothesis import given
from hypothesis import strategies as st
from onnx import numpy_helper

import resources
from core import i18n
from core.bundles.manifest import BundleError
from core.documents import Format, parse
from core.engine.cues import Lexicon
from core.engine.engine import Engine
from core.engine.guide_classes import read_guide_classes
from core.engine.onnx_session import ReaderError
from core.engine.reader import Reader
from core.engine.spans import NO_CLASSES, decode_words, word_classes
from core.text.tokens import WORD
from core.types import GUIDE_CLASSES, KINDS, LABELS, Finding, Kind
from tests.tiny import CLASSES, FLAGGED, describe, vocabulary

NAMES = list(GUIDE_CLASSES)
SOURCE = "The chairman claims a shameful record, and reveals disastrous law to mankind."


@pytest.fixture
def reader(class_bundle: Path) -> Reader:
    """A fresh reader that tells classes."""
    return Reader.load(class_bundle, threads=1)


def logits(*rows: dict[str, float]) -> np.ndarray:
    """Class logits of tokens, by name."""
    table = np.zeros((len(rows), len(NAMES)), dtype=np.float32)
    for number, row in enumerate(rows):
        for name, value in row.items():
            table[number, NAMES.index(name)] = value
    return table


def framed(count: int) -> np.ndarray:
    """Label probabilities of ``count`` words that are marked as framing."""
    table = np.zeros((count, len(LABELS)), dtype=np.float32)
    table[:, LABELS.index("I-framing")] = 0.9
    table[:, 0] = 0.1
    return table


def named(tokens: np.ndarray, offsets: list[tuple[int, int]], text: str) -> list[str]:
    """The class of each span of a text whose words are all marked."""
    words = [match.span() for match in WORD.finditer(text)]
    classes = word_classes(tokens, offsets, words, np.full(len(words), True))
    return [
        span.guide_class for span in decode_words(framed(len(words)), text, threshold=0.5, classes=classes)
    ]


def test_every_token_of_a_span_counts_alike() -> None:
    """The first word has two tokens of three, each a little for puffery; the other is a little surer of a cliché."""
    tokens = logits({"puffery": 2}, {"puffery": 2}, {"cliche": 3})
    assert named(tokens, [(0, 3), (3, 5), (6, 10)], "truly best") == ["puffery"]
    assert named(tokens[1:], [(0, 5), (6, 10)], "truly best") == ["cliche"]


def test_only_classes_of_the_kind_are_named() -> None:
    tokens = logits({"weasel": 9, "euphemism": 1})
    assert named(tokens, [(0, 4)], "best") == ["euphemism"]


def test_articles_at_the_ends_do_not_count() -> None:
    tokens = logits({"cliche": 9}, {"label": 1})
    assert named(tokens, [(0, 3), (4, 8)], "the best") == ["label"]


def test_without_the_output_no_span_has_a_class() -> None:
    (span,) = decode_words(framed(1), "best", threshold=0.5)
    assert span.guide_class == ""
    assert word_classes(logits({}), [(0, 4)], [(0, 4)], np.array([False])) is NO_CLASSES


def test_enormous_values_are_no_error() -> None:
    tokens = logits({"label": 3e38, "cliche": -3e38}, {"label": 3e38})
    assert named(tokens, [(0, 4), (5, 9)], "very best") == ["label"]


@given(st.lists(st.integers(1, 4), min_size=1, max_size=12), st.integers(0, 2**32 - 1))
def test_a_class_is_the_largest_mean_over_the_tokens(lengths: list[int], seed: int) -> None:
    """By hand, for words of some letters with a token for each."""
    random = np.random.default_rng(seed)
    text = " ".join("x" * length for length in lengths)
    offsets = [(at, at + 1) for at, letter in enumerate(text) if letter != " "]
    tokens = random.integers(-9, 9, (len(offsets), len(NAMES))).astype(np.float32)
    mean = tokens.mean(axis=0)
    own = [name for name in NAMES if GUIDE_CLASSES[name] is Kind.FRAMING]
    best = max(mean[NAMES.index(name)] for name in own)
    (told,) = named(tokens, offsets, text)
    assert mean[NAMES.index(told)] == pytest.approx(best, abs=1e-4)


def test_a_finding_has_its_class_and_the_kind_of_the_reader(reader: Reader) -> None:
    report = Engine(reader, Lexicon.load()).analyse(parse(SOURCE, Format.PLAIN))
    assert [(one.text, one.kind.value, one.guide_class) for one in report.findings] == [
        (word, FLAGGED[word], CLASSES[word])
        for word in ("chairman", "claims", "shameful", "reveals", "disastrous", "mankind")
    ]
    assert all(GUIDE_CLASSES[one.guide_class] is one.kind for one in report.findings)


def test_a_finding_that_moves_keeps_its_class(reader: Reader) -> None:
    engine = Engine(reader, Lexicon.load())
    engine.analyse(parse("A shameful law.", Format.PLAIN))
    moved = engine.analyse(parse("The new law. A shameful law.", Format.PLAIN))
    assert [(one.start, one.guide_class) for one in moved.findings] == [(15, "judgement")]


def other_kind(bundle: Path, tmp_path: Path, *, classes: bool) -> Path:
    """A copy of a bundle that reads *chairman* as framing, with a class of framing if it has that output."""
    folder = Path(shutil.copytree(bundle, tmp_path / f"reader-{classes}"))
    model = onnx.load(folder / "reader.onnx")
    piece = vocabulary()["chairman"]
    for tensor in model.graph.initializer:
        table = numpy_helper.to_array(tensor).copy()
        if tensor.name == "spans_table":
            columns = [LABELS.index("B-demographic"), LABELS.index("B-framing")]
            table[piece, columns] = table[piece, columns[::-1]]
        elif tensor.name == "classes_table":
            table[piece, NAMES.index("label")] = 20
        tensor.CopyFrom(numpy_helper.from_array(table, tensor.name))
    (folder / "reader.onnx").write_bytes(model.SerializeToString())
    (folder / "bundle.json").unlink()
    describe(folder)
    return folder


def test_the_word_list_names_the_kind_only_for_a_reader_without_classes(
    tiny_bundle: Path, class_bundle: Path, tmp_path: Path
) -> None:
    found: list[Finding] = []
    for bundle, classes in ((tiny_bundle, False), (class_bundle, True)):
        engine = Engine(Reader.load(other_kind(bundle, tmp_path, classes=classes), threads=1), Lexicon.load())
        found += engine.analyse(parse("The chairman said this.", Format.PLAIN)).findings
    assert [(one.text, one.kind, one.guide_class) for one in found] == [
        ("chairman", Kind.DEMOGRAPHIC, ""),
        ("chairman", Kind.FRAMING, "label"),
    ]
    assert all(one.why[0].category == "gendered_default" for one in found)


def test_a_reader_without_the_output_reads_as_before(tiny_bundle: Path, reader: Reader) -> None:
    plain = Reader.load(tiny_bundle, threads=1)
    assert (plain.predicts_classes, reader.predicts_classes) == (False, True)
    spans = plain.read([SOURCE])[0].spans
    assert {span.guide_class for span in spans} == {""}
    told = reader.read([SOURCE])[0].spans
    assert [(one.start, one.end, one.kind) for one in told] == [
        (one.start, one.end, one.kind) for one in spans
    ]


def with_curve(bundle: Path, tmp_path: Path, thresholds: list[float]) -> Path:
    """A copy of a bundle with a stop at each threshold."""
    folder = Path(shutil.copytree(bundle, tmp_path / "curve"))
    facts = json.loads((folder / "bundle.json").read_text())
    facts["sensitivity"] = [
        {"threshold": one, "precision": 0.5, "recall": 0.5, "marks_per_1000_words": 20} for one in thresholds
    ]
    (folder / "bundle.json").write_text(json.dumps(facts))
    return folder


def test_spans_at_other_thresholds_have_classes_without_a_new_run(class_bundle: Path, tmp_path: Path) -> None:
    """The least bias of any word is that of O's other labels together: a stop just below it marks every word."""
    stops = [0.9, 0.5, 0.03]
    reader = Reader.load(with_curve(class_bundle, tmp_path, stops), threads=1)
    own = reader.read([SOURCE, "x " * 600])
    runs: list[object] = []
    reader._session.run = lambda *_: runs.append(_)  # type: ignore[assignment, method-assign]
    strict, _, lax = (reader.read([SOURCE, "x " * 600], threshold=threshold) for threshold in stops)
    assert not runs
    assert own[0].spans == reader.read([SOURCE], threshold=0.5)[0].spans
    by_place = {(span.start, span.end): span.guide_class for span in own[0].spans}
    assert {(span.start, span.end): span.guide_class for span in strict[0].spans}.items() <= by_place.items()
    for span in (span for reading in lax for span in reading.spans):
        assert GUIDE_CLASSES[span.guide_class] is span.kind
    assert sum(len(reading.spans) for reading in lax) > len(own[0].spans)


def test_a_long_text_has_the_classes_of_its_parts(reader: Reader) -> None:
    """In windows of some tokens and pieces of some characters, the class stays with its word."""
    text = ("the law and " * 30 + "a shameful chairman ") * 40
    spans = reader.read([text])[0].spans
    assert {text[one.start : one.end] for one in spans} == {"shameful", "chairman"}
    assert all(one.guide_class == CLASSES[text[one.start : one.end]] for one in spans)
    assert all(one.end <= two.start for one, two in pairwise(spans))


def test_only_marked_words_are_kept(reader: Reader) -> None:
    """Memory grows with what is marked, not with what is read."""
    reader.read(["the law and the people " * 50, "A shameful law."])
    kept = {text: chunk.classes for text, chunk in reader._cache.items()}
    assert kept["the law and the people " * 50] is NO_CLASSES
    assert kept["A shameful law."].words.tolist() == [1]
    assert kept["A shameful law."].logits.shape == (1, len(NAMES))


@pytest.mark.parametrize("width", [22, 24])
def test_another_number_of_classes_is_refused(class_bundle: Path, tmp_path: Path, width: int) -> None:
    folder = Path(shutil.copytree(class_bundle, tmp_path / "reader"))
    model = onnx.load(folder / "reader.onnx")
    for tensor in model.graph.initializer:
        if tensor.name == "classes_table":
            table = np.resize(numpy_helper.to_array(tensor), (tensor.dims[0], width))
            tensor.CopyFrom(numpy_helper.from_array(table, tensor.name))
    model.graph.output[-1].type.tensor_type.shape.dim[2].dim_value = width
    (folder / "reader.onnx").write_bytes(model.SerializeToString())
    (folder / "bundle.json").unlink()
    describe(folder)
    with pytest.raises((ReaderError, BundleError), match="wrong shape"):
        Reader.load(folder).read(["A law."])


def test_classes_are_explained_in_german() -> None:
    english = Lexicon.load().guide_classes
    try:
        i18n.set_language("de")
        german = read_guide_classes(resources.ROOT / "lexicons" / "guide_classes.tsv")
    finally:
        i18n.set_language("en")
    for key, one in german.items():
        for sentence in (one.explanation, one.advice):
            assert sentence.endswith(".")
            assert sentence not in (english[key].explanation, english[key].advice)
        assert one.guides == english[key].guides
    assert german["weasel"].title == "Zuschreibung ohne Beleg"


def test_every_kind_has_classes() -> None:
    assert {GUIDE_CLASSES[name] for name in NAMES} == set(KINDS)
    assert len(NAMES) == 23
