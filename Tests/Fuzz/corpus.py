#!/usr/bin/env python3
"""Writes seeds for the fuzz program: python3 corpus.py FOLDER [TARGET...]

A folder for each target, with what the vectors in Tests/*/Fixtures, jobs and examples hold for it.
"""
import hashlib
import json
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
TESTS = ROOT / "Tests"


def strings(value):
    """Every text somewhere in a JSON value; lists of byte values as one."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for one in value.values():
            yield from strings(one)
    elif isinstance(value, list):
        if value and all(isinstance(one, int) and 0 <= one < 256 for one in value):
            yield bytes(value).hex()
        for one in value:
            yield from strings(one)


def vectors(*names):
    for name in names:
        yield from strings(json.loads((TESTS / name).read_text()))


def hexadecimal(texts, least=1):
    for text in texts:
        digits = re.sub(r"[\s:-]", "", text)
        if len(digits) >= 2 * least and re.fullmatch(r"(?:[0-9A-Fa-f]{2})+", digits):
            yield bytes.fromhex(digits)


def files(*patterns):
    for pattern in patterns:
        for path in sorted(ROOT.glob(pattern)):
            if path.is_file():
                yield path.read_bytes()


def pages(text):
    """The memory that a Flipper file has."""
    found = re.findall(r"^Page \d+: ([0-9A-F ]+)", text, re.MULTILINE)
    return bytes.fromhex("".join(found))


def transcript():
    """Commands to chips, a length byte each, after the choice of the chip."""
    sent = list(hexadecimal(vectors(
        "VirtualReaderTests/Fixtures/desfire-ev1-transcript.json",
        "VirtualReaderTests/Fixtures/desfire-ev1-wrapped-apdus.json")))
    for chip in range(29):
        for start in range(0, len(sent), 24):
            batch = [one for one in sent[start:start + 24] if len(one) < 128]
            yield bytes([chip]) + b"".join(bytes([len(one)]) + one for one in batch)
    apdus = [
        "00A4040007D276000085010100", "00A4000C02E103", "00B000000F", "00A4000C02E104",
        "00D60000020000", "00B0000002", "9060000000", "906A000000", "90AF000000"]
    for chip in range(29):
        for own in (["30 00", "3A 00 2C", "A2 04 03 00 FE 00", "60", "39 02", "1B FFFFFFFF", "3C 00"],
                    ["06 012E000000000000 01 0B00 01 8000", "0C 012E000000000000", "0600"], apdus):
            commands = [bytes.fromhex(text) for text in own]
            yield bytes([chip]) + b"".join(bytes([len(one)]) + one for one in commands)


def frames():
    def frame(content):
        body = b"\xd4" + content
        length = len(body)
        return (b"\0\0\xff" + bytes([length, -length & 255]) + body
                + bytes([-sum(body) & 255]) + b"\0")
    listing = [b"\x55\x55\0\0\0" + frame(b"\x14\x01"), frame(b"\x02"), frame(b"\x4a\x01\x00"),
               frame(b"\x40\x01\x30\x00"), b"\0\0\xff\0\xff\0", frame(b"\x32\x01\x00"),
               frame(b"\x42\x60"), frame(b"\x4a\x01\x01\x00\xff\xff\x01\x00"), frame(b"\x10\x08")]
    yield b"\0" + b"".join(listing)
    for one in listing:
        yield b"\5" + one
    yield b"\0" + b"\0\0\xff\xff\xff\x01\x09\xf6" + b"\xd4\x42" + b"\x60" * 263 + b"\0\0"


def templates():
    for data in files("jobs/*.yaml", "Tests/JobFileTests/Fixtures/*/*.yaml"):
        yield from re.findall(rb"[^\s\"]*\$\{[^}]*\}[^\s\"]*", data)
    for filters in ("pad 8 0", "slice 1 3", "upper|lower|trim", "hex|base64url", "sha256",
                    "date %Y-%m-%dT%H:%M:%S", "date %j local", "luhn", "mod10", "default \"x\"",
                    "required no", "urlencode"):
        for root in ("row[\"Card No\"]", "tag.uid", "now", "env.HOME"):
            yield ("https://example.com/${%s | %s}$${" % (root, filters)).encode()


def tag_images():
    names = ("TagFormatsTests/Fixtures/type2-images.json", "VirtualReaderTests/Fixtures/tag-images.json",
             "TagFilesTests/Fixtures/tag-images.json")
    return list(hexadecimal(vectors(*names), least=16)) + [
        pages(data.decode("utf-8", "replace"))
        for data in files("examples/**/*.nfc", "Tests/**/Fixtures/*.nfc")]


def seeds(target):
    if target == "memory":
        for image in tag_images():
            for chip in range(5):
                yield bytes([chip]) + image
    elif target == "answers":
        for image in tag_images():
            answers = [b"\0\4\4\2\1\0\x0f\3"] + [image[at:at + 16] for at in range(8, 160, 16)]
            yield b"\0" + b"".join(bytes([len(one)]) + one for one in answers)
            yield b"\0\xff\xff" + b"".join(bytes([len(one)]) + one for one in answers[1:])
    elif target == "message":
        yield from hexadecimal(vectors("NDEFTests/Fixtures/ndef.json"))
    elif target == "line":
        yield from frames()
    elif target == "commands":
        yield from transcript()
    elif target == "tagFile":
        yield from files("examples/**/*.nfc", "Tests/**/Fixtures/*.nfc")
        for text in vectors("TagFilesTests/Fixtures/tag-images.json"):
            if text.startswith("Filetype"):
                yield text.encode()
    elif target == "rawImage":
        yield from (one for one in tag_images() if len(one) in (64, 80, 164, 180, 540, 924))
        for size in (64, 80, 164, 168, 180, 192, 540, 888, 924, 1912):
            yield bytes.fromhex("04515253 01020304 054800 00 E1101200 0300FE00").ljust(size, b"\0")[:size]
    elif target == "propertyList":
        yield from files("Tests/DeclarationsTests/Fixtures/cases/**/*", "examples/*.plist",
                         "examples/*.entitlements")
        import plistlib
        info = {"NFCReaderUsageDescription": "x", "n": [1, 2.5, True, b"\0"],
                "com.apple.developer.nfc.readersession.felica.systemcodes": ["12FC", "0003"],
                "com.apple.developer.nfc.readersession.iso7816.select-identifiers": ["D2760000850101"],
                "com.apple.developer.nfc.readersession.formats": ["TAG"]}
        yield plistlib.dumps(info)
        yield plistlib.dumps(info, fmt=plistlib.FMT_BINARY)
    elif target == "yaml":
        for text in vectors("YAMLTreeTests/Fixtures/yaml.json"):
            yield text.encode("utf-8", "replace")
        yield from files("jobs/*.yaml", "examples/*.yaml")
    elif target == "job":
        yield from files("jobs/*.yaml", "Tests/JobFileTests/Fixtures/*/*.yaml")
    elif target == "station":
        yield from files("examples/*.yaml", "Tests/JobFileTests/Fixtures/*/*station*.yaml")
    elif target == "csv":
        yield from files("examples/*.csv")
        for text in vectors("DataSourceTests/Fixtures/csv.json"):
            yield text.encode("utf-8", "replace")
        yield from hexadecimal(vectors("DataSourceTests/Fixtures/csv.json"), least=4)
    elif target == "jsonLines":
        yield from files("examples/*.jsonl")
        yield (b'{"code":"A-1","n":-1.5e3,"b":true,"e":null}\n'
               b'{"code":"\\u00e9\\ud83d\\ude00","n":0}\r\n\n')
    elif target == "template":
        yield from templates()
    elif target == "pattern":
        for pattern in ("(a+)+$", "[A-Z]{2}-\\d{4,6}", "(?i)x|y", "\\p{L}+", "(?=a)a*", "(a|b)*c"):
            yield f"{pattern}\naaaaaaaaaaaaaaaaaaaaaaaa!".encode()
    elif target == "glob":
        for pattern in ("https://example.com/*", "*a*b*c", "??-*", "*"):
            yield f"{pattern}\nhttps://example.com/aaabbbccc".encode()
    else:
        sys.exit(f"corpus.py: no target {target}")


TARGETS = ["memory", "answers", "message", "line", "commands", "tagFile", "rawImage", "propertyList",
           "yaml", "job", "station", "csv", "jsonLines", "template", "pattern", "glob"]


def main():
    top = Path(sys.argv[1])
    for target in sys.argv[2:] or TARGETS:
        folder = top / target
        folder.mkdir(parents=True, exist_ok=True)
        for seed in seeds(target):
            (folder / hashlib.sha256(seed).hexdigest()[:16]).write_bytes(seed)


main()
