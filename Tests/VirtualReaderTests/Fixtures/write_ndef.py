"""Writes a URI to the tag on the PN532 at DEVICE with nfcpy, reads it back and prints what it read.

Usage: write_ndef.py DEVICE URI
"""
import sys

import ndef
import nfc
import nfc.clf.transport

# nfcpy gives the chip 100 ms for an ACK, which a busy machine may miss.
read_in_time = nfc.clf.transport.TTY.read
nfc.clf.transport.TTY.read = lambda tty, timeout: read_in_time(tty, max(timeout, 5000))


def write(tag):
    tag.ndef.records = [ndef.UriRecord(sys.argv[2])]
    print("product", tag.product)
    return False


def read(tag):
    print("uri", tag.ndef.records[0].uri)
    return False


with nfc.ContactlessFrontend(sys.argv[1]) as frontend:
    print("baud", frontend.device.chipset.transport.baudrate)
    frontend.connect(rdwr={"on-connect": write})
    frontend.connect(rdwr={"on-connect": read})
