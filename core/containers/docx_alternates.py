"""Alternate content of a docx: one branch is shown, and what is typed into it is written into the other ones too."""

from __future__ import annotations

from dataclasses import dataclass, field

from core.containers.flow import Line, Piece

_DEEPEST = 3
"""How many may stand in each other; what is in more is locked, or reading them would take long."""
_Branch = tuple[list[Piece], list[Line]]


@dataclass(slots=True)
class _Choice:
    branches: list[_Branch] = field(default_factory=list)
    mark: tuple[int, int, int, int] = (0, 0, 0, 0)
    tangled: bool = False


class Alternates:
    """The ``mc:AlternateContent`` elements that are open, the innermost last."""

    def __init__(self) -> None:
        self._open: list[_Choice] = []

    def start(self) -> None:
        self._open.append(_Choice())

    def start_branch(self, line: Line | None, lines: list[Line]) -> None:
        """A branch begins, of a line or between lines; ``lines`` are those before it."""
        if self._open:
            pieces, length, marks = (len(line.pieces), line.length, len(line.marks)) if line else (0, 0, 0)
            self._open[-1].mark = (pieces, length, marks, len(lines))

    def end_branch(self, line: Line | None, lines: list[Line]) -> None:
        """A branch ends: the first stays, what the others showed is taken away again."""
        if not self._open:
            return
        choice = self._open[-1]
        pieces, length, marks, count = choice.mark
        choice.branches.append((line.pieces[pieces:] if line else [], lines[count:]))
        if len(choice.branches) > 1:
            del lines[count:]
            if line is not None:
                del line.pieces[pieces:], line.marks[marks:]
                line.length = length

    def end(self, reason: str) -> None:
        """Tie the branches together; ``reason`` is why what differs between them cannot be edited."""
        if not self._open:
            return
        choice = self._open.pop()
        branches = choice.branches
        if len(self._open) >= _DEEPEST:
            self._open[_DEEPEST - 1].tangled = True
            return
        if not branches or (len(branches) == 1 and not choice.tangled):
            return
        shown, *others = branches
        pieces = _all(shown)
        same = not choice.tangled and all(_shape(other) == _shape(shown) for other in others)
        for number, piece in enumerate(pieces):
            piece.breakable = False
            if piece.spot is not None and same:
                piece.mirrors += tuple(_all(other)[number] for other in others)
            elif piece.spot is not None:
                piece.spot, piece.reason = None, reason
            elif not piece.reason:
                piece.reason = reason
        for line in shown[1]:
            line.joinable = False
            line.end_reason = line.end_reason or reason


def _all(branch: _Branch) -> list[Piece]:
    pieces, lines = branch
    return [*pieces, *(piece for line in lines for piece in line.pieces)]


def _shape(branch: _Branch) -> list[list[tuple[str, bool, type]]]:
    """What a branch shows, line by line."""
    pieces, lines = branch
    return [
        [(piece.text, piece.slot, type(piece.spot)) for piece in group]
        for group in (pieces, *(line.pieces for line in lines))
    ]
