"""A hook of mkdocs: the manual pages, which the build makes, in the navigation of the site."""

from __future__ import annotations

from pathlib import Path
from typing import Any

INDEX = "docs/man/index.md"


def on_config(config: Any) -> Any:
    """Adds all pages beside the index of the manual to its section."""
    folder = Path(config["docs_dir"])
    pages = sorted((folder / INDEX).parent.glob("*.md"), key=lambda path: path.stem.split("-"))
    names = [page.relative_to(folder).as_posix() for page in pages]
    for entry in config["nav"]:
        for title, value in entry.items():
            if value == [INDEX]:
                entry[title] = [INDEX, *(name for name in names if name != INDEX)]
    return config
