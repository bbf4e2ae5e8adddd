"""Makes the manual pages of a program and of each of its commands.

    manual.py TOOL PROGRAM FOLDER

TOOL is ``generate-manual`` of swift-argument-parser. Pages are named as Git's are, so that ``man reelwire export`` finds
``reelwire-export.1``. Their date is SOURCE_DATE_EPOCH, or when the commit was made.
"""

from __future__ import annotations

import json
import re
import sys
import tempfile
from collections.abc import Iterator
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

from packages import output, release_time


def hidden_pages(program: Path) -> set[str]:
    """The pages of commands that help doesn't list, as the tool names them."""

    def pages(command: dict[str, Any], stem: str) -> Iterator[str]:
        for inner in command.get("subcommands", []):
            page = f"{stem}.{inner['commandName']}"
            if not inner.get("shouldDisplay", True) or inner["commandName"] == "help":
                yield page
            yield from pages(inner, page)

    facts = json.loads(output(program, "--experimental-dump-help"))["command"]
    return set(pages(facts, facts["commandName"]))


def page_text(text: str, stem: str, hidden: set[str]) -> str:
    """A page as the tool makes it, with names that ``man`` finds, and mended where mdoc(7) warns."""
    name, command = stem.replace(".", "-"), stem.replace(".", " ")
    text = text.replace(f".Dt {stem.upper()} ", f".Dt {name.upper()} ")
    head, _, rest = text.partition(".Sh SYNOPSIS\n")
    head = re.sub(r"^\.Nm .*$", f".Nm {name}", head, flags=re.MULTILINE)
    head = re.sub(r'^(\.Nd ".*)\."$', r'\1"', head, flags=re.MULTILINE)
    rest = re.sub(r"^\.Nm$", f'.Nm "{command}"', rest, flags=re.MULTILINE)
    rest = rest.replace(".Ex -std\n", ".Ex -std reelwire\n")
    text = f"{head}.Sh SYNOPSIS\n{rest}"
    text, _, seen = text.partition('.Sh "SEE ALSO"\n')
    text = re.sub(r"[ \t]+$", "", text, flags=re.MULTILINE)
    text = re.sub(r"\n\n+", "\n.Pp\n", text.strip() + "\n")
    text = re.sub(r"^\.Pp\n(?=\.(It|El|Sh|Bl|Pp)\b)", "", text, flags=re.MULTILINE)
    others = [page for page in re.findall(r"^\.Xr (\S+) 1", seen, re.MULTILINE) if page not in hidden]
    if others:
        links = " ,\n".join(f".Xr {page.replace('.', '-')} 1" for page in others)
        text += f'.Sh "SEE ALSO"\n{links}\n'
    return text


def main(tool: Path, program: Path, folder: Path) -> None:
    hidden = hidden_pages(program)
    date = datetime.fromtimestamp(release_time(), timezone.utc).strftime("%Y-%m-%d")
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as scratch:
        output(tool, program, "--multi-page", "--date", date, "--output-directory", scratch)
        for path in sorted(Path(scratch).glob("*.1")):
            if path.stem not in hidden:
                page = folder / f"{path.stem.replace('.', '-')}.1"
                page.write_text(page_text(path.read_text(), path.stem, hidden))


if __name__ == "__main__":
    main(*(Path(argument).resolve() for argument in sys.argv[1:]))
