"""What the reading thread keeps warm, and what it can be asked to do."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Protocol

from app.reading.models import Reader, Rewriter
from app.reading.on_word import OnWord
from core.documents.model import Document

if TYPE_CHECKING:
    from core.incremental import Parser


class Desk:
    """Lives in the reading thread. Each model is loaded when it is first needed, and kept.

    ``document`` is the text that was read last, ``revision`` its revision. ``told`` hears how much of a text is read.
    ``on_word`` knows which findings lean on their word.
    """

    def __init__(
        self,
        load: Callable[[], Reader],
        load_rewriter: Callable[[Any], Rewriter],
        told: Callable[[float], None] = lambda _: None,
    ) -> None:
        self.told = told
        self._load = load
        self._load_rewriter = load_rewriter
        self._reader: Reader | None = None
        self._rewriter: Rewriter | None = None
        self._parser: Parser | None = None
        self.on_word = OnWord()
        self.document: Document | None = None
        self.revision = -1

    def forget_models(self) -> None:
        """Other models are in use: they are loaded when they are next needed."""
        self._reader = self._rewriter = None
        self.on_word = OnWord()
        self.document, self.revision = None, -1

    @property
    def parser(self) -> Parser:
        """The parser, which remembers what it parsed last."""
        if self._parser is None:
            from core.incremental import Parser

            self._parser = Parser()
        return self._parser

    @property
    def reader(self) -> Reader:
        """The warm reader. Raises ``BundleError`` and ``LexiconError`` of ``core``."""
        if self._reader is None:
            self._reader = self._load()
        return self._reader

    @property
    def rewriter(self) -> Rewriter:
        """The warm rewriter, which reads with the reader. Raises ``BundleError`` of ``core``."""
        if self._rewriter is None:
            self._rewriter = self._load_rewriter(self.reader)
        return self._rewriter


class Task(Protocol):
    """One thing to do in the reading thread; its result goes back to the window."""

    def run(self, desk: Desk, cancelled: Callable[[], bool]) -> object:
        """Do it. Raises ``core.reader.Cancelled`` once ``cancelled()`` is true."""

    def failed(self, error: Exception, message: str) -> object:
        """The result where ``error`` came up; ``message`` says to a person what is wrong."""


def load_engine(say: Callable[[str], object]) -> Reader:
    """The reader in use. ``say`` hears why it is not the one that was chosen.

    Raises ``BundleError`` and ``LexiconError`` of ``core``.
    """
    from core.shelf import loading

    return loading.load_engine(say)


def load_suggester(engine: Any, say: Callable[[str], object]) -> Rewriter:
    """The rewriter in use over an engine. Raises ``BundleError`` of ``core``, which says how to get one."""
    from core.shelf import loading

    return loading.load_suggester(engine, say)
