"""Protects the quotation finder: whose words are whose, and that no apostrophe or inch mark exempts anything."""

from __future__ import annotations

import pytest

from core.documents import Format, parse, prose


def quotes(source: str, kind: Format = Format.PLAIN) -> list[str]:
    return [source[start:end] for start, end in parse(source, kind).quotes]


def quoted(source: str, kind: Format = Format.PLAIN) -> list[bool]:
    return [sentence.quoted for sentence in parse(source, kind).sentences]


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ('He said "we won" today.', ['"we won"']),
        ('"We won. They lost," he said.', ['"We won. They lost,"']),
        ("“We won,” he said. “They lost.”", ["“We won,”", "“They lost.”"]),
        ("“He said ‘never’ twice,” she wrote.", ["“He said ‘never’ twice,”"]),
        ("'Stop that,' he said. 'It is over.'", ["'Stop that,'", "'It is over.'"]),
        ("'It isn't James' car,' he said.", ["'It isn't James' car,'"]),
        ("‘It’s James’ car,’ he said.", ["‘It’s James’ car,’"]),
        ("« Bonjour », dit-il.", ["« Bonjour »"]),
        ("»Guten Tag«, sagte er.", ["»Guten Tag«"]),
        ("„Guten Tag“, sagte er. „Ja”.", ["„Guten Tag“", "„Ja”"]),
        ("‹Oui›, ‚nein‘, ”ja”, 「はい」, 『うん』", ["‹Oui›", "‚nein‘", "”ja”", "「はい」", "『うん』"]),
        ('“straight end" and "another”', ['“straight end"']),
        ('she said " we won " and left', ['" we won "']),
        ("`` tokenised '' he said", ["`` tokenised ''"]),
        ('A "so-called" expert (“really”).', ['"so-called"', "“really”"]),
        ('"He is 6\' 2" tall," she said.', ['"He is 6\' 2" tall,"']),
        ('"It was 1990" he said. "Then 1991" too.', ['"It was 1990"', '"Then 1991"']),
    ],
)
def test_a_quotation_is_found_with_its_marks(source: str, expected: list[str]) -> None:
    assert quotes(source) == expected


@pytest.mark.parametrize(
    "source",
    [
        "Don't stop James' car in the '90s of rock 'n' roll.",
        "Don’t stop James’ car in the ’90s of rock ’n’ roll, ’tis fine.",
        "The boys' and girls' teams, the players' union.",
        "Singin' in the rain and goin' home.",
        "the party ' s secretary and the reds ' games",
        'He is 6\' 2" tall and the pipe is 5" wide.',
        'A 12"x14" print and a 3" nail.',
        'One " stray mark. And nothing more.',
        'One "stray mark. And nothing more.',
        "One “stray mark. And nothing more.",
        "One ” stray and » another.",
    ],
)
def test_apostrophes_measures_and_stray_marks_are_none(source: str) -> None:
    assert quotes(source) == []
    assert not any(quoted(source))


def test_a_stray_mark_does_not_swallow_the_real_quotation_after_it() -> None:
    assert quotes('A "stray mark. Then "this one" follows.') == ['"this one"']
    assert quotes('The 5" gun. "We fired it," he said.') == ['"We fired it,"']


@pytest.mark.parametrize(("opening", "closing"), [('"', '"'), ("“", "”"), ("«", "»")])
def test_a_long_quotation_opens_again_in_every_paragraph(opening: str, closing: str) -> None:
    first, second, third = f"{opening}One.", f"{opening}Two.", f"{opening}Three.{closing}"
    source = f"{first}\n\n{second}\n\n{third} He left the room in silence."
    assert quotes(source) == [first, second, third]
    assert quoted(source) == [True, True, True, False]


def test_an_open_quotation_ends_nowhere_if_the_next_paragraph_does_not_open_it_again() -> None:
    assert quotes("“One is open.\n\nTwo says “this” only.") == ["“this”"]


def test_a_sentence_is_quoted_if_most_of_its_words_are() -> None:
    assert quoted('"We won. They lost," he said. He left "at once" with nobody.') == [True, True, False]


def test_quotations_cross_sentences_and_mark_up() -> None:
    source = "He said “it is [[war|a war]]. '''Nobody''' asked.<ref>x “y</ref> Never.” Then he left.\n"
    assert quotes(source, Format.WIKITEXT) == [
        "“it is [[war|a war]]. '''Nobody''' asked.<ref>x “y</ref> Never.”"
    ]
    assert quoted(source, Format.WIKITEXT) == [True, True, True, False]


def test_block_quotes_are_quotations() -> None:
    assert quoted("Before.\n\n> One. Two\n> goes on.\n>\n> > Deep.\n\nAfter.", Format.MARKDOWN) == [
        False, True, True, True, False,
    ]  # fmt: skip
    source = "Before.\n<blockquote>One. Two.</blockquote>\nAfter <q>three</q>."
    assert quoted(source, Format.WIKITEXT) == [False, True, True, False]
    assert quotes(source, Format.WIKITEXT) == ["One. Two.", "three"]


def test_marks_of_bold_and_italic_are_no_quotation_marks() -> None:
    assert quotes("''The Times'' and '''bold''' and '''''both'''''.", Format.WIKITEXT) == []


@pytest.mark.parametrize(
    ("kind", "source", "expected"),
    [
        (Format.MARKDOWN, "She called it &ldquo;a farce&rdquo;.", ["&ldquo;a farce&rdquo;"]),
        (Format.MARKDOWN, "She called it &quot;a farce&quot;.", ["&quot;a farce&quot;"]),
        (Format.WIKITEXT, "She called it &#8220;a farce&#x201d;.", ["&#8220;a farce&#x201d;"]),
        (
            Format.WIKITEXT,
            "She called it &laquo;&nbsp;a farce&nbsp;&raquo;.",
            ["&laquo;&nbsp;a farce&nbsp;&raquo;"],
        ),
        (Format.WIKITEXT, "She called it <q>a farce</q>.", ["a farce"]),
        (
            Format.MARKDOWN,
            "She called it <q>a farce</q> and <Q cite='x'>a\n*lie*</Q>.",
            ["a farce", "a\n*lie*"],
        ),
        (Format.MARKDOWN, "<blockquote>\nA farce.\n</blockquote>", ["\nA farce.\n"]),
        (Format.MARKDOWN, "<blockquote>\n\nA *farce*.\n\n</blockquote>\n\nOurs.", ["\n\nA *farce*.\n\n"]),
        (Format.MARKDOWN, "The tag `<q>` for a farce, and `</q>`.", []),
    ],
)
def test_a_quotation_by_other_signs_is_found(kind: Format, source: str, expected: list[str]) -> None:
    assert quotes(source, kind) == expected


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("> [!NOTE]\n> The farce goes on.", []),
        ("> [!warning]- A title\n> The farce goes on.\n>\n> More of it.", []),
        ("> [!TIP]\n>\n> The farce goes on.\n>\n> > Her words.\n>\n> Ours.", ["Her words."]),
        ("> [!quote] Ann Lee\n> The farce goes on.", ["Ann Lee\n> The farce goes on."]),
        ("> The farce goes on.", ["The farce goes on."]),
        ("> Her words.\n>\n> > [!note]\n> > Still hers.", ["Her words.\n>\n> > [!note]\n> > Still hers."]),
        ("> [note](x) in her words", ["[note](x) in her words"]),
    ],
)
def test_an_alert_is_the_authors_own_voice(source: str, expected: list[str]) -> None:
    assert quotes(source, Format.MARKDOWN) == expected


def test_the_sign_of_an_alert_is_not_read() -> None:
    source = "> [!NOTE]\n> The *farce* goes on.\n\n> [!tip] Our view\n> It goes on."
    parsed = parse(source, Format.MARKDOWN)
    read = [prose(parsed, sentence).text for sentence in parsed.sentences]
    assert read == ["The farce goes on.", "Our view", "It goes on."]
