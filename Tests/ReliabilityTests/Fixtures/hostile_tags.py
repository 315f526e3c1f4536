#!/usr/bin/env python3
"""Lays tags on a virtual reader that no honest program wrote, and looks at what is made of them.

python3 hostile_tags.py PROGRAM FOLDER [CASE...]    prints each case with what became of it
"""
import json

from hostile import *

NTAG213, NTAG215, NTAG216 = "NTAG213", "NTAG215", "NTAG216"
URI = message((1, b"U", b"\x04example.com/", b""))


def nested(depth):
    """A smart poster in a smart poster, and so on."""
    inner = message((1, b"U", b"\x04a.example", b""))
    for _ in range(depth):
        inner = message((1, b"U", b"\x04a.example", b""), (1, b"Sp", inner, b""))
    return record(1, b"Sp", inner)


def chunks(count, end=True):
    """A record in `count` chunks, the last of which may be missing."""
    first = record(1, b"U", b"\x04a", flags=0xB1)
    middle = record(6, b"", b"b", flags=0x36)
    return first + middle * (count - 2) + (record(6, b"", b"c", flags=0x56) if end else middle)


def control(kind, address, size, exponent):
    return bytes([kind, 3, address, size, exponent])


# Name: chip, data from page 4 on, capability container (None: the chip's own), and what must be seen:
# `content` of inspect, and how many records there are (None: no message that can be read).
CASES = {
    "sound": (NTAG213, tlv(URI), None, "message", 1),
    "TLV length FF FF FF FF": (NTAG213, b"\x03\xff\xff\xff\xff", None, "broken", None),
    "record length FF FF FF FF": (NTAG213, tlv(bytes.fromhex("C101FFFFFFFF5500")), None, "message", None),
    "record length wraps 32 bits": (NTAG213, tlv(bytes.fromhex("C9FFFFFFFFFFFF5500")), None, "message", None),
    "record length 7FFFFFFF": (NTAG213, tlv(bytes.fromhex("C1017FFFFFFF5500")), None, "message", None),
    "record past the end": (NTAG213, tlv(bytes.fromhex("D101205504")), None, "message", None),
    "record one byte past the end": (NTAG213, tlv(bytes.fromhex("D101035504")), None, "message", None),
    "type past the end": (NTAG213, tlv(bytes.fromhex("D1FF0055")), None, "message", None),
    "id past the end": (NTAG213, tlv(bytes.fromhex("D90100FF55")), None, "message", None),
    "header cut": (NTAG213, tlv(bytes.fromhex("D1")), None, "message", None),
    "long header cut": (NTAG213, tlv(bytes.fromhex("C1010000")), None, "message", None),
    "id of no bytes": (NTAG213, tlv(bytes.fromhex("D90102005504 61".replace(" ", ""))), None, "message", 1),
    "no message begin": (NTAG213, tlv(record(1, b"U", b"\x04a", flags=0x51)), None, "message", None),
    "no message end": (NTAG213, tlv(record(1, b"U", b"\x04a", flags=0x91)), None, "message", None),
    "message begin twice": (
        NTAG213, tlv(record(1, b"U", b"\x04a", flags=0x91) + record(1, b"U", b"\x04a", flags=0xD1)), None,
        "message", None),
    "bytes after message end": (NTAG213, tlv(URI + b"\xd1\x01"), None, "message", None),
    "second message behind": (NTAG213, tlv(URI + URI), None, "message", None),
    "reserved type name format": (NTAG213, tlv(record(7, b"x", b"y")), None, "message", None),
    "unchanged first": (NTAG213, tlv(record(6, b"", b"y")), None, "message", None),
    "empty with payload": (NTAG213, tlv(record(0, b"", b"y")), None, "message", None),
    "unknown with a type": (NTAG213, tlv(record(5, b"x", b"y")), None, "message", None),
    "well-known of no type": (NTAG213, tlv(record(1, b"", b"y")), None, "message", 1),
    "endless chunks": (NTAG216, tlv(chunks(215, end=False)), None, "message", None),
    "many chunks": (NTAG216, tlv(chunks(215)), None, "message", 1),
    "chunk and end at once": (NTAG213, tlv(record(1, b"U", b"\x04a", flags=0xF1)), None, "message", None),
    "chunk with a type": (
        NTAG213, tlv(record(1, b"U", b"\x04a", flags=0xB1) + record(6, b"U", b"b", flags=0x56)), None,
        "message", None),
    "nested smart posters": (NTAG216, tlv(nested(35)), None, "message", 1),
    "smart poster of itself": (NTAG213, tlv(record(1, b"Sp", record(1, b"Sp", b"\xd1\x02\x0aSp"))), None, "message", 1),
    "smart poster of nothing": (NTAG213, tlv(record(1, b"Sp", b"")), None, "message", 1),
    "smart poster of 99 URIs": (
        NTAG216, tlv(record(1, b"Sp", message(*[(1, b"U", b"\x04a", b"")] * 99))), None, "message", 1),
    "text over-read": (NTAG213, tlv(record(1, b"T", b"\x3fen")), None, "message", 1),
    "text of no bytes": (NTAG213, tlv(record(1, b"T", b"")), None, "message", 1),
    "text with reserved bits": (NTAG213, tlv(record(1, b"T", b"\x42enhi")), None, "message", 1),
    "text of half a UTF-16 unit": (NTAG213, tlv(record(1, b"T", b"\x82en\0a\0")), None, "message", 1),
    "text of half a surrogate pair": (NTAG213, tlv(record(1, b"T", b"\x82en\xd8\x3d")), None, "message", 1),
    "text that is no UTF-8": (NTAG213, tlv(record(1, b"T", b"\x02en\xff\xc0\x80")), None, "message", 1),
    "URI of no bytes": (NTAG213, tlv(record(1, b"U", b"")), None, "message", 1),
    "URI with a reserved prefix": (NTAG213, tlv(record(1, b"U", b"\xffx")), None, "message", 1),
    "300 empty records": (
        NTAG216, tlv(message(*[(0, b"", b"", b"")] * 280)), None, "message", 280),
    "NLEN 65535": (NTAG213, b"\x03\xff\xff\xff", None, "broken", None),
    "NLEN 65534": (NTAG213, b"\x03\xff\xff\xfe" + URI, None, "broken", None),
    "long length of a short message": (NTAG213, b"\x03\xff\x00" + bytes([len(URI)]) + URI + b"\xfe", None, "message", 1),
    "long length of nothing": (NTAG213, b"\x03\xff\x00\x00\xfe", None, "empty", None),
    "message as long as the memory": (NTAG213, b"\x03\x8e" + record(1, b"U", b"\x00" + b"x" * 137), None, "message", 1),
    "message one byte too long": (NTAG213, b"\x03\x8f" + record(1, b"U", b"\x00" + b"x" * 138), None, "broken", None),
    "TLV past the container's size": (NTAG213, b"\x03\x40" + record(1, b"U", b"\x00" + b"x" * 59), "E1100600", "broken", None),
    "length at the very end": (NTAG213, b"\0" * 143 + b"\x03", None, "broken", None),
    "long length at the very end": (NTAG213, b"\0" * 141 + b"\x03\xff\x01", None, "broken", None),
    "proprietary past the end": (NTAG213, b"\xfd\xff\xff\xff", None, "broken", None),
    "nothing but NULL": (NTAG213, b"\0" * 144, None, "empty", None),
    "container of size 0": (NTAG213, tlv(URI), "E1100000", "unformatted", None),
    "container of size FF": (NTAG213, tlv(URI), "E110FF00", "message", 1),
    "container of size FF, long": (NTAG213, b"\x03\xff\x03\xe8" + b"x" * 140, "E110FF00", "broken", None),
    "container of version 0": (NTAG213, tlv(URI), "E1001200", "unformatted", None),
    "container of version F": (NTAG213, tlv(URI), "E1F01200", "unformatted", None),
    "container of pages": (NTAG213, tlv(URI), "E1102D00", "message", 1),
    "container of another format": (NTAG213, tlv(URI), "E2101200", "unformatted", None),
    "container of ones": (NTAG213, tlv(URI), "FFFFFFFF", "unformatted", None),
    "no access": (NTAG213, tlv(URI), "E11012FF", "message", 1),
    "lock control outside": (NTAG213, control(1, 0xFF, 0xFF, 0x3F) + tlv(URI), None, "message", 1),
    "lock control of all": (NTAG213, control(1, 0x00, 0x00, 0x30) + tlv(URI), None, "any", None),
    "lock control of 2^15 bytes a page": (NTAG213, control(1, 0xFF, 0x00, 0xFF) + tlv(URI), None, "message", 1),
    "memory control of all": (NTAG213, control(2, 0x10, 0x00, 0x34) + tlv(URI), None, "any", None),
    "memory control over the message": (NTAG213, control(2, 0x60, 0x04, 0x32) + tlv(URI), None, "any", None),
    "control of 2 bytes": (NTAG213, b"\x01\x02\xa0\x0c" + tlv(URI), None, "message", 1),
    "control of 255 bytes": (NTAG213, b"\x01\xff" + tlv(URI), None, "any", None),
    "47 lock controls": (NTAG215, control(1, 0xA0, 0x10, 0x44) * 47 + tlv(URI), None, "message", 1),
}


def play(name):
    chip, data, container, content, count = CASES[name]
    tag_file(FOLDER / "tag.nfc", memory(data, chip=chip, container=container), chip=chip)
    station(["tag.nfc"])
    job("read.yaml", repeat="always", steps=[
        {"read": {"into": "reads.jsonl", "fields": ["uid", "uri", "records", "message", "capacity"]}}])
    result = run_measured("inspect", "--format", "json", expect=[0], name=f"inspect of {name}")
    scan_json(name, result.out)
    seen = json.loads(result.out or b"{}")
    records = seen.get("records")
    found = (seen.get("content"), None if records is None else len(records))
    if content != "any" and found != (content, count):
        fault(f"{name}: inspect finds {found}, not {(content, count)}")
    human = run("inspect", expect=[0], name=f"inspect of {name}")
    scan(name, human.both)
    reads = FOLDER / "out/reads.jsonl"
    reads.unlink(missing_ok=True)
    result = run_measured("run", "read.yaml", "--no-input", "--format", "jsonl", name=f"a job with {name}")
    scan_json(name, result.out)
    tags = [event for event in map(json.loads, result.out.splitlines()) if event["event"] == "tag"]
    outcomes = [(event["outcome"], event["cause"]) for event in tags]
    # What a job reads is what inspect sees; a tag that cannot be read is no crash but an outcome.
    if len(outcomes) != 1 or (outcomes[0][0] == "passed") != (result.status == 0):
        fault(f"{name}: the job ends with {result.status} and {outcomes}")
    if outcomes == [("passed", None)]:
        line = json.loads(reads.read_text())
        if line["records"] != (records or []):
            fault(f"{name}: the job reads {line['records']}, inspect {records}")
    return f"{name}: {found[0]}, {found[1]} records; read: {outcomes[0] if outcomes else None}"


if __name__ == "__main__":
    if sys.argv[3:] == ["--list"]:
        print("\n".join(CASES))
        sys.exit(0)
    for one in sys.argv[3:] or CASES:
        print(play(one))
    finish(cases=len(sys.argv[3:] or CASES))
