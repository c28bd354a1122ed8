"""Each rule finds its place, its words agree, and it keeps off names, numbers and modified nouns."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from core.types import Kind
from tests.training.injection.parsed_sentences import FILM, KILLED, MAY, PLAYER, SAID, SINGER, tagged
from training.injection import (
    certainty_rules,
    demographic_rules,
    insertion_rules,
    replacement_rules,
    vocabulary,
)
from training.injection.composition import compose
from training.types import InjectionSite, Sentence

WORDS = vocabulary.load()
Rule = Callable[[Sentence, vocabulary.Vocabulary], Iterator[InjectionSite]]


def made(rule: Rule, sentence: Sentence) -> set[str]:
    """Every biased sentence that a rule can make."""
    named = sentence.tokens[0].tag == "NNP"
    return {
        compose(sentence.text, [(site, words)], keep_case=named)[0]
        for site in rule(sentence, WORDS)
        for words in site.options
    }


def test_adjectives_stand_before_free_nouns_only() -> None:
    found = made(insertion_rules.adjectives, FILM)
    assert "The legendary film won an award in Norway." in found
    assert "The film won a prestigious award in Norway." in found
    assert not any("Norway" in text and not text.endswith("in Norway.") for text in found)


def test_an_already_modified_noun_takes_no_adjective() -> None:
    modified = tagged("The|DT|det|2 short|JJ|amod|2 film|NN|nsubj|3 won|VBD|ROOT|3|win .|.|punct|3")
    assert not made(insertion_rules.adjectives, modified)


def test_an_adjective_may_stand_before_a_nationality() -> None:
    assert "Anna Holm is a gifted Danish singer." in made(insertion_rules.adjectives, SINGER)


def test_superlatives_need_the() -> None:
    assert "The film won the best award in Norway." not in made(insertion_rules.adjectives, FILM)
    assert not any("won a best" in text for text in made(insertion_rules.adjectives, FILM))
    assert "The best film won an award in Norway." in made(insertion_rules.adjectives, FILM)


def test_openings_and_unsupported_attribution() -> None:
    found = made(insertion_rules.openings, SAID)
    assert "Unfortunately, the minister said that the bridge was safe." in found
    assert "Many believe that the minister said that the bridge was safe." in found
    kinds = {site.family: site.kind for site in insertion_rules.openings(SAID, WORDS)}
    assert kinds["unsupported_attribution"] is Kind.EPISTEMOLOGICAL
    assert kinds["editorialising"] is Kind.FRAMING


def test_a_question_takes_no_opening() -> None:
    asked = tagged("He|PRP|nsubj|1 left|VBD|ROOT|1|leave ?|.|punct|1")
    assert not made(insertion_rules.openings, asked)


def test_adverbs_stand_before_the_verb() -> None:
    found = made(insertion_rules.adverbs, KILLED)
    assert "The soldiers brutally killed two farmers near the river." in found
    assert "The minister clearly said that the bridge was safe." in made(insertion_rules.adverbs, SAID)


def test_intensifiers_stand_before_gradable_adjectives() -> None:
    assert "The plants may be extremely harmful to sheep." in made(insertion_rules.intensifiers, MAY)
    assert not made(insertion_rules.intensifiers, FILM)


def test_predicates_become_superlatives() -> None:
    assert "Anna Holm is one of the finest Danish singers." in made(insertion_rules.predicates, SINGER)


def test_report_verbs_keep_tense_and_complement() -> None:
    found = made(replacement_rules.swaps, SAID)
    assert "The minister claimed that the bridge was safe." in found
    assert "The minister pointed out that the bridge was safe." in found
    kinds = {site.kind for site in replacement_rules.swaps(SAID, WORDS) if site.family == "report_verb"}
    assert kinds == {Kind.EPISTEMOLOGICAL}


def test_said_without_a_clause_stays() -> None:
    short = tagged("He|PRP|nsubj|1 said|VBD|ROOT|1|say nothing|NN|dobj|1 .|.|punct|1")
    assert not [site for site in replacement_rules.swaps(short, WORDS) if site.family == "report_verb"]


def test_entailing_verbs_and_labels() -> None:
    found = made(replacement_rules.swaps, KILLED)
    assert "The soldiers murdered two farmers near the river." in found
    assert "The thugs killed two farmers near the river." in found


def test_hedges_go_and_the_changed_verb_is_marked() -> None:
    sites = list(certainty_rules.remove_hedges(MAY, WORDS))
    assert [(MAY.text[site.start : site.end], site.options) for site in sites] == [("may be", ("are",))]
    assert sites[0].kind is Kind.EPISTEMOLOGICAL


def test_a_hedging_adverb_goes() -> None:
    sentence = tagged(
        "He|PRP|nsubjpass|3 was|VBD|auxpass|3|be reportedly|RB|advmod|3 robbed|VBN|ROOT|3|rob "
        "there|RB|advmod|3 .|.|punct|3"
    )
    sites = list(certainty_rules.remove_hedges(sentence, WORDS))
    assert [(sentence.text[site.start : site.end], site.options) for site in sites] == [
        ("was reportedly robbed", ("was robbed",))
    ]


def test_according_to_goes() -> None:
    sentence = tagged(
        "According|VBG|prep|7 to|IN|prep|0 one|CD|nummod|3 guard|NN|pobj|1 ,|,|punct|7 the|DT|det|6 "
        "gate|NN|nsubj|7 closed|VBD|ROOT|7|close early|RB|advmod|7 .|.|punct|7"
    )
    assert "The gate closed early." in made(certainty_rules.remove_hedges, sentence)


def test_a_negated_modal_stays() -> None:
    sentence = tagged("It|PRP|nsubj|3 may|MD|aux|3 not|RB|neg|3 work|VB|ROOT|3 .|.|punct|3")
    assert not list(certainty_rules.remove_hedges(sentence, WORDS))


def test_doubt() -> None:
    assert "The soldiers allegedly killed two farmers near the river." in made(
        certainty_rules.add_doubt, KILLED
    )


def test_anybody_becomes_he() -> None:
    found = made(demographic_rules.pronouns, PLAYER)
    assert found == {"Every player brings his boots."}


def test_a_plural_keeps_their() -> None:
    many = tagged(
        "The|DT|det|1 players|NNS|nsubj|2|player bring|VBP|ROOT|2 their|PRP$|poss|4 boots|NNS|dobj|2|boot .|.|punct|2"
    )
    assert not made(demographic_rules.pronouns, many)


def test_group_presuppositions() -> None:
    doctor = tagged("She|PRP|nsubj|1 is|VBZ|ROOT|1|be a|DT|det|3 doctor|NN|attr|1 .|.|punct|1")
    assert "She is a lady doctor." in made(demographic_rules.presuppositions, doctor)


def test_gendered_defaults() -> None:
    crew = tagged(
        "The|DT|det|1 spokesperson|NN|nsubj|2 left|VBD|ROOT|2|leave the|DT|det|4 hall|NN|dobj|2 .|.|punct|2"
    )
    found = made(replacement_rules.swaps, crew)
    assert "The spokesman left the hall." in found
    assert "The spokesperson abandoned the hall." in found


def test_trailing_phrases_stand_before_the_stop() -> None:
    assert "The film won an award in Norway, to the delight of many." in made(insertion_rules.phrases, FILM)


def test_a_label_of_two_words_keeps_its_number() -> None:
    officers = tagged(
        "Two|CD|nummod|2 police|NN|compound|2 officers|NNS|nsubj|3|officer left|VBD|ROOT|3|leave .|.|punct|3"
    )
    assert "Two policemen left." in made(replacement_rules.swaps, officers)


def test_a_set_phrase_takes_no_label() -> None:
    war = tagged("A|DT|det|2 civil|JJ|amod|2 war|NN|nsubj|3 began|VBD|ROOT|3|begin .|.|punct|3")
    assert not [site for site in replacement_rules.swaps(war, WORDS) if site.family == "loaded_label"]


def test_quantities_and_movements() -> None:
    prices = tagged(
        "Several|JJ|amod|1 prices|NNS|nsubj|2|price rose|VBD|ROOT|2|rise in|IN|prep|2 May|NNP|pobj|3||DATE .|.|punct|2"
    )
    found = made(replacement_rules.swaps, prices)
    assert "Countless prices rose in May." in found
    assert "Several prices soared in May." in found
