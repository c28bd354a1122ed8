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
    "cjk": "The 政府 of a shameful 漢字、記録 that reveals it all 。 The 新しい chairman of the 法律 said so。",
    "right to left": "The שלום was a shameful עולם, and قال reveals that ذلك. The ‏chairman‏ said so.",
    "marks that combine": "The e\u0301te\u0301 was a shameful n\u0303, a\u0308 reveals o\u0302. Zo\u00eb, chairman.",
}
"""English texts with the words shameful, reveals and chairman, and writing that shifts offsets if miscounted."""
