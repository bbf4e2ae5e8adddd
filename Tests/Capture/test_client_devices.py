"""Default devices of the clients: those of an audio server and an X server of the tests."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any, Dict, Iterator, List

import pytest

from engine import binary
from pulse_server import AudioServer, needs_audio_server
from sessions import probe
from waiting import HANG
from x_server import Display, needs_x_server

CLIENTS = Path(__file__).resolve().parents[2] / "clients"
NOWHERE = {"PULSE_SERVER": "unix:/nonexistent", "DISPLAY": ":987"}

PYTHON = """
import json, numpy, reelwire

with reelwire.Engine(allow_capture=("screen", "microphone", "camera")) as engine:
    with engine.capture(screen=True, microphone="default") as session:
        print(json.dumps([each["device"] for each in session.state().inputs]))
        with session.observe_levels(0.05) as levels:
            result = session.record("a.mp4", max_recorded_duration=0.5).result()
            print(json.dumps([len(each.channels) for each in levels.arrived()][:1]))
        for frame in session.frames(width=160):
            print(json.dumps(list(numpy.asarray(frame).shape)))
            break
    with engine.audio_recorder("a.wav") as recorder:
        recorder.record(for_duration=0.25)
        print(json.dumps([recorder.wait_until_finished().successfully]))
"""

NODE = """
import { Engine } from 'CLIENT';

const engine = await Engine.launch({ allowCapture: ['screen', 'microphone', 'camera'] });
const session = await engine.capture({ screen: true, microphone: 'default' });
console.log(JSON.stringify((await session.state()).inputs.map(({ device }) => device)));
const observer = await session.observeLevels({ interval: 0.05 });
const recording = await session.record('a.mp4', { maxRecordedDuration: 0.5 });
await recording.result();
console.log(JSON.stringify(observer.arrived().slice(0, 1).map(({ channels }) => channels.length)));
for await (const { image } of session.frames({ width: 160 })) {
  console.log(JSON.stringify([image.height, image.width, 3]));
  break;
}
await session.close();
const recorder = await engine.audioRecorder('a.wav');
await recorder.record({ forDuration: 0.25 });
console.log(JSON.stringify([(await recorder.untilFinished()).successfully]));
await engine.close();
"""

MISSING_IN_PYTHON = """
import reelwire

with reelwire.Engine(allow_capture=("all",)) as engine:
    for kind in ("microphone", "screen"):
        try:
            engine.capture(**{kind: True})
        except reelwire.DeviceNotConnectedError as error:
            print(f"there is no {kind}" in str(error), bool(error.hint))
    print(engine.handles())
"""

MISSING_IN_NODE = """
import { DeviceNotConnectedError, Engine } from 'CLIENT';

const engine = await Engine.launch({ allowCapture: ['all'] });
for (const kind of ['microphone', 'screen']) {
  await engine.capture({ [kind]: true }).catch((error) => {
    const isRight = error instanceof DeviceNotConnectedError && error.message.includes(`there is no ${kind}`);
    console.log(isRight ? 'True' : 'False', error.hint ? 'True' : 'False');
  });
}
console.log(JSON.stringify(await engine.handles()));
await engine.close();
"""

LANGUAGES = ["python", "node"]


def run(language: str, program: str, folder: Path, variables: Dict[str, str]) -> str:
    """The output of a program that uses the client of its language."""
    if language == "node" and not shutil.which("node"):
        pytest.skip("Node isn't installed")
    index = CLIENTS / "node/src/index.js"
    command = {
        "python": [sys.executable, "-W", "error", "-c", program],
        "node": ["node", "--input-type=module", "-e", program.replace("CLIENT", str(index))],
    }[language]
    here = {"REELWIRE_BINARY": binary(), "PYTHONPATH": str(CLIENTS / "python/src")}
    ended = subprocess.run(
        command, cwd=folder, env={**os.environ, **here, **variables}, capture_output=True,
        text=True, timeout=HANG,
    )  # fmt: skip
    assert (ended.returncode, ended.stderr) == (0, "")
    return ended.stdout


@pytest.fixture
def machine(tmp_path: Path) -> Iterator[Dict[str, str]]:
    """The environment of a machine with a screen and a microphone."""
    server, display = AudioServer(tmp_path), Display()
    yield {
        "PULSE_SERVER": server.environment["PULSE_SERVER"],
        "DISPLAY": f":{display.number}",
    }
    server.kill()
    display.kill()


@needs_audio_server
@needs_x_server
@pytest.mark.parametrize("language", LANGUAGES)
def test_defaults(machine: Dict[str, str], tmp_path: Path, language: str) -> None:
    folder = tmp_path / "made"
    folder.mkdir()
    printed = run(language, PYTHON if language == "python" else NODE, folder, machine)
    devices, levels, shape, successfully = map(json.loads, printed.splitlines())
    assert sorted(devices) == ["pulse:out.monitor", f"screen:{machine['DISPLAY'][1:]}.0"]
    assert levels == [2] and shape == [120, 160, 3] and successfully == [True]
    streams: List[Dict[str, Any]] = probe(folder / "a.mp4")["streams"]
    sizes = {each["codec_type"]: (each.get("width"), each.get("channels")) for each in streams}
    assert sizes == {"video": (320, None), "audio": (None, 2)}
    (audio,) = probe(folder / "a.wav")["streams"]
    # The drift of the device's clock, which is corrected by half a percent at most, is in it.
    assert float(audio["duration"]) == pytest.approx(0.25, rel=0.005)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_default_that_is_not_there(tmp_path: Path, language: str) -> None:
    program = MISSING_IN_PYTHON if language == "python" else MISSING_IN_NODE
    assert run(language, program, tmp_path, NOWHERE).splitlines() == ["True True", "True True", "[]"]
