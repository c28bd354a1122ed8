"""The elements of a docx by what is done with them, and why some of what they hold cannot be edited."""

from __future__ import annotations

from core.language import tr

PREFIXES = {
    "http://schemas.openxmlformats.org/wordprocessingml/2006/main": "w",
    "http://purl.oclc.org/ooxml/wordprocessingml/main": "w",
    "http://schemas.microsoft.com/office/word/2010/wordml": "w14",
    "http://schemas.microsoft.com/office/word/2012/wordml": "w15",
    "http://schemas.openxmlformats.org/markup-compatibility/2006": "mc",
    "http://schemas.openxmlformats.org/officeDocument/2006/math": "m",
    "http://purl.oclc.org/ooxml/officeDocument/math": "m",
    "http://www.w3.org/XML/1998/namespace": "xml",
}
TRACKED = {"w:ins", "w:del", "w:moveFrom", "w:moveTo", "w:rPrChange", "w:pPrChange"}
SHUT_CONTROLS = {
    "w:lock",
    *("w:dataBinding", "w15:dataBinding", "w:dropDownList", "w:comboBox", "w:date", "w14:checkbox"),
    *("w:group", "w:showingPlcHdr", "w:equation", "w:citation", "w:bibliography"),
}
HIDDEN = {
    *("w:del", "w:moveFrom", "w:delText", "w:delInstrText", "w:rt", "w:rubyPr", "w:fldData", "w:ffData"),
    *("w:sectPr", "w:tblPr", "w:tblGrid", "w:trPr", "w:tcPr", "w:tblPrEx"),
    *("w:sdtEndPr", "w:smartTagPr", "w:customXmlPr"),
}
SEEN = {
    "w:footnoteReference": "notes",
    "w:endnoteReference": "notes",
    "w:commentReference": "comments",
    "w:del": "deletions",
    "w:moveFrom": "deletions",
}
HOLDS_CHARACTERS = ("w:r", "mc:Choice", "mc:Fallback")
FORMULAS = ("m:oMath", "m:oMathPara")
XML_SPACES = " \t\n\r"
AS_SPACE = str.maketrans("\t\n\r\u2029", "    ")
OBJECT = "\ufffc"


def reasons() -> dict[str, str]:
    """Sentences for a person, by what cannot be edited."""
    return {
        "field": tr("This is a field that the word processor computes. Change it there."),
        "control": tr("This is a form control of the document. Fill it in in the word processor."),
        "object": tr("This is a picture, a drawing or an object. Change it in the word processor."),
        "formula": tr("This is a formula. Change it in the word processor."),
        "symbol": tr("This is a symbol of a special font. Change it in the word processor."),
        "tab": tr("This is a tab of a special kind. Change it in the word processor."),
        "page": tr("This is a page break. Change it in the word processor."),
        "ruby": tr("This text has a reading guide above it. Change it in the word processor."),
        "odd": tr("This text is written in a way that cannot be edited safely."),
        "alternate": tr(
            "This text box stands in the file in two forms that differ. Change it in the word processor."
        ),
        "section": tr("A section of the document ends here. Change it in the word processor."),
        "tracked": tr(
            "The end of this paragraph is a tracked change. Accept or reject it in the word processor first."
        ),
    }
