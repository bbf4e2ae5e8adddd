"""Makes the reference of the Swift libraries, with their articles, as a folder of a site.

    engine_reference.py BUILD FOLDER [BASE]

BUILD is the folder of a build by SwiftPM (`.build/release`), whose modules have the declarations and their comments. The catalogs with the
articles are in the folders of the targets. FOLDER is served at BASE, "engine" by default. Warnings are errors.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from packages import output

ROOT = Path(__file__).resolve().parent.parent
# A module comes after those whose symbols it links to.
MODULES = ("MediaTime", "MediaEngine", "MediaLibrary")


def module_maps(build: Path) -> list[str]:
    """The arguments for the C modules that the Swift modules import."""
    maps = [*build.glob("*.build/module.modulemap"), *(ROOT / "Sources").glob("*/module.modulemap")]
    return [word for path in sorted(maps) for word in ("-Xcc", f"-fmodule-map-file={path}")]


def tool() -> str:
    """The path of the documentation compiler, which is in Swift's toolchain.

    Raises:
        SystemExit: there is none.
    """
    swift = shutil.which("swift")
    beside = Path(swift).resolve().with_name("docc") if swift else None
    found = str(beside) if beside and beside.exists() else shutil.which("docc")
    if not found:
        raise SystemExit("there is no docc beside swift: install a complete toolchain of Swift")
    return found


def symbol_graph(build: Path, module: str, folder: Path) -> None:
    """Writes the public declarations of a module into a folder, as the compiler has them."""
    folder.mkdir(parents=True)
    target = json.loads(output("swift", "-print-target-info"))["target"]["unversionedTriple"]
    output(
        "swift", "symbolgraph-extract", "-module-name", module, "-target", target, "-I", build / "Modules",
        *module_maps(build), "-minimum-access-level", "public", "-skip-synthesized-members",
        "-output-dir", folder)  # fmt: skip


def archive(module: str, graphs: Path, folder: Path, base: str, others: list[Path]) -> Path:
    """The documentation of a module, which may link to that of others.

    Raises:
        SystemExit: an article or a comment is wrong, for example links to nothing.
    """
    result = folder / f"{module}.doccarchive"
    command = [
        tool(), "convert", str(ROOT / f"Sources/{module}/{module}.docc"), "--additional-symbol-graph-dir", str(graphs),
        "--output-dir", str(result), "--fallback-display-name", module, "--fallback-bundle-identifier", module,
        "--transform-for-static-hosting", "--hosting-base-path", base, "--warnings-as-errors",
        "--default-code-listing-language", "swift", "--enable-experimental-external-link-support",
        # A comment describes the parameters that need it, not all.
        "--disable-parameters-and-returns-validation",
    ]  # fmt: skip
    for other in others:
        command += ["--dependency", str(other)]
    run = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if run.returncode != 0:
        raise SystemExit(run.stdout)
    return result


def main(build: Path, folder: Path, base: str = "engine") -> None:
    """The command."""
    shutil.rmtree(folder, ignore_errors=True)
    with tempfile.TemporaryDirectory() as scratch:
        archives: list[Path] = []
        for module in MODULES:
            graphs = Path(scratch, "graphs", module)
            symbol_graph(build, module, graphs)
            archives.append(archive(module, graphs, Path(scratch), base, archives))
        output(
            tool(), "merge", *archives, "--synthesized-landing-page-name", "Reelwire",
            "--synthesized-landing-page-topics-style", "list", "--output-path", folder)  # fmt: skip


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve(), *sys.argv[3:])
