"""The conversion of the text of subtitles: cues that overlap, other character sets, blocks of WebVTT, codes
of ASS."""

from __future__ import annotations

import html
import json
import re
import subprocess
from pathlib import Path
from typing import List, Tuple

import pytest

from conftest import Program, ffmpeg
from test_subtitles import Cue, cues, plain

OVERLAPPING = (
    "1\n00:00:00,500 --> 00:00:02,000\nTop\n\n"
    "2\n00:00:00,500 --> 00:00:02,000\nBottom\n\n"
    "3\n00:00:01,000 --> 00:00:03,000\n<i>Overlap</i>\n\n"
    "4\n00:00:04,000 --> 00:00:05,000\nAlone\n\n"
)

# The text that is shown at each time (3GPP TS 26.245: a sample is all that is shown until the next one).
JOINED = [
    ("00:00:00,500", "00:00:01,000", "Top\nBottom"),
    ("00:00:01,000", "00:00:02,000", "Top\nBottom\nOverlap"),
    ("00:00:02,000", "00:00:03,000", "Overlap"),
    ("00:00:04,000", "00:00:05,000", "Alone"),
]
APART = [
    ("00:00:00,500", "00:00:02,000", "Top"),
    ("00:00:00,500", "00:00:02,000", "Bottom"),
    ("00:00:01,000", "00:00:03,000", "Overlap"),
    ("00:00:04,000", "00:00:05,000", "Alone"),
]


def shown(path: Path) -> List[Cue]:
    return plain(cues(path))


@pytest.fixture
def overlapping(program: Program) -> Path:
    """A film of six seconds with cues that overlap, and the cues as a file."""
    (program.folder / "in.srt").write_text(OVERLAPPING)
    ffmpeg(
        ["-f", "lavfi", "-i", "testsrc2=duration=6:size=64x48:rate=10", "-i", program.folder / "in.srt"]
        + ["-c:v", "libx264", "-g", "10", "-c:s", "copy", program.folder / "film.mkv"]
    )
    return program.folder


@pytest.mark.parametrize("preset", ["Passthrough", "LowQuality"])
@pytest.mark.parametrize("form", ["mp4", "mov", "mkv"])
def test_overlapping_cues_of_a_film(program: Program, overlapping: Path, form: str, preset: str) -> None:
    program.ok("export", "film.mkv", f"out.{form}", "--preset", preset)
    assert shown(overlapping / f"out.{form}") == (APART if form == "mkv" else JOINED)


@pytest.mark.parametrize("form", ["mp4", "mov", "mkv", "srt", "vtt"])
def test_overlapping_cues_of_a_file(program: Program, overlapping: Path, form: str) -> None:
    program.ok("export", "in.srt", f"out.{form}", "--preset", "Passthrough")
    assert shown(overlapping / f"out.{form}") == (APART if form not in ("mp4", "mov") else JOINED)


def test_styles_of_joined_cues_are_those_of_each(program: Program, overlapping: Path) -> None:
    program.ok("export", "in.srt", "out.mp4", "--preset", "Passthrough")
    text = cues(overlapping / "out.mp4")[1][2]
    assert re.sub(r"</?font[^>]*>", "", text) == "Top\nBottom\n<i>Overlap</i>"


def test_a_part_of_overlapping_cues(program: Program, overlapping: Path) -> None:
    program.ok("export", "in.srt", "part.mp4", "--preset", "Passthrough", "--start", "0.75", "--duration", "1")
    assert shown(overlapping / "part.mp4") == [
        ("00:00:00,000", "00:00:00,250", "Top\nBottom"),
        ("00:00:00,250", "00:00:01,000", "Top\nBottom\nOverlap"),
    ]


def test_overlapping_cues_of_joined_films(program: Program, overlapping: Path) -> None:
    program.ok("join", "film.mkv", "film.mkv", "-o", "joined.mp4")

    def later(time: str) -> str:
        return f"00:00:{int(time[6:8]) + 6:02},{time[9:]}"

    again = [(later(start), later(end), text) for start, end, text in JOINED]
    assert shown(overlapping / "joined.mp4") == JOINED + again


# Character sets: Python's are the oracle.

LANGUAGES: List[Tuple[str, str, str]] = [
    ("windows-1252", "cp1252", "Grüße, ça va?\nEs ist schön – “wirklich”"),
    ("windows-1252", "cp1252", "¿Dónde está el niño?\nMañana será otro día"),
    ("windows-1252", "cp1252", "It’s late… don’t"),
    ("windows-1250", "cp1250", "Zażółć gęślą jaźń\nŁódź"),
    ("windows-1250", "cp1250", "Příliš žluťoučký kůň úpěl ďábelské ódy"),
    ("windows-1251", "cp1251", "Привет, как дела?\nВсё хорошо"),
    ("koi8-r", "koi8-r", "Привет, как дела?\nВсё хорошо"),
    ("windows-1253", "cp1253", "Καλημέρα, τι κάνεις;\nΌλα καλά"),
    ("windows-1254", "cp1254", "Şimdi ne yapacağız?\nİyi geceler, güle güle"),
    ("windows-1255", "cp1255", "שלום, מה שלומך היום?\nהכל בסדר"),
    ("shift_jis", "cp932", "こんにちは、元気ですか？\nありがとうございます"),
    ("gb18030", "gb18030", "你好，我是你的朋友。\n我们在这里说话吧"),
    ("big5", "big5", "你好，我是你的朋友。\n我們在這裡說話吧"),
    ("euc-kr", "cp949", "안녕하세요, 어디에 있어요?\n나는 여기에 있어"),
]


def script(text: str) -> str:
    return f"1\n00:00:00,500 --> 00:00:01,500\n{text}\n\n2\n00:00:02,000 --> 00:00:03,000\nTwo\n\n"


def expected(text: str) -> List[Cue]:
    return [("00:00:00,500", "00:00:01,500", text), ("00:00:02,000", "00:00:03,000", "Two")]


@pytest.mark.parametrize("name, codec, text", LANGUAGES)
def test_a_character_set_is_guessed(program: Program, name: str, codec: str, text: str) -> None:
    (program.folder / "in.srt").write_bytes(script(text).encode(codec))
    for form in ("srt", "vtt", "mkv", "mp4"):
        ended = program("export", "in.srt", f"out.{form}", "--preset", "Passthrough")
        assert ended.returncode == 0, ended.stderr
        assert f"character set {name} of track 1 (subtitle)".encode() in ended.stderr
        assert shown(program.folder / f"out.{form}") == expected(text)


# Short texts, of one cue and of two, in which single letters decide.
SHORT: List[Tuple[str, str, List[str]]] = [
    ("windows-1251", "cp1251", ["Я не знаю.", "Где мой брат?", "Да.", "Кто там?\nЭто он!"]),
    ("windows-1251", "cp1251", ["Я тебе кохаю.", "Де ти був учора?\nНе знаю, ходімо."]),
    ("windows-1251", "cp1251", ["Не знам къде е.", "Обичам те, мамо.", "Какво става тук?\nДовиждане."]),
    ("koi8-r", "koi8-r", ["Пойдём домой, уже поздно.", "Привет!\nКак дела?"]),
    ("windows-1253", "cp1253", ["Δεν ξέρω τίποτα.", "Σ' αγαπώ.", "Ποιος είναι εκεί;\nΠάμε σπίτι."]),
    ("windows-1255", "cp1255", ["שלום!", "אני לא יודע.", "בוקר טוב, אמא.\nתודה רבה."]),
    ("windows-1254", "cp1254", ["Hayır, değil.", "Kardeşim nerede?", "Neredeydin?\nBilmiyorum, şimdi."]),
    ("windows-1250", "cp1250", ["Cześć, jak się masz?", "Kocham cię.", "Dziękuję.\nDo widzenia, Łukasz."]),
    ("windows-1250", "cp1250", ["Nevím, kde je.", "Děkuji, nashledanou.", "Co říkáš?\nŽádný problém."]),
    ("iso-8859-2", "iso8859-2", ["Cześć, jak się masz?", "Książę śpi.", "Jaś poszedł.\nDo widzenia, Łukasz."]),
    ("iso-8859-2", "iso8859-2", ["Co říkáš?\nŽádný problém.", "To je naše šťastná cesta!", "Můžeš mi pomoci, prosím?"]),
    ("iso-8859-2", "iso8859-2", ["Možeš li mi pomoći?", "Gdje je naš čamac?\nŠto želiš?"]),
    ("windows-874", "cp874", ["สวัสดีครับ คุณสบายดีไหม", "ผมไม่รู้\nเขาอยู่ที่ไหน"]),
    ("gb18030", "gb18030", ["今天天气很好我们去公园", "小心！有人来了", "你在干什么？\n没事，走吧"]),
    ("windows-1252", "cp1252", ["Je suis désolé.", "C'est ça.", "À bientôt, mon frère.\nEt toi, Hélène ?"]),
    ("windows-1252", "cp1252", ["Ich weiß nicht.", "Größer!", "Tschüss, bis später!\nFür dich."]),
]


@pytest.mark.parametrize("name, codec, texts", SHORT)
def test_a_character_set_of_short_text_is_guessed(
    program: Program, name: str, codec: str, texts: List[str]
) -> None:
    for number, text in enumerate(texts):
        cues = enumerate(text.split("\n"))
        lines = "".join(f"{at + 1}\n00:00:0{at},500 --> 00:00:0{at + 1},000\n{line}\n\n" for at, line in cues)
        (program.folder / "in.srt").write_bytes(lines.encode(codec))
        ended = program("export", "in.srt", f"{number}.srt", "--preset", "Passthrough")
        assert f"character set {name} of track 1 (subtitle)".encode() in ended.stderr, (text, ended.stderr)
        assert (program.folder / f"{number}.srt").read_text() == lines


# Encodings that a guess takes for another one, or for none, and text that shows no difference.
STATED = [
    ("ISO-8859-5", "iso8859-5", "Привет, как дела?"),
    ("ibm866", "cp866", "Привет, как дела?"),
    ("macintosh", "mac-roman", "Ça va être déjà l’été"),
    ("iso-8859-15", "iso8859-15", "Œuvre à 5 €"),
    ("windows-1257", "cp1257", "Ačiū, labą rytą"),
    ("Shift_JIS", "cp932", "漢"),
    ("ISO-2022-JP", "iso2022-jp", "こんにちは"),
    ("UTF-16BE", "utf-16-be", "漢字漢字漢字"),
    ("UTF-16LE", "utf-16-le", "漢字漢字漢字"),
    ("utf-32le", "utf-32-le", "漢字"),
]


@pytest.mark.parametrize("name, codec, text", STATED)
def test_a_character_set_is_stated(program: Program, name: str, codec: str, text: str) -> None:
    (program.folder / "in.srt").write_bytes(script(text).encode(codec))
    for form in ("srt", "mp4"):
        ended = program(
            "export", "in.srt", f"out.{form}", "--preset", "Passthrough", "--character-set", name
        )
        assert ended.returncode == 0, ended.stderr
        assert b"character set" not in ended.stderr
        assert shown(program.folder / f"out.{form}") == expected(text)


@pytest.mark.parametrize("codec", ["utf-8", "utf-8-sig", "utf-16", "utf-16-be"])
def test_unicode_stays_what_it_is(program: Program, codec: str) -> None:
    (program.folder / "in.srt").write_bytes(script("Grüße").encode(codec))
    program.ok("export", "in.srt", "out.srt", "--character-set", "windows-1251")
    assert shown(program.folder / "out.srt") == expected("Grüße")


def test_a_stated_character_set_of_a_container(program: Program) -> None:
    text = "Привет"
    (program.folder / "in.srt").write_text(script(text))
    ffmpeg(["-i", program.folder / "in.srt", "-c:s", "copy", program.folder / "utf8.mkv"])
    data = (program.folder / "utf8.mkv").read_bytes()
    assert data.count(text.encode()) == 1
    # Half as many bytes, and as many more letters.
    changed = data.replace(text.encode(), text.encode("iso8859-5") * 2)
    (program.folder / "in.mkv").write_bytes(changed)
    program.ok("export", "in.mkv", "out.srt", "--character-set", "iso-8859-5")
    assert shown(program.folder / "out.srt") == expected(text * 2)


def test_joined_files_have_the_stated_character_set(program: Program) -> None:
    (program.folder / "in.srt").write_bytes(script("Привет").encode("iso8859-5"))
    program.ok("join", "in.srt", "in.srt", "-o", "out.srt", "--character-set", "iso-8859-5")
    assert [text for _, _, text in shown(program.folder / "out.srt")] == ["Привет", "Two"] * 2


@pytest.mark.parametrize("name", ["klingon", "", "windows-1251//IGNORE", "../utf-8"])
def test_an_unknown_character_set_is_refused(program: Program, name: str) -> None:
    (program.folder / "in.srt").write_text(script("One"))
    answer = program(
        "call", "asset/open", "url=in.srt", f"options:={json.dumps({'characterSet': name})}"
    )
    assert answer.returncode != 0
    assert f"'{name}' is no character set".encode() in answer.stderr
    assert f"'{name}' is no character set" in program.fails(
        1, "export", "in.srt", "out.vtt", "--character-set", name
    )
    assert not (program.folder / "out.vtt").exists()


def test_what_is_no_text_of_the_stated_character_set_is_refused(program: Program) -> None:
    (program.folder / "in.srt").write_bytes(script("Aé").encode("cp1252"))
    message = program.fails(1, "export", "in.srt", "out.srt", "--character-set", "shift_jis")
    assert "no characters of shift_jis" in message


@pytest.mark.parametrize("codec", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be"])
def test_unicode_is_no_guess(program: Program, codec: str) -> None:
    text = "Grüße, Привет"
    (program.folder / "in.srt").write_bytes(script(text).encode(codec))
    for form in ("srt", "mp4"):
        ended = program("export", "in.srt", f"out.{form}", "--preset", "Passthrough")
        assert ended.returncode == 0, ended.stderr
        assert shown(program.folder / f"out.{form}") == expected(text)
        # Without a mark nothing states it.
        assert (b"character set" in ended.stderr) == (codec in ("utf-16-le", "utf-16-be"))


@pytest.mark.parametrize("codec", ["subrip", "ass"])
def test_text_of_a_container_in_another_character_set(program: Program, codec: str) -> None:
    text = "Grüße, ça va?"
    (program.folder / "in.srt").write_text(script(text))
    ffmpeg(["-i", program.folder / "in.srt", "-c:s", codec, program.folder / "utf8.mkv"])
    # As many bytes, so that the file stays one: of two bytes one, and one more letter.
    other = (program.folder / "utf8.mkv").read_bytes()
    known = text.encode()
    assert other.count(known) == 1
    changed = text.encode("cp1252")
    changed += b"!" * (len(known) - len(changed))
    (program.folder / "in.mkv").write_bytes(other.replace(known, changed))
    for form in ("mkv", "srt", "vtt", "mp4"):
        ended = program("export", "in.mkv", f"out.{form}", "--preset", "Passthrough")
        assert ended.returncode == 0, ended.stderr
        assert b"character set windows-1252 of track 1 (subtitle)" in ended.stderr
        assert shown(program.folder / f"out.{form}") == expected(changed.decode("cp1252"))


def test_what_no_character_set_makes_sense_of_is_refused(program: Program) -> None:
    junk = bytes(range(0x81, 0xA0)) + b" a " + bytes(range(0xA0, 0xC0))
    (program.folder / "in.srt").write_bytes(script("@").encode().replace(b"@", junk))
    complaint = program.fails(1, "export", "in.srt", "out.srt")
    assert "isn't UTF-8" in complaint and "iconv" in complaint
    assert not (program.folder / "out.srt").exists()


def test_a_damaged_byte_of_utf8_is_no_other_character_set(program: Program) -> None:
    text = "Grüße aus Österreich, schöne Füße @"
    (program.folder / "in.srt").write_bytes(script(text).encode().replace(b"@", b"\xfc"))
    ended = program("export", "in.srt", "out.srt")
    assert b"U+FFFD" in ended.stderr
    assert shown(program.folder / "out.srt") == expected(text.replace("@", "\ufffd"))


# Blocks of WebVTT

BLOCKS = """WEBVTT - a title
Kind: captions

STYLE
::cue { color: red }

REGION
id:fred
width:40%

NOTE one line

NOTE
several
lines

first
00:00.500 --> 00:01.500 region:fred
One

NOTE in the middle

00:02.000 --> 00:03.000
Two
00:04.000 --> 00:05.000
Three
"""


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("form", ["srt", "vtt", "mkv", "mp4"])
def test_blocks_of_web_vtt_hide_no_cue(program: Program, form: str, newline: str) -> None:
    (program.folder / "in.vtt").write_bytes(BLOCKS.replace("\n", newline).encode())
    facts = json.loads(program.ok("probe", "--json", "in.vtt"))
    assert facts["duration"]["value"] / facts["duration"]["timescale"] == 5
    ended = program("export", "in.vtt", f"out.{form}", "--preset", "Passthrough")
    assert ended.returncode == 0, ended.stderr
    assert shown(program.folder / f"out.{form}") == [
        ("00:00:00,500", "00:00:01,500", "One"),
        ("00:00:02,000", "00:00:03,000", "Two"),
        ("00:00:04,000", "00:00:05,000", "Three"),
    ]
    for lost in ("STYLE", "REGION", "NOTE"):
        assert re.search(rf"left out: text [A-Z, ]*{lost}[A-Z, ]* of track 1", ended.stderr.decode()), lost
    assert b"3 blocks" in ended.stderr


# ASS

ASS = r"""[Script Info]
ScriptType: v4.00+

[V4+ Styles]
Format: Name, Fontname, Fontsize, PrimaryColour, SecondaryColour, OutlineColour, BackColour, Bold, Italic, Underline, StrikeOut, ScaleX, ScaleY, Spacing, Angle, BorderStyle, Outline, Shadow, Alignment, MarginL, MarginR, MarginV, Encoding
Style: Default,Arial,16,&Hffffff,&Hffffff,&H0,&H0,0,0,0,0,100,100,0,0,1,1,0,2,10,10,10,0
Style: Loud,Arial,16,&Hffffff,&Hffffff,&H0,&H0,-1,0,0,0,100,100,0,0,1,1,0,2,10,10,10,0

[Events]
Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text
Dialogue: 0,0:00:00.50,0:00:01.50,Default,,0,0,0,,Tom & Jerry\N{\i1}a < b{\i0} > c\hd{a note\i0}
Dialogue: 0,0:00:02.00,0:00:02.50,Default,,0,0,0,,{\p1}m 0 0 l 100 0 100 100{\p0}
Dialogue: 0,0:00:03.00,0:00:04.00,Loud,,0,0,0,,{\pos(10,10)\p1}m 0 0 l 9 9{\p0}Sign {\b0}thin{\u1}er{\r} \{x\}\N\Nend
"""

VTT_OF_ASS = """WEBVTT

00:00.500 --> 00:01.500
Tom &amp; Jerry
<i>a &lt; b</i> &gt; c&nbsp;d

00:03.000 --> 00:04.000
<b>Sign </b>thin<u>er</u><b> {x}
&nbsp;
end</b>
"""


def test_ass_becomes_web_vtt(program: Program) -> None:
    (program.folder / "in.ass").write_text(ASS)
    ended = program("export", "in.ass", "out.vtt")
    assert ended.returncode == 0, ended.stderr
    assert (program.folder / "out.vtt").read_text() == VTT_OF_ASS
    assert b"text drawing of track 1 (subtitle): 2 cues have a drawing" in ended.stderr


def test_ass_becomes_subrip(program: Program) -> None:
    (program.folder / "in.ass").write_text(ASS)
    program.ok("export", "in.ass", "out.srt")
    first, second = (program.folder / "out.srt").read_text().strip().split("\n\n")
    assert first.split("\n", 2)[2] == "Tom & Jerry\n<i>a < b</i> > c\u00a0d"
    assert re.sub("<[^>]*>", "", second.split("\n", 2)[2]) == "Sign thiner {x}\n\u00a0\nend"
    assert "<b>Sign </b>" in second


# Of SubRip, which has no escapes; all but the last stays as it is.
BRACKETS = ["a < b & c > d", "if a<b then <", "i <3 u 1<2>1", "<a b> <> </3", "x <unknown>y</unknown>"]


def samples_of_text(path: Path) -> List[str]:
    """The texts of a movie's samples (3GPP TS 26.245, section 5.17)."""
    command = ["ffprobe", "-v", "error", "-show_packets", "-show_data", "-of", "json", str(path)]
    ended = subprocess.run(command, check=True, capture_output=True)
    dumps = [packet["data"] for packet in json.loads(ended.stdout)["packets"]]
    samples = [
        bytes.fromhex("".join(re.findall(r"^[0-9a-f]{8}: ((?:[0-9a-f]{2,4} ?)+)", dump, re.M)).replace(" ", ""))
        for dump in dumps
    ]
    texts = [sample[2 : 2 + int.from_bytes(sample[:2], "big")].decode() for sample in samples]
    return [text for text in texts if text]


@pytest.mark.parametrize("form", ["vtt", "mp4", "ass"])
def test_a_bracket_is_no_tag(program: Program, form: str) -> None:
    """libavcodec takes `< b & c >` for bold text, and removes what is in angle brackets."""
    cue = "{0}\n00:00:0{0},000 --> 00:00:0{0},500\n{1}\n\n"
    lines = "".join(cue.format(number, text) for number, text in enumerate(BRACKETS))
    (program.folder / "in.srt").write_text(lines)
    ended = program("export", "in.srt", f"out.{form}")
    assert ended.returncode == 0, ended.stderr
    if form == "mp4":
        texts = samples_of_text(program.folder / "out.mp4")
    elif form == "vtt":
        blocks = (program.folder / "out.vtt").read_text().strip().split("\n\n")[1:]
        texts = [html.unescape(block.split("\n")[1]) for block in blocks]
    else:
        script = (program.folder / "out.ass").read_text()
        texts = [line.split(",", 9)[9] for line in script.splitlines() if line.startswith("Dialogue:")]
    assert texts == [*BRACKETS[:4], "x y"]
    assert b"text tag of track 1 (subtitle): 1 cue has tags that SubRip doesn't know" in ended.stderr


@pytest.mark.parametrize("form", ["vtt", "mp4", "srt"])
def test_tags_of_subrip_are_styles(program: Program, form: str) -> None:
    text = '<s>gone</s> <B>Bold</B> <font color="#ff0000">red</font>'
    (program.folder / "in.srt").write_text(f"1\n00:00:00,500 --> 00:00:01,500\n{text}\n\n")
    ended = program("export", "in.srt", f"out.{form}", "--preset", "Passthrough")
    assert ended.returncode == 0, ended.stderr
    if form == "srt":
        assert text in (program.folder / "out.srt").read_text()
        assert not ended.stderr.count(b"left out")
    else:
        assert b"text style of track 1 (subtitle)" in ended.stderr


def test_ass_becomes_text_of_a_movie(program: Program) -> None:
    (program.folder / "in.ass").write_text(ASS)
    program.ok("export", "in.ass", "out.mp4", "--preset", "Passthrough")
    assert samples_of_text(program.folder / "out.mp4") == ["Tom & Jerry\na < b > c\u00a0d", "Sign thiner {x}\n\nend"]


def test_entities_of_web_vtt_are_characters(program: Program) -> None:
    (program.folder / "in.vtt").write_text("WEBVTT\n\n00:00.500 --> 00:01.500\n<b>a &amp; b</b> {x} 1 &lt; 2\n")
    program.ok("export", "in.vtt", "out.srt")
    assert [text for _, _, text in cues(program.folder / "out.srt")] == ["<b>a & b</b> {x} 1 < 2"]
    program.ok("export", "out.srt", "again.vtt")
    assert "<b>a &amp; b</b> {x} 1 &lt; 2" in (program.folder / "again.vtt").read_text()


# Cues of WebVTT

SETTINGS = "position:10% line:0 align:start size:35%"
PLACED = (
    f"WEBVTT\n\nintro\n00:00:00.500 --> 00:00:01.500 {SETTINGS}\nHello\n\n"
    "2\n00:00:02.000 --> 00:00:03.000 line:-2\n<v Fred>World</v>\n\n"
    "3\n00:00:04.000 --> 00:00:05.000\n<c.loud>Again <00:00:04.500>and again</c>\n"
)
PARTS = {"identifier": 1, "settings": 2, "voice": 1, "markup": 1}


def lost(program: Program, *arguments: str) -> "dict[str, int]":
    """The lost parts of text, with the number of cues."""
    items = json.loads(program.ok(*arguments, "--json")).get("dropped", [])
    return {item["key"]: int(item["reason"].split()[0]) for item in items if item["item"] == "text"}


@pytest.mark.parametrize("source", ["in.vtt", "in.mkv"])
@pytest.mark.parametrize("form", ["srt", "ass", "mp4", "mov", "vtt", "mkv", "webm"])
def test_parts_of_cues_of_web_vtt_stay_or_are_listed(program: Program, source: str, form: str) -> None:
    folder = program.folder
    (folder / "in.vtt").write_text(PLACED)
    ffmpeg(["-i", folder / "in.vtt", "-c", "copy", folder / "in.mkv"])
    found = lost(program, "export", source, f"out.{form}")
    if form not in ("vtt", "mkv", "webm"):
        assert found == PARTS
        return
    assert found == {}
    ffmpeg(["-i", folder / f"out.{form}", "-c", "copy", folder / "read.vtt"])
    text = (folder / "read.vtt").read_text()
    assert f"intro\n00:00.500 --> 00:01.500 {SETTINGS}\nHello" in text
    assert "00:04.000 --> 00:05.000\n<c.loud>Again <00:00:04.500>and again</c>" in text


@pytest.mark.parametrize("form", ["vtt", "mkv", "webm"])
def test_joined_web_vtt_has_the_parts_of_its_cues(program: Program, form: str) -> None:
    folder = program.folder
    (folder / "in.vtt").write_text(PLACED)
    assert program.ok("join", "in.vtt", "in.vtt", "-o", f"out.{form}", "--json")
    ffmpeg(["-i", folder / f"out.{form}", "-c", "copy", folder / "read.vtt"])
    text = (folder / "read.vtt").read_text()
    assert text.count(SETTINGS) == 2 and text.count("<v Fred>World</v>") == 2 and text.count("intro") == 2
    assert lost(program, "join", "in.vtt", "in.vtt", "-o", "out.srt") == {name: 2 * n for name, n in PARTS.items()}
