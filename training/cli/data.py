"""``evenhand train data``: list, check and download corpora; make injected pairs, spans and the hypernym table."""

from __future__ import annotations

import argparse
import os
import sys
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

from core.cli.streams import ProgressPrinter
from core.network.download import PublishedFile
from training.cli.common import corpora_folder, fail
from training.corpora import ALL, OPTIONAL, wikibias
from training.corpora.download import OnProgress, download_corpus_file
from training.loop.events import Events
from training.types import CorpusError, CorpusFacts, checksum, locate_file, published_files

if TYPE_CHECKING:
    from training.text.revision_spans import RevisionState

    Actions = argparse._SubParsersAction[argparse.ArgumentParser]
    Commands = argparse._SubParsersAction[argparse.ArgumentParser]


_NAMED = 10


def add_spans(actions: Actions) -> None:
    """Register ``spans``."""
    spans = actions.add_parser("spans", help="make tagged sentences from your own pairs (before, after)")
    spans.add_argument(
        "pairs", type=Path, metavar="PAIRS", help="a file of pairs, one per line: before, tab, after"
    )
    spans.add_argument(
        "--out", type=Path, metavar="FILE|DIR", help="output file, or folder (in the layout of WIKIBIAS)"
    )
    spans.add_argument(
        "--spacy",
        default="en_core_web_sm",
        help="English spaCy model by name or folder, or none to skip the sub-tree step",
    )
    spans.set_defaults(act=_spans)


def _spans(options: argparse.Namespace) -> int:
    from training.text.parsing import load_optional_parser

    if options.out is None:
        raise CorpusError("No target was named. Name one with --out FILE or --out DIR.")
    return _own_pairs(options.pairs, options.out, load_optional_parser(options.spacy))


def _own_pairs(path: Path, out: Path, nlp: Any) -> int:
    from training.corpora.user_data import WHY, read_pairs, tag_pairs
    from training.corpora.wikibias_writer import write_corpus, write_tagged

    pairs, wrong = read_pairs(path)
    done = tag_pairs(pairs, nlp)
    wrong += [(pair.number, WHY[state]) for pair, state in done.unusable]
    for number, why in sorted(wrong)[:_NAMED]:
        print(f"{path}, line {number}: {why}", file=sys.stderr)
    if len(wrong) > _NAMED:
        print(f"… and {len(wrong) - _NAMED:,} more lines", file=sys.stderr)
    if not done.sentences:
        raise CorpusError(f"{path} contains no usable pair. Expected: one pair per line: before, tab, after.")
    if out.is_dir() or not out.suffix:
        write_corpus(out, manual=done.sentences, auto=(), dev=(), test=(), name=f"pairs of {path.name}")
    else:
        write_tagged(out, done.sentences)
    print(_summary(len(pairs), done.spans, len(wrong), Counter(state for _, state in done.unusable)))
    return 0


def _summary(pairs: int, spans: int, wrong: int, unusable: Counter[RevisionState]) -> str:
    reasons = "".join(f", {count:,} with {state}" for state, count in sorted(unusable.items()))
    return f"{pairs:,} pairs read, {spans:,} spans found, {wrong:,} lines left out{reasons}"


CORPORA = {facts.key: facts for facts in (*ALL, *OPTIONAL)}


def add(commands: Commands) -> None:
    """Register ``data`` with its actions."""
    data = commands.add_parser("data", help="the corpora: list, check and download them, and make more")
    actions = data.add_subparsers(required=True, metavar="ACTION")
    actions.add_parser("list", help="list the corpora with source, terms, files and sizes").set_defaults(
        act=_list
    )
    check = actions.add_parser("check", help="check that the files are complete and match the published ones")
    check.set_defaults(act=_check)
    fetch = actions.add_parser(
        "get", help="download from the official sources; resumes an interrupted download"
    )
    fetch.add_argument("names", nargs="+", choices=CORPORA, metavar="NAME", help=", ".join(CORPORA))
    fetch.add_argument("--json", action="store_true", help="print the progress as JSON lines")
    fetch.set_defaults(act=_get)
    inject = actions.add_parser("inject", help="make biased sentences from neutral ones with rules")
    inject.add_argument("--out", type=Path, metavar="FILE", help="output file (.jsonl or .jsonl.xz)")
    inject.add_argument("--spacy", default="en_core_web_sm", help="English spaCy model by name or folder")
    inject.add_argument("--seed", type=int, default=42)
    inject.set_defaults(act=_inject)
    add_spans(actions)
    hypernyms = actions.add_parser(
        "hypernyms", help="write the table of more general words that the app reads, from WordNet"
    )
    hypernyms.add_argument(
        "--wordnet", type=Path, metavar="FOLDER", help="WordNet's dict folder, or NLTK's data"
    )
    hypernyms.add_argument("--out", type=Path, metavar="FILE", help="output file (.txt.gz)")
    hypernyms.set_defaults(act=_hypernyms)
    for action in (check, fetch, inject):
        action.add_argument(
            "--data", type=Path, default=None, help="folder of the corpora (or EVENHAND_DATA)"
        )


def _list(_: argparse.Namespace) -> int:
    known = published_files()
    for key, facts in CORPORA.items():
        print(f"{key}: {facts.name}{' (optional)' if facts in OPTIONAL else ''}")
        print(f"  home   {facts.homepage}\n  terms  {facts.licence}")
        if facts.downloads:
            print(f"  get    evenhand train data get {key} --data DIR")
        if facts.manual_steps:
            print(f"  by hand  {facts.manual_steps}")
        for name in facts.files:
            size = f"{known[name].size:>12,} bytes" if name in known else f"{'size not known':>18}"
            print(f"  {size}  {name}")
    return 0


def _check(options: argparse.Namespace) -> int:
    folder = corpora_folder(options)
    known = published_files()
    wrong = 0
    for facts in ALL:
        for name in sorted(facts.files):
            state, note = state_of(folder, name, known)
            if state == "missing" and facts.folder and (folder / facts.folder).is_dir():
                state, note = "here", f"as the folder {facts.folder}; no checksum is known"
            wrong += state in ("missing", "differs")
            print(f"{state:14}{name}{f' ({note})' if note else ''}")
    for facts in OPTIONAL:
        print(_optional(folder, facts, known))
    for line in wikibias.describe_files(folder):
        print(f"{'read':14}{line}")
    return 2 if wrong else 0


def state_of(folder: Path, name: str, known: dict[str, PublishedFile]) -> tuple[str, str]:
    """``as published``, ``differs``, ``missing`` or ``here`` (no checksum known), and a note."""
    path = locate_file(folder, name)
    if not path.is_file():
        return "missing", ""
    size = path.stat().st_size
    if not size:
        return "differs", "empty"
    right = known.get(str(path.relative_to(folder).as_posix()))
    if right is None:
        return "here", f"{size:,} bytes; no checksum is known"
    if size < right.size:
        return "differs", f"truncated: {size:,} of {right.size:,} bytes"
    if size > right.size or checksum(path) != right.sha256:
        return "differs", f"altered: {size:,} bytes, published {right.size:,}"
    return "as published", f"{size:,} bytes"


def _optional(folder: Path, facts: CorpusFacts, known: dict[str, PublishedFile]) -> str:
    states = {name: state_of(folder, facts.find_name(folder, name), known) for name in facts.files}
    wrong = [f"{name}: {note}" for name, (state, note) in states.items() if state == "differs"]
    here = sum(state != "missing" for state, _ in states.values())
    faults = f"; {'; '.join(wrong)}" if wrong else ""
    return f"{'optional':14}{facts.name}: {here} of {len(states)} files here{faults}"


def _get(options: argparse.Namespace) -> int:
    named = options.data or os.environ.get("EVENHAND_DATA")
    if not named:
        raise CorpusError("No folder was named. Name one with --data DIR or EVENHAND_DATA.")
    folder = Path(named)
    if folder.exists() and not folder.is_dir():
        raise CorpusError(f"{folder} is a file. Name a folder with --data DIR.")
    meter = _json if options.json else ProgressPrinter().update
    try:
        return max(_get_one(CORPORA[name], folder, meter) for name in dict.fromkeys(options.names))
    except KeyboardInterrupt:
        return fail("stopped. Run the same command again to resume.")


def _get_one(facts: CorpusFacts, folder: Path, on_progress: OnProgress) -> int:
    code, known = 0, published_files()
    for download in facts.downloads:
        try:
            is_new = download_corpus_file(download, folder, known=known, on_progress=on_progress)
        except CorpusError as error:
            code = fail(str(error))
        else:
            checked = "downloaded" if download.place in known else "downloaded, no checksum known"
            done = checked if is_new else "already exists"
            print(f"{facts.key}: {download.place} {done}", file=sys.stderr)
    lacking = any(not locate_file(folder, facts.find_name(folder, name)).is_file() for name in facts.files)
    if facts.manual_steps and lacking and not (facts.folder and (folder / facts.folder).is_dir()):
        print(
            f"{facts.key}: needs manual steps. {facts.manual_steps}\n  home   {facts.homepage}",
            file=sys.stderr,
        )
        return 2
    return code


def _json(place: str, done: int, total: int) -> None:
    Events("", stage=f"get {place}").emit("step", step=done, steps=total)


def _inject(options: argparse.Namespace) -> int:
    from training.injection.dataset import prepare

    if options.out is None:
        raise CorpusError("No file was named. Name one with --out FILE.")
    data = corpora_folder(options)
    prepare(data, options.out, spacy=options.spacy, seed=options.seed, limit=None, on_message=print)
    return 0


def _hypernyms(options: argparse.Namespace) -> int:
    from training.corpora.hypernyms import export

    if options.wordnet is None or options.out is None:
        raise CorpusError("Name the folder of WordNet with --wordnet FOLDER and the table with --out FILE.")
    print(f"{export(options.wordnet, options.out):,} nouns")
    return 0
