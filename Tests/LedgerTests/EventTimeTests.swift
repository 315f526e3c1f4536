import Testing

@testable import Ledger

struct EventTimeTests {
  // Printed by `date -u -d @SECONDS +%FT%TZ` of GNU coreutils.
  @Test(
    arguments: [
      (0, 0, "1970-01-01T00:00:00.000Z"), (951_782_400, 5, "2000-02-29T00:00:00.005Z"),
      (1_709_251_199, 999, "2024-02-29T23:59:59.999Z"),
      (1_795_996_800, 7, "2026-11-30T00:00:00.007Z"),
      (4_107_542_400, 10, "2100-03-01T00:00:00.010Z"), (-1, 0, "1969-12-31T23:59:59.000Z"),
      (-86_400, 0, "1969-12-31T00:00:00.000Z"), (253_402_300_799, 0, "9999-12-31T23:59:59.000Z"),
      (.max, 0, "9999-12-31T23:59:59.000Z"), (.min, 0, "0000-01-01T00:00:00.000Z"),
    ] as [(Int64, Int, String)])
  func `a moment is written as RFC 3339 says`(seconds: Int64, milliseconds: Int, text: String) {
    #expect(EventTime(seconds: seconds, milliseconds: milliseconds).text == text)
  }
}
