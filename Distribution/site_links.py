"""Checks the links of a site: every page, file and anchor that a page of it refers to is there.

    site_links.py SITE

Prints each link to nothing, and fails when there is one. Links to other sites aren't followed. Pages of DocC are data that a program in the
page shows: their links are those of the data.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

DOCC = "data/documentation"


class Page(HTMLParser):
    """The links and the anchors of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.anchors: set[str] = {"", "top"}
        self.feed(text)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        for name, value in attributes:
            if name == "id" or (name == "name" and tag == "a"):
                self.anchors.add(value or "")
            elif name in ("href", "src") and value and tag != "base":
                self.links.append(value)


class Site:
    """A folder that a server has at its root."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.archives = [path.parents[1] for path in root.rglob(DOCC) if path.is_dir()]
        self.pages = {
            path: Page(path.read_text(encoding="utf-8"))
            for path in sorted(root.rglob("*.html"))
            if not any(archive in path.parents for archive in self.archives)
        }  # fmt: skip

    def file(self, page: Path, path: str) -> Path | None:
        """The file that a link of a page with this path shows; nil where there is none."""
        place = self.root / path.lstrip("/") if path.startswith("/") else page.parent / path
        place = Path(unquote(str(place)))
        if place.is_dir():
            place /= "index.html"
        return place.resolve() if path and place.is_file() else (page if not path else None)

    def page_problems(self) -> Iterator[str]:
        """The links of ordinary pages to nothing."""
        for path, page in self.pages.items():
            for link in page.links:
                parts = urlsplit(link)
                if parts.scheme or parts.netloc:
                    continue
                target = self.file(path, parts.path)
                # The program in DocC's pages finds their data by the address, which is that of a folder.
                in_archive = target is not None and any(archive in target.parents for archive in self.archives)
                if in_archive and parts.path.endswith(".html"):
                    yield f"{path.relative_to(self.root)}: a page of DocC is a folder: {link}"
                elif target is None:
                    yield f"{path.relative_to(self.root)}: there is no {link}"
                elif target in self.pages and unquote(parts.fragment) not in self.pages[target].anchors:
                    yield f"{path.relative_to(self.root)}: there is no anchor {link}"

    def archive_problems(self) -> Iterator[str]:
        """The links of DocC's pages to nothing."""
        for archive in self.archives:
            for path in sorted((archive / "data").rglob("*.json")):
                page: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
                for reference in page.get("references", {}).values():
                    link = reference.get("url", "")
                    if not link.startswith("/"):
                        continue
                    place = urlsplit(link).path
                    if (archive / f"data{place}.json").is_file() and (archive / place[1:] / "index.html").is_file():
                        continue
                    if self.file(archive / "index.html", place) is None:
                        yield f"{path.relative_to(self.root)}: there is no {link}"


def main(root: Path) -> None:
    """The command."""
    site = Site(root)
    problems = [*site.page_problems(), *site.archive_problems()]
    if problems:
        raise SystemExit("\n".join(problems))
    data = sum(1 for archive in site.archives for _ in (archive / "data").rglob("*.json"))
    print(f"the links of {len(site.pages)} pages and {data} pages of DocC are well")


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve())
