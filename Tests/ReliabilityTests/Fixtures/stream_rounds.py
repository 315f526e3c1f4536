#!/usr/bin/env python3
"""Closes what a run writes to, or takes its terminal away, and checks how it ends.

  stream_rounds.py --program FILE --folder FOLDER [--tags 6]

With --format jsonl a run whose standard output nobody reads any more stops after the tag in hand, with 73; a
closed standard error stops nothing; streams that were closed from the start stop nothing; a run whose
terminal goes away stops after the tag in hand, with 143. After each the checker agrees, and the same command
ends with 0. Prints a line for each finding and last one line of JSON; the exit status is 1 if there is one.
"""
import argparse
import json
import os
import pty
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
  only: {{virtual: {{tags: [{tags} x NTAG213], keep: keep, timing: real, gap: 20ms}}}}
ledger: ledger.sqlite
log: log.jsonl
"""


class Place:
    def __init__(self, options, name):
        self.options = options
        self.folder = os.path.join(options.folder, name)
        os.makedirs(self.folder)
        self.write("station.yaml", STATION.format(tags=options.tags))
        self.write("job.yaml", JOB)
        self.write("rows.csv", "code\n" + "".join(f"ROW-{n:04}\n" for n in range(options.tags)))

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, name, text):
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.write(text)

    @property
    def command(self):
        return [self.options.program, "run", "job.yaml"]

    def start(self, *more, **how):
        return subprocess.Popen(
            [*self.command, "--no-input", *more], cwd=self.folder, stdin=subprocess.DEVNULL, **how)

    def tags(self):
        try:
            with open(self.path("log.jsonl"), encoding="utf-8") as file:
                return sum('"event":"tag"' in line for line in file)
        except FileNotFoundError:
            return 0

    def wait_for_tag(self):
        end = time.monotonic() + LIMIT
        while not self.tags() and time.monotonic() < end:
            time.sleep(0.005)

    def look(self, findings, wanted, status):
        """What is there once the run has ended; then the same command again."""
        if status != wanted:
            findings.append(f"the run ended with {status}, not {wanted}")
        for moment in ("after it", "at the end"):
            checker = check.Checker(
                self.path("keep"), self.path("ledger.sqlite"), self.path("log.jsonl"), URL,
                rows=self.path("rows.csv"), locked=True)
            findings += [f"{moment}: {one}" for one in checker.check()]
            if set(checker.states) - {"done"}:
                findings.append(f"{moment}: the tag in hand was not finished: {dict(checker.states)}")
            if moment == "after it":
                again = self.start(stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
                if again.wait(timeout=LIMIT):
                    findings.append(f"the same command again ended with {again.returncode}")
        if checker.states["done"] != self.options.tags:
            findings.append(f"at the end the rows are {dict(checker.states)}")
        return findings


def output_closed(options, figures):
    place = Place(options, "output")
    run = place.start("--format", "jsonl", stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    for line in run.stdout:
        if b'"event":"tag"' in line:
            break
    run.stdout.close()
    status = run.wait(timeout=LIMIT)
    figures["tagsAfterClosedOutput"] = place.tags()
    findings = [] if place.tags() < options.tags else ["the run went on without a reader of its output"]
    return place.look(findings, 73, status)


def errors_closed(options, _):
    place = Place(options, "errors")
    run = place.start(stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    place.wait_for_tag()
    run.stderr.close()
    return place.look([], 0, run.wait(timeout=LIMIT))


def closed_from_the_start(options, _):
    place = Place(options, "closed")
    run = subprocess.Popen(
        ["sh", "-c", 'exec "$@" <&- >&- 2>&-', "sh", *place.command, "--no-input"], cwd=place.folder)
    return place.look([], 0, run.wait(timeout=LIMIT))


def terminal_gone(options, figures):
    place = Place(options, "terminal")
    child, terminal = pty.fork()
    if child == 0:
        os.chdir(place.folder)
        os.execv(place.command[0], place.command)
    place.wait_for_tag()
    os.close(terminal)
    _, status = os.waitpid(child, 0)
    figures["tagsAfterHangUp"] = place.tags()
    return place.look([], 143, os.waitstatus_to_exitcode(status))


def main():
    parser = argparse.ArgumentParser()
    for name in ("program", "folder"):
        parser.add_argument(f"--{name}", required=True)
    parser.add_argument("--tags", type=int, default=6)
    options = parser.parse_args()
    os.makedirs(options.folder, exist_ok=True)
    began = time.monotonic()
    figures = {"tags": options.tags}
    findings = []
    for case in (output_closed, errors_closed, closed_from_the_start, terminal_gone):
        findings += [f"{case.__name__}: {one}" for one in case(options, figures)]
    for finding in findings:
        print(finding)
    figures["faulty"] = len(findings)
    figures["seconds"] = round(time.monotonic() - began, 1)
    print(json.dumps(figures))
    return 1 if findings else 0


if __name__ == "__main__":
    raise SystemExit(main())
