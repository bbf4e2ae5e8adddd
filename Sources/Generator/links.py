"""Checks the links between the documents: files that are there, and headings that are there."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Dict, Iterator, List, Set

from pages import headings

LINK = re.compile(r"\]\(([^()\s]+)\)")


def problems(root: Path, generated: Dict[str, str]) -> List[str]:
    """A line for each link to nothing; pages that are generated count as they have to be."""
    texts = {str(path.relative_to(root)): path.read_text("utf-8") for path in _pages(root)}
    texts.update({name: text for name, text in generated.items() if name.endswith(".md")})
    anchors: Dict[str, Set[str]] = {
        name: {anchor for _, _, anchor in headings(text)} for name, text in texts.items()
    }
    found: List[str] = []
    for name, text in texts.items():
        for target in LINK.findall(_without_code(text)):
            if re.match(r"\w+:", target):
                continue
            path, _, anchor = target.partition("#")
            file = (root / name).parent / path if path else root / name
            relative = str(file.resolve().relative_to(root)) if path else name
            if relative not in texts and not file.exists():
                found.append(f"{name}: there is no {target}")
            elif anchor and anchor not in anchors.get(relative, set()):
                found.append(f"{name}: there is no heading {target}")
    return found


def _pages(root: Path) -> Iterator[Path]:
    yield from root.glob("*.md")
    yield from root.glob("docs/**/*.md")
    yield from root.glob("Tests/*/README.md")
    yield from root.glob("Benchmarks/README.md")
    yield from root.glob("clients/*/README.md")


def _without_code(text: str) -> str:
    text = re.sub(r"^```.*?^```$", "", text, flags=re.S | re.M)
    return re.sub(r"`[^`\n]*`", "", text)
