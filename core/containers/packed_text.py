"""An opened docx or odt: its text, and how an edited text gets into its bytes."""

from __future__ import annotations

from collections.abc import Callable, Set
from dataclasses import dataclass

from core.containers.edits import BlockedError, Rules, changes_between
from core.containers.flow import Flow
from core.containers.model import ContainerError, Locked
from core.containers.package import Package
from core.containers.patching import Patcher, Stale, Writer
from core.containers.xml_scan import Part, patched, refuse_characters
from core.documents.model import Format
from core.language import tr


@dataclass(frozen=True, slots=True, eq=False)
class PackedText:
    """A `core.containers.model.Container` whose text lies in one XML part of a zip package."""

    format: Format
    package: Package
    part_name: str
    part: Part
    flow: Flow
    off: tuple[tuple[int, int], ...]
    notes: tuple[str, ...]
    writer: Writer
    stale: Stale | None
    opener: Callable[..., PackedText]

    @property
    def text(self) -> str:
        return self.flow.text

    @property
    def locked(self) -> tuple[Locked, ...]:
        return self.flow.locked

    @property
    def breaks(self) -> tuple[tuple[int, int], ...]:
        return self.flow.breaks

    def save(self, text: str) -> bytes:
        """See `core.containers.model.Container.save`."""
        name = self.package.name
        if text == self.text:
            return self.package.data
        refuse_characters(text, name=name)
        try:
            changes = changes_between(self.text, text, Rules(self.flow))
        except BlockedError as blocked:
            raise self._refused(blocked) from None
        patches = Patcher(self.part.data, self.flow, self.writer, self.stale).patches(changes)
        try:
            part = self.part.encoded(patched(self.part.data, patches))
            data = self.package.replaced({self.part_name: part})
            reread = self.opener(data, name=name).text
        except (ContainerError, ValueError) as error:
            raise self._failed() from error
        if reread != text:
            raise self._failed()
        return data

    def _refused(self, blocked: BlockedError) -> ContainerError:
        line = self.text.count("\n", 0, blocked.place) + 1
        lock = blocked.lock
        why = tr("A paragraph cannot be begun or ended there.") if lock is None else lock.reason
        return ContainerError(
            tr("{name} was not saved: line {line} was changed where it cannot be. {why}").format(
                name=self.package.name, line=line, why=why
            )
        )

    def _failed(self) -> ContainerError:
        return ContainerError(
            tr(
                "{name} was not saved: the text could not be put into it exactly; nothing was changed. "
                "Undo the last edits, or save the text as a new file."
            ).format(name=self.package.name)
        )


def plain_notes(flow: Flow, seen: Set[str]) -> tuple[str, ...]:
    """What a person should know of a file: what was ``seen`` in it that is not shown, and why it cannot be edited."""
    names = {
        "margins": tr("headers and footers"),
        "notes": tr("footnotes and endnotes"),
        "comments": tr("comments"),
        "deletions": tr("text deleted under Track Changes"),
    }
    kept = [name for what, name in names.items() if what in seen]
    found = (
        [tr("Kept in the file but not shown here: {things}.").format(things=", ".join(kept))] if kept else []
    )
    if flow.shut:
        found.append(flow.shut)
    elif "tracking" in seen:
        found.append(tr("Track Changes is on in this document; what you edit here is not tracked."))
    return tuple(found)
