#!/usr/bin/env python3
"""Runs a job again and again, each time with a fault at another write or sync, and checks what is left.

  kill_rounds.py --program FILE --shim FILE --folder FOLDER [--tags 20] [--points all|N]
                 [--reader outside|inside] [--fault kill|enospc|eio|eio-once] [--workers 2]

A round: new tags and a new ledger; the job with the fault at the n-th counted call; the checker; the same
command again until all rows are on tags or in doubt; the checker again. Prints a line for each round that
is not as promised, and last one line of JSON with the figures (`calm`: at which calls a run ended well
though its fault may have come); the exit status is 1 if there is such a round.
"""
import argparse
import collections
import concurrent.futures
import json
import os
import shutil
import signal
import subprocess
import sys
import time

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import check  # noqa: E402

URL = "https://example.com/c/"
NO_READER = 69
LIMIT = 120  # seconds for one run; a run that needs more hangs

STATION = """\
station: rig
declarations: {{formats: [TAG], usageDescription: Encode test tags}}
readers: {{only: {reader}}}
ledger: ledger.sqlite
log: log.jsonl
"""
JOB = """\
job: rig
data: {csv: rows.csv, key: code}
accept: {chips: [NTAG213]}
session: {kind: tag, polling: [iso14443]}
stop: {whenIdleFor: 3s}
steps:
  - write:
      - uri: "https://example.com/c/${row.code | urlencode}"
  - verify
  - lock
"""
ERRNO = {"enospc": 28, "eio": 5, "eio-once": 5}


class Round:
    def __init__(self, options, name):
        self.options = options
        self.folder = os.path.join(options.folder, str(name))
        self.reader = None
        os.makedirs(self.folder)
        outside = f"\"pn532_uart:{self.path('port')}\""
        inside = (
            f"{{virtual: {{tags: [{options.tags} x NTAG213], keep: keep, timing: none, gap: 1ms}}}}")
        self.write("station.yaml", STATION.format(
            reader=outside if options.reader == "outside" else inside))
        self.write("job.yaml", JOB)
        self.write("rows.csv", "code\n" + "".join(f"ROW-{n:04}\n" for n in range(options.tags)))

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, name, text):
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.write(text)

    def start_reader(self):
        """A reader of its own process, whose deck is what the tags held last."""
        if self.options.reader != "outside":
            return
        self.stop_reader()
        with open(self.path("reader.err"), "a", encoding="utf-8") as errors:
            self.reader = subprocess.Popen(
                [self.options.program, "virtual-reader", "--tags",
                 f"{self.options.tags} x NTAG213", "--timing", "none", "--hold", "done",
                 "--gap", "1ms", "--keep", "keep", "--link", self.path("port")],
                cwd=self.folder, stdout=subprocess.PIPE, stderr=errors)
        self.reader.stdout.readline()

    def stop_reader(self):
        if self.reader:
            self.reader.kill()
            self.reader.wait()
            self.reader.stdout.close()
            self.reader = None

    def run(self, *more, **environment):
        """The job once; its exit status, negative where a signal ended it."""
        variables = dict(os.environ)
        if environment:
            variables.update(environment, LD_PRELOAD=self.options.shim)
        with open(self.path("shown"), "wb") as shown, open(self.path("run.err"), "ab") as errors:
            return subprocess.run(
                [self.options.program, "run", "job.yaml", "--no-input", "--format", "jsonl", *more],
                cwd=self.folder, env=variables, stdin=subprocess.DEVNULL, stdout=shown,
                stderr=errors, timeout=LIMIT).returncode

    def checker(self, **how):
        return check.Checker(
            self.path("keep"), self.path("ledger.sqlite"), self.path("log.jsonl"), URL,
            rows=self.path("rows.csv"), shown=self.path("shown"), locked=True, **how)

    def listed(self):
        """The rows that a person is told to be in doubt."""
        result = subprocess.run(
            [self.options.program, "ledger", "list", "--state", "inDoubt", "--format", "json"],
            cwd=self.folder, capture_output=True, text=True, timeout=LIMIT)
        return sorted(json.loads(line)["key"] for line in result.stdout.splitlines())

    def verifies(self):
        return subprocess.run(
            [self.options.program, "ledger", "verify"], cwd=self.folder, capture_output=True,
            timeout=LIMIT).returncode == 0

    def end(self, keep):
        self.stop_reader()
        if not keep:
            shutil.rmtree(self.folder)


class Result:
    def __init__(self, point):
        self.point = point
        self.findings = []
        self.status = None
        self.states = {}
        self.doubtful = 0
        self.repeated = 0
        self.runs = 0
        self.seconds = 0.0


def fault(options, point):
    variables = {"KILL_AT": str(point)}
    if options.fault != "kill":
        variables["KILL_ERRNO"] = str(ERRNO[options.fault])
        if options.fault != "eio-once":
            variables["KILL_LASTING"] = "1"
        # SQLite passes over a folder that cannot be synced; where that lasts, our own sync of it tells.
        variables["KILL_ONLY"] = {"enospc": "files", "eio": "sync", "eio-once": "filesync"}[
            options.fault]
    return variables


def play(options, point):
    """One round; what it found."""
    result = Result(point)
    round_ = Round(options, point)
    try:
        # A machine that is much too busy lets libnfc's wait for the reader's first answer run out.
        for _ in range(4):
            round_.start_reader()
            result.status = round_.run(**fault(options, point))
            if result.status != NO_READER:
                break
            result.repeated += 1
            round_.end(keep=False)
            round_ = Round(options, point)
        checker = round_.checker(killed=True)
        result.findings += [f"after the fault: {one}" for one in checker.check()]
        result.states = dict(checker.states)
        judge_status(options, result)
        began = time.monotonic()
        while result.runs < 4:
            result.runs += 1
            round_.start_reader()
            status = round_.run()
            if status == 0:
                break
        result.seconds = time.monotonic() - began
        checker = round_.checker()
        result.findings += [f"at the end: {one}" for one in checker.check()]
        result.doubtful = len(checker.doubtful)
        settle(options, result, checker, round_)
    except subprocess.TimeoutExpired:
        result.findings.append(f"a run did not end within {LIMIT} s")
    finally:
        round_.end(keep=bool(result.findings))
    return result


def judge_status(options, result):
    if options.fault == "kill":
        if result.status not in (-signal.SIGKILL, 0):
            result.findings.append(f"the run ended with {result.status}")
    elif result.status not in (0, 73, 74):
        result.findings.append(f"the run ended with {result.status}, not 73 or 74")
    elif options.fault.startswith("eio") and result.status == 0:
        result.findings.append("the run ended with 0 after a failed sync")
    elif result.status == 0 and result.states.get("done", 0) != options.tags:
        result.findings.append("the run ended with 0 though rows are left")


def settle(options, result, checker, round_):
    states = checker.states
    lost = options.tags - states["done"] - states["inDoubt"]
    if lost:
        result.findings.append(f"{lost} rows are neither done nor in doubt: {dict(states)}")
    if round_.listed() != checker.doubtful:
        result.findings.append(f"in doubt {checker.doubtful}, listed {round_.listed()}")
    if not round_.verifies():
        result.findings.append("ledger verify refuses the ledger")


def count(options):
    """How many calls are counted in a run without a fault."""
    round_ = Round(options, "count")
    round_.start_reader()
    variables = fault(options, -1)
    variables["KILL_COUNT"] = round_.path("count.txt")
    status = round_.run(**variables)
    findings = round_.checker().check()
    with open(round_.path("count.txt"), encoding="utf-8") as file:
        number = int(file.read())
    if status or findings:
        raise SystemExit(f"a run without a fault ends with {status}: {findings}")
    round_.end(keep=False)
    return number


def main():
    parser = argparse.ArgumentParser()
    for name in ("program", "shim", "folder"):
        parser.add_argument(f"--{name}", required=True)
    parser.add_argument("--tags", type=int, default=20)
    parser.add_argument("--points", default="all")
    parser.add_argument("--reader", choices=("outside", "inside"), default="outside")
    parser.add_argument("--fault", choices=("kill", *ERRNO), default="kill")
    parser.add_argument("--workers", type=int, default=2)
    options = parser.parse_args()
    os.makedirs(options.folder, exist_ok=True)
    calls = count(options)
    points = list(range(1, calls + 1))
    if options.points != "all":
        wanted = min(int(options.points), calls)
        # Spread, with the first and the last of them.
        points = sorted({1 + (calls - 1) * i // max(wanted - 1, 1) for i in range(wanted)})
    faulty, doubtful, reached, repeated, longest = 0, 0, 0, 0, 0.0
    statuses = collections.Counter()
    calm = []
    began = time.monotonic()
    with concurrent.futures.ThreadPoolExecutor(options.workers) as pool:
        for result in pool.map(lambda point: play(options, point), points):
            for finding in result.findings:
                print(f"{options.fault} at {result.point} of {calls}: {finding}", flush=True)
            faulty += bool(result.findings)
            doubtful += result.doubtful
            reached += result.status != 0
            if result.status == 0:
                calm.append(result.point)
            repeated += result.repeated
            longest = max(longest, result.seconds)
            statuses[str(result.status)] += 1
    print(json.dumps({
        "fault": options.fault, "reader": options.reader, "tags": options.tags, "calls": calls,
        "rounds": len(points), "reached": reached, "faulty": faulty, "leftInDoubt": doubtful,
        "statuses": statuses, "calm": calm, "repeated": repeated, "longestResume": round(longest, 1),
        "seconds": round(time.monotonic() - began)}))
    return 1 if faulty else 0


if __name__ == "__main__":
    raise SystemExit(main())
