"""The command line of the package compared to that of the checkout."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from installer.examine.context import CHECKOUT, COMMAND, Context
from installer.examine.docx_draft import draft
from installer.examine.results import check
from installer.examine.sandbox import NO_VARIABLES, CommandResult

_SENTENCES = "The legendary architect of the plan spoke on Tuesday.\nThe vote is due in March.\n"
_SAMPLE = CHECKOUT / "resources" / "samples" / "sample.md"


def check_agrees(context: Context) -> str:
    """``evenhand check`` has the same findings as the checkout: the same words and kinds."""
    summaries = []
    for name, content in (("draft.docx", draft()), ("sample.md", _SAMPLE.read_bytes())):
        path = context.write(name, content)
        result = context.sandbox.run(COMMAND, "check", path, "--format", "json")
        check(result.code == 1, f"check {name} ended with {result.code}, not 1: {result.err.strip()}")
        check(not result.err, f"check {name} prints on standard error: {result.err.strip()}")
        here = context.by_checkout("check", str(context.root.home / name), "--format", "json")
        ours, theirs = (json.loads(text)["files"][0]["findings"] for text in (result.out, here))
        check(
            _spans(ours) == _spans(theirs), f"{name}: {_spans(ours)} here, {_spans(theirs)} in the checkout"
        )
        apart = max(abs(a["confidence"] - b["confidence"]) for a, b in zip(ours, theirs, strict=True))
        summaries.append(
            f"{name}: {len(ours)} findings as in the checkout, confidences differ by at most {apart:.3f}"
        )
    return "; ".join(summaries)


def _spans(findings: list[dict[str, Any]]) -> list[tuple[int, int, str]]:
    return [(one["start"], one["end"], one["kind"]) for one in findings]


def other_commands(context: Context) -> str:
    """The other commands work, and report a wrong call in one line."""
    version = _run(context, "--version")
    check(version.out == context.by_checkout("--version"), f"--version says {version.out.strip()!r}")
    listed = _run(context, "models", "list").out
    check("reader" in listed and "rewriter" in listed, f"models list says {listed!r}")
    rewritten = _run(context, "rewrite", context.write("sentences.txt", _SENTENCES.encode()))
    here = context.by_checkout("rewrite", str(context.root.home / "sentences.txt"))
    check(rewritten.out == here != _SENTENCES, f"rewrite says {rewritten.out!r}; the checkout {here!r}")
    check(not rewritten.err, f"rewrite prints on standard error: {rewritten.err.strip()}")
    check("evenhand check" in _run(context, "--help").out, "--help does not name the commands")
    for call in (("check", "nothing.docx"), ("nothing.docx",), ("check",), ("models", "promote", "nothing")):
        result = _run(context, *call, code=2)
        lines = result.err.strip().splitlines()
        check(len(lines) == 1 and not result.out.strip(), f"{' '.join(call)} says: {result.err.strip()}")
    no_display = _run(context, "sentences.txt", variables={"DISPLAY": ""})
    check("legendary" in no_display.out, f"without a display it says {no_display.out[:200]!r}")
    return f"{version.out.strip()}; wrong calls give one line; without a display it prints the analysis"


def _run(
    context: Context, *call: str, code: int = 0, variables: Mapping[str, str] = NO_VARIABLES
) -> CommandResult:
    result = context.sandbox.run(COMMAND, *call, variables=variables)
    shown = (result.err or result.out).strip()[-300:]
    check(result.code == code, f"evenhand {' '.join(call)} ended with {result.code}, not {code}: {shown}")
    check("Traceback" not in result.err, f"evenhand {' '.join(call)} printed a traceback: {shown}")
    return result
