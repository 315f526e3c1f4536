#!/usr/bin/env python3
"""Gives hostile texts to the program by every way in, and looks at every byte that comes out.

python3 hostile_text.py PROGRAM FOLDER [--full]
"""
import csv
import io
import json
import os
import struct

from hostile import *


FULL = "--full" in sys.argv
# All in one, where there is no time for each; what no file or command line can hold is left out.
ALL = {"all": "".join(text[:40] for text in TEXTS.values() if "\0" not in text)}

# Cells, and whether a spreadsheet might take them for a formula.
CELLS = {
    "=1+1": True, "+1": True, "-1": True, "@SUM(A1)": True, "\t=1": True, "\r=1": True, "\n=1": True,
    "\0=1": True, "\ttab": True, "\rreturn": True, "\0nul": True, "\"=1+1\"": True, "'=1": True, " =1": True,
    "\u00a0=1": True, "\u200b=1": True, "\ufeff=1": True, "\uff1d1+1": True, "\uff0b1": True, "\uff0d1": True,
    "\uff20x": True, "\ufe66=1": True, "\u22121": True, "=cmd|' /C calc'!A0": True, "\x1b=1": True,
    "=HYPERLINK(\"http://evil.example\",\"a,b\")": True, "\u201c=1\u201d": True,
    "a=1": False, "a\"b,c": False, "1-1": False, "https://example.com/?a=1": False, "a\nb": False, "": False,
    "\"a\"": False, "'a'": False, "\u6f22\u5b57": False,
}


def as_cells():
    """Texts of tags as cells of a table, and as they are in JSON."""
    tags = FOLDER / "cells"
    tags.mkdir()
    for number, cell in enumerate(CELLS):
        tag_file(tags / f"{number:03}.nfc", memory(tlv(message((1, b"T", b"\x02en" + cell.encode(), b""))),
                                                  number=number))
    station(["cells"], name="cells-station.yaml")
    job("as-cells.yaml", repeat="always", steps=[
        {"read": {"into": "cells.csv", "fields": ["text", "uid"]}},
        {"read": {"into": "cells.jsonl", "fields": ["text", "uid"]}}])
    run("run", "as-cells.yaml", "--no-input", "--station", "cells-station.yaml", expect=[0])
    data = (FOLDER / "out/cells.csv").read_bytes()
    scan("cells.csv", data, csv=True)
    rows = list(csv.reader(io.StringIO(data.decode(), newline=""), strict=True))[1:]
    lines = [json.loads(line) for line in (FOLDER / "out/cells.jsonl").read_text().splitlines()]
    for (cell, dangerous), row, line in zip(CELLS.items(), rows, lines, strict=True):
        if line["text"] != cell:
            fault(f"{cell!r} is {line['text']!r} in JSON")
        if len(row) != 2:
            fault(f"{cell!r} makes a record of {len(row)} cells")
        plain = re.sub(r"\\u\{([0-9A-F]+)\}", lambda match: chr(int(match[1], 16)), row[0])
        if plain != ("'" + cell if dangerous else cell):
            fault(f"{cell!r} is {row[0]!r} in CSV")
    return len(CELLS)


def records(text):
    """The text wherever a record has room for one."""
    raw = text.encode("utf-8", "surrogateescape")
    wifi = struct.pack(">HHHH", 0x100E, len(raw) + 4, 0x1045, len(raw)) + raw
    short = raw[:60]
    poster = message((1, b"U", b"\x03" + short, b""), (1, b"T", b"\x02en" + short, b""))
    return [
        (1, b"T", b"\x02en" + raw, b""), (1, b"T", bytes([len(short[:20])]) + short[:20] + b"x", b""),
        (1, b"U", b"\x00" + raw, b""), (1, b"U", b"\x03example.com/", short),
        (2, short or b"x", b"y", b""), (2, b"text/plain", raw, b""),
        (2, b"application/vnd.wfa.wsc", wifi, b""), (4, b"example.com:" + short, raw, b""),
        (4, b"android.com:pkg", short, b""), (3, short or b"x", b"", b""), (1, b"Sp", poster, b""),
        (1, short or b"x", b"", b""), (5, b"", raw, short)]


def on_tags():
    """Tags with every text, read by jobs and looked at by `inspect`."""
    cases = dict(TEXTS)
    cases["raw C1"] = bytes(range(0x80, 0xA0)).decode("utf-8", "surrogateescape")
    cases["no UTF-8"] = b"\xff\xfe\xc0\x80\xed\xa0\x80\x1b[5;41m".decode("utf-8", "surrogateescape")
    cases["UTF-16"] = "\ud800\x1b[5;41m".encode("utf-16-be", "surrogatepass").decode("latin-1")
    tags = FOLDER / "tags"
    tags.mkdir()
    number = 0
    for name, text in cases.items():
        parts = records(text)
        for group in (parts[:4], parts[4:8], parts[8:]):
            content = message(*group)
            if len(content) > 860:
                content = message(*group[:1])
            tag_file(tags / f"{number:03}.nfc", memory(tlv(content), number=number))
            number += 1
    # One text as long as the tag, for the display.
    tag_file(tags / "900.nfc", memory(tlv(message((1, b"U", b"\x00" + b"x" * 850, b""))), number=900))
    fields = ["uid", "uri", "text", "records", "message"]
    job("reads.yaml", repeat="always", steps=[
        {"read": {"into": "reads.csv", "fields": fields}},
        {"read": {"into": "reads.jsonl", "fields": fields}}])
    station(["tags"])
    for words in (["--format", "human"], ["--format", "jsonl"], ["--progress", "plain"]):
        result = run("run", "reads.yaml", "--no-input", *words, expect=[0])
        scan(f"reads {words}: standard error", result.err)
        scan_json(f"reads {words}: standard output", result.out)
    scan("reads on a terminal", run_on_terminal("run", "reads.yaml", "--no-input"), terminal=True)
    job("expects.yaml", repeat="always", expectTags="any",
        steps=[{"expect": {"records": [{"uri": "https://example.com/"}]}}])
    for words in (["--format", "human"], ["--format", "jsonl"]):
        result = run("run", "expects.yaml", "--no-input", *words, expect=[1])
        scan(f"expects {words}: standard error", result.err)
        scan_json(f"expects {words}: standard output", result.out)
    scan("expects on a terminal", run_on_terminal("run", "expects.yaml", "--no-input"), terminal=True)
    scan_json("the log", (FOLDER / "var/log.jsonl").read_bytes())
    scan_json("reads.jsonl", (FOLDER / "out/reads.jsonl").read_bytes())
    table = scan("reads.csv", (FOLDER / "out/reads.csv").read_bytes(), csv=True)
    rows = list(csv.reader(io.StringIO(table, newline="")))
    lines = (FOLDER / "out/reads.jsonl").read_text().splitlines()
    if len(rows) != len(lines) + 1 or any(len(row) != len(fields) for row in rows):
        fault(f"reads.csv has {len(rows)} records, reads.jsonl {len(lines)}")
    # Lossless: the text record of each tag is in the JSON as it was.
    seen = {json.loads(line)["text"] for line in lines}
    for name, text in TEXTS.items():
        if text not in seen:
            fault(f"{name}: {text!r} is not in reads.jsonl")
    for path in sorted(tags.iterdir())[::1 if FULL else 9]:
        station([f"tags/{path.name}"], name="one.yaml")
        for form in ("human", "json"):
            result = run("inspect", "--station", "one.yaml", "--format", form, expect=[0])
            scan(f"inspect {path.name} {form}", result.both)
            if form == "json":
                scan_json(f"inspect {path.name}", result.out)
            if form == "human" and max(map(len, result.out.decode().split("\n"))) > 1200:
                fault(f"inspect {path.name}: a line of more than 1200 characters")
    return number


def in_files():
    """Data, jobs, stations and names of files with the texts in them."""
    station(["40 x NTAG216"])
    texts = {name: text for name, text in TEXTS.items() if "\0" not in text}
    texts["1 MB"] = "x" * (1 << 20)
    with open(FOLDER / "cells.csv", "w", encoding="utf-8", newline="") as file:
        table = csv.writer(file)
        table.writerow(["code", "text"])
        for name, text in texts.items():
            if len(text) < 200:
                table.writerow([text, f"{name}: {text}"])
    job("cells.yaml", data={"csv": "cells.csv", "key": "code"},
        steps=[{"write": [{"text": "${row.text}"}]}, "verify"])
    result = run("run", "cells.yaml", "--no-input", expect=[0])
    scan("cells: standard error", result.err)
    result = run("run", "cells.yaml", "--no-input", "--format", "jsonl", expect=[0])
    scan_json("cells: standard output", result.out)
    for form in ("human", "json"):
        result = run("ledger", "list", "--format", form, expect=[0])
        scan(f"ledger list {form}", result.both)
        for name, text in texts.items():
            # A series' rows under every key.
            if len(text) < 200 and (FULL or name in ("ESC", "OSC 52", "LF", "RLO")):
                scan(f"ledger show {name} {form}",
                     run("ledger", "show", text, "--format", form, expect=[0]).both)
    scan("ledger list on a terminal", run_on_terminal("ledger", "list"), terminal=True)
    job("strict.yaml", data={"csv": "cells.csv", "key": "code", "order": "strict"},
        session={"alertMessage": "Card ${row.text}"}, batch={"tags": 1, "prompt": "Next after ${row.text}"},
        stop={"afterTags": 3}, steps=[{"write": [{"text": "${row.text}"}]}])
    scan("strict on a terminal", run_on_terminal("run", "strict.yaml", "--no-input"), terminal=True)
    scan("strict", run("run", "strict.yaml", "--no-input").both)
    count = 0
    for name, text in (TEXTS if FULL else ALL).items():
        count += faulty(name, text)
    count += faulty("1 MB", "x" * (1 << 20))
    scan_json("the log", (FOLDER / "var/log.jsonl").read_bytes())
    return count


def faulty(name, text):
    """Files that are wrong, with the text in what is told about them."""
    jobs = {
        "name": {"job": text, "steps": [{"read": {}}]},
        "unknown key": {"job": "a", text: 1, "steps": ["lock"]},
        "value": {"job": "a", "repeat": text, "steps": ["lock"]},
        "chip": {"job": "a", "accept": {"chips": [text]}, "steps": ["lock"]},
        "template": {"job": "a", "steps": [{"write": [{"text": "${row." + text + "}"}]}]},
        "text": {"job": "a", "steps": [{"write": [{"uri": text}]}]},
        "path": {"job": "a", "data": {"csv": text}, "steps": [{"write": []}]},
        "into": {"job": "a", "steps": [{"read": {"into": text + ".csv"}}]},
        "pattern": {"job": "a", "steps": [{"expect": {"uid": {"matches": "(" + text}}}]},
        "description": {"job": "a", "description": text, "station": text, "steps": [{"read": {}}]},
        "column": {"job": "a", "data": {"csv": "columns.csv", "key": "n0"},
                   "steps": [{"write": [{"text": "${row[\"n9\"]}"}]}]},
    }
    with open(FOLDER / "columns.csv", "w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([["n" + text[:90000], "n" + text[:90000], ""], ["1", "2\"", text]])
    for what, content in jobs.items():
        (FOLDER / "faulty.yaml").write_text(json.dumps(content))
        for form in ("human", "json", "sarif", "github"):
            result = run("check", "faulty.yaml", "--format", form, expect=[0, 65, 66])
            scan(f"check of {what} {name}, {form}", result.both)
            if form in ("json", "sarif"):
                try:
                    json.loads(result.out)
                except ValueError as error:
                    fault(f"check of {what} {name}, {form}: {error}")
            elif form == "human" and len(result.err) > 20_000:
                fault(f"check of {what} {name}: {len(result.err)} bytes for a person")
        if name in ("ESC", "RLO", "all"):
            scan(f"check of {what} {name} on a terminal",
                 run_on_terminal("check", "faulty.yaml"), terminal=True)
    result = run("config", "faulty.yaml")
    job("config.yaml", description=text[:5000], steps=[{"write": [{"text": text[:5000]}]}])
    scan(f"config {name}", run("config", "config.yaml", expect=[0, 65]).both)
    # Raw, where libyaml lets it through.
    (FOLDER / "raw.yaml").write_bytes(
        f"job: {text}\n# {text}\n{text}: {text}\nsteps: [{{read: {text}}}]\n".encode("utf-8"))
    for form in ("human", "github"):
        scan(f"check raw {name}", run("check", "raw.yaml", "--format", form).both)
    station(["NTAG213"], name="usage.yaml", usage=text)
    for words in (["check", "usage.yaml"], ["readers", "--station", "usage.yaml"],
                  ["readers", "--station", "usage.yaml", "--format", "json"],
                  ["run", "reads.yaml", "--station", "usage.yaml", "--no-input"],
                  ["run", "reads.yaml", "--station", "usage.yaml", "--no-input", "--format", "jsonl"]):
        scan(f"{words} with the usage description {name}", run(*words).both)
    station([text, {"file": text}, {"chip": text}], name="deck.yaml")
    for words in (["check", "deck.yaml"], ["run", "reads.yaml", "--station", "deck.yaml", "--no-input"]):
        scan(f"{words} with the deck {name}", run(*words).both)
    if "\0" in text or len(text) > 100_000:
        return len(jobs)
    words = [
        ["check", text], ["run", text], ["config", text], ["run", "reads.yaml", "--station", text],
        ["run", "reads.yaml", "--reader", text], ["run", "reads.yaml", "--set", text + "=" + text],
        ["run", "reads.yaml", "--set", "description=" + text, "--no-input", "--limit", "1"],
        ["run", "reads.yaml", "--log", text + "/log", "--no-input"],
        ["run", "reads.yaml", "--ledger", text + "/l.sqlite", "--no-input"],
        ["run", "reads.yaml", "--output", "/dev/null/" + text, "--no-input"],
        ["inspect", "--reader", text], ["inspect", "--reader", "a:" + text],
        ["inspect", "--info-plist", text], ["inspect", "--save", "/dev/null/" + text],
        ["ledger", "show", text], ["ledger", "release", text, "--series", text, "--reason", text],
        ["ledger", "list", "--ledger", text], ["ledger", "backup", "/dev/null/" + text],
        ["virtual-reader", "--tags", text], ["virtual-reader", "--tags", "NTAG213", "--hold", text],
        [text], ["run", "--" + text], ["--" + text], ["run", "reads.yaml", "--format", text], ["check"] + [text] * 3,
        ["ledger", text], ["report", text], ["run", "reads.yaml", "--limit", text]]
    for one in words:
        scan(f"{[word[:30] for word in one]}", run(*one).both)
    if "/" not in text:
        # A file of that name, wrong at its first line.
        path = (text + ".yaml")[:200]
        (FOLDER / path).write_text("job: [\nsteps")
        for form in ("human", "json", "sarif", "github"):
            scan(f"check of a file named {name}, {form}", run("check", path, "--format", form).both)
        data = (text + ".csv")[:200]
        (FOLDER / data).write_text("a,b\n1\n\"")
        job("data.yaml", data={"csv": data}, steps=[{"write": [{"text": "${row.a}"}]}])
        scan(f"check of data named {name}", run("check", "data.yaml").both)
        keep = (text + "-keep")[:200]
        (FOLDER / keep).write_text("")
        station([{"chip": "NTAG213"}], name="keep.yaml")
        kept = (FOLDER / "keep.yaml").read_text().replace('"timing"', f'"keep": {json.dumps(keep)}, "timing"')
        (FOLDER / "keep.yaml").write_text(kept)
        scan(f"keep {name}", run("run", "cells.yaml", "--station", "keep.yaml", "--no-input").both)
    return len(jobs) + len(words)


def not_text():
    """Bytes that no text is, on the command line and in files."""
    raws = (b"\x80\x9b\x9d", b"\xff\xfe", b"\xc0\x80", b"\xed\xa0\x80")
    for raw in raws if FULL else raws[:1]:
        for words in ([b"check", raw], [b"run", raw], [b"ledger", b"show", raw], [raw], [b"run", b"--" + raw],
                      [b"run", b"reads.yaml", b"--set", b"description=" + raw]):
            scan(f"{words}", run(*words).both)
        (FOLDER / "raw.yaml").write_bytes(b"job: " + raw + b"\nsteps: []\n")
        (FOLDER / "raw.csv").write_bytes(b"code\n" + raw + b"\n")
        job("raw-data.yaml", data={"csv": "raw.csv", "key": "code"},
            steps=[{"write": [{"text": "${row.code}"}]}])
        for form in ("human", "json", "sarif", "github"):
            scan(f"check of {raw}", run("check", "raw.yaml", "--format", form).both)
            scan(f"check of data {raw}", run("check", "raw-data.yaml", "--format", form).both)


cases = on_tags() + in_files()
not_text()
finish(cases=cases, cells=as_cells())
