"""Files as people write them, with tags, fields and tables where real ones have them; all text is made up."""

from __future__ import annotations

from core.documents.types import Format
from tests.core.formats.builders import (
    ODT_RICH,
    RICH,
    docx,
    field,
    odt,
    paragraph,
    run,
    text_box,
)

NEWS = """<!DOCTYPE html>
<html lang="en">
<head><meta charset="utf-8"><title>Council votes &mdash; The Gazette</title></head>
<body>
  <header><nav><a href="/">Home</a> | <a href="/local">Local</a></nav></header>
  <article>
    <h1>Council votes on the bridge</h1>
    <p class="byline">By <a href="/a">Ann Lee</a>,
       12 May</p>
    <p>
      The council <em>voted</em> to close the bridge,
      <a href="/x">the clerk said</a>
    </p>
    <p><a href="/y">Several members</a> disagreed; &ldquo;we were not asked&rdquo;.</p>
    <p><strong>Cost:</strong> 3&nbsp;million <b>&euro;</b></p>
    <p><img src="a.jpg" alt="A bridge"> The bridge in May.<sup><a href="#n">1</a></sup></p>
    <p><!-- edited --> After a comment.</p>
    <p>A line<br>
       and another<br/>end</p>
    <p><span>Whole</span></p>
    <p>&nbsp;</p>
    <p></p>
    <p>Last words.</p>
  </article>
</body>
</html>
"""
BLOG = """<div class=post>Loose text <p>first <i>words</i> <p>Second <q>said</q><p id=c class='a b'><b>T</b>hird
<blockquote><p>Quoted <cite>X</cite></p><p>Again <a href=x>there</a></p></blockquote>
<ul><li>One</li><li><p>Two <b>b</b></p><p>Three</p></li></ul><hr>tail &amp; more &fjlig;ord</div>
<p>Same <a>link</a></p><p>Same <a>link</a></p><p>Same <a>link</a></p>
"""
DATA = """<table><caption>Votes</caption><tr><th>For</th><td>1</td></tr>
<tr><td><p>Lee <b>A</b></p><p>Kim</p></td><td></td></tr></table>
<pre>x = 1
  y</pre><p>See <code>main</code></p><p>Then</p><pre>z</pre>"""
XHTML = (
    '<?xml version="1.0" encoding="utf-8"?>\r\n<html xmlns="http://www.w3.org/1999/xhtml"><body>\r\n'
    '<p>One <a href="x">two</a></p>\r\n<p>Three<br /></p>\r\n<p />\r\n<p>Four <em>five</em> six</p></body></html>'
)
EMPTY = "<html><body></body></html>"

LETTER = "".join(
    [
        paragraph(run("To the editor"), style="Title"),
        paragraph('<w:hyperlink w:anchor="a">' + run("The record") + "</w:hyperlink>", run(" was read.")),
        paragraph(run("See "), '<w:hyperlink w:anchor="b">' + run("this") + "</w:hyperlink>"),
        paragraph(field("DATE", "1 May"), run(" it rained")),
        paragraph(run("It rained on "), field("DATE", "1 May")),
        paragraph('<w:r><w:footnoteReference w:id="2"/></w:r>', run("After a note")),
        paragraph("<w:r><w:t>Page</w:t><w:br w:type='page'/><w:t>ends</w:t></w:r>", text_box("Boxed")),
        "<w:sdt><w:sdtPr><w:date/></w:sdtPr><w:sdtContent>" + paragraph(run("A date")) + "</w:sdtContent></w:sdt>",
        "<w:tbl><w:tr>" + 2 * ("<w:tc>" + paragraph(run("Cell")) + "</w:tc>") + "</w:tr></w:tbl>",
        paragraph("<m:oMath/>", run("x"), '<w:ins w:id="5" w:author="A">' + run("put in") + "</w:ins>"),
        paragraph(),
    ]
)  # fmt: skip
LETTER_ODT = "".join(
    [
        "<text:h>To the editor</text:h>",
        "<text:p><text:a>The record</text:a> was read.</text:p><text:p>See <text:a>this</text:a></text:p>",
        "<text:p><text:date>1 May</text:date> it rained</text:p><text:p>on <text:date>1 May</text:date></text:p>",
        '<text:section text:name="S" text:protected="true"><text:p>Kept</text:p></text:section>',
        "<text:list><text:list-item><text:p>One</text:p><text:p>more</text:p></text:list-item></text:list>",
        "<table:table><table:table-row><table:table-cell><text:p>Cell</text:p></table:table-cell><table:table-cell>"
        "<text:p>Cell</text:p></table:table-cell></table:table-row></table:table><text:p/>",
    ]
)

FILES: dict[str, tuple[Format, bytes]] = {
    "news": (Format.HTML, NEWS.encode()),
    "blog": (Format.HTML, BLOG.encode()),
    "data": (Format.HTML, DATA.encode()),
    "xhtml": (Format.HTML, XHTML.encode()),
    "empty": (Format.HTML, EMPTY.encode()),
    "letter.docx": (Format.DOCX, docx(LETTER)),
    "rich.docx": (Format.DOCX, docx(RICH)),
    "letter.odt": (Format.ODT, odt(LETTER_ODT)),
    "rich.odt": (Format.ODT, odt(ODT_RICH)),
}
"""A file of every format with structure, by name."""
