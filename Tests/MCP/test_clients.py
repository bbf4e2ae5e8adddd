"""The client of the package `mcp`, in each of its modes."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any, List, Tuple

import pytest

from conftest import BINARY
from waiting import eventually_async, run_async

pytest.importorskip("mcp.client.client")

from mcp import StdioServerParameters  # noqa: E402
from mcp.client.client import Client  # noqa: E402

MODES = ("legacy", "auto", "2026-07-28")


def client(folder: Path, mode: str, *arguments: str) -> Any:
    parameters = StdioServerParameters(
        command=str(BINARY), args=["mcp", *arguments], cwd=str(folder), env=dict(os.environ)
    )
    return Client(parameters, mode=mode)  # type: ignore[arg-type]


@pytest.mark.parametrize("mode", MODES)
def test_a_client_looks_and_makes(clips: Path, tmp_path: Path, mode: str) -> None:
    async def conversation() -> None:
        async with client(clips, mode) as server:
            assert server.protocol_version == ("2025-11-25" if mode == "legacy" else "2026-07-28")
            tools = (await server.list_tools()).tools
            assert tools[0].name == "probe" and tools[0].output_schema
            probed = await server.call_tool("probe", {"path": "take.mp4"})
            assert probed.structured_content["tracks"][0]["width"] == 320
            shown = await server.call_tool("view_frames", {"path": "take.mp4", "times": [1, 2]})
            assert [each.type for each in shown.content] == ["text", "image", "text", "image"]
            steps: List[Tuple[float, Any, Any]] = []

            async def note(progress: float, total: Any, message: Any) -> None:
                steps.append((progress, total, message))

            output = tmp_path / "new.mp4"
            made = await server.call_tool(
                "export", {"path": "take.mp4", "output": str(output), "settings": {"width": 160}},
                progress_callback=note,
            )  # fmt: skip
            assert not made.is_error and output.exists()
            values = [step[0] for step in steps]
            assert values == sorted(set(values)) and all(value < 1 for value in values)
            assert all(total == 1 and "%" in message for _, total, message in steps)
            again = await server.call_tool("export", {"path": "take.mp4", "output": str(output)})
            assert again.is_error and "overwritten" in again.content[0].text
            missing = await server.call_tool("probe", {"path": "tak.mp4"})
            assert missing.is_error and "Did you mean" in missing.content[0].text
            templates = (await server.list_resource_templates()).resource_templates
            assert len(templates) == 2 and (await server.list_resources()).resources == []
            read = await server.read_resource("reelwire://frame/take.mp4?t=1")
            assert read.contents[0].mime_type == "image/jpeg"
            with pytest.raises(Exception, match="no tool"):
                await server.call_tool("nonsense", {})

    run_async(conversation())


@pytest.mark.parametrize("mode", MODES)
def test_a_client_cancels(clips: Path, long_take: Path, tmp_path: Path, mode: str) -> None:
    import anyio

    async def conversation() -> None:
        async with client(clips, mode, "--progress-interval", "0") as server:
            output = tmp_path / "new.mp4"
            begun = anyio.Event()

            async def note(*_: Any) -> None:
                begun.set()

            async def export() -> None:
                await server.call_tool(
                    "export",
                    {"path": str(long_take), "output": str(output), "settings": {"width": 960}},
                    progress_callback=note,
                )

            async with anyio.create_task_group() as group:
                group.start_soon(export)
                await begun.wait()
                group.cancel_scope.cancel()
            # It answers on, and nothing is left once the work has ended.
            assert not (await server.call_tool("probe", {"path": "take.mp4"})).is_error
            await eventually_async("an empty folder", lambda: os.listdir(tmp_path) == [])

    run_async(conversation())
