"""Reads COUNT tags, one after another, from the PN532 at DEVICE with nfcpy; prints UID, URI and whether it can be written.

Usage: read_deck.py DEVICE COUNT
"""
import sys

import nfc
import nfc.clf
import nfc.clf.transport
import nfc.tag

# nfcpy gives the chip 100 ms for an ACK, which a busy machine may miss.
read_in_time = nfc.clf.transport.TTY.read
nfc.clf.transport.TTY.read = lambda tty, timeout: read_in_time(tty, max(timeout, 5000))

seen = {}
with nfc.ContactlessFrontend(sys.argv[1]) as frontend:
    idle = 0
    while len(seen) < int(sys.argv[2]) and idle < 2000:
        target = frontend.sense(nfc.clf.RemoteTarget("106A"))
        uid = bytes(target.sdd_res).hex().upper() if target else None
        if uid is None or uid in seen:
            idle += 1
            continue
        idle = 0
        tag = nfc.tag.activate(frontend, target)
        ndef = tag.ndef
        seen[uid] = ndef.records[0].uri
        print(uid, seen[uid], "writeable" if ndef.is_writeable else "read-only", flush=True)
