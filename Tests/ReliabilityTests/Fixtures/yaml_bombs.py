#!/usr/bin/env python3
"""YAML that is small on disk and large in memory, or the other way round, each checked by the program.

python3 yaml_bombs.py PROGRAM FOLDER [--full]
"""
from hostile import *

HEAD = b"job: bomb\nsteps: [read: {}]\n"


def laughs(levels, width):
    text = b"a0: &a0 lol\n"
    for level in range(1, levels + 1):
        text += b"a%d: &a%d [%s]\n" % (level, level, b",".join([b"*a%d" % (level - 1)] * width))
    return text


BOMBS = {
    "2,000,000 brackets": b"[" * 2_000_000,
    "400,000 brackets": HEAD + b"x: " + b"[" * 400_000,
    "400,000 braces": HEAD + b"x: " + b"{" * 400_000,
    "deep flow maps": HEAD + b"x: " + b"{a: " * 250_000,
    "deep closed lists": HEAD + b"x: " + b"[" * 200_000 + b"]" * 200_000,
    "deep block lists": HEAD + b"x:\n  " + b"- " * 250_000 + b"a\n",
    "deep block maps": HEAD + b"".join(b" " * n + b"a:\n" for n in range(1400)),
    "deep explicit keys": HEAD + b"? " * 250_000,
    "billion laughs": laughs(10, 10),
    "quadratic blowup": b"a: &a " + b"x" * 50_000 + b"\nb: [" + b"*a, " * 50_000 + b"*a]\n",
    "cycle": b"a: &x [*x]\n",
    "cycle of maps": b"&x a: *x\n",
    "merge keys": b"a: &a {b: 1}\n" + b"c: {<<: *a}\n" * 50_000,
    "150,000 values": HEAD + b"x: [" + b"1," * 150_000 + b"1]\n",
    "150,000 keys": b"".join(b"k%d:\n" % n for n in range(120_000)),
    "the same key 100,000 times": b"a: 1\n" * 100_000,
    "99,000 steps": b"job: a\nsteps:\n" + b"- lock\n" * 99_000,
    "99,000 wrong steps": b"job: a\nsteps:\n" + b"- lok\n" * 99_000,
    "more than 1 MiB": HEAD + b"# " + b"x" * (1 << 20) + b"\n",
    "2 GiB with nothing in it": None,
    "a key of 1 MB": b"x" * 1_000_000 + b": 1\n",
    "a key of 1 MB in quotes": b"? \"" + b"x" * 1_000_000 + b"\"\n: 1\n",
    "a text of 1 MB": HEAD.replace(b"bomb", b"b" * 1_000_000),
    "a text of 1 MB, folded": b"job: >\n" + b" x\n" * 300_000,
    "a line of 1 MB": b"job: a " + b"x: " * 330_000,
    "a comment of 1 MB": b"#" + b"x" * 1_000_000,
    "1,000,000 blanks": b" " * 1_000_000,
    "1,000,000 line ends": b"\n" * 1_000_000,
    "1,000,000 line ends in quotes": b"job: \"" + b"\n" * 1_000_000,
    "100,000 documents": HEAD + b"--- a\n" * 100_000,
    "100,000 directives": b"%YAML 1.1\n" * 100_000,
    "100,000 tag directives": b"".join(b"%%TAG !a%d! b\n" % n for n in range(50_000)) + b"--- a\n",
    "an anchor of 1 MB": b"a: &" + b"x" * 1_000_000 + b" 1\n",
    "an alias of 1 MB": b"a: *" + b"x" * 1_000_000 + b"\n",
    "a tag of 1 MB": b"a: !" + b"x" * 1_000_000 + b" 1\n",
    "a number of 1 MB": b"job: a\nstop: {afterTags: " + b"9" * 1_000_000 + b"}\nsteps: [lock]\n",
    "hexadecimal of 1 MB": b"job: a\nsteps: [write: {message: '" + b"AB" * 500_000 + b"'}]\n",
    "a template of 1 MB": b"job: a\nsteps: [write: [text: \"" + b"${now}" * 160_000 + b"\"]]\n",
    "a template that is never closed": b"job: a\nsteps: [write: [text: \"" + b"${" * 450_000 + b"\"]]\n",
    "a pad of 10^18": b"job: a\nsteps: [write: [text: \"${now | pad 999999999999999999}\"]]\n",
    "100 pads": b"job: a\nsteps: [write: [text: \"${now" + b" | pad 99999" * 100 + b" | hex" * 30 + b"}\"]]\n",
    "a pattern of 1 MB": b"job: a\nsteps: [expect: {uid: {matches: '" + b"(" * 1_000_000 + b"'}}]\n",
    "a pattern with 65,000 repetitions": b"job: a\nsteps: [expect: {uid: {matches: '" + b"((a{1,1000}){1,60}){1,60}'}}]\n",
    "1,000,000 escapes": b"job: \"" + b"\\x41" * 250_000 + b"\"\n",
    "not closed": b"job: '" + b"x" * 1_000_000,
    "UTF-16": "\ufeff".encode("utf-16-le") + ("[" * 500_000).encode("utf-16-le"),
    "1,000,000 bytes that are no text": b"\xff" * 1_000_000,
    "1,000,000 question marks": b"?" * 1_000_000,
    "1,000,000 colons": b":" * 1_000_000,
    "1,000,000 dashes": b"-" * 1_000_000,
    "1,000,000 commas": HEAD + b"x: [" + b"," * 1_000_000,
}


def play(name, content):
    path = FOLDER / "bomb.yaml"
    if content is None:
        with open(path, "wb") as file:
            file.truncate(2 << 30)
    else:
        path.write_bytes(content)
    result = run_measured("check", "bomb.yaml", expect=[65], name=name)
    text = scan(name, result.err) or ""
    if not re.search(r"^bomb\.yaml(:\d+:\d+)?: error: ", text, re.MULTILINE):
        fault(f"{name}: no place: {text[:200]!r}")
    if len(result.err) > 200_000:
        fault(f"{name}: {len(result.err)} bytes for a person")
    if result.ms > 5000 or result.kb > 512_000:
        fault(f"{name}: {result.ms} ms, {result.kb} KB")
    path.unlink()
    first = next(line for line in (text or "?").split("\n") if "error" in line or line == "?")
    return f"{result.ms:5} ms {result.kb:7} KB  {name}: {first[:90]}"


FAST = [
    "2,000,000 brackets", "400,000 brackets", "deep flow maps", "billion laughs", "quadratic blowup", "cycle",
    "150,000 values", "more than 1 MiB", "2 GiB with nothing in it", "a key of 1 MB", "an alias of 1 MB",
    "100,000 documents", "100,000 tag directives", "a template of 1 MB"]

station(["NTAG213"])
names = BOMBS if "--full" in sys.argv else FAST
for name in names:
    print(play(name, BOMBS[name]))
finish(cases=len(names))
