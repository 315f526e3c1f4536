#!/usr/bin/env python3
"""Plants one fault in the folder of a finished run, for the checker to find: plant.py FAULT FOLDER."""
import hashlib
import json
import os
import sqlite3
import sys

FOLDER = sys.argv[2]


def path(*names):
    return os.path.join(FOLDER, *names)


def edit(name, change):
    with open(path(name), encoding="utf-8") as file:
        text = file.read()
    changed = change(text)
    if changed == text:
        raise SystemExit(f"{name} stays as it was")
    with open(path(name), "w", encoding="utf-8") as file:
        file.write(changed)


def ledger(*statements):
    base = sqlite3.connect(path("ledger.sqlite"))
    for statement in statements:
        base.execute(statement)
    base.commit()
    base.close()


def page(number, value):
    """Replaces a page of the first tag."""
    def change(text):
        lines = text.split("\n")
        at = next(i for i, line in enumerate(lines) if line.startswith(f"Page {number}:"))
        lines[at] = f"Page {number}: {value}"
        return "\n".join(lines)
    edit("keep/only-1.nfc", change)


def copy_tag():
    """A tag that nobody knows, with the memory of the first."""
    with open(path("keep/only-1.nfc"), encoding="utf-8") as file:
        lines = file.read().split("\n")
    lines = ["UID: 04 11 22 33 44 55 66" if line.startswith("UID:") else line for line in lines]
    with open(path("keep/only-9.nfc"), "w", encoding="utf-8") as file:
        file.write("\n".join(lines))


def miscount():
    """A run that says it passed one tag more, with a chain and a log that agree."""
    base = sqlite3.connect(path("ledger.sqlite"))
    events = base.execute("SELECT seq,line FROM event ORDER BY seq").fetchall()
    base.execute("DROP TRIGGER event_no_update")
    last, lines = bytes(32), []
    for seq, line in events:
        event = json.loads(line)
        if event["event"] == "run.ended":
            event["counts"]["passed"] += 1
            line = json.dumps(event, separators=(",", ":"))
        last = hashlib.sha256(last + line.encode()).digest()
        base.execute("UPDATE event SET line=?,hash=? WHERE seq=?", (line, last, seq))
        lines.append(line)
    base.commit()
    base.close()
    with open(path("log.jsonl"), "w", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")


def show():
    with open(path("shown"), "w", encoding="utf-8") as file:
        file.write('{"event":"tag","outcome":"passed","seq":99}\n')


FIRST = "(SELECT min(key) FROM row)"
FAULTS = {
    "two tags": copy_tag,
    "other bytes": lambda: page(8, "00 00 00 00"),
    "length too long": lambda: page(5, "34 03 F0 D1"),
    "length zero": lambda: page(5, "34 03 00 D1"),
    "not locked": lambda: page(2, "F2 48 00 00"),
    "row forgotten": lambda: ledger(f"DELETE FROM row WHERE key={FIRST}"),
    "row freed": lambda: ledger(
        f"UPDATE row SET state='free',uid=NULL,run=NULL,message=NULL WHERE key={FIRST}"),
    "readable while writing": lambda: ledger(
        f"UPDATE row SET state='writing' WHERE key={FIRST}"),
    "outcome before the row": lambda: ledger(f"UPDATE row SET state='onTag' WHERE key={FIRST}"),
    "rows swapped": lambda: ledger(
        "CREATE TEMP TABLE two AS SELECT min(key) AS a, max(key) AS b FROM row",
        "CREATE TEMP TABLE ids AS SELECT key,uid FROM row",
        "UPDATE row SET uid=x'00' WHERE key=(SELECT a FROM two)",
        "UPDATE row SET uid=(SELECT uid FROM ids WHERE key=(SELECT a FROM two))"
        " WHERE key=(SELECT b FROM two)",
        "UPDATE row SET uid=(SELECT uid FROM ids WHERE key=(SELECT b FROM two))"
        " WHERE key=(SELECT a FROM two)"),
    "event changed": lambda: ledger(
        "DROP TRIGGER event_no_update",
        "UPDATE event SET line=replace(line,'passed','failed') WHERE seq=3"),
    "event missing": lambda: ledger(
        "DROP TRIGGER event_no_delete", "DELETE FROM event WHERE seq=3"),
    "tag missing": lambda: ledger("DELETE FROM tag WHERE seq=(SELECT min(seq) FROM tag)"),
    "log changed": lambda: edit("log.jsonl", lambda text: text.replace("passed", "failed", 1)),
    "log too short": lambda: edit("log.jsonl", lambda text: text[:text.rindex("\n", 0, -1) + 1]),
    "miscounted": miscount,
    "shown too early": show,
    "nothing": lambda: None,
}
FAULTS[sys.argv[1]]()
