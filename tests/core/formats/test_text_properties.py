"""Language, italics, struck-out text and raised marks of a docx, an odt and a web page are read from their markup."""

from __future__ import annotations

import pytest

from core.documents import prose
from core.documents.suppression import checked_sentences
from core.formats.loader import open_document, read_opened
from tests.core.formats.builders import W, docx, odt, paragraph, run

GERMAN = "Der Rat hat das Haus verkauft."
FO = 'xmlns:fo="urn:oasis:names:tc:opendocument:xmlns:xsl-fo-compatible:1.0"'
STYLE = 'xmlns:style="urn:oasis:names:tc:opendocument:xmlns:style:1.0"'


def read(data: bytes, name: str) -> tuple[list[str], list[str], list[str]]:
    """The sentences that are read, what is excluded from checking, and the kinds of what is not read."""
    document = read_opened(open_document(data, name=name))
    return (
        [
            " ".join(prose(document, one).text.split())
            for one in checked_sentences(document.sentences, document.suppressed)
        ],
        [document.source[one.start : one.end].strip() for one in document.suppressed],
        [one.kind.value for one in document.unread],
    )


def odt_style(name: str, properties: str, *, parent: str = "", family: str = "text") -> str:
    return (
        f'<style:style style:name="{name}" style:family="{family}" style:parent-style-name="{parent}">'
        f"<style:text-properties {FO} {properties}/></style:style>"
    )


def spanned(style: str, text: str) -> str:
    return f'<text:span text:style-name="{style}">{text}</text:span>'


ODT_STYLES = "".join(
    [
        odt_style("D", 'fo:language="de" fo:country="DE"'),
        odt_style("E", 'fo:language="en"'),
        odt_style("PD", 'fo:language="de"', family="paragraph"),
        odt_style("PX", 'fo:font-style="normal"', parent="PD", family="paragraph"),
        odt_style("I", 'fo:font-style="italic"'),
        odt_style("S", 'style:text-line-through-style="solid"'),
        odt_style("U", 'style:text-position="super 58%"'),
    ]
)
DE, EN = '<w:lang w:val="de-DE"/>', '<w:lang w:val="en-US"/>'
ITALIC, STRUCK, RAISED = "<w:i/>", "<w:strike/>", '<w:vertAlign w:val="superscript"/>'
DOCX_STYLES = f"""<w:styles xmlns:w="{W}">
<w:docDefaults><w:rPrDefault><w:rPr>{DE}</w:rPr></w:rPrDefault></w:docDefaults>
<w:style w:type="paragraph" w:styleId="En"><w:name w:val="En"/><w:rPr>{EN}</w:rPr></w:style>
<w:style w:type="paragraph" w:styleId="Own"><w:name w:val="Own"/><w:basedOn w:val="En"/></w:style></w:styles>"""


@pytest.mark.parametrize(
    ("body", "sentences", "excluded", "unread"),
    [
        (paragraph(run(GERMAN, DE)), [], [GERMAN], ["foreign"]),
        (paragraph(run("Der Rat hat ", DE), run("das Haus verkauft.", DE)), [], [GERMAN], ["foreign"]),
        (paragraph(run(f"{GERMAN} ", DE), run("It fell.", EN)), ["It fell."], [GERMAN], ["foreign"]),
        (paragraph(run("The house was sold to them.", DE)), ["The house was sold to them."], [], []),
        (
            paragraph(run("We saw "), run("The Bad Night", ITALIC), run(" there.")),
            ["We saw The Bad Night there."],
            ["The Bad Night"],
            [],
        ),
        (paragraph(run("We saw "), run("bad", ITALIC), run(" there.")), ["We saw bad there."], [], []),
        (
            paragraph(run("We saw "), run("The Bad Night", '<w:i w:val="0"/>'), run(" there.")),
            ["We saw The Bad Night there."],
            [],
            [],
        ),
        (paragraph(run("We saw "), run("bad", STRUCK), run(" there.")), ["We saw there."], [], ["deletion"]),
        (paragraph(run("We ran."), run("1", RAISED), run(" He won.")), ["We ran.", "He won."], [], []),
        (paragraph(run("It is 10"), run("6", RAISED), run(" m.")), ["It is 106 m."], [], []),
    ],
)
def test_docx(body: str, sentences: list[str], excluded: list[str], unread: list[str]) -> None:
    assert read(docx(body), "draft.docx") == (sentences, excluded, unread)


def test_the_language_of_a_docx_by_its_styles() -> None:
    data = docx(
        paragraph(run(GERMAN))
        + paragraph(run("It fell."), style="En")
        + paragraph(run("It rose."), style="Own"),
        extra={"word/styles.xml": DOCX_STYLES},
    )
    assert read(data, "draft.docx") == (["It fell.", "It rose."], [GERMAN], ["foreign"])


@pytest.mark.parametrize("default", ["1", "true", "on"])
@pytest.mark.parametrize("style", ["", "Removed"])
def test_a_paragraph_of_a_docx_without_a_style_has_the_default_one(default: str, style: str) -> None:
    styles = f"""<w:styles xmlns:w="{W}">
<w:docDefaults><w:rPrDefault><w:rPr>{EN}</w:rPr></w:rPrDefault></w:docDefaults>
<w:style w:type="character" w:default="1" w:styleId="C"><w:name w:val="Default Paragraph Font"/></w:style>
<w:style w:type="paragraph" w:default="{default}" w:styleId="N"><w:name w:val="Normal"/><w:rPr>{DE}</w:rPr></w:style>
<w:style w:type="paragraph" w:default="0" w:styleId="Own"><w:name w:val="Own"/></w:style></w:styles>"""
    data = docx(
        paragraph(run(f"{GERMAN} "), run("It fell.", EN), style=style)
        + paragraph(run("It rose."), style="Own"),
        extra={"word/styles.xml": styles},
    )
    assert read(data, "draft.docx") == (["It fell.", "It rose."], [GERMAN], ["foreign"])


@pytest.mark.parametrize(
    ("body", "sentences", "excluded", "unread"),
    [
        (f'<text:p text:style-name="PD">{GERMAN}</text:p>', [], [GERMAN], ["foreign"]),
        (f'<text:p text:style-name="PX">{GERMAN}</text:p>', [], [GERMAN], ["foreign"]),
        (
            f'<text:p text:style-name="PD">{GERMAN} {spanned("E", "It fell.")}</text:p>',
            ["It fell."],
            [GERMAN],
            ["foreign"],
        ),
        (f"<text:p>{spanned('D', GERMAN)}</text:p>", [], [GERMAN], ["foreign"]),
        (
            f"<text:p>We saw {spanned('I', 'The Bad Night')} there.</text:p>",
            ["We saw The Bad Night there."],
            ["The Bad Night"],
            [],
        ),
        (f"<text:p>We saw {spanned('I', 'bad')} there.</text:p>", ["We saw bad there."], [], []),
        (f"<text:p>We saw {spanned('S', 'bad')} there.</text:p>", ["We saw there."], [], ["deletion"]),
        (f"<text:p>We ran.{spanned('U', '1')} He won.</text:p>", ["We ran.", "He won."], [], []),
    ],
)
def test_odt(body: str, sentences: list[str], excluded: list[str], unread: list[str]) -> None:
    assert read(odt(body, automatic=ODT_STYLES), "draft.odt") == (sentences, excluded, unread)


def test_the_default_language_of_an_odt() -> None:
    styles = (
        f'<office:document-styles xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" {STYLE} {FO}>'
        '<office:styles><style:default-style style:family="paragraph"><style:text-properties fo:language="de"/>'
        "</style:default-style></office:styles></office:document-styles>"
    )
    data = odt(
        f"<text:p>{GERMAN}</text:p><text:p>The house was sold to them.</text:p>", extra={"styles.xml": styles}
    )
    assert read(data, "draft.odt") == (["The house was sold to them."], [GERMAN], ["foreign"])


@pytest.mark.parametrize(
    ("page", "sentences", "unread"),
    [
        (
            "<p>We saw <del>bad</del> <s>worse</s> <strike>b</strike> <ins>new</ins> there.",
            ["We saw new there."],
            ["deletion"] * 3,
        ),
        ("<p>We ran.<sup>1</sup> He won.<sup>[2]</sup> She left.", ["We ran.", "He won.", "She left."], []),
        ('<p>We ran.<a href="#n1"><sup>a</sup></a> He won.', ["We ran.", "He won."], []),
        ('<p>We saw<sup><a href="#n1">1</a></sup> him.', ["We saw him."], []),
        ("<p>It is 10<sup>6</sup> m, the 5<sup>th</sup> one.", ["It is 106 m, the 5th one."], []),
        (
            '<p>Text.<sup><a href="#cmnt1" id="cmnt_ref1">[a]</a></sup> More.</p>'
            '<div><p><a href="#cmnt_ref1" id="cmnt1">[a]</a>'
            "<span>A bad line.</span></p><p>Cut it.</p></div>",
            ["Text.", "More."],
            ["comment"],
        ),
    ],
)
def test_web_pages(page: str, sentences: list[str], unread: list[str]) -> None:
    assert read(f"<html><body>{page}".encode(), "page.html") == (sentences, [], unread)
