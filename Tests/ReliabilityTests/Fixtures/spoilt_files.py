#!/usr/bin/env python3
"""Files cut short, with bits flipped, with other things in their place, and with editors' files beside them.

python3 spoilt_files.py PROGRAM FOLDER [--full]
"""
import json
import os
import plistlib
import shutil
import socket
import subprocess
import threading

from hostile import *

FULL = "--full" in sys.argv
STEP = 1 if FULL else 23

# A long job with something of everything, and all that it reads.
JOB = b"""job: cards
description: All that can be broken
station: STATION
data: {csv: DATA, key: code, encoding: utf-8}
accept: {chips: [NTAG213, NTAG215]}
session:
  kind: tag
  polling: [iso14443]
  selectIdentifiers: ["D2760000850101"]
  alertMessage: "Card ${tag.position}"
batch: {tags: 50}
retries: {busy: 1, wait: 2s}
stop: {whenIdleFor: 2m, afterFailures: 5}
steps:
  - write:
      - uri: "https://example.com/c/${row.code | urlencode}"
      - text: "${row.name | default none}"
        language: en
      - mime: text/plain
        file: NOTE
  - verify
  - read: {into: "reads-${now | date %Y-%m}.csv", fields: [time, uid, row.code]}
  - lock
"""
STATION = b"""station: line
declarations: {infoPlist: INFO, entitlements: RIGHTS}
readers:
  demo:
    virtual: {tags: [2 x NTAG213, TAG], timing: none, gap: 1ms}
ledger: var/ledger.sqlite
log: var/log.jsonl
"""
CSV = "code,name\nA-1,Ada\n\"A-\"\"2\",\"Bj\u00f6rn, the\nsecond\"\nA-3,\n".encode()
JSONL = (b'{"code":"A-1","name":"Ada","n":1.5e3}\n'
         b'{"code":"\\u00e9\\ud83d\\ude00","name":null,"b":true}\n')
INFO = {"NFCReaderUsageDescription": "Encode cards",
        "com.apple.developer.nfc.readersession.iso7816.select-identifiers": ["D2760000850101"],
        "com.apple.developer.nfc.readersession.felica.systemcodes": ["12FC"], "More": [1, 2.5, True, b"x"]}
RIGHTS = {"com.apple.developer.nfc.readersession.formats": ["TAG"]}


def sources():
    """The name and content of every kind of file that is read."""
    tag_file("sound.nfc", memory(tlv(message((1, b"U", b"\x04example.com", b""))), chip="NTAG213"),
             chip="NTAG213")
    tag = (FOLDER / "sound.nfc").read_bytes()
    return {
        "job": (".yaml", JOB), "station": (".yaml", STATION), "csv": (".csv", CSV),
        "jsonl": (".jsonl", JSONL), "info": (".plist", plistlib.dumps(INFO)),
        "binary info": (".plist", plistlib.dumps(INFO, fmt=plistlib.FMT_BINARY)),
        "rights": (".entitlements", plistlib.dumps(RIGHTS)), "tag": (".nfc", tag)}


def lay_out(prefix, spoilt, content):
    """Writes all the files of one setup, one of them spoilt; the spoilt one's name and the job's."""
    files = {kind: pair for kind, pair in sources_.items()}
    names = {kind: f"{prefix}{kind.replace(' ', '-')}{end}" for kind, (end, _) in files.items()}
    data = "jsonl" if spoilt == "jsonl" else "csv"
    info = "binary info" if spoilt == "binary info" else "info"
    for kind in ("job", "station", data, info, "rights", "tag"):
        body = content if kind == spoilt else files[kind][1]
        if kind == "job" and body is not None and kind != spoilt or kind == "job" and content is not None:
            body = body.replace(b"STATION", names["station"].encode())
            body = body.replace(b"csv: DATA, key: code, encoding: utf-8",
                                f"{data}: {names[data]}, key: code".encode())
            body = body.replace(b"DATA", names[data].encode()).replace(b"NOTE", b"note.txt")
        if kind == "station" and body is not None:
            body = body.replace(b"INFO", names[info].encode()).replace(b"RIGHTS", names["rights"].encode())
            body = body.replace(b"TAG]", names["tag"].encode() + b"]")
        if body is not None:
            (FOLDER / names[kind]).write_bytes(body)
    return names[spoilt], names["job"]


def check_many(what, jobs):
    """Checks many jobs in one process; each finding must be in a file of that job's, at a place that is there."""
    result = run("check", *[job for _, job in jobs], "--format", "json", name=f"{len(jobs)} {what}",
                 expect=(0, 65, 66, 78), limit=300)
    scan(what, result.both)
    try:
        report = json.loads(result.out)
    except ValueError as error:
        return fault(f"{what}: {error}")
    statuses = {one["file"]: one["exit"] for one in report["files"]}
    for _, job_name in jobs:
        if statuses.get(job_name) not in (0, 65, 66, 78):
            fault(f"{what}: {job_name} has {statuses.get(job_name)}")
    told = {}
    lines = {}
    for finding in report["findings"]:
        place = finding["place"]
        if place is None:
            fault(f"{what}: no place: {finding}")
            continue
        name = os.path.basename(place["file"])
        prefix = name.split("-")[0]
        told.setdefault(prefix, []).append(finding)
        path = FOLDER / name
        if path.is_file() and place["line"]:
            if name not in lines:
                raw = path.read_bytes()
                lines[name] = len(re.split(rb"\r\n|\r|\n|\xc2\x85|\xe2\x80[\xa8\xa9]", raw)) + raw.count(b"\0")
            if place["line"] > lines[name]:
                fault(f"{what}: line {place['line']} of {lines[name]} in {name}: {finding['message'][:80]}")
    for spoilt, job_name in jobs:
        prefix = job_name.split("-")[0]
        errors = [one for one in told.get(prefix, []) if one["severity"] == "error"]
        if statuses.get(job_name) and not errors:
            fault(f"{what}: {job_name} has {statuses[job_name]} without an error")
        if statuses.get(job_name) == 0 and errors:
            fault(f"{what}: {job_name} is good with errors")


def spoil():
    count = 0
    for kind, (_, content) in sources_.items():
        if kind == "tag":
            continue
        variants = [("cut", content[:at]) for at in range(0, len(content), STEP)]
        for at in range(0, len(content), STEP):
            for bit in range(8) if FULL else (0, at % 7 + 1):
                flipped = bytearray(content)
                flipped[at] ^= 1 << bit
                variants.append(("flip", bytes(flipped)))
        for start in range(0, len(variants), 100):
            batch = variants[start:start + 100]
            jobs = [lay_out(f"{number}-", kind, body) for number, (_, body) in enumerate(batch)]
            check_many(f"spoilt {kind}", jobs)
            for name in os.listdir(FOLDER):
                if name[0].isdigit():
                    os.unlink(FOLDER / name)
        count += len(variants)
    return count


def spoil_tags():
    """Tag files and raw images, read by the program as they lie on a virtual reader."""
    text = sources_["tag"][1]
    raw = memory(tlv(b"\xd1\x01\x05U\x04a.b"), chip="NTAG213")[:180]
    step = 1 if FULL else 331
    count = 0
    for end, content in (("nfc", text), ("bin", raw)):
        for at in range(0, len(content), step if end == "nfc" else step // 5 or 1):
            flipped = bytearray(content)
            flipped[at] ^= 1 << at % 8
            for body in (content[:at], bytes(flipped)):
                (FOLDER / f"t.{end}").write_bytes(body)
                station([f"t.{end}"], name="tags.yaml")
                result = run("inspect", "--station", "tags.yaml", name=f"inspect of {end} spoilt at {at}",
                             expect=(0, 1, 65))
                scan(f"{end} spoilt at {at}", result.both)
                if result.status == 65 and f"t.{end}".encode() not in result.err:
                    fault(f"{end} spoilt at {at}: no place in {result.err!r}")
                count += 1
    return count


def instead():
    """Other things in place of every input: what is said, and the exit status."""
    def remove(path):
        if os.path.isdir(path) and not os.path.islink(path):
            shutil.rmtree(path)
        elif os.path.lexists(path):
            os.unlink(path)

    def listen(path):
        made = socket.socket(socket.AF_UNIX)
        made.bind(path)
        made.close()

    things = {
        "nothing": lambda path: None, "a folder": os.mkdir, "a pipe": os.mkfifo, "a socket": listen,
        "/dev/zero": lambda path: os.symlink("/dev/zero", path),
        "/dev/null": lambda path: os.symlink("/dev/null", path),
        "/dev/tty": lambda path: os.symlink("/dev/tty", path),
        "/proc/self/mem": lambda path: os.symlink("/proc/self/mem", path),
        "a link to itself": lambda path: os.symlink(path, path),
        "an empty file": lambda path: open(path, "w").close(),
        "a file that may not be read": None,
    }
    count = 0
    for kind in sources_:
        for thing, make in things.items():
            name, job_name = lay_out("i-", kind, b"")
            remove(FOLDER / name)
            if make:
                make(str(name))
            commands = [["check", job_name], ["run", job_name, "--no-input"]]
            if kind == "tag":
                commands = [["run", job_name, "--no-input"]]
            elif kind in ("info", "binary info"):
                commands.append(["inspect", "--station", "plain.yaml", "--info-plist", name])
            elif kind == "station":
                commands.append(["readers", "--station", name])
            for words in commands:
                expect = (65,) if thing == "an empty file" else (66, 65)
                if kind in ("csv", "jsonl") and thing == "an empty file":
                    expect = (0, 1, 65)
                if make is None:
                    if kind == "job" or os.geteuid() != 0:
                        continue
                    (FOLDER / name).write_bytes(sources_[kind][1])
                    os.chmod(FOLDER / name, 0)
                    result = as_nobody(*words)
                    if result is None:
                        continue
                else:
                    result = run(*words, name=f"{words[0]} with {thing} as {kind}", limit=20)
                check_status(result, expect, f"{words[0]} with {thing} as {kind}")
                scan(f"{thing} as {kind}", result.both)
                if result.status in (65, 66) and name.encode() not in result.err:
                    fault(f"{words[0]} with {thing} as {kind} does not name it: {result.err!r}")
                count += 1
            remove(FOLDER / name)
    return count


def as_nobody(*words):
    """Runs the program as a user who may not read everything; `None` where that user may not run it."""
    figures["runs"] += 1
    try:
        process = subprocess.run([PROGRAM, *words], stdin=subprocess.DEVNULL, capture_output=True,
                                 cwd=FOLDER, timeout=20, user=65534, group=65534, extra_groups=[])
    except OSError:
        return None
    return Result(process.returncode, process.stdout, process.stderr)


def editors():
    """What editors leave beside a file is no input: nothing changes."""
    name, job_name = lay_out("e-", "job", JOB)
    (FOLDER / "folder").mkdir()
    shutil.copy("sound.nfc", "folder/one.nfc")
    station(["folder"], name="e-station.yaml")
    before = run("check", job_name)
    reads = run("run", "folder.yaml", "--no-input", "--station", "e-station.yaml", "--format", "jsonl")
    for folder, base in (("", job_name), ("", "e-station.yaml"), ("", "e-csv.csv"), ("folder/", "one.nfc")):
        for pattern in (".{}.swp", "{}~", "#{}#", ".#{}", "{}.bak", ".{}.un~", "{}.orig", "4913"):
            path = folder + pattern.format(base)
            if pattern.startswith(".#"):
                os.symlink("user@host.1234:1700000000", path)
            else:
                (FOLDER / path).write_bytes(b"b0VIM 9.0\0\0\0\x10" + b"\xff" * 4000)
    after = run("check", job_name)
    if (before.status, before.both) != (after.status, after.both):
        fault(f"editors' files change what is found: {after.err!r}")
    again = run("run", "folder.yaml", "--no-input", "--station", "e-station.yaml", "--format", "jsonl")
    count = lambda result: result.out.count(b'"event":"tag"')
    if (reads.status, count(reads)) != (again.status, count(again)) or count(reads) != 1:
        fault(f"editors' files change the deck: {count(reads)}, {count(again)}: {again.err!r}")
    for path in os.listdir(FOLDER):
        if path.startswith((".", "#")) or path.endswith("~"):
            if os.path.isfile(FOLDER / path):
                scan(path, run("check", path, expect=(65,)).both)


def shrinking():
    """Files that are cut and grow while they are read."""
    stop = threading.Event()
    body = b"code,name\n" + b"".join(b"A-%d,Ada\n" % number for number in range(20_000))

    def change():
        while not stop.is_set():
            (FOLDER / "s-csv.csv").write_bytes(body)
            os.truncate(FOLDER / "s-csv.csv", 5000)
            os.truncate(FOLDER / "s-csv.csv", 0)

    _, job_name = lay_out("s-", "csv", body)
    thread = threading.Thread(target=change)
    thread.start()
    for _ in range(100 if FULL else 10):
        result = run("check", job_name, expect=(0, 65, 66), name="a file that shrinks")
        scan("a file that shrinks", result.both)
    stop.set()
    thread.join()


(FOLDER / "note.txt").write_text("note")
sources_ = sources()
station(["NTAG213"], name="plain.yaml")
job("folder.yaml", repeat="always", expectTags="any", steps=[{"read": {}}])
_, sound = lay_out("ok-", "job", JOB)
run("check", sound, expect=(0,), name="the job as it should be")
os.chmod(FOLDER, 0o755)
cases = spoil() + spoil_tags() + instead()
editors()
shrinking()
finish(cases=cases)
