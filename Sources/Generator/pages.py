"""Fills the derived parts of a page that is written by hand: its contents, transcripts, fixtures.

A region begins with one of these lines and ends with `<!-- end -->`:

    <!-- contents -->              the page's headings, as links
    <!-- transcript: name/part --> messages of Tests/Transcripts/protocol-name.json
    <!-- fixture: name -->         the command that makes a file of Tests/Transcripts/fixtures.json
"""

from __future__ import annotations

import re
from typing import Dict, Iterator, List, Set, Tuple

import transcripts
from model import GeneratorError

END = "<!-- end -->"
REGION = re.compile(rf"^<!-- (\w+)(?:: ([\w/-]+))? -->\n(?:.*?\n)??{END}$", re.M | re.S)
CONTENTS = "contents"


def fill_all(
    pages: Dict[str, str], shown: Dict[str, transcripts.Transcript]
) -> Dict[str, str]:
    """The pages with every region as it has to be. Each part of a transcript is on one of them."""
    used: Set[str] = set()
    filled = {name: fill(page, shown, used) for name, page in pages.items()}
    if unused := sorted(set(_parts(shown)) - used):
        raise GeneratorError("no page shows the transcripts " + ", ".join(unused))
    return filled


def fill(
    markdown: str, shown: Dict[str, transcripts.Transcript], used: Set[str]
) -> str:
    """The page with every region as it has to be, the contents last; adds the names that it shows to `used`."""
    parts = _parts(shown)

    def region(match: "re.Match[str]") -> str:
        kind, name = match.group(1), match.group(2) or ""
        if kind == CONTENTS:
            return match.group(0)
        used.add(name)
        return _region(match, _content(kind, name, parts))

    page = REGION.sub(region, markdown)
    return REGION.sub(
        lambda match: _region(match, contents(page)) if match[1] == CONTENTS else match[0], page
    )


def _parts(shown: Dict[str, transcripts.Transcript]) -> Dict[str, List[Dict[str, object]]]:
    return {
        f"{name}/{part}": messages
        for name, transcript in shown.items()
        for part, messages in transcript.parts().items()
    }


def _region(match: "re.Match[str]", content: str) -> str:
    begin = match.group(0).partition("\n")[0]
    return f"{begin}\n{content}\n{END}"


def _content(
    kind: str, name: str, parts: Dict[str, List[Dict[str, object]]]
) -> str:
    if kind == "transcript" and name in parts:
        return transcripts.fence(parts[name])
    if kind == "fixture":
        return f"```sh\n{transcripts.fixture_command(name)}\n```"
    raise GeneratorError(f"there is no {kind} '{name}' to show")


def headings(markdown: str) -> Iterator[Tuple[int, str, str]]:
    """The level, the text and the anchor of each heading, by GitHub's rules."""
    seen: Dict[str, int] = {}
    is_code = False
    for line in markdown.splitlines():
        if line.startswith("```"):
            is_code = not is_code
        match = None if is_code else re.match(r"(#+) (.*)", line)
        if match is None:
            continue
        anchor = slug(match.group(2))
        count = seen.get(anchor, 0)
        seen[anchor] = count + 1
        yield len(match.group(1)), match.group(2), f"{anchor}-{count}" if count else anchor


def contents(markdown: str, inline: bool = False) -> str:
    """A list of links to the headings of the second and the third level; these may share a line."""
    sections: List[Tuple[str, List[str]]] = []
    for level, heading, anchor in headings(markdown):
        link = f"[{heading}](#{anchor})"
        if level == 2:
            sections.append((link, []))
        elif level == 3:
            sections[-1][1].append(link)
    if inline:
        return "\n".join(f"- {link}: {', '.join(inner)}" for link, inner in sections)
    return "\n".join(
        "\n  - ".join([f"- {link}", *inner]) for link, inner in sections
    )


def slug(heading: str) -> str:
    """The anchor that GitHub gives a heading."""
    text = "".join(c for c in heading.lower() if c.isalnum() or c in "-_ ")
    return text.replace(" ", "-")
