internal import Bytes
internal import Readers
package import Secrets

/// Passwords of NTAG21x (data sheet rev. 3.2, 8.5.7 and 8.8; 10.7 PWD_AUTH) and Ultralight EV1 (MF0ULx1
/// rev. 3.3, 8.5.5 and 8.6): the page of CFG0 ends in AUTH0, the first guarded page; CFG1 begins with ACCESS
/// (bit 7 PROT, bit 6 CFGLCK, bits 2 to 0 AUTHLIM); PWD and PACK follow, and read as zero.
extension Type2Tag {
  /// PROT and AUTHLIM, which are what a password needs of ACCESS.
  private static let guarding: UInt8 = 0x87
  private static let configurationLock: UInt8 = 0x40
  private static let noPage: UInt8 = 0xFF

  /// Whether ACCESS says that the chip's settings cannot be written any more.
  var isConfigurationFixed: Bool {
    guard let place = facts?.configuration, let access = pages[place + 1]?.first else {
      return false
    }
    return access & Self.configurationLock != 0
  }

  package func authenticate(_ password: Secret) throws(TagError) {
    if authenticated === password { return }
    guard facts?.configuration != nil else { throw noPassword }
    _ = try present(password)
  }

  /// In an order in which no tear leaves the tag guarded by a password that nobody knows: the password is confirmed
  /// before anything is guarded, and the first guarded page comes last.
  package func protect(_ protection: Protection) throws(TagError) {
    let (place, pages) = try configuration
    guard (0...place).contains(protection.from) else {
      throw .unsupported(
        "page \(protection.from) lies behind the last one that can be guarded, \(place)")
    }
    try readConfiguration(place, opening: protection.password)
    let acknowledgement = protection.acknowledge + [0, 0]
    if try first(place) < pages {
      // Guarded by this password, or by another one that is not touched.
      if try present(protection.password) != protection.acknowledge {
        try write(place + 3, acknowledgement)
      }
    } else {
      try set(place, protection.password)
      try write(place + 3, acknowledgement)
      try confirm(protection)
    }
    let access =
      (protection.guardsReading ? 0x80 : 0) | UInt8(truncatingIfNeeded: protection.tries & 7)
    try setAccess(place, access)
    try setFirst(place, UInt8(truncatingIfNeeded: protection.from))
    try selectAnew(place)
    try confirm(protection)
    try read(place)
    try expect(place, first: UInt8(truncatingIfNeeded: protection.from), access)
  }

  /// The guard comes off first; the password is the factory's again at the end.
  package func unprotect(_ password: Secret) throws(TagError) {
    let (place, pages) = try configuration
    try readConfiguration(place, opening: password)
    if try first(place) < pages {
      try authenticate(password)
      isTakingOff = true
    }
    guard isTakingOff else { return }
    try setFirst(place, Self.noPage)
    // From here on nothing needs it, and soon it is another one.
    closeLink()
    try setAccess(place, 0)
    try write(place + 2, [0xFF, 0xFF, 0xFF, 0xFF])
    try write(place + 3, [0, 0, 0, 0])
    try selectAnew(place)
    try read(place)
    try expect(place, first: Self.noPage, 0)
    guard try send([0x1B, 0xFF, 0xFF, 0xFF, 0xFF], .raw) == [0, 0] else {
      throw .readBackDiffers("the tag does not answer the factory's password as the factory has it")
    }
    isTakingOff = false
  }

  // MARK: PWD_AUTH

  private var noPassword: TagError { .unsupported("\(chip.rawValue) has no password") }

  /// PWD_AUTH (1Bh): the PACK that the tag answers.
  ///
  /// The link repeats it only where a wrong password costs nothing: the tag counts none, or took this one before.
  private func present(_ password: Secret) throws(TagError) -> [UInt8] {
    let refusal = TagError.password("the tag refuses the password")
    if refused.contains(where: { $0 === password }) { throw refusal }
    closeLink()
    let command = Self.command(password)
    let countsNone = facts?.configuration.flatMap { pages[$0 + 1]?.first }.map { $0 & 7 == 0 }
    let answer: [UInt8]
    do throws(ReaderError) {
      if countsNone == true || proven === password {
        answer = try link.exchange(command, framing: .raw)
      } else {
        answer = try link.exchangeOnce(command, framing: .raw)
      }
    } catch {
      guard error == .noAnswer else { throw .link(error) }
      refused.append(password)
      do throws(ReaderError) { try link.reselect() } catch { throw .link(error) }
      throw refusal
    }
    guard answer.count == 2 else { throw .refused("PWD_AUTH answered \(answer.count) bytes") }
    proven = password
    authenticated = password
    link.open(with: { Self.command(password) })
    return answer
  }

  private static func command(_ password: Secret) -> [UInt8] {
    password.withBytes { bytes in
      var command: [UInt8] = [0x1B]
      for index in bytes.indices { command.append(bytes[index]) }
      return command
    }
  }

  /// The tag takes the password that it was given, and answers as it should.
  private func confirm(_ protection: Protection) throws(TagError) {
    let answer: [UInt8]
    do throws(TagError) {
      answer = try present(protection.password)
    } catch {
      guard case .password = error else { throw error }
      throw .readBackDiffers("the tag refuses the password that was put on it")
    }
    guard answer == protection.acknowledge else {
      throw .readBackDiffers("the tag answers its password with other bytes than `pack`")
    }
  }

  /// After a selection, or where the password changes: nothing is open, and the link opens nothing by itself.
  private func closeLink() {
    authenticated = nil
    link.open(with: nil)
  }

  // MARK: Settings

  private var configuration: (place: Int, pages: Int) {
    get throws(TagError) {
      guard let facts, let place = facts.configuration else { throw noPassword }
      return (place, facts.pages)
    }
  }

  /// Reads CFG0 and CFG1, with the password where it guards reading.
  private func readConfiguration(_ place: Int, opening password: Secret) throws(TagError) {
    if pages[place] != nil, pages[place + 1] != nil { return }
    do throws(TagError) {
      try read(place)
    } catch {
      guard error == .link(.noAnswer), authenticated !== password else { throw error }
      _ = try present(password)
      try read(place)
    }
  }

  private func setting(_ page: Int) throws(TagError) -> [UInt8] {
    guard let bytes = pages[page] else { throw .refused("page \(page) cannot be read") }
    return bytes
  }

  /// AUTH0.
  private func first(_ place: Int) throws(TagError) -> Int { Int(try setting(place)[3]) }

  private func set(_ place: Int, _ password: Secret) throws(TagError) {
    closeLink()
    let bytes = Array(Self.command(password).dropFirst())
    guard bytes.count == 4 else { throw .unsupported("a password has 4 bytes") }
    try write(place + 2, bytes)
    // What is known of pages may be shown.
    pages[place + 2] = [0, 0, 0, 0]
    refused = []
  }

  /// Writes CFG0 with this AUTH0, unless it has it.
  private func setFirst(_ place: Int, _ page: UInt8) throws(TagError) {
    try change(place, Array(try before(place)[0..<3]) + [page])
  }

  /// Writes CFG1 with this PROT and AUTHLIM, unless it has them; what else ACCESS says is kept.
  private func setAccess(_ place: Int, _ bits: UInt8) throws(TagError) {
    let old = try before(place + 1)
    try change(place + 1, [old[0] & ~Self.guarding | bits] + old[1...])
  }

  /// The page as it was before its first change.
  private func before(_ page: Int) throws(TagError) -> [UInt8] {
    if let known = settingsBefore[page] { return known }
    let bytes = try setting(page)
    settingsBefore[page] = bytes
    return bytes
  }

  private func change(_ page: Int, _ bytes: [UInt8]) throws(TagError) {
    if try setting(page) == bytes { return }
    if isConfigurationFixed { throw .locked("the chip's settings are locked for ever (CFGLCK)") }
    try write(page, bytes)
  }

  /// Field off and on: what the chip was told holds from the next power-up on.
  private func selectAnew(_ place: Int) throws(TagError) {
    closeLink()
    do throws(ReaderError) { try link.dropField() } catch { throw .link(error) }
    for page in place..<place + 4 { pages[page] = nil }
  }

  private func expect(_ place: Int, first: UInt8, _ bits: UInt8) throws(TagError) {
    let (before, later) = (try before(place), try before(place + 1))
    guard try setting(place) == before[0..<3] + [first],
      try setting(place + 1) == [later[0] & ~Self.guarding | bits] + later[1...]
    else {
      throw .readBackDiffers(
        "pages \(place) and \(place + 1) read \(try setting(place).hex) \(try setting(place + 1).hex)"
      )
    }
  }
}
