"""Putting chosen words into a sentence, and taking them out again."""

from __future__ import annotations

import re
from collections.abc import Sequence

from training.injection.inflection import article
from training.types import InjectedEdit, InjectionSite

_ARTICLE = re.compile(r"(?<![\w'’-])(a|an)(\s+[\"'“‘(]?)$", re.IGNORECASE)


def compose(
    text: str, chosen: Sequence[tuple[InjectionSite, str]], *, keep_case: bool
) -> tuple[str, tuple[InjectedEdit, ...]]:
    """The biased sentence and its edits. ``chosen`` are disjoint sites with the words for each.

    Words at the start of the sentence take its capital; the first word after an insertion there loses it unless
    ``keep_case`` (a name). *a* and *an* are put right before and after each change.
    """
    built = ""
    at = 0
    edits: list[InjectedEdit] = []
    for site, words in sorted(chosen, key=lambda item: item[0].start):
        built += text[at : site.start]
        rest = text[site.end :]
        if not built.strip():
            words = words[0].upper() + words[1:]
            if site.start == site.end and not keep_case:
                text = text[: site.start] + rest[:1].lower() + rest[1:]
        built = fit_article(built + site.prefix, words)
        start, after = len(built), text[site.start : site.end]
        edits.append(InjectedEdit(start, start + len(words), words, after, site.kind, site.family))
        built += words + site.suffix
        at = site.end
    return built + text[at:], tuple(edits)


def fit_article(before: str, following: str) -> str:
    """``before`` with its last word put right if that is *a* or *an* and ``following`` comes next."""
    match = _ARTICLE.search(before)
    if match is None:
        return before
    wanted = article(following)
    if match[1][0].isupper():
        wanted = wanted.capitalize()
    return before[: match.start()] + wanted + match[2]


def restore(biased: str, edits: Sequence[InjectedEdit]) -> str:
    """The neutral sentence: every edit undone, spacing, commas, *a* and *an*, and the first capital put right."""
    text = biased
    for edit in sorted(edits, key=lambda item: -item.start):
        left, right = text[: edit.start], text[edit.end :]
        if edit.after:
            text = fit_article(left, edit.after) + edit.after + right
            continue
        opening = not left.strip()
        if opening:
            right = right.removeprefix(",").lstrip()
            text = right[:1].upper() + right[1:]
        elif right[:1] in (".", ""):
            text = left.removesuffix(" ").removesuffix(",") + right
        else:
            right = right.removeprefix(" ")
            text = fit_article(left, right) + right
    return text
