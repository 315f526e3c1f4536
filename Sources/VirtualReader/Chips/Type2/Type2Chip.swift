/// A virtual NTAG21x, Ultralight or Ultralight EV1.
struct Type2Chip: VirtualChip {
  /// Refusals of a type 2 chip: four bits each.
  enum Refusal: UInt8, Error {
    case invalidArgument = 0x0
    case damagedFrame = 0x1
    case limitReached = 0x4
  }

  /// What a command leads to.
  enum Reply {
    case data([UInt8])
    case acknowledge(programming: Duration)
    /// No answer, and out of the ACTIVE state.
    case silence
  }

  /// What is lost with the field.
  struct Volatile {
    var authenticated = false
    /// Whether the NFC counter has counted since power-up.
    var counted = false
    /// The page that the second half of a COMPATIBILITY_WRITE is for.
    var compatibilityPage: Int?
    /// CFGLCK as it was at power-up.
    var configurationLocked: Bool
  }

  private static let acknowledgement: UInt8 = 0xA
  /// Counters have 24 bits.
  static let highestCount: UInt32 = 0xFF_FFFF

  let model: Type2Model
  var memory: Type2Memory
  var counters: [UInt32]
  var failedAuthentications: Int
  let signature: [UInt8]
  let version: [UInt8]
  let tearing: [UInt8]
  var volatile: Volatile
  var revision = 0
  private var state: TypeAState

  /// A chip that holds `image`; `nil` if the image does not fit any model or its UID no cascade.
  ///
  /// What the image does not say of version and signature is as the factory has it.
  init?(_ image: ChipImage) {
    guard let model = Type2Model.named(image.chip), image.pages.count == model.pageCount * 4,
      [4, 7, 10].contains(image.uid.count)
    else { return nil }
    self.model = model
    memory = Type2Memory(model: model, bytes: image.pages)
    let count = model.counterCount
    counters = Array((image.counters + [0, 0, 0]).prefix(count)).map {
      min($0, Self.highestCount)
    }
    tearing = Array((image.tearing + [0xBD, 0xBD, 0xBD]).prefix(count))
    failedAuthentications = image.failedAuthentications
    let isLater = !model.version.isEmpty
    version = isLater && image.version.count != 8 ? model.version : image.version
    signature =
      isLater && image.signature.count != 32 ? [UInt8](repeating: 0, count: 32) : image.signature
    volatile = Volatile(configurationLocked: memory.locksConfiguration)
    state = TypeAState(uid: image.uid, atqa: image.atqa, sak: image.sak)
  }

  var image: ChipImage {
    ChipImage(
      chip: model.name, uid: state.uid, atqa: state.atqa, sak: state.sak, pages: memory.bytes,
      version: version, signature: signature, counters: counters, tearing: tearing,
      failedAuthentications: failedAuthentications)
  }

  func speaks(_ listing: Listing) -> Bool {
    guard case .typeA(let uid, let isoDEP, _) = listing else { return false }
    return isoDEP != true && (uid == nil || uid == state.uid)
  }

  func hears(_ listing: Listing) -> Bool {
    guard speaks(listing), case .typeA(let uid, _, _) = listing else { return false }
    return state.hears(waking: uid != nil)
  }

  var precedence: [UInt8] { state.precedence }

  mutating func activate(_ listing: Listing) -> Activation {
    state.activate()
    forgetSelection()
    return state.activation
  }

  mutating func overhear(_ listing: Listing) {
    guard case .typeA = listing, state.state != .idle, state.state != .halt else { return }
    state.fallBack()
    forgetSelection()
  }

  mutating func deselect() {
    state.halt()
    forgetSelection()
  }

  mutating func tear(_ command: [UInt8], leaving bytes: [UInt8]) {
    guard command.count >= 2, [0xA2, 0xA0].contains(command[0]), bytes.count == 4,
      memory.isWritable(Int(command[1]), configurationLocked: false)
    else { return }
    memory.overwrite(Int(command[1]), with: bytes)
    revision += 1
  }

  mutating func powerOff() {
    state.powerOff()
    volatile = Volatile(configurationLocked: memory.locksConfiguration)
  }

  mutating func receive(_ frame: AirFrame) -> AirAnswer? {
    guard frame.technology == .typeA else { return nil }
    let outcome = state.receive(frame)
    switch outcome {
    case .silent:
      if state.state != .active { forgetSelection() }
      return nil
    case .answer(let answer): return AirAnswer(frame: answer)
    case .damaged: return refuse(.damagedFrame)
    case .command(let command):
      do throws(Refusal) {
        switch try perform(command) {
        case .data(let data): return AirAnswer(frame: .typeA(data))
        case .acknowledge(let programming):
          return AirAnswer(frame: .nibble(Self.acknowledgement), programming: programming)
        case .silence:
          state.fallBack()
          forgetSelection()
          return nil
        }
      } catch {
        return refuse(error)
      }
    }
  }

  private mutating func refuse(_ refusal: Refusal) -> AirAnswer {
    state.fallBack()
    forgetSelection()
    return AirAnswer(frame: .nibble(refusal.rawValue))
  }

  /// Authentication ends with the ACTIVE state.
  private mutating func forgetSelection() {
    volatile.authenticated = false
    volatile.compatibilityPage = nil
  }
}
