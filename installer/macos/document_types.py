"""What ``Info.plist`` tells macOS: the documents that the program opens."""

from __future__ import annotations

from typing import Any

from core.documents.format_specs import FORMATS, FormatSpec


def plist() -> dict[str, Any]:
    """The entries that are added to ``Info.plist``. The program never takes a kind of document over."""
    return {
        "CFBundleDocumentTypes": [_document(spec) for spec in FORMATS.values()],
        "NSHighResolutionCapable": True,
        "LSMinimumSystemVersion": "13.0",
    }


def _document(spec: FormatSpec) -> dict[str, Any]:
    entry: dict[str, Any] = {
        "CFBundleTypeName": spec.name,
        "CFBundleTypeRole": "Editor",
        "LSHandlerRank": "Alternate",
        "CFBundleTypeExtensions": [suffix.removeprefix(".") for suffix in spec.suffixes],
    }
    return entry | ({"LSItemContentTypes": [spec.apple_type]} if spec.apple_type else {})
