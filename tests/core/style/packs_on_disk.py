"""Style packs written for a test."""

from __future__ import annotations

from pathlib import Path

from core.style.matcher import StyleMatcher
from core.style.packs import StylePack, load_pack

HEAD = 'name = "Desk"\n'


def write_pack(folder: Path, text: str, name: str = "desk") -> Path:
    """A pack in a file; ``text`` are its rules, without the head."""
    path = folder / f"{name}.toml"
    path.write_text(HEAD + text, encoding="utf-8")
    return path


def pack_of(folder: Path, text: str) -> StylePack:
    """The pack that these rules make, without a problem."""
    pack = load_pack(write_pack(folder, text))
    assert pack.problems == ()
    return pack


def found(folder: Path, rule: str, sentence: str) -> list[str]:
    """What one rule (without its head) flags in a sentence."""
    text = f'[[rule]]\nid = "r"\nmessage = "m"\n{rule}\n'
    matcher = StyleMatcher([pack_of(folder, text)])
    return [sentence[one.start : one.end] for one in matcher.matches(sentence)]
