"""The window as a user sees it: opening, underlines, a suggestion, saving, a report, a crash, no network calls."""

from __future__ import annotations

import json
import re
import time

from installer.examine.context import Context
from installer.examine.docx_draft import MAIN, compare_docx, draft
from installer.examine.network_calls import read_calls
from installer.examine.results import check

_PLAIN = "# Harbour\n\nThe legendary architect of the plan spoke. The vote is due in March.\n"
_WORDS = "Words that nobody saved. "
_JOURNAL_S = 3.0


def starts(context: Context) -> str:
    """A first start without a file, then two with one: the time until the window and until the first underline."""
    with context.window() as program:
        context.user.await_window(".*Evenhand.*")
        took = time.monotonic() - program.begun_at
        context.user.await_rest()
        context.screenshot("first")
        context.user.press("Escape")
        context.quit(program)
    draft_path = context.write("harbour.md", _PLAIN.encode())
    summaries = [f"first window of all {took:.1f} s"]
    for number in (1, 2):
        with context.window(draft_path) as program:
            context.user.await_window(_title("harbour.md"))
            shown = time.monotonic() - program.begun_at
            context.user.await_underlines()
            summaries.append(
                f"start {number}: window {shown:.1f} s, underlined {time.monotonic() - program.begun_at:.1f} s"
            )
            context.quit(program)
    return "; ".join(summaries)


def word(context: Context) -> str:
    """A Word file: underlined, one suggestion applied, saved with all other parts unchanged, exported as a report."""
    before = draft()
    path = context.write("draft.docx", before)
    found = json.loads(
        context.by_checkout("check", str(context.root.home / "draft.docx"), "--format", "json")
    )["files"][0]
    check(bool(found["findings"]), "the checkout's reader finds nothing in the examiner's draft")
    first = found["findings"][0]
    with context.window(path) as program:
        context.user.await_window(_title("draft.docx"))
        context.user.await_underlines()
        context.user.await_rest()
        context.screenshot("underlined")
        _apply_first_suggestion(context, "draft.docx")
        _save(context, "draft.docx")
        context.screenshot("saved")
        _export(context, "report.html")
        context.screenshot("reported")
        context.quit(program)
    now = json.loads(context.by_checkout("check", str(context.root.home / "draft.docx"), "--format", "json"))[
        "files"
    ][0]
    changed = compare_docx(before, context.read("draft.docx"))
    (context.out / f"{context.name}-after.docx").write_bytes(context.read("draft.docx"))
    check(
        changed.parts == (MAIN,),
        f"other parts than the text changed: {', '.join(changed.parts) or 'none at all'}",
    )
    check(not changed.markup, "the markup of the text changed")
    sentence = next(one for one in found["sentences"] if one["start"] <= first["start"] < one["end"])
    head, tail = found["text"][: sentence["start"]], found["text"][sentence["end"] :]
    check(now["text"].startswith(head) and now["text"].endswith(tail), "words outside the sentence changed")
    left = {one["fingerprint"] for one in now["findings"]}
    check(
        first["fingerprint"] not in left, f"“{first['text']}” is still found after a suggestion was applied"
    )
    report = context.read("report.html").decode()
    lacking = [one["text"] for one in now["findings"] if one["text"] not in report]
    check(report.startswith("<!doctype html>") and not lacking, f"the report lacks {lacking}")
    old, new = (text[sentence["start"] : len(text) - len(tail)] for text in (found["text"], now["text"]))
    return f"“{old.strip()}” → “{new.strip()}”; only {MAIN} differs; report of {len(report):,} characters"


def german(context: Context) -> str:
    """On a German system the window and its report are in German."""
    context.root.install("locales")
    context.root.as_root("localedef", "--inputfile=de_DE", "--charmap=UTF-8", "de_DE.UTF-8")
    path = context.write("entwurf.docx", draft())
    with context.window(path, variables={"LANG": "de_DE.UTF-8"}) as program:
        context.user.await_window(_title("entwurf.docx"))
        context.user.await_underlines()
        context.user.press("ctrl+Home", "F8")
        context.user.await_rest()
        context.screenshot("card")
        _export(context, "bericht.html")
        context.quit(program)
    check('<html lang="de"' in context.read("bericht.html").decode(), "the report is not in German")
    return "window and report in German"


def recovery(context: Context) -> str:
    """After a kill with unsaved words, the next start restores them, and saving writes them to the file."""
    path = context.write("notes.md", _PLAIN.encode())
    with context.window(path) as program:
        context.user.await_window(_title("notes.md"))
        context.user.await_underlines()
        context.user.press("ctrl+Home", "Down", "Down")
        context.user.write(_WORDS)
        context.user.await_window(_title("notes.md", unsaved=True))
        time.sleep(_JOURNAL_S)
        program.kill()
    check(context.read("notes.md") == _PLAIN.encode(), "the file changed although nothing was saved")
    with context.window(path) as program:
        context.user.await_window("Unsaved drafts")
        context.user.await_rest()
        context.screenshot("offered")
        context.user.press("Return")
        context.user.await_window(_title("notes.md", unsaved=True))
        context.user.await_rest()
        context.screenshot("restored")
        _save(context, "notes.md")
        context.quit(program)
    wanted = _PLAIN.replace("The legendary", f"{_WORDS}The legendary")
    check(context.read("notes.md").decode() == wanted, f"the file now holds {context.read('notes.md')!r}")
    return f"“{_WORDS.strip()}” came back after kill -9"


def silent(context: Context) -> str:
    """A session in the window and a check in the terminal make no network calls, not even failing ones."""
    log = context.out / f"{context.name}.strace"
    tracer = ("strace", "--follow-forks", "--seccomp-bpf", "--trace=%network", f"--output={log}")
    path = context.write("quiet.docx", draft())
    with context.window(path, tracer=tracer) as program:
        context.user.await_window(_title("quiet.docx"))
        context.user.await_underlines()
        _apply_first_suggestion(context, "quiet.docx")
        _save(context, "quiet.docx")
        context.quit(program)
    window_calls = read_calls(log.read_text(errors="replace"))
    with context.window("check", path, tracer=tracer) as program:
        program.wait(60)
    calls = read_calls(log.read_text(errors="replace"))
    sent = (*window_calls.sent, *calls.sent)
    check(not sent, f"{len(sent)} calls to a network, the first: {sent[0] if sent else ''}")
    check(window_calls.local > 0, "the log did not see the window's own connection to its display")
    return f"no call to a network ({window_calls.local} to sockets of this machine)"


def _title(name: str, *, unsaved: bool = False) -> str:
    return re.escape(f"{name}{'*' if unsaved else ''} — Evenhand")


def _apply_first_suggestion(context: Context, name: str) -> None:
    """Go to the first finding and apply the first suggestion on its card."""
    context.user.press("ctrl+Home", "F8")
    context.user.await_rest()
    context.screenshot("card")
    context.user.press_until("alt+1", _title(name, unsaved=True))


def _save(context: Context, name: str) -> None:
    context.user.press("ctrl+s")
    context.user.await_window(_title(name))


def _export(context: Context, name: str) -> None:
    """Export a report under this name into the home."""
    context.user.choose("html")
    context.user.await_window(".*HTML.*")
    context.user.name_file(name)
    context.user.await_window(".* — Evenhand")
    context.user.await_rest()
