"""What a word is. Apart from ``spans``, so that the window need not wait for numpy."""

from __future__ import annotations

import re
from unicodedata import category

_BLOCKS = (range(0x0300, 0x2100), range(0x3000, 0x3100), range(0xA600, 0xAC00), range(0xFE00, 0xFE30))
_MARKS = "".join(
    chr(code) for block in _BLOCKS for code in block if category(chr(code)) in ("Mn", "Mc", "Me")
)
_CHARACTER = rf"\w[{_MARKS}\u00ad\u200c\u200d]*"

WORD = re.compile(rf"(?:{_CHARACTER})+(?:['’\-‐‑](?:{_CHARACTER})+)*")
"""A whole word: letters and digits with their combining marks and joiners, inner apostrophes and hyphens."""
