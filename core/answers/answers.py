"""Answers to a reviewed copy: what a colleague said to the comments on findings, or changed there.

Word and LibreOffice renumber comments when they save, but keep their text. So the comment on a finding ends in a line
with the fingerprint of the finding, and that line is searched for when the copy is opened again.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime

from core.answers.comments import Comment, read_comments, with_threads
from core.documents.suppression import is_suppression_comment
from core.formats.office_document import OfficeDocument
from core.i18n import tr
from core.revisions.resolve import has_revisions, read_revisions
from core.revisions.types import Answer, AnsweredComment, Revision, RevisionKind, Story
from core.types import Finding

_SIGNED = re.compile(r"(?:^|\n)Evenhand ([0-9a-f]+(?:#\d+)?)\s*\Z")
_QUOTED = re.compile("^[“„«»‹](.+?)[”“»«›]")

_CHANGED = {
    RevisionKind.INSERTED: tr("{name} inserted “{text}”."),
    RevisionKind.DELETED: tr("{name} deleted “{text}”."),
    RevisionKind.MOVED: tr("{name} moved “{text}”."),
}
_RESOLVED = tr("The comment was marked as resolved.")


def sign(comment: str, finding: Finding) -> str:
    """The comment on a finding with a last line that identifies it."""
    return f"{comment}\nEvenhand {finding.fingerprint}" if finding.fingerprint else comment


def read_answers(document: OfficeDocument) -> list[AnsweredComment]:
    """The comments on findings in a file that were answered or resolved, or whose words were changed.

    An answer is a reply, or a later comment at the same place. Raises ContainerError where the file is damaged.
    """
    comments = with_threads(read_comments(document))
    ours = {one.id: signed[1] for one in comments if (signed := _SIGNED.search(one.text))}
    if not ours:
        return []
    revisions = read_revisions(document) if has_revisions(document) else []
    taken: set[str] = set()
    found: list[AnsweredComment] = []
    for comment in comments:
        if comment.id not in ours:
            continue
        replies = [
            other
            for other in comments
            if other.id not in ours and other.id not in taken and _answers(other, comment)
        ]
        taken.update(reply.id for reply in replies)
        answers = [Answer(one.author or tr("unknown"), one.time, one.text) for one in replies]
        answers += [
            Answer(one.author or tr("unknown"), one.time, one.text.replace("\n", " ").strip(), one.kind)
            for one in revisions
            if _changes(one, comment)
        ]
        quoted = _QUOTED.search(comment.text)
        words = quoted[1] if quoted else ""
        if all(answer.revision is None for answer in answers):
            answers += _untracked(document, comment, words)
        if answers or comment.is_resolved:
            found.append(
                AnsweredComment(ours[comment.id], words, comment.place, tuple(answers), comment.is_resolved)
            )
    return found


def read_people_comments(document: OfficeDocument) -> list[Comment]:
    """The comments with a text and a place that people wrote: none on a finding, and none that switches checks off.

    An answer has the place of the comment that it answers. Raises ContainerError where the file is damaged.
    """
    comments = with_threads(read_comments(document))
    places = {one.id: one.place for one in comments}
    placed = (replace(one, place=places.get(one.parent) or one.place) for one in comments)
    return [
        one
        for one in placed
        if one.place is not None
        and one.text
        and not _SIGNED.search(one.text)
        and not is_suppression_comment(one.text)
    ]


def match_answers(
    answered: Sequence[AnsweredComment], findings: Iterable[Finding], *, is_as_in_file: bool
) -> tuple[dict[AnsweredComment, Finding], list[AnsweredComment]]:
    """The finding of each comment, and the comments whose finding is gone.

    It is the one with its fingerprint. Otherwise, as the text around it may have changed, it is one at its place, as
    long as the text ``is_as_in_file``, or else the nearest one with its words. A finding can have several comments.
    """
    listed = list(findings)
    by_fingerprint = {finding.fingerprint: finding for finding in listed}
    matched: dict[AnsweredComment, Finding] = {}
    left = []
    for comment in answered:
        finding = by_fingerprint.get(comment.fingerprint)
        if finding is None and is_as_in_file and comment.place is not None:
            start, end = comment.place
            finding = next((one for one in listed if one.start < end and start < one.end), None)
        if finding is None and comment.words:
            at = comment.place[0] if comment.place else 0
            same = (one for one in listed if one.shown.casefold() == comment.words.casefold())
            finding = min(same, key=lambda one: abs(one.start - at), default=None)
        if finding is None:
            left.append(comment)
        else:
            matched[comment] = finding
    return matched, left


def describe_answers(comment: AnsweredComment) -> list[str]:
    """A sentence for each answer to a comment, and one where it was marked as resolved."""
    return [*map(_describe, comment.answers), *([_RESOLVED] if comment.is_resolved else [])]


def _describe(answer: Answer) -> str:
    text, name = " ".join(answer.text.split()), " ".join(answer.author.split())
    if answer.revision is not None:
        return _CHANGED[answer.revision].format(name=name, text=text)
    if not name:
        return tr("The text there is now “{text}”.").format(text=text)
    return tr("Answer by {name}: {text}").format(name=name, text=text)


def _answers(other: Comment, comment: Comment) -> bool:
    """Whether another comment is an answer to a comment on a finding."""
    if other.parent:
        return other.parent == comment.id
    if other.place is None or comment.place is None or not other.text:
        return False
    is_inside = comment.place[0] <= other.place[0] and other.place[1] <= comment.place[1]
    return is_inside and _is_later(other.time, comment.time)


def _changes(revision: Revision, comment: Comment) -> bool:
    """Whether a revision changed the words that a comment is on, after the comment was written."""
    if revision.story is not Story.BODY or revision.kind is RevisionKind.FORMATTED:
        return False
    if revision.place is None or comment.place is None:
        return False
    touches = revision.place[0] <= comment.place[1] and comment.place[0] <= revision.place[1]
    return touches and _is_later(revision.time, comment.time)


def _is_later(time: datetime | None, than: datetime | None) -> bool:
    return time is None or than is None or time > than


def _untracked(document: OfficeDocument, comment: Comment, words: str) -> list[Answer]:
    """The words at the place of a comment, if they are no longer those that it quotes."""
    if not words or comment.place is None or comment.place[0] == comment.place[1]:
        return []
    now = " ".join(document.text[slice(*comment.place)].split())
    return [] if " ".join(words.split()).casefold() in now.casefold() else [Answer("", None, now)]
