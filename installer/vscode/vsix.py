"""The .vsix of the extension: a zip with its files, the node modules that it needs, a manifest and a list of types."""

from __future__ import annotations

import json
import time
import zipfile
from collections.abc import Iterable, Mapping
from pathlib import Path
from xml.sax.saxutils import escape, quoteattr

from installer.archive import Member, tree
from installer.project import ROOT, Facts

SOURCE = ROOT / "installer" / "vscode"
_FILES = ("extension.js", "README.md")
_TYPES = {
    ".js": "application/javascript",
    ".json": "application/json",
    ".md": "text/markdown",
    ".txt": "text/plain",
    ".vsixmanifest": "text/xml",
}
"""The types of all files of a .vsix by suffix; a file without one is named in full."""

_OLDEST_ZIP = 315_532_800
"""1980-01-01, the earliest time that a zip can hold."""


def contents(modules: Path, about: Facts) -> list[Member]:
    """The members of the .vsix. ``modules`` is the folder ``node_modules`` of an installation."""
    package = json.loads((SOURCE / "package.json").read_text(encoding="utf-8"))
    package["version"] = about.version
    members = [
        Member("extension/package.json", content=json.dumps(package, indent=2).encode()),
        # VS Code wants an extension for a licence that it shows.
        Member("extension/LICENSE.txt", source=ROOT / "LICENSE"),
        *(Member(f"extension/{name}", source=SOURCE / name) for name in _FILES),
        *(one for one in tree(modules, "extension/node_modules") if _is_needed(one)),
    ]
    names = [*(one.name for one in members), "extension.vsixmanifest"]
    return [
        Member("extension.vsixmanifest", content=_manifest(package).encode()),
        Member("[Content_Types].xml", content=_content_types(names).encode()),
        *members,
    ]


def write(members: Iterable[Member], path: Path, *, epoch: int) -> None:
    """Write a zip of the members in their order; the same members and ``epoch`` (seconds) give the same bytes."""
    when = time.gmtime(max(epoch, _OLDEST_ZIP))
    with zipfile.ZipFile(path, "w") as archive:
        for member in members:
            info = zipfile.ZipInfo(member.name, when[:6])
            info.compress_type = zipfile.ZIP_DEFLATED
            info.create_system, info.external_attr = 3, 0o644 << 16
            data = member.source.read_bytes() if member.source is not None else member.content
            archive.writestr(info, data or b"")


def _is_needed(member: Member) -> bool:
    """Whether a file of a node module is run, or is its licence; types, tests' maps and commands are not."""
    path = Path(member.name)
    if member.link or ".bin" in path.parts or path.name.startswith("."):
        return False
    is_licence = path.stem.lower().startswith(("license", "licence", "thirdpartynotices"))
    return is_licence or path.suffix == ".js" or path.name == "package.json"


def _manifest(package: Mapping[str, object]) -> str:
    """The manifest, from ``package.json``."""
    engines, keywords, categories = package["engines"], package["keywords"], package["categories"]
    assert isinstance(engines, dict)
    assert isinstance(keywords, list)
    assert isinstance(categories, list)
    identity = " ".join(
        f"{name}={quoteattr(str(package[key]))}"
        for name, key in (("Id", "name"), ("Version", "version"), ("Publisher", "publisher"))
    )
    return f"""<?xml version="1.0" encoding="utf-8"?>
<PackageManifest Version="2.0.0" xmlns="http://schemas.microsoft.com/developer/vsx-schema/2011">
  <Metadata>
    <Identity Language="en-US" {identity}/>
    <DisplayName>{escape(str(package["displayName"]))}</DisplayName>
    <Description xml:space="preserve">{escape(str(package["description"]))}</Description>
    <Tags>{escape(",".join(keywords))}</Tags>
    <Categories>{escape(",".join(categories))}</Categories>
    <Properties>
      <Property Id="Microsoft.VisualStudio.Code.Engine" Value={quoteattr(str(engines["vscode"]))}/>
      <Property Id="Microsoft.VisualStudio.Code.ExtensionKind" Value="workspace"/>
    </Properties>
    <License>extension/LICENSE.txt</License>
  </Metadata>
  <Installation>
    <InstallationTarget Id="Microsoft.VisualStudio.Code"/>
  </Installation>
  <Dependencies/>
  <Assets>
    <Asset Type="Microsoft.VisualStudio.Code.Manifest" Path="extension/package.json" Addressable="true"/>
    <Asset Type="Microsoft.VisualStudio.Services.Content.Details" Path="extension/README.md" Addressable="true"/>
    <Asset Type="Microsoft.VisualStudio.Services.Content.License" Path="extension/LICENSE.txt" Addressable="true"/>
  </Assets>
</PackageManifest>
"""


def _content_types(names: Iterable[str]) -> str:
    """The list of types that the container format wants: one for each suffix, or for a name without one."""
    lines = [
        f"  <Default Extension={quoteattr(suffix)} ContentType={quoteattr(kind)}/>"
        for suffix, kind in _TYPES.items()
    ]
    lines += [
        f'  <Override PartName={quoteattr("/" + name)} ContentType="text/plain"/>'
        for name in names
        if Path(name).suffix not in _TYPES
    ]
    body = "\n".join(lines)
    return f"""<?xml version="1.0" encoding="utf-8"?>
<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">
{body}
</Types>
"""
