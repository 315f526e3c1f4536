"""Reads a tag that a password guards, from the PN532 at DEVICE with nfcpy: without it, with a wrong one, with it.

Usage: read_guarded.py DEVICE PASSWORD_AND_PACK
Prints what nfcpy finds, one word a line.
"""
import sys

import nfc
import nfc.clf
import nfc.clf.transport
import nfc.tag

# nfcpy gives the chip 100 ms for an ACK, which a busy machine may miss.
read_in_time = nfc.clf.transport.TTY.read
nfc.clf.transport.TTY.read = lambda tty, timeout: read_in_time(tty, max(timeout, 5000))


def tag(frontend):
    for _ in range(200):
        target = frontend.sense(nfc.clf.RemoteTarget("106A"))
        if target:
            return nfc.tag.activate(frontend, target)
    sys.exit("no tag")


password = bytes.fromhex(sys.argv[2])
with nfc.ContactlessFrontend(sys.argv[1]) as frontend:
    found = tag(frontend)
    print(found.product)
    print("without:", found.ndef.records[0].uri if found.ndef else None)
    found = tag(frontend)
    print("wrong:", found.authenticate(b"\x00\x00\x00\x01" + password[4:]))
    found = tag(frontend)
    print("wrong pack:", found.authenticate(password[:4] + b"\x00\x01"))
    found = tag(frontend)
    print("right:", found.authenticate(password))
    print("with:", found.ndef.records[0].uri if found.ndef else None)
