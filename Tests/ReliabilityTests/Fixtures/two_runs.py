#!/usr/bin/env python3
"""Two runs at once on one ledger: with a reader each, and with one reader for both.

  two_runs.py --program FILE --folder FOLDER [--rounds 6] [--rows 12]

In each round two runs share a series with as many rows as each of their readers has tags, so that they race
for the last row: both end with 0, no tag fails, the counts balance, and the checker agrees. Then two runs on
one reader: the second waits its turn, and with --no-queue it ends with 75. Prints a line for each finding and
last one line of JSON with the figures; the exit status is 1 if there is a finding.
"""
import argparse
import json
import os
import shutil
import subprocess
import sys
import time

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import check  # noqa: E402
from kill_rounds import JOB, LIMIT, URL  # noqa: E402

STATION = """\
station: rig
declarations: {{formats: [TAG], usageDescription: Encode test tags}}
readers:
  left: {{virtual: {{tags: [{tags} x NTAG213], keep: keep/left, timing: {timing}, gap: 1ms}}}}
  right: {{virtual: {{tags: [{tags} x NTAG213], keep: keep/right, timing: {timing}, gap: 1ms}}}}
ledger: ledger.sqlite
log: log.jsonl
"""


class Place:
    def __init__(self, options, name, timing="none"):
        self.program = options.program
        self.folder = os.path.join(options.folder, name)
        os.makedirs(self.folder)
        self.write("station.yaml", STATION.format(tags=options.rows, timing=timing))
        self.write("job.yaml", JOB)
        self.write("rows.csv", "code\n" + "".join(f"ROW-{n:04}\n" for n in range(options.rows)))

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, name, text):
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.write(text)

    def start(self, reader, *more):
        return subprocess.Popen(
            [self.program, "run", "job.yaml", "--no-input", "--reader", reader, "--format", "jsonl",
             *more],
            cwd=self.folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, text=True)

    def check(self):
        os.makedirs(self.path("tags"))
        for folder, _, names in os.walk(self.path("keep")):
            for name in names:
                if name.endswith(".nfc"):
                    shutil.copy(os.path.join(folder, name), self.path("tags"))
        return check.Checker(
            self.path("tags"), self.path("ledger.sqlite"), self.path("log.jsonl"), URL,
            rows=self.path("rows.csv"), locked=True)


def events(output, name):
    return [event for event in map(json.loads, output.splitlines()) if event["event"] == name]


def race(options, number, figures):
    """Two runs with a reader each."""
    findings = []
    place = Place(options, f"race-{number}")
    runs = [place.start(reader) for reader in ("left", "right")]
    ended = [run.communicate(timeout=LIMIT) for run in runs]
    passed = []
    for run, (output, errors) in zip(runs, ended):
        if run.returncode:
            findings.append(f"a run ended with {run.returncode}: {errors}")
        tags = events(output, "tag")
        passed.append(sum(tag["outcome"] == "passed" for tag in tags))
        others = [tag for tag in tags if tag["outcome"] not in ("passed", "skipped")]
        findings += [f"a tag {tag['outcome']}: {tag['detail']}" for tag in others]
        figures["late"] += sum(tag["cause"] == "data" for tag in tags)
        reasons = [end["reason"] for end in events(output, "run.ended")]
        if reasons != ["usedUp"]:
            findings.append(f"a run ended for {reasons}")
    figures["shares"].append(passed)
    if sum(passed) != options.rows:
        findings.append(f"{passed} tags passed for {options.rows} rows")
    checker = place.check()
    findings += checker.check()
    if checker.states != {"done": options.rows}:
        findings.append(f"the rows are {dict(checker.states)}")
    return findings


def turns(options, figures):
    """Two runs on one reader."""
    findings = []
    place = Place(options, "turns", timing="real")
    first = place.start("left", "--limit", str(options.rows // 2))
    # The first event comes after the run has begun; its reader is taken soon after.
    for line in first.stdout:
        if '"session.began"' in line:
            break
    began = time.monotonic()
    refused = place.start("left", "--no-queue")
    _, errors = refused.communicate(timeout=LIMIT)
    figures["refusedAfter"] = round(time.monotonic() - began, 2)
    if refused.returncode != 75:
        findings.append(f"--no-queue ended with {refused.returncode}, not 75: {errors}")
    second = place.start("left")
    rest, errors = first.communicate(timeout=LIMIT)
    output, more = second.communicate(timeout=LIMIT)
    if first.returncode or second.returncode:
        findings.append(f"they ended with {first.returncode}, {second.returncode}: {errors}{more}")
    if not events(output, "session.queued"):
        findings.append("the second did not say that it waits")
    ended = events(rest, "run.ended")
    sessions = events(output, "session.began")
    if ended and sessions and sessions[0]["seq"] < ended[0]["seq"] - 2:
        findings.append("the second had a session while the first had the reader")
    checker = place.check()
    findings += checker.check()
    if checker.states != {"done": options.rows}:
        findings.append(f"the rows are {dict(checker.states)}")
    return findings


def main():
    parser = argparse.ArgumentParser()
    for name in ("program", "folder"):
        parser.add_argument(f"--{name}", required=True)
    parser.add_argument("--rounds", type=int, default=6)
    parser.add_argument("--rows", type=int, default=12)
    options = parser.parse_args()
    os.makedirs(options.folder, exist_ok=True)
    began = time.monotonic()
    figures = {"rounds": options.rounds, "rows": options.rows, "shares": [], "late": 0}
    findings = []
    for number in range(options.rounds):
        findings += [f"round {number}: {one}" for one in race(options, number, figures)]
    findings += [f"one reader: {one}" for one in turns(options, figures)]
    for finding in findings:
        print(finding)
    figures["faulty"] = len(findings)
    figures["seconds"] = round(time.monotonic() - began, 1)
    print(json.dumps(figures))
    return 1 if findings else 0


if __name__ == "__main__":
    raise SystemExit(main())
