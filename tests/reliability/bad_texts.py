"""Texts that both fronts are given: mark-up without its end, and writing that shifts offsets if it is miscounted."""

from __future__ import annotations

UNCLOSED = {
    "plain": ['"', "“", "«", "(", "`", "[["],
    "markdown": ["`", "```\n", "~~~\n", "**", "[", "![", "[a](", "<!-- ", "<div ", "> ", "|", "&#"],
    "wikitext": ["[[", "[[a|", "{{", "{{a|", "<ref>", "<ref name=", "<!-- ", "{|\n", "'''", "<nowiki>", "=="],
}
"""Openings of mark-up or of a quotation, for each format, to be left without their ends."""

MIXED = {
    "emoji": "🙂shameful👩‍👩‍👧 — 👍🏽reveals🇺🇳. 🙂🙂 The ☀️chairman 🏴󠁧󠁢󠁷󠁬󠁳󠁿!",
    "cjk": "政府 shameful 漢字、記録 reveals 。 新しい chairman 法律。",
    "right to left": "שלום shameful עולם. قال reveals ذلك. The ‏chairman‏ said.",
    "marks that combine": "e\u0301te\u0301 shameful n\u0303 a\u0308 reveals o\u0302. Zo\u00eb chairman.",
}
"""Texts that hold "shameful", "reveals" and "chairman" beside writing that shifts offsets where they are miscounted."""
