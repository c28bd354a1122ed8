"""The Debian package: its files and its control data."""

from __future__ import annotations

import gzip
import hashlib
import io
import textwrap
from collections.abc import Iterable, Sequence
from pathlib import Path

from core.packaging.licences import Part
from installer.archive import Member, tree, with_folders, write_ar, write_tar, write_tar_zst
from installer.project import Facts

HERE = Path(__file__).resolve().parent
ARCHITECTURE = "amd64"
ICONS = (48, 128, 256)
"""The sizes of the PNG icons besides the SVG."""

_DESCRIPTION = """\
It opens plain text, Markdown, wikitext, Word, OpenDocument and HTML, underlines wording that is not neutral, names the
kind of bias and why, and suggests other words. The models are inside and run on this computer: no text leaves it.
"""


def file_name(about: Facts) -> str:
    """``evenhand_VERSION_amd64.deb``."""
    return f"{about.name}_{about.version}_{ARCHITECTURE}.deb"


def control(about: Facts, *, depends: Sequence[str], installed_bytes: int) -> str:
    """The control file. ``depends`` are packages with their versions (`installer.dependencies.debian_dependencies`)."""
    description = textwrap.indent(textwrap.fill(" ".join(_DESCRIPTION.split()), 78), " ")
    return (
        f"Package: {about.name}\n"
        f"Version: {about.version}\n"
        "Section: editors\n"
        "Priority: optional\n"
        f"Architecture: {ARCHITECTURE}\n"
        "Maintainer: Evenhand contributors <evenhand@example.invalid>\n"
        f"Installed-Size: {-(-installed_bytes // 1024)}\n"
        f"Depends: {', '.join(depends)}\n"
        "Recommends: ca-certificates, xdg-utils\n"
        "Suggests: python3 (>= 3.11), python3-venv\n"
        f"Description: editor that marks wording that is not neutral\n{description}\n"
    )


def copyright_text(about: Facts, parts: Sequence[Part]) -> str:
    """The copyright file: the licence of this program, and where those of its parts are."""
    rows = "\n".join(f"  {part.name} {part.version}  {part.licence}".rstrip() for part in parts[1:])
    return (
        f"Evenhand {about.version} is under the licence {about.licence}, whose text is at the end of this file.\n"
        f"It holds the parts below. Their terms are in /opt/{about.name}/_internal/resources/licences and are\n"
        "shown in the program under Help > Licences.\n\n"
        f"{rows}\n\n{parts[0].text}"
    )


def contents(program: Path, icons: Path, copyright_text: str, about: Facts) -> list[Member]:
    """All installed files: the program below /opt, its command, menu entry, icons, MIME type and man page."""
    shared = f"usr/share/doc/{about.name}"
    manual = gzip.compress((HERE / "evenhand.1").read_bytes(), mtime=0)
    return [
        *tree(program, f"opt/{about.name}"),
        Member(f"usr/bin/{about.name}", link=f"/opt/{about.name}/{about.name}"),
        Member("usr/share/applications/evenhand.desktop", source=HERE / "evenhand.desktop"),
        Member("usr/share/mime/packages/evenhand.xml", source=HERE / "evenhand.xml"),
        Member("usr/share/icons/hicolor/scalable/apps/evenhand.svg", source=icons / "evenhand.svg"),
        *(
            Member(
                f"usr/share/icons/hicolor/{size}x{size}/apps/evenhand.png",
                source=icons / f"evenhand-{size}.png",
            )
            for size in ICONS
        ),
        Member("usr/share/man/man1/evenhand.1.gz", content=manual),
        Member(f"{shared}/copyright", content=copyright_text.encode()),
    ]


def checksums(members: Iterable[Member]) -> str:
    """The ``md5sums`` file, with which dpkg detects damage."""
    lines = []
    for member in sorted(members, key=lambda member: member.name):
        if member.source is not None:
            with member.source.open("rb") as file:
                digest = hashlib.file_digest(file, "md5")
        elif member.content is not None:
            digest = hashlib.md5(member.content, usedforsecurity=False)
        else:
            continue
        lines.append(f"{digest.hexdigest()}  {member.name}\n")
    return "".join(lines)


def total_size(members: Iterable[Member]) -> int:
    """Bytes of all files."""
    return sum(
        member.source.stat().st_size if member.source is not None else len(member.content or b"")
        for member in members
    )


def control_archive(members: list[Member], *, about: Facts, depends: Sequence[str], epoch: int) -> bytes:
    """The control archive. It has no scripts: the system's triggers update menus, icons and MIME types."""
    text = control(about, depends=depends, installed_bytes=total_size(members))
    meta = [Member("control", content=text.encode()), Member("md5sums", content=checksums(members).encode())]
    out = io.BytesIO()
    write_tar(with_folders(meta, "./"), out, epoch=epoch)
    return gzip.compress(out.getvalue(), mtime=0)


def write(members: list[Member], path: Path, *, about: Facts, depends: Sequence[str], epoch: int) -> None:
    """Write the package to ``path``, with a temporary file next to it."""
    body = path.with_suffix(".data")
    write_tar_zst([Member("./"), *with_folders(members, "./")], body, epoch=epoch)
    parts: list[tuple[str, Path | bytes]] = [
        ("debian-binary", b"2.0\n"),
        ("control.tar.gz", control_archive(members, about=about, depends=depends, epoch=epoch)),
        ("data.tar.zst", body),
    ]
    write_ar(parts, path, epoch=epoch)
    body.unlink()
