"""Protects the draft: only the flagged words and what hangs on them change, and the result reads as typed by hand."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from core.documents import Format, parse
from core.rewriting.edits import Passage, make_passage, replace_words
from core.text.english import indefinite_article
from core.text.tokens import WORD


def opened(text: str, form: Format = Format.PLAIN) -> Passage:
    """The passage of the first sentence of ``text``."""
    document = parse(text, form)
    return make_passage(document, document.sentences[0])


def reworded(text: str, flagged: str, words: str, form: Format = Format.PLAIN) -> str | None:
    """The sentence with ``words`` for ``flagged``, or None where that cannot be done."""
    place = opened(text, form)
    start = place.text.index(flagged)
    changes = replace_words(place, start, start + len(flagged), words)
    return place.apply_to_source(changes) if changes else None


@pytest.mark.parametrize(
    ("text", "flagged", "words", "after"),
    [
        ("He was an infamous bank robber.", "infamous", "", "He was a bank robber."),
        ("A terrible honest man.", "terrible", "", "An honest man."),
        ("It was an FBI agent's evil plot.", "evil", "", "It was an FBI agent's plot."),
        ("An evil European law.", "evil", "", "A European law."),
        ("Notably, the bank failed.", "Notably", "", "The bank failed."),
        ("Shamefully iPhone users won.", "Shamefully", "", "iPhone users won."),
        ("The bank, notably, failed.", "notably", "", "The bank failed."),
        ("The bank failed, sadly.", "sadly", "", "The bank failed."),
        ("A bold, infamous and rich man.", "infamous", "", "A bold and rich man."),
        ("The infamous, brutal regime fell.", "infamous", "", "The brutal regime fell."),
        ("Her infamous, brutal regime fell.", "infamous", "", "Her brutal regime fell."),
        ("It was an infamous, brutal regime.", "brutal", "", "It was an infamous regime."),
        ("Her modest, common-sense bill passed.", "common-sense", "", "Her modest bill passed."),
        ("It gives clean, safe energy.", "safe", "", "It gives clean energy."),
        ("They protect brutal, evil men.", "brutal", "", "They protect evil men."),
        ("He left, sadly alone.", "sadly", "", "He left, alone."),
        ("It will make a whopping 800 jobs, he said.", "whopping", "", "It will make 800 jobs, he said."),
        ("It found an astonishing 84 per cent of them.", "astonishing", "", "It found 84 per cent of them."),
        ("A staggering 800 jobs went.", "staggering", "", "800 jobs went."),
        ("He got a shocking 10-year sentence.", "shocking", "", "He got a 10-year sentence."),
        ("It was a massive $5 million deal.", "massive", "", "It was a $5 million deal."),
        ("In 2019, disastrous floods came.", "disastrous", "", "In 2019, floods came."),
        ("He is rich and famous.", "famous", "", "He is rich."),
        ("The rich and famous man left.", "rich", "", "The famous man left."),
        ("The renowned and brilliant poet sang.", "brilliant", "", "The renowned poet sang."),
        ("The renowned, and brilliant, poet sang.", "brilliant", "", "The renowned poet sang."),
        ("The renowned, young and brilliant poet sang.", "brilliant", "", "The renowned, young poet sang."),
        ("Two brilliant and renowned poets sang.", "brilliant", "", "Two renowned poets sang."),
        ("He was renowned but brilliant in court.", "brilliant", "", "He was renowned in court."),
        ("He was brilliant and renowned.", "brilliant", "", "He was renowned."),
        ("The poet and brilliant writer sang.", "brilliant", "", "The poet and writer sang."),
        ("(Shameful old) men left.", "Shameful", "", "(Old) men left."),
        ("Infamous bank robbers won.", "Infamous", "notorious", "Notorious bank robbers won."),
        ("THE SHAMEFUL LAW IS HERE.", "SHAMEFUL", "bad", "THE BAD LAW IS HERE."),
        ("Senator Slams Shameful Law Again", "Slams", "criticizes", "Senator Criticizes Shameful Law Again"),
        ("He admitted to using it.", "admitted to using", "acknowledged using", "He acknowledged using it."),
        ("Killed by O'Neill.", "Killed", "reportedly killed", "Reportedly killed by O'Neill."),
        ("He was killed.", "killed", "killed by police", "He was killed by police."),
        ("It isn’t a sham.", "a sham", "the people's law", "It isn’t the people’s law."),
        ("it was an infamous bank , said x .", "infamous", "", "it was a bank , said x ."),
        ("a tall , evil man .", "evil", "well-known", "a tall , well - known man ."),
        ("He is a shameful\r\nactor.", "shameful", "", "He is an\r\nactor."),
        ("🙂 a terrible uniform 🙂.", "terrible", "", "🙂 a uniform 🙂."),
        ("זה a shameful law שלום.", "shameful", "new", "זה a new law שלום."),
    ],
)
def test_one_place_is_reworded(text: str, flagged: str, words: str, after: str) -> None:
    assert reworded(text, flagged, words) == after


@pytest.mark.parametrize(
    ("text", "flagged", "words", "after"),
    [
        ("The '''shameful record''' is.", "shameful", "", "The '''record''' is."),
        ("The ''shameful'' record.", "shameful", "", None),
        ("The ''shameful'' record.", "shameful", "new", "The ''new'' record."),
        ("She owns an ''infamous'' bank.", "infamous", "notorious", "She owns a ''notorious'' bank."),
        ("The [[shameful record]] is.", "shameful", "new", None),
        ("[[Shameful record]] of a bank.", "Shameful", "new", None),
        ("The [[x|shameful record]] is.", "shameful", "", "The [[x|record]] is."),
        ("The {{shameful}} shameful<ref>A shameful book.</ref> law.", "shameful", "new",
         "The {{shameful}} new<ref>A shameful book.</ref> law."),
    ],
)  # fmt: skip
def test_wikitext_keeps_its_mark_up(text: str, flagged: str, words: str, after: str | None) -> None:
    assert reworded(text, flagged, words, Format.WIKITEXT) == after


def test_markdown_keeps_its_mark_up() -> None:
    assert reworded("The [shameful record][] is.", "shameful", "new", Format.MARKDOWN) is None
    assert (
        reworded("The [shameful law](http://a.b) is.", "shameful", "", Format.MARKDOWN)
        == "The [law](http://a.b) is."
    )
    assert reworded("The\nshameful - record.", "shameful", "", Format.MARKDOWN) is None


@pytest.mark.parametrize(
    ("form", "text", "after"),
    [
        (Format.MARKDOWN, "The renowned [and brilliant](https://a.b) poet.", None),
        (Format.MARKDOWN, "The [renowned and](https://a.b) brilliant poet.", None),
        (Format.MARKDOWN, "The renowned[, brilliant](https://a.b) poet.", None),
        (Format.MARKDOWN, "A renowned [brilliant and](https://a.b) young poet.", None),
        (Format.MARKDOWN, "The [renowned and brilliant](https://a.b) poet.", "The [renowned](https://a.b) poet."),
        (Format.MARKDOWN, "A [poet](x) and brilliant [writer](y).", "A [poet](x) and [writer](y)."),
        (Format.WIKITEXT, "The renowned [[wit|and brilliant]] poet.", None),
        (Format.WIKITEXT, "The renowned ''and brilliant'' poet.", None),
        (Format.WIKITEXT, "The '''renowned''' and brilliant poet.", "The '''renowned''' poet."),
    ],
)  # fmt: skip
def test_no_link_is_left_around_a_conjunction_or_nothing(form: Format, text: str, after: str | None) -> None:
    assert reworded(text, "brilliant", "", form) == after


@pytest.mark.parametrize(
    ("text", "flagged", "words"),
    [
        ('He called it "a shameful law" then.', "shameful", ""),
        ("The infamous bank.", "infamous", "infamous"),
        ("The infamous bank.", "infamous", "INFAMOUS"),
        ("(Shameful) men left.", "Shameful", ""),
        ("a golden globe - nominated actress .", "nominated", ""),
        ("a golden globe - nominated actress .", "golden globe", ""),
    ],
)
def test_what_must_stay_or_would_not_change_gives_nothing(text: str, flagged: str, words: str) -> None:
    assert reworded(text, flagged, words) is None


@pytest.mark.parametrize(
    ("word", "article"),
    [
        *((word, "an") for word in "hour honest heir apple FBI MP NBA x-ray 8 11 18 80th onerous".split()),
        *((word, "a") for word in "house university European one useful UN US NATO u-turn T-shirt 1 100 union".split()),
    ],
)  # fmt: skip
def test_a_or_an(word: str, article: str) -> None:
    assert indefinite_article(word) == article


WORDS = st.sampled_from(
    [
        "the",
        "an",
        "A",
        "infamous",
        "Bank",
        ",",
        "and",
        "''x''",
        "[[y|is]]",
        "🙂",
        "é",
        "\r\n",
        "law.",
        "—",
        "(",
        ")",
    ]
)


@given(st.lists(WORDS, min_size=1, max_size=14), st.data())
def test_nothing_outside_the_changes_moves(parts: list[str], data: st.DataObject) -> None:
    source = " ".join(parts)
    document = parse(source, Format.WIKITEXT)
    for sentence in document.sentences:
        place = make_passage(document, sentence)
        start = data.draw(st.integers(0, len(place.text)))
        end = data.draw(st.integers(start, len(place.text)))
        changes = replace_words(
            place, start, end, data.draw(st.sampled_from(["", "new", "a long-term plan", "old, new"]))
        )
        edits = place.edits(changes)
        at = sentence.start
        for edit in edits:
            assert at <= edit.start < edit.end <= sentence.end
            assert not any(span.start < edit.end and edit.start < span.end for span in document.non_prose)
            at = edit.end
        text = source
        for edit in reversed(edits):
            text = text[: edit.start] + edit.text + text[edit.end :]
        changed = place.apply_to_source(changes)
        assert text == source[: sentence.start] + changed + source[sentence.end :]


@pytest.mark.parametrize(
    ("form", "text", "flagged", "words", "after"),
    [
        (Format.WIKITEXT, "The [[zeal|zealot]]s came.", "zealots", "backers", "The [[zeal|backers]] came."),
        (Format.WIKITEXT, "The [[zeal|zealot]]s came.", "zealots", "", None),
        (Format.WIKITEXT, "The [[zealot]]s came.", "zealots", "backers", None),
        (Format.WIKITEXT, "The '''z'''ealots came.", "zealots", "backers", "The '''b'''ackers came."),
        (Format.WIKITEXT, "The un[[fair|fair]] day.", "unfair", "rainy", "The [[fair|rainy]] day."),
        (Format.WIKITEXT, "The ''ze''al'''ot''' came.", "zealot", "backer", None),
        (Format.MARKDOWN, "The **z**ealots came.", "zealots", "backers", "The **b**ackers came."),
        (Format.MARKDOWN, "The dread*ful* day.", "dreadful", "rainy", "The *rainy* day."),
        (Format.MARKDOWN, "The un[fa](x)ir day.", "unfair", "rainy", "The [rainy](x) day."),
        (Format.MARKDOWN, "The dread&shy;ful day.", "dreadful", "rainy", "The rainy day."),
        (Format.MARKDOWN, "The dread&shy;ful day.", "dreadful", "", "The day."),
        (Format.MARKDOWN, "The dread&zwnj;f&uacute;l day.", "dreadfúl", "rainy", "The rainy day."),
        (Format.PLAIN, "The dread\u200bful\u2060 day.", "dreadful", "", "The day."),
        (Format.PLAIN, "The \ufb01erce day.", "fierce", "rainy", "The rainy day."),
        (Format.PLAIN, "A \ufb01erce day.", "A", "the", "The \ufb01erce day."),
        (Format.PLAIN, "Dread \ufb01erce day.", "Dread", "", None),
    ],
)
def test_a_word_that_is_cut_is_reworded_whole(
    form: Format, text: str, flagged: str, words: str, after: str | None
) -> None:
    assert reworded(text, flagged, words, form) == after


CUTS = st.sampled_from(
    ["\u200b", "&shy;", "*", "**", "[", "](x)", "<b>", "</b>", "<!-- c -->", "&eacute;", "\ufb01"]
)


@example(["a", "a", "a", "a"], ["*", "*", "*"], "m")
@given(
    st.lists(st.text("abcde", min_size=1, max_size=4), min_size=2, max_size=4),
    st.lists(CUTS, min_size=3, max_size=3),
    st.sampled_from(["m", "mnop", ""]),
)
def test_any_cut_word_reads_as_it_was_reworded(parts: list[str], cuts: list[str], words: str) -> None:
    word = "".join(part + cut for part, cut in zip(parts, [*cuts[: len(parts) - 1], ""], strict=True))
    place = opened(f"One {word} and more.", Format.MARKDOWN)
    flagged = WORD.match(place.text, 4)
    changes = replace_words(place, *flagged.span(), words) if flagged else ()
    if changes:
        after = opened(place.apply_to_source(changes), Format.MARKDOWN)
        assert after.text == place.apply(changes)
