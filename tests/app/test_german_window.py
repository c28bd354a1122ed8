"""Protects the window in another language: nothing stays English, access keys are unique, nothing is cut off."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

HERE = Path(__file__).resolve().parent
SHOW = "from core import i18n; i18n.set_language('de'); import all_words; all_words.show_all('de')"
ENGLISH = re.compile(r"\b(?:the|of|and|not|this|with|from|are|by|is|for|to|no)\b")
_ACCESS_KEY = re.compile(r"&(\w)")


@pytest.fixture(scope="module")
def seen(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """All that stands in the window in German: ``menus``, ``texts`` and ``clipped`` of ``all_words.Seen``."""
    home = str(tmp_path_factory.mktemp("home"))
    places = dict.fromkeys(("HOME", "USERPROFILE", "APPDATA", "LOCALAPPDATA", "XDG_CONFIG_HOME"), home)
    places |= dict.fromkeys(("XDG_DATA_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME"), home)
    path = os.pathsep.join((str(HERE.parent.parent), str(HERE)))
    done = subprocess.run(
        [sys.executable, "-c", SHOW],
        env={**os.environ, **places, "PYTHONPATH": path},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    shown: dict[str, Any] = json.loads(done.stdout)
    return shown


def test_everything_is_opened(seen: dict[str, Any]) -> None:
    """The other tests would pass on an empty window."""
    places = {place for place, _ in seen["texts"]}
    assert {"tour, 700 pixels", "settings", "dashboard", "about", "open_article"} <= places
    texts = {text for _, text in seen["texts"]}
    assert {"&Speichern", "Einstellungen", "Fundstellen", "Framing · strittiges Etikett · MOS:LABEL"} <= {
        line for text in texts for line in text.splitlines()
    }


def test_nothing_is_said_in_english(seen: dict[str, Any]) -> None:
    left = {text for _, text in seen["texts"] if ENGLISH.search(text)}
    assert not left


def test_access_keys_are_unique_in_every_menu(seen: dict[str, Any]) -> None:
    for title, entries in seen["menus"].items():
        keys = [key.casefold() for entry in entries for key in _ACCESS_KEY.findall(entry.replace("&&", ""))]
        twice = {key for key in keys if keys.count(key) > 1}
        assert not twice, f"{title}: {sorted(twice)} in {entries}"


def test_no_button_is_cut_off(seen: dict[str, Any]) -> None:
    assert not seen["clipped"]
