"""A dictionary of a few words in the files of hunspell: no test needs one of the system."""

from __future__ import annotations

from pathlib import Path

AFF = """\
SET UTF-8
TRY esianrtolcdugmphbyfvkwzxjqESIANRTOLCDUGMPHBYFVKWZXJQ'
REP 1
REP ei ie

SFX S Y 1
SFX S 0 s .

SFX M Y 1
SFX M 0 's .

SFX D Y 1
SFX D 0 ed [^ey]
"""
WORDS = """\
the he said a it and in of to is was on at
senator/SM record/SM vote/SM reveal/S walk/SD receive/S word/S government/SM café/S naïve
well known n x don't won't London/M act chairman shameful reveals disgraceful that who her him
draft/S letter/S open good bad new is has not by for
"""


def write_dictionary(folder: Path, code: str = "en_US", *, more: str = "") -> Path:
    """Write the dictionary into a folder, with further entries; returns its ``.aff``."""
    folder.mkdir(parents=True, exist_ok=True)
    entries = sorted({*WORDS.split(), *more.split()})
    path = folder / f"{code}.aff"
    path.write_text(AFF, encoding="utf-8")
    path.with_suffix(".dic").write_text("\n".join([str(len(entries)), *entries]) + "\n", encoding="utf-8")
    return path
