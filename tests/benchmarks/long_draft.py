"""A long draft for measuring: seeded, its sentences different, with as much loaded wording as a bad first draft.

It can be had as a Word file, too, whose paragraphs have every look that the editor shows.
"""

from __future__ import annotations

import io
import random
import re
from typing import Any

_EVERY = 9
"""Of so many paragraphs one is a list, and one a table."""
_WHO = (
    "Chairman Tobias Wrenfield, The council, Councillor Ines Halloran, The developer, A spokesman for the county, "
    "The noisy opposition, The feisty lady lawyer, An auditor, The regime at the town hall, The *Ellery Courier*, "
    "The legendary conductor, A survey by Ellery College, The hard-left activists, The Philharmonic, Her teacher, "
    "The stallholders of the fish market, Some people, The harbour office, A retired organ builder, The jury"
).split(", ")
_DID = (
    "voted to lease, announced, claimed that nobody had read, revealed, pointed out the flaws of, brushed off, "
    "stormed out over, rejected, welcomed, refused to discuss, signed, obtained, insisted on, published, admitted to, "
    "praised, famously rescued, delayed, measured, wrote about"
).split(", ")
_WHAT = (
    "the old fish market, the radical demands, the draft lease, a shameful stitch-up, the spectacular project, "
    "the so-called guarantee, the rent of the new hall, a breathtaking debut, the brutal eviction of the traders, "
    "the accounts for the year, the ferry line, a disgraceful plan, the second symphony, the iconic waterfront, "
    "the county's report, the prestigious prize, an independent valuation, the disastrous record of the board"
).split(", ")
_HOW = (
    "on Tuesday, after {n} days, with {n} votes against {m}, for {n} crowns a year, in the presence of {n} residents, "
    "which tragically was never recorded, although {n} of {m} members were away, as it should be noted, "
    "before the count began, in its meeting of {n} May, without any reason, despite {n} letters from the public"
).split(", ")
_WHY = (
    "The margin of error was {n} points. | Of course, ordinary people paid for it. | Work begins in {m} weeks. | "
    '"We asked {n} times, and we asked again," {who} said. | It lasts {n} minutes and costs {m} crowns. | '
    "See the [draft no. {n}](https://example.org/ellery/{m}) for the figures. ||||"
).split("|")


def long_draft(words: int, *, seed: int = 1) -> str:
    """Markdown paragraphs of three to seven sentences under headings, at least ``words`` words in all."""
    chance = random.Random(seed)
    parts: list[str] = []
    written = 0
    while written < words:
        if len(parts) % 25 == 0:
            parts.append(f"## {chance.choice(_WHAT).capitalize()}, part {len(parts) // 25 + 1}")
        paragraph = " ".join(_sentence(chance) for _ in range(chance.randint(3, 7)))
        parts.append(paragraph)
        written += len(paragraph.split())
    return "\n\n".join(parts) + "\n"


def _sentence(chance: random.Random) -> str:
    numbers = {"n": chance.randint(2, 990), "m": chance.randint(2, 990), "who": chance.choice(_WHO)}
    told = f"{chance.choice(_WHO)} {chance.choice(_DID)} {chance.choice(_WHAT)} {chance.choice(_HOW)}"
    if chance.random() < 0.5:
        told += f", while {chance.choice(_WHO).lower()} {chance.choice(_DID)} {chance.choice(_WHAT)}"
    return f"{told}. {chance.choice(_WHY).strip()}".rstrip().format(**numbers)


def formatted_docx(markdown: str) -> bytes:
    """A docx with the words of a draft of `long_draft`: its headings and links, and bold, italics, lists and tables."""
    import docx

    document = docx.Document()
    for number, text in enumerate(filter(None, markdown.split("\n\n"))):
        sentences = re.split(r"""(?<=\.) (?=[A-Z"])""", text.strip())
        if text.startswith("#"):
            document.add_heading(text.lstrip("# "), level=2)
        elif number % _EVERY == 3:
            for sentence in sentences:
                _add_runs(document.add_paragraph(style="List Bullet"), sentence)
        elif number % _EVERY == 6:
            table = document.add_table(rows=0, cols=2)
            for first, second in zip(sentences[::2], [*sentences[1::2], ""], strict=False):
                for cell, sentence in zip(table.add_row().cells, (first, second), strict=True):
                    _add_runs(cell.paragraphs[0], sentence)
        else:
            _add_runs(document.add_paragraph(), " ".join(sentences))
    file = io.BytesIO()
    document.save(file)
    return file.getvalue()


def _add_runs(paragraph: Any, text: str) -> None:
    """Add words to a paragraph: the tenth of every twenty bold, the next in italics; links as links."""
    for part in re.split(r"(\[[^\]]*\]\([^)]*\))", text):
        if link := re.fullmatch(r"\[([^\]]*)\]\(([^)]*)\)", part):
            _add_link(paragraph, link[1], link[2])
            continue
        words = re.findall(r"\S+\s*|\s+", part)
        for at in range(0, len(words), 20):
            paragraph.add_run("".join(words[at : at + 9]))
            paragraph.add_run("".join(words[at + 9 : at + 10])).bold = True
            paragraph.add_run("".join(words[at + 10 : at + 11])).italic = True
            paragraph.add_run("".join(words[at + 11 : at + 20]))


def _add_link(paragraph: Any, words: str, address: str) -> None:
    from docx.opc.constants import RELATIONSHIP_TYPE
    from docx.oxml import OxmlElement
    from docx.oxml.ns import qn

    link = OxmlElement("w:hyperlink")
    link.set(qn("r:id"), paragraph.part.relate_to(address, RELATIONSHIP_TYPE.HYPERLINK, is_external=True))
    paragraph._p.append(link)
    run = paragraph.add_run(words)
    link.append(run._r)
