"""The command line of the package beside the checkout's own."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from installer.examine.failing import check
from installer.examine.inside import NOTHING, Said
from installer.examine.stage import CHECKOUT, COMMAND, Stage
from installer.examine.word_file import draft

_SENTENCES = "The legendary architect of the plan spoke on Tuesday.\nThe vote is due in March.\n"
_SAMPLE = CHECKOUT / "resources" / "samples" / "sample.md"


def check_finds_the_same(stage: Stage) -> str:
    """``evenhand check`` finds what the checkout finds with the same weights: the same words, of the same kinds."""
    told = []
    for name, content in (("draft.docx", draft()), ("sample.md", _SAMPLE.read_bytes())):
        path = stage.put(name, content)
        said = stage.inside.run(COMMAND, "check", path, "--format", "json")
        check(said.code == 1, f"check {name} ended with {said.code}, not 1: {said.err.strip()}")
        check(not said.err, f"check {name} says beside its answer: {said.err.strip()}")
        here = stage.by_checkout("check", str(stage.root.home / name), "--format", "json")
        ours, theirs = (json.loads(text)["files"][0]["findings"] for text in (said.out, here))
        check(
            _spans(ours) == _spans(theirs), f"{name}: {_spans(ours)} here, {_spans(theirs)} in the checkout"
        )
        apart = max(abs(a["confidence"] - b["confidence"]) for a, b in zip(ours, theirs, strict=True))
        told.append(f"{name}: {len(ours)} findings as in the checkout, confidences at most {apart:.3f} apart")
    return "; ".join(told)


def _spans(findings: list[dict[str, Any]]) -> list[tuple[int, int, str]]:
    return [(one["start"], one["end"], one["kind"]) for one in findings]


def speak(stage: Stage) -> str:
    """The other commands answer, and say in one line what is wrong with a call."""
    version = _run(stage, "--version")
    check(version.out == stage.by_checkout("--version"), f"--version says {version.out.strip()!r}")
    listed = _run(stage, "models", "list").out
    check("reader" in listed and "rewriter" in listed, f"models list says {listed!r}")
    rewritten = _run(stage, "rewrite", stage.put("sentences.txt", _SENTENCES.encode()))
    here = stage.by_checkout("rewrite", str(stage.root.home / "sentences.txt"))
    check(rewritten.out == here != _SENTENCES, f"rewrite says {rewritten.out!r}; the checkout {here!r}")
    check(not rewritten.err, f"rewrite says beside its answer: {rewritten.err.strip()}")
    check("evenhand check" in _run(stage, "--help").out, "--help does not name the commands")
    for call in (("check", "nothing.docx"), ("nothing.docx",), ("check",), ("models", "promote", "nothing")):
        said = _run(stage, *call, code=2)
        lines = said.err.strip().splitlines()
        check(len(lines) == 1 and not said.out.strip(), f"{' '.join(call)} says: {said.err.strip()}")
    no_display = _run(stage, "sentences.txt", variables={"DISPLAY": ""})
    check("legendary" in no_display.out, f"without a display it says {no_display.out[:200]!r}")
    return (
        f"{version.out.strip()}; wrong calls are told in one line; without a display it prints the analysis"
    )


def _run(stage: Stage, *call: str, code: int = 0, variables: Mapping[str, str] = NOTHING) -> Said:
    said = stage.inside.run(COMMAND, *call, variables=variables)
    shown = (said.err or said.out).strip()[-300:]
    check(said.code == code, f"evenhand {' '.join(call)} ended with {said.code}, not {code}: {shown}")
    check("Traceback" not in said.err, f"evenhand {' '.join(call)} told a traceback: {shown}")
    return said
