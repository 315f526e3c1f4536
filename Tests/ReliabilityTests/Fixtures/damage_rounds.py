#!/usr/bin/env python3
"""Flips a bit, or cuts the file, at bytes of a ledger, its write-ahead log, the log and its mark.

  damage_rounds.py --program FILE --folder FOLDER [--bytes 60|all] [--seed 1] [--workers 2]

A small ledger is made twice: closed in order, and left by a killed run with its write-ahead log. Then, for
each byte, a copy with one bit of it flipped, and for some one cut before it: `ledger list` and `ledger verify` end
with 0 or 74, never by a signal, and `verify` not with 0 where a row, tag or event is not as it was. On some
copies the job runs: it ends with 0, or with 1, 3, 65 or 74 and a reason; where it ends with 0 or 1 no row is
on two tags, and all is as it should be or `verify` still tells. Prints a line for each finding and last one line of JSON;
the exit status is 1 if there is a finding.
"""
import argparse
import collections
import concurrent.futures
import json
import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import check  # noqa: E402
from kill_rounds import JOB, LIMIT, URL  # noqa: E402
from upgrade_rounds import Ledger  # noqa: E402

STATION = """\
station: rig
declarations: {formats: [TAG], usageDescription: Encode test tags}
readers: {only: {virtual: {tags: [4 x NTAG213], keep: keep, timing: none, gap: 1ms}}}
ledger: ledger.sqlite
log: log.jsonl
"""
FILES = ("ledger.sqlite", "ledger.sqlite-wal", "log.jsonl", "log.jsonl.mark")
ROWS = 4


def tagstation(options, folder, *words, **how):
    return subprocess.run(
        [options.program, *words], cwd=folder, capture_output=True, text=True, errors="replace",
        stdin=subprocess.DEVNULL, timeout=LIMIT, **how)


def make(options, name, killed):
    """A folder with three rows done, of four; with `killed` by a run that died after them."""
    folder = os.path.join(options.folder, name)
    os.makedirs(folder)
    for file, text in (
            ("station.yaml", STATION), ("job.yaml", JOB),
            ("rows.csv", "code\n" + "".join(f"ROW-{n:04}\n" for n in range(ROWS)))):
        with open(os.path.join(folder, file), "w", encoding="utf-8") as out:
            out.write(text)
    if not killed:
        ended = tagstation(options, folder, "run", "job.yaml", "--no-input", "--limit", "3")
        if ended.returncode:
            raise SystemExit(ended.stderr)
        return folder
    # A prompt that nobody answers would not hold it; a job that waits for a fourth tag does.
    with open(os.path.join(folder, "station.yaml"), "w", encoding="utf-8") as out:
        out.write(STATION.replace("gap: 1ms", "gap: 30s").replace("timing: none", "timing: real"))
    run = subprocess.Popen(
        [options.program, "run", "job.yaml", "--no-input", "--format", "jsonl"], cwd=folder,
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    for line in run.stdout:
        if b'"outcome":"passed"' in line:
            break
    run.send_signal(signal.SIGKILL)
    run.wait()
    with open(os.path.join(folder, "station.yaml"), "w", encoding="utf-8") as out:
        out.write(STATION)
    return folder


def content(folder):
    """Rows, tags and events as another program reads them; `None` where it cannot."""
    try:
        ledger = Ledger(os.path.join(folder, "ledger.sqlite"))
    except (sqlite3.Error, UnicodeDecodeError, OSError):
        return None
    return {table: ledger.content[table] for table in ("row", "event", "tag")}


def in_use(path):
    """Bytes around the keys of rows."""
    with open(path, "rb") as file:
        content = file.read()
    near = {place + number for place in range(len(content) - 4)
            if content[place:place + 4] == b"ROW-" for number in range(-40, 90)}
    return sorted(place for place in near if 0 <= place < len(content)) or range(len(content))


def damage(path, byte, bit):
    with open(path, "r+b") as file:
        if bit is None:
            file.truncate(byte)
            return
        file.seek(byte)
        value = file.read(1)[0]
        file.seek(byte)
        file.write(bytes([value ^ (1 << bit)]))


def play(options, source, original, name, byte, bit, runs):
    findings = []
    with tempfile.TemporaryDirectory(dir=options.memory) as folder:
        folder = os.path.join(folder, "copy")
        shutil.copytree(source, folder)
        damage(os.path.join(folder, name), byte, bit)
        now = content(folder)
        statuses = []
        for words in (("ledger", "list", "--format", "json"), ("ledger", "verify")):
            ended = tagstation(options, folder, *words)
            statuses.append(ended.returncode)
            if ended.returncode not in (0, 74):
                findings.append(f"{words[1]} ended with {ended.returncode}: {ended.stderr[-200:]}")
            if ended.returncode and not ended.stderr.strip():
                findings.append(f"{words[1]} said nothing")
        # What was never shown may go with the write-ahead log's end: a row in work without an outcome.
        tables = ("event", "tag") if name.endswith("-wal") else ("row", "event", "tag")
        if statuses[1] == 0 and (now is None or any(now[t] != original[t] for t in tables)):
            findings.append("verify did not find what was changed")
        if runs:
            findings += go_on(options, folder, original)
    how = "cut" if bit is None else f"bit {bit}"
    return statuses[1], [f"{name} byte {byte} {how}: {one}" for one in findings]


def go_on(options, folder, original):
    ended = tagstation(options, folder, "run", "job.yaml", "--no-input")
    findings = []
    if ended.returncode not in (0, 1, 3, 65, 74):
        findings.append(f"run ended with {ended.returncode}: {ended.stderr[-300:]}")
    if ended.returncode in (0, 1):
        checker = check.Checker(
            os.path.join(folder, "keep"), os.path.join(folder, "ledger.sqlite"),
            os.path.join(folder, "log.jsonl"), URL)
        checker.check_tags()
        lines = {line for _, line, _ in checker.events}
        changed = any(line not in lines for _, line, _ in original["event"])
        # A run does not go through all events; `verify` does, and still finds what was changed.
        if changed or checker.findings or ended.returncode:
            if tagstation(options, folder, "ledger", "verify").returncode != 74:
                findings += [f"after the run: {one}" for one in checker.findings]
                findings.append("after the run verify finds nothing wrong")
            findings += [f"after the run: {one}" for one in checker.findings if "tags:" in one]
    return findings


def main():
    parser = argparse.ArgumentParser()
    for name in ("program", "folder"):
        parser.add_argument(f"--{name}", required=True)
    parser.add_argument("--bytes", default="60")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=2)
    options = parser.parse_args()
    os.makedirs(options.folder, exist_ok=True)
    options.memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    began = time.monotonic()
    chance = random.Random(options.seed)
    jobs = []
    for folder_name, killed in (("closed", False), ("killed", True)):
        source = make(options, folder_name, killed)
        original = content(source)
        for name in FILES:
            path = os.path.join(source, name)
            size = os.path.getsize(path) if os.path.exists(path) else 0
            if not size or (killed and name in ("log.jsonl.mark", "log.jsonl")):
                continue
            places = range(size)
            if options.bytes != "all":
                # Half of them spread, half of them where rows, tags and events are.
                wanted = min(int(options.bytes) // 2, size)
                places = sorted(
                    {size * i // wanted for i in range(wanted)}
                    | set(chance.choices(in_use(path), k=wanted)))
            for number, byte in enumerate(places):
                runs = number % (100 if options.bytes == "all" else 10) == 0
                jobs.append((source, original, name, byte, chance.randrange(8), runs))
                if number % (64 if options.bytes == "all" else 4) == 0:
                    jobs.append((source, original, name, byte, None, runs))
    findings = []
    verified = collections.Counter()
    with concurrent.futures.ThreadPoolExecutor(options.workers) as pool:
        for status, found in pool.map(lambda job: play(options, *job), jobs):
            verified[str(status)] += 1
            for one in found:
                print(one, flush=True)
            findings += found
    print(json.dumps({
        "copies": len(jobs), "runs": sum(job[5] for job in jobs), "faulty": len(findings),
        "verify": verified, "seconds": round(time.monotonic() - began, 1)}))
    return 1 if findings else 0


if __name__ == "__main__":
    raise SystemExit(main())
