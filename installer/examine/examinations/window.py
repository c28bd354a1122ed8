"""The window, as a person has it: opening, underlines, another wording, saving, a report, a crash, silence."""

from __future__ import annotations

import json
import re
import time

from installer.examine.calls import read_calls
from installer.examine.failing import check
from installer.examine.stage import Stage
from installer.examine.word_file import MAIN, change, draft

_PLAIN = "# Harbour\n\nThe legendary architect of the plan spoke. The vote is due in March.\n"
_WORDS = "Words that nobody saved. "
_JOURNAL_S = 3.0


def starts(stage: Stage) -> str:
    """A first start without a file, then two with one: how long until the window and until the first underline."""
    with stage.window() as program:
        stage.person.await_window(".*Evenhand.*")
        took = time.monotonic() - program.begun_at
        stage.person.await_rest()
        stage.picture("first")
        stage.person.press("Escape")
        stage.leave(program)
    draft_path = stage.put("harbour.md", _PLAIN.encode())
    told = [f"first window of all {took:.1f} s"]
    for number in (1, 2):
        with stage.window(draft_path) as program:
            stage.person.await_window(_title("harbour.md"))
            shown = time.monotonic() - program.begun_at
            stage.person.await_underlines()
            told.append(
                f"start {number}: window {shown:.1f} s, underlined {time.monotonic() - program.begun_at:.1f} s"
            )
            stage.leave(program)
    return "; ".join(told)


def word(stage: Stage) -> str:
    """A Word file: underlined, one finding worded otherwise, saved part by part as it was, a report of it."""
    before = draft()
    path = stage.put("draft.docx", before)
    found = json.loads(stage.by_checkout("check", str(stage.root.home / "draft.docx"), "--format", "json"))[
        "files"
    ][0]
    check(bool(found["findings"]), "the checkout's reader finds nothing in the examiner's draft")
    first = found["findings"][0]
    with stage.window(path) as program:
        stage.person.await_window(_title("draft.docx"))
        stage.person.await_underlines()
        stage.person.await_rest()
        stage.picture("underlined")
        _take_first_wording(stage, "draft.docx")
        _save(stage, "draft.docx")
        stage.picture("saved")
        _export(stage, "report.html")
        stage.picture("reported")
        stage.leave(program)
    now = json.loads(stage.by_checkout("check", str(stage.root.home / "draft.docx"), "--format", "json"))[
        "files"
    ][0]
    changed = change(before, stage.got("draft.docx"))
    (stage.out / f"{stage.name}-after.docx").write_bytes(stage.got("draft.docx"))
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
        first["fingerprint"] not in left, f"“{first['text']}” is still found after another wording was taken"
    )
    report = stage.got("report.html").decode()
    lacking = [one["text"] for one in now["findings"] if one["text"] not in report]
    check(report.startswith("<!doctype html>") and not lacking, f"the report lacks {lacking}")
    old, new = (text[sentence["start"] : len(text) - len(tail)] for text in (found["text"], now["text"]))
    return f"“{old.strip()}” → “{new.strip()}”; only {MAIN} differs; report of {len(report):,} characters"


def german(stage: Stage) -> str:
    """On a German system the window and its report speak German."""
    stage.root.install("locales")
    stage.root.as_root("localedef", "--inputfile=de_DE", "--charmap=UTF-8", "de_DE.UTF-8")
    path = stage.put("entwurf.docx", draft())
    with stage.window(path, variables={"LANG": "de_DE.UTF-8"}) as program:
        stage.person.await_window(_title("entwurf.docx"))
        stage.person.await_underlines()
        stage.person.press("ctrl+Home", "F8")
        stage.person.await_rest()
        stage.picture("card")
        _export(stage, "bericht.html")
        stage.leave(program)
    check('<html lang="de"' in stage.got("bericht.html").decode(), "the report is not in German")
    return "window and report in German"


def recovery(stage: Stage) -> str:
    """Killed with unsaved words, the next start offers them, and saving brings them into the file."""
    path = stage.put("notes.md", _PLAIN.encode())
    with stage.window(path) as program:
        stage.person.await_window(_title("notes.md"))
        stage.person.await_underlines()
        stage.person.press("ctrl+Home", "Down", "Down")
        stage.person.write(_WORDS)
        stage.person.await_window(_title("notes.md", unsaved=True))
        time.sleep(_JOURNAL_S)
        program.kill()
    check(stage.got("notes.md") == _PLAIN.encode(), "the file changed although nothing was saved")
    with stage.window(path) as program:
        stage.person.await_window("Unsaved drafts")
        stage.person.await_rest()
        stage.picture("offered")
        stage.person.press("Return")
        stage.person.await_window(_title("notes.md", unsaved=True))
        stage.person.await_rest()
        stage.picture("restored")
        _save(stage, "notes.md")
        stage.leave(program)
    wanted = _PLAIN.replace("The legendary", f"{_WORDS}The legendary")
    check(stage.got("notes.md").decode() == wanted, f"the file now holds {stage.got('notes.md')!r}")
    return f"“{_WORDS.strip()}” came back after kill -9"


def silent(stage: Stage) -> str:
    """A session in the window and a check in the terminal call no address of a network, not even in vain."""
    log = stage.out / f"{stage.name}.strace"
    tracer = ("strace", "--follow-forks", "--seccomp-bpf", "--trace=%network", f"--output={log}")
    path = stage.put("quiet.docx", draft())
    with stage.window(path, tracer=tracer) as program:
        stage.person.await_window(_title("quiet.docx"))
        stage.person.await_underlines()
        _take_first_wording(stage, "quiet.docx")
        _save(stage, "quiet.docx")
        stage.leave(program)
    window_calls = read_calls(log.read_text(errors="replace"))
    with stage.window("check", path, tracer=tracer) as program:
        program.wait(60)
    calls = read_calls(log.read_text(errors="replace"))
    sent = (*window_calls.sent, *calls.sent)
    check(not sent, f"{len(sent)} calls to a network, the first: {sent[0] if sent else ''}")
    check(window_calls.local > 0, "the log did not see the window's own connection to its display")
    return f"no call to a network ({window_calls.local} to sockets of this machine)"


def _title(name: str, *, unsaved: bool = False) -> str:
    return re.escape(f"{name}{'*' if unsaved else ''} — Evenhand")


def _take_first_wording(stage: Stage, name: str) -> None:
    """Go to the first finding and put the first wording of its card in place."""
    stage.person.press("ctrl+Home", "F8")
    stage.person.await_rest()
    stage.picture("card")
    stage.person.press_until("alt+1", _title(name, unsaved=True))


def _save(stage: Stage, name: str) -> None:
    stage.person.press("ctrl+s")
    stage.person.await_window(_title(name))


def _export(stage: Stage, name: str) -> None:
    """Export a report under this name into the home."""
    stage.person.choose("html")
    stage.person.await_window(".*HTML.*")
    stage.person.name_file(name)
    stage.person.await_window(".* — Evenhand")
    stage.person.await_rest()
