"""WIKIBIAS's manual corpus in the tables: pairs stay whole, nothing scored is learnt, and only gold kinds count."""

from __future__ import annotations

import json
import lzma
from pathlib import Path
from typing import Any

import pytest

from core.types import Kind
from training.papers.wikibias.manual_corpus import (
    ManualParts,
    is_for_selection,
    load_manual,
    load_noisy,
    tagged,
)
from training.text.near_duplicates import NearDuplicateIndex
from training.types import BEGIN, OUTSIDE

PAIRS = {
    "loaded": ("the brave army of the north took the old fort", "the army of the north took the old fort"),
    "added": (
        "a small town on the river has two schools",
        "a small town on the river has two public schools",
    ),
    "rewritten": ("one big town by night and rain", "two small lakes at noon in spring"),
    "near": (
        "the famous harbour of number 3 was built by the city in 1890",
        "the harbour of number 3 was built by the city in 1890",
    ),
    "listed": ("some rather bad film from the sixties", "some film from the sixties"),
}


def row(part: str, number: int, **facts: Any) -> dict[str, Any]:
    tokens = f"the great harbour of number {number} was built by the {part} in 1890 .".split()
    label = {"tags": [OUTSIDE, BEGIN, *[OUTSIDE] * (len(tokens) - 2)], "types": ["framing"], "class_label": 1}
    return {"id": f"{number}_0", "side": "source", "tokens": tokens, **label, **facts}


def target(part: str, number: int) -> dict[str, Any]:
    tokens = f"the harbour of number {number} was built by the {part} in 1890 .".split()
    plain = {"tags": [OUTSIDE] * len(tokens), "types": [], "class_label": 0}
    return row(part, number, id=f"{number}_1", side="target", tokens=tokens, **plain)


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A train and a dev part, targets before their sources, and five pairs of WNC."""
    (tmp_path / "wikibias").mkdir()
    (tmp_path / "wnc").mkdir()
    write(tmp_path, "train", [side for number in range(4) for side in pair("state", number)])
    write(tmp_path, "dev", [side for number in range(40) for side in pair("city", number)])
    lines = ["biased\tneutral", *("\t".join(PAIRS[name]) for name in ("loaded", "added", "rewritten"))]
    (tmp_path / "wnc" / "pairs.train.tsv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    rows = [
        f"{number}\t{biased}\t{neutral}\t0.9\t1"
        for number, (biased, neutral) in ((50000, PAIRS["near"]), (50001, PAIRS["listed"]))
    ]
    table = "\n".join(["row\tbiased\tneutral\tsim\tone_deletion", *rows]) + "\n"
    (tmp_path / "wnc" / "pairs_part2.tsv.xz").write_bytes(lzma.compress(table.encode()))
    (tmp_path / "wnc" / "rows_in_wikibias_dev.txt").write_text("50001\n", encoding="utf-8")
    return tmp_path


def pair(part: str, number: int) -> tuple[dict[str, Any], dict[str, Any]]:
    return target(part, number), row(part, number)


def write(folder: Path, part: str, rows: list[dict[str, Any]]) -> None:
    text = "".join(f"{json.dumps(one)}\n" for one in rows)
    (folder / "wikibias" / f"{part}.jsonl.xz").write_bytes(lzma.compress(text.encode()))


def groups(parts: ManualParts) -> list[list[str]]:
    return [[one.tagged.group for one in part] for part in (parts.train, parts.selection, parts.scored)]


def test_about_a_quarter_of_the_dev_pairs_chooses_and_pairs_stay_whole(data: Path) -> None:
    parts = load_manual(data)
    train, choosing, scored = groups(parts)
    assert len(train) == 8
    assert len(choosing) + len(scored) == 80
    assert 10 <= len(choosing) <= 30
    for names in (train, choosing, scored):
        assert names[::2] == names[1::2]
    assert not set(choosing) & set(scored)
    assert all(
        one.tagged.original for part in (parts.train, parts.selection, parts.scored) for one in part[::2]
    )


def test_the_choice_depends_on_the_pair_alone(data: Path) -> None:
    before = groups(load_manual(data))[1]
    rows = [side for number in reversed(range(40)) for side in reversed(pair("city", number))]
    write(data, "dev", rows[:40])
    after = groups(load_manual(data))[1]
    assert after == [group for group in before if int(group.rpartition("-")[2]) >= 20]
    assert [is_for_selection(f"wikibias-dev-{number}") for number in (1, 2, 6, 9)] == [
        True,
        False,
        True,
        False,
    ]


def test_kinds_that_contradict_the_label_are_unknown(data: Path) -> None:
    plain = [OUTSIDE] * len(row("state", 0)["tokens"])
    rows = [
        row("state", 0, types=["framing", "demographic"]),
        row("state", 1, types=[], tags=plain),
        row("state", 2, class_label=0),
        row("state", 3, class_label=0, types=[], tags=plain),
    ]
    write(data, "train", rows)
    found = tagged(load_manual(data).train)
    assert [one.kinds for one in found] == [{Kind.FRAMING, Kind.DEMOGRAPHIC}, None, None, frozenset()]
    assert [one.biased for one in found] == [True, True, False, False]


def test_noisy_pairs_have_the_heuristics_spans_and_every_source_is_biased(data: Path) -> None:
    found = load_noisy(data, load_manual(data))
    assert [" ".join(one.tokens) for one in found] == [*PAIRS["loaded"], *PAIRS["added"]]
    loaded, _, added, _ = found
    assert [token for token, tag in zip(loaded.tokens, loaded.tags, strict=True) if tag == BEGIN] == ["brave"]
    assert set(added.tags) == {OUTSIDE}
    assert [(one.biased, one.original) for one in found] == [(True, True), (False, False)] * 2
    assert [one.kinds for one in found] == [None, frozenset()] * 2


def test_no_noisy_pair_is_near_a_manual_sentence(corpora: Path) -> None:
    parts = load_manual(corpora)
    known = NearDuplicateIndex(
        " ".join(one.tagged.tokens) for one in (*parts.train, *parts.selection, *parts.scored)
    )
    found = load_noisy(corpora, parts)
    assert found
    assert not any(known.has_near_duplicate(" ".join(one.tokens)) for one in found)
