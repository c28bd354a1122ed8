"""The models in use, opened: what was promoted, and what came with the program where that cannot be opened."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from core.bundle_files import BundleError
from core.language import tr
from core.shelf.active import bundled_folder, promoted_folder
from core.shelf.copying import checked

if TYPE_CHECKING:
    from core.bundle import Bundle
    from core.bundle_rewriter import RewriterBundle
    from core.engine import Engine
    from core.rewriting.suggester import Suggester

Say = Callable[[str], object]


def load_engine(say: Say) -> Engine:
    """The reader in use. ``say`` hears why it is the bundled one where another was chosen.

    Raises BundleError and LexiconError.
    """
    from core.engine import Engine

    folder = promoted_folder("reader")
    if folder is not None:
        try:
            return Engine.load(folder)
        except BundleError as error:
            told = tr("{error} Until then the reader that came with Evenhand is used.")
            say(told.format(error=error))
    return Engine.load()


def load_suggester(engine: Engine, say: Say) -> Suggester:
    """The rewriter in use over an engine. ``say`` hears why it is the bundled one where another was chosen.

    Raises BundleError.
    """
    from core.rewriting.suggester import Suggester

    folder = promoted_folder("rewriter")
    if folder is not None:
        try:
            return Suggester.load(engine, folder)
        except BundleError as error:
            told = tr("{error} Until then the rewriter that came with Evenhand is used.")
            say(told.format(error=error))
    return Suggester.load(engine)


def bundle_in_use(role: str) -> Bundle | RewriterBundle:
    """The bundle that loading the model in use opens. Raises BundleError where not even the bundled one is there."""
    folder = promoted_folder(role)
    if folder is not None:
        with suppress(BundleError):
            return checked(folder, role)
    return checked(bundled_folder(role), role)


def try_out(role: str, folder: Path) -> Bundle | RewriterBundle:
    """The bundle in ``folder``, opened and asked for a word, so that it is known to work. Raises BundleError."""
    if role == "rewriter":
        from core.rewriting.rewriter import Rewriter

        return Rewriter.load(folder).bundle
    from core.graph import ReaderError
    from core.reader import Reader

    try:
        reader = Reader.load(folder, threads=1)
        reader.read(["a word"])
    except ReaderError as error:
        raise BundleError(str(error)) from error
    return reader.bundle
