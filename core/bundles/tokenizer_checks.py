"""What a ``tokenizer.json`` may be: WordPiece over BERT's words (Devlin et al. 2019), and every number in its range.

The library panics on some files that it has read, at the first text that needs what is wrong in them. So the file is
read here, and the library is given a new one of the parts that were understood.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from core.bundles.manifest import REPAIR, Bundle, BundleError, damaged_error, refused_error
from core.failures import failures_as
from core.i18n import tr

if TYPE_CHECKING:
    from tokenizers import Tokenizer

PREFIX = "##"
"""Begins a piece that goes on with a word."""

_MAX_WORDPIECES = 1_000_000
_MAX_ADDED = 10_000
_MAX_WORDPIECE_CHARACTERS = 1_000
_FRAMES = ("BertProcessing", "RobertaProcessing")
_FLAGS = ("single_word", "lstrip", "rstrip", "normalized", "special")
_NORMALIZER = {"clean_text": True, "handle_chinese_chars": True, "strip_accents": None, "lowercase": True}


class _WrongPartError(ValueError):
    """A part of the file is not as it must be; the message names it."""


def open_tokenizer(bundle: Bundle) -> Tokenizer:
    """The tokenizer of a bundle, rebuilt and tried on an empty text. Raises BundleError."""
    from tokenizers import Tokenizer

    message = tr("The tokenizer in {folder} cannot be read. {repair}")
    with failures_as(lambda: BundleError(message.format(folder=bundle.folder, repair=REPAIR)), BundleError):
        tokenizer = Tokenizer.from_str(rebuild_tokenizer(bundle.folder, bundle.tokenizer.read_bytes()))
        tokenizer.encode("")
    return tokenizer


def rebuild_tokenizer(folder: Path, data: bytes) -> str:
    """The tokenizer in ``data``, written again of what was understood. Raises BundleError that names ``folder``."""
    try:
        tokenizer = json.loads(data.decode("utf-8"))
    except (ValueError, RecursionError) as error:
        raise damaged_error(folder, tr("its tokenizer is not JSON")) from error
    try:
        if _part(tokenizer, "model", dict).get("type", "WordPiece") != "WordPiece":
            raise refused_error(folder, tr("its tokenizer is not a WordPiece tokenizer"))
        rebuilt = json.dumps(_tokenizer(tokenizer), ensure_ascii=False)
        rebuilt.encode("utf-8")
    except (_WrongPartError, UnicodeEncodeError) as error:
        part = error if isinstance(error, _WrongPartError) else "vocab"
        said = tr("in its tokenizer, {part} is missing or wrong")
        raise damaged_error(folder, said.format(part=part)) from error
    return rebuilt


def _tokenizer(tokenizer: dict[str, Any]) -> dict[str, Any]:
    model = _model(_part(tokenizer, "model", dict))
    vocabulary: dict[str, int] = model["vocab"]
    added = _added_tokens(tokenizer.get("added_tokens"), vocabulary)
    known = vocabulary | {token["content"]: token["id"] for token in added}
    if _part(tokenizer, "pre_tokenizer", dict).get("type") != "BertPreTokenizer":
        raise _WrongPartError("pre_tokenizer")
    return {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": added,
        "normalizer": _normalizer(tokenizer.get("normalizer")),
        "pre_tokenizer": {"type": "BertPreTokenizer"},
        "post_processor": _frame(tokenizer.get("post_processor"), known),
        "decoder": None,
        "model": model,
    }


def _model(model: dict[str, Any]) -> dict[str, Any]:
    vocabulary = _part(model, "vocab", dict)
    numbers = list(vocabulary.values())
    sound = all(_is_number(number, _MAX_WORDPIECES) for number in numbers) and all(
        map(_is_wordpiece, vocabulary)
    )
    if not vocabulary or not sound or len(set(numbers)) != len(numbers):
        raise _WrongPartError("vocab")
    if model.get("unk_token") not in vocabulary:
        raise _WrongPartError("unk_token")
    if model.get("continuing_subword_prefix") != PREFIX:
        raise _WrongPartError("continuing_subword_prefix")
    if not _is_number(model.get("max_input_chars_per_word"), _MAX_WORDPIECE_CHARACTERS):
        raise _WrongPartError("max_input_chars_per_word")
    names = ("unk_token", "continuing_subword_prefix", "max_input_chars_per_word", "vocab")
    return {"type": "WordPiece", **{name: model[name] for name in names}}


def _added_tokens(tokens: object, vocabulary: dict[str, int]) -> list[dict[str, Any]]:
    """Tokens that are sought before the words are; those that the vocabulary lacks have the next free numbers."""
    if not isinstance(tokens, list) or len(tokens) > _MAX_ADDED:
        raise _WrongPartError("added_tokens")
    number_after = max(vocabulary.values()) + 1
    found: dict[str, dict[str, Any]] = {}
    for token in tokens:
        content = _part(token, "content", str)
        number = _part(token, "id", int)
        wanted = vocabulary.get(content, number_after)
        if not _is_wordpiece(content) or content in found or isinstance(number, bool) or number != wanted:
            raise _WrongPartError("added_tokens")
        number_after += content not in vocabulary
        found[content] = {"id": number, "content": content} | {
            flag: _part(token, flag, bool) for flag in _FLAGS
        }
    return list(found.values())


def _normalizer(normalizer: object) -> dict[str, Any] | None:
    if normalizer is None:
        return None
    if not isinstance(normalizer, dict) or normalizer.get("type") != "BertNormalizer":
        raise _WrongPartError("normalizer")
    options = {name: normalizer.get(name, usual) for name, usual in _NORMALIZER.items()}
    for name, value in options.items():
        if not (isinstance(value, bool) or (name == "strip_accents" and value is None)):
            raise _WrongPartError(f"normalizer.{name}")
    return {"type": "BertNormalizer", **options}


def _frame(processor: object, known: dict[str, int]) -> dict[str, Any] | None:
    """What puts one piece before a sentence and one after it."""
    if processor is None:
        return None
    if not isinstance(processor, dict):
        raise _WrongPartError("post_processor")
    if processor.get("type") in _FRAMES:
        first, last = (_special_token(processor, name) for name in ("cls", "sep"))
    else:
        first, last = _template(processor)
    if any(piece not in known for piece in (first, last)):
        raise _WrongPartError("post_processor")

    def piece(name: str, kind: int) -> dict[str, Any]:
        return {"SpecialToken": {"id": name, "type_id": kind}}

    def sequence(name: str, kind: int) -> dict[str, Any]:
        return {"Sequence": {"id": name, "type_id": kind}}

    single = [piece(first, 0), sequence("A", 0), piece(last, 0)]
    return {
        "type": "TemplateProcessing",
        "single": single,
        "pair": [*single, sequence("B", 1), piece(last, 1)],
        "special_tokens": {
            name: {"id": name, "ids": [known[name]], "tokens": [name]}
            for name in dict.fromkeys((first, last))
        },
    }


def _special_token(processor: dict[str, Any], name: str) -> str:
    pair = _part(processor, name, list)
    if len(pair) != 2 or not isinstance(pair[0], str):
        raise _WrongPartError("post_processor")
    return pair[0]


def _template(processor: dict[str, Any]) -> tuple[str, str]:
    parts = processor.get("single") if processor.get("type") == "TemplateProcessing" else None
    if not isinstance(parts, list) or len(parts) != 3:
        raise _WrongPartError("post_processor")
    if _part(_part(parts[1], "Sequence", dict), "id", str) != "A":
        raise _WrongPartError("post_processor")
    first, last = (_part(_part(parts[at], "SpecialToken", dict), "id", str) for at in (0, 2))
    return first, last


def _part(whole: object, name: str, kind: type[Any]) -> Any:
    value = whole.get(name) if isinstance(whole, dict) else None
    if not isinstance(value, kind):
        raise _WrongPartError(name)
    return value


def _is_number(value: object, most: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < most


def _is_wordpiece(piece: str) -> bool:
    return 0 < len(piece) <= _MAX_WORDPIECE_CHARACTERS and "\0" not in piece
