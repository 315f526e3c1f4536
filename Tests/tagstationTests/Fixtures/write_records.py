"""Writes a URI and a text record to the tag on the PN532 at DEVICE with nfcpy, and prints its UID.

Usage: write_records.py DEVICE
"""
import sys

import ndef
import nfc
import nfc.clf.transport

# nfcpy gives the chip 100 ms for an ACK, which a busy machine may miss.
read_in_time = nfc.clf.transport.TTY.read
nfc.clf.transport.TTY.read = lambda tty, timeout: read_in_time(tty, max(timeout, 5000))


def write(tag):
    tag.ndef.records = [
        ndef.UriRecord("https://example.com/from/nfcpy"),
        ndef.TextRecord("Grüße", "de"),
    ]
    print(tag.identifier.hex().upper())
    return False


with nfc.ContactlessFrontend(sys.argv[1]) as frontend:
    frontend.connect(rdwr={"on-connect": write})
