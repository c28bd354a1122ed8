"""Names of HTML elements by what they do to the text that a browser shows."""

from __future__ import annotations


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# What these hold stands in lines of its own.
BLOCKS = _words(
    """
    address article aside blockquote body caption center dd details dialog dir div dl dt fieldset figcaption figure
    footer form frameset h1 h2 h3 h4 h5 h6 head header hgroup hr html legend li listing main menu nav ol optgroup
    option p plaintext pre search section summary table tbody td tfoot th thead title tr ul xmp
    """
)

VOID = _words("area base basefont br col embed frame hr img input keygen link meta param source track wbr")

# What these hold is not shown, or is no text of the page.
HIDDEN = _words(
    """
    script style title template noscript svg math textarea select datalist iframe object video audio canvas noembed
    noframes rp applet
    """
)

FOREIGN = _words("svg math")
QUOTING = _words("blockquote q")
CODE = _words("code kbd samp tt")
AS_IT_STANDS = _words("pre listing xmp plaintext")

# An opening tag ends the elements of these names that are open right where it stands.
ENDS = {
    "li": _words("li p"),
    "dt": _words("dt dd p"),
    "dd": _words("dt dd p"),
    "option": _words("option"),
    "optgroup": _words("option optgroup"),
    "tr": _words("tr td th p"),
    "td": _words("td th p"),
    "th": _words("td th p"),
    "tbody": _words("tr td th tbody thead tfoot p"),
    "tfoot": _words("tr td th tbody thead tfoot p"),
    "thead": _words("tr td th tbody thead tfoot p caption"),
    "body": _words("head"),
}
ENDS_PARAGRAPH = BLOCKS - _words(
    "body caption dd dt head html legend li option optgroup tbody td tfoot th thead tr"
)
