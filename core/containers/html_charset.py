"""The characters of a page: by its byte order mark, by what it says itself, else as any text file."""

from __future__ import annotations

import codecs
import re

from core.files import TextFile, decode

# Said in the first bytes of a page, in a <meta> or in the declaration of XML.
_LOOKED_AT = 2048
_SAID = re.compile(
    rb"""
    <meta[^>]{0,400}? \bcharset \s*=\s* ["']? \s* ([\w.:-]{1,40})
  | <\?xml[^>]{0,200}? \bencoding \s*=\s* ["'] ([\w.:-]{1,40})
    """,
    re.VERBOSE | re.IGNORECASE,
)
_BOMS = (codecs.BOM_UTF8, codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)

# As browsers take them: what calls itself Latin-1 or ASCII is Windows-1252.
_SAME_AS = {
    "iso8859-1": "cp1252",
    "ascii": "cp1252",
    "gb2312": "gbk",
    "cp949": "euc_kr",
    "iso8859-9": "cp1254",
}
_KNOWN = frozenset(
    """
    cp1250 cp1251 cp1252 cp1253 cp1254 cp1255 cp1256 cp1257 cp1258 cp866 cp874 iso8859-2 iso8859-3 iso8859-4 iso8859-5
    iso8859-6 iso8859-7 iso8859-8 iso8859-10 iso8859-13 iso8859-14 iso8859-15 iso8859-16 koi8-r koi8-u mac-roman
    gbk gb18030 big5 euc_jp shift_jis euc_kr
    """.split()
)


def read_page(data: bytes, *, name: str) -> TextFile:
    """The source of a page. What it says of its encoding counts where its bytes bear it out; raises FileError."""
    codec = "" if data.startswith(_BOMS) else _said(data[:_LOOKED_AT])
    if codec and b"\0" not in data:
        try:
            source = data.decode(codec)
        except UnicodeDecodeError:
            return decode(data, name=name)
        if source.encode(codec, errors="replace") == data:
            return TextFile(source, codec, True, "")
    return decode(data, name=name)


def _said(beginning: bytes) -> str:
    found = _SAID.search(beginning)
    if found is None:
        return ""
    try:
        codec = codecs.lookup((found[1] or found[2]).decode("ascii")).name
    except LookupError:
        return ""
    codec = _SAME_AS.get(codec, codec)
    return codec if codec in _KNOWN else ""


def page_bytes(source: str, encoding: str) -> bytes:
    """The bytes of a page; a character that its encoding lacks becomes a character reference."""
    mark = {"utf-8-sig": codecs.BOM_UTF8, "utf-16-le": codecs.BOM_UTF16_LE, "utf-16-be": codecs.BOM_UTF16_BE}
    codec = "utf-8" if encoding == "utf-8-sig" else encoding
    return mark.get(encoding, b"") + source.encode(codec, errors="xmlcharrefreplace")
