"""O: targets, and changes to them while an export runs. Much of it is in Tests/Faults."""

from __future__ import annotations

import shutil
from pathlib import Path

from checks import Alive, Process
from resource_faults import existing
from rows import Run, expect, row
from server import Checked, EngineError, Server
from child_processes import children_of, gone
from steps import leftovers
from support import is_whole
from waiting import HANG, eventually, pause


def begun(engine: Checked, source: Path, preset: str, target: Path) -> "tuple[str, int]":
    asset = engine.call("asset/open", url=str(source))["asset"]
    session = engine.call("exportSession/create", asset=asset, preset=preset, outputURL=str(target))[
        "exportSession"
    ]
    sent = engine.send(
        "exportSession/export", exportSession=session, completion="response", progressInterval=0
    )
    return session, sent


@row("O1", "the target exists, or appears during the export: it is not touched", quick=True)
def existing_target(run: Run) -> None:
    with Server() as engine:
        for when in ("before", "during"):
            for preset in ("Passthrough", "LowQuality"):
                for number in range(run.amount(1, 10)):
                    run.case(
                        f"{when}, {preset} {number}",
                        target_appears,
                        run,
                        engine,
                        when,
                        preset,
                        f"{when} {number}",
                    )
        run.case("alive", Alive(run.media.good).check, engine)


def target_appears(run: Run, engine: Checked, when: str, preset: str, name: str) -> None:
    target = run.subfolder("out") / "there.mp4"
    if when == "before":
        target.write_bytes(b"mine")
    try:
        _, sent = begun(engine, run.media.good, preset, target)
        if when == "during":
            pause(run.random(name).uniform(0, 0.05))
            if not target.exists():
                try:
                    with target.open("xb") as file:
                        file.write(b"mine")
                except FileExistsError:
                    pass
        ended = engine.result(sent)
        outcome = ended["error"]["data"]["name"] if "error" in ended else ended["status"]
    except EngineError as error:
        outcome = str(error.data["name"])
    run.count(outcome)
    isMine = target.read_bytes() == b"mine"
    expect(outcome in ("fileAlreadyExists", "completed"), outcome)
    expect(
        isMine == (outcome == "fileAlreadyExists"),
        f"{outcome}, and the bytes are {'mine' if isMine else 'others'}",
    )
    expect(when == "during" or isMine, "an existing file was replaced")
    target.unlink()
    expect(leftovers(target.parent) == [], str(leftovers(target.parent)))
    for handle in engine.call("handle/list")["handles"]:
        engine.call("handle/close", handle=handle["handle"])


@row("O2", "the target is a source, by any name")
def source_is_target(run: Run) -> None:
    existing(run, "test_export_names.py::test_a_source_is_no_target")


@row("O3", "two exports to one target: one completes")
def same_target(run: Run) -> None:
    existing(run, "test_export_names.py::test_two_exports_to_one_target")


@row("O4", "links planted at the target: what they lead to is unchanged")
def planted_links(run: Run) -> None:
    existing(run, "test_export_names.py::test_links_that_somebody_plants")


@row("O5", "the engine is killed at a random time: the target is absent or whole", quick=True)
def killed(run: Run) -> None:
    for number in range(run.amount(3, 60)):
        run.case(f"kill {number}", killed_export, run, f"kill {number}")
    if not run.options.isQuick:
        existing(
            run,
            "test_export_ends.py::test_killed_at_any_time",
            "test_writer_faults.py::test_killed_at_any_time",
        )


def killed_export(run: Run, name: str) -> None:
    numbers = run.random(name)
    folder = run.subfolder("killed")
    engine = Server()
    try:
        begun(
            engine,
            run.media.long,
            numbers.choice(["Passthrough", "LowQuality", "HighestQuality"]),
            folder / "out.mp4",
        )
        pause(numbers.choice([numbers.uniform(0, 0.05), numbers.uniform(0, 0.5)]))
        pids = children_of(engine.process.pid)
        engine.process.kill()
        engine.process.wait(HANG)
        gone(pids)
    finally:
        engine.kill()
    target = folder / "out.mp4"
    run.count("whole" if target.exists() else "absent")
    expect(not target.exists() or is_whole(target), "a part of the file")
    target.unlink(missing_ok=True)
    expect(leftovers(folder) == [], f"left behind: {leftovers(folder)}")


@row("O6", "an export is cancelled at a random time: one end; no file or a whole one", quick=True)
def cancelled(run: Run) -> None:
    with Server() as engine:
        for number in range(run.amount(8, 500)):
            run.case(f"cancel {number}", cancelled_export, run, engine, f"cancel {number}")
        run.case("alive", Alive(run.media.good).check, engine)
        run.case("ends", engine.check_ends)


def cancelled_export(run: Run, engine: Checked, name: str) -> None:
    numbers = run.random(name)
    folder = run.subfolder("cancelled")
    target = folder / "out.mp4"
    asset = engine.call("asset/open", url=str(run.media.good))["asset"]
    preset = numbers.choice(["Passthrough", "LowQuality"])
    session = engine.call("exportSession/create", asset=asset, preset=preset, outputURL=str(target))[
        "exportSession"
    ]
    started = engine.call("exportSession/export", exportSession=session, progressInterval=0)
    pause(numbers.choice([0, numbers.uniform(0, 0.02), numbers.uniform(0, 0.4)]))
    way = numbers.choice(["cancel", "close", "close the asset"])
    if way == "cancel":
        engine.call("exportSession/cancel", exportSession=session)
    handles = [session, asset] if way != "close the asset" else [asset, session]
    if way != "cancel":
        engine.call("handle/close", handle=handles.pop(0))
    ended = engine.operation(started["operation"])
    for handle in handles:
        engine.call("handle/close", handle=handle)
    run.count(f"{way}: {ended['status']}")
    expect(
        target.exists() == (ended["status"] == "completed"),
        f"{ended['status']}, and the target is {target.exists()}",
    )
    expect(not target.exists() or is_whole(target), "a part of the file")
    target.unlink(missing_ok=True)
    expect(leftovers(folder) == [], f"left behind: {leftovers(folder)}")
    engine.check_ends()


@row("O7", "the target's folder is removed or renamed during the export", quick=True)
def folder_goes(run: Run) -> None:
    with Server() as engine:
        for what in ("renamed", "removed", "replaced by a link"):
            for number in range(run.amount(1, 8)):
                run.case(f"{what} {number}", folder_gone, run, engine, what, f"{what} {number}")
        run.case("alive", Alive(run.media.good).check, engine)


def holds(engine: Checked, folder: Path) -> bool:
    """True if a process of the engine has a folder open, or a file in it."""
    engine.stats()
    pid = engine.process.pid
    found = [Process.of(each) for each in [pid, *children_of(pid)]]
    opened = [path for process in found if process for path in process.descriptors]
    return any(path.startswith(str(folder)) for path in opened)


def folder_gone(run: Run, engine: Checked, what: str, name: str) -> None:
    numbers = run.random(name)
    folder, other, elsewhere = (run.folder / part for part in ("target", "other", "elsewhere"))
    folder.mkdir()
    elsewhere.mkdir()
    _, sent = begun(engine, run.media.good, "LowQuality", folder / "out.mp4")
    pause(numbers.uniform(0.02, 0.15))
    if what == "replaced by a link":
        # If the link is there before the output is open, the target's path names the link.
        eventually("an open output", lambda: sent in engine.answers or holds(engine, folder))
    if what == "removed":
        shutil.rmtree(folder, ignore_errors=True)
    else:
        folder.rename(other)
        if what == "replaced by a link":
            folder.symlink_to(elsewhere)
    ended = engine.result(sent)
    outcome = ended["error"]["data"]["name"] if "error" in ended else ended["status"]
    run.count(f"{what}: {outcome}")
    written = [
        path
        for place in (folder, other)
        for path in place.glob("*")
        if place.exists() and not place.is_symlink()
    ]
    expect(leftovers(elsewhere) == [], "it was written elsewhere")
    if outcome == "completed" and what != "removed":
        expect(len(written) == 1 and is_whole(written[0]), f"completed: {written}")
    elif outcome != "completed":
        expect(written == [], f"{outcome}: {written}")
    for place in (folder, other, elsewhere):
        if place.is_symlink():
            place.unlink()
        shutil.rmtree(place, ignore_errors=True)
    for handle in engine.call("handle/list")["handles"]:
        engine.call("handle/close", handle=handle["handle"])


@row("O8", "folders with odd names, and the index before the media")
def odd_folders(run: Run) -> None:
    existing(run, "test_export_names.py::test_odd_names")
