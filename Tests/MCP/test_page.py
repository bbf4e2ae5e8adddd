"""The page docs/mcp.md: its transcript is led, its table has the tools, its configurations are JSON."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any, Dict, List

import pytest

from conftest import ROOT, Server

PAGE = (ROOT / "docs/mcp.md").read_text()


def blocks(language: str) -> List[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", PAGE, re.M | re.S)


def rendered(result: Dict[str, Any]) -> List[str]:
    mark = "! " if result["isError"] else "> "
    lines: List[str] = []
    for content in result["content"]:
        shown = content["text"] if content["type"] == "text" else f"[{content['type']}]"
        lines += [mark + line for line in shown.splitlines()]
    return lines


def matches(expected: List[str], lines: List[str]) -> bool:
    """A line of the page is one of the answer; `> …` alone stands for any number of them."""
    if not expected:
        return not lines
    if expected[0] in ("> …", "! …"):
        return any(matches(expected[1:], lines[count:]) for count in range(len(lines) + 1))
    pattern = re.escape(expected[0]).replace("…", ".*")
    return bool(lines) and bool(re.fullmatch(pattern, lines[0])) and matches(expected[1:], lines[1:])


def test_the_transcript(clips: Path, tmp_path: Path) -> None:
    (tmp_path / "take.mp4").write_bytes((clips / "take.mp4").read_bytes())
    server = Server(tmp_path, "--root", str(tmp_path))
    (transcript,) = blocks("transcript")
    steps = re.split(r"^< ", transcript, flags=re.M)[1:]
    assert len(steps) == 7
    for step in steps:
        call, *expected = step.splitlines()
        name, arguments = call.split(" ", 1)
        result = server.request("tools/call", {"name": name, "arguments": json.loads(arguments)})
        lines = rendered(result)
        assert matches(expected, lines), "\n".join(lines)
    assert server.end() == 0


def test_the_table_has_all_tools(server: Server) -> None:
    rows = re.findall(r"^\| `(\w+)` \| (.*?) \|", PAGE, re.M)
    tools = server.request("tools/list")["tools"]
    assert [row[0] for row in rows] == [tool["name"] for tool in tools]
    for (_, arguments), tool in zip(rows, tools):
        named = re.findall(r"`(\w+)`", arguments)
        assert set(tool["inputSchema"]["properties"]) <= set(named)


@pytest.mark.parametrize("block", blocks("json"))
def test_configurations_start_the_server(block: str) -> None:
    (servers,) = json.loads(block).values()
    assert servers["reelwire"]["command"] == "reelwire"
    assert servers["reelwire"]["args"][0] == "mcp"
