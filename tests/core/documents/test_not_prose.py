"""What dialects and editors put between the words of a text is not read as prose, and never takes prose with it."""

from __future__ import annotations

from time import perf_counter

import pytest

from core.documents import Format, parse, prose
from core.documents.format_specs import detect_format
from core.types import UnreadKind


def read(source: str, kind: Format = Format.MARKDOWN) -> list[str]:
    document = parse(source, kind)
    return [" ".join(prose(document, sentence).text.split()) for sentence in document.sentences]


@pytest.mark.parametrize(
    ("source", "shown"),
    [
        # Formulas
        ("Let $a_{bad}$ and $x$ be.", ["Let and be."]),
        ("Let \\(a_{bad}\\) and \\[bad = 1\\] be.", ["Let and be."]),
        ("One.\n\n$$\n\\text{bad}\n\n= 1\n$$\n\nTwo.", ["One.", "Two."]),
        ("One $$bad = 1$$ two.", ["One two."]),
        ("One.\n\n\\begin{align*}\nbad &= 1\n\\end{align*}\n\nTwo.", ["One.", "Two."]),
        # Prices and shell variables are no formulas
        ("It costs $5 and then $10 more.", ["It costs $5 and then $10 more."]),
        ("A $5 bill (or a $10 one) is bad.", ["A $5 bill (or a $10 one) is bad."]),
        ("He paid US$5 million (then A$7 million).", ["He paid US$5 million (then A$7 million)."]),
        ("It rose from $5m–$6m to $7/$8.", ["It rose from $5m–$6m to $7/$8."]),
        ("A $5 (in A$) bad bill.", ["A $5 (in A$) bad bill."]),
        ("Set `$HOME` and read `$PATH` now.", ["Set and read now."]),
        ("An odd \\(but quite legal\\) aside.", ["An odd (but quite legal) aside."]),
        ("One $$ two.\n\nThree bad.", ["One $$ two.", "Three bad."]),
        # CriticMarkup
        ("A {--bad--} plan.", ["A plan."]),
        ("A {++new++} plan.", ["A new plan."]),
        ("A {~~bad~>good~~} plan.", ["A good plan."]),
        ("A {==plan==}{>>bad, cut this<<} here.", ["A plan here."]),
        ("A {>>bad, \ncut this<<}plan.", ["A plan."]),
        ("A {--bad plan.", ["A {--bad plan."]),
        # Templates
        ("A {{ page.bad }} plan {% if bad %}now{% endif %}.", ["A plan now ."]),
        ('See {{< figure caption="bad" >}} and {{% note %}} here.', ["See and here."]),
        ("A {# bad #} plan, {/* bad */} {props.bad} {t('bad')}.", ["A plan, ."]),
        ("{% include bad.html %}\n\nText.", ["Text."]),
        ("A {{ bad plan.", ["A {{ bad plan."]),
        # Attributes, containers, citations
        ('# Head {.bad #worse key="so bad"}', ["Head"]),
        ("Text.\n{: .bad}", ["Text."]),
        ("A [link](x){target=_blank .bad} here.", ["A link here."]),
        ("# Head {-}", ["Head"]),
        ("::: {.callout-bad}\nText.\n:::", ["Text."]),
        ("It was [@bad2010, p. 3] there [-@bad].", ["It was there ."]),
        # Struck out
        ("A ~~bad~~ plan.", ["A plan."]),
        ("A <del>bad</del> <s>*worse*</s> <ins>good</ins> plan.", ["A good plan."]),
        ("A <del>bad plan.", ["A bad plan."]),
        # Front matter, imports
        ('+++\ntitle = "The head"\n[params]\nbad = true\n+++\n\nText.', ["Text."]),
        ('+++\ntitle = "Heads roll"\n[params]\nbad = true\n+++\n\nText.', ["Heads roll", "Text."]),
        ("+++\nText.\n\n+++", ["+++ Text."]),
        (
            "import Bad from './bad.mdx'\nimport './bad.css';\nexport const bad = 1\n\n# Head\n\nText.",
            ["Head", "Text."],
        ),
        ("import taxes rose.\n\nexport of goods fell.", ["import taxes rose.", "export of goods fell."]),
        # Footnotes
        ("He ran.<sup>1</sup> He won.<sup>[2]</sup> She left.", ["He ran.", "He won.", "She left."]),
        ("It is 10<sup>6</sup> m<sup>2</sup>. The 5<sup>th</sup> one.", ["It is 106 m2.", "The 5th one."]),
    ],
)
def test_markdown(source: str, shown: list[str]) -> None:
    assert read(source) == shown


@pytest.mark.parametrize(
    ("source", "shown"),
    [
        ("A <del>bad</del> <s>''worse''</s> <strike>b</strike> <ins>good</ins> plan.", ["A good plan."]),
        ("A <del>bad plan.", ["A bad plan."]),
        ("A bad</s> plan.", ["A bad plan."]),
        ("He ran.<sup>1</sup> He won.<sup>[b]</sup> She left.", ["He ran.", "He won.", "She left."]),
        ("It is 10<sup>6</sup> m. The 5<sup>th</sup> one.", ["It is 106 m.", "The 5th one."]),
    ],
)
def test_wikitext(source: str, shown: list[str]) -> None:
    assert read(source, Format.WIKITEXT) == shown


@pytest.mark.parametrize(
    ("source", "count"),
    [
        ("He ran.[1] He won.[2][3] She left.[a] They came.", 4),
        ("“He ran.”[12] He won.[citation needed] She left.¹ They came.²³ All left.", 5),
        ("He ran [1] and won [note 2] there. She left.", 2),
        ("Smith et al.[4] came. Version 2.1 He left.", 2),
        ("He ran.[1] and won. She left.", 2),
    ],
)
def test_the_mark_of_a_footnote_joins_no_sentences(source: str, count: int) -> None:
    assert len(read(source, Format.PLAIN)) == count


def test_what_editors_took_out_is_said() -> None:
    found = parse("A {--bad--} plan. {>>so bad<<} A ~~bad~~ and <s>bad</s> one.", Format.MARKDOWN).unread
    assert [one.kind for one in found] == [
        UnreadKind.DELETION,
        UnreadKind.COMMENT,
        UnreadKind.DELETION,
        UnreadKind.DELETION,
    ]
    found = parse("A <del>bad</del> plan.", Format.WIKITEXT).unread
    assert [(one.kind, one.start, one.end) for one in found] == [(UnreadKind.DELETION, 2, 16)]


@pytest.mark.parametrize("suffix", [".mdx", ".qmd", ".Rmd", ".mkd", ".mdown", ".MD"])
def test_every_suffix_of_markdown_is_known(suffix: str) -> None:
    assert detect_format(f"draft{suffix}", "") is Format.MARKDOWN


@pytest.mark.parametrize(
    "sign", ["$", "$$", "{{", "{%", "{--", "{>>", "{~~", "\\(", "\\[", "\\begin{x}", "{.a ", "{/*", "[@"]
)
def test_signs_that_are_never_closed_take_time_in_proportion(sign: str) -> None:
    def seconds(count: int) -> float:
        source = f"{sign}a " * count
        times = []
        for _ in range(5):
            began = perf_counter()
            parse(source, Format.MARKDOWN)
            times.append(perf_counter() - began)
        return min(times)

    seconds(100)
    assert seconds(12_000) < 30 * seconds(1500)
