internal import JobFile
internal import VirtualReader

// The simulator and the files each have their own types, as for tags.

extension FaultScript {
  /// The script that a faults file describes.
  init(_ plan: FaultPlan) {
    switch plan {
    case .seed(let seed): self.init(seed: seed)
    case .entries(let entries): self.init(entries.map(Entry.init))
    }
  }
}

extension FaultScript.Entry {
  fileprivate init(_ entry: FaultEntry) {
    let moment: FaultScript.Moment =
      switch entry.moment {
      case .command(let number): .command(number)
      case .page(let page): .page(page)
      case .time(let time): .time(time)
      }
    self.init(tag: entry.tag, at: moment, FaultScript.Action(entry.word), for: entry.duration)
  }
}

extension FaultScript.Action {
  fileprivate init(_ word: FaultEntry.Word) {
    self =
      switch word {
      case .unplug: .unplug
      case .lift: .lift
      case .swap: .swap
      case .second: .second
      case .noAck: .noAck
      case .ackOnly: .ackOnly
      case .late: .late
      case .garbage: .garbage
      case .badSum: .badSum
      case .badLength: .badLength
      case .badEnd: .badEnd
      case .short: .short
      case .split: .split
      case .joined: .joined
      case .nack: .nack
      case .error: .error
      case .noise: .noise
      case .nak: .nak
      case .field: .field
      case .reset: .reset
      case .speed: .speed
      case .stuck: .stuck
      case .weak: .weak
      }
  }
}
