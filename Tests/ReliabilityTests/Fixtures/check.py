#!/usr/bin/env python3
"""Holds a ledger, its log and the kept memories of virtual tags against each other.

Shares no code with the program. Prints a line for each finding and then what was looked at; the exit
status is 1 if there is a finding. Nothing is changed: the ledger is read from a copy.

  check.py --keep FOLDER --ledger FILE --log FILE --url PREFIX [--rows CSV] [--shown FILE]
           [--killed] [--locked]

The URL of a row is PREFIX followed by its key. CSV has the keys in its first column. FILE has the lines
that a run showed (--format jsonl). --killed: a run has just died, so its rows may be in work and the log
may end early. --locked: tags of rows that are done are locked.
"""
import argparse
import collections
import csv
import glob
import hashlib
import json
import os
import re
import shutil
import sqlite3
import tempfile

# NFC Forum, URI Record Type Definition 1.0, table 3.
PREFIXES = [
    "", "http://www.", "https://www.", "http://", "https://", "tel:", "mailto:",
    "ftp://anonymous:anonymous@", "ftp://ftp.", "ftps://", "sftp://", "smb://", "nfs://", "ftp://",
    "dav://", "news:", "telnet://", "imap:", "rtsp://", "urn:", "pop:", "sip:", "sips:", "tftp:",
    "btspp://", "btl2cap://", "btgoep://", "tcpobex://", "irdaobex://", "file://", "urn:epc:id:",
    "urn:epc:tag:", "urn:epc:pat:", "urn:epc:raw:", "urn:epc:", "urn:nfc:",
]
ON_A_TAG = ("committing", "onTag", "inDoubt", "done")


class Tag:
    """One kept tag: what a phone would read from it."""

    def __init__(self, path):
        self.name = os.path.basename(path)
        self.pages = {}
        self.uid = ""
        with open(path, encoding="utf-8") as file:
            for line in file:
                if line.startswith("UID:"):
                    self.uid = line[4:].replace(" ", "").strip()
                page = re.match(r"Page (\d+): ((?:[0-9A-F]{2} ?){4})", line)
                if page:
                    self.pages[int(page[1])] = bytes.fromhex(page[2])
        self.memory = b"".join(self.pages[i] for i in range(4, len(self.pages)))
        size = self.pages[3][2] * 8
        self.data = self.memory[:size]
        self.content, self.rest = self.walk()

    def walk(self):
        """The first NDEF message TLV as (kind, text), and what follows its length byte."""
        at = 0
        while at < len(self.data):
            kind = self.data[at]
            if kind == 0x00:
                at += 1
                continue
            if kind == 0xFE:
                return ("empty", ""), b""
            length = self.data[at + 1] if at + 1 < len(self.data) else 0
            start = at + 2
            if length == 0xFF:
                length = int.from_bytes(self.data[at + 2:at + 4], "big")
                start = at + 4
            if kind == 0x03:
                rest = self.data[start:]
                if length == 0:
                    return ("empty", ""), rest
                if length > len(rest):
                    return ("other", "a message longer than the tag"), rest
                return self.message(rest[:length]), rest
            if kind not in (0x01, 0x02, 0xFD):
                return ("other", f"a block of type {kind:02X} before any message"), b""
            at = start + length
        return ("empty", ""), b""

    @staticmethod
    def message(data):
        """One short URI record, or what it is instead."""
        if len(data) < 5 or data[0] != 0xD1 or data[1] != 1 or data[3:4] != b"U":
            return ("other", data.hex())
        if data[2] != len(data) - 4 or data[4] >= len(PREFIXES):
            return ("other", data.hex())
        try:
            return ("uri", PREFIXES[data[4]] + data[5:].decode("utf-8"))
        except UnicodeDecodeError:
            return ("other", data.hex())

    @property
    def was_written(self):
        return self.content[0] != "empty" or any(
            byte not in (0x00, 0xFE) for byte in self.rest)

    @property
    def is_locked(self):
        # NTAG21x and MF0ULx1 data sheets 8.5.2 and 8.5.3: static lock bytes, and after the user memory of the
        # larger chips dynamic ones.
        dynamic = {41: 36, 45: 40, 135: 130, 231: 226}.get(len(self.pages))
        whole = self.pages[2][2:] == b"\xFF\xFF" and self.pages[3][3] & 0x0F == 0x0F
        return whole and (dynamic is None or self.pages[dynamic][0] == 0xFF)


class Checker:
    def __init__(self, keep, ledger, log, url, rows=None, shown=None, killed=False, locked=False):
        self.url, self.killed, self.locked = url, killed, locked
        self.findings = []
        self.tags = [Tag(path) for path in sorted(glob.glob(os.path.join(keep, "*.nfc")))]
        self.by_uid = {tag.uid: tag for tag in self.tags}
        self.keys = None
        if rows:
            with open(rows, encoding="utf-8", newline="") as file:
                self.keys = [line[0] for line in list(csv.reader(file))[1:] if line]
        self.shown = shown
        self.log_path = log
        self.rows, self.events, self.tag_table, self.fixed_uids = [], [], [], []
        self.read_ledger(ledger)

    def find(self, text):
        self.findings.append(text)

    def read_ledger(self, path):
        if not os.path.exists(path):
            return
        with tempfile.TemporaryDirectory() as folder:
            for suffix in ("", "-wal", "-journal"):
                if os.path.exists(path + suffix):
                    shutil.copy(path + suffix, os.path.join(folder, "copy" + suffix))
            base = sqlite3.connect(os.path.join(folder, "copy"))
            try:
                fault = base.execute("PRAGMA integrity_check").fetchone()[0]
                if fault != "ok":
                    self.find(f"the ledger's file is damaged: {fault}")
                tables = {name for (name,) in base.execute("SELECT name FROM sqlite_master")}
                if "row" not in tables:
                    return
                self.rows = base.execute("SELECT key,state,hex(uid),run FROM row").fetchall()
                self.fixed_uids = base.execute(
                    "SELECT hex(uid) FROM row WHERE fixed AND state NOT IN ('free','void')").fetchall()
                self.events = base.execute("SELECT seq,line,hash FROM event ORDER BY seq").fetchall()
                self.tag_table = base.execute("SELECT seq,outcome,hex(uid),key FROM tag").fetchall()
            except sqlite3.DatabaseError as error:
                self.find(f"the ledger's file cannot be read: {error}")
            finally:
                base.close()

    def check(self):
        self.check_chain()
        self.check_log()
        self.check_runs()
        self.check_rows()
        self.check_tags()
        self.check_shown()
        return self.findings

    # The events

    def check_chain(self):
        last = bytes(32)
        for number, (seq, line, digest) in enumerate(self.events, 1):
            if seq != number:
                return self.find(f"event {number} is missing")
            last = hashlib.sha256(last + line.encode()).digest()
            if last != digest:
                return self.find(f"the chain breaks at event {seq}")
            if json.loads(line)["seq"] != seq:
                return self.find(f"event {seq} says that it is another")

    def check_log(self):
        try:
            with open(self.log_path, "rb") as file:
                content = file.read()
        except FileNotFoundError:
            content = b""
        whole = b"".join(line.encode() + b"\n" for _, line, _ in self.events)
        if content == whole or (self.killed and whole.startswith(content)):
            return
        theirs, ours = content.splitlines(), whole.splitlines()
        for number, (one, other) in enumerate(zip(theirs, ours), 1):
            if one != other:
                return self.find(f"line {number} of the log is not event {number} of the ledger")
        self.find(f"the log has {len(theirs)} lines, the ledger {len(ours)} events")

    def check_runs(self):
        runs = collections.OrderedDict()
        tags = {}
        for seq, line, _ in self.events:
            event = json.loads(line)
            name, run = event["event"], event["run"]
            if name == "run.began":
                runs[run] = []
            elif name == "tag":
                runs.setdefault(run, []).append(event)
                tags[seq] = (event["outcome"], event["uid"] or "", event["row"])
            elif name == "run.ended":
                self.check_counts(event, runs.pop(run, []))
        if runs and not self.killed:
            self.find(f"run {', '.join(runs)} has no end")
        table = {seq: (outcome, uid, key) for seq, outcome, uid, key in self.tag_table}
        for seq in sorted(set(tags) | set(table)):
            if tags.get(seq) != table.get(seq):
                self.find(f"event {seq} and the ledger's tag differ: {tags.get(seq)}, {table.get(seq)}")

    def check_counts(self, end, events):
        """By each tag's last outcome; `skipped` does not replace another. A dead run's are all its events."""
        counts = collections.Counter()
        if end["reason"] == "died":
            counts.update(event["outcome"] for event in events)
        else:
            last = {}
            for event in events:
                if event["outcome"] != "skipped" or event["uid"] not in last:
                    last[event["uid"]] = event["outcome"]
            counts.update(last.values())
        if dict(counts) != end["counts"]:
            self.find(f"run {end['run']} ended with {end['counts']}, its tags make {dict(counts)}")

    # Rows and tags

    def check_rows(self):
        passed = {}
        for _, line, _ in self.events:
            event = json.loads(line)
            if event["event"] == "tag" and event["outcome"] == "passed" and event["row"]:
                passed[event["row"]] = event["uid"]
            if event["event"] == "ledger.changed" and event.get("key"):
                passed.pop(event["key"], None)
        known = {key: (state, uid) for key, state, uid, _ in self.rows}
        for key, uid in passed.items():
            if known.get(key) != ("done", uid):
                self.find(f"row {key} passed on {uid}, the ledger has it as {known.get(key)}")
        for key, (state, uid) in known.items():
            if state in ("writing", "committing") and not self.killed:
                self.find(f"row {key} is left in {state}")
            if state not in ("done", "onTag"):
                continue
            tag = self.by_uid.get(uid)
            wanted = ("uri", self.url + key)
            if state == "done" and key not in passed:
                self.find(f"row {key} is done though no tag passed with it")
            if tag is None:
                self.find(f"row {key} is {state} on {uid}, which is no kept tag")
            elif tag.content != wanted:
                self.find(f"row {key} is {state} on {uid}, which holds {tag.content}")
            elif state == "done" and self.locked and not tag.is_locked:
                self.find(f"row {key} is done on {uid}, which is not locked")
        if self.keys is not None:
            for key in set(known) - set(self.keys):
                self.find(f"row {key} of the ledger is not in the data")

    def check_tags(self):
        known = {key: (state, uid) for key, state, uid, _ in self.rows}
        named = {uid for _, _, uid, _ in self.rows} | {uid for _, _, uid, _ in self.tag_table}
        doubtful = {uid for state, uid in known.values() if state in ("committing", "inDoubt")}
        holders = collections.defaultdict(list)
        for tag in self.tags:
            if tag.was_written and tag.uid not in named:
                self.find(f"{tag.uid} was written, and the ledger does not know it")
            kind, text = tag.content
            if kind == "empty":
                continue
            if kind == "other" or not text.startswith(self.url):
                # Only the committing write may leave anything behind, and its row is doubtful.
                if tag.uid not in doubtful:
                    self.find(f"{tag.uid} holds no row: {text}")
                continue
            key = text[len(self.url):]
            holders[key].append(tag.uid)
            state, uid = known.get(key, ("absent", ""))
            if state not in ON_A_TAG or uid != tag.uid:
                self.find(f"{tag.uid} holds row {key}, the ledger has it as {state} {uid}".rstrip())
        for key, uids in holders.items():
            if len(uids) > 1:
                self.find(f"row {key} is on {len(uids)} tags: {' '.join(uids)}")
        # Of random UIDs nothing can be said.
        used = collections.Counter(uid for (uid,) in self.fixed_uids)
        for uid, count in used.items():
            if count > 1:
                self.find(f"{uid} has {count} rows in the ledger")

    def check_shown(self):
        """What a person or program was told has to be in the ledger."""
        if not self.shown or not os.path.exists(self.shown):
            return
        lines = {line for _, line, _ in self.events}
        with open(self.shown, encoding="utf-8", errors="replace") as file:
            for line in file.read().split("\n")[:-1]:
                if line not in lines and '"outcome":"passed"' in line:
                    self.find(f"shown as passed, but not in the ledger: {line[:120]}")

    @property
    def states(self):
        return collections.Counter(state for _, state, _, _ in self.rows)

    @property
    def doubtful(self):
        return sorted(key for key, state, _, _ in self.rows if state == "inDoubt")


def main():
    parser = argparse.ArgumentParser()
    for name in ("keep", "ledger", "log", "url"):
        parser.add_argument(f"--{name}", required=True)
    parser.add_argument("--rows")
    parser.add_argument("--shown")
    parser.add_argument("--killed", action="store_true")
    parser.add_argument("--locked", action="store_true")
    checker = Checker(**vars(parser.parse_args()))
    findings = checker.check()
    for finding in findings:
        print(finding)
    print(
        f"{len(checker.tags)} tags, {len(checker.rows)} rows, {len(checker.events)} events: "
        f"{len(findings)} findings")
    return 1 if findings else 0


if __name__ == "__main__":
    raise SystemExit(main())
