"""How fast the rewriter is, beside transformers.generate on torch in fp32 with the same weights, beam and thread.

    python -m tests.benchmarks.rewriter_speed [--bundle FOLDER] [--reader FOLDER]

The peer's weights are the bundle's, multiplied out; it searches with a plain beam, ours goes on by beam search from the
likeliest first pieces, which gives as many answers. Also: how long the suggestions of one finding take from the
finding to what the card shows, with nothing remembered. Prints figures and asserts nothing: run it on a quiet machine.
"""

from __future__ import annotations

import argparse
import json
import statistics
import struct
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from core.bundles.rewriter import bundled_rewriter
from core.documents import parse
from core.documents.format_specs import detect_format
from core.engine.engine import Engine, bundled_reader
from core.rewriting.rewriter import BEAM_SIZE, MAX_ANSWER_WORDPIECES, Rewriter, RewriteRequest
from core.rewriting.suggester import PROPOSALS_PER_TARGET, Suggester
from core.text.tokens import WORD
from resources import ROOT

ASKS = 40
ROUNDS = 3
_TYPES = {0: np.float32, 1: np.int8, 2: np.int16, 3: np.int32, 4: np.float16}


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description="Rewriter speed beside transformers.generate on torch.")
    parser.add_argument("--bundle", type=Path, default=bundled_rewriter(), help="folder of the rewriter")
    parser.add_argument("--reader", type=Path, default=bundled_reader(), help="folder of the reader")
    arguments = parser.parse_args()
    engine = Engine.load(arguments.reader)
    asks = [RewriteRequest(text, *place) for text, place in _places(engine)][:ASKS]
    peer = _peer(arguments.bundle)
    ours, theirs = [], []
    for _ in range(ROUNDS):
        rewriter = Rewriter.load(arguments.bundle)
        sources = [rewriter._source(ask) for ask in asks]
        theirs.append(_seconds(lambda: [peer(*source) for source in sources]))  # noqa: B023
        ours.append(_seconds(lambda: [rewriter.propose([ask], PROPOSALS_PER_TARGET) for ask in asks]))  # noqa: B023
    fast, slow = statistics.median(ours) / len(asks), statistics.median(theirs) / len(asks)
    print(f"{len(asks)} asks one by one, beam {BEAM_SIZE}, one thread, medians of {ROUNDS}")
    print(f"rewriter                     {1000 * fast:8.1f} ms")
    print(f"transformers.generate, fp32  {1000 * slow:8.1f} ms")
    print(f"ratio                        {slow / fast:8.2f}")
    _suggestions(arguments.reader, arguments.bundle)


def _samples() -> Iterator[Any]:
    for path in sorted((ROOT / "samples").iterdir()):
        if path.suffix in (".md", ".wikitext", ".txt"):
            source = path.read_text(encoding="utf-8")
            yield parse(source, detect_format(str(path), source))


def _places(engine: Engine) -> Iterator[tuple[str, tuple[int, int]]]:
    """Sentences of the samples with one word each, about the middle one."""
    from core.documents import prose

    for document in _samples():
        for sentence in document.sentences:
            text = prose(document, sentence).text
            words = list(WORD.finditer(text))
            if len(words) > 5:
                yield text, words[len(words) // 2].span()


def _seconds(work: Callable[[], Any]) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def _suggestions(reader: Path, rewriter: Path) -> None:
    """Each finding of the samples once, models warm, answers not remembered."""
    times = []
    for document in _samples():
        report = Engine.load(reader).analyse(document)
        for finding in report.findings:
            engine = Engine.load(reader)
            suggester = Suggester.load(engine, rewriter)
            engine.analyse(document)
            times.append(_seconds(lambda: suggester.suggest(document, finding)))  # noqa: B023
    shown = f"{1000 * statistics.median(times):.0f} ms, longest {1000 * max(times):.0f} ms"
    print(f"suggestions of a finding     median {shown} ({len(times)} findings)")


def _peer(bundle: Path) -> Callable[[Sequence[str], Sequence[str]], None]:
    import torch
    from transformers import BartConfig, BartForConditionalGeneration

    torch.set_num_threads(1)
    weights = dict(_weights(bundle / "model.bin"))
    names = {piece: number for number, piece in enumerate(_vocabulary(bundle))}
    width = weights["decoder/embeddings/weight"].shape[1]

    def layers(side: str) -> int:
        return len({name.split("/")[1] for name in weights if name.startswith(f"{side}/layer_")})

    config = BartConfig(
        vocab_size=len(names),
        d_model=width,
        encoder_layers=layers("encoder"),
        decoder_layers=layers("decoder"),
        encoder_attention_heads=int(weights["encoder/num_heads"]),
        decoder_attention_heads=int(weights["encoder/num_heads"]),
        encoder_ffn_dim=weights["encoder/layer_0/ffn/linear_0/weight"].shape[0],
        decoder_ffn_dim=weights["decoder/layer_0/ffn/linear_0/weight"].shape[0],
        max_position_embeddings=weights["encoder/position_encodings/encodings"].shape[0],
        pad_token_id=names["[PAD]"],
        bos_token_id=names["[CLS]"],
        eos_token_id=names["[SEP]"],
        decoder_start_token_id=names["[CLS]"],
        forced_eos_token_id=None,
    )
    model = BartForConditionalGeneration(config).eval()
    model.load_state_dict(_renamed(weights, model.state_dict()))

    def generate(sentence: Sequence[str], prompt: Sequence[str]) -> None:
        ids = torch.tensor([[names[piece] for piece in sentence]])
        given = torch.tensor([[names[piece] for piece in ("[CLS]", *prompt)]])
        with torch.inference_mode():
            model.generate(
                ids,
                attention_mask=torch.ones_like(ids),
                decoder_input_ids=given,
                num_beams=BEAM_SIZE,
                num_return_sequences=BEAM_SIZE,
                max_new_tokens=MAX_ANSWER_WORDPIECES,
                length_penalty=0.0,
                do_sample=False,
            )

    return generate


def _vocabulary(bundle: Path) -> list[str]:
    found: list[str] = json.loads((bundle / "shared_vocabulary.json").read_text(encoding="utf-8"))
    return found


def _renamed(weights: dict[str, Any], wanted: dict[str, Any]) -> dict[str, Any]:
    """CTranslate2's weights under the names of transformers."""
    import torch

    state = dict(wanted)

    def put(name: str, values: Any) -> None:
        assert state[name].shape == values.shape, (name, state[name].shape, values.shape)
        state[name] = torch.tensor(values)

    words = weights["decoder/embeddings/weight"]
    for name in ("model.shared", "model.encoder.embed_tokens", "model.decoder.embed_tokens", "lm_head"):
        put(f"{name}.weight", words)
    if "decoder/projection/bias" in weights:
        put("final_logits_bias", weights["decoder/projection/bias"][None])
    for side in ("encoder", "decoder"):
        places = weights[f"{side}/position_encodings/encodings"]
        state[f"model.{side}.embed_positions.weight"][2:] = torch.tensor(places)
        for end, ours in (("weight", "gamma"), ("bias", "beta")):
            put(f"model.{side}.layernorm_embedding.{end}", weights[f"{side}/layernorm_embedding/{ours}"])
        for name in sorted(weights):
            if not name.startswith(f"{side}/layer_") or name.split("/")[-1] not in (
                "gamma",
                "beta",
                "weight",
                "bias",
            ):
                continue
            _, layer, *path = name.split("/")
            base = f"model.{side}.layers.{layer.removeprefix('layer_')}"
            for target, values in _parts(path, weights[name]):
                put(f"{base}.{target}", values)
    return state


def _parts(path: Sequence[str], values: Any) -> Iterator[tuple[str, Any]]:
    """(name in transformers, values) of one of CTranslate2's weights of a layer; fused ones come apart."""
    end = {"gamma": "weight", "beta": "bias"}.get(path[-1], path[-1])
    if path[0] == "ffn":
        name = {"linear_0": "fc1", "linear_1": "fc2", "layer_norm": "final_layer_norm"}[path[1]]
        yield f"{name}.{end}", values
        return
    block = "self_attn" if path[0] == "self_attention" else "encoder_attn"
    if path[1] == "layer_norm":
        yield f"{block}_layer_norm.{end}", values
        return
    fused = {
        ("self_attn", "linear_0"): ("q_proj", "k_proj", "v_proj"),
        ("encoder_attn", "linear_0"): ("q_proj",),
        ("encoder_attn", "linear_1"): ("k_proj", "v_proj"),
    }.get((block, path[1]), ("out_proj",))
    for name, some in zip(fused, np.split(values, len(fused)), strict=True):
        yield f"{block}.{name}.{end}", some


def _weights(path: Path) -> Iterator[tuple[str, Any]]:
    """(name, float32 array) of the variables of a CTranslate2 model, int8 ones multiplied out."""
    data = path.read_bytes()
    at = 0

    def take(form: str) -> Any:
        nonlocal at
        (value,) = struct.unpack_from(f"<{form}", data, at)
        at += struct.calcsize(f"<{form}")
        return value

    def text() -> str:
        nonlocal at
        size = take("H")
        at += size
        return data[at - size : at - 1].decode()

    take("I"), text(), take("I")
    found: dict[str, Any] = {}
    for _ in range(take("I")):
        name = text()
        shape = [take("I") for _ in range(take("B"))]
        kind, size = take("B"), take("I")
        found[name] = np.frombuffer(
            data, _TYPES[kind], count=size // np.dtype(_TYPES[kind]).itemsize, offset=at
        )
        found[name] = found[name].reshape(shape)
        at += size
    aliases = {text(): text() for _ in range(take("I"))}
    found |= {name: found[source] for name, source in aliases.items() if source in found}
    for name, values in found.items():
        scale = found.get(f"{name}_scale")
        whole = values.astype(np.float32)
        yield name, whole if scale is None or values.dtype != np.int8 else whole / np.reshape(scale, (-1, 1))


if __name__ == "__main__":
    main()
