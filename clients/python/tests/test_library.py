"""Libraries: folders of media, queries of their items, and changes of these."""

import asyncio
import copy
import datetime
import gc
import inspect
import os
import pickle
import random
import shutil
import sys
import types
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import get_type_hints

import pytest
from conftest import _ffmpeg, nothing_left, nothing_left_async, probe, run
from waiting import eventually, eventually_async

import reelwire
from reelwire import MediaTime, Q, protocol
from reelwire.library_item import ITEM_KEYS
from reelwire.library_live import edited
from reelwire.library_predicate import date_from_wire

UTC = datetime.timezone.utc
#: The recording date in the metadata of the lake.
RECORDED = datetime.datetime(2021, 5, 1, 12, 30, tzinfo=UTC)


# Values


@pytest.mark.parametrize(
    ("comparison", "wire"),
    [
        ({"title": "Lake"}, ("title", "is", "Lake")),
        ({"title__is": "Lake"}, ("title", "is", "Lake")),
        ({"title__not": "Lake"}, ("title", "isNot", "Lake")),
        ({"title__contains": "lake"}, ("title", "contains", "lake")),
        ({"name__startswith": "a"}, ("name", "beginsWith", "a")),
        ({"video_codec__in": ("h264", "hevc")}, ("videoCodec", "in", ["h264", "hevc"])),
        ({"videoCodec__in": iter(["h264"])}, ("videoCodec", "in", ["h264"])),
        ({"duration__lt": 60}, ("duration", "lessThan", 60)),
        ({"duration__gt": Fraction(1, 2)}, ("duration", "greaterThan", 0.5)),
        ({"duration__gt": Decimal("0.5")}, ("duration", "greaterThan", 0.5)),
        ({"duration__gt": MediaTime(3, 2)}, ("duration", "greaterThan", 1.5)),
        ({"duration__gt": datetime.timedelta(minutes=2)}, ("duration", "greaterThan", 120)),
        ({"width__between": range(3, 5)}, ("width", "between", [3, 4])),
        ({"gps__exists": False}, ("gps", "exists", False)),
        ({"title": None}, ("title", "exists", False)),
        ({"title__not": None}, ("title", "exists", True)),
        ({"itsk/©nam__contains": "x"}, ("itsk/©nam", "contains", "x")),
        ({"creation_date__gt": datetime.date(2021, 5, 1)}, ("creationDate", "greaterThan", "2021-05-01")),
        ({"creationDate": "2021"}, ("creationDate", "is", "2021")),
        ({"added_at": RECORDED}, ("addedAt", "is", "2021-05-01T12:30:00Z")),
        (
            {"added_at": datetime.datetime.fromisoformat("2021-05-01T00:30:00.250000+02:00")},
            ("addedAt", "is", "2021-04-30T22:30:00.250000Z"),
        ),
        ({"folder": Path("/media/../videos")}, ("folder", "is", "/videos")),
    ],
)
def test_a_comparison_as_the_protocol_writes_it(comparison, wire):
    assert Q(**comparison).to_wire() == dict(zip(("key", "op", "value"), wire))


def test_a_naive_date_is_local_time(monkeypatch):
    monkeypatch.setenv("TZ", "EST5")
    import time

    time.tzset()
    try:
        asked = Q(added_at=datetime.datetime(2021, 5, 1, 12)).to_wire()
    finally:
        monkeypatch.undo()
        time.tzset()
    assert asked["value"] == "2021-05-01T17:00:00Z"


def test_or_equal_is_one_of_two():
    for operator, op in (("lte", "lessThan"), ("gte", "greaterThan")):
        assert Q(**{f"width__{operator}": 3}).to_wire() == {
            "any": [
                {"key": "width", "op": op, "value": 3},
                {"key": "width", "op": "is", "value": 3},
            ]
        }


def test_predicates_are_combined_without_needless_depth():
    a, b, c = Q(width=1), Q(width=2), Q(width=3)
    wires = [each.to_wire() for each in (a, b, c)]
    assert (a & b & c).to_wire() == Q(a, b, width=3).to_wire() == {"all": wires}
    assert (a | b | c).to_wire() == (a | (b | c)).to_wire() == {"any": wires}
    assert ((a | b) & c).to_wire() == {"all": [{"any": wires[:2]}, wires[2]]}
    assert (~(a & b)).to_wire() == {"not": {"all": wires[:2]}}
    assert ~~a == a
    assert hash(~~a) == hash(a)
    assert a != b
    assert a != 1
    assert Q().is_empty
    assert not a.is_empty
    assert Q().to_wire() == {"all": []}
    assert Q() | a == a | Q() == Q() & a == a & Q() == Q(a) == a
    assert Q.text("evening lake").to_wire() == {"text": "evening lake"}
    assert repr(~(a | Q.text("x")) & b) == "Q((~(width is 1 | text 'x') & width is 2))"
    with pytest.raises(TypeError):
        a & 1
    with pytest.raises(TypeError):
        a | 1


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Q(title__startwith="x"), "did you mean startswith"),
        (lambda: Q(title__xyzzy="x"), "there are is, not"),
        (lambda: Q(title__contains=None), "title__contains needs a value"),
        (lambda: Q(width__in=3), "several values"),
        (lambda: Q(name__in="abc"), "several values"),
        (lambda: Q(width__between=(1, 2, 3)), "two values, not 3"),
        (lambda: Q(title=b"x"), "not bytes"),
        (lambda: Q({"width": 1}), "a Q, not dict"),
    ],
)
def test_what_is_no_predicate(make, message):
    with pytest.raises(TypeError, match=message):
        make()


@pytest.mark.parametrize(
    ("text", "date"),
    [
        ("2021-05-01T12:30:00Z", RECORDED),
        ("2021-05-01T12:30:00.25Z", RECORDED.replace(microsecond=250000)),
        ("2021-05-01T12:30:00.000001Z", RECORDED.replace(microsecond=1)),
        ("0000-12-31T00:00:00Z", None),
        (None, None),
    ],
)
def test_a_date_of_the_engine(text, date):
    assert date_from_wire(text) == date


def _changed(old, new, moves):
    """A change from one list to another, with the order of the remaining items as one move after the other."""
    wire = {
        "removed": [index for index, each in enumerate(old) if each not in new],
        "inserted": [index for index, each in enumerate(new) if each not in old],
        "moves": [],
    }
    rest = iter([each for each in old if each in new])
    now = [each if each not in old else next(rest) for each in new]
    for index, each in enumerate(new):
        at = now.index(each)
        if at != index:
            now.insert(index, now.pop(at))
            wire["moves"].append({"from": at, "to": index})
            moves.append(1)
    return wire


def test_changes_are_applied_in_their_order():
    source, moves = random.Random(7), []
    for _ in range(500):
        old = source.sample(range(12), source.randrange(12))
        new = source.sample(range(12), source.randrange(12))
        wire = _changed(old, new, moves)
        expected = [None if each not in old else each for each in new]
        assert edited(old, wire) == expected, (old, new, wire)
    assert len(moves) > 500


@pytest.mark.parametrize(
    "wire",
    [
        {"removed": [2], "inserted": [], "moves": []},
        {"removed": [], "inserted": [3], "moves": []},
        {"removed": [], "inserted": [], "moves": [{"from": 2, "to": 0}]},
        {"removed": [], "inserted": [], "moves": [{"from": 0, "to": 2}]},
    ],
)
def test_a_change_of_another_list_is_not_applied(wire):
    assert edited(["a", "b"], wire) is None


def _wire(identifier, **members):
    return {"item": identifier, "name": f"{identifier}.mp4", "url": f"/m/{identifier}.mp4", **members}


def test_an_item_is_a_value():
    item = reelwire.LibraryItem(_wire("a"), None)
    other = reelwire.LibraryItem(_wire("a", width=3), None)
    assert item == other
    assert len({item, other, reelwire.LibraryItem(_wire("b"), None)}) == 2
    assert item != "a"
    for change in (lambda: setattr(item, "width", 3), lambda: delattr(item, "_wire")):
        with pytest.raises(AttributeError, match="values"):
            change()
    assert copy.copy(item) is copy.deepcopy(item) is item
    with pytest.raises(TypeError, match="library.item"):
        pickle.dumps(item)
    with pytest.raises(TypeError):
        item.metadata["title"] = "x"
    assert (item.width, item.duration, item.creation_date, item.error) == (None,) * 4
    path = os.fsdecode(b"/m/\xff a.mp4")
    assert reelwire.LibraryItem({"item": "a", "url": "file:///m/%FF%20a.mp4"}, None).path == path


def test_items_have_every_member():
    wire = set(get_type_hints(protocol.LibraryItem)) - {"item"}
    assert set(ITEM_KEYS.values()) == wire
    for attribute, key in ITEM_KEYS.items():
        shown = inspect.getsource(getattr(reelwire.LibraryItem, attribute).fget)
        assert f'get("{key}"' in shown or attribute == "path", attribute


# The requests, and the handling of the engine's reports

OPENED = {"library": "library:1", "itemCount": 3, "database": "/d/l.sqlite"}
COUNTS = {
    "seen": 0,
    "probed": 1,
    "added": 2,
    "changed": 3,
    "moved": 4,
    "missing": 5,
    "unreadable": 6,
    "unreadableFolders": 7,
    "unreadableLinks": 8,
}


def _script(**methods):
    return {
        "library/open": [[{"result": OPENED}]],
        **{name.replace("_", "/"): actions for name, actions in methods.items()},
    }


def _fetched(count, handle="fetchResult:1"):
    return {"fetchResult": handle, "count": count, "changeToken": 7}


def _items(*names):
    return {"result": {"items": [_wire(name) for name in names]}}


def test_paths_are_absolute(fake, tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", "/home/a")
    monkeypatch.chdir(tmp_path)
    played = fake(_script())
    with reelwire.Engine(**played.options) as engine:
        with engine.library() as library:
            library.add_folder("~/b", excluded="c")
            library.add_folder(Path("d"))
            library.remove_folder("~/b")
            library.cancel_scan()
        engine.library("~/Videos", Path("m"), database="~/l", watch=False, excluded=["x", "y"])
        with pytest.raises(TypeError, match="not bytes"):
            engine.library(b"m")
        with pytest.raises(TypeError, match="not int"):
            engine.library(database=3)
    here = str(tmp_path)
    assert [message.get("params") for message in played.messages("library/open")] == [
        None,
        {
            "database": "/home/a/l",
            "watch": False,
            "folders": [
                {"path": "/home/a/Videos", "excluded": ["x", "y"]},
                {"path": f"{here}/m", "excluded": ["x", "y"]},
            ],
        },
    ]
    assert [message["params"] for message in played.messages("library/addFolder")] == [
        {"library": "library:1", "path": "/home/a/b", "excluded": ["c"]},
        {"library": "library:1", "path": f"{here}/d"},
    ]
    (removed,) = played.messages("library/removeFolder")
    assert removed["params"] == {"library": "library:1", "path": "/home/a/b"}
    assert len(played.messages("library/cancelScan")) == 1


def test_a_query_asks_once_and_late(fake):
    played = fake(
        _script(
            library_fetch=[[{"result": _fetched(2)}], [{"result": _fetched(0, "fetchResult:2")}]],
            fetchResult_items=[[_items("a", "b")], [_items("a")]],
            fetchResult_index=[[{"result": {"index": 1}}], [{"result": {}}]],
            fetchResult_count=[[{"result": {"counts": [{"value": "h264", "count": 2}]}}]],
        )
    )
    with reelwire.Engine(**played.options) as engine, engine.library() as library:
        query = library.videos.where(duration__gt=60).where(Q(width=1) | Q(width=2), title="x")
        query = query.exclude(name="y").text("lake").order_by("width").limit(9)
        query = query.order_by("-creation_date", "name").limit(50)
        shown = repr(query)
        assert shown.startswith("<LibraryQuery video where Q((duration greaterThan 60 & ")
        assert shown.endswith(" by -creationDate, name limit 50>")
        assert played.messages("library/fetch") == []
        assert len(query) == query.count() == 2
        assert [item.name for item in query] == ["a.mp4", "b.mp4"]
        assert query.first().name == query.get(0).name == "a.mp4"
        assert "b" in query
        assert "c" not in query
        assert 3 not in query
        assert query.count(by="video_codec") == {"h264": 2}
        assert repr(query).endswith(" fetched 2>")
        assert len(played.messages("library/fetch")) == 1
        (sent,) = played.messages("library/fetch")
        assert not query.all()
        assert len(played.messages("library/fetch")) == 2
        assert query
        (asked,) = played.messages("fetchResult/count")
        assert asked["params"]["by"] == "videoCodec"
        del query
        gc.collect()
        engine.request("ask")
    assert sent["params"] == {
        "library": "library:1",
        "mediaType": "video",
        "predicate": {
            "all": [
                {"key": "duration", "op": "greaterThan", "value": 60},
                {
                    "any": [
                        {"key": "width", "op": "is", "value": 1},
                        {"key": "width", "op": "is", "value": 2},
                    ]
                },
                {"key": "title", "op": "is", "value": "x"},
                {"not": {"key": "name", "op": "is", "value": "y"}},
                {"text": "lake"},
            ]
        },
        "sort": [{"key": "creationDate", "ascending": False}, {"key": "name"}],
        "limit": 50,
    }
    closed = [message["params"]["handle"] for message in played.messages("handle/close")]
    assert sorted(closed) == ["fetchResult:1", "fetchResult:2", "library:1"]


def test_a_query_without_conditions_sends_none(fake):
    played = fake(_script(library_fetch=[[{"result": _fetched(0)}]]))
    with reelwire.Engine(**played.options) as engine, engine.library() as library:
        for query in (library.items, library.audio, library.images.where().order_by().limit(None)):
            assert len(query) == 0
            assert query.first() is None
            assert list(query) == []
        with pytest.raises(ValueError, match="0 or more"):
            library.items.limit(-1)
        with pytest.raises(TypeError, match="keys"):
            library.items.order_by(3)
    assert [message["params"] for message in played.messages("library/fetch")] == [
        {"library": "library:1"},
        {"library": "library:1", "mediaType": "audio"},
        {"library": "library:1", "mediaType": "image"},
    ]


def _asked(played):
    asked = [message["params"] for message in played.messages("fetchResult/items")]
    return [(params["start"], params["count"]) for params in asked]


def test_items_come_by_pages(fake):
    names = [str(number) for number in range(1200)]
    pages = [names[:500], names[500:1000], names[1000:]]
    played = fake(
        _script(
            library_fetch=[[{"result": _fetched(1200)}]],
            fetchResult_items=[[_items(*page)] for page in (*pages, *pages[::-1])],
        )
    )
    with reelwire.Engine(**played.options) as engine, engine.library() as library:
        items = library.items
        assert [item.identifier for item in items] == names
        whole = [(0, 500), (500, 500), (1000, 200)]
        assert _asked(played) == whole
        # The last page is first, and is the shorter one only from the beginning on.
        reversed_ = iter(reversed(items))
        next(reversed_)
        assert _asked(played)[3:] == [(700, 500)]


def test_slices_are_results_of_the_same_object(fake):
    played = fake(
        _script(
            library_fetch=[[{"result": _fetched(10)}]],
            fetchResult_items=[
                [_items("3", "4", "5", "6", "7")],
                [_items("3", "4", "5", "6", "7")],
                # One has been forgotten: the places are requested one by one.
                [_items("3", "5", "6", "7")],
                [_items("3")],
                [_items("5")],
                [_items("7")],
                [_items("9")],
                [{"result": {"items": []}}],
            ],
            fetchResult_index=[[{"result": {"index": 5}}]],
        )
    )
    with reelwire.Engine(**played.options) as engine, engine.library() as library:
        with library.items.fetch() as result:
            part = result[3:9:2]
            assert repr(part) == "<FetchResult 3 of 10 items>"
            assert (len(part), part.change_token) == (3, 7)
            assert [item.identifier for item in part] == ["3", "5", "7"]
            assert [item.identifier for item in part[::-1]] == ["7", "5", "3"]
            assert [item.identifier for item in part] == ["3", "5", "7"]
            assert part.index("5") == 1
            with pytest.raises(ValueError, match="isn't among"):
                result[:3].index("5")
            with pytest.raises(ValueError, match="slice"):
                part.count(by="name")
            assert part.count() == 3
            assert result[-1].identifier == "9"
            with pytest.raises(IndexError, match="forgotten"):
                result[0]
            with pytest.raises(IndexError, match="no item 10 among 10"):
                result[10]
            assert result.first() is None
            assert not result.closed
        assert result.closed
        assert part.closed
        with pytest.raises(reelwire.HandleClosedError):
            result[0]
    asked = [(3, 5), (3, 5), (3, 5), (3, 1), (5, 1), (7, 1), (9, 1), (0, 1)]
    assert _asked(played) == asked + [(place, 1) for place in range(10)]


def _scanned(result, **members):
    end = {"operation": "operation:1", "library": "library:1", "result": result, "counts": COUNTS}
    return {"notify": ["library/didScan", {**end, "errors": [], **members}]}


_STARTED = {"result": {"operation": "operation:1"}}
_PROGRESS = {"operation": "operation:1", "library": "library:1", "counts": COUNTS, "folder": "/m"}
_PROGRESSED = {"notify": ["library/didProgressScan", _PROGRESS]}


def test_a_scan_reports_and_ends(fake, capsys, monkeypatch):
    error = {"name": "fileFailedToParse", "message": "It is broken"}
    played = fake(
        _script(
            library_scan=[
                [_STARTED, _PROGRESSED, _scanned("succeeded", errors=[_wire("a", error=error)])],
                [_STARTED, _PROGRESSED, _scanned("succeeded")],
                [_STARTED, _scanned("cancelled")],
                [_STARTED, _scanned("failed", error={"code": -11863, "message": "Not there"})],
            ]
        )
    )
    with reelwire.Engine(**played.options) as engine, engine.library() as library:
        seen = []
        result = library.scan("/m", progress=seen.append)
        assert [(each.counts.added, each.folder) for each in seen] == [(2, "/m")]
        assert result.counts == reelwire.ScanCounts(*COUNTS.values()) == tuple(range(9))
        assert result.errors == [("/m/a.mp4", "a", ("fileFailedToParse", "It is broken"))]
        assert result.errors[0].error.name == "fileFailedToParse"
        monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
        library.scan(progress=True)
        assert "scan 0 files, 1 read: /m\n" in capsys.readouterr().err
        with pytest.raises(reelwire.OperationCancelledError):
            library.scan()
        with pytest.raises(reelwire.ContentIsUnavailableError, match="Not there"):
            library.scan()
    params = [message["params"] for message in played.messages("library/scan")]
    assert params[:2] == [{"library": "library:1", "folder": "/m"}, {"library": "library:1"}]


def test_what_progress_raises_cancels_a_scan(fake):
    played = fake(
        _script(
            library_scan=[[_STARTED, _PROGRESSED]],
            handle_close=[[{"result": {}}, _scanned("cancelled")], [{"result": {}}]],
        )
    )
    with reelwire.Engine(**played.options) as engine, engine.library() as library:
        with pytest.raises(ZeroDivisionError):
            library.scan(progress=lambda progress: 1 / 0)
    closed = [message["params"]["handle"] for message in played.messages("handle/close")]
    assert closed == ["operation:1", "library:1"]


def test_a_result_that_comes_too_late_is_closed(fake):
    played = fake(_script(library_fetch=[[{"hold": 1}]], late=[[{"answer_held": _fetched(1)}, {"result": 1}]]))

    async def job():
        async with reelwire.AsyncEngine(**played.options) as engine:
            async with await engine.library() as library:
                task = asyncio.ensure_future(library.items.fetch())
                await eventually_async("a fetch", lambda: played.messages("library/fetch"))
                # The engine answers though it was cancelled.
                engine.transport.notify = lambda *_: None
                task.cancel()
                with pytest.raises(asyncio.CancelledError):
                    await task
                await engine.request("late")
                await eventually_async("a close", lambda: played.messages("handle/close"))

    run(job())
    assert played.messages("handle/close")[0]["params"] == {"handle": "fetchResult:1"}


def _reported(*changes, token=8):
    params = {"library": "library:1", "changeToken": token, "fetchResults": list(changes)}
    return {"notify": ["library/didChange", params]}


def _change(count, removed=(), inserted=(), changed=(), moves=(), incremental=True, handle=1):
    return {
        "fetchResult": f"fetchResult:{handle}",
        "count": count,
        "hasIncrementalChanges": incremental,
        "removed": list(removed),
        "inserted": list(inserted),
        "changed": list(changed),
        "moves": [{"from": start, "to": end} for start, end in moves],
    }


def _names(items):
    return "".join(item.identifier for item in items)


#: For each: the items at first; the report; the items that are read then; the items in the end, and True if
#the lists count.
LIVE = {
    "incremental": (
        "abc",
        _change(3, removed=[0], inserted=[1], changed=[0], moves=[(2, 0), (2, 1)]),
        ["cxb"],
        ("cxb", True),
    ),
    "removed alone": ("abc", _change(2, removed=[1]), [], ("ac", True)),
    "too much": ("abc", _change(2, incremental=False), ["xy"], ("xy", False)),
    "of another list": ("abc", _change(2, removed=[7]), ["xy"], ("xy", False)),
    "of another length": ("abc", _change(9, removed=[1]), ["xy", ""], ("xy", False)),
    "already in it": ("abc", _change(4, inserted=[0]), ["b", "xabc"], ("xabc", False)),
    "another in its place": ("abc", _change(3, changed=[1]), ["x", "axc"], ("axc", False)),
    "gone": ("abc", _change(3, changed=[1]), ["", "ac"], ("ac", False)),
    "moved elsewhere": ("abc", _change(3, moves=[(0, 2)]), ["cab", "cab"], ("cab", False)),
}


@pytest.mark.parametrize(("before", "change", "reads", "after"), LIVE.values(), ids=LIVE)
def test_a_live_result_is_changed(fake, before, change, reads, after):
    items = [[_items(*before)], *([_items(*names)] for names in reads), [_items()]]
    played = fake(
        _script(
            library_fetch=[[{"result": _fetched(3)}]],
            fetchResult_items=items,
            go=[[_reported(change), {"result": 1}]],
        )
    )
    with reelwire.Engine(**played.options) as engine, engine.library() as library:
        with library.items.observe() as live:
            assert _names(live) == before
            assert live.index(before[1]) == 1
            engine.request("go")
            got = next(live.changes())
            names, is_incremental = after
            assert _names(got.items) == _names(live) == _names(live.items) == names
            assert got.has_incremental_changes is is_incremental
            if is_incremental:
                assert list(got.removed) == change["removed"]
                assert list(got.inserted) == change["inserted"]
                assert list(got.changed) == change["changed"]
                assert [{"from": start, "to": end} for start, end in got.moves] == change["moves"]
            else:
                assert (got.removed, got.inserted, got.changed, got.moves) == ((), (), (), ())
            assert (live[0].identifier, live[-1].identifier) == (names[0], names[-1])
            assert _names(live[1:]) == names[1:]
            assert live[0] in live
            assert reelwire.LibraryItem(_wire("z"), None) not in live
            with pytest.raises(ValueError, match="isn't among"):
                live.index("z")
        assert list(live.changes()) == []
        assert repr(live) == f"<LiveResult {len(names)} items closed>"
    (sent,) = played.messages("library/fetch")
    assert sent["params"] == {"library": "library:1", "observe": True}


def test_changes_that_come_before_the_result_are_not_lost(fake):
    # The one before the answer is of items that were not read yet; the other is applied to them.
    change = _change(2, inserted=[1])
    played = fake(
        _script(
            library_fetch=[
                [
                    _reported(_change(1, changed=[0])),
                    {"result": _fetched(1)},
                    _reported(_change(5, handle=99)),
                ]
            ],
            fetchResult_items=[
                [_reported(change), _items("a")],
                [_items("b")],
            ],
        )
    )
    with reelwire.Engine(**played.options) as engine, engine.library() as library:
        with library.items.observe() as live:
            got = next(live.changes())
            assert _names(got.items) == "ab"
            assert got.inserted == (1,)
    assert _asked(played) == [(0, 500), (1, 1)]


def test_changes_that_are_not_taken_come_as_one(fake):
    reports = [_reported(_change(1, changed=[0])) for _ in range(17)]
    played = fake(
        _script(
            library_fetch=[[{"result": _fetched(1)}]],
            fetchResult_items=[[_items("a")]],
            go=[[*reports, {"result": 1}]],
        )
    )
    with reelwire.Engine(**played.options) as engine, engine.library() as library:
        with library.items.observe() as live:
            engine.request("go")
            eventually("all questions", lambda: len(_asked(played)) >= 18)
            engine.request("ask")
            changes = live.changes()
            assert not next(changes).has_incremental_changes
        assert list(changes) == []


def test_the_end_of_the_engine_ends_what_waits(fake):
    changes = {"changes": [{"item": "a", "kind": "changed"}], "changeToken": 8}
    played = fake(
        _script(
            library_fetch=[[{"result": _fetched(0)}]],
            fetchResult_items=[[_items()]],
            library_status=[[{"result": {"changeToken": 7}}]],
            library_changes=[[{"result": changes}], [{"result": {**changes, "changes": []}}]],
            end=[[{"exit": 3}]],
        )
    )

    async def job():
        async with reelwire.AsyncEngine(**played.options) as engine:
            async with await engine.library() as library:
                live = await library.items.observe()
                updates, results = library.updates(), live.changes()
                first = await updates.__anext__()
                assert first == ([("a", "changed")], 8)
                waiting = [asyncio.ensure_future(each.__anext__()) for each in (updates, results)]
                await eventually_async(
                    "two questions", lambda: len(played.messages("library/changes")) >= 2
                )
                with pytest.raises(reelwire.EngineDiedError):
                    await engine.request("end")
                for each in waiting:
                    with pytest.raises(reelwire.EngineDiedError):
                        await each

    run(job())
    assert [message["params"]["since"] for message in played.messages("library/changes")] == [7, 8]


def test_a_library_is_not_alive_by_what_the_engine_reports(fake):
    played = fake(_script(go=[[_reported(), {"result": 1}]]))
    with reelwire.Engine(**played.options) as engine:
        library = engine.library()
        del library
        gc.collect()
        engine.request("go")
    assert played.messages("handle/close")[0]["params"] == {"handle": "library:1"}


# With the real engine


@pytest.fixture(scope="module")
def media(tmp_path_factory, binary):
    """A video with metadata, one without audio, a song, a picture, and a file that can't be read."""
    folder = tmp_path_factory.mktemp("library")
    video = ("-f", "lavfi", "-i", "testsrc2=size=160x90:rate=25:duration=2")
    sine = ("-f", "lavfi", "-i", "sine=duration=2")
    h264 = ("-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p")
    tags = ("-metadata", "title=Evening lake", "-metadata", "creation_time=2021-05-01T12:30:00Z")
    _ffmpeg(*video, *sine, *h264, "-c:a", "aac", *tags, folder / "lake.mp4")
    _ffmpeg("-f", "lavfi", "-i", "testsrc=size=64x48:rate=10:duration=1", *h264, folder / "small.mkv")
    _ffmpeg(*sine, "-metadata", "title=Song", "-metadata", "artist=A", folder / "song.mp3")
    _ffmpeg("-f", "lavfi", "-i", "testsrc2=size=48x32", "-frames:v", 1, folder / "dot.png")
    (folder / "broken.mp4").write_bytes(bytes(range(256)) * 16)
    return folder


@pytest.fixture(scope="module")
def places(tmp_path_factory):
    """The environment of an engine that leaves the user's own folders alone."""
    folder = tmp_path_factory.mktemp("places")
    return {**os.environ, "XDG_DATA_HOME": f"{folder}/data", "XDG_CACHE_HOME": f"{folder}/cache"}


@pytest.fixture(scope="module")
def own_engine(binary, places):
    with reelwire.Engine(binary, env=places) as engine:
        yield engine


@pytest.fixture
def engine(own_engine):
    yield own_engine
    nothing_left(own_engine)


@pytest.fixture
def folder(media, tmp_path):
    return Path(shutil.copytree(media, tmp_path / "media"))


@pytest.fixture
def library(engine, folder, tmp_path):
    with engine.library(folder, database=tmp_path / "library.sqlite", watch=False) as library:
        library.scan()
        yield library


def _files(items):
    return sorted(item.name for item in items)


def test_a_scan_finds_what_is_there(engine, folder, tmp_path):
    database = tmp_path / "library.sqlite"
    with engine.library(folder, database=database, watch=False) as library:
        assert library.database == str(database)
        assert repr(library) == "<Library 'library.sqlite'>"
        assert len(library.items) == 0
        result = library.scan()
        assert result.counts == (5, 5, 5, 0, 0, 0, 1, 0, 0)
        (error,) = result.errors
        assert error.path == str(folder / "broken.mp4")
        assert error.error.name == "fileFormatNotRecognized"
        assert _files(library.items) == ["dot.png", "lake.mp4", "small.mkv", "song.mp3"]
        assert _files(library.videos) == ["lake.mp4", "small.mkv"]
        assert _files(library.audio) == ["song.mp3"]
        assert _files(library.images) == ["dot.png"]
        (broken,) = library.items.where(state="unreadable")
        assert (broken.identifier, broken.error) == (error.item, error.error)
        assert (broken.state, broken.media_type) == ("unreadable", None)
        assert "unreadable" in repr(broken)
        again = library.scan(folder)
        assert again.counts == (5, 0, 0, 0, 0, 0, 0, 0, 0)
        status = library.status()
        assert [each["path"] for each in status["folders"]] == [str(folder)]
    assert library.closed
    with pytest.raises(reelwire.HandleClosedError):
        library.status()
    # Known items are in the database.
    with engine.library(database=database, watch=False) as library:
        assert len(library.items) == 4


def test_what_is_known_of_an_item(library, folder):
    item = library.items.where(name="lake.mp4")[0]
    path = folder / "lake.mp4"
    streams = probe(path, "-show_streams")["streams"]
    assert item.path == str(path)
    assert (item.width, item.height) == (160, 90)
    assert (item.video_codec, item.audio_codec) == tuple(each["codec_name"] for each in streams)
    assert (item.state, item.media_type, item.container) == ("present", "video", "mov")
    assert item.duration == pytest.approx(2, abs=0.1)
    assert isinstance(item.duration, MediaTime)
    assert (item.frame_rate, item.rotation) == (25, 0)
    assert item.file_size == path.stat().st_size
    assert item.creation_date == RECORDED
    modified = datetime.datetime.fromtimestamp(path.stat().st_mtime, UTC)
    assert abs(item.modification_date - modified) < datetime.timedelta(milliseconds=1)
    assert item.added_at.tzinfo is UTC
    assert item.added_at >= modified
    assert item.metadata["title"] == "Evening lake"
    assert (item.latitude, item.longitude, item.error) == (None, None, None)
    assert repr(item) == "<LibraryItem 'lake.mp4' 2.0 s 160×90 h264+aac>"
    values = item.values()
    assert values["title"] == values["itsk/©nam"] == ["Evening lake"]
    assert item.values("title", "creation_date").keys() == {"title", "creation_date"}
    assert library.item(item.identifier) == item
    with pytest.raises(reelwire.ContentIsUnavailableError):
        library.item("nothing")


@pytest.mark.parametrize(
    ("comparison", "files"),
    [
        ({"duration__gt": 1.5}, "lake song"),
        ({"duration__lt": datetime.timedelta(seconds=1.5)}, "small"),
        ({"duration__lte": 1}, "small"),
        ({"frame_rate__gte": 25, "width__gte": 160}, "lake"),
        ({"title__contains": "LAKE"}, "lake"),
        ({"title": "evening lake"}, ""),
        ({"title__startswith": "eve"}, "lake"),
        ({"title__not": "Song", "title__exists": True}, "lake"),
        ({"title": None}, "dot small"),
        ({"title__not": None}, "lake song"),
        ({"name__in": ["dot.png", "song.mp3", "x"]}, "dot song"),
        ({"width__between": (48, 64)}, "dot small"),
        ({"videoCodec": "h264"}, "lake small"),
        ({"media_type__not": "video"}, "dot song"),
        ({"creation_date__between": (datetime.date(2021, 5, 1), datetime.date(2021, 5, 2))}, "lake"),
        ({"creation_date": RECORDED}, "lake"),
        ({"creation_date__gt": RECORDED}, ""),
        ({"itsk/©nam": "Evening lake"}, "lake"),
        ({"error__exists": True}, "broken"),
    ],
)
def test_a_comparison_finds(library, comparison, files):
    names = sorted(Path(name).stem for name in _files(library.items.where(**comparison)))
    assert names == files.split()


def test_predicates_find(library, folder):
    items = library.items
    assert _files(items.where(Q(width=160) | Q(artist="A"))) == ["lake.mp4", "song.mp3"]
    assert _files(items.where(~Q(width=160) & Q(media_type="video"))) == ["small.mkv"]
    assert _files(items.exclude(title__contains="lake")) == ["dot.png", "small.mkv", "song.mp3"]
    assert _files(items.text("even LAK")) == ["lake.mp4"]
    assert _files(items.where(folder=folder)) == _files(items)
    assert _files(items.where(Q())) == _files(items)
    # A sum is no deeper than one of its parts.
    many = Q()
    for number in range(100):
        many |= Q(width=number)
    assert _files(items.where(many)) == ["dot.png", "small.mkv"]
    with pytest.raises(reelwire.InvalidParamsError, match="nothing"):
        len(items.where(nothing=3))
    with pytest.raises(reelwire.InvalidParamsError, match="a number"):
        len(items.where(duration="x"))


def test_items_in_an_order(library):
    by_name = library.items.order_by("name")
    names = ["dot.png", "lake.mp4", "small.mkv", "song.mp3"]
    assert [item.name for item in by_name] == names
    assert [item.name for item in reversed(by_name)] == names[::-1]
    assert [item.name for item in by_name.order_by("-file_size", "name")] == [
        item.name for item in sorted(by_name, key=lambda item: -item.file_size)
    ]
    assert [item.name for item in by_name.limit(2)] == names[:2]
    assert by_name[0].name == by_name.first().name == "dot.png"
    assert by_name[-1].name == "song.mp3"
    assert [item.name for item in by_name[1:3]] == names[1:3]
    assert [item.name for item in by_name[::-2]] == names[::-2]
    assert by_name.index(by_name[2]) == 2
    assert by_name[2] in by_name
    assert by_name[2] not in by_name[:2]
    assert by_name.count("media_type") == {"video": 2, "audio": 1, "image": 1}
    assert by_name.where(artist="nobody").first() is None
    assert not library.items.where(artist="nobody")


def test_an_item_is_opened_and_shown(engine, library, tmp_path):
    item = library.videos.order_by("name")[0]
    with item.open(salvage=True) as asset:
        assert asset.duration == item.duration
        assert asset.url == item.path
    first = item.thumbnail(64)
    assert (first.width, first.height, first.format, first.is_cached) == (64, 36, "jpeg", False)
    assert bytes(first.data)[:2] == b"\xff\xd8"
    again = item.thumbnail(64, delivery="shm")
    assert (bytes(again.data), again.is_cached) == (bytes(first.data), True)
    again.release()
    item.thumbnail(path=tmp_path / "a.jpg")
    assert (tmp_path / "a.jpg").read_bytes()[:2] == b"\xff\xd8"
    with pytest.raises(reelwire.InvalidParamsError, match="16 to 2048"):
        item.thumbnail(3)
    song = library.audio[0]
    with pytest.raises(reelwire.ReelwireError):
        song.thumbnail()
    os.remove(item.path)
    library.scan()
    assert library.item(item.identifier).state == "missing"
    with pytest.raises(reelwire.ContentIsUnavailableError):
        item.open()
    assert item.values("title") == {"title": ["Evening lake"]}
    assert item not in library.items.all()


def test_a_file_that_moves_stays_the_same_item(library, folder):
    item = library.audio[0]
    (folder / "below").mkdir()
    os.rename(folder / "song.mp3", folder / "below" / "other.mp3")
    assert library.scan().counts.moved == 1
    other = library.audio[0]
    assert other == item
    assert other.path == str(folder / "below" / "other.mp3")
    assert item.path == str(folder / "song.mp3")


def test_folders_come_and_go(engine, folder, tmp_path):
    os.makedirs(folder / "left" / "out")
    shutil.copy(folder / "lake.mp4", folder / "left" / "out" / "a.mp4")
    shutil.copytree(folder, tmp_path / "other")
    database = tmp_path / "library.sqlite"
    with engine.library(folder, database=database, watch=False, excluded="left/out") as library:
        library.scan()
        assert len(library.videos) == 2
        library.add_folder(tmp_path / "other", excluded=["left"])
        library.scan(tmp_path / "other")
        assert len(library.videos) == 4
        with pytest.raises(reelwire.ReelwireError):
            library.add_folder(folder / "left")
        library.remove_folder(folder)
        assert {os.path.dirname(item.path) for item in library.videos} == {str(tmp_path / "other")}
        with pytest.raises(reelwire.ContentIsUnavailableError):
            library.scan(folder)
        library.cancel_scan()


def test_duplicates_and_collections(library, folder):
    assert library.duplicates() == []
    shutil.copy(folder / "lake.mp4", folder / "copy.mp4")
    library.scan()
    seen = []
    (group,) = library.duplicates(progress=seen.append)
    assert [item.name for item in group] == ["lake.mp4", "copy.mp4"]
    assert seen[-1] == 1
    (month,) = library.collections("month")
    assert (month.id, month.title, month.count, len(month)) == ("month:2021-05", "2021-05", 2, 2)
    assert month.start_date == month.end_date == RECORDED
    assert _files(month.items) == ["copy.mp4", "lake.mp4"]
    assert _files(month.items.where(name="copy.mp4")) == ["copy.mp4"]
    assert _files(library.items.where(month.predicate & ~Q(name="copy.mp4"))) == ["lake.mp4"]
    assert [each.title for each in library.collections("artist")] == ["A"]
    assert library.collections("album") == []
    smart = {each.title: each for each in library.collections("smart")}
    assert _files(smart["unreadable"].items) == ["broken.mp4"]
    assert smart["unreadable"].start_date is None
    (place,) = library.collections("folder")
    assert repr(place) == f"<LibraryCollection {str(folder)!r} 5 items>"


def test_changes_since_a_token(library, folder):
    result = library.items.order_by("name").fetch()
    token = result.change_token
    assert library.changes(token) == ([], token)
    song = library.audio[0]
    shutil.copy(folder / "lake.mp4", folder / "new.mp4")
    os.rename(folder / "song.mp3", folder / "other.mp3")
    library.scan()
    new = library.items.where(name="new.mp4")[0]
    found = library.changes(since=token)
    assert sorted(found.changes) == sorted(
        [(new.identifier, "inserted"), (song.identifier, "changed")]
    )
    assert library.changes(found.change_token).changes == []
    # A result is as it was, and its items are as they are now.
    assert [item.name for item in result] == ["dot.png", "lake.mp4", "small.mkv", "other.mp3"]
    assert new not in result
    updates = library.updates(since=token)
    assert next(updates) == found
    updates.close()
    with pytest.raises(reelwire.ChangeTokenExpiredError):
        library.changes(10**9)


def test_a_live_result_follows(library, folder):
    with library.items.order_by("name").observe() as live:
        assert [item.name for item in live] == ["dot.png", "lake.mp4", "small.mkv", "song.mp3"]
        rows = list(live)
        changes = live.changes()
        source = random.Random(3)
        for _ in range(6):
            names = sorted(os.listdir(folder))
            renamed, removed = source.sample(names, 2)
            os.rename(folder / renamed, folder / f"{source.random()}{Path(renamed).suffix}")
            os.remove(folder / removed)
            for _ in range(2):
                shutil.copyfile(_media_file(folder), folder / f"{source.random()}.mp4")
            library.scan()
            expected = [item.name for item in library.items.order_by("name")]
            while [item.name for item in rows] != expected:
                change = next(changes)
                if change.has_incremental_changes:
                    _show(rows, change)
                else:
                    rows = list(change.items)
                assert [item.name for item in rows] == [item.name for item in change.items]
        assert [item.name for item in live] == expected


def _media_file(folder):
    """A video of the folder, under its present name."""
    return next(path for path in sorted(folder.iterdir()) if path.suffix in (".mp4", ".mkv", ".mp3"))


def _show(rows, change):
    """Changes a view's list as the documentation of changes describes it."""
    for index in reversed(change.removed):
        del rows[index]
    for index in change.inserted:
        rows.insert(index, None)
    for move in change.moves:
        rows.insert(move.end, rows.pop(move.start))
    for index in (*change.inserted, *change.changed):
        rows[index] = change.items[index]


def test_a_library_is_kept_up_to_date(binary, places, folder, tmp_path):
    async def job():
        times = ["--watch-delay", "0.05"]
        async with reelwire.AsyncEngine(binary, env=places, arguments=times) as engine:
            database = tmp_path / "library.sqlite"
            async with await engine.library(folder, database=database) as library:
                await library.scan()
                status = await library.status()
                videos = library.videos.order_by("name")
                async with await videos.observe() as live:
                    assert [item.name for item in live] == ["lake.mp4", "small.mkv"]
                    # Complete at once, as a file is that comes from elsewhere.
                    shutil.copy(folder / "lake.mp4", tmp_path / "new.mp4")
                    os.rename(tmp_path / "new.mp4", folder / "new.mp4")
                    if status["folders"][0]["watch"] != "events":
                        await library.scan()
                    while len(live) < 3:
                        await live.changes().__anext__()
                    assert [item.name for item in live] == ["lake.mp4", "new.mp4", "small.mkv"]
                updates = library.updates(since=status["changeToken"])
                changes = await updates.__anext__()
                assert (await library.item(changes.changes[0].item)).name == "new.mp4"
                await updates.aclose()
                del updates
                ended = asyncio.ensure_future(_all(library.updates()))
                await eventually_async("somebody who waits", lambda: library._waiting)
            assert await ended == []
            await nothing_left_async(engine)

    run(job())


async def _all(iterator):
    return [each async for each in iterator]


def test_the_same_with_asyncio(binary, places, folder, tmp_path):
    async def job():
        async with reelwire.AsyncEngine(binary, env=places) as engine:
            database = tmp_path / "library.sqlite"
            async with await engine.library(folder, database=database, watch=False) as library:
                assert (await library.scan()).counts.added == 5
                query = library.items.where(width__gt=0).order_by("name")
                names = ["dot.png", "lake.mp4", "small.mkv"]
                assert [item.name async for item in query] == names
                assert await query.count() == 3
                assert await query.count(by="video_codec") == {"h264": 2, "png": 1}
                first = await query.first()
                assert (first.name, await query.index(first)) == ("dot.png", 0)
                assert (await query.get(-1)).name == "small.mkv"
                async with await query.fetch() as result:
                    assert len(result) == 3
                    assert (await result[1]).name == "lake.mp4"
                    assert [item.name async for item in result[::-1]] == names[::-1]
                    assert result.change_token == 5
                lake = await query.get(1)
                assert await lake.values("title") == {"title": ["Evening lake"]}
                assert (await lake.thumbnail(32)).width == 32
                async with await lake.open() as asset:
                    await asset.load("duration")
                    assert asset.duration == lake.duration
                assert await library.item(lake.identifier) == lake
                assert await library.duplicates() == []
                (month,) = await library.collections("month")
                assert [item.name async for item in month.items] == ["lake.mp4"]
                assert [len(await each.fetch()) for each in (library.audio, library.images)] == [1, 1]
                del query, result, lake, first, month, asset
            await nothing_left_async(engine)

    run(job())


def test_the_usual_database(binary, tmp_path, media):
    env = {**os.environ, "XDG_DATA_HOME": str(tmp_path), "XDG_CACHE_HOME": str(tmp_path)}
    with reelwire.Engine(binary, env=env) as engine:
        with engine.library(media, watch=False) as one, engine.library(watch=False) as other:
            assert Path(one.database).parent == tmp_path / "reelwire"
            assert other.database == str(tmp_path / "reelwire" / "library.sqlite")
            assert one.database != other.database


def test_what_works_by_an_engine_is_not_pickled(library):
    for each in (library, library._core, library.items, library.items.fetch()):
        with pytest.raises(TypeError, match="pickled"):
            pickle.dumps(each)


# Tables


class _Table:
    """The part of pandas.DataFrame that is used."""

    @classmethod
    def from_records(cls, rows, index, columns):
        table = cls()
        table.rows, table.index, table.columns = rows, index, columns
        return table


def test_a_table_of_items(library, monkeypatch):
    pandas = types.ModuleType("pandas")
    pandas.DataFrame = _Table
    pandas.Index = lambda values, name: (name, values)
    monkeypatch.setitem(sys.modules, "pandas", pandas)
    items = library.items.order_by("name")
    table = items.to_dataframe("name", "duration", "metadata", "creation_date")
    assert table.index == ("identifier", [item.identifier for item in items])
    assert table.columns[:3] == ["name", "duration", "creation_date"]
    assert {"metadata.title", "metadata.artist"} < set(table.columns)
    lake = table.rows[1]
    assert (lake["name"], lake["creation_date"]) == ("lake.mp4", RECORDED)
    assert type(lake["duration"]) is float
    assert lake["metadata.title"] == "Evening lake"
    assert table.rows[0] == {"name": "dot.png", "duration": None, "creation_date": None} | {
        name: text for name, text in table.rows[0].items() if name.startswith("metadata.")
    }
    whole = library.items.where(state="unreadable")[:1].to_dataframe()
    assert set(whole.columns) == set(ITEM_KEYS) - {"metadata"}
    assert whole.rows[0]["error"] == "fileFormatNotRecognized"
    assert library.items.where(width=1).to_dataframe("path").columns == ["path"]
    with pytest.raises(TypeError, match="did you mean file_size"):
        items.to_dataframe("filesize")


def test_a_table_as_pandas_has_it(library):
    pandas = pytest.importorskip("pandas")
    table = library.items.to_dataframe()
    assert table.loc[table["name"] == "lake.mp4", "creation_date"].iloc[0] == pandas.Timestamp(RECORDED)
    assert table["duration"].max() == pytest.approx(2, abs=0.1)


def test_a_table_needs_pandas(library, monkeypatch):
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(ImportError, match="pip install pandas"):
        library.items.to_dataframe()
