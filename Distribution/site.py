"""Collects the documents for the site, which mkdocs builds.

    site.py PROGRAM FOLDER

FOLDER gets all documents at their places in the repository, the files that they link to, and a page of the commands, whose
help is PROGRAM's.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
LINK = re.compile(r"\]\(([^()\s]+)\)")
# A link to a folder is one to its page.
PAGE = "README.md"


def documents() -> list[Path]:
    """The documents of the repository, by their places in it."""
    found = [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("clients/*/README.md")]
    found += [ROOT / "Benchmarks/README.md", *ROOT.glob("Tests/*/README.md")]
    return sorted(path.relative_to(ROOT) for path in found)


def linked(document: Path) -> Iterator[Path]:
    """The files and folders of the repository that a document links to."""
    for target in LINK.findall((ROOT / document).read_text(encoding="utf-8")):
        path = target.partition("#")[0]
        if path and not re.match(r"\w+:", target):
            place = Path(os.path.normpath(document.parent / path))
            if (ROOT / place).exists():
                yield place


def commands(program: Path) -> str:
    """The page of the commands: the help of each."""

    def sections(command: dict[str, Any], names: list[str]) -> Iterator[str]:
        if not command.get("shouldDisplay", True) or command["commandName"] == "help":
            return
        run = subprocess.run(
            [program, *names, "--help"], check=True, capture_output=True, text=True,
            env={**os.environ, "COLUMNS": "100"})  # fmt: skip
        title = " ".join(["reelwire", *names])
        yield f"## {title}\n\n```text\n{run.stdout.rstrip()}\n```\n"
        for inner in command.get("subcommands", []):
            yield from sections(inner, [*names, inner["commandName"]])

    dump = subprocess.run(
        [program, "--experimental-dump-help"], check=True, capture_output=True, text=True
    )
    facts = json.loads(dump.stdout)["command"]
    return "# Commands\n\n" + "\n".join(sections(facts, []))


def main() -> None:
    """The command."""
    program, folder = Path(sys.argv[1]), Path(sys.argv[2])
    shutil.rmtree(folder, ignore_errors=True)
    known = documents()
    files = set(known)
    for document in known:
        files |= {path for path in linked(document) if (ROOT / path).is_file()}
    for path in sorted(files):
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / path, folder / path)
    (folder / "docs/commands.md").write_text(commands(program), encoding="utf-8")


if __name__ == "__main__":
    main()
