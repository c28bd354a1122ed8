"""Dictionaries are found where systems keep them, an English one is chosen, and damage is reported in one sentence."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.spelling import dictionaries
from core.spelling.dictionaries import choose_dictionary, find_dictionaries, what_to_install
from core.spelling.dictionary import DictionaryError, SpellingDictionary
from tests.small_dictionary import write_dictionary


@pytest.fixture
def usual_places(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """The usual places of this system, all within one empty folder."""
    monkeypatch.delenv("EVENHAND_DICTIONARIES", raising=False)
    monkeypatch.delenv("DICPATH", raising=False)
    monkeypatch.setenv("EVENHAND_HOME", str(tmp_path / "data"))
    monkeypatch.setattr(Path, "home", lambda: tmp_path / "home")
    return tmp_path


def test_own_dictionaries_come_before_those_of_the_system(
    usual_places: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    system = usual_places / "system"
    monkeypatch.setattr(dictionaries.sys, "platform", "linux")
    monkeypatch.setattr(dictionaries, "_LINUX", (str(system),))
    monkeypatch.setattr(dictionaries, "_LINUX_OFFICES", ())
    theirs = write_dictionary(system, "en_US")
    british = write_dictionary(system, "en_GB")
    own = write_dictionary(usual_places / "data" / "dictionaries", "en_US")
    assert find_dictionaries() == {"en_GB": british, "en_US": own}
    own.unlink()
    assert find_dictionaries()["en_US"] == theirs


@pytest.mark.parametrize(
    ("platform", "place"),
    [
        ("linux", "home/.local/share/hunspell"),
        ("darwin", "home/Library/Spelling"),
        ("win32", "Programs/LibreOffice 25/share/extensions/dict-en"),
    ],
)
def test_each_system_has_its_places(
    usual_places: Path, monkeypatch: pytest.MonkeyPatch, platform: str, place: str
) -> None:
    monkeypatch.setattr(dictionaries.sys, "platform", platform)
    monkeypatch.setattr(dictionaries, "_LINUX", ())
    monkeypatch.setattr(dictionaries, "_MAC", ())
    monkeypatch.setattr(dictionaries, "_LINUX_OFFICES", ())
    monkeypatch.setenv("ProgramFiles", str(usual_places / "Programs"))
    path = write_dictionary(usual_places / place, "en_GB")
    assert find_dictionaries() == {"en_GB": path}


def test_the_dictionaries_of_libreoffice_are_found(
    usual_places: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dictionaries.sys, "platform", "linux")
    monkeypatch.setattr(dictionaries, "_LINUX", ())
    monkeypatch.setattr(dictionaries, "_LINUX_OFFICES", (str(usual_places / "opt" / "libreoffice*"),))
    path = write_dictionary(
        usual_places / "opt" / "libreoffice9.1" / "share" / "extensions" / "dict-en", "en_ZA"
    )
    assert find_dictionaries() == {"en_ZA": path}


def test_only_whole_pairs_of_files_are_dictionaries(
    usual_places: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Hyphenation patterns and thesauri lie in the same folders."""
    folder = usual_places / "some"
    monkeypatch.setenv("EVENHAND_DICTIONARIES", str(folder))
    write_dictionary(folder, "en-GB")
    write_dictionary(folder, "README of it")
    (folder / "hyph_en_US.dic").write_text("x", encoding="utf-8")
    (folder / "de_DE.aff").write_text("x", encoding="utf-8")
    assert list(find_dictionaries()) == ["en_GB"]


@pytest.mark.parametrize(
    ("codes", "wanted", "locale", "chosen"),
    [
        ("en_GB en_US", "", "de_DE", "en_US"),
        ("en_AU en_GB en_US", "", "en_AU", "en_AU"),
        ("en_GB", "", "C", "en_GB"),
        ("en_ZA", "", "C", "en_ZA"),
        ("de_DE en_US", "de_DE", "en_US", "de_DE"),
        ("en_US", "fr_FR", "en_US", "en_US"),
        # Drafts are in English: another language is used only where it is chosen.
        ("de_DE", "", "de_DE", ""),
        ("", "en_US", "en_US", ""),
    ],
)
def test_the_dictionary_is_the_chosen_one_or_one_for_english(
    codes: str, wanted: str, locale: str, chosen: str
) -> None:
    assert choose_dictionary({code: Path(code) for code in codes.split()}, wanted, locale) == chosen


@pytest.mark.parametrize("platform", ["linux", "darwin", "win32"])
def test_what_to_install_is_one_sentence_that_names_the_folder(
    usual_places: Path, monkeypatch: pytest.MonkeyPatch, platform: str
) -> None:
    monkeypatch.setattr(dictionaries.sys, "platform", platform)
    said = what_to_install()
    assert said.endswith(".")
    assert ". " not in said
    assert str(usual_places / "data" / "dictionaries") in said
    assert "hunspell-en-us" in said if platform == "linux" else "LibreOffice" in said


@pytest.mark.parametrize("damage", ["SET KLINGON-8\n", "SFX A Y many\n", "REP 3\nREP x\n"])
def test_a_damaged_dictionary_is_reported_in_one_sentence(tmp_path: Path, damage: str) -> None:
    path = write_dictionary(tmp_path)
    path.write_text(damage, encoding="utf-8")
    with pytest.raises(DictionaryError, match="The dictionary en_US cannot be read"):
        SpellingDictionary(path)


def test_a_missing_half_is_reported_too(tmp_path: Path) -> None:
    path = write_dictionary(tmp_path)
    path.with_suffix(".dic").unlink()
    with pytest.raises(DictionaryError):
        SpellingDictionary(path)


def test_words_are_inflected(dictionary: SpellingDictionary) -> None:
    for word in ("senator", "senators", "Senators", "senator's", "walked", "London", "don't", "café"):
        assert dictionary.has(word), word
    for word in ("senatr", "london", "walkt", "cafe"):
        assert not dictionary.has(word), word


def test_the_likeliest_correction_comes_first(dictionary: SpellingDictionary) -> None:
    assert dictionary.corrections("recieve")[0] == "receive"
    assert dictionary.corrections("Wrod")[0] == "Word"
    assert dictionary.corrections("govenment")[0] == "government"
    assert "don't" in dictionary.corrections("dont")


def test_words_that_are_split_leave_no_letter_alone(dictionary: SpellingDictionary) -> None:
    assert "well known" in dictionary.corrections("wellknown")
    assert dictionary.corrections("inx") == ("in",)
    assert "a record" in dictionary.corrections("arecord")


def test_a_word_unlike_any_other_is_compared_with_all(dictionary: SpellingDictionary) -> None:
    assert "government" in dictionary.corrections("guvernmint")
    assert dictionary.corrections("xqzwvkj") == ()
    assert all(len(dictionary.corrections(word)) <= 5 for word in ("wor", "recor", "ist"))
