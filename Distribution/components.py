"""The components of a bundle that others made: their licences, and their list as CycloneDX."""

from __future__ import annotations

import json
import subprocess
import uuid
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import quote

ROOT = Path(__file__).resolve().parent.parent
CHECKOUTS = ROOT / ".build/distribution/swift/checkouts"
# Those of the Swift packages, which have no field for it, by their names in Package.resolved.
SWIFT_LICENSES = {"bigint": "MIT"}
SWIFT_LICENSE = "Apache-2.0 WITH Swift-exception"
# By the names of Debian's source packages, whose files of copyrights name several for parts that aren't in the
# library. A package that isn't here is listed with its text alone.
LICENSES = {
    "aom": "BSD-2-Clause",
    "dav1d": "BSD-2-Clause",
    "ffmpeg": "GPL-3.0-or-later",
    "lame": "LGPL-2.0-or-later",
    "libebur128": "MIT",
    "libogg": "BSD-3-Clause",
    "libvorbis": "BSD-3-Clause",
    "libvpx": "BSD-3-Clause",
    "libwebp": "BSD-3-Clause",
    "numactl": "LGPL-2.1-only",
    "opus": "BSD-3-Clause",
    "sqlite3": "blessing",
    "x264": "GPL-2.0-or-later",
    "x265": "GPL-2.0-or-later",
    "zimg": "WTFPL",
    "zlib": "Zlib",
}


@dataclass
class Component:
    name: str
    version: str
    source: str
    """The package URL of its source."""
    license: str | None
    text: str
    """The licence, with the copyrights."""
    files: list[str] = field(default_factory=list)
    properties: dict[str, str] = field(default_factory=dict)
    hashes: dict[str, str] = field(default_factory=dict)


def query(*command: str) -> str | None:
    result = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    return result.stdout if result.returncode == 0 else None


def debian_component(path: Path) -> Component:
    """The Debian package that a library is of."""
    # dpkg knows some files by their names before /lib became a link to /usr/lib.
    names = [str(path), str(path).removeprefix("/usr")]
    owner = next((found for name in names if (found := query("dpkg-query", "--search", name))), None)
    if owner is None:
        raise SystemExit(f"bundle: {path} is of no package, so its licence isn't known")
    package = owner.split(": ")[0]
    form = "${source:Package}\t${source:Version}\t${Architecture}"
    source, version, _ = (query("dpkg-query", "--show", "-f", form, package) or "").split("\t")
    text = Path("/usr/share/doc", package.split(":")[0], "copyright").read_text()
    return Component(
        source,
        version,
        f"pkg:deb/debian/{quote(source)}@{quote(version)}?arch=source",
        LICENSES.get(source),
        text,
    )


def ffmpeg_component(prefix: Path) -> Component:
    facts = json.loads((prefix / "ffmpeg.json").read_text())
    version = facts["version"]
    return Component(
        "ffmpeg",
        version,
        f"pkg:deb/debian/ffmpeg@{quote(version)}?arch=source&distro={facts['debian']}",
        LICENSES["ffmpeg"],
        (prefix / "licenses/copyright").read_text(),
        properties={"configuration": facts["configuration"]},
        hashes={entry["file"]: entry["sha256"] for entry in facts["sources"]},
    )


def swift_components() -> list[Component]:
    components = []
    for pin in json.loads((ROOT / "Package.resolved").read_text())["pins"]:
        name, state = pin["identity"], pin["state"]
        folder = CHECKOUTS / Path(pin["location"]).name.removesuffix(".git")
        texts = [path for path in sorted(folder.glob("LICENSE*")) if path.is_file()]
        if not texts:
            raise SystemExit(f"bundle: {folder} has no licence")
        components.append(
            Component(
                name,
                state["version"],
                f"pkg:swift/{pin['location'].removeprefix('https://')}@{state['version']}",
                SWIFT_LICENSES.get(name, SWIFT_LICENSE),
                texts[0].read_text(),
                properties={"revision": state["revision"]},
            )
        )
    version = (query("swift", "--version") or "").split("Swift version ")[-1].split(" ")[0]
    # The runtime and its parts are linked statically.
    license = (ROOT / "LICENSE").read_text()
    source = f"pkg:github/swiftlang/swift@swift-{version}-RELEASE"
    return [*components, Component("swift", version, source, SWIFT_LICENSE, license)]


def find_components(libraries: Iterable[Path], ffmpeg: Path) -> list[Component]:
    """The components of the program and these libraries, in the order of their names."""
    found: dict[str, Component] = {}
    for path in libraries:
        is_own = ffmpeg in path.parents
        component = ffmpeg_component(ffmpeg) if is_own else debian_component(path)
        found.setdefault(component.name, component).files.append(path.name)
    return sorted([*found.values(), *swift_components()], key=lambda item: item.name)


def third_party_text(components: list[Component]) -> str:
    parts = [
        "This folder holds Reelwire and what others made. The whole is under the GNU General Public License, version 3\n"
        "or later (COPYING.GPLv3), because x264 and x265 are inside; each part keeps its own licence, below.\n"
        "Reelwire's own is in LICENSE. The sources of each part are what its line names: Debian's source packages\n"
        "(https://sources.debian.org), and the repositories of the Swift packages. Distribution/ffmpeg and\n"
        "Distribution/bundle.py of Reelwire's sources make this folder from them.\n"
    ]
    for item in components:
        title = f"{item.name} {item.version}" + (f" ({item.license})" if item.license else "")
        lines = [title, "=" * len(title), "", item.source]
        if item.files:
            lines.append(f"lib/: {', '.join(sorted(item.files))}")
        lines += [f"{key}: {value}" for key, value in item.properties.items()]
        parts.append("\n".join([*lines, "", item.text.strip(), ""]))
    return "\n\n".join(parts)


def cyclonedx(item: Component) -> dict[str, Any]:
    entry: dict[str, Any] = {
        "type": "library",
        "bom-ref": item.source,
        "name": item.name,
        "version": item.version,
        "purl": item.source,
    }
    if item.license:
        entry["licenses"] = [{"expression": item.license}]
    if item.hashes:
        entry["externalReferences"] = [
            {
                "type": "source-distribution",
                "url": f"https://deb.debian.org/debian/pool/main/f/ffmpeg/{name}",
                "hashes": [{"alg": "SHA-256", "content": content}],
            }
            for name, content in sorted(item.hashes.items())
        ]
    properties = [("file", f"lib/{name}") for name in sorted(item.files)]
    properties += sorted(item.properties.items())
    entry["properties"] = [
        {"name": f"reelwire:{name}", "value": value} for name, value in properties
    ]
    return entry


def bill_of_materials(components: list[Component], version: str, glibc: str) -> dict[str, Any]:
    """The list as CycloneDX 1.6 (ECMA-424), the same one for the same components. ``glibc`` is the version of the
    C library that the program and its libraries need at least."""
    entries = [cyclonedx(item) for item in components]
    program = f"pkg:generic/reelwire@{version}"
    number = uuid.uuid5(uuid.NAMESPACE_URL, program + json.dumps(entries, sort_keys=True))
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "serialNumber": f"urn:uuid:{number}",
        "version": 1,
        "metadata": {
            "component": {
                "type": "application",
                "bom-ref": program,
                "name": "reelwire",
                "version": version,
                "purl": program,
                "licenses": [{"expression": "GPL-3.0-or-later"}],
                "properties": [{"name": "reelwire:glibc", "value": glibc}],
            }
        },
        "components": entries,
        "dependencies": [
            {"ref": program, "dependsOn": [entry["bom-ref"] for entry in entries]},
        ],
    }
