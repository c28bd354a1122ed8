"""Protects the promise of a suggestion: it reads less biased, says the same, and changes nothing but its sentence."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.bundles.rewriter import RewriterThresholds
from core.documents import Document, Format, parse
from core.engine.engine import Engine
from core.engine.reader import Cancelled
from core.rewriting import candidates, guards
from core.rewriting.refusals import NOTHING_PROPOSED
from core.rewriting.rewriter import Rewriter, SentenceTooLong
from core.rewriting.suggester import Suggester
from core.text.diff import TextEdit
from core.types import Finding, Kind, StyleNote, Suggestion
from tests.core.rewriting.fake_proposer import Told


def found(engine: Engine, source: str, form: Format = Format.PLAIN) -> tuple[Document, tuple[Finding, ...]]:
    """A document and its findings, those in quotations too."""
    document = parse(source, form)
    return document, engine.analyse(document, include_quotes=True).findings


def sentences(items: tuple[Suggestion, ...]) -> list[str]:
    """The sentences that are offered."""
    return [item.sentence for item in items]


@pytest.fixture(autouse=True)
def no_known_replacements(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the table of known replacements, but for the tests that are about it."""
    if "known" not in request.node.name:
        monkeypatch.setattr(candidates, "load_known_replacements", dict)
        monkeypatch.setattr(candidates, "load_annotated_replacements", dict)


def test_a_finding_gets_better_suggestions(engine: Engine) -> None:
    source = "The law is new. The senator said this shameful policy 🙂.\r\nThe law is new."
    document, (finding,) = found(engine, source)
    told = Told({"shameful": [("new", 0.5), ("", 0.3), ("disastrous", 0.1), ("SHAMEFUL", 0.1)]})
    answer = Suggester(engine, told).suggest(document, finding)
    assert answer.note == ""
    assert sorted(sentences(answer.items)) == [
        "The senator said this new policy 🙂.", "The senator said this policy 🙂."
    ]  # fmt: skip
    assert told.runs <= 3
    for item in answer.items:
        assert item.bias_after < item.bias_before - 0.01
        assert 0 <= item.score <= 1
        (edit,) = item.edits
        after = source[: edit.start] + edit.text + source[edit.end :]
        assert after == source.replace("The senator said this shameful policy 🙂.", item.sentence)


def test_no_more_than_asked_for(engine: Engine) -> None:
    document, (finding,) = found(engine, "The senator said this shameful policy.")
    told = Told({"shameful": [("new", 0.5), ("", 0.3)]})
    assert len(Suggester(engine, told).suggest(document, finding, n=1).items) == 1


def test_neighbours_are_taken_in_only_where_the_flagged_words_alone_give_nothing(engine: Engine) -> None:
    document, (finding,) = found(engine, "The senator claims to policy this.")
    wide = {"claims to": [("said", 0.9)]}
    alone = Suggester(engine, Told({"claims": [("said", 0.05)], **wide})).suggest(document, finding)
    assert sentences(alone.items) == ["The senator said to policy this."]
    both = Suggester(engine, Told(wide)).suggest(document, finding)
    assert sentences(both.items) == ["The senator said policy this."]


def test_all_findings_at_once_come_last(engine: Engine) -> None:
    document, findings = found(engine, "The senator claims that a shameful policy.")
    told = Told({"claims": [("said", 0.5)], "shameful": [("new", 0.5)]})
    items = Suggester(engine, told).suggest(document, findings[1]).items
    assert sentences(items)[-1] == "The senator said that a new policy."
    assert items[-1].edits == (TextEdit(12, 18, "said"), TextEdit(26, 34, "new"))
    assert items[-1].bias_after < items[0].bias_after


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        ("disastrous", "1 would not make the sentence less biased"),
        ("shameful shameful", "1 is not sound English"),
        ("mankind of", "1 is not sound English"),
        ("union shameful", "1 would not make the sentence less biased"),
    ],
)
def test_what_reads_no_better_is_not_offered_and_the_reason_is_told(
    engine: Engine, words: str, reason: str
) -> None:
    document, (finding,) = found(engine, "The senator said this shameful policy.")
    answer = Suggester(engine, Told({"shameful": [(words, 0.9)]})).suggest(document, finding)
    assert answer.items == ()
    assert answer.note == f"No suitable suggestion found. Of those tried, {reason}."


def test_what_each_suggestion_fails_is_counted(engine: Engine) -> None:
    """The sentence says what was found out about each suggestion, and nothing else."""
    document, findings = found(engine, "The senator said this alleged shameful policy of 12 people.")
    finding = next(one for one in findings if one.text == "shameful")
    told = Told(
        {
            "shameful": [("disastrous", 0.5), ("of", 0.3)],
            "alleged shameful": [("new", 0.4)],
            "shameful policy": [("12 policy", 0.4), ("", 0.4)],
        }
    )
    reasons = Suggester(engine, told).suggest(document, finding).note.partition("tried, ")[2]
    assert "1 loses a number, a name, a negation or a punctuation mark" in reasons
    assert "1 is not sound English" in reasons
    assert "1 would not make the sentence less biased" in reasons


def test_a_doubt_that_would_become_a_fact_is_told(engine: Engine) -> None:
    document, (finding,) = found(engine, "The senator said this so-called shameful policy.")
    wide = replace(finding, start=finding.start - len("so-called "), text="so-called shameful")
    told = Told({"so-called shameful": [("new", 0.9)]})
    assert Suggester(engine, told).suggest(document, wide).note.endswith("1 turns a doubt into a fact.")


def test_suggestions_that_are_too_uncertain_are_told_and_no_sentence_is_made_of_them(engine: Engine) -> None:
    document, (finding,) = found(engine, "The senator said this shameful policy.")
    told = Told({"shameful": [("new", 0.5), ("", 0.3)]})
    told.bundle = replace(told.bundle, thresholds=RewriterThresholds(0.2, offer=1.0))
    suggester = Suggester(engine, told)
    assert suggester.suggest(document, finding).note.endswith("2 are too uncertain.")
    whole = suggester.reword(document, finding)
    assert (whole.items, whole.note) == ((), guards.NONE_IN_SENTENCE)


def test_what_the_rewriter_calls_unsound_is_told(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    document, (finding,) = found(engine, "The senator said this shameful policy.")
    told = Told({"shameful": [("new", 0.5)]})
    told.bundle = replace(told.bundle, thresholds=RewriterThresholds(0.2, fit=0.5))
    monkeypatch.setattr(told, "judge_fit", lambda asks: [0.1] * len(asks))
    assert Suggester(engine, told).suggest(document, finding).note.endswith("1 is not sound English.")


def test_no_reason_is_made_up_where_nothing_was_tried(engine: Engine) -> None:
    document, (finding,) = found(engine, "The senator said this shameful policy.")
    answer = Suggester(engine, Told({"shameful": []})).suggest(document, finding)
    assert (answer.items, answer.note) == ((), NOTHING_PROPOSED)


def test_words_with_mark_up_inside_say_why_they_stay(engine: Engine) -> None:
    source = "The senator said this [[shameful]] policy of the people."
    document, (finding,) = found(engine, source, Format.WIKITEXT)
    answer = Suggester(engine, Told({"shameful": [("new", 0.9)]})).suggest(document, finding)
    assert (answer.items, answer.note) == ((), guards.NOT_EDITABLE)


def test_a_new_finding_elsewhere_is_refused(engine: Engine) -> None:
    document, (finding,) = found(engine, "The senator said this shameful policy.")
    told = Told({"shameful policy": [("new policy claims", 0.9), ("new policy", 0.2)]})
    assert sentences(Suggester(engine, told).suggest(document, finding).items) == [
        "The senator said this new policy."
    ]


def test_quotations_are_left_to_their_speakers(engine: Engine) -> None:
    document, (finding,) = found(engine, 'The senator said "this is shameful" to the people.')
    answer = Suggester(engine, Told({"shameful": [("new", 0.9)]})).suggest(document, finding)
    assert (answer.items, answer.note) == ((), guards.QUOTED)


@pytest.mark.parametrize(
    ("source", "note"),
    [
        ("The people said " * 41 + "a shameful policy.", guards.TOO_LONG),
        ("shameful | 12 | 13 | record | 14", guards.NOT_PROSE),
        ("Smith, Jones, Brown, Miller, Shameful, Davis, Wilson, Moore, Taylor", guards.NOT_PROSE),
        ("Le shameful record de la ville.", guards.FOREIGN),
    ],
)
def test_text_that_is_no_sentence_is_skipped_with_a_reason(engine: Engine, source: str, note: str) -> None:
    document, findings = found(engine, source)
    answer = Suggester(engine, Told({"shameful": [("new", 0.9)]})).suggest(document, findings[0])
    assert (answer.items, answer.note) == ((), note)


def test_more_pieces_than_the_model_takes_is_too_long(engine: Engine) -> None:
    document, (finding,) = found(engine, "The senator said this shameful policy.")
    answer = Suggester(engine, Told({}, most=10)).suggest(document, finding)
    assert answer.note == guards.TOO_LONG


def test_mark_up_stays(engine: Engine) -> None:
    source = "The [[senator|''shameful'' senator]]<ref>shameful</ref> of {{x}} said this is the policy of the people."
    document, (finding,) = found(engine, source, Format.WIKITEXT)
    told = Told({"shameful": [("", 0.5), ("new", 0.3)]})
    assert sentences(Suggester(engine, told).suggest(document, finding).items) == [
        source.replace("''shameful''", "''new''")
    ]


def test_work_stops_when_nobody_wants_it(engine: Engine) -> None:
    document, (finding,) = found(engine, "The senator said this shameful policy.")
    told = Told({"shameful": [("new", 0.5)]})
    with pytest.raises(Cancelled):
        Suggester(engine, told).suggest(document, finding, cancelled=lambda: True)
    assert told.runs == 0


def rewritten(engine: Engine, source: str, told: Told) -> list[str]:
    """The rewrites of the first sentence."""
    document = parse(source, Format.PLAIN)
    return sentences(Suggester(engine, told).rewrite(document, document.sentences[0]))


def test_a_sentence_is_made_neutral_as_a_whole(engine: Engine) -> None:
    told = Told({"claims": [("said", 0.5)], "shameful": [("", 0.5)]})
    source = "The senator claims that this is a shameful policy."
    assert rewritten(engine, source, told) == ["The senator said that this is a policy."]


def test_words_for_which_nothing_likely_is_known_stay(engine: Engine) -> None:
    told = Told({"claims": [("said", 0.03)], "shameful": [("", 0.5)]}, keep={"claims": 0.9})
    source = "The senator claims that this is a shameful policy."
    assert rewritten(engine, source, told) == ["The senator claims that this is a policy."]


def test_a_neutral_sentence_is_not_asked_about(engine: Engine) -> None:
    told = Told({})
    assert rewritten(engine, "The senator said that this is a policy.", told) == []
    assert told.runs == 0


def test_where_not_all_goes_together_some_is_done(engine: Engine) -> None:
    told = Told({"claims": [("said", 0.5)], "shameful": [("said that", 0.5)]})
    source = "The senator claims shameful policy of the people."
    assert rewritten(engine, source, told)[0] != source


def test_a_sentence_that_is_too_long_is_reported(engine: Engine) -> None:
    document = parse("The shameful people said " * 41 + "this.", Format.PLAIN)
    with pytest.raises(SentenceTooLong):
        Suggester(engine, Told({})).rewrite(document, document.sentences[0])


def test_a_real_model_end_to_end(engine: Engine, rewriter: Rewriter) -> None:
    document, (finding,) = found(engine, "The senator said this shameful policy.")
    items = Suggester(engine, rewriter).suggest(document, finding).items
    assert "The senator said this policy." in sentences(items)


def test_known_replacements_stand_beside_the_models(engine: Engine) -> None:
    document, (finding,) = found(engine, "The senator claims that this law.")
    items = Suggester(engine, Told({"claims": [("", 0.9), ("new", 0.3)]})).suggest(document, finding).items
    assert "The senator says that this law." in sentences(items)
    assert "The senator that this law." not in sentences(items)


def test_a_known_replacement_is_no_reason_to_reword_what_the_model_would_keep(engine: Engine) -> None:
    document, _ = found(engine, "The senator claims that this law.")
    told = Told({"claims": []}, keep={"claims": 0.9})
    assert Suggester(engine, told).rewrite(document, document.sentences[0]) == ()


def test_a_sentence_is_reworded_at_every_finding_that_has_a_suggestion(engine: Engine) -> None:
    document, findings = found(engine, "The senator claims that this is a shameful policy.")
    told = Told({"claims": [("said", 0.03)], "shameful": [("", 0.5)]})
    (item,) = Suggester(engine, told).reword(document, findings[0]).items
    assert item.sentence == "The senator said that this is a policy."


def test_a_sentence_without_a_suggestion_says_so(engine: Engine) -> None:
    document, (finding,) = found(engine, "The senator said this shameful policy.")
    answer = Suggester(engine, Told({}, keep={"shameful": 1.0})).reword(document, finding)
    assert (answer.items, answer.note) == ((), guards.NONE_IN_SENTENCE)


def test_a_sentence_is_reworded_at_the_given_findings_alone(engine: Engine) -> None:
    """What a person ignores is no longer a finding of the draft, and its words stay."""
    document, findings = found(engine, "The senator claims that this is a shameful policy.")
    told = Told({"claims": [("said", 0.5)], "shameful": [("", 0.5)]})
    (item,) = Suggester(engine, told).reword(document, findings[0], findings=findings[1:]).items
    assert item.sentence == "The senator claims that this is a policy."


def test_a_known_annotated_replacement_is_offered_too(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        candidates, "load_annotated_replacements", lambda: {"shameful": {"new": 0.4, "": 0.1}}
    )
    document, (finding,) = found(engine, "The senator said this shameful policy.")
    offered = sentences(Suggester(engine, Told({"shameful": [("", 0.4)]})).suggest(document, finding).items)
    assert {"The senator said this policy.", "The senator said this new policy."} <= set(offered)


def test_known_replacements_of_single_words_are_put_together_for_several(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where only both changes together make the words neutral: *shameful disastrous* becomes *new*."""
    table = {"shameful": {"": 0.6}, "disastrous": {"new": 0.5}, "the": {"a": 0.9}}
    monkeypatch.setattr(candidates, "load_annotated_replacements", lambda: table)
    document, (finding,) = found(engine, "The senator said this shameful disastrous policy.")
    assert finding.text == "shameful disastrous"
    offered = sentences(Suggester(engine, Told({})).suggest(document, finding).items)
    assert offered == ["The senator said this new policy."]


def test_the_tables_of_replacements_hold_plain_words() -> None:
    for loaded, replacements in candidates.load_annotated_replacements().items():
        assert loaded == loaded.lower()
        assert 1 <= len([words for words in replacements if words] or [""]) <= 4
        assert all(words.strip() == words and words.lower() != loaded for words in replacements)
        assert all(0 < share < 1 for share in replacements.values())


def test_the_suggestions_of_a_style_pack_leave_no_conjunction_behind(engine: Engine) -> None:
    suggester = Suggester(engine, Told({}))

    def offered(source: str) -> list[str]:
        document = parse(source, Format.MARKDOWN)
        start = source.index("brilliant")
        note = StyleNote("P", "p/brilliant", "No praise.", replacements=("", "able"))
        flagged = Finding(start, start + 9, "brilliant", Kind.STYLE, 1.0, False, style=note)
        return sentences(suggester.suggest(document, flagged).items)

    assert offered("The renowned [and brilliant](https://a.b) poet.") == [
        "The renowned [and able](https://a.b) poet."
    ]
    assert offered("He was rich and brilliant people came.") == ["He was rich and able people came."]
    assert offered("The [renowned and brilliant](https://a.b) poet.") == [
        "The [renowned](https://a.b) poet.", "The [renowned and able](https://a.b) poet."
    ]  # fmt: skip
