"""What the programs that try hostile input share: running the program, tags, texts, findings."""
import json
import os
import pty
import re
import select
import signal
import subprocess
import sys
import time
import unicodedata
from pathlib import Path

PROGRAM = sys.argv[1] if len(sys.argv) > 1 else "tagstation"
FOLDER = Path(sys.argv[2] if len(sys.argv) > 2 else ".").resolve()

os.chdir(FOLDER)

findings = []
figures = {"runs": 0, "slowestMs": 0, "slowest": "", "peakKB": 0}


def fault(text):
    findings.append(text)


def finish(**more):
    for text in findings:
        print(text)
    print(json.dumps(dict(figures, findings=len(findings), **more)))
    sys.exit(1 if findings else 0)


class Result:
    def __init__(self, status, out, err):
        self.status, self.out, self.err = status, out, err

    @property
    def both(self):
        return self.out + self.err


def run(*words, limit=60, expect=None, name=None, cwd=None):
    """Runs the program; a crash, a hang and exit status 70 are findings."""
    figures["runs"] += 1
    name = name or " ".join(os.fsdecode(word)[:40] for word in words)
    process = subprocess.Popen(
        [PROGRAM, *words], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        cwd=cwd or FOLDER)
    try:
        out, err = process.communicate(timeout=limit)
    except subprocess.TimeoutExpired:
        process.kill()
        out, err = process.communicate()
        fault(f"{name!r} hangs")
    result = Result(process.returncode, out, err)
    check_status(result, expect, name)
    return result


def run_measured(*words, **more):
    """Runs the program under wait4, for its CPU time and the most memory."""
    figures["runs"] += 1
    with open(FOLDER / "stdout", "wb") as out, open(FOLDER / "stderr", "wb") as err:
        pid = os.posix_spawn(PROGRAM, [PROGRAM, *words], os.environ, file_actions=[
            (os.POSIX_SPAWN_DUP2, out.fileno(), 1), (os.POSIX_SPAWN_DUP2, err.fileno(), 2)])
    end = time.monotonic() + more.get("limit", 60)
    # ru_maxrss has this interpreter's own pages from before the exec.
    peak = 0
    while True:
        try:
            with open(f"/proc/{pid}/status") as file:
                seen = re.search(r"VmHWM:\s*(\d+)", file.read())
            with open(f"/proc/{pid}/comm") as file:
                if seen and file.read().startswith("tagstation"):
                    peak = max(peak, int(seen[1]))
        except OSError:
            pass
        done, status, usage = os.wait4(pid, os.WNOHANG)
        if done:
            break
        if time.monotonic() > end:
            os.kill(pid, signal.SIGKILL)
            fault(f"{words[-1]} hangs")
        time.sleep(0.002)
    result = Result(os.waitstatus_to_exitcode(status), (FOLDER / "stdout").read_bytes(),
                    (FOLDER / "stderr").read_bytes())
    result.ms = round((usage.ru_utime + usage.ru_stime) * 1000)
    result.kb = peak
    check_status(result, more.get("expect"), more.get("name", words[-1]))
    if result.ms > figures["slowestMs"]:
        figures["slowestMs"], figures["slowest"] = result.ms, more.get("name", words[-1])
    figures["peakKB"] = max(figures["peakKB"], result.kb)
    return result


def check_status(result, expect, name):
    if result.status < 0 or result.status == 70 or result.status > 128:
        fault(f"{name!r} ends with {result.status}: {result.err[-300:]!r}")
    elif expect is not None and result.status not in expect:
        fault(f"{name!r} ends with {result.status}, not {sorted(expect)}: {result.err[-300:]!r}")


def run_on_terminal(*words, limit=60):
    """Runs the program on a pseudo-terminal; what it wrote there."""
    figures["runs"] += 1
    pid, master = pty.fork()
    if pid == 0:
        os.chdir(FOLDER)
        os.environ.update(TERM="xterm-256color", LC_ALL="C.UTF-8")
        os.execv(PROGRAM, [PROGRAM, *words])
    written = b""
    end = time.monotonic() + limit
    while time.monotonic() < end:
        ready, _, _ = select.select([master], [], [], 0.2)
        if ready:
            try:
                piece = os.read(master, 65536)
            except OSError:
                break
            if not piece:
                break
            written += piece
    else:
        fault(f"{words!r} hangs on a terminal")
        os.kill(pid, signal.SIGKILL)
    os.close(master)
    _, status = os.waitpid(pid, 0)
    check_status(Result(os.waitstatus_to_exitcode(status), b"", written), None, str(words))
    return written


# What a terminal, an editor or a reader of lines acts on: controls, formats, separators of lines.
def acts(character):
    return unicodedata.category(character) in ("Cc", "Cf", "Zl", "Zp")


# What the program itself sends to a terminal: colours, the end of a line cleared, its start.
OWN = re.compile(rb"\x1b\[(?:0|1|31|32|33|1;31|1;33|1;36)m|\x1b\[K|\r")


def scan(what, data, terminal=False, csv=False):
    """Looks at every byte of an output."""
    if terminal:
        data = OWN.sub(b"", data)
    if csv:
        data = data.replace(b"\r\n", b"\n")
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        return fault(f"{what}: no UTF-8: {error}")
    for index, character in enumerate(text):
        # Arabic number signs and the like are of category Cf too, but have a shape.
        if acts(character) and character != "\n" and not 0x600 <= ord(character) <= 0x8E2:
            return fault(
                f"{what}: U+{ord(character):04X} in {text[max(index - 40, 0):index + 40]!r}")
    return text


def scan_json(what, data):
    """Looks at every byte, and that each line is JSON with each key once."""
    scan(what, data)
    for line in data.split(b"\n")[:-1]:
        try:
            json.loads(line)
        except ValueError as error:
            fault(f"{what}: {error} in {line[:200]!r}")


# Tags.

VERSIONS = {"NTAG213": 0x0F, "NTAG215": 0x11, "NTAG216": 0x13}
PAGES = {"NTAG213": 45, "NTAG215": 135, "NTAG216": 231}
CONTAINER = {"NTAG213": "E1101200", "NTAG215": "E1103E00", "NTAG216": "E1106D00"}


def record(tnf, kind, payload, identifier=b"", first=True, last=True, flags=None, long=False):
    head = flags if flags is not None else tnf | (0x80 if first else 0) | (0x40 if last else 0)
    short = len(payload) < 256 and not long
    if flags is None:
        head |= (0x10 if short else 0) | (0x08 if identifier else 0)
    size = bytes([len(payload)]) if short else len(payload).to_bytes(4, "big")
    return (bytes([head, len(kind)]) + size + (bytes([len(identifier)]) if identifier else b"")
            + kind + identifier + payload)


def message(*records):
    """Records given as (tnf, type, payload, id) in a row."""
    return b"".join(
        record(*one, first=index == 0, last=index == len(records) - 1)
        for index, one in enumerate(records))


def tlv(content):
    size = bytes([len(content)]) if len(content) < 255 else b"\xff" + len(content).to_bytes(2, "big")
    return b"\x03" + size + content + b"\xfe"


def memory(data, chip="NTAG216", container=None, number=1):
    """The memory of a chip with `data` from page 4 on, as the factory left the rest."""
    uid = bytes([4, 0x51, number >> 8 & 255, number & 255, 0x54, 0x55, 0x56])
    pages = uid[:3] + bytes([0x88 ^ uid[0] ^ uid[1] ^ uid[2]]) + uid[3:]
    pages += bytes([uid[3] ^ uid[4] ^ uid[5] ^ uid[6], 0x48, 0, 0])
    pages += bytes.fromhex(container or CONTAINER[chip]) + data
    end = (PAGES[chip] - 5) * 4
    return pages[:end].ljust(end, b"\0") + bytes.fromhex("000000BD040000FF0005000000000000") + b"\0" * 4


def tag_file(path, pages, chip="NTAG216"):
    """Writes a Flipper file of format 4."""
    count = PAGES[chip]
    pages = pages[:count * 4].ljust(count * 4, b"\0")
    spaced = lambda data: " ".join(f"{byte:02X}" for byte in data)
    lines = [
        "Filetype: Flipper NFC device", "Version: 4", "Device type: NTAG/Ultralight",
        f"UID: {spaced(pages[0:3] + pages[4:8])}", "ATQA: 00 44", "SAK: 00",
        "Data format version: 2", f"NTAG/Ultralight type: {chip}", f"Signature: {spaced(bytes(32))}",
        f"Mifare version: 00 04 04 02 01 00 {VERSIONS[chip]:02X} 03"]
    for number in range(3):
        lines += [f"Counter {number}: 0", f"Tearing {number}: BD"]
    lines += [f"Pages total: {count}", f"Pages read: {count}"]
    lines += [f"Page {number}: {spaced(pages[number * 4:number * 4 + 4])}" for number in range(count)]
    lines.append("Failed authentication attempts: 0")
    Path(path).write_text("\n".join(lines) + "\n")


def station(tags, name="station.yaml", usage="Try hostile input", more=""):
    """Writes a station file with one virtual reader."""
    (FOLDER / name).write_text(json.dumps({
        "station": "hostile", "declarations": {"formats": ["TAG"], "usageDescription": usage},
        "readers": {"only": {"virtual": {"tags": tags, "timing": "none", "gap": "1ms"}}},
        "output": "out", "ledger": "var/ledger.sqlite", "log": "var/log.jsonl"})
        .replace('"output"', more + '"output"'))


def job(name, **keys):
    """Writes a job file, in YAML's JSON form."""
    (FOLDER / name).write_text(json.dumps(dict({"job": Path(name).stem}, **keys)))


# Texts that somebody hopes will act.

TEXTS = {
    "ESC": "a\x1b[5;41mb", "clear": "a\x1b[2J\x1b[Hb", "OSC title": "a\x1b]0;owned\x07b",
    "OSC 52": "a\x1b]52;c;ZXZpbA==\x07b", "OSC 8": "\x1b]8;;http://evil.example\x1b\\a\x1b]8;;\x1b\\",
    "DCS": "a\x1bP$q\x1b\\b", "CSI of C1": "a\x9b5;41mb", "OSC of C1": "a\x9d52;c;ZXZpbA==\x9cb",
    "all of C1": "".join(map(chr, range(0x80, 0xA0))), "BEL": "a\x07b", "BS": "good\b\b\b\bbad",
    "CR": "passed\rfailed", "CR LF": "a\r\nb", "LF": "a\nb", "TAB": "a\tb", "VT FF": "a\x0b\x0cb",
    "DEL": "a\x7fb", "RLO": "a\u202egpj.exe", "isolate": "a\u2066b\u2069", "zero width": "a\u200bb\u200d\u2060c",
    "BOM": "\ufeffa", "LS PS": "a\u2028b\u2029c", "NEL": "a\x85b", "tags": "a\U000E0041\U000E007Fb",
    "soft hyphen": "a\u00adb", "SO SI": "a\x0eb\x0fc", "NUL": "a\x00b",
    "quotes": "\"'`$(id);|&<script>%0A::error::", "wide": "漢字" * 30,
}
