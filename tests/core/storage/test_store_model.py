"""Protects the store as a whole: after any sequence of calls it holds what a few lists and dictionaries would hold."""

from __future__ import annotations

import tempfile
from pathlib import Path

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    Bundle,
    RuleBasedStateMachine,
    consumes,
    initialize,
    invariant,
    multiple,
    rule,
)

from core.documents.types import Format
from core.storage.store import Store
from core.storage.types import Ignore, Scores
from core.types import KINDS, Kind

TEXTS = st.text(st.characters(exclude_categories=()), max_size=12)
WORDS = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=6)
SCORES = st.none() | st.builds(
    Scores,
    bias=st.floats(0, 1),
    biased_sentences=st.integers(0, 9),
    sentences=st.integers(0, 9),
    kinds=st.dictionaries(st.sampled_from(KINDS), st.integers(0, 9)),
)


class StoreMachine(RuleBasedStateMachine):
    """The model: per draft a list of (text, scores) and a list of ignores; the allowed words by their key."""

    drafts = Bundle("drafts")
    marks = Bundle("marks")

    @initialize()
    def begin(self) -> None:
        self.folder = tempfile.TemporaryDirectory()
        self.place = Path(self.folder.name, "evenhand.sqlite3")
        self.store = Store.open(self.place)
        self.versions: dict[str, list[tuple[str, Scores | None]]] = {}
        self.ignored: dict[str, list[Ignore]] = {}
        self.words: dict[str, str] = {}

    @rule(target=drafts, number=st.integers(0, 3))
    def draft(self, number: int) -> str:
        path = Path(self.folder.name, f"{number}.md")
        uid = self.store.open_draft(None, name=path.name, path=path).uid
        self.versions.setdefault(uid, [])
        self.ignored.setdefault(uid, [])
        return uid

    @rule(uid=drafts, text=TEXTS, scores=SCORES)
    def keep(self, uid: str, text: str, scores: Scores | None) -> None:
        if uid not in self.versions:
            return
        kept = self.store.save_version(uid, text, format=Format.WIKITEXT, why="saved", scores=scores)
        there = self.versions[uid]
        if there and there[-1][0] == text:
            assert kept is None
        else:
            assert kept is not None
            there.append((text, scores))

    @rule(
        target=marks,
        uid=drafts,
        scope=st.sampled_from(["once", "words"]),
        kind=st.sampled_from(KINDS),
        words=WORDS,
    )
    def ignore(self, uid: str, scope: str, kind: Kind, words: str) -> object:
        if uid not in self.ignored:
            return multiple()
        mark = self.store.ignore(uid, Ignore(scope, kind, words, "f"))  # type: ignore[arg-type]
        if mark not in self.ignored[uid]:
            self.ignored[uid].append(mark)
        return (uid, mark)

    @rule(uid=drafts, scores=SCORES)
    def score_the_newest(self, uid: str, scores: Scores | None) -> None:
        there = self.versions.get(uid)
        if there and scores is not None:
            self.store.score(self.store.versions(uid)[-1].id, scores)
            there[-1] = (there[-1][0], there[-1][1] or scores)

    @rule(mark=consumes(marks))
    def unignore(self, mark: tuple[str, Ignore]) -> None:
        self.store.unignore(mark[1].id)
        if mark[0] in self.ignored:
            self.ignored[mark[0]] = [one for one in self.ignored[mark[0]] if one != mark[1]]

    @rule(words=WORDS)
    def allow(self, words: str) -> None:
        self.store.allow(words)
        one = " ".join(words.split())
        if one:
            self.words.setdefault(one.casefold(), one)

    @rule(words=WORDS)
    def disallow(self, words: str) -> None:
        self.store.disallow(words)
        self.words.pop(" ".join(words.split()).casefold(), None)

    @rule(uid=drafts)
    def forget(self, uid: str) -> None:
        self.store.forget(uid)
        self.versions.pop(uid, None)
        self.ignored.pop(uid, None)

    @rule()
    def prune(self) -> None:
        assert self.store.prune(1) == 0

    @rule()
    def open_again(self) -> None:
        self.store.close()
        self.store = Store.open(self.place)
        assert self.store.notes == ()

    @invariant()
    def the_same(self) -> None:
        if not hasattr(self, "store"):
            return
        for uid, expected in self.versions.items():
            found = self.store.versions(uid)
            assert [(self.store.text_of(one.id), one.scores) for one in found] == expected
            assert [one.characters for one in found] == [len(text) for text, _ in expected]
            assert self.store.ignores(uid) == self.ignored[uid]
        assert sorted(self.store.allowed()) == sorted(self.words.values())

    def teardown(self) -> None:
        if hasattr(self, "store"):
            assert self.store.check() == []
            self.store.close()
            self.folder.cleanup()


TestStore = StoreMachine.TestCase
TestStore.settings = settings(max_examples=25, stateful_step_count=25)
