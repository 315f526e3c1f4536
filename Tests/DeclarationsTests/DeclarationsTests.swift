import Bytes
import Declarations
import Diagnostics
import Testing

/// What stations declare, and what sessions take of it.
@Suite struct DeclarationsTests {
  static func bytes(_ text: String) -> [UInt8] { [UInt8](hex: text) ?? [] }

  @Test(arguments: [
    "A0000000031010", "A0000000041010", "A000000025010801", "A0000000651010", "A0000001523010",
    "A0000002771010", "A000000324101", "A000000333010101", "325041592E5359532E4444463031",
    "315041592E5359532E4444463031",
  ]) func `a payment application is known`(text: String) {
    let even = text.count % 2 == 0 ? text : text + "0"
    #expect(Declarations.isPayment(Self.bytes(even)))
  }

  @Test(arguments: ["D2760000850101", "A0000002471001", "A00000", "325041592E"])
  func `another application is no payment`(text: String) {
    #expect(!Declarations.isPayment(Self.bytes(text)))
  }

  @Test func `payment needs its format and its region`() {
    var declarations = Declarations(
      formats: ["TAG", "PAYMENT"], usageDescription: " ", place: Place(file: "s"))
    #expect(!declarations.allowsPayment)
    declarations.region = "EU"
    #expect(declarations.allowsPayment)
    declarations.formats = ["TAG"]
    #expect(!declarations.allowsPayment)
    #expect(!declarations.hasUsageDescription)
    declarations.usageDescription = "Cards"
    #expect(declarations.hasUsageDescription)
  }

  @Test func `a session takes what is declared, in its own order`() {
    let declared: [[UInt8]] = [[1], [2], [3]]
    #expect(Narrowing(of: [], declared: declared).used == declared)
    let some = Narrowing(of: [[3], [9], [1], [3]], declared: declared)
    #expect(some.used == [[3], [1]])
    #expect(some.unknown == [1])
    #expect(some.repeated == [3])
    #expect(!some.isAllUnknown)
    #expect(Narrowing(of: [[8], [9]], declared: declared).isAllUnknown)
    #expect(!Narrowing(of: [], declared: []).isAllUnknown)
  }
}
