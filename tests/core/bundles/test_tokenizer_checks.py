"""Protects that a tokenizer from outside can read every text: what the library would panic on is refused before."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tokenizers import Tokenizer

from core.bundles.manifest import BundleError
from core.bundles.tokenizer_checks import rebuild_tokenizer
from core.engine.reader import Reader
from core.models.load_check_texts import reading_texts
from core.text.tokens import tokenizer_safe
from tests import hostile_models
from tests.tiny import tokenizer, vocabulary

SOUND = json.loads(tokenizer(vocabulary()).to_str())
FOLDER = Path("somewhere")


def rebuilt(changed: object) -> str:
    return rebuild_tokenizer(FOLDER, json.dumps(changed).encode())


def put(*path: str | int, value: Any) -> Callable[[Any], None]:
    """Puts a value into a tokenizer."""

    def change(whole: Any) -> None:
        for name in path[:-1]:
            whole = whole[name]
        whole[path[-1]] = value

    return change


def test_a_sound_one_reads_as_before() -> None:
    before, after = (Tokenizer.from_str(text) for text in (json.dumps(SOUND), rebuilt(SOUND)))
    for text in map(tokenizer_safe, reading_texts()):
        one, other = before.encode(text), after.encode(text)
        assert (one.ids, one.offsets) == (other.ids, other.offsets)


@pytest.mark.parametrize("frame", ["BertProcessing", "RobertaProcessing"])
def test_a_frame_of_another_kind_is_kept(frame: str) -> None:
    numbers = vocabulary()
    pair = {"sep": ["[SEP]", numbers["[SEP]"]], "cls": ["[CLS]", numbers["[CLS]"]]}
    changed = SOUND | {"post_processor": {"type": frame, **pair}}
    assert Tokenizer.from_str(rebuilt(changed)).encode("law").tokens == ["[CLS]", "law", "[SEP]"]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (put("model", "type", value="Unigram"), "not a WordPiece tokenizer"),
        (put("model", "type", value="BPE"), "not a WordPiece tokenizer"),
        (put("model", "unk_token", value="[NONE]"), "unk_token"),
        (put("model", "unk_token", value=None), "unk_token"),
        (put("model", "vocab", value={}), "vocab"),
        (put("model", "vocab", "law", value=-1), "vocab"),
        (put("model", "vocab", "law", value=0), "vocab"),
        (put("model", "vocab", "law", value=2**40), "vocab"),
        (put("model", "vocab", "law", value=True), "vocab"),
        (put("model", "vocab", "law", value=1.5), "vocab"),
        (put("model", "vocab", "", value=999), "vocab"),
        (put("model", "vocab", "\ud800", value=999), "vocab"),
        (put("model", "continuing_subword_prefix", value=""), "continuing_subword_prefix"),
        (put("model", "max_input_chars_per_word", value=-1), "max_input_chars_per_word"),
        (put("model", "max_input_chars_per_word", value=10**9), "max_input_chars_per_word"),
        (put("normalizer", value={"type": "Precompiled", "precompiled_charsmap": "AAAA"}), "normalizer"),
        (put("normalizer", "lowercase", value=3), r"normalizer\.lowercase"),
        (put("pre_tokenizer", value={"type": "Split", "pattern": {"Regex": "(a+)+$"}}), "pre_tokenizer"),
        (put("pre_tokenizer", value=None), "pre_tokenizer"),
        (put("post_processor", "single", value=[]), "post_processor"),
        (put("post_processor", "single", 0, "SpecialToken", "id", value="[NONE]"), "post_processor"),
        (put("added_tokens", value=None), "added_tokens"),
        (put("added_tokens", value=[{"id": 3, "content": "law"}]), "added_tokens"),
        (put("added_tokens", value=["law"]), "content"),
    ],
)
def test_a_part_that_is_wrong_is_named(change: Callable[[Any], None], said: str) -> None:
    changed = json.loads(json.dumps(SOUND))
    change(changed)
    with pytest.raises(BundleError, match=said):
        rebuilt(changed)


@pytest.mark.parametrize("data", [b"", b"{", b"[]", b"null", b"\xff", b"[" * 100_000])
def test_what_is_none_is_refused(data: bytes) -> None:
    with pytest.raises(BundleError, match="tokenizer"):
        rebuild_tokenizer(FOLDER, data)


def test_a_tokenizer_that_fails_on_some_words_is_refused_when_it_is_opened(
    tiny_bundle: Path, tmp_path: Path
) -> None:
    folder = hostile_models.without_unknown_words(hostile_models.copied(tiny_bundle, tmp_path / "odd"))
    with pytest.raises(BundleError, match="not a WordPiece tokenizer"):
        Reader.load(folder)


LEAVES = st.none() | st.booleans() | st.integers(-3, 200) | st.text(max_size=4) | st.just("[CLS]")


@settings(max_examples=200)
@given(st.data())
def test_whatever_is_accepted_reads_every_text(data: st.DataObject) -> None:
    changed = json.loads(json.dumps(SOUND))
    for _ in range(data.draw(st.integers(1, 2))):
        whole: Any = changed
        while True:
            keys = sorted(whole) if isinstance(whole, dict) else range(len(whole))
            key = data.draw(st.sampled_from(keys))
            if not isinstance(whole[key], dict | list) or not whole[key] or data.draw(st.integers(0, 9)) == 0:
                break
            whole = whole[key]
        whole[key] = data.draw(LEAVES)
    try:
        reader = Tokenizer.from_str(rebuilt(changed))
    except BundleError:
        return
    for text in ("", "law", "ሰላም 中文 naïve ##s [CLS] 👍", "x" * 500):
        encoding = reader.encode(text)
        assert len(encoding.ids) == len(encoding.offsets)
        assert all(0 <= start <= end <= len(text) for start, end in encoding.offsets)
