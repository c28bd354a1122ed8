"""What a file will not hold of a draft, as sentences for a person."""

from __future__ import annotations

from core.conversion.types import Content, Heading, Loss, Quote, Table, all_runs
from core.documents.types import Format
from core.i18n import ntr, tr


def describe_losses(content: Content, target: Format) -> str:
    """What a file in ``target`` will not hold of the content, and what becomes of it; empty if it holds all."""
    sentences = []
    lost = [(loss, number) for loss in Loss if (number := content.losses[loss])]
    if lost:
        things = _listed([_counted(loss, number) for loss, number in lost])
        said = ntr(
            "{things} cannot be converted to {target} and will be left out.",
            "{things} cannot be converted to {target} and will be left out.",
            sum(number for _, number in lost),
        )
        sentences.append(said.format(things=things, target=_target(target)))
    if target is Format.PLAIN and _has_formatting(content):
        sentences.append(
            tr(
                "Plain text has no formatting: only the words of headings, quotations, tables and emphasis are kept."
            )
        )
    return " ".join(sentences)


def _has_formatting(content: Content) -> bool:
    runs = all_runs(content.blocks)
    return any(isinstance(block, Heading | Quote | Table) for block in content.blocks) or any(
        run.bold or run.italic or run.struck or run.code for run in runs
    )


def _target(target: Format) -> str:
    return {
        Format.DOCX: tr("a Word document"),
        Format.ODT: tr("an OpenDocument text"),
        Format.MARKDOWN: tr("a Markdown file"),
        Format.PLAIN: tr("plain text"),
    }[target]


def _listed(things: list[str]) -> str:
    if len(things) == 1:
        return things[0]
    return tr("{things} and {last}").format(things=", ".join(things[:-1]), last=things[-1])


def _counted(loss: Loss, number: int) -> str:
    match loss:
        case Loss.TEMPLATE:
            said = ntr("{n} template", "{n} templates", number)
        case Loss.IMAGE:
            said = ntr("{n} image", "{n} images", number)
        case Loss.CATEGORY:
            said = ntr("{n} category", "{n} categories", number)
        case Loss.FRONT_MATTER:
            said = ntr("{n} block of front matter", "{n} blocks of front matter", number)
        case Loss.COMMENT:
            said = ntr("{n} comment", "{n} comments", number)
        case Loss.TAG:
            said = ntr("{n} HTML tag", "{n} HTML tags", number)
        case Loss.FORMULA:
            said = ntr("{n} formula", "{n} formulas", number)
        case Loss.OBJECT:
            said = ntr("{n} embedded object", "{n} embedded objects", number)
        case Loss.CHANGE:
            said = ntr("the mark-up of {n} tracked change", "the mark-up of {n} tracked changes", number)
        case Loss.MARGIN:
            said = ntr("{n} header or footer", "{n} headers and footers", number)
        case Loss.OTHER:
            said = ntr("{n} other piece of markup", "{n} other pieces of markup", number)
    return said.format(n=f"{number:,}")
