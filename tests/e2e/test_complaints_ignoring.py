"""Protects what a person decides of a finding: complaints 7 to 9, of keys that lacked and of "ignore" that lied."""

from __future__ import annotations

from app.review.ignored_dialog import IgnoredDialog
from core.types import ALL_KINDS
from tests.e2e.conftest import Sit
from tests.e2e.person import Person, spoken_name

TEXT = "The shameful record.\n\nA legendary plan, a shameful plan, a disgraceful plot.\n\nHe reveals it.\n"
WORDS = ["shameful", "legendary", "shameful", "disgraceful", "plot", "reveals"]


def open_again(person: Person) -> None:
    """Save, and open the same file anew."""
    person.press("Ctrl+S")
    person.rest()
    path = person.window.components.documents.session.path
    assert path is not None
    assert person.window.components.documents.open(path)
    person.wait(lambda: not person.window.components.background.busy)
    person.rest()


def without(*numbers: int) -> list[str]:
    """The words but for those at these places."""
    return [word for number, word in enumerate(WORDS) if number not in numbers]


def test_a2_07_next_and_previous_accept_and_ignore_have_keys(sit: Sit) -> None:
    """7: there were no keys for the next finding, for the one before, to accept and to ignore."""
    person = sit(TEXT)
    person.see(WORDS)
    for wanted in ("shameful", "legendary", "shameful"):
        person.press("F8")
        assert person.card == wanted
        assert person.text[person.caret :].startswith(wanted)
    person.press("Shift+F8")
    assert person.card == "legendary"
    person.wait_for_suggestions()
    person.press("Alt+2")
    assert "A well-known plan" in person.text
    person.see(without(1))
    person.press("Alt+0")  # The next finding was gone to by itself.
    person.see(without(1, 2))


def test_a2_07_the_card_is_walked_by_tab_and_arrows_and_left_by_escape(sit: Sit) -> None:
    """7: the popup could not be entered by Tab, nor walked by arrows."""
    person = sit(TEXT)
    person.see(WORDS)
    person.walk_to("legendary")
    person.wait_for_suggestions()
    caret = person.caret
    person.press("Tab")
    assert spoken_name(person.focus).startswith("Framing: legendary, confidence 88 percent")
    person.press("Tab")
    assert spoken_name(person.focus).startswith("Suggestion 1: “legendary” removed")
    person.press("Down")
    assert spoken_name(person.focus).startswith("Suggestion 2: “legendary” → “well-known”")
    person.press("Down")
    assert spoken_name(person.focus).startswith("Suggestion 3: ")
    person.press("Up")
    assert spoken_name(person.focus).startswith("Suggestion 2: ")
    person.tab_to("Ignore once")
    person.press("Shift+Tab")
    assert spoken_name(person.focus) == "Reword the sentence"
    person.press("Shift+Tab")
    assert spoken_name(person.focus).startswith("Suggestion 3: ")
    person.press("Esc")
    assert not person.card
    assert (spoken_name(person.focus), person.caret) == ("Draft", caret)
    person.press("F8")
    person.walk_to("legendary")
    person.press("Tab")
    person.tab_to("Suggestion 2")
    person.press("Return")
    assert "A well-known plan" in person.text
    assert spoken_name(person.focus) == "Draft"


def test_a2_08_ignoring_a_finding_ignores_that_one_and_nothing_else(sit: Sit) -> None:
    """8: "ignore" disabled the whole rule, and for good. Not even the same word in the next line goes."""
    person = sit(TEXT)
    person.see(WORDS)
    person.press("F8")
    person.press("Alt+0")
    person.see(without(0))
    person.rest()
    assert person.marked == without(0)
    assert person.window.components.review.kinds == frozenset(ALL_KINDS)
    person.write("A shameful start. ")
    person.see(["shameful", *without(0)])
    person.press("Ctrl+S")
    person.press("Ctrl+N")
    person.write("The shameful record, a shameful plan.")
    person.see(["shameful", "shameful"])


def test_a2_08_what_is_ignored_is_listed_and_one_key_marks_it_again(sit: Sit) -> None:
    """8: permanently. What was ignored can be seen, and taken back."""
    person = sit(TEXT)
    person.see(WORDS)
    person.walk_to("legendary")
    person.press("Alt+0")
    person.press("Alt+8")  # The next finding follows by itself.
    person.see(without(0, 1, 2))
    person.press("Ctrl+Shift+I")
    listed = person.window.findChild(IgnoredDialog)
    assert listed is not None
    rows = listed.draft.list
    told = [[rows.topLevelItem(row).text(column) for column in (0, 2, 3)] for row in (0, 1)]
    assert told == [["legendary", "once", "line 3"], ["shameful", "in this draft", "line 1"]]
    person.press("Delete")
    person.see(without(0, 2))
    person.press("Delete")
    person.see(WORDS)
    person.press("Esc")


def test_a2_09_an_ignored_finding_never_comes_back_by_itself(sit: Sit) -> None:
    """9: the ignored issue returned after an edit. Not after any edit around it, nor when the file is opened again."""
    person = sit(TEXT)
    person.see(WORDS)
    person.press("F8", times=3)
    person.press("Alt+0")
    person.see(without(2))
    person.press("Ctrl+Home")
    person.write("It is old. 👍🏽\n\n")
    person.rest()
    assert person.marked == without(2)
    person.press("F8", times=2)
    person.press("Ctrl+Right", times=4)
    assert person.text[person.caret :].startswith("shameful plan")
    person.write("rather ")
    person.rest()
    assert person.marked == without(2), "nor after words that are typed right before it, letter by letter"
    open_again(person)
    assert person.marked == without(2)
    person.press("Ctrl+A")
    person.press("Ctrl+X")
    person.rest()
    person.press("Ctrl+V")
    person.rest()
    assert person.marked == without(2), "nor when the whole text is cut and put in again"


def test_a2_09_one_ignored_place_does_not_wander_to_another(sit: Sit) -> None:
    """9, its other side: when the ignored words go, the same words elsewhere are still marked."""
    person = sit(TEXT)
    person.see(WORDS)
    person.press("F8")
    person.press("Alt+0")
    person.see(without(0))
    person.press("Ctrl+Home")
    person.press("Shift+Ctrl+End")
    person.write("A shameful plan, a shameful end.")
    person.see(["shameful", "shameful"])
