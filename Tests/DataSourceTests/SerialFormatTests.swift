import DataSource
import Testing

struct SerialFormatTests {
  // The C library's printf prints the same.
  @Test(arguments: [
    ("%d", 7, "7"), ("%06d", 42, "000042"), ("%02d", 1234, "1234"), ("A-%03d/é", 5, "A-005/é"),
    ("%X", 0xBEEF, "BEEF"), ("%08X", 0xBEEF, "0000BEEF"), ("%04d", -7, "-007"), ("%d", 0, "0"),
  ])
  func `a number is written in its format`(format: String, number: Int, text: String) throws {
    #expect(try SerialFormat(format).text(of: number) == text)
  }

  @Test(arguments: [
    "", "7", "%", "%s", "%x", "%6d", "%0d", "%0X", "%00d", "%033d", "%d%d", "%d%%", "%-4d", "%+d",
    "% d", "%099999999999999999999d", "%0٣d",
  ])
  func `another format is refused`(format: String) {
    #expect(throws: DataError.self) { try SerialFormat(format) }
  }
}
