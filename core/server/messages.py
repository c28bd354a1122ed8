"""What a client sends to the language server: broken headers are passed over, broken requests are answered."""

from __future__ import annotations

import io
import re
from typing import Any

from pygls.exceptions import JsonRpcException
from pygls.protocol import LanguageServerProtocol

_LENGTH = re.compile(rb"content-length:[ \t]*(\d{1,8})[ \t]*\r?\n\Z", re.IGNORECASE)
"""The length of a message, below 100 MB, at the end of a line.

No message ends with a line end, so the header behind a message that is passed over stands in the same line. A message
cannot hold such a line itself: JSON escapes line ends.
"""

_BLOCK = 1 << 16
_PASSED_OVER = b"passed-over:\r\n"
"""Stands for a length that is too great, or none."""

_LONGEST = 64
"""Bytes of the longest header with a length."""


class MessageInput(io.BufferedReader):
    """A stream that pygls reads by lines up to the length of a message, and then so many bytes.

    pygls itself loses all messages behind a header without a length, and ends at a length that no memory holds.
    """

    def readline(self, _size: int | None = -1) -> bytes:
        """The next line, without what stands before the length of a message in it; empty at the end."""
        line = b""
        while block := super().readline(_BLOCK):
            line = line[-_LONGEST:] + block
            if block.endswith(b"\n"):
                break
        if found := _LENGTH.search(line):
            return b"Content-Length: %d\r\n" % int(found[1])
        return _PASSED_OVER if line.startswith(b"Content-Length:") else line


class MessageProtocol(LanguageServerProtocol):
    """The protocol of pygls, which leaves a request without an answer if its parameters are wrong."""

    def structure_message(self, data: dict[str, Any]) -> Any:
        """The message in an object of JSON. Raises JsonRpcException."""
        try:
            return super().structure_message(data)
        except JsonRpcException as error:
            number = data.get("id")
            if isinstance(number, int | str) and "method" in data:
                self._send_response(number, error=error.to_response_error())
            raise
