#!/usr/bin/env python3
"""Takes the power from a virtual machine in which a job runs, boots it again, and compares.

  qemu_rounds.py --program FILE --folder FOLDER [--rounds 20] [--control FILE --control-rounds 3] [--seed 1]

Needs qemu-system-x86, linux-image-cloud-amd64, busybox-static, cpio, e2fsprogs, sqlite3. The machine's disk
is ext4 on a raw image with `cache=writeback`; on it lie job, ledger and log. A job writes tags of its own
virtual reader and prints its events on the serial line; at a random moment after the first tag qemu gets
SIGKILL, and all that the machine had not flushed is gone. A second boot verifies the ledger and prints its
events: no `tag` event that came over the line may be missing, SQLite's check must say ok, and the hash chain
must hold. --control: a library to preload (`nosync.c`) with which events must be missing. Prints a line for
each finding and last one line of JSON; the exit status is 1 if there is a finding.
"""
import argparse
import glob
import hashlib
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time

MODULES = ("virtio_ring", "virtio", "virtio_pci_legacy_dev", "virtio_pci_modern_dev", "virtio_pci",
           "virtio_blk")
BOOT_LIMIT = 180  # seconds; without KVM everything is slow
INIT = """\
#!/bin/busybox sh
/bin/busybox --install -s /bin
mount -t proc none /proc; mount -t sysfs none /sys; mount -t devtmpfs none /dev
mkdir -p /dev/pts /dev/shm /tmp /run /disk
mount -t devpts none /dev/pts; mount -t tmpfs none /tmp; mount -t tmpfs none /run
exec </dev/null >/dev/ttyS0 2>&1
stty -F /dev/ttyS0 raw
for module in {modules}; do insmod /modules/$module.ko; done
mount -t ext4 /dev/vda /disk || {{ echo MOUNT FAILED; poweroff -f; }}
cd /disk
case "$(cat /proc/cmdline)" in
*mode=write*)
  case "$(cat /proc/cmdline)" in *control*) export LD_PRELOAD=/control.so;; esac
  tagstation run job.yaml --no-input --format jsonl
  echo RUN ENDED $?
  ;;
*mode=check*)
  tagstation ledger verify; echo VERIFY $?
  sqlite3 ledger.sqlite "PRAGMA integrity_check"
  sqlite3 ledger.sqlite "SELECT 'EVENT '||hex(hash)||' '||line FROM event ORDER BY seq"
  sqlite3 ledger.sqlite "SELECT 'ROW '||key||' '||state FROM row"
  echo CHECKED
  ;;
esac
sync; poweroff -f
"""
STATION = """\
station: rig
declarations: {formats: [TAG], usageDescription: Encode test tags}
readers: {only: {virtual: {tags: [5000 x NTAG213], timing: none, gap: 1ms}}}
ledger: ledger.sqlite
log: log.jsonl
"""
JOB = """\
job: rig
data: {csv: rows.csv, key: code}
accept: {chips: [NTAG213]}
session: {kind: tag, polling: [iso14443]}
stop: {whenIdleFor: 30s}
steps:
  - write:
      - uri: "https://example.com/c/${row.code | urlencode}"
  - verify
"""


def quiet(*words, **how):
    subprocess.run(words, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, **how)


class Machine:
    def __init__(self, options):
        self.options = options
        self.kernel = sorted(glob.glob("/boot/vmlinuz-*-cloud-amd64"))[-1]
        self.version = os.path.basename(self.kernel)[len("vmlinuz-"):]
        self.initrd = self.path("initrd.gz")
        self.empty = self.path("empty.img")
        self.make_initrd()
        self.make_disk()

    def path(self, name):
        return os.path.join(self.options.folder, name)

    def make_initrd(self):
        root = self.path("root")
        for folder in ("bin", "proc", "sys", "dev", "modules", "usr/lib", "etc"):
            os.makedirs(os.path.join(root, folder))
        shutil.copy("/bin/busybox", os.path.join(root, "bin/busybox"))
        for program, name in ((self.options.program, "tagstation"), (shutil.which("sqlite3"), "sqlite3")):
            shutil.copy(program, os.path.join(root, "bin", name))
            self.copy_libraries(program, root)
            subprocess.run(["strip", "-s", os.path.join(root, "bin", name)], check=False)
        if self.options.control:
            shutil.copy(self.options.control, os.path.join(root, "control.so"))
        for module in MODULES:
            found = glob.glob(f"/lib/modules/{self.version}/kernel/**/{module}.ko", recursive=True)
            if found:
                shutil.copy(found[0], os.path.join(root, "modules", f"{module}.ko"))
        with open(os.path.join(root, "init"), "w", encoding="utf-8") as file:
            file.write(INIT.format(modules=" ".join(MODULES)))
        os.chmod(os.path.join(root, "init"), 0o755)
        names = subprocess.run(
            ["find", ".", "-print0"], cwd=root, check=True, capture_output=True).stdout
        archive = subprocess.run(
            ["cpio", "--null", "-o", "-H", "newc", "--quiet"], cwd=root, input=names, check=True,
            capture_output=True).stdout
        packed = subprocess.run(["gzip", "-1"], input=archive, check=True, capture_output=True).stdout
        with open(self.initrd, "wb") as file:
            file.write(packed)

    @staticmethod
    def copy_libraries(program, root):
        listing = subprocess.run(["ldd", program], check=True, capture_output=True, text=True).stdout
        for word in listing.split():
            if word.startswith("/") and os.path.exists(word):
                target = root + word
                os.makedirs(os.path.dirname(target), exist_ok=True)
                if not os.path.exists(target):
                    shutil.copy(os.path.realpath(word), target)

    def make_disk(self):
        """An ext4 disk with the job on it."""
        content = self.path("content")
        os.makedirs(content)
        for name, text in (
                ("station.yaml", STATION), ("job.yaml", JOB),
                ("rows.csv", "code\n" + "".join(f"ROW-{n:05}\n" for n in range(5000)))):
            with open(os.path.join(content, name), "w", encoding="utf-8") as file:
                file.write(text)
        quiet("qemu-img", "create", "-q", "-f", "raw", self.empty, "64M")
        quiet("mkfs.ext4", "-q", "-F", "-d", content, self.empty)

    def boot(self, mode, disk, serial):
        # Boot messages stay off the line, which has the program's words only.
        return subprocess.Popen(
            ["qemu-system-x86_64", "-accel", "tcg", "-m", "512", "-nodefaults", "-no-user-config",
             "-nic", "none", "-vga", "none", "-display", "none", "-monitor", "none", "-no-reboot",
             "-kernel", self.kernel, "-initrd", self.initrd,
             "-append", f"console=ttyS0 loglevel=0 quiet panic=-1 no_timer_check {mode}",
             "-drive", f"file={disk},format=raw,if=virtio,cache=writeback",
             "-serial", f"file:{serial}"],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)


def read(path):
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read().replace("\r", "")
    except FileNotFoundError:
        return ""


def tags(text):
    """The whole lines of tags that came over the line."""
    return [line for line in text.split("\n")[:-1]
            if line.startswith("{") and line.endswith("}") and '"event":"tag"' in line]


def check(machine, disk, serial):
    """What a boot says of the disk; a machine that is too slow to boot is booted again."""
    for _ in range(3):
        checking = machine.boot("mode=check", disk, serial)
        try:
            checking.wait(timeout=BOOT_LIMIT)
        except subprocess.TimeoutExpired:
            checking.kill()
            checking.wait()
        if "CHECKED" in read(serial):
            break
    return read(serial)


def play(machine, name, control, chance):
    """One power cut; what was shown, what is missing, and what else is wrong."""
    disk, serial, checked = (machine.path(f"{name}.{end}") for end in ("img", "out", "check"))
    shutil.copy(machine.empty, disk)
    running = machine.boot("mode=write" + (" control" if control else ""), disk, serial)
    end = time.monotonic() + BOOT_LIMIT
    while not tags(read(serial)) and running.poll() is None and time.monotonic() < end:
        time.sleep(0.05)
    time.sleep(chance.uniform(0.1, 4))
    running.send_signal(signal.SIGKILL)
    running.wait()
    shown = tags(read(serial))
    if not shown:
        return shown, [], [f"no tag came over the line: {read(serial)[-400:]}"]
    text = check(machine, disk, checked)
    findings = []
    if "CHECKED" not in text:
        # Nothing is known then of what is there.
        return shown, [], [f"the machine did not end its check: {text[-400:]}"]
    if "\nok\n" not in text:
        findings.append("SQLite's check does not say ok")
    events, last = set(), bytes(32)
    for line in text.split("\n"):
        if line.startswith("EVENT "):
            _, digest, event = line.split(" ", 2)
            last = hashlib.sha256(last + event.encode()).digest()
            if last.hex().upper() != digest:
                findings.append("the chain of hashes breaks")
            events.add(event)
    missing = [line for line in shown if line not in events]
    if "VERIFY 0" not in text and not control:
        findings.append("ledger verify refuses: " + text[:300])
    if not findings:
        for path in (disk, serial, checked):
            os.remove(path)
    return shown, missing, findings


def main():
    parser = argparse.ArgumentParser()
    for name in ("program", "folder"):
        parser.add_argument(f"--{name}", required=True)
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--control")
    parser.add_argument("--control-rounds", type=int, default=3)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    os.makedirs(options.folder, exist_ok=True)
    chance = random.Random(options.seed)
    began = time.monotonic()
    machine = Machine(options)
    findings, shown, missing, losses = [], [], 0, []
    for number in range(options.rounds):
        seen, lost, found = play(machine, f"cut-{number}", False, chance)
        shown.append(len(seen))
        missing += len(lost)
        print(f"round {number}: {len(lost)} of {len(seen)} missing", file=sys.stderr, flush=True)
        findings += [f"round {number}: {one}" for one in found]
        if lost:
            findings.append(f"round {number}: {len(lost)} of {len(seen)} shown outcomes are missing")
    if options.control:
        for number in range(options.control_rounds):
            seen, lost, found = play(machine, f"control-{number}", True, chance)
            losses.append(f"{len(lost)} of {len(seen)}")
            print(f"control: {losses[-1]} missing", file=sys.stderr, flush=True)
            if not seen:
                findings += [f"control {number}: {one}" for one in found]
        if not any(not loss.startswith("0 ") for loss in losses):
            findings.append(f"nothing is missing without syncs, so these rounds show nothing: {losses}")
    for finding in findings:
        print(finding)
    print(json.dumps({
        "rounds": options.rounds, "shown": sum(shown), "fewest": min(shown, default=0),
        "most": max(shown, default=0), "missing": missing, "control": losses,
        "faulty": len(findings), "seconds": round(time.monotonic() - began)}))
    return 1 if findings else 0


if __name__ == "__main__":
    raise SystemExit(main())
