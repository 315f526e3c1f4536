#!/usr/bin/env python3
"""Measures what the ledger costs; asserts nothing.

  ledger_costs.py --program FILE --shim FILE --folder FOLDER [--rows 100000] [--large 1000000]

FILE of --shim is `locktime.c` as a library. Prints a line for each figure:

- ledger time for each tag: how long its lock is held, syncs included, over a run of 100 tags
- recovery: from the start of the same command after a kill -9 to the session whose first poll follows, with a
  small ledger and with --rows rows done
- a job on random UIDs with --rows rows done: the same ledger time for each tag, and the run's
- a file with --large rows, none and nearly all of them done: to the first session, and most memory resident
"""
import argparse
import hashlib
import json
import os
import signal
import sqlite3
import subprocess
import sys
import time

sys.dont_write_bytecode = True

STATION = """\
station: rig
declarations: {{formats: [TAG], usageDescription: Encode test tags}}
readers: {{only: {{virtual: {{tags: [{deck}], keep: keep, timing: {timing}, gap: 1ms}}}}}}
ledger: ledger.sqlite
log: log.jsonl
"""
JOB = """\
job: rig
data: {{csv: rows.csv, key: code}}
accept: {{chips: [NTAG213], uid: {uid}}}
session: {{kind: tag, polling: [iso14443]}}
stop: {{whenIdleFor: 3s}}
steps:
  - write:
      - uri: "https://example.com/c/${{row.code | urlencode}}"
  - verify
"""


class Place:
    def __init__(self, options, name, rows, tags, uid="fixed", timing="none"):
        self.options = options
        self.folder = os.path.join(options.folder, name)
        os.makedirs(self.folder)
        deck = f"{tags} x NTAG213" if uid == "fixed" else f"{{chip: NTAG213, count: {tags}, uid: random}}"
        self.write("station.yaml", STATION.format(deck=deck, timing=timing))
        self.write("job.yaml", JOB.format(uid=uid))
        with open(self.path("rows.csv"), "w", encoding="utf-8") as file:
            file.write("code,name\n")
            file.writelines(f"ROW-{n:07},Card holder {n}\n" for n in range(rows))

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, name, text):
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.write(text)

    def start(self, *more, **environment):
        variables = {**os.environ, **environment}
        return subprocess.Popen(
            [self.options.program, "run", "job.yaml", "--no-input", "--format", "jsonl", *more],
            cwd=self.folder, env=variables, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL, text=True)

    def run(self, *more, **environment):
        """A run to its end: status, seconds, seconds to its first session, MB of memory."""
        began = time.monotonic()
        process = self.start(*more, **environment)
        first = None
        self.tags = []
        for line in process.stdout:
            if '"event":"tag"' in line:
                self.tags.append(json.loads(line)["ms"])
            if first is None and '"session.began"' in line:
                first = time.monotonic() - began
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        self.processor = usage.ru_utime + usage.ru_stime
        return process.returncode, time.monotonic() - began, first, usage.ru_maxrss * 1024 / 1e6

    def costs(self, limit, **environment):
        """The ledger's seconds for each tag of a run, on the wall and of the processor, and the run's."""
        report = self.path("time.txt")
        status, seconds, *_ = self.run(
            "--limit", str(limit), LD_PRELOAD=self.options.shim, LOCK_TIME=report, **environment)
        with open(report, encoding="utf-8") as file:
            times, wall, processor = file.read().split()
        return status, int(times), float(wall) / limit, float(processor) / limit, seconds / limit

    def fill(self, rows, uid):
        """Rows as a long run would have left them: done, each on a tag of its own."""
        base = sqlite3.connect(self.path("ledger.sqlite"))
        run = base.execute("SELECT run FROM run LIMIT 1").fetchone()[0]

        def lines():
            for number in range(rows):
                key = f"ROW-{number:07}"
                yield row_line(key, number, run, uid == "fixed")
        base.executemany(
            "INSERT OR IGNORE INTO row(series,key,serial,record,place,state,uid,fixed,message,step,run,sum)"
            " VALUES(?,?,?,?,?,?,?,?,?,?,?,?)", lines())
        base.commit()
        base.close()


def row_line(key, number, run, is_fixed):
    record = json.dumps({"code": key}, separators=(",", ":")).encode()
    uid = b"\x05" + number.to_bytes(6, "big") if is_fixed else b"\x08" + number.to_bytes(4, "big")[1:]
    text = f"example.com/c/{key}".encode()
    message = bytes([0xD1, 1, len(text) + 1]) + b"U\x04" + text
    place = f"rows.csv:{number + 2}"
    parts = [b"rig", key.encode(), None, record, place.encode(), b"done", uid,
             b"fixed" if is_fixed else b"random", message, None, run.encode()]
    content = b"".join(
        b"-1:" if part is None else str(len(part)).encode() + b":" + part for part in parts)
    return ("rig", key, None, record, place, "done", uid, int(is_fixed), message, None, run,
            hashlib.sha256(content).digest()[:8])


def show(text):
    print(text, flush=True)


def recover(place, label):
    """A run killed with a tag in hand, and the time to the next one's first session."""
    process = place.start()
    for line in process.stdout:
        if '"event":"tag"' in line and '"passed"' in line:
            break
    process.send_signal(signal.SIGKILL)
    process.wait()
    process.stdout.close()
    status, _, first, _ = place.run("--limit", "1")
    show(f"recovery after kill -9, {label}: {first:.3f} s to the first session, {place.processor:.3f} s of the"
         f" processor for the whole run (exit {status})")


def main():
    parser = argparse.ArgumentParser()
    for name in ("program", "shim", "folder"):
        parser.add_argument(f"--{name}", required=True)
    parser.add_argument("--rows", type=int, default=100_000)
    parser.add_argument("--large", type=int, default=1_000_000)
    options = parser.parse_args()
    os.makedirs(options.folder, exist_ok=True)

    place = Place(options, "tags", 200, 100)
    status, times, wall, processor, run = place.costs(100)
    show(f"ledger time for each tag: {wall * 1000:.2f} ms, {processor * 1000:.2f} ms of the processor,"
         f" the lock taken {times} times for 100 tags; the run {run * 1000:.1f} ms for each (exit {status})")

    recover(Place(options, "small", 20, 20, timing="real"), "20 rows")

    place = Place(options, "rows", options.rows, 20, timing="real")
    place.run("--limit", "1")
    place.fill(options.rows - 100, "fixed")
    recover(place, f"{options.rows} rows of which {options.rows - 100} are done")

    place = Place(options, "random", options.rows, 20, uid="random")
    place.run("--limit", "1")
    place.fill(options.rows - 100, "random")
    status, _, wall, processor, run = place.costs(10)
    show(f"random UIDs, {options.rows - 100} rows done: ledger {wall * 1000:.2f} ms a tag under its lock,"
         f" {sorted(place.tags)[len(place.tags) // 2]:.1f} ms for the tag in the middle of"
         f" {len(place.tags)} (exit {status})")

    place = Place(options, "large", options.large, 40)
    status, seconds, first, memory = place.run("--limit", "1")
    show(f"{options.large} rows, none done: {first:.2f} s to the first session, {memory:.0f} MB,"
         f" {place.processor:.2f} s of the processor (exit {status})")
    status, seconds, first, memory = place.run("--limit", "20")
    show(f"{options.large} rows, checked before: {first:.2f} s to the first session, {memory:.0f} MB after"
         f" 20 tags in {seconds:.2f} s, {place.processor:.2f} s of the processor (exit {status})")
    place.fill(options.large - 100, "fixed")
    status, seconds, first, memory = place.run("--limit", "10")
    show(f"{options.large} rows, {options.large - 100} done: {first:.2f} s to the first session,"
         f" {memory:.0f} MB after 10 tags in {seconds:.2f} s, {place.processor:.2f} s of the processor"
         f" (exit {status})")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
