import Bytes
import Testing

@testable import Declarations

/// What one entry has to be, in both spellings.
@Suite struct DeclaredEntryTests {
  static func fault(_ read: () throws(EntryFault) -> [UInt8]) -> EntryFault? {
    do throws(EntryFault) {
      _ = try read()
      return nil
    } catch {
      return error
    }
  }

  static func code(
    _ spelling: DeclaredEntry.Spelling, identifier text: String
  ) -> String? {
    fault { () throws(EntryFault) in try DeclaredEntry.identifier(text, spelling) }?.message
  }

  /// Identifiers that Apple's documentation and open apps list.
  @Test(arguments: [
    "D2760000850101", "D2760000850100", "A0000002471001", "E80704007F00070302",
    "D392F000260100000001", "d2760000850101", "A000000003", "325041592E5359532E4444463031",
    "00112233445566778899AABBCCDDEEFF",
  ]) func `an identifier of 5 to 16 bytes is taken`(text: String) {
    #expect(Self.code(.exact, identifier: text) == nil)
    #expect(Self.code(.loose, identifier: text) == nil)
  }

  @Test(arguments: [
    ("", "an application identifier cannot be empty"),
    ("D27600008501010", "`D27600008501010` has an odd number of digits"),
    ("D27600008501xx", "`D27600008501xx` is not hexadecimal"),
    ("0xD2760000850101", "`0xD2760000850101` is not hexadecimal"),
    ("D2760000", "an application identifier has 5 to 16 bytes, not 4"),
    (
      "00112233445566778899AABBCCDDEEFF00",
      "an application identifier has 5 to 16 bytes, not 17"
    ),
    ("$(AID)", "`$(AID)` is filled in when Xcode builds the app"),
    ("Ｄ２７６００００８５０１０１", "`Ｄ２７６００００８５０１０１` is not hexadecimal"),
    ("D276000085010\u{301}1", "`D276000085010\u{301}1` is not hexadecimal"),
    ("  ", "an application identifier cannot be empty"),
  ]) func `what is no identifier is told`(text: String, message: String) {
    #expect(Self.code(.exact, identifier: text) == message)
    #expect(Self.code(.loose, identifier: text) == message)
  }

  @Test(arguments: [
    "D2760000850101 ", " D2760000850101", "D2 76 00 00 85 01 01", "D2:76:00:00:85:01:01",
    "D2-7600-0085-0101",
  ]) func `what lies between digits is passed over in station files only`(text: String) {
    #expect(Self.code(.loose, identifier: text) == nil)
    let fault = Self.fault { () throws(EntryFault) in
      try DeclaredEntry.identifier(text, .exact)
    }
    #expect(fault == .otherCharacters(text, meant: "D2760000850101"))
    #expect(fault?.help == "write `D2760000850101`")
  }

  @Test(arguments: [
    "D2760000850101\n", "\n\t\tD2760000850101\n\t", "D2760000850101\u{A0}",
  ])
  func `line ends around digits are told with what was meant`(text: String) {
    let fault = Self.fault { () throws(EntryFault) in
      try DeclaredEntry.identifier(text, .exact)
    }
    #expect(fault == .otherCharacters(text, meant: "D2760000850101"))
  }

  @Test(
    arguments: [
      ("12FC", nil), ("0003", nil), ("88b4", nil),
      ("FFFF", "a system code cannot have the wildcard `FF`"),
      ("12FF", "a system code cannot have the wildcard `FF`"),
      ("FF03", "a system code cannot have the wildcard `FF`"),
      ("FC", "a system code has 2 bytes, not 1"), ("12FC00", "a system code has 2 bytes, not 3"),
      ("12F", "`12F` has an odd number of digits"), ("", "a system code cannot be empty"),
    ] as [(String, String?)]) func `a system code is two bytes without a wildcard`(
      text: String, message: String?
    )
  {
    let fault = Self.fault { () throws(EntryFault) in
      try DeclaredEntry.systemCode(text, .exact)
    }
    #expect(fault?.message == message)
  }

  @Test(
    arguments: [
      ("TAG", nil), ("PAYMENT", nil), ("NDEF", nil), ("PACE", nil), ("TAGS", "did you mean `TAG`?"),
      ("tag", "did you mean `TAG`?"), ("TAG ", "did you mean `TAG`?"),
      ("ISO15693", "one of `TAG`, `NDEF`, `PACE`, `PAYMENT`"), ("", nil),
    ] as [(String, String?)]) func `a format is one of four`(text: String, help: String?)
  {
    do throws(EntryFault) {
      let format = try DeclaredEntry.format(text)
      #expect(format == text && help == nil)
    } catch {
      #expect(error.help == help)
    }
  }
}
