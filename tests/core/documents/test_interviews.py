"""Protects the words of people in interviews and transcripts, and that no list of labels is taken for one."""

from __future__ import annotations

import pytest

from core.documents import Format, parse


def quotes(source: str, kind: Format = Format.PLAIN) -> list[str]:
    return [source[start:end] for start, end in parse(source, kind).quotes]


@pytest.mark.parametrize(
    ("kind", "source", "expected"),
    [
        (Format.PLAIN, "Q: Why leave?\n\nA: It was a farce.", ["A: It was a farce."]),
        (Format.PLAIN, "Q. Why leave?\nA. It was a farce.", ["A. It was a farce."]),
        (
            Format.MARKDOWN,
            "**Q: Why leave?**\n\nA: It was a farce.\n\nIt got worse.\n\n**Q: And now?**\n\nA: No.\n\nShe left.",
            ["A: It was a farce.\n\nIt got worse.", "A: No."],
        ),
        (
            Format.MARKDOWN,
            "**Ann Lee:** Why?\n\n**Bo Kim:** A farce.\n\n**Lee:** And?",
            ["Ann Lee:** Why?", "Bo Kim:** A farce.", "Lee:** And?"],
        ),
        (
            Format.WIKITEXT,
            "'''Interviewer:''' Why?\n\n'''Kim:''' A farce.\n\n'''Interviewer:''' And?\n\n'''Kim:''' No.",
            ["Kim:''' A farce.", "Kim:''' No."],
        ),
        (
            Format.PLAIN,
            "REPORTER: Why?\n\nDR. ANN O’NEILL (laughing): A farce.\n\nREPORTER: And?\n\nO’NEILL: No.",
            ["DR. ANN O’NEILL (laughing): A farce.", "O’NEILL: No."],
        ),
        (
            Format.PLAIN,
            "[00:12] Lee: Why?\n[00:20] Kim: A farce.\n[00:31] Lee: I see.",
            ["[00:12] Lee: Why?", "[00:20] Kim: A farce.", "[00:31] Lee: I see."],
        ),
    ],
)
def test_what_speakers_say_is_quoted(kind: Format, source: str, expected: list[str]) -> None:
    assert quotes(source, kind) == expected
    parsed = parse(source, kind)
    for sentence in parsed.sentences:
        assert sentence.quoted == any(a <= sentence.start < b for a, b in parsed.quotes)


@pytest.mark.parametrize(
    "source",
    [
        "Pros: It is light.\n\nCons: It is dear.\n\nPros: It is big.\n\nIs it worth it?",
        "Date: 12 May\n\nPlace: Hall\n\nDate: 13 May. Why?\n\nPlace: Park",
        "Note: Why do this?\n\nWarning: Do not.\n\nNote: Go on.",
        "The mayor: why did he go? Nobody knows.\n\nThe mayor: a short life. He came.",
        "Ann Lee: Why?\n\nThat was the title of the play.",
        "A. Jones came. B. Smith went.\n\nA. Lee stayed.",
        "A: the first point is this.\n\nB: the second point is that.\n\nC: is this the third?",
        "We asked: Why? Then we asked again: Why? Then we left: Nobody answered.",
    ],
)
def test_labels_of_other_texts_are_no_speakers(source: str) -> None:
    assert quotes(source) == []


def test_a_turn_ends_before_many_paragraphs_without_a_label() -> None:
    story = "\n\n".join(f"Our own paragraph {number}." for number in range(12))
    source = f"Q: Why?\n\nA: A farce.\n\n{story}\n\nQ: And?\n\nA: No."
    assert quotes(source) == ["A: A farce.", "A: No."]
