"""The person's own packs: rules for single words, packs imported from files or from Vale, and their removal."""

from __future__ import annotations

import json
import re
from pathlib import Path

from core.i18n import tr
from core.storage.files import write_bytes
from core.style.library import bundled_folder, own_folder
from core.style.packs import SUFFIX, StylePack, load_pack
from core.style.terms import normalise
from core.style.toml_source import StyleError
from core.style.vale import import_vale

OWN_WORDS = "my-words"
"""The id of the pack to which *Flag these words* adds."""

_ID = re.compile(r"[^a-z0-9]+")


def add_own_rule(words: str, *, instead: str = "", reason: str = "") -> None:
    """Add a rule for words to the pack of own words, with the words to use instead and a reason, if any.

    Raises StyleError, also where the pack has the words already, and FileError.
    """
    if not normalise(words):
        raise StyleError(tr("Write at least one word to flag."))
    path = own_folder() / f"{OWN_WORDS}{SUFFIX}"
    known = load_pack(path) if path.is_file() else None
    if known is not None and known.problems:
        raise StyleError(known.problems[0])
    rules = known.rules if known else ()
    if any(normalise(words) == normalise(term) for rule in rules for term in rule.terms):
        raise StyleError(tr("“{words}” is already flagged.").format(words=words))
    title = tr("My words")
    text = path.read_text(encoding="utf-8") if known else f"name = {_toml(title)}\n"
    keys = {rule.key.partition("/")[2] for rule in rules}
    base = _ID.sub("-", words.lower()).strip("-") or "rule"
    name = next(one for one in (base, *(f"{base}-{number}" for number in range(2, 10**6))) if one not in keys)
    message = tr("“{match}” is in your list of words to avoid.")
    rows = {"id": name, "message": message, "reason": reason.strip(), "replacement": instead.strip()}
    lines = ["", "[[rule]]", *(f"{key} = {_toml(value)}" for key, value in rows.items() if value)]
    lines += [f"terms = [{_toml(' '.join(words.split()))}]", "names = true", ""]
    path.parent.mkdir(parents=True, exist_ok=True)
    write_bytes(path, (text.rstrip("\n") + "\n" + "\n".join(lines)).encode())


def import_pack(source: Path) -> tuple[StylePack, list[str]]:
    """Copy a pack, or the pack that a folder of Vale rules makes, to the own packs; and what is wrong or left out.

    A pack of the same name is replaced. Raises StyleError and FileError.
    """
    left_out: list[str] = []
    if source.is_dir():
        text, left_out = import_vale(source)
        data = text.encode()
    else:
        load_pack(source)
        data = source.read_bytes()
    name = _ID.sub("-", source.stem.lower()).strip("-") or "pack"
    path = own_folder() / f"{name}{SUFFIX}"
    path.parent.mkdir(parents=True, exist_ok=True)
    write_bytes(path, data)
    pack = load_pack(path)
    return pack, [*left_out, *pack.problems]


def remove_pack(path: Path) -> None:
    """Remove an own pack. Raises StyleError for a pack that comes with Evenhand, or that cannot be removed."""
    if path.parent == bundled_folder():
        raise StyleError(tr("This pack comes with Evenhand. Switch it off instead."))
    try:
        path.unlink(missing_ok=True)
    except OSError as error:
        message = tr("{path} cannot be removed ({reason}).")
        raise StyleError(message.format(path=path, reason=error.strerror or error)) from None


def _toml(text: str) -> str:
    """A basic string of TOML, whose escapes are those of JSON."""
    return json.dumps(text, ensure_ascii=False)
