"""Bundles that were damaged or made to do harm, from a seed, with checksums that are right; and what becomes of them.

``python -m tests.reliability.mutated_bundles ROLE FIRST LAST`` tries to import and use each, and prints a line for it.
It is a process of its own: the line that is missing is that of the bundle that ended it.
"""

from __future__ import annotations

import hashlib
import json
import shutil
import struct
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import onnx

from core.bundles.manifest import BundleError
from core.documents import parse
from core.documents.types import Format
from core.engine.engine import Engine
from core.models.model_load_check import check_model_loads
from core.rewriting.rewriter import Rewriter, RewriteRequest, SentenceTooLong
from core.rewriting.suggester import Suggester
from tests.reliability.mutations import ANY
from tests.tiny import make_bundle
from tests.tiny_rewriter import make_random, make_rewriter

LONGEST_MESSAGE = 600
_NUMBERS = (
    -1,
    0,
    1,
    2,
    3,
    7,
    64,
    127,
    128,
    255,
    256,
    4096,
    2**15,
    2**31 - 1,
    2**31,
    2**32,
    2**63 - 1,
    -(2**31),
)
_LEAVES: tuple[Any, ...] = (
    None,
    True,
    False,
    "",
    "[CLS]",
    "law",
    "\ud800",
    [],
    {},
    0.5,
    -1.0,
    1e308,
    *_NUMBERS,
)
_OPERATORS = (
    "Abs", "Add", "And", "Cast", "Concat", "ConstantOfShape", "CumSum", "Div", "Einsum", "Expand", "Flatten",
    "Gather", "GatherElements", "GatherND", "Identity", "If", "LSTM", "Loop", "MatMul", "MatMulInteger", "MaxPool",
    "Mod", "Mul", "NonZero", "OneHot", "Pad", "Pow", "Range", "ReduceSum", "Reshape", "Resize", "RoiAlign", "Scan",
    "ScatterND", "Shape", "Slice", "Split", "Squeeze", "Tile", "TopK", "Transpose", "Unsqueeze", "Where",
)  # fmt: skip
_FILES = {
    "reader": (*["reader.onnx"] * 6, *["tokenizer.json"] * 3, "bundle.json"),
    "rewriter": (
        *["model.bin"] * 7,
        "config.json",
        "shared_vocabulary.json",
        "tokenizer.json",
        "bundle.json",
    ),
}
"""What is changed; the more a library makes of a file, the more often."""
_TEXTS = (
    "The chairman reveals a shameful record. The senator claims that mankind is disastrous!",
    "“New” laws—of 12,5 % – are naïve; “people” said so… ሰላም 中文 \u202e👩🏽\u200d🔬",
    "shameful " * 300,
    "x" * 3000,
)


def mutate(folder: Path, role: str, chance: Random) -> None:
    """Change a file of the bundle in one way or two, and make its checksums right again."""
    for _ in range(chance.choice((1, 1, 1, 2))):
        path = folder / chance.choice(_FILES[role])
        ways = _WAYS.get(path.suffix, ())
        if ways and chance.random() < 0.85:
            chance.choice(ways)(path, chance)
        else:
            path.write_bytes(chance.choice(ANY)(path.read_bytes(), chance))
    _set_checksums(folder)


def _set_checksums(folder: Path) -> None:
    path = folder / "bundle.json"
    try:
        description = json.loads(path.read_bytes())
        names = [name for name in description["sha256"] if (folder / name).is_file()]
    except (ValueError, TypeError, KeyError):
        return
    for name in names:
        description["sha256"][name] = hashlib.sha256((folder / name).read_bytes()).hexdigest()
    path.write_text(json.dumps(description), encoding="utf-8")


def _change_json(path: Path, chance: Random) -> None:
    """Another value in a place, a place that is missing, or one that is there twice."""
    try:
        whole = json.loads(path.read_bytes())
    except ValueError:
        return
    places: list[tuple[Any, Any]] = []
    stack = [whole]
    while stack:
        one = stack.pop()
        if isinstance(one, dict | list):
            keys = list(one) if isinstance(one, dict) else list(range(len(one)))
            # A vocabulary has hundreds of places, and would be all that is ever changed.
            places += ((one, key) for key in (keys if len(keys) < 30 else chance.sample(keys, 5)))
            stack += (one[key] for key in keys)
    if not places:
        return
    inside, key = chance.choice(places)
    if chance.random() < 0.2:
        del inside[key]
    elif chance.random() < 0.2 and isinstance(inside, list):
        inside.append(inside[key])
    elif isinstance(inside[key], int) and chance.random() < 0.5:
        inside[key] += chance.choice((-1, 1, 1000))
    else:
        inside[key] = chance.choice(_LEAVES)
    path.write_text(json.dumps(whole), encoding="utf-8")


def _change_graph(path: Path, chance: Random) -> None:
    """Another operator, attribute, shape, type, value or name in a graph that still is one."""
    try:
        model = onnx.load_from_string(path.read_bytes())
    except Exception:
        return
    graph = model.graph
    if not graph.node or not graph.initializer:
        return
    node, tensor = chance.choice(graph.node), chance.choice(graph.initializer)
    names = [name for one in graph.node for name in (*one.input, *one.output)]
    match chance.randrange(14):
        case 0:
            node.op_type = chance.choice(_OPERATORS)
        case 1 if node.input:
            node.input[chance.randrange(len(node.input))] = chance.choice(names)
        case 2:
            graph.node.remove(node)
        case 3:
            node.attribute.append(onnx.helper.make_attribute("axis", chance.choice(_NUMBERS[:12])))
        case 4 if tensor.dims:
            tensor.dims[chance.randrange(len(tensor.dims))] = chance.choice(_NUMBERS)
        case 5:
            tensor.data_type = chance.randrange(24)
        case 6:
            tensor.raw_data = chance.randbytes(len(tensor.raw_data))
        case 7:
            extra = onnx.helper.make_node(
                chance.choice(_OPERATORS), [chance.choice(names) for _ in range(2)], ["extra"]
            )
            graph.node.append(extra)
            node.input[0] = "extra"
        case 8 | 9:
            values = np.frombuffer(tensor.raw_data, np.uint8).copy()
            values[chance.randrange(len(values) or 1) :][:4] ^= chance.choice((1, 64, 128, 255))
            tensor.raw_data = values.tobytes()
        case 10:
            node.output[0] = chance.choice(names)
        case 11:
            graph.node.insert(0, graph.node.pop())
        case 12:
            value = chance.choice([*graph.input, *graph.output])
            value.type.tensor_type.elem_type = chance.randrange(17)
        case _:
            tensor.raw_data = struct.pack("<f", chance.choice((1e38, -1e38, float("nan")))) * (
                len(tensor.raw_data) // 4
            )
    path.write_bytes(model.SerializeToString())


_TENSORS = (b"/weight\0", b"/weight_scale\0", b"/gamma\0", b"/beta\0", b"/bias\0", b"/encodings\0")
_SCALARS = (b"/num_heads\0", b"/pre_norm\0", b"/activation\0", b"/scale_embeddings\0", b"/alignment_heads\0")


def _change_weights(path: Path, chance: Random) -> None:
    """Another number in the header of a variable, or other values of the same length."""
    data = bytearray(path.read_bytes())
    changes_values = chance.random() < 0.6
    mark = chance.choice(_TENSORS if changes_values else _TENSORS + _SCALARS)
    places = [at for at in range(len(data)) if data.startswith(mark, at)]
    if not places:
        return
    at = chance.choice(places) + len(mark)
    dimensions = data[at] if at < len(data) else 9
    kind = at + 1 + 4 * dimensions
    if dimensions > 4 or kind + 5 > len(data):
        return
    if changes_values:
        (size,) = struct.unpack_from("<I", data, kind + 1)
        length = min(size, len(data) - kind - 5, chance.choice((1, 4, 400, 10**6)))
        filling = chance.choice((b"\0\0\0\0", b"\x7f\x7f\x7f\x7f", struct.pack("<f", 1e-38), b""))
        made = (filling * length)[:length] or chance.randbytes(length)
        data[kind + 5 : kind + 5 + length] = made
    elif chance.random() < 0.3:
        data[chance.randrange(at - len(mark), kind + 5)] ^= 1 << chance.randrange(8)
    elif dimensions == 2 and chance.random() < 0.4:
        rows, columns = struct.unpack_from("<II", data, at + 1)
        struct.pack_into("<II", data, at + 1, *chance.choice(((columns, rows), (rows * 2, columns // 2))))
    elif dimensions:
        place = at + 1 + 4 * chance.randrange(dimensions)
        struct.pack_into("<I", data, place, chance.choice(_NUMBERS) & 0xFFFFFFFF)
    else:
        data[kind + 5] = chance.choice((0, 1, 2, 3, 5, 127, 255))
    path.write_bytes(data)


Way = Callable[[Path, Random], None]
_WAYS: dict[str, tuple[Way, ...]] = {
    ".json": (_change_json,),
    ".onnx": (_change_graph,),
    ".bin": (_change_weights,),
}


class Importer:
    """Makes mutated bundles, tries to import them, and uses those that are accepted."""

    def __init__(self, folder: Path, role: str) -> None:
        self._folder = folder
        self._role = role
        self._reader = make_bundle(folder / "reader")
        made = {"reader": [self._reader], "rewriter": []}
        if role == "rewriter":
            made[role] = [make_rewriter(folder / "taught"), make_random(folder / "random")]
        self._sound = made[role]

    def outcome(self, seed: int) -> str:
        """``refused``, ``works``, or what is wrong."""
        chance = Random(f"{self._role} {seed}")
        folder = Path(shutil.copytree(chance.choice(self._sound), self._folder / f"bundle-{seed}"))
        try:
            mutate(folder, self._role, chance)
            try:
                check_model_loads(self._role, folder)
            except BundleError as error:
                said = str(error)
                clear = said and "\n" not in said and len(said) < LONGEST_MESSAGE
                return "refused" if clear else f"unclear: {said[:LONGEST_MESSAGE]!r}"
            try:
                self._use(folder)
            except Exception as error:
                return f"accepted, and then {type(error).__name__}: {error}"
            return "works"
        finally:
            shutil.rmtree(folder)

    def _use(self, folder: Path) -> None:
        """What a person would do with it: check texts, and ask for other suggestions."""
        engine = Engine.load(folder if self._role == "reader" else self._reader)
        for text in _TEXTS:
            document = parse(text, Format.PLAIN)
            report = engine.analyse(document)
            assert all(text[found.start : found.end] == found.text for found in report.findings)
            if self._role == "rewriter":
                suggester = Suggester(engine, Rewriter.load(folder))
                for finding in report.findings[:3]:
                    suggester.suggest(document, finding)
        if self._role == "rewriter":
            rewriter = Rewriter.load(folder)
            for text in (_TEXTS[0], _TEXTS[1], _TEXTS[3]):
                try:
                    rewriter.propose([RewriteRequest(text, 4, 12)], 3)
                except SentenceTooLong:
                    continue


def main(role: str, first: int, last: int) -> None:
    """Print a line for each seed."""
    with tempfile.TemporaryDirectory() as folder:
        importer = Importer(Path(folder), role)
        for seed in range(first, last):
            print(f"{seed} {' '.join(importer.outcome(seed).split())}", flush=True)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
