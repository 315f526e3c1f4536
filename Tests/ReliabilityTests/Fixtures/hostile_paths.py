#!/usr/bin/env python3
"""Names that lead out of the output folder, and things put in the way there; nothing outside may change.

python3 hostile_paths.py PROGRAM FOLDER
"""
import csv
import os
import shutil
import socket
import threading

from hostile import *

OUTSIDE = FOLDER / "outside"
OUT = FOLDER / "out"
UID = "04515253545556"


def fresh():
    """New output and outside folders, and what the outside looks like."""
    for folder in (OUT, OUTSIDE, FOLDER / "var"):
        shutil.rmtree(folder, ignore_errors=True)
    OUT.mkdir()
    OUTSIDE.mkdir()
    (OUTSIDE / "canary").write_text("canary\n")
    (OUTSIDE / "canary.csv").write_text("uid\n")
    (OUTSIDE / "canary.jsonl").write_text("{}\n")
    (OUTSIDE / "canary.nfc").write_text("canary\n")
    (OUTSIDE / "folder").mkdir()
    return look()


def look():
    """Everything outside: names, kinds, contents, times of change."""
    seen = {}
    for top, folders, files in os.walk(OUTSIDE):
        for name in folders + files:
            path = os.path.join(top, name)
            status = os.lstat(path)
            content = open(path, "rb").read() if os.path.isfile(path) else None
            seen[path] = (status.st_mode, status.st_mtime_ns, content)
    # Files beside the output folder, with what runs leave by right.
    own = {"outside", "out", "var", "stdout", "stderr", "tags", "keep"}
    seen["beside"] = sorted(name for name in os.listdir(FOLDER)
                            if name not in own and not name.endswith((".yaml", ".data")))
    return seen


def unchanged(name, before):
    after = look()
    if before != after:
        changed = {key for key in before.keys() | after.keys() if before.get(key) != after.get(key)}
        fault(f"{name}: changed outside: {sorted(changed)}: {after.get('beside')}")


def reads(into, **more):
    job("read.yaml", repeat="always", steps=[{"read": {"into": into, "fields": ["uid"]}}], **more)


def play(name, result, before, expect=(73,)):
    check_status(result, expect, name)
    scan(name, result.both)
    unchanged(name, before)


NAMES = [
    "../outside/x.csv", "../x.csv", "a/../../outside/x.csv", "..", "../..", "/tmp/../tmp/tagstation-x.csv",
    f"{OUTSIDE}/x.csv", "/dev/full.csv", "/dev/null", "/dev/stdout", "//x.csv", "a//x.csv", "./x.csv", "x/./y.csv",
    "x/..csv/../../../x.csv", "", ".csv/..", "x\n.csv", "x\r.csv", "x\x1b[2J.csv", "x\u202evsc.csv", "x\0.csv",
    "x" * 300 + ".csv", "x/" * 3000 + "x.csv", "~/x.csv/..", "..\\x.csv/../x.csv", "%2e%2e/../x.csv",
    "x.txt", "x.sqlite", "canary", "\u2024\u2024/x\u200b.csv", "．．/../x.csv", "x.csv/", "/x.jsonl", "../out2/x.jsonl",
]

station([{"chip": "NTAG213", "uid": UID}])

for text in NAMES:
    # Written in the job, and brought in by row, environment and a tag's own text.
    shown = repr(text[:40])
    before = fresh()
    reads(text)
    for words in (["check", "read.yaml"], ["run", "read.yaml", "--no-input"]):
        play(f"{words[0]} into {shown}", run(*words), before, (65, 73))
    if "\0" in text:
        continue
    with open("rows.data", "w", newline="") as file:
        csv.writer(file).writerows([["uid", "name"], [UID, text]])
    reads("${row.name}", data={"csv": "rows.data", "match": "uid", "key": "uid"})
    play(f"row {shown}", run("run", "read.yaml", "--no-input"), before, (65, 73))
    reads("a/${row.name}", data={"csv": "rows.data", "match": "uid", "key": "uid"})
    result = run("run", "read.yaml", "--no-input")
    play(f"a/ and row {shown}", result, before, (0, 65, 73))
    reads("${env.NAME}")
    os.environ["NAME"] = text
    play(f"environment {shown}", run("run", "read.yaml", "--no-input"), before, (65, 73))
del os.environ["NAME"]


def in_the_way(name, prepare, into, expect=(73,)):
    before = fresh()
    reads(into)
    prepare()
    play(name, run("run", "read.yaml", "--no-input", name=name), before, expect)


def listen(path):
    made = socket.socket(socket.AF_UNIX)
    made.bind(path)
    made.close()


for end in ("csv", "jsonl"):
    into = f"x.{end}"
    path = f"out/x.{end}"
    for name, prepare in {
        "a link to a file": lambda: os.symlink(f"../outside/canary.{end}", path),
        "an absolute link": lambda: os.symlink(OUTSIDE / f"canary.{end}", path),
        "a link to nothing": lambda: os.symlink("../outside/new", path),
        "a link to a device": lambda: os.symlink("/dev/full", path),
        "a link to itself": lambda: os.symlink(into, path),
        "a hard link": lambda: os.link(OUTSIDE / f"canary.{end}", path),
        "a folder": lambda: os.mkdir(path),
        "a pipe": lambda: os.mkfifo(path),
        "a socket": lambda: listen(path),
    }.items():
        in_the_way(f"{name} in place of {into}", prepare, into)
    for name, prepare in {
        "a link to a folder": lambda: os.symlink("../outside", "out/sub"),
        "an absolute link to a folder": lambda: os.symlink(OUTSIDE, "out/sub"),
        "a link to the root": lambda: os.symlink("/", "out/sub"),
        "a file": lambda: open("out/sub", "w").close(),
        "a link to itself": lambda: os.symlink("sub", "out/sub"),
    }.items():
        in_the_way(f"{name} in place of the folder", prepare, f"sub/x.{end}")
    in_the_way("a link deeper down", lambda: (os.mkdir("out/sub"), os.symlink("../../outside/folder", "out/sub/deep")),
               f"sub/deep/x.{end}")
    in_the_way("folders that are missing", lambda: None, f"a/b/c/x.{end}", (0,))
    if not (OUT / f"a/b/c/x.{end}").is_file():
        fault(f"a/b/c/x.{end} was not made")

# A folder that turns into a link and back while a run writes into it.
before = fresh()
tags = [{"chip": "NTAG213"}] * 150
station(tags, name="many.yaml")
reads("swap/x.csv")
stop = threading.Event()


def swap():
    os.mkdir("out/real")
    os.symlink("../outside", "out/link")
    while not stop.is_set():
        for other in ("real", "link"):
            try:
                os.rename(f"out/{other}", "out/swap")
                os.rename("out/swap", f"out/{other}")
            except OSError:
                pass


thread = threading.Thread(target=swap)
thread.start()
for _ in range(3):
    run("run", "read.yaml", "--no-input", "--station", "many.yaml", expect=(0, 1, 73), name="swapped folder")
stop.set()
thread.join()
unchanged("a folder swapped for a link", before)

# Where a person names the file.
reads("x.csv")
for name, prepare, words, expect in [
    ("--output is a file", lambda: open("out/f", "w").close(), ["--output", "out/f"], (73,)),
    ("--output in a device", lambda: None, ["--output", "/dev/null/x"], (73,)),
    ("--log is a device", lambda: None, ["--log", "/dev/full"], (73, 74)),
    ("--log is a folder", lambda: None, ["--log", "out"], (73, 74)),
    ("--log is a pipe", lambda: os.mkfifo("out/p"), ["--log", "out/p"], (73, 74)),
    ("--ledger is a device", lambda: None, ["--ledger", "/dev/null"], (73, 74)),
    ("--ledger is a folder", lambda: os.mkdir("out/folder"), ["--ledger", "out/folder"], (73, 74)),
    ("--ledger is a pipe", lambda: os.mkfifo("out/p"), ["--ledger", "out/p"], (73, 74)),
    ("--ledger is text", lambda: shutil.copy("outside/canary", "out/text"), ["--ledger", "out/text"], (73, 74)),
    ("--ledger on a line of its own", lambda: None, ["--ledger", "out/a\nb.sqlite"], (0, 73, 74)),
]:
    before = fresh()
    prepare()
    play(name, run("run", "read.yaml", "--no-input", *words, name=name), before, expect)

for name, prepare, path, expect in [
    ("--save over a link", lambda: os.symlink("../outside/canary.nfc", "out/x.nfc"), "out/x.nfc", (0,)),
    ("--save over a hard link", lambda: os.link(OUTSIDE / "canary.nfc", "out/x.nfc"), "out/x.nfc", (0,)),
    ("--save over a folder", lambda: os.mkdir("out/x.nfc"), "out/x.nfc", (73,)),
    ("--save over a pipe", lambda: os.mkfifo("out/x.nfc"), "out/x.nfc", (73,)),
    ("--save over a device", lambda: None, "/dev/full", (73,)),
    ("--save into nothing", lambda: None, "out/no/x.nfc", (73,)),
]:
    before = fresh()
    prepare()
    device = os.stat("/dev/full")
    play(name, run("inspect", "--save", path, name=name), before, expect)
    if os.stat("/dev/full").st_rdev != device.st_rdev:
        fault(f"{name}: the device is gone")

# What lies where kept tags go.
keeper = (FOLDER / "station.yaml").read_text().replace('"timing"', '"keep": "keep", "timing"')
(FOLDER / "keeper.yaml").write_text(keeper)
job("write.yaml", repeat="never", steps=[{"write": [{"uri": "https://example.com/"}]}])
for name, prepare, expect in [
    ("a kept tag that is a link", lambda: os.symlink("../outside/canary.nfc", "keep/only-1.nfc"), None),
    ("a kept tag that is a pipe", lambda: os.mkfifo("keep/only-1.nfc"), None),
    ("a kept tag that is a device", lambda: os.symlink("/dev/zero", "keep/only-1.nfc"), None),
    ("a kept tag that is a folder", lambda: os.mkdir("keep/only-1.nfc"), None),
    ("a lock that is a link", lambda: os.symlink("../outside/canary", "keep/.lock"), None),
    ("a lock that is a pipe", lambda: os.mkfifo("keep/.lock"), None),
    ("a keep folder that is a file", lambda: (os.rmdir("keep"), open("keep", "w").close()), None),
]:
    before = fresh()
    shutil.rmtree("keep", ignore_errors=True)
    if os.path.lexists("keep"):
        os.unlink("keep")
    os.mkdir("keep")
    prepare()
    result = run("run", "write.yaml", "--no-input", "--station", "keeper.yaml", name=name)
    play(name, result, before, (0, 65, 66, 69, 73, 74))

before = fresh()
for name, prepare in {
    "a backup over a link": lambda: os.symlink("../outside/canary", "out/backup"),
    "a backup over a file": lambda: shutil.copy("outside/canary", "out/backup"),
    "a backup over a pipe": lambda: os.mkfifo("out/backup"),
}.items():
    before = fresh()
    run("run", "read.yaml", "--no-input", expect=(0,))
    prepare()
    play(name, run("ledger", "backup", "out/backup", name=name), before, (73, 74))

finish(cases=figures["runs"])
