"""The migrations of the store's schema. Never change a released step; add another."""

from __future__ import annotations

APPLICATION_ID = 0x45564E48
"""``EVNH``: identifies a file as a store of Evenhand."""

STEPS: tuple[tuple[str, ...], ...] = (
    (
        """
        CREATE TABLE drafts (
            id INTEGER NOT NULL PRIMARY KEY,
            uid TEXT NOT NULL UNIQUE,
            name TEXT NOT NULL,
            path TEXT UNIQUE,
            made_at INTEGER NOT NULL
        )
        """,
        """
        CREATE TABLE versions (
            id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
            draft INTEGER NOT NULL REFERENCES drafts (id) ON DELETE CASCADE,
            made_at INTEGER NOT NULL,
            why TEXT NOT NULL,
            format TEXT NOT NULL,
            characters INTEGER NOT NULL,
            words INTEGER NOT NULL,
            sha256 TEXT NOT NULL,
            bias FLOAT,
            biased_sentences INTEGER,
            sentences INTEGER,
            kinds JSON,
            "left" FLOAT,
            center FLOAT,
            "right" FLOAT,
            spread FLOAT,
            text BLOB NOT NULL
        )
        """,
        "CREATE INDEX versions_of_draft ON versions (draft, id)",
        """
        CREATE TABLE ignores (
            id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
            draft INTEGER NOT NULL REFERENCES drafts (id) ON DELETE CASCADE,
            scope TEXT NOT NULL CHECK (scope IN ('once', 'words')),
            kind TEXT NOT NULL,
            words TEXT NOT NULL,
            fingerprint TEXT NOT NULL,
            UNIQUE (draft, scope, kind, words, fingerprint)
        )
        """,
        """
        CREATE TABLE allowed (
            key TEXT NOT NULL PRIMARY KEY,
            words TEXT NOT NULL
        )
        """,
    ),
    (
        """
        CREATE TABLE runs (
            id TEXT NOT NULL PRIMARY KEY,
            recipe TEXT NOT NULL,
            status TEXT NOT NULL,
            folder TEXT NOT NULL,
            scale TEXT NOT NULL,
            base TEXT NOT NULL,
            device TEXT NOT NULL,
            seed INTEGER NOT NULL,
            code TEXT NOT NULL,
            settings JSON NOT NULL,
            data JSON NOT NULL,
            made_at INTEGER NOT NULL,
            ended_at INTEGER,
            stage TEXT NOT NULL,
            step INTEGER NOT NULL,
            steps INTEGER NOT NULL,
            eta_s FLOAT NOT NULL,
            message TEXT NOT NULL,
            result JSON NOT NULL
        )
        """,
        "CREATE INDEX runs_by_time ON runs (made_at)",
        """
        CREATE TABLE run_metrics (
            id INTEGER NOT NULL PRIMARY KEY,
            run TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
            stage TEXT NOT NULL,
            step INTEGER NOT NULL,
            event TEXT NOT NULL,
            name TEXT NOT NULL,
            value FLOAT NOT NULL
        )
        """,
        "CREATE INDEX metrics_of_run ON run_metrics (run, id)",
        """
        CREATE TABLE run_artefacts (
            run TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
            path TEXT NOT NULL,
            size INTEGER NOT NULL,
            sha256 TEXT NOT NULL,
            PRIMARY KEY (run, path)
        )
        """,
        """
        CREATE TABLE bundles (
            id TEXT NOT NULL PRIMARY KEY,
            role TEXT NOT NULL,
            name TEXT NOT NULL,
            version TEXT NOT NULL,
            run TEXT NOT NULL,
            source TEXT NOT NULL CHECK (source IN ('run', 'import')),
            added_at INTEGER NOT NULL
        )
        """,
        """
        CREATE TABLE promotions (
            id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
            role TEXT NOT NULL,
            bundle TEXT REFERENCES bundles (id),
            promoted_at INTEGER NOT NULL
        )
        """,
        "CREATE INDEX promotions_of_role ON promotions (role, id)",
        """
        CREATE TABLE corrections (
            id INTEGER NOT NULL PRIMARY KEY,
            draft INTEGER NOT NULL REFERENCES drafts (id) ON DELETE CASCADE,
            made_at INTEGER NOT NULL,
            verdict TEXT NOT NULL CHECK (verdict IN ('accepted', 'rejected')),
            kind TEXT NOT NULL,
            sentence TEXT NOT NULL,
            start INTEGER NOT NULL,
            "end" INTEGER NOT NULL,
            rewritten TEXT NOT NULL,
            UNIQUE (draft, verdict, sentence, start, "end", rewritten)
        )
        """,
        "CREATE INDEX corrections_of_draft ON corrections (draft, id)",
    ),
    (
        """
        CREATE TABLE days_of_use (
            id INTEGER NOT NULL PRIMARY KEY,
            day INTEGER NOT NULL,
            last_version INTEGER NOT NULL,
            pruned INTEGER NOT NULL
        )
        """,
    ),
    (
        """
        CREATE TABLE draft_packs (
            id INTEGER NOT NULL PRIMARY KEY,
            draft INTEGER NOT NULL REFERENCES drafts (id) ON DELETE CASCADE,
            pack TEXT NOT NULL,
            is_on INTEGER NOT NULL,
            UNIQUE (draft, pack)
        )
        """,
    ),
    (
        """
        CREATE TABLE ignored_spellings (
            id INTEGER NOT NULL PRIMARY KEY,
            draft INTEGER NOT NULL REFERENCES drafts (id) ON DELETE CASCADE,
            word TEXT NOT NULL,
            UNIQUE (draft, word)
        )
        """,
    ),
    ("ALTER TABLE versions ADD COLUMN name TEXT NOT NULL DEFAULT ''",),
)
"""``STEPS[n]`` migrates from schema version n to n + 1. ``PRAGMA user_version`` is the version of a file."""
