"""The process and its messages, against an engine that plays a script."""

import asyncio
import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from conftest import run
from waiting import HANG, eventually, joined

import reelwire
from reelwire.pipes import Lines


def test_lines_of_any_length_cut_anywhere():
    text = b"one\n\ntwo\r\n" + b"x" * 300_000 + b"\nrest"
    for step in (1, 2, 7, 65536, len(text)):
        piece = text[:20] + text[-20:] if step < 7 and len(text) > 1000 else text
        lines = Lines()
        found = [
            line for at in range(0, len(piece), step) for line in lines.feed(piece[at : at + step])
        ]
        assert b"\n".join([*found, lines.end()]) == piece


def test_a_line_of_megabytes_arrives(fake):
    with reelwire.Engine(**fake({"big": [[{"result": "x" * 5_000_000}]]}).options) as engine:
        assert len(engine.request("big")) == 5_000_000


def test_answers_out_of_order_find_their_requests(fake):
    script = {"ask": [[{"hold": 1}], [{"hold": 1}], [{"hold": 1}, {"answer_held": "late"}]]}

    async def job():
        async with reelwire.AsyncEngine(**fake(script).options) as engine:
            ended = []

            async def ask(number):
                await engine.request("ask", {"number": number})
                ended.append(number)

            await asyncio.gather(ask(1), ask(2), ask(3))
            assert ended == [3, 2, 1]

    run(job())


def test_pipelined_requests_are_sent_in_order(fake):
    played = fake({})

    async def job():
        async with reelwire.AsyncEngine(**played.options) as engine:
            await asyncio.gather(*(engine.request("n", {"n": n}) for n in range(500)))

    run(job())
    assert [message["params"]["n"] for message in played.messages("n")] == list(range(500))


def test_malformed_stderr_and_stdout_do_no_harm(fake):
    script = {
        "ask": [
            [
                {"stderr_hex": "ff fe 00 80 0a"},
                {"stderr": "x" * 100_000},
                {"raw": "this is no message\n\n"},
                {"result": 1},
            ]
        ]
    }
    with reelwire.Engine(**fake(script).options) as engine:
        assert engine.request("ask") == 1


def test_batches_and_what_nobody_asked_for(fake):
    raw = (
        '[{"jsonrpc":"2.0","id":99,"result":1},{"jsonrpc":"2.0","method":"what/ever"},'
        '{"jsonrpc":"2.0","id":null,"result":{}}]\n'
    )
    with reelwire.Engine(**fake({"ask": [[{"raw": raw}, {"result": 7}]]}).options) as engine:
        assert engine.request("ask") == 7


def test_an_error_becomes_its_class(fake):
    error = {"code": -11823, "message": "out.mp4 exists", "data": {"name": "fileAlreadyExists"}}
    with reelwire.Engine(**fake({"ask": [[{"error": error}]]}).options) as engine:
        with pytest.raises(FileExistsError, match=r"out\.mp4 exists"):
            engine.request("ask")
        assert engine.request("other") == {}


@pytest.mark.parametrize(
    ("action", "exit_code", "signal_name"),
    [({"exit": 3}, 3, None), ({"kill": 9}, None, "SIGKILL"), ({"kill": 11}, None, "SIGSEGV")],
)
def test_a_dead_engine_rejects_everything(fake, action, exit_code, signal_name):
    script = {"ask": [[{"hold": 1}]], "die": [[{"stderr": "one\nlast words\n"}, action]]}

    async def job():
        async with reelwire.AsyncEngine(**fake(script).options) as engine:
            waiting = [asyncio.ensure_future(engine.request("ask")) for _ in range(5)]
            waiting.append(asyncio.ensure_future(engine.request("die")))
            errors = await asyncio.gather(*waiting, return_exceptions=True)
            assert all(isinstance(error, reelwire.EngineDiedError) for error in errors)
            assert isinstance(errors[0], ConnectionError)
            assert (errors[0].exit_code, errors[0].signal) == (exit_code, signal_name)
            assert errors[0].stderr[-1] == "last words"
            assert "last words" in str(errors[0])
            with pytest.raises(reelwire.EngineDiedError):
                await engine.stats()
            assert engine.closed

    run(job())


def test_an_engine_that_dies_during_work_ends_the_work(fake):
    script = {
        "exportSession/export": [
            [
                {"result": {"operation": "operation:9"}},
                {
                    "notify": [
                        "exportSession/didProgress",
                        {"operation": "operation:9", "progress": 0.5},
                    ]
                },
                {"exit": 1},
            ]
        ]
    }
    with reelwire.Engine(**fake(script).options) as engine:
        seen = []
        with pytest.raises(reelwire.EngineDiedError):
            engine.open("a.mp4").export("b.mp4", progress=seen.append)
        assert seen == [0.5]


def test_an_engine_that_dies_at_once_says_why(fake):
    script = {"initialize": [[{"stderr": "wrong FFmpeg\n"}, {"exit": 3}]]}
    with pytest.raises(reelwire.EngineDiedError, match="wrong FFmpeg") as caught:
        reelwire.Engine(**fake(script).options)
    assert caught.value.exit_code == 3


def test_what_is_no_program(tmp_path, monkeypatch):
    with pytest.raises(FileNotFoundError, match="the argument"):
        reelwire.Engine(tmp_path / "nothing")
    monkeypatch.setenv("REELWIRE_BINARY", str(tmp_path))
    with pytest.raises(reelwire.BinaryNotFoundError, match="REELWIRE_BINARY"):
        reelwire.Engine()


def test_the_program_is_found_by_variable_and_path(fake, tmp_path, monkeypatch):
    program = str(fake({}).options["binary"])
    monkeypatch.setenv("REELWIRE_BINARY", program)
    assert reelwire.find_binary() == program
    monkeypatch.delenv("REELWIRE_BINARY")
    os.link(program, tmp_path / "reelwire")
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    # A package with an engine has it first.
    own = Path(reelwire.__file__).parent / "bin/reelwire"
    assert reelwire.find_binary() == str(own if own.exists() else tmp_path / "reelwire")


def test_cancelling_a_task_cancels_the_request(fake):
    played = fake({"ask": [[{"hold": 1}]]})

    async def job():
        async with reelwire.AsyncEngine(**played.options) as engine:
            task = asyncio.ensure_future(engine.request("ask"))
            while not played.messages("ask"):
                await engine.request("tick")
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            assert await engine.request("other") == {}

    run(job())
    identifier = played.messages("ask")[0]["id"]
    assert [m["params"] for m in played.messages("$/cancelRequest")] == [{"id": identifier}]


@pytest.mark.parametrize(
    "method, noun",
    [
        ("asset/open", "asset"),
        ("composition/assemble", "composition"),
        ("composition/import", "composition"),
        ("library/fetch", "fetchResult"),
        ("player/addPeriodicTimeObserver", "timeObserver"),
        ("sampleCursor/copy", "sampleCursor"),
    ],
)
def test_what_comes_too_late_is_given_back(fake, method, noun):
    """The engine made an object and leased memory although the requests were cancelled."""
    buffers = {"sampleBuffers": [{"blob": {"$shm": "late"}}], "endOfStream": False}
    played = fake(
        {
            method: [[{"hold": 1}]],
            "assetReader/nextSampleBuffers": [[{"hold": 1}]],
            "$/cancelRequest": [[]],
            "answer": [[{"answer_held": {noun: "made:7", **buffers}}, {"result": 0}]],
        }
    )

    async def job():
        async with reelwire.AsyncEngine(**played.options) as engine:
            tasks = [
                asyncio.ensure_future(engine.request(method)),
                asyncio.ensure_future(engine.request("assetReader/nextSampleBuffers")),
            ]
            await engine.request("tick")
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            await engine.request("answer")
            assert (await engine.stats())["leases"] == 0

    run(job())
    assert played.messages("handle/close")[0]["params"] == {"handle": "made:7"}
    assert played.messages("blob/release")


def test_ctrl_c_cancels_and_the_engine_lives_on(fake):
    played = fake({"ask": [[{"hold": 1}]]})
    with reelwire.Engine(**played.options) as engine:

        def interrupt():
            eventually("a request", lambda: played.messages("ask"))
            os.kill(os.getpid(), signal.SIGINT)

        thread = threading.Thread(target=interrupt)
        thread.start()
        with pytest.raises(KeyboardInterrupt):
            engine.request("ask")
        joined(thread)
        assert engine.request("other") == {}
    assert len(played.messages("$/cancelRequest")) == 1


def test_the_engine_is_not_in_the_terminals_process_group(fake):
    with reelwire.Engine(**fake({}).options) as engine:
        assert os.getpgid(engine.pid) != os.getpgid(0)


def test_closing_is_in_good_order_and_final(fake):
    played = fake({"ask": [[{"hold": 1}]]})

    async def job():
        engine = await reelwire.AsyncEngine(**played.options).start()
        waiting = asyncio.ensure_future(engine.request("ask"))
        await engine.request("tick")
        await engine.close()
        await engine.close()
        with pytest.raises(reelwire.EngineClosedError):
            await waiting
        with pytest.raises(reelwire.EngineClosedError):
            await engine.stats()

    run(job())
    assert [message["method"] for message in played.messages()][-2:] == ["shutdown", "exit"]


def test_a_deaf_engine_is_ended_by_force(fake):
    with reelwire.Engine(**fake({"ask": [[{"result": 1}, {"deaf": "for ever"}]]}).options) as engine:
        engine.request("ask")
        pid = engine.pid
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


def test_a_full_pipe_stops_the_sender_and_not_the_loop(fake):
    """The engine reads nothing while more is sent than pipes hold; everything is answered later."""
    played = fake({"ask": [[{"result": 1}, {"deaf": "until the pipe is full"}]]})

    async def job():
        async with reelwire.AsyncEngine(**played.options) as engine:
            await engine.request("ask")
            payload = "x" * 10_000
            jobs = [engine.request("n", {"payload": payload}) for _ in range(100)]
            assert len(await asyncio.gather(*jobs)) == 100

    run(job())


def test_the_sync_face_serves_many_threads(fake):
    with reelwire.Engine(**fake({}).options) as engine:
        answers = []

        def ask():
            answers.extend(engine.request("n") for _ in range(50))

        threads = [threading.Thread(target=ask) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            joined(thread)
        assert answers == [{}] * 400


def test_a_program_that_forgets_to_close_ends_quietly(fake):
    program = fake({}).options["binary"]
    code = (
        "import reelwire, sys\n"
        f"engine = reelwire.Engine({str(program)!r})\n"
        "asset = engine.open('a.mp4')\n"
        "print(engine.pid)\n"
    )
    ended = subprocess.run(
        [sys.executable, "-W", "error", "-c", code],
        capture_output=True,
        text=True,
        timeout=HANG,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )
    assert (ended.returncode, ended.stderr) == (0, "")
    with pytest.raises(ProcessLookupError):
        os.kill(int(ended.stdout), 0)


def test_the_log_of_the_engine_goes_to_logging(fake, caplog):
    log = {"level": "warning", "logger": "libav", "message": "hm"}
    played = fake({"ask": [[{"notify": ["engine/log", log]}, {"result": 1}]]})
    with caplog.at_level("WARNING", "reelwire"), reelwire.Engine(**played.options) as engine:
        engine.request("ask")
    assert [(record.name, record.message) for record in caplog.records] == [
        ("reelwire.libav", "hm")
    ]


@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
def test_a_forked_process_has_no_engine(fake):
    """It must neither hang nor end the parent's engine."""
    with reelwire.Engine(**fake({}).options) as engine:
        asset = engine.open("a.mp4")
        child = os.fork()
        if child == 0:
            code = 1
            try:
                asset.load("duration")
            except reelwire.EngineClosedError:
                engine.close()
                code = 0
            finally:
                os._exit(code)
        assert os.waitpid(child, 0)[1] == 0
        assert engine.request("other") == {}


def test_an_engine_closed_in_the_middle(fake):
    with reelwire.Engine(**fake({}).options) as engine:
        with engine.open("a.mp4") as asset:
            engine.close()
            with pytest.raises(reelwire.EngineClosedError):
                asset.load("duration")
