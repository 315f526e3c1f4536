#!/usr/bin/env python3
"""Cuts the power at any moment of a job, again and again, and checks what the disk may hold then.

  powercut.py --program FILE --shim FILE --folder FOLDER [--tags 8] [--disks 400] [--resumes 10]
              [--normal] [--seed 1] [--workers 2]

Records a job in two runs with `powerlog.c`. Then for each of --disks pairs of a moment and a seed: a disk as
`powerdisk.py` makes it, on which no outcome that was shown may be missing, the ledger must be whole and agree
with the tags as they were, and all of the log that was synced must be there. On --resumes of them the same
command runs until it ends with 0, and the checker agrees with all of it, log included. --normal: without the
syncs that SQLite leaves out with `synchronous=NORMAL`; what is missing then is only counted. Prints a line
for each finding and last one line of JSON with the figures; the exit status is 1 if there is a finding.
"""
import argparse
import concurrent.futures
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import check  # noqa: E402
import powerdisk  # noqa: E402
from kill_rounds import JOB, LIMIT, URL  # noqa: E402

STATION = """\
station: rig
declarations: {{formats: [TAG], usageDescription: Encode test tags}}
readers: {{only: "pn532_uart:{port}"}}
ledger: disk/ledger.sqlite
log: disk/log.jsonl
"""
ENOUGH = 4  # runs after a cut


class Place:
    """A folder with a job, whose ledger and log lie in `disk` and whose tags lie in `keep`."""

    def __init__(self, options, folder):
        self.options = options
        self.folder = os.path.realpath(folder)
        self.reader = None
        os.makedirs(self.path("disk"), exist_ok=True)
        os.makedirs(self.path("keep"), exist_ok=True)
        self.write("station.yaml", STATION.format(port=self.path("port")))
        self.write("job.yaml", JOB)
        self.write("rows.csv", "code\n" + "".join(f"ROW-{n:04}\n" for n in range(options.tags)))

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, name, text):
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.write(text)

    def environment(self, record):
        variables = dict(os.environ)
        if record:
            variables.update(
                LD_PRELOAD=self.options.shim, POWER_FOLDER=self.folder,
                POWER_LOG=record, POWER_SHOWN=self.path("shown"))
        return variables

    def start_reader(self, record=None):
        self.stop_reader()
        with open(self.path("reader.err"), "a", encoding="utf-8") as errors:
            self.reader = subprocess.Popen(
                [self.options.program, "virtual-reader", "--tags",
                 f"{self.options.tags} x NTAG213", "--timing", "none", "--hold", "done",
                 "--gap", "1ms", "--keep", "keep", "--link", self.path("port")],
                cwd=self.folder, env=self.environment(record), stdout=subprocess.PIPE, stderr=errors)
        self.reader.stdout.readline()

    def stop_reader(self):
        if self.reader:
            self.reader.kill()
            self.reader.wait()
            self.reader.stdout.close()
            self.reader = None

    def run(self, *more, record=None):
        with open(self.path("shown"), "ab") as shown, open(self.path("run.err"), "ab") as errors:
            return subprocess.run(
                [self.options.program, "run", "job.yaml", "--no-input", "--format", "jsonl", *more],
                cwd=self.folder, env=self.environment(record), stdin=subprocess.DEVNULL,
                stdout=shown, stderr=errors, timeout=LIMIT).returncode

    def checker(self, **how):
        return check.Checker(
            self.path("keep"), self.path("disk/ledger.sqlite"), self.path("disk/log.jsonl"), URL,
            rows=self.path("rows.csv"), shown=self.path("shown"), locked=True, **how)


def record(options):
    """The operations of the job in two runs."""
    place = Place(options, os.path.join(options.folder, "recorded"))
    path = os.path.join(options.folder, "record")
    for more in (("--limit", str(options.tags // 2)), ()):
        place.start_reader(path)
        status = place.run(*more, record=path)
        place.stop_reader()
        if status:
            with open(place.path("run.err"), encoding="utf-8") as file:
                raise SystemExit(f"the recorded run ended with {status}: {file.read()}")
    findings = place.checker().check()
    if findings:
        raise SystemExit(f"the recorded run is not as it should be: {findings}")
    return powerdisk.read(path)


def lay_out(folder, disk, files):
    """Writes tags and files where a job expects them."""
    for name in ("disk", "keep"):
        os.makedirs(os.path.join(folder, name), exist_ok=True)
    for name, content in {**files, **disk.tags}.items():
        if name.endswith(".tmp"):
            continue
        path = os.path.join(folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as file:
            file.write(content)


def shown_lines(disk):
    return disk.shown.decode().split("\n")[:-1]


class Findings:
    def __init__(self):
        self.lines = []
        self.missing = 0
        self.disks_with_missing = 0
        self.garbled = 0


def look(disk, files, folder, findings, label, control):
    """What is wrong with a disk before any program has touched it."""
    lay_out(folder, disk, files)
    at = lambda name: os.path.join(folder, name)  # noqa: E731
    checker = check.Checker(
        at("keep"), at("disk/ledger.sqlite"), at("disk/log.jsonl"), URL, locked=True, killed=True)
    known = {line for _, line, _ in checker.events}
    missing = [line for line in shown_lines(disk) if line not in known]
    findings.missing += len(missing)
    findings.disks_with_missing += bool(missing)
    if control:
        return
    checker.check_chain()
    checker.check_runs()
    checker.check_rows()
    checker.check_tags()
    found = list(checker.findings)
    if missing:
        found.append(f"{len(missing)} lines were shown and are not in the ledger: {missing[0][:100]}")
    whole = b"".join(line.encode() + b"\n" for _, line, _ in checker.events)
    log = files.get("disk/log.jsonl", b"")
    name = disk.durable_names.get("disk/log.jsonl")
    synced = len(name.durable) if name else 0
    if log[:synced] != whole[:synced]:
        found.append(f"the {synced} bytes of the log that were synced are not there")
    # Whole lines with anything else among them; a torn last line is no more than that.
    findings.garbled += not whole.startswith(log[:log.rfind(b"\n") + 1])
    findings.lines += [f"{label}: {one}" for one in found]


def resume(options, number, disk_tags, shown, files):
    """Lets the program go on after a cut; what is wrong then, and how many rows are left in doubt."""
    folder = os.path.join(options.folder, f"resumed-{number}")
    place = Place(options, folder)

    class Frozen:
        tags = disk_tags
    lay_out(place.folder, Frozen, files)
    found = []
    with open(place.path("shown"), "wb") as file:
        file.write(shown)
    status = None
    runs = 0
    try:
        while status != 0 and runs < ENOUGH:
            runs += 1
            place.start_reader()
            status = place.run()
        place.stop_reader()
        checker = place.checker()
        found = checker.check()
        known = {line for _, line, _ in checker.events}
        with open(place.path("shown"), encoding="utf-8") as file:
            lost = [line for line in file.read().split("\n")[:-1] if line not in known]
        if lost:
            found.append(f"{len(lost)} lines that were shown are not in the ledger")
        left = options.tags - checker.states["done"] - checker.states["inDoubt"]
        if left:
            found.append(f"{left} rows are neither done nor in doubt: {dict(checker.states)}")
        if status and not checker.states["inDoubt"]:
            with open(place.path("run.err"), encoding="utf-8") as file:
                found.append(f"the last run ended with {status}: {file.read()[-300:]}")
        verified = subprocess.run(
            [options.program, "ledger", "verify"], cwd=place.folder, capture_output=True,
            text=True, timeout=LIMIT)
        if verified.returncode:
            found.append(f"ledger verify: {verified.stderr.strip()}")
    except subprocess.TimeoutExpired:
        found.append(f"a run did not end within {LIMIT} s")
    finally:
        place.stop_reader()
    if not found:
        shutil.rmtree(folder)
    return found, checker.states["inDoubt"]


def main():
    parser = argparse.ArgumentParser()
    for name in ("program", "shim", "folder"):
        parser.add_argument(f"--{name}", required=True)
    parser.add_argument("--tags", type=int, default=8)
    parser.add_argument("--disks", type=int, default=400)
    parser.add_argument("--resumes", type=int, default=10)
    parser.add_argument("--normal", action="store_true")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=2)
    options = parser.parse_args()
    options.folder = os.path.realpath(options.folder)
    os.makedirs(options.folder, exist_ok=True)
    began = time.monotonic()
    operations = record(options)
    if options.normal:
        operations = powerdisk.as_normal(operations, "disk/ledger.sqlite")
    recorded = time.monotonic()
    chance = random.Random(options.seed)
    # Each moment is as likely as another; sorted, so that the record is gone through once.
    cuts = sorted(chance.randrange(1, len(operations) + 1) for _ in range(options.disks))
    every = max(options.disks // options.resumes, 1) if options.resumes else 0
    disk = powerdisk.Disk()
    findings = Findings()
    doubtful, resumed, done, taken = 0, 0, 0, 0
    # Files that live for a moment only: in memory where there is such a place.
    memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    with concurrent.futures.ThreadPoolExecutor(options.workers) as pool:
        waiting = []
        for number, cut in enumerate(cuts):
            while taken < cut:
                disk.take(operations[taken])
                taken += 1
            seed = options.seed * 1_000_003 + number
            files = disk.after_cut(random.Random(seed))
            label = f"cut {cut} of {len(operations)}, seed {seed}"
            with tempfile.TemporaryDirectory(dir=memory) as folder:
                look(disk, files, folder, findings, label, options.normal)
            done += 1
            if every and number % every == every // 2:
                waiting.append((label, pool.submit(
                    resume, options, number, dict(disk.tags), disk.shown, files)))
        for label, future in waiting:
            found, left = future.result()
            resumed += 1
            doubtful += left
            findings.lines += [f"{label}, resumed: {one}" for one in found]
    for line in findings.lines:
        print(line)
    print(json.dumps({
        "tags": options.tags, "operations": len(operations), "disks": done, "faulty": len(findings.lines),
        "missing": findings.missing, "disksWithMissing": findings.disks_with_missing,
        "logsToMend": findings.garbled, "resumed": resumed, "leftInDoubt": doubtful,
        "recordSeconds": round(recorded - began, 1), "seconds": round(time.monotonic() - began, 1)}))
    return 1 if findings.lines else 0


if __name__ == "__main__":
    raise SystemExit(main())
