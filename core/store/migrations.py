"""The steps that bring a store to the present schema. A step that was ever released is never changed: add another."""

from __future__ import annotations

APPLICATION_ID = 0x45564E48
"""``EVNH``: by it a file is known as a store of Evenhand."""

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
)
"""``STEPS[n]`` leads from schema version n to n + 1. ``PRAGMA user_version`` says where a file stands."""
