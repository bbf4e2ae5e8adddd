#!/usr/bin/env python3
"""Derives the protocol's documents from the Swift declarations in EngineProtocol.

    generate.py           writes them
    generate.py --check   writes nothing; fails when one is stale, an example is wrong, or a document
                          links to nothing

Both fail when a declared method has no handler. First it writes the Swift of the table of advice (`advice/`),
which the build needs. It builds the program, reads the compiler's symbol graph of EngineProtocol and the list of methods
that `reelwire protocol-types` prints, and joins the two. It writes docs/openrpc.json, the document
that the server embeds, the places of handles and files in messages for the supervisor, docs/protocol-reference.md,
docs/protocol-types.md, the types, errors and calls of the Python client and of the Node client, and the derived
parts of protocol.md and docs/exports.md: their contents and transcripts.
"""

from __future__ import annotations

import argparse
import difflib
import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any, Dict, List

import adviceoutputs
import advicetable
import examples
import links
import openrpc
import pages
import transcripts
from advicetable import AdviceTable
from clienterrors import ClientErrors
from memberpaths import MemberPaths
from model import MODULE, GeneratorError, Protocol, load
from nodecalls import NodeCalls
from nodetypes import NodeTypes
from pythoncalls import PythonCalls
from pythontypes import PythonTypes
from reference import EXPORTS, PAGE, PROTOCOL, TYPES, Reference

ROOT = Path(__file__).resolve().parents[2]
OPENRPC = "docs/openrpc.json"
EMBEDDED = "Sources/EngineServer/Generated/OpenRPCDocument.swift"
MEMBERS = "Sources/EngineProtocol/Generated/MemberPaths.swift"
PYTHON, NODE = "clients/python/src/reelwire", "clients/node/src"


class Build:
    """The built program and the compiler's view of its modules."""

    def __init__(self, configuration: str, skip_build: bool) -> None:
        build = ["swift", "build", "--configuration", configuration]
        if not skip_build:
            # The build's own chatter goes to stderr: stdout lists stale files.
            run([*build, "--product", "reelwire"], output=sys.stderr)
        self.products = Path(run([*build, "--show-bin-path"]).strip())

    def reelwire(self, *arguments: str) -> Any:
        return json.loads(run([str(self.products / "reelwire"), *arguments]))

    def symbol_graph(self, module: str) -> Dict[str, Any]:
        target = json.loads(run(["swift", "-print-target-info"]))["target"]["unversionedTriple"]
        with tempfile.TemporaryDirectory() as folder:
            run(
                ["swift", "symbolgraph-extract", "-module-name", module, "-target", target]
                + ["-I", str(self.products / "Modules"), "-minimum-access-level", "public"]
                + ["-skip-synthesized-members", "-output-dir", folder]
            )
            text = (Path(folder) / f"{module}.symbols.json").read_text(encoding="utf-8")
        graph: Dict[str, Any] = json.loads(text)
        return graph


def run(command: List[str], output: Any = subprocess.PIPE) -> str:
    try:
        done = subprocess.run(
            command, cwd=ROOT, check=True, stdout=output, stderr=subprocess.PIPE, text=True
        )
    except subprocess.CalledProcessError as error:
        words = (error.stderr or error.stdout or "").strip()
        raise GeneratorError(f"{' '.join(command)} failed:\n{words}") from error
    return done.stdout or ""


def generate(
    protocol: Protocol, document: Dict[str, Any], advice: AdviceTable
) -> Dict[str, str]:
    """The text of each generated file by its path."""
    reference = Reference(protocol)
    guides = {name: (ROOT / name).read_text(encoding="utf-8") for name in (PROTOCOL, EXPORTS)}
    shown = transcripts.shown_transcripts(transcripts.terminal_notifications(document))
    errors = ClientErrors(document)
    return {
        OPENRPC: json.dumps(document, ensure_ascii=False, indent=2) + "\n",
        EMBEDDED: embedded(document),
        MEMBERS: MemberPaths(document).swift(),
        **pages.fill_all(guides, shown),
        PAGE: reference.write(adviceoutputs.reference(advice)),
        TYPES: reference.types(),
        f"{PYTHON}/protocol.py": PythonTypes(document).write(),
        f"{PYTHON}/calls.py": PythonCalls(document).write(),
        f"{PYTHON}/error_codes.py": errors.python(),
        f"{PYTHON}/advice.py": adviceoutputs.python(advice),
        f"{NODE}/advice.js": adviceoutputs.node(advice),
        f"{NODE}/calls.d.ts": NodeCalls(document).declarations(),
        f"{NODE}/calls.js": NodeCalls(document).module(),
        f"{NODE}/call-options.js": NodeCalls(document).options(),
        f"{NODE}/protocol.d.ts": NodeTypes(document).write(),
        f"{NODE}/protocol.js": NodeTypes(document).tables(),
        f"{NODE}/error-codes.d.ts": errors.node_types(),
        f"{NODE}/error-codes.js": errors.node(),
    }


def embedded(document: Dict[str, Any]) -> str:
    """A string literal, which compiles a hundred times faster than an array of bytes.

    The line breaks are for readers of differences; they are escaped, so the text has none.
    """
    text = json.dumps(document, ensure_ascii=False, separators=(",", ":"))
    text = text.replace('},{"name":"', '},\\##\n{"name":"')
    if '"""##' in text:
        raise GeneratorError("the document would end its own literal")
    return (
        "// swift-format-ignore-file\n"
        "// Generated by Sources/Generator/generate.py; do not edit.\n\n"
        "/// The answer to `rpc.discover`.\n"
        "package enum OpenRPCDocument {\n"
        "  /// The OpenRPC document, on one line.\n"
        f'  package static let json: StaticString = ##"""\n{text}\n"""##\n'
        "}\n"
    )


def write(files: Dict[str, str]) -> None:
    """Writes the changed files only, so that nothing else is compiled again."""
    for name, text in files.items():
        path = ROOT / name
        if path.exists() and path.read_text(encoding="utf-8") == text:
            continue
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def stale(files: Dict[str, str]) -> List[str]:
    """A line for each file that differs from the generated one, with the first difference."""
    found = []
    for name, text in files.items():
        path = ROOT / name
        old = path.read_text(encoding="utf-8") if path.exists() else ""
        if old == text:
            continue
        lines = list(difflib.unified_diff(old.splitlines(), text.splitlines(), lineterm="", n=0))
        changed = [line for line in lines[2:] if line[:1] in "+-"]
        first = "".join(f"\n    {line[:100]}" for line in changed[:4])
        found.append(f"{name} is stale, {len(changed)} lines differ:{first}")
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description="Generate the protocol's documents.")
    parser.add_argument("--check", action="store_true", help="write nothing; fail when stale")
    parser.add_argument("--skip-build", action="store_true", help="use the program as it is built")
    parser.add_argument("--configuration", default="debug", choices=["debug", "release"])
    arguments = parser.parse_args()
    found: List[str] = []
    is_stale = False
    try:
        advice = advicetable.load()
        needed = adviceoutputs.swift_files(advice)
        if not arguments.check:
            write(needed)
        build = Build(arguments.configuration, arguments.skip_build)
        graphs = [build.symbol_graph(module) for module in (MODULE, "JSONRPC")]
        protocol = load(graphs, build.reelwire("protocol-types"))
        document = openrpc.document(protocol)
        advice.add(to=document)
        files = {**needed, **generate(protocol, document, advice)}
        if not arguments.check:
            write(files)
            return 0
        found += stale(files)
        is_stale = bool(found)
        for guide in (PROTOCOL, EXPORTS):
            found += examples.problems(files[guide], document, guide)
            found += examples.unknown_methods(files[guide], document, guide)
        found += links.problems(ROOT, files)
    except GeneratorError as error:
        found.append(f"generate: {error}")
    for problem in found:
        print(problem)
    if is_stale:
        print("Run make generate and commit the result.", file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
