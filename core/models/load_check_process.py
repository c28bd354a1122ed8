"""Loads a model and has it read many texts, in a process of its own that may be lost: `core.models.model_load_check`.

``python -m core.models.load_check_process ROLE FOLDER LANGUAGE`` prints a line for every step, and the outcome in the
last.
"""

from __future__ import annotations

import contextlib
import json
import os
import sys
import threading
import time
from collections.abc import Sequence
from pathlib import Path

from core.bundles.manifest import BundleError, refused_error
from core.failures import describe_failure, is_failure
from core.i18n import set_language, tr

STEP = "trial "
"""Begins every line of ours; what a library prints does not count."""

MAX_CPU_S = 1_800
_BASE_MEMORY, _MEMORY_PER_BYTE = 3 * 1024**3, 8
_PROPOSALS = 4


def main(arguments: Sequence[str]) -> int:
    """Try the model out; 0 where there was an outcome."""
    role, folder, language = arguments[0], Path(arguments[1]), arguments[2]
    set_language(language)
    _limit(folder)
    threading.Thread(target=_end_with, args=(os.getppid(),), daemon=True).start()
    from core.engine.onnx_session import ReaderError
    from core.rewriting.rewriter import RewriterError

    refusal = ""
    try:
        _check_reader(folder) if role == "reader" else _check_rewriter(folder)
    except (BundleError, ReaderError, RewriterError) as error:
        refusal = str(error)
    except MemoryError:
        refusal = str(refused_error(folder, tr("it needs too much memory")))
    except BaseException as error:
        if not is_failure(error):
            raise
        message = tr("it cannot read every text ({error})")
        refusal = str(refused_error(folder, message.format(error=describe_failure(error))))
    _print({"refusal": refusal})
    return 0


def _limit(folder: Path) -> None:
    """Little memory, and an end even where nobody waits for it any more. Windows has no such limits."""
    if sys.platform == "win32":
        return
    import resource

    size = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
    limits = {
        resource.RLIMIT_AS: _BASE_MEMORY + _MEMORY_PER_BYTE * size,
        resource.RLIMIT_CPU: MAX_CPU_S,
        resource.RLIMIT_CORE: 0,
    }
    for kind, wanted in limits.items():
        _, most = resource.getrlimit(kind)
        if most == resource.RLIM_INFINITY or wanted < most:
            resource.setrlimit(kind, (wanted, wanted))


def _end_with(parent: int) -> None:
    """End this process where the one that waits for it is gone, whatever a library is doing meanwhile."""
    while os.getppid() == parent:
        time.sleep(1)
    os._exit(1)


def _check_reader(folder: Path) -> None:
    from core.bundles.reader import load_reader_bundle
    from core.engine.onnx_session import ReaderSession, physical_cores
    from core.engine.reader import Reader
    from core.models.load_check_texts import reading_texts

    bundle = load_reader_bundle(folder)
    session = ReaderSession.open(bundle)
    _step()
    reader = Reader(bundle, session, threads=physical_cores())
    texts = reading_texts()
    reader.read(texts, on_progress=lambda _: _step())
    for text in texts if session.has_embeddings else ():
        reader.embed([text])
        _step()
    first, last = session.encode([""])[0].ids
    token_ids = sorted(session.tokenizer.get_vocab().values())
    most = bundle.max_tokens - 2
    for at in range(0, len(token_ids), most):
        session.run([first, *token_ids[at : at + most], last])
        _step()


def _check_rewriter(folder: Path) -> None:
    from core.models.load_check_texts import rewriting_texts
    from core.rewriting.rewriter import Rewriter, RewriteRequest, SentenceTooLong

    rewriter = Rewriter.load(folder)
    _step()
    for text in rewriting_texts():
        words = text.split(" ")
        ends = [
            RewriteRequest(text, 0, len(words[0])),
            RewriteRequest(text, len(text) - len(words[-1]), len(text)),
        ]
        for request in dict.fromkeys([*ends, RewriteRequest(text, 0, len(text))]):
            with contextlib.suppress(SentenceTooLong):
                rewriter.propose([request], _PROPOSALS)
            _step()


def _step() -> None:
    _print({})


def _print(step: dict[str, str]) -> None:
    print(f"{STEP}{json.dumps(step)}", flush=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
