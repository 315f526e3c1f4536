"""Reads a ledger and its log with Python's sqlite3 and says whether they hold together.

Usage: judge.py LEDGER [LOG...]; the logs are read one after the other, the oldest first.
"""

import hashlib
import json
import sqlite3
import sys
import unicodedata


def main(store, logs):
    database = sqlite3.connect(f"file:{store}?mode=ro", uri=True)
    assert database.execute("PRAGMA application_id").fetchone() == (0x4E464342,)
    assert database.execute("PRAGMA user_version").fetchone() == (2,)
    assert database.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    assert database.execute("PRAGMA foreign_key_check").fetchall() == []

    previous = bytes(32)
    lines = []
    events = database.execute("SELECT seq, line, hash FROM event ORDER BY seq").fetchall()
    for expected, (seq, line, digest) in enumerate(events, 1):
        assert seq == expected, f"event {expected} is missing"
        previous = hashlib.sha256(previous + line.encode()).digest()
        assert digest == previous, f"the hash of event {seq} is wrong"
        event = json.loads(line)
        assert event["seq"] == seq and event["v"] == 1
        assert list(event)[:8] == ["v", "time", "event", "station", "job", "run", "seq", "virtual"]
        assert not any(unicodedata.category(c) in ("Cc", "Cf") for c in line)
        lines.append(line.encode() + b"\n")
    if logs:
        written = b"".join(open(log, "rb").read() for log in logs)
        assert written == b"".join(lines), "the log is not the ledger's events"

    uids = {}
    for series, key, uid, fixed in database.execute(
        "SELECT series, key, uid, fixed FROM row WHERE state NOT IN ('free', 'void')"
    ):
        assert not fixed or (series, uid) not in uids, f"{uid.hex()} has two rows"
        uids[series, uid] = key
    tags = {seq for (seq,) in database.execute("SELECT seq FROM tag")}
    assert tags == {seq for seq, line, _ in events if json.loads(line)["event"] == "tag"}
    print(len(events), previous.hex())


main(sys.argv[1], sys.argv[2:])
