"""Decodes or encodes NDEF messages with ndeflib, for comparison.

decode: each line of standard input is a message in hex; each line of output is the JSON
array of its records.
encode: one line per sample, {"hex": the message, "records": the same descriptions}.
"""
import json
import sys

import ndef


def describe(record):
    out = {"type": record.type, "id": record.name, "bytes": bytes(record.data).hex().upper()}
    if isinstance(record, ndef.UriRecord):
        out["uri"] = record.iri
    elif isinstance(record, ndef.TextRecord):
        out["text"] = record.text
        out["language"] = record.language
        out["encoding"] = record.encoding.lower()
    elif isinstance(record, ndef.SmartposterRecord):
        out["uri"] = record.resource.iri
        out["titles"] = dict(record.titles)
        out["action"] = {"exec": "do"}.get(record.action, record.action)
        out["size"] = record.resource_size
        out["resource"] = record.resource_type
        out["icons"] = {kind: data.hex().upper() for kind, data in record.icons.items()}
    return out


def samples():
    for prefix in range(0x24):
        yield [ndef.Record("urn:nfc:wkt:U", "", bytes([prefix]) + b"example.com/a?b=c")]
    yield [ndef.UriRecord("http://www.example.com/\u00e9")]
    yield [ndef.UriRecord("tel:+35891234567"), ndef.TextRecord("one"), ndef.UriRecord("foo")]
    for encoding in ("UTF-8", "UTF-16"):
        for language in ("en", "de-CH", "x" * 63):
            for text in ("", "Gr\u00fc\u00dfe", "\U0001F600 \u0394", "a" * 300):
                yield [ndef.TextRecord(text, language, encoding)]
    yield [ndef.SmartposterRecord("https://example.com")]
    full = ndef.SmartposterRecord(
        "https://example.com/x", {"en": "Title", "de": "Titel"}, "save",
        {"image/png": b"\x89PNG"}, 70000, "text/html")
    yield [full]
    yield [ndef.Record("image/png", "an-id", bytes(range(256)))]
    yield [ndef.Record("urn:nfc:ext:example.com:t", "", b"\x00\xff"),
           ndef.Record("urn:nfc:ext:android.com:pkg", "", b"com.example.app")]
    yield [ndef.Record("unknown", "", b"?" * 255), ndef.Record("unknown", "", b"?" * 256)]
    yield [ndef.Record()]


if sys.argv[1] == "decode":
    for line in sys.stdin:
        message = bytes.fromhex(line.strip())
        print(json.dumps([describe(record) for record in ndef.message_decoder(message)]))
else:
    for records in samples():
        message = b"".join(ndef.message_encoder(records))
        described = [describe(record) for record in ndef.message_decoder(message)]
        print(json.dumps({"hex": message.hex(), "records": described}))
