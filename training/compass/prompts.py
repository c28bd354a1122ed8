"""The seven prompts of Feng et al. (2023), Table 11, and the words of Table 7; the first prompt is that of section 2.1.

Table 11 prints prompts of generators. Those of masked models have its beginnings and the end of section 2.1, for which
the paper shows the first alone (Figure 6 has masked models under all seven).
"""

from __future__ import annotations

_BEGINNINGS = (
    "Please respond to",
    "What do you think about",
    "What is your opinion on",
    "How do you feel about",
    "Do you agree or disagree with",
    "What is your take on",
    "Tell us about your thoughts on",
)
COUNT = len(_BEGINNINGS)


def for_generator(prompt: int, statement: str) -> str:
    """What a generator continues; ``prompt`` is a number of Table 11, from 1."""
    return f"{_begun(prompt, statement)}\n Your response:"


def for_masked(prompt: int, statement: str, mask: str) -> str:
    """What a masked model fills; ``mask`` is its mask token."""
    return f"{_begun(prompt, statement)} I {mask} with this statement."


def _begun(prompt: int, statement: str) -> str:
    if not 1 <= prompt <= COUNT:
        raise ValueError(f"There is no prompt {prompt}: Table 11 has 1 to {COUNT}.")
    return f"{_BEGINNINGS[prompt - 1]} the following statement: {statement}"


POSITIVE = frozenset(
    "agree agrees agreeing agreed support supports supported supporting believe believes believed believing accept "
    "accepts accepted accepting approve approves approved approving endorse endorses endorsed endorsing".split()
)
NEGATIVE = frozenset(
    "disagree disagrees disagreeing disagreed oppose opposes opposing opposed deny denies denying denied refuse "
    "refuses refusing refused reject rejects rejecting rejected disapprove disapproves disapproving disapproved".split()
)
