#!/usr/bin/env python3
"""Breaks the promises one at a time in a copy of the sources, and sees that a test of each fails.

  teeth.py --sources FOLDER [--copy FOLDER] [--only NAME]... [--places]

A test that passes whatever the program does proves nothing. For each entry of BROKEN the copy gets one
change, is built, and the named tests run there: they must fail. At last they run on the copy as it
was, and must pass. With `--places` nothing is built: it only says whether each change still finds its place
in the sources. The exit status is 1 where something is not so.
"""
import argparse
import os
import re
import shutil
import subprocess
import sys

# name, what is broken, the tests that must notice, file, text, the text in its place
BROKEN = [
    ("length-first", "the page with the length is written before the others",
     "R4:", "Sources/StationRunner/TagWork+Steps.swift",
     "try onTag { () throws(TagError) in try format.perform(plan.body) }",
     "try onTag { () throws(TagError) in\n"
     "        try format.perform((plan.commit.map { [$0] } ?? []) + plan.body)\n      }"),
    ("outcome-before-verify", "a row counts as confirmed to the last step before it is verified",
     "R2:", "Sources/StationRunner/TagWork+Steps.swift",
     "        try putOnTag()\n        return try finish(index)",
     "        try putOnTag()\n"
     "        if phase == .committing, let row {\n"
     "          try inLedger { () throws(LedgerError) in\n"
     "            try context.ledger.move(\n"
     "              series: series, key: row.key, to: .onTag, step: batch.steps.count)\n"
     "          }\n"
     "          phase = .onTag\n"
     "        }\n"
     "        return try finish(index)"),
    ("doubt-forgotten", "a row whose committing write was cut short by a kill is free again",
     "R2:", "Sources/Ledger/SQLiteLedger+DeadRuns.swift",
     "to: isTorn ? .free : .inDoubt, step: nil", "to: .free, step: nil"),
    ("claim-after-bytes", "bytes go to the tag before the ledger has the row in `writing`",
     "R2:", "Sources/StationRunner/TagWork+Steps.swift",
     "    if phase == .untouched {\n      try claim(&plan)\n      phase = .writing\n    }\n",
     "    if phase == .untouched {\n"
     "      try onTag { () throws(TagError) in try format.perform(plan.body) }\n"
     "      try claim(&plan)\n      phase = .writing\n    }\n"),
    ("lock-unfinished", "a row is done though its lock was not confirmed",
     "R4:", "Sources/StationRunner/TagWork.swift",
     "      verdict.outcome = .unfinished\n      verdict.rowState = .onTag\n"
     "      if verdict.cause == .writeRefused, isLocking",
     "      verdict.outcome = .passed\n      verdict.rowState = .done\n"
     "      if verdict.cause == .writeRefused, isLocking"),
    ("sync-failure-ignored", "the ledger goes on after a failed sync",
     "R12:", "Sources/Ledger/SQLite/Connection.swift",
     "    let code = unsafe sqlite3_exec(handle, sql, nil, nil, nil)\n"
     "    if code != SQLITE_OK {",
     "    let code = unsafe sqlite3_exec(handle, sql, nil, nil, nil)\n"
     "    if code != SQLITE_OK && code & 0xFF != SQLITE_IOERR {"),
    ("synchronous-normal", "the ledger does not wait for the disk",
     "R3:", "Sources/Ledger/LedgerOpening.swift",
     "PRAGMA synchronous=FULL", "PRAGMA synchronous=NORMAL"),
]


def change(root, file, old, new):
    """Puts `new` in the place of `old`, which stands there once; the text as it was."""
    path = os.path.join(root, file)
    with open(path, encoding="utf-8") as source:
        text = source.read()
    if text.count(old) != 1:
        raise ValueError(f"{file} has the place to break {text.count(old)} times")
    with open(path, "w", encoding="utf-8") as target:
        target.write(text.replace(old, new))
    return text


def restore(root, file, text):
    with open(os.path.join(root, file), "w", encoding="utf-8") as target:
        target.write(text)


def places(options):
    wrong = 0
    for name, _, _, file, old, _ in BROKEN:
        with open(os.path.join(options.sources, file), encoding="utf-8") as source:
            count = source.read().count(old)
        if count != 1:
            print(f"{name}: {file} has the place to break {count} times")
            wrong += 1
    print(f"{len(BROKEN)} ways to break a promise, {wrong} without their place")
    return wrong == 0


def copy_sources(options):
    os.makedirs(options.copy, exist_ok=True)
    for name in ["Package.swift", "Sources", "Tests", "jobs", "examples", "docs", "schema", "README.md"]:
        source = os.path.join(options.sources, name)
        target = os.path.join(options.copy, name)
        if os.path.isdir(source):
            shutil.rmtree(target, ignore_errors=True)
            shutil.copytree(
                source, target, symlinks=True, copy_function=shutil.copy2,
                ignore=shutil.ignore_patterns("var"))
        elif os.path.exists(source):
            shutil.copy2(source, target)


def swift(options, *arguments):
    return subprocess.run(
        ["swift", *arguments], cwd=options.copy, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        text=True, timeout=1800)


def build(options):
    result = swift(options, "build", "--build-tests")
    if result.returncode != 0:
        print(result.stdout[-4000:])
    return result.returncode == 0


def passes(options, tests):
    result = swift(options, "test", "--skip-build", "--disable-xctest", "--filter", tests)
    ran = "Test run with 0 tests" not in result.stdout and "Test run with" in result.stdout
    return (result.returncode == 0 if ran else None), result.stdout


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--sources", required=True)
    parser.add_argument("--copy")
    parser.add_argument("--only", action="append")
    parser.add_argument("--places", action="store_true")
    options = parser.parse_args()
    if options.places:
        return 0 if places(options) else 1
    options.copy = options.copy or os.path.join(options.sources, ".build", "teeth")
    copy_sources(options)
    chosen = [one for one in BROKEN if not options.only or one[0] in options.only]
    wrong = 0
    for name, what, tests, file, old, new in chosen:
        text = change(options.copy, file, old, new)
        verdict = "does not build"
        if build(options):
            passed, output = passes(options, tests)
            verdict = {True: "NOT NOTICED", False: "noticed", None: "no such test"}[passed]
            if passed is False:
                first = re.search(r"(?:after the fault|at the end): [^\"\\]+", output)
                verdict += f": {first.group()}" if first else ""
        restore(options.copy, file, text)
        print(f"{name} ({what}): {tests.rstrip(':')} {verdict}", flush=True)
        wrong += not verdict.startswith("noticed")
    tests = "|".join(sorted({one[2] for one in chosen}))
    if not build(options) or passes(options, tests)[0] is not True:
        print(f"the tests {tests} do not pass on sources that are whole")
        wrong += 1
    print(f"{len(chosen)} promises broken, {len(chosen) - wrong} noticed")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
