"""A method is a call of both clients as soon as it is declared."""

import re

import clientcalls
import pytest
from clientcalls import BY_HAND, COMPUTED, Rule, calls
from conftest import ROOT
from model import GeneratorError
from nodecalls import NodeCalls
from pythoncalls import PythonCalls

PYTHON, NODE = ROOT / "clients/python/src/reelwire", ROOT / "clients/node/src"


def _ref(name):
    return {"$ref": f"#/components/schemas/{name}"}


def _declare(document, name, params, result, **more):
    """Adds a method; ``params`` are schemas by name, with a ``?`` after it where it is optional."""
    document["methods"].append(
        {
            "name": name,
            "summary": "Does something new.",
            "params": [
                {
                    "name": each.rstrip("?"),
                    "description": f"What `{each.rstrip('?')}` is.",
                    "required": not each.endswith("?"),
                    "schema": schema,
                }
                for each, schema in params.items()
            ],
            "result": {"name": "result", "schema": result},
            **more,
        }
    )


@pytest.fixture
def new(document):
    """The document with a new method, whose params and result are converted."""
    document["components"]["schemas"]["AssetNewestResult"] = {
        "type": "object",
        "properties": {
            "time": {**_ref("Time"), "description": "When."},
            "range": {**_ref("TimeRange"), "description": "How long."},
            "isNewest": {"type": "boolean", "description": "Whether it is."},
        },
        "required": ["time", "isNewest"],
    }
    params = {
        "asset": _ref("AssetHandle"),
        "startTime": _ref("TimeInput"),
        "trackID?": {"type": "integer"},
        "mediaTypes?": {"type": "array", "items": _ref("MediaType")},
        "timeRange?": _ref("TimeRangeInput"),
        "delivery?": _ref("Delivery"),
    }
    _declare(document, "asset/newest", params, _ref("AssetNewestResult"))
    return document


def _text(document):
    return PythonCalls(document).write()


def test_a_new_method_is_there_in_python(new):
    text = _text(new)
    assert "    newest = blocking(AssetCalls.newest)\n" in text
    method = text[text.index("    async def newest(") :].split("\n\n    async def")[0]
    assert (
        """    async def newest(
        self,
        start_time: TimeLike,
        *,
        track: TrackLike | None = None,
        media_types: Iterable[protocol.MediaType] | None = None,
        time_range: TimeRangeLike | None = None,
        delivery: DeliveryLike | None = None,
    ) -> AssetNewest:
"""
        in method
    )
    assert (
        """            given(
                asset=self.handle,
                startTime=MediaTime.of(start_time).to_wire(),
                trackID=track_number(track),
                mediaTypes=listed(media_types),
                timeRange=time_range_to_wire(time_range),
                delivery=delivery_to_wire(delivery),
            ),
"""
        in method
    )
    assert "- ``start_time``: What ``start_time`` is." in method
    assert "    #: When.\n    time: MediaTime\n" in text
    assert "    range: TimeRange | None\n" in text
    compile(text, "calls.py", "exec")


def test_a_new_method_is_there_in_node(new):
    calls = NodeCalls(new)
    text = calls.module()
    method = text[text.index("  async newest(") :].split("\n\n  async")[0]
    assert method.startswith(
        """  async newest(startTime, options = {}) {
    const { track, mediaTypes, timeRange, signal } = checked('newest', options);
    const result = await this[send](
      'asset/newest',
      {
        asset: this.handle,
        startTime: MediaTime.of(startTime),
        trackID: trackIDOf(track),
        mediaTypes: listOf(mediaTypes),
        timeRange: rangeOrNone(timeRange),
        delivery: deliveryToWire(options),
      },
      { signal },
    );
    return { ...result, time: MediaTime.of(result.time), \
range: result.range && TimeRange.of(result.range) };
"""
    )
    assert (
        "  newest: ['track', 'mediaTypes', 'timeRange', 'delivery', 'path', 'signal'],\n"
        in calls.options()
    )
    declared = calls.declarations()
    assert "export interface AssetNewestOptions extends Cancellable, BytesOptions {" in declared
    assert "  mediaTypes?: MediaType | Iterable<MediaType>;" in declared
    assert (
        """  newest(
    startTime: TimeLike,
    options?: AssetNewestOptions,
  ): Promise<{ time: MediaTime; range?: TimeRange; isNewest: boolean }>;
"""
        in declared
    )


def test_a_new_noun_has_a_class(document):
    document["components"]["schemas"]["MediaMixerHandle"] = {"type": "string"}
    params = {"mediaMixer": _ref("MediaMixerHandle")}
    _declare(document, "mediaMixer/stop", params, {"type": "object", "properties": {}})
    text = _text(document)
    assert 'class MediaMixerCalls(Remote):\n    """The calls of a media mixer."""' in text
    assert 'await self._request("mediaMixer/stop", given(mediaMixer=self.handle))' in text
    assert "export class MediaMixerCalls extends Remote {" in NodeCalls(document).module()


def test_work_that_nobody_wrapped_is_waited_for(document):
    params = {"asset": _ref("AssetHandle"), "completion?": _ref("Completion")}
    result = {"anyOf": [_ref("OperationStarted"), _ref("WaveformDidFinish")]}
    _declare(document, "asset/prepare", params, result, **{"x-terminal": "asset/didPrepare"})
    text = _text(document)
    assert "async def prepare(self) -> protocol.WaveformDidFinish:" in text
    assert '"asset/prepare", given(asset=self.handle, completion="response")' in text
    node = NodeCalls(document)
    assert "{ asset: this.handle, completion: 'response' }" in node.module()
    assert "prepare(options?: Cancellable): Promise<WaveformDidFinish>;" in node.declarations()


def test_two_calls_of_one_name_are_refused(document):
    _declare(document, "engine/presets", {}, {"type": "null"})
    with pytest.raises(GeneratorError, match="exportSession/presets.* both presets of engine"):
        calls(document)


@pytest.mark.parametrize("table", ["BY_HAND", "RULES"])
def test_a_table_with_a_method_that_does_not_exist_is_refused(document, monkeypatch, table):
    monkeypatch.setitem(getattr(clientcalls, table), "asset/nothing", Rule())
    with pytest.raises(GeneratorError, match="asset/nothing, which does not exist"):
        calls(document)


@pytest.mark.parametrize(
    "rule",
    [Rule(arguments={"x": "y"}), Rule(defaults={"x": 1}), Rule(positional=("x",)), Rule(returns=("x",))],
)
def test_a_rule_of_what_a_method_lacks_is_refused(document, monkeypatch, rule):
    monkeypatch.setitem(clientcalls.RULES, "sampleCursor/step", rule)
    with pytest.raises(GeneratorError, match=r"sampleCursor/step"):
        calls(document)


@pytest.mark.parametrize(
    ("folder", "pattern", "generated", "quote"),
    [
        # Hints name methods and send none.
        (PYTHON, "*.py", ("calls.py", "protocol.py", "hints.py"), '"'),
        (NODE, "*.js", ("calls.js", "protocol.js", "hints.js"), "'"),
    ],
)
def test_what_is_generated_is_not_written_by_hand_too(
    document, folder, pattern, generated, quote
):
    files = [path for path in folder.glob(pattern) if path.name not in generated]
    text = "".join(path.read_text() for path in files)
    names = {method["name"] for method in document["methods"]}
    sent = {name for name in names if f"{quote}{name}{quote}" in text}
    made = {call.method for call in calls(document)}
    assert sent & made == set()
    notifications = {"exit", "$/cancelRequest", "blob/release", "resource/didRead"}
    assert sent == set(BY_HAND) | notifications


def test_what_is_computed_is_not_sent(document):
    names = {call.method for call in calls(document)}
    assert not any(re.match(rf"({'|'.join(COMPUTED)})/", name) for name in names)
    assert len(names) + len(BY_HAND) > 50
