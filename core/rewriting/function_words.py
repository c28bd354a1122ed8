"""The small words of English: what may stand where, and what is no name at the start of a sentence."""

from __future__ import annotations

DETERMINERS = frozenset("a an the my your his our their its every".split())
PREPOSITIONS = frozenset(
    "about above across after against along amid among around as at before behind below beneath beside between beyond "
    "by despite during for from in inside into like near of off on onto outside over since through throughout to "
    "toward towards under until upon via with within".split()
)
CONJUNCTIONS = frozenset(("and", "or", "but"))
BEING = frozenset("am is are was were be been being".split())
DEGREES = frozenset(
    "very so too more most less least quite rather extremely highly truly really incredibly particularly especially "
    "increasingly utterly totally completely absolutely somewhat fairly deeply".split()
)
_OTHERS = frozenset(
    "this that these those some any each all both many much few several other another such it he she they we you i who "
    "which what whose when where while why how if although though because unless whereas however therefore thus then "
    "there here also still yet even just only again once already never not no nor neither either without has have had "
    "having do does did done will would shall should can could may might must them him her us me one his hers".split()
)
SMALL = DETERMINERS | PREPOSITIONS | CONJUNCTIONS | BEING | DEGREES | _OTHERS
NEVER_AFTER_DETERMINER = PREPOSITIONS - {"above", "inside", "outside", "like", "near", "off", "over"} | (
    CONJUNCTIONS
    | BEING
    | DETERMINERS
    | frozenset("has have had that which who will would can could must".split())
)
