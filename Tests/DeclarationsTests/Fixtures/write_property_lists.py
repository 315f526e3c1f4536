"""Writes the cases that a program makes: Python's plistlib, which shares no code with TagStation.

Run in this folder. The other cases are written by hand, as Xcode and people write them.
"""

import datetime
import pathlib
import plistlib

USAGE = "NFCReaderUsageDescription"
FAMILY = "com.apple.developer.nfc.readersession."
IDENTIFIERS = FAMILY + "iso7816.select-identifiers"
CODES = FAMILY + "felica.systemcodes"
FORMATS = FAMILY + "formats"

GOOD = {
    "CFBundleName": "Ticket Gäte 券",
    "CFBundleVersion": "42",
    "LSMinimumSystemVersion": 17.5,
    "UIRequiredDeviceCapabilities": ["nfc", "armv7"],
    "NSAppTransportSecurity": {"NSAllowsArbitraryLoads": False, "Digest": bytes(range(40))},
    "BuiltAt": datetime.datetime(2026, 5, 4, 3, 2, 1),
    USAGE: "Read the tickets “at the gate” 券",
    IDENTIFIERS: ["D2760000850101", "a0000002471001"],
    CODES: ["12FC", "0003"],
}
BAD = {
    USAGE: "Cards",
    IDENTIFIERS: [
        "D2760000850101", "D27600008501010", "D27600008501xx", "D2760000", "", "D2760000850101 ",
        "d2760000850101", "00112233445566778899AABBCCDDEEFF00", 7, ["A0000002471001"],
        "D2 76 00 00 85 01 01", "A0000002471001", "券" * 80,
    ],
    CODES: ["12FC", "FFFF", "12FF", "12F", "0003FC", b"\x00\x03", "0x03", "12fc", "8008"],
}
TYPES = {USAGE: 7, IDENTIFIERS: "D2760000850101", CODES: {"12FC": True}}
PAYMENT = {
    USAGE: "Cards",
    IDENTIFIERS: ["325041592E5359532E4444463031", "D2760000850101", "A0000000031010"],
}
NOTHING = {USAGE: "Cards", IDENTIFIERS: ["D276"], CODES: ["FFFF"]}


def case(name, info, entitlements=None, form=plistlib.FMT_XML):
    folder = pathlib.Path("cases") / name
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "Info.plist").write_bytes(plistlib.dumps(info, fmt=form, sort_keys=False))
    if entitlements is not None:
        data = plistlib.dumps(entitlements, fmt=form, sort_keys=False)
        (folder / "App.entitlements").write_bytes(data)


def main():
    for form, tail in ((plistlib.FMT_XML, ""), (plistlib.FMT_BINARY, "-binary")):
        case("good" + tail, GOOD, {FORMATS: ["TAG"], "get-task-allow": True}, form)
        case("bad-entries" + tail, BAD, {FORMATS: ["TAGS", "TAG", "NDEF", "TAG", 1]}, form)
        case("wrong-types" + tail, TYPES, {FORMATS: "TAG"}, form)
        case("payment" + tail, PAYMENT, {FORMATS: ["TAG"]}, form)
        case("eu-payment" + tail, PAYMENT, {FORMATS: ["TAG", "PAYMENT"]}, form)
        case("nothing-left" + tail, NOTHING, {FORMATS: ["VAS"]}, form)
        case("not-a-dictionary" + tail, [USAGE], {FORMATS: ["TAG"]}, form)
        keys = {
            USAGE + " ": "Cards",
            CODES + "s": ["12FC"],
            FAMILY + "iso7816.select-identifer": ["D2760000850101"],
            FORMATS: ["TAG"],
        }
        case("keys" + tail, keys, {"com.apple.developer.nfc.readersession.format": ["TAG"],
                                   IDENTIFIERS: ["D2760000850101"]}, form)
    # plistlib writes no key twice: two keys of one length become the same.
    twice = {USAGE: "Cards", "NFCReaderUsageDescriptio_": "Badges"}
    case("twice-binary", twice, None, plistlib.FMT_BINARY)
    path = pathlib.Path("cases/twice-binary/Info.plist")
    path.write_bytes(path.read_bytes().replace(b"Descriptio_", b"Description"))


if __name__ == "__main__":
    main()
