"""Collects the documents for the site, which mkdocs builds.

    site.py MANUAL FOLDER

FOLDER gets all documents at their places in the repository, the files that they link to, and in `docs/man` a page for
each manual page of MANUAL, which mandoc converts, with an index of them.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LINK = re.compile(r"\]\(([^()\s]+)\)")
MANUAL = Path("docs/man")
SECTION = re.compile(r'<section class="Sh">\s*<h1 class="Sh" id="(?P<id>[^"]*)">.*?</h1>\s*(?P<body>.*?)</section>', re.S)
DESCRIPTION = re.compile(r'<span class="Nd">(.*?)</span>', re.S)


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


def command_name(page: Path) -> str:
    """The command of a manual page, by the synopsis in its source: "reelwire library scan"."""
    quoted = re.search(r'^\.Nm "([^"]+)"$', page.read_text(encoding="utf-8"), re.M)
    return quoted[1] if quoted else page.stem


def manual_page(page: Path) -> tuple[str, str]:
    """A manual page as Markdown whose sections are HTML, and its one-line description as HTML.

    The headings are Markdown, so that they are in the table of contents. Every other part is mandoc's: options have anchors,
    and references to other pages are links.
    """
    run = subprocess.run(
        ["mandoc", "-T", "html", "-O", "fragment,man=%N.html", page],
        check=True, capture_output=True, text=True)  # fmt: skip
    description = DESCRIPTION.search(run.stdout)
    about = " ".join(description[1].split()) if description else ""
    parts = [f"# {command_name(page)}\n", f"{about}.\n"]
    for section in SECTION.finditer(run.stdout):
        if section["id"] != "NAME":
            title = section["id"].replace("_", " ").capitalize()
            # Anchors of options could be those of headings: "--description".
            body = section["body"].replace(' id="', ' id="option-').replace('href="#', 'href="#option-')
            parts.append(f'## {title}\n\n<div class="manual">\n{body.strip()}\n</div>\n')
    return "\n".join(parts), about


def manual(pages: list[Path]) -> dict[str, str]:
    """The pages of the manual and their index, by the names of their files."""
    result, rows = {}, []
    # The program comes first, and a command before those below it.
    for page in sorted(pages, key=lambda path: path.stem.split("-")):
        text, about = manual_page(page)
        result[f"{page.stem}.md"] = text
        rows.append(f"| [{command_name(page)}]({page.stem}.md) | {about} |")
    head = "# Commands\n\nThe manual pages of the program and its commands, as `man reelwire image` shows them.\n"
    result["index.md"] = "\n".join([head, "| command | description |", "|---|---|", *rows]) + "\n"
    return result


def main() -> None:
    """The command."""
    source, folder = Path(sys.argv[1]), Path(sys.argv[2])
    shutil.rmtree(folder, ignore_errors=True)
    known = documents()
    files = set(known)
    for document in known:
        files |= {path for path in linked(document) if (ROOT / path).is_file()}
    for path in sorted(files):
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / path, folder / path)
    (folder / MANUAL).mkdir(parents=True)
    for name, text in manual(list(source.glob("*.1"))).items():
        (folder / MANUAL / name).write_text(text, encoding="utf-8")
    shutil.copyfile(ROOT / "Distribution/site.css", folder / "site.css")


if __name__ == "__main__":
    main()
