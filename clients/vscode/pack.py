"""Packs the extension as a VSIX, with the Node client inside, and the engine when it is given.

    pack.py [--binary PATH] [--output FILE]

A VSIX is a ZIP with a manifest of its own, so that nothing but Python is needed to make one.
"""

import argparse
import json
import platform
import stat
import zipfile
from pathlib import Path
from typing import Iterator, Optional, Tuple
from xml.sax.saxutils import escape, quoteattr

HERE = Path(__file__).resolve().parent
NODE = HERE.parent / "node"
OURS = ["package.json", "README.md", "*.js", "media/*"]

TYPES = """<?xml version="1.0" encoding="utf-8"?>
<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">
<Default Extension=".json" ContentType="application/json"/>
<Default Extension=".js" ContentType="application/javascript"/>
<Default Extension=".ts" ContentType="video/mp2t"/>
<Default Extension=".css" ContentType="text/css"/>
<Default Extension=".md" ContentType="text/markdown"/>
<Default Extension=".vsixmanifest" ContentType="text/xml"/>
<Override PartName="/extension/node_modules/reelwire/bin/reelwire" ContentType="application/octet-stream"/>
</Types>
"""

MANIFEST = """<?xml version="1.0" encoding="utf-8"?>
<PackageManifest Version="2.0.0" xmlns="http://schemas.microsoft.com/developer/vsx-schema/2011">
<Metadata>
<Identity Language="en-US" Id={name} Version={version} Publisher={publisher}{platform}/>
<DisplayName>{display}</DisplayName>
<Description xml:space="preserve">{description}</Description>
<Tags>{tags}</Tags>
<Categories>{categories}</Categories>
<Properties>
<Property Id="Microsoft.VisualStudio.Code.Engine" Value={engine}/>
<Property Id="Microsoft.VisualStudio.Code.ExtensionKind" Value={kind}/>
</Properties>
</Metadata>
<Installation><InstallationTarget Id="Microsoft.VisualStudio.Code"/></Installation>
<Dependencies/>
<Assets>
<Asset Type="Microsoft.VisualStudio.Code.Manifest" Path="extension/package.json" Addressable="true"/>
<Asset Type="Microsoft.VisualStudio.Services.Content.Details" Path="extension/README.md" Addressable="true"/>
</Assets>
</PackageManifest>
"""


def manifest(package: dict, binary: Optional[Path]) -> str:
    # With a program inside it is for machines of this kind only.
    kind = {"x86_64": "linux-x64", "aarch64": "linux-arm64"}.get(platform.machine())
    return MANIFEST.format(
        name=quoteattr(package["name"]),
        version=quoteattr(package["version"]),
        publisher=quoteattr(package["publisher"]),
        platform=f' TargetPlatform="{kind}"' if binary and kind else "",
        display=escape(package["displayName"]),
        description=escape(package["description"]),
        tags=escape(",".join(package["keywords"])),
        categories=escape(",".join(package["categories"])),
        engine=quoteattr(package["engines"]["vscode"]),
        kind=quoteattr(",".join(package["extensionKind"])),
    )


def contents(binary: Optional[Path]) -> Iterator[Tuple[str, Path]]:
    for pattern in OURS:
        for path in sorted(HERE.glob(pattern)):
            yield f"extension/{path.relative_to(HERE)}", path
    inside = "extension/node_modules/reelwire"
    for path in [NODE / "package.json", *sorted((NODE / "src").iterdir())]:
        yield f"{inside}/{path.relative_to(NODE)}", path
    if binary:
        yield f"{inside}/bin/reelwire", binary


def pack(output: Path, binary: Optional[Path]) -> None:
    package = json.loads((HERE / "package.json").read_text())
    with zipfile.ZipFile(output, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("extension.vsixmanifest", manifest(package, binary))
        archive.writestr("[Content_Types].xml", TYPES)
        for name, path in contents(binary):
            mode = 0o755 if path == binary else 0o644
            entry = zipfile.ZipInfo(name)
            entry.external_attr = (stat.S_IFREG | mode) << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, path.read_bytes())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--binary", type=Path, help="the engine, to be packed along")
    parser.add_argument("--output", type=Path, default=HERE / "reelwire.vsix")
    arguments = parser.parse_args()
    pack(arguments.output, arguments.binary)
    print(f"{arguments.output} is made; code --install-extension {arguments.output} installs it")


if __name__ == "__main__":
    main()
