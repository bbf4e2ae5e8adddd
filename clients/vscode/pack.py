"""Packs the extension as a VSIX, with the Node client inside, and the engine when it is given.

    pack.py [--binary PATH | --bundle FOLDER] [--output FILE]

A program alone needs the libraries of the system that it is used on; a folder that `make bundle` has made brings its own.

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
<Default Extension=".cjs" ContentType="application/javascript"/>
<Default Extension=".ts" ContentType="video/mp2t"/>
<Default Extension=".cts" ContentType="video/mp2t"/>
<Default Extension=".css" ContentType="text/css"/>
<Default Extension=".md" ContentType="text/markdown"/>
<Default Extension=".vsixmanifest" ContentType="text/xml"/>
{engine}</Types>
"""
# Each part needs a type, and the names of libraries and licences have no ending that states one.
ENGINE_TYPE = '<Override PartName="/extension/node_modules/reelwire/{}" ContentType="application/octet-stream"/>\n'

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


def engine_files(binary: Optional[Path], bundle: Optional[Path]) -> "list[Tuple[str, Path]]":
    """The engine's files, by their names in the Node package."""
    if bundle:
        folders = [path for name in ["bin", "lib"] for path in sorted((bundle / name).iterdir())]
        texts = [path for path in sorted(bundle.iterdir()) if path.is_file() and path.suffix != ".sh"]
        return [(str(path.relative_to(bundle)), path) for path in [*folders, *texts]]
    return [("bin/reelwire", binary)] if binary else []


def manifest(package: dict, has_engine: bool) -> str:
    # With a program inside it is for machines of this kind only.
    kind = {"x86_64": "linux-x64", "aarch64": "linux-arm64"}.get(platform.machine())
    return MANIFEST.format(
        name=quoteattr(package["name"]),
        version=quoteattr(package["version"]),
        publisher=quoteattr(package["publisher"]),
        platform=f' TargetPlatform="{kind}"' if has_engine and kind else "",
        display=escape(package["displayName"]),
        description=escape(package["description"]),
        tags=escape(",".join(package["keywords"])),
        categories=escape(",".join(package["categories"])),
        engine=quoteattr(package["engines"]["vscode"]),
        kind=quoteattr(",".join(package["extensionKind"])),
    )


def contents(engine: "list[Tuple[str, Path]]") -> Iterator[Tuple[str, Path]]:
    for pattern in OURS:
        for path in sorted(HERE.glob(pattern)):
            yield f"extension/{path.relative_to(HERE)}", path
    inside = "extension/node_modules/reelwire"
    for path in [NODE / "package.json", *sorted((NODE / "src").iterdir())]:
        yield f"{inside}/{path.relative_to(NODE)}", path
    for name, path in engine:
        yield f"{inside}/{name}", path


def pack(output: Path, engine: "list[Tuple[str, Path]]") -> None:
    package = json.loads((HERE / "package.json").read_text())
    with zipfile.ZipFile(output, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("extension.vsixmanifest", manifest(package, bool(engine)))
        types = "".join(ENGINE_TYPE.format(name) for name, _ in engine)
        archive.writestr("[Content_Types].xml", TYPES.format(engine=types))
        for name, path in contents(engine):
            mode = 0o755 if path.parent.name in ("bin", "lib") or name.endswith("/bin/reelwire") else 0o644
            entry = zipfile.ZipInfo(name)
            entry.external_attr = (stat.S_IFREG | mode) << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, path.read_bytes())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    inside = parser.add_mutually_exclusive_group()
    inside.add_argument("--binary", type=Path, help="the engine, to be packed along")
    inside.add_argument("--bundle", type=Path, help="the engine and its libraries, to be packed along")
    parser.add_argument("--output", type=Path, default=HERE / "reelwire.vsix")
    arguments = parser.parse_args()
    pack(arguments.output, engine_files(arguments.binary, arguments.bundle))
    print(f"{arguments.output} is made; code --install-extension {arguments.output} installs it")


if __name__ == "__main__":
    main()
