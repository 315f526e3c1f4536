#!/usr/bin/env python3
"""Opens a ledger of version 1 with this program, kills it at chosen writes and syncs, and checks what is left.

  upgrade_rounds.py --program FILE --shim FILE --folder FOLDER --old FOLDER [--points all|N]

The folder of --old has station, jobs, data, tags, ledger and log as a program that wrote version 1 left them,
with runs killed in their work. Whenever it is killed, the ledger is of version 1 or 2, whole, with the same
rows, tags, runs and events; opened again it is of version 2, verifies, and has its copy beside it; the jobs
go on with it to their end. Prints a line for each finding and last one line of JSON with the figures; the
exit status is 1 if there is a finding.
"""
import argparse
import hashlib
import json
import os
import shutil
import sqlite3
import subprocess
import sys
import time

LIMIT = 120
TABLES = {
    "row": "series,key,serial,hex(record),place,state,hex(uid),fixed,hex(message),step,run",
    "event": "seq,line,hex(hash)",
    "tag": "seq,run,reader,position,hex(uid),series,key,outcome,cause,step",
    "run": "run,job,began,ended,exit",
    "refused": "series,hex(uid),key,seq",
    "job": "series,job,hex(writes)",
    "ledger": "id,made",
}


class Ledger:
    """What Python's own SQLite reads from a copy."""

    def __init__(self, path):
        copy = f"{path}.look"
        for suffix in ("", "-wal"):
            if os.path.exists(path + suffix):
                shutil.copy(path + suffix, copy + suffix)
        base = sqlite3.connect(copy)
        try:
            self.fault = base.execute("PRAGMA integrity_check").fetchone()[0]
            self.version = base.execute("PRAGMA user_version").fetchone()[0]
            self.content = {
                table: sorted(base.execute(f"SELECT {columns} FROM {table}").fetchall(), key=repr)
                for table, columns in TABLES.items()}
        finally:
            base.close()
        for suffix in ("", "-wal", "-shm"):
            if os.path.exists(copy + suffix):
                os.remove(copy + suffix)

    def chain(self):
        last = bytes(32)
        for seq, line, digest in sorted(self.content["event"]):
            last = hashlib.sha256(last + line.encode()).digest()
            if last.hex().upper() != digest:
                return f"the chain breaks at event {seq}"
        return None


class Copy:
    def __init__(self, options, name):
        self.options = options
        self.folder = os.path.join(options.folder, str(name))
        shutil.copytree(options.old, self.folder)
        # As it was: nobody lives whose lock could be held.
        os.makedirs(self.path("ledger.sqlite.runs"), exist_ok=True)

    def path(self, name):
        return os.path.join(self.folder, name)

    def tagstation(self, *words, **environment):
        variables = dict(os.environ)
        if environment:
            variables.update(environment, LD_PRELOAD=self.options.shim)
        return subprocess.run(
            [self.options.program, *words], cwd=self.folder, env=variables, capture_output=True,
            text=True, stdin=subprocess.DEVNULL, timeout=LIMIT)


def difference(ledger, original):
    for table, lines in original.content.items():
        if ledger.content[table] != lines:
            return f"table {table} differs"
    return ledger.fault if ledger.fault != "ok" else ledger.chain()


def play(options, point, original):
    findings = []
    copy = Copy(options, point)
    status = copy.tagstation("ledger", "list", KILL_AT=str(point)).returncode
    if status not in (0, -9):
        findings.append(f"the program ended with {status}")
    killed = Ledger(copy.path("ledger.sqlite"))
    if fault := difference(killed, original):
        findings.append(f"after the kill: {fault}")
    again = copy.tagstation("ledger", "verify")
    if again.returncode:
        findings.append(f"ledger verify: {again.stderr}")
    now = Ledger(copy.path("ledger.sqlite"))
    if now.version != 2:
        findings.append(f"the version is {now.version}")
    if fault := difference(now, original):
        findings.append(f"at the end: {fault}")
    kept = Ledger(copy.path("ledger.sqlite.v1"))
    if kept.version != 1:
        findings.append(f"the copy is of version {kept.version}")
    if fault := difference(kept, original):
        findings.append(f"the copy: {fault}")
    if any(name.endswith(".tmp") for name in os.listdir(copy.folder)) and status == 0:
        findings.append("a draft is left")
    if not findings:
        shutil.rmtree(copy.folder)
    return killed.version, findings


def go_on(options):
    """The jobs to their end, on the new version."""
    findings = []
    copy = Copy(options, "resumed")
    for reader in ("left", "right", "third", "fourth", "left", "right"):
        result = copy.tagstation("run", "job.yaml", "--no-input", "--reader", reader)
        if result.returncode not in (0, 3):
            findings.append(f"the job on {reader} ended with {result.returncode}: {result.stderr}")
    if result.returncode:
        findings.append(f"the job ends with {result.returncode}: {result.stderr}")
    random = copy.tagstation("run", "random.yaml", "--no-input")
    if random.returncode:
        findings.append(f"the job for random UIDs ended with {random.returncode}: {random.stderr}")
    ledger = Ledger(copy.path("ledger.sqlite"))
    states = {}
    for line in ledger.content["row"]:
        if line[0] == "rig":
            states.setdefault(line[5], []).append(line[6])
    if len(states.get("done", [])) != 11 or len(states.get("void", [])) != 1:
        findings.append(f"11 rows should be done and one void: {states}")
    if len(set(states.get("done", []))) != 11:
        findings.append("a tag has two rows")
    verified = copy.tagstation("ledger", "verify")
    if verified.returncode or ledger.chain():
        findings.append(f"ledger verify: {verified.stderr} {ledger.chain()}")
    return findings


def refuses_newer(options):
    copy = Copy(options, "newer")
    base = sqlite3.connect(copy.path("ledger.sqlite"))
    base.execute("PRAGMA user_version=3")
    base.close()
    before = Ledger(copy.path("ledger.sqlite"))
    findings = []
    for words in (("ledger", "list"), ("run", "job.yaml", "--no-input", "--reader", "left")):
        result = copy.tagstation(*words)
        if result.returncode != 74 or "made by a newer program (version 3)" not in result.stderr:
            findings.append(f"{words[0]} on version 3: {result.returncode} {result.stderr}")
    after = Ledger(copy.path("ledger.sqlite"))
    if after.content != before.content or after.version != 3:
        findings.append("the newer ledger was changed")
    return findings


def main():
    parser = argparse.ArgumentParser()
    for name in ("program", "shim", "folder", "old"):
        parser.add_argument(f"--{name}", required=True)
    parser.add_argument("--points", default="all")
    options = parser.parse_args()
    os.makedirs(options.folder, exist_ok=True)
    began = time.monotonic()
    original = Ledger(Copy(options, "original").path("ledger.sqlite"))
    counted = Copy(options, "count")
    counted.tagstation("ledger", "list", KILL_AT="-1", KILL_COUNT=counted.path("count.txt"))
    with open(counted.path("count.txt"), encoding="utf-8") as file:
        calls = int(file.read())
    points = list(range(1, calls + 1))
    if options.points != "all":
        wanted = min(int(options.points), calls)
        points = sorted({1 + (calls - 1) * i // max(wanted - 1, 1) for i in range(wanted)})
    findings = []
    versions = {1: 0, 2: 0}
    for point in points:
        version, found = play(options, point, original)
        versions[version] = versions.get(version, 0) + 1
        findings += [f"kill at {point} of {calls}: {one}" for one in found]
    findings += go_on(options) + refuses_newer(options)
    for finding in findings:
        print(finding)
    print(json.dumps({
        "calls": calls, "rounds": len(points), "faulty": len(findings), "leftAtVersion": versions,
        "rows": len(original.content["row"]), "events": len(original.content["event"]),
        "seconds": round(time.monotonic() - began, 1)}))
    return 1 if findings else 0


if __name__ == "__main__":
    raise SystemExit(main())
