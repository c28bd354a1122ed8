"""What ``Info.plist`` tells macOS: the documents that the program opens."""

from __future__ import annotations

from typing import Any

DOCUMENTS = {
    "Plain text": ("public.plain-text", ("txt", "text")),
    "Markdown": ("net.daringfireball.markdown", ("md", "markdown")),
    "Wikitext": ("", ("wiki", "wikitext", "mediawiki")),
    "Web page": ("public.html", ("html", "htm", "xhtml")),
    "Word document": ("org.openxmlformats.wordprocessingml.document", ("docx",)),
    "OpenDocument text": ("org.oasis-open.opendocument.text", ("odt",)),
}
"""Name of each kind of document: its uniform type identifier, if it has one, and its suffixes."""


def plist() -> dict[str, Any]:
    """The entries that are added to ``Info.plist``. The program never takes a kind of document over."""
    return {
        "CFBundleDocumentTypes": [_document(name, *facts) for name, facts in DOCUMENTS.items()],
        "NSHighResolutionCapable": True,
        "LSMinimumSystemVersion": "13.0",
    }


def _document(name: str, identifier: str, suffixes: tuple[str, ...]) -> dict[str, Any]:
    said: dict[str, Any] = {
        "CFBundleTypeName": name,
        "CFBundleTypeRole": "Editor",
        "LSHandlerRank": "Alternate",
        "CFBundleTypeExtensions": list(suffixes),
    }
    return said | ({"LSItemContentTypes": [identifier]} if identifier else {})
