package import Readers

/// What a tag is, and how it would arrive in sessions, found without delivering it to one.
package struct TagInspection {
  /// The tag as the reader chip found it.
  package let target: Target
  /// For each configuration, how the tag arrives; `nil` where it is not delivered.
  package let arrivals: [Arrival?]

  /// Whether no second tag of type A or FeliCa lies beside one; type B cannot tell.
  package let isAlone: Bool

  /// Looks once for a tag of any technology; `nil` if there is none.
  ///
  /// The tag is left selected as it was found.
  package init?(
    on device: any ReaderDevice, for configurations: [SessionConfiguration]
  ) throws(ReaderError) {
    guard let target = try Self.find(device) else { return nil }
    self.target = target
    if case .typeA = target.technology {
      try device.deselect()
      isAlone = try device.select(.typeA) == nil
    } else if case .feliCa = target.technology {
      isAlone = try device.selectFeliCas(systemCode: 0xFFFF).count < 2
    } else {
      isAlone = true
    }
    var arrivals: [Arrival?] = []
    for configuration in configurations {
      arrivals.append(try Self.arrival(of: target, in: configuration, on: device))
    }
    self.arrivals = arrivals
    try DeviceLink(device, target).reselect()
  }

  private static func find(_ device: any ReaderDevice) throws(ReaderError) -> Target? {
    for poll in [Poll.typeA, .typeB, .feliCa(systemCode: 0xFFFF), .jewel] {
      if let target = try device.select(poll) { return target }
    }
    return nil
  }

  private static func arrival(
    of target: Target, in configuration: SessionConfiguration, on device: any ReaderDevice
  ) throws(ReaderError) -> Arrival? {
    let search = ArrivalSearch(on: device, for: configuration)
    switch target.technology {
    case .typeA, .typeB:
      guard configuration.polling.contains(.iso14443) else { return nil }
      // Sessions without identifiers do not poll for type B.
      if case .typeB = target.technology, configuration.selectIdentifiers.isEmpty { return nil }
      try DeviceLink(device, target).reselect()
      return try search.arrival(of: target)
    case .feliCa:
      guard configuration.polling.contains(.iso18092) else { return nil }
      guard let found = try search.feliCas(configuration.systemCodes, several: false).first else {
        return nil
      }
      return try search.arrival(of: found)
    case .jewel:
      return nil
    }
  }
}
