#!/usr/bin/env python3
"""Runs a job under wall clocks that are wrong, and checks that order and rows are kept.

  clock_rounds.py --program FILE --shim FILE --folder FOLDER [--tags 6]

Each round: half of the tags with the right clock, then the same command with the wrong one, then with the
right one again. Prints a line for each finding and then one line of JSON; the exit status is 1 if there
is a finding.
"""
import argparse
import json
import os
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import kill_rounds  # noqa: E402

DAY = 86_400
CLOCKS = {
    "a day early": {"CLOCK_OFFSET": str(-DAY)},
    "ten years late": {"CLOCK_OFFSET": str(3652 * DAY)},
    "a hundred times as fast": {"CLOCK_RATE": "100"},
    "an hour back in mid-run": {"CLOCK_STEP": "-3600", "CLOCK_STEP_AT": "8"},
    "a year ahead in mid-run": {"CLOCK_STEP": str(365 * DAY), "CLOCK_STEP_AT": "8"},
}


def play(options, name, clock):
    round_ = kill_rounds.Round(options, name.replace(" ", "-"))
    findings = []
    half = options.tags // 2
    steps = [
        ({}, ["--limit", str(half)], half), (clock, [], options.tags), ({}, [], options.tags),
    ]
    spread = 0
    for clock_now, more, done in steps:
        status = round_.run(*more, **clock_now)
        checker = round_.checker()
        findings += checker.check()
        if status != 0:
            findings.append(f"ended with {status}")
        if checker.states["done"] != done:
            findings.append(f"{dict(checker.states)}, not {done} done")
        years = {json.loads(line)["time"][:13] for _, line, _ in checker.events}
        spread = len(years)
    if not round_.verifies():
        findings.append("ledger verify refuses the ledger")
    if "year" in name and spread < 2:
        findings.append("the clock was not wrong at all")
    round_.end(keep=bool(findings))
    return [f"{name}: {finding}" for finding in findings]


def main():
    parser = argparse.ArgumentParser()
    for name in ("program", "shim", "folder"):
        parser.add_argument(f"--{name}", required=True)
    parser.add_argument("--tags", type=int, default=6)
    options = parser.parse_args()
    options.reader = "inside"
    findings = []
    for name, clock in CLOCKS.items():
        findings += play(options, name, clock)
    for finding in findings:
        print(finding)
    print(json.dumps({"clocks": len(CLOCKS), "findings": len(findings)}))
    return 1 if findings else 0


if __name__ == "__main__":
    raise SystemExit(main())
