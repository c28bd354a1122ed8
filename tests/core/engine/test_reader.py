"""Protects what the reader says of a sentence: right words, right numbers, the same alone and in company."""

from __future__ import annotations

import json
import math
import shutil
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.bundles.manifest import BundleError
from core.engine import reader as reader_module
from core.engine.onnx_session import ReaderError
from core.engine.reader import Cancelled, Reader
from core.text.tokens import CHUNK_CHARACTERS, WORD, split_chunks, windows
from core.types import Kind
from tests.tiny import HIDDEN, describe


@pytest.fixture
def reader(tiny_bundle: Path) -> Reader:
    """A fresh reader on two threads."""
    return Reader.load(tiny_bundle, threads=2)


class Counted:
    """Counts the runs of a session."""

    def __init__(self, reader: Reader) -> None:
        self.session = reader._session._session
        self.runs = 0
        self.longest = 0
        reader._session._session = self

    def run(self, outputs: list[str], feed: dict[str, Any], options: Any) -> Any:
        self.runs += 1
        self.longest = max(self.longest, feed["input_ids"].shape[1])
        return self.session.run(outputs, feed, options)


def words(reader: Reader, text: str) -> list[tuple[str, Kind]]:
    """The flagged words of ``text``."""
    return [(text[span.start : span.end], span.kind) for span in reader.read([text])[0].spans]


def test_each_kind_is_found_on_its_words(reader: Reader) -> None:
    assert words(reader, "The chairman reveals a shameful record.") == [
        ("chairman", Kind.DEMOGRAPHIC),
        ("reveals", Kind.EPISTEMOLOGICAL),
        ("shameful", Kind.FRAMING),
    ]


def test_neutral_words_are_left_alone(reader: Reader) -> None:
    reading = reader.read(["The senator said this to the people."])[0]
    assert reading.spans == ()
    assert reading.bias == pytest.approx(1 / (1 + math.exp(2)), abs=0.02)
    assert sum(reading.leaning) == pytest.approx(1)


def test_bias_and_leaning_follow_the_words(reader: Reader) -> None:
    plain, biased, left, right = reader.read(
        ["The law is new.", "The law is shameful.", "The union is new.", "The border is new."]
    )
    assert biased.bias > 0.8 > 0.3 > plain.bias
    assert left.leaning[0] > 0.5 > left.leaning[2]
    assert right.leaning[2] > 0.5 > right.leaning[0]
    assert left.political > 0.8 > plain.political


def test_calibration_is_applied(tiny_bundle: Path, tmp_path: Path) -> None:
    folder = Path(shutil.copytree(tiny_bundle, tmp_path / "reader"))
    (folder / "bundle.json").unlink()
    describe(
        folder,
        calibration={
            "spans": {"temperature": 2.0},
            "bias": {"temperature": 2.0, "offset": 1.0},
            "leaning": {"temperature": 4.0},
            "political": {"temperature": 2.0, "offset": -1.0},
        },
    )
    text = "The border is shameful."
    before = Reader.load(tiny_bundle).read([text])[0]
    after = Reader.load(folder).read([text])[0]

    def odds(p: float) -> float:
        return math.log(p / (1 - p))

    assert odds(after.bias) == pytest.approx(odds(before.bias) / 2 + 1, abs=1e-4)
    assert odds(after.political) == pytest.approx(odds(before.political) / 2 - 1, abs=1e-4)
    spread = [math.log(right / left) for left, _, right in (before.leaning, after.leaning)]
    assert spread[1] == pytest.approx(spread[0] / 4, abs=1e-4)
    assert after.spans[0].confidence < before.spans[0].confidence


@pytest.mark.parametrize("text", ["", " ", "…!?", "1984", "🙂 — 7", "\0", "\ud800"])
def test_text_without_a_letter_is_not_sent_to_the_model(reader: Reader, text: str) -> None:
    counted = Counted(reader)
    reading = reader.read([text])[0]
    assert counted.runs == 0
    assert (reading.spans, reading.bias, reading.political) == ((), 0.0, 0.0)


def test_only_what_is_new_is_read(reader: Reader) -> None:
    counted = Counted(reader)
    first = reader.read(["The law is new.", "A shameful law.", "The law is new."])
    assert counted.runs == 2
    second = reader.read(["The law is new.", "A very shameful law."])
    assert counted.runs == 3
    assert first[0] == first[2] == second[0]


def test_the_cache_forgets_the_oldest(reader: Reader, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reader_module, "MAX_CACHED", 2)
    counted = Counted(reader)
    for text in ("a law", "a man", "a law", "a record", "a law", "a man"):
        reader.read([text])
    assert counted.runs == 4
    assert len(reader._cache) == 2


def test_order_and_company_do_not_matter(tiny_bundle: Path) -> None:
    texts = [f"The senator {'really ' * number}claims a shameful record." for number in range(40)]
    together = Reader.load(tiny_bundle, threads=3).read(texts)
    alone = Reader.load(tiny_bundle, threads=1)
    assert together == [alone.read([text])[0] for text in texts]


def test_a_long_sentence_is_read_to_its_end(reader: Reader) -> None:
    counted = Counted(reader)
    text = "the law and " * 400 + "the shameful chairman."
    assert words(reader, text) == [("shameful", Kind.FRAMING), ("chairman", Kind.DEMOGRAPHIC)]
    assert counted.longest <= reader.bundle.max_tokens
    assert counted.runs > 40


def test_length_alone_does_not_make_a_text_biased(reader: Reader) -> None:
    short, long = reader.read(["the law and the people " * 2, "the law and the people " * 2000])
    assert long.bias == pytest.approx(short.bias, abs=0.1)
    assert sum(long.leaning) == pytest.approx(1)


def test_lone_surrogates_and_nul_do_not_move_the_words(reader: Reader) -> None:
    assert words(reader, "A \ud83d\0 shameful \udc00 law\0.") == [("shameful", Kind.FRAMING)]


@pytest.mark.parametrize("before", ["🙂🙂 ", "é́ ", "שלום ", "漢字", "\u202e", "\r\n\t", "ﬃ "])
def test_words_are_found_beside_any_script(reader: Reader, before: str) -> None:
    found = words(reader, f"{before}A shameful law")
    assert found == [("shameful", Kind.FRAMING)]


def test_cancelling_stops_between_chunks(reader: Reader) -> None:
    counted = Counted(reader)
    answers = iter([False, True])
    with pytest.raises(Cancelled):
        reader.read([f"law {number}" for number in range(100)], cancelled=lambda: next(answers))
    assert counted.runs == reader_module.BATCH_SIZE


def test_long_pieces_are_cancelled_sooner(reader: Reader) -> None:
    counted = Counted(reader)
    answers = iter([False, True])
    texts = [f"law {number} " * 150 for number in range(10, 40)]
    with pytest.raises(Cancelled):
        reader.read(texts, cancelled=lambda: next(answers))
    long = counted.runs
    reader.read(["law 99 " * 210])
    assert 0 < long <= 4 * (counted.runs - long)


def test_several_threads_may_read_at_once(reader: Reader) -> None:
    texts = [f"A shameful law of {number} people." for number in range(60)]
    answers: list[Sequence[object]] = []
    threads = [threading.Thread(target=lambda: answers.append(reader.read(texts))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(answers) == 4
    assert all(answer == answers[0] for answer in answers)


def spoiled(tiny_bundle: Path, tmp_path: Path, name: str, data: bytes) -> Path:
    """A bundle with another file in it, and the hash that belongs to it."""
    folder = Path(shutil.copytree(tiny_bundle, tmp_path / "reader"))
    (folder / name).write_bytes(data)
    (folder / "bundle.json").unlink()
    describe(folder)
    return folder


def test_a_tokenizer_that_is_none_is_named(tiny_bundle: Path, tmp_path: Path) -> None:
    folder = spoiled(tiny_bundle, tmp_path, "tokenizer.json", b"{}")
    with pytest.raises(BundleError, match=r"in its tokenizer, model is missing or wrong.*Reinstall"):
        Reader.load(folder)


def test_a_graph_with_other_ends_is_refused(tiny_bundle: Path, tmp_path: Path) -> None:
    model = onnx.load(tiny_bundle / "reader.onnx")
    del model.graph.output[2:]
    folder = spoiled(tiny_bundle, tmp_path, "reader.onnx", model.SerializeToString())
    with pytest.raises(BundleError, match="is not a reader"):
        Reader.load(folder)


def test_a_graph_with_an_unknown_operator_is_refused(tiny_bundle: Path, tmp_path: Path) -> None:
    model = onnx.load(tiny_bundle / "reader.onnx")
    model.graph.node[0].op_type = "NoSuchOperator"
    folder = spoiled(tiny_bundle, tmp_path, "reader.onnx", model.SerializeToString())
    with pytest.raises(BundleError, match="cannot be opened"):
        Reader.load(folder)


def test_a_model_without_numbers_is_an_error(reader: Reader, monkeypatch: pytest.MonkeyPatch) -> None:
    class Silent:
        def run(self, outputs: list[str], feed: dict[str, Any], _options: Any) -> Any:
            size = feed["input_ids"].shape[1]
            found = {
                "spans": np.full((1, size, 7), np.nan),
                "bias": np.zeros(1),
                "leaning": np.zeros((1, 4)),
                "meaning": np.zeros((1, HIDDEN)),
            }
            return [found[name] for name in outputs]

    monkeypatch.setattr(reader._session, "_session", Silent())
    with pytest.raises(ReaderError, match="gives values that are not finite"):
        reader.read(["A law."])


def test_meanings_are_directions_and_the_same_alone_and_later(tiny_bundle: Path, reader: Reader) -> None:
    texts = ["The law is new.", "…", "A shameful law.", "the law and the people " * 300]
    rows = reader.embed(texts)
    assert (rows.dtype, rows.shape) == (np.float32, (4, HIDDEN))
    assert np.linalg.norm(rows, axis=1) == pytest.approx([1, 0, 1, 1], abs=1e-5)
    alone = Reader.load(tiny_bundle)
    alone.read(texts[2:])
    assert np.array_equal(alone.embed(texts[2:3])[0], rows[2])
    assert reader.embed([]).shape[0] == 0


def test_a_meaning_costs_nothing_after_reading(reader: Reader) -> None:
    counted = Counted(reader)
    reader.read(["The law is new."])
    reader.embed(["The law is new."])
    assert counted.runs == 1


def test_a_model_without_meanings_still_reads(tiny_bundle: Path, tmp_path: Path) -> None:
    model = onnx.load(tiny_bundle / "reader.onnx")
    assert model.graph.output.pop().name == "meaning"
    reader = Reader.load(spoiled(tiny_bundle, tmp_path, "reader.onnx", model.SerializeToString()))
    assert words(reader, "A shameful law.") == [("shameful", Kind.FRAMING)]
    with pytest.raises(ReaderError, match="cannot compare what texts say"):
        reader.embed(["A law."])


@given(
    st.lists(st.sampled_from(["a", "law-man's", " ", "漢", ".", "x" * 900, "\n", "🙂"]), max_size=60).map(
        "".join
    )
)
def test_pieces_cover_the_text_and_cut_no_word(text: str) -> None:
    cuts = list(split_chunks(text))
    assert "".join(text[start:end] for start, end in cuts) == text
    inner = {end for _, end in cuts[:-1]}
    for word in WORD.finditer(text):
        assert not any(word.start() < cut < word.end() for cut in inner)
    for start, end in cuts:
        longest = max((len(word) for word in WORD.findall(text[start:end])), default=0)
        assert end - start <= max(CHUNK_CHARACTERS, longest)


@given(st.lists(st.booleans(), max_size=200), st.integers(min_value=1, max_value=40))
def test_windows_cover_the_tokens_in_order(gaps: list[bool], most: int) -> None:
    offsets, at = [], 0
    for gap in gaps:
        at += gap
        offsets.append((at, at + 1))
        at += 1
    cuts = list(windows(offsets, most))
    assert [token for start, end in cuts for token in range(start, end)] == list(range(len(offsets)))
    assert all(0 < end - start <= most for start, end in cuts)


def test_windows_end_between_words() -> None:
    offsets = [(0, 1), (1, 2), (3, 4), (4, 5), (6, 7), (7, 8)]
    assert list(windows(offsets, 3)) == [(0, 2), (2, 4), (4, 6)]


def test_progress_is_reported_up_to_one(tiny_bundle: Path) -> None:
    reader = Reader.load(tiny_bundle)
    told: list[float] = []
    texts = [f"Sentence number {number} is shameful." for number in range(60)]
    reader.read(texts, on_progress=told.append)
    assert len(told) > 1
    assert told == sorted(told)
    assert told[-1] == 1
    told.clear()
    reader.read(texts, on_progress=told.append)
    assert told == []


def test_the_words_of_the_cue_lists_are_raised_as_the_bundle_says(tiny_bundle: Path, tmp_path: Path) -> None:
    folder = Path(shutil.copytree(tiny_bundle, tmp_path / "reader"))
    facts = json.loads((folder / "bundle.json").read_text())
    facts["calibration"]["cue_offset"] = -2.0
    (folder / "bundle.json").write_text(json.dumps(facts))
    text = "The chairman reveals a record."
    plain, lowered = (Reader.load(one).read([text], threshold=0.1)[0] for one in (tiny_bundle, folder))
    assert [span.kind for span in lowered.spans] == [span.kind for span in plain.spans]
    for before, after in zip(plain.spans, lowered.spans, strict=True):
        odds = before.confidence / (1 - before.confidence) * math.exp(-2)
        assert after.confidence == pytest.approx(odds / (1 + odds), abs=2e-3)
    assert lowered.bias == plain.bias
