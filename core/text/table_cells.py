"""Where the paragraphs of a text stand in tables, recorded while the text is read from its file."""

from __future__ import annotations

from core.text.appearance import ParagraphStyle

_OUTSIDE = ParagraphStyle()


class OpenTables:
    """The tables, rows and cells that are open. The rows of a table in a cell are shown as rows like the others."""

    def __init__(self) -> None:
        self._tables = 0
        self._rows: list[bool] = []
        self._cells: list[bool] = []
        self._starts_row = self._starts_cell = self._expects_header = False

    def start_table(self) -> None:
        """A table begins."""
        self._tables += 1

    def end_table(self) -> bool:
        """A table ends; returns whether it was in no other one."""
        self._tables = max(self._tables - 1, 0)
        self._starts_row = False
        self._starts_cell = bool(self._cells)
        return not self._tables

    def expect_header(self) -> None:
        """The row that begins next has the headers of the columns."""
        self._expects_header = True

    def start_row(self) -> None:
        """A row begins."""
        self._rows.append(self._expects_header)
        self._expects_header = False
        self._starts_row = True

    def mark_header(self) -> None:
        """The innermost row has the headers of the columns."""
        if self._rows:
            self._rows[-1] = True

    def end_row(self) -> None:
        """The innermost row ends."""
        if self._rows:
            self._rows.pop()

    def start_cell(self, *, is_header: bool = False) -> None:
        """A cell begins, perhaps the header of a column or a row."""
        self._cells.append(is_header)
        self._starts_cell = True

    def end_cell(self) -> None:
        """The innermost cell ends."""
        if self._cells:
            self._cells.pop()

    def next_paragraph(self) -> ParagraphStyle:
        """What the tables say of the paragraph that begins here; it is the first one of its cell only once."""
        if not self._cells:
            return _OUTSIDE
        style = ParagraphStyle(
            in_table=True,
            starts_row=self._starts_row,
            starts_cell=self._starts_cell,
            in_header=self._cells[-1] or self._rows[-1:] == [True],
        )
        self._starts_row = self._starts_cell = False
        return style
