"""Protects what rules find: whole words in their forms, not in names, exceptions or quotations, and never twice."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from packs_on_disk import found, pack_of

from core.documents import Format, parse, prose
from core.style.matcher import StyleMatcher
from core.style.packs import StylePack, StyleRule
from core.style.terms import Forms, in_form


@pytest.mark.parametrize(
    ("rule", "sentence", "words"),
    [
        (
            'terms = ["world-class"]',
            "A world-class team, a world class team.",
            ["world-class", "world class"],
        ),
        ('terms = ["illegal alien"]', "It is illegal, alien to us. Illegal  aliens.", []),
        ('terms = ["very"]', "Every discovery is very new.", ["very"]),
        (
            'terms = ["claim"]\nforms = "verb"',
            "He claims; she claimed; claiming it.",
            ["claims", "claimed", "claiming"],
        ),
        (
            'terms = ["point out"]\nforms = "verb"',
            "They pointed out that he points out.",
            ["pointed out", "points out"],
        ),
        (
            'terms = ["policeman"]\nforms = "noun"',
            "Two policemen met a policeman.",
            ["policemen", "policeman"],
        ),
        ('terms = ["claim"]\npart_of_speech = "verb"', "They claim that the claim failed.", ["claim"]),
        ('terms = ["claim"]\npart_of_speech = "noun"', "They claim that the claim failed.", ["claim"]),
        ('terms = ["cult"]\nexcept = ["cult film"]', "A cult film about a cult.", ["cult"]),
        ('terms = ["note"]\nexcept_pattern = "note \\\\d"', "See note 3 and note it.", ["note"]),
        ('pattern = "(?i)some (?P<mark>critics) say"', "Some critics say so.", ["critics"]),
        ('terms = ["legendary"]', "Legendary Pictures made it, and Legendary films too.", []),
        ('terms = ["legendary"]', "Legendary films are old.", ["Legendary"]),
        ('terms = ["legendary"]\nnames = true', "Legendary Pictures made it.", ["Legendary"]),
        ('terms = ["Oriental"]', "An Oriental man saw an oriental rug.", ["Oriental", "oriental"]),
        ('terms = ["Oriental"]\ncase = true', "An Oriental man saw an oriental rug.", ["Oriental"]),
        ('terms = ["passed away", "passed"]', "He passed away.", ["passed away"]),
        ('terms = ["old boys network"]', "An old boys’ network.", ["old boys’ network"]),
        ('terms = ["don\'t"]', "We don’t know.", ["don’t"]),
        ('terms = ["senator"]', "The senator’s house.", ["senator"]),
        (
            'terms = ["bite one\'s tongue"]\nforms = "verb"',
            "I bit my tongue, she bites her tongue, Rome’s envoy is biting Rome’s tongue, they bit the tongue.",
            ["bit my tongue", "bites her tongue", "biting Rome’s tongue"],
        ),
        ('terms = ["one\'s finest hour"]', "It was their finest hour.", ["their finest hour"]),
        ('terms = ["one\'s"]', "One’s own and his own.", ["One’s"]),
        (
            'terms = ["shoot oneself in the foot"]\nforms = "verb"',
            "He shot himself in the foot; he shot a man in the foot.",
            ["shot himself in the foot"],
        ),
        (
            'terms = ["raise eyebrows"]\nexcept = ["raise one\'s eyebrows"]',
            "They raise eyebrows.",
            ["raise eyebrows"],
        ),
        ('terms = ["tongue"]\nexcept = ["bit one\'s tongue"]', "He bit his tongue.", []),
        (
            'terms = ["be comprised of"]\nforms = "verb"',
            "They are comprised of two, and it was comprised of one.",
            ["are comprised of", "was comprised of"],
        ),
        ('pattern = "so (?P<mark>very)|quite"', "It is so very nice, and quite new.", ["very", "quite"]),
    ],
)
def test_what_a_rule_finds(tmp_path: Path, rule: str, sentence: str, words: list[str]) -> None:
    assert found(tmp_path, rule, sentence) == words


@pytest.mark.parametrize(
    ("rule", "sentence", "words"),
    [
        ('terms = ["collateral damage"]', "Collateral Damage, an American film, was a success.", []),
        ('terms = ["collateral damage"]', "Collateral damage was done in Basra.", ["Collateral damage"]),
        ('terms = ["bite the bullet"]', "Bite the Bullet is a film of 1975.", []),
        ('terms = ["bite the bullet", "bullet"]', "Bite the Bullet ran for weeks.", []),
        ('terms = ["in recent years"]', "In recent years Norway has grown.", ["In recent years"]),
        ('terms = ["sadly"]', "Sadly, Mozart fell ill.", ["Sadly"]),
        ('terms = ["recently"]', "Recently Norway sold two ships.", ["Recently"]),
        ('terms = ["martyr", "martyrs"]', "Martyrs’ Square lies near the port.", []),
        ('terms = ["recently"]', "Recently is an EP that they released.", []),
        ('terms = ["hopefully"]', "Hopefully, the debut album of the trio, was a success.", []),
        ('terms = ["tragically"]', "Tragically, the first film of the studio burned.", ["Tragically"]),
        ('terms = ["you\'re"]', "You’re the Top is a song.", []),
        ('terms = ["critics say"]', "Critics say that Hamlet is a play.", ["Critics say"]),
        ('pattern = "(?i)landmark ruling"', "The band recorded Landmark Ruling.", []),
        ('pattern = "(?i)landmark ruling"', "Landmark ruling or not, it holds.", ["Landmark ruling"]),
        ('pattern = "[Tt]he Ukraine"', "The Ukraine is a state.", ["The Ukraine"]),
        ('terms = ["Eurocrat"]', "The Eurocrat left.", ["Eurocrat"]),
    ],
)
def test_a_title_is_told_by_the_words_around(
    tmp_path: Path, rule: str, sentence: str, words: list[str]
) -> None:
    assert found(tmp_path, rule, sentence) == words


@pytest.mark.parametrize(
    ("sentence", "words"),
    [
        ("Critics note that it rains.", ["note that"]),
        ("They note that it rains.", ["note that"]),
        ("He did not note that it rained.", ["note that"]),
        ("People note that it rains.", ["note that"]),
        ("She notes that it rains.", ["notes that"]),
        ("He noted that it rained.", ["noted that"]),
        ("A blue 50-krone note that carried a portrait was sold.", []),
        ("The bank sold notes that were worn.", []),
        ("A short note that he wrote was found.", []),
    ],
)
def test_a_noun_before_that_is_no_verb(tmp_path: Path, sentence: str, words: list[str]) -> None:
    rule = 'terms = ["note that"]\nforms = "verb"\npart_of_speech = "verb"'
    assert found(tmp_path, rule, sentence) == words


def test_the_second_claim_is_the_noun(tmp_path: Path) -> None:
    """Both cases of the table above find one word: which one is what the part of speech decides."""
    text = "They claim that the claim failed."
    places = []
    for part in ("verb", "noun"):
        rule = f'[[rule]]\nid = "r"\nmessage = "m"\nterms = ["claim"]\npart_of_speech = "{part}"\n'
        places += [one.start for one in StyleMatcher([pack_of(tmp_path, rule)]).matches(text)]
    assert places == [5, 20]


@pytest.mark.parametrize(
    ("form", "replacement", "words"),
    [
        ("past", "say", "said"),
        ("ing", "put up", "putting up"),
        ("third", "be", "is"),
        ("plural", "police officer", "police officers"),
        ("", "say", "say"),
    ],
)
def test_a_replacement_takes_the_form_of_what_it_replaces(form: str, replacement: str, words: str) -> None:
    assert in_form(replacement, form) == words


def test_a_participle_is_told_from_a_past(tmp_path: Path) -> None:
    rule = '[[rule]]\nid = "r"\nmessage = "m"\nterms = ["show"]\nforms = "verb"\nreplacement = "give"\n'
    matcher = StyleMatcher([pack_of(tmp_path, rule.replace("show", "hand"))])
    document = parse("He handed it over. It was handed over.", Format.PLAIN)
    notes = [
        one.style.replacements
        for sentence in document.sentences
        for one in matcher.findings(document, prose(document, sentence))
        if one.style
    ]
    assert notes == [("gave",), ("given",)]


_WORDS = st.sampled_from(
    ["very", "Very", "a", "claim", "claims", "out", "pointed", "😀", "é", "(", "-", ",", "“", "”"]
)


@given(st.lists(_WORDS, max_size=30), st.sampled_from([" ", "  ", ""]))
def test_matches_are_sorted_disjoint_and_whole_words(parts: list[str], joint: str) -> None:
    text = joint.join(parts)
    rule = StyleRule("p/r", "P", "m", terms=("very", "claim", "point out"), forms=Forms.VERB)
    other = StyleRule("p/s", "P", "m", pattern="(?i)very (?P<mark>claims?)")
    matches = StyleMatcher([StylePack("p", Path(), "P", rules=(rule, other))]).matches(text)
    ends = [0]
    for one in matches:
        assert ends[-1] <= one.start < one.end <= len(text)
        ends.append(one.end)
        assert not (text[one.start - 1 : one.start].isalnum())
        assert not (text[one.end : one.end + 1].isalnum())
