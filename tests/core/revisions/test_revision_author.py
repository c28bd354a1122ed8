"""Protects the name in tracked changes: one line that Word can hold, and never empty."""

from __future__ import annotations

import sys
from types import SimpleNamespace

import pytest

from core.revisions import author
from core.revisions.author import MAX_NAME, clean_name, login_name, stamp_now


@pytest.mark.parametrize(
    ("name", "clean"),
    [
        (" Ann \t Example\n", "Ann Example"),
        ("Ann\x00\x1b[31m Example\ud800", "Ann [31m Example"),
        ("Ännchen d’Été 🙂", "Ännchen d’Été 🙂"),
        ("\u200b", ""),
        ("x" * 300, "x" * MAX_NAME),
    ],
)
def test_a_name_is_made_fit_for_a_file(name: str, clean: str) -> None:
    assert clean_name(name) == clean


@pytest.mark.skipif(sys.platform == "win32", reason="Windows keeps names in another way")
@pytest.mark.parametrize(
    ("comment", "name"), [("Ann Example,Room 1,,", "Ann Example"), ("& Example", "Ann Example"), ("", "ann")]
)
def test_the_full_name_of_the_login_comes_first(
    monkeypatch: pytest.MonkeyPatch, comment: str, name: str
) -> None:
    entry = SimpleNamespace(pw_gecos=comment, pw_name="ann")
    monkeypatch.setattr("pwd.getpwuid", lambda _: entry)
    monkeypatch.setattr("getpass.getuser", lambda: "ann")
    assert login_name() == name
    assert stamp_now("").author == name


def test_a_login_without_any_name_is_an_author(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(author, "_full_name", lambda: "")
    monkeypatch.setattr(author, "_short_name", lambda: "")
    assert login_name() == "Author"


def test_a_given_name_is_used_and_the_time_is_that_of_the_clock_here() -> None:
    stamp = stamp_now(" Ann  Example")
    assert stamp.author == "Ann Example"
    assert stamp.time.tzinfo is not None
