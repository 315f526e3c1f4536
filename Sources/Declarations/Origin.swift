extension Declarations {
  /// Which kind of file declarations come from.
  package enum Origin: Sendable, Equatable {
    case stationFile
    /// An app's property lists, by path.
    case propertyLists(infoPlist: String, entitlements: String?)
  }

  /// Something that a session needs and declarations may lack.
  package enum Need: Sendable, Equatable {
    case usageDescription
    case format
    case systemCodes
    case payment
  }

  /// What a person adds, and where, so that `need` is met.
  package func remedy(for need: Need) -> String {
    switch origin {
    case .stationFile: Self.stationRemedy(for: need)
    case .propertyLists(let infoPlist, let entitlements):
      Self.listRemedy(for: need, infoPlist: infoPlist, entitlements: entitlements)
    }
  }

  private static func stationRemedy(for need: Need) -> String {
    switch need {
    case .usageDescription:
      "add `usageDescription: …` under `declarations`; no session begins without it"
    case .format: "add `formats: [TAG]` to the declarations"
    case .systemCodes: "add `systemCodes: [\"12FC\"]` to the declarations"
    case .payment: "add `PAYMENT` to `formats` and `region: EU` to the declarations"
    }
  }

  /// The same for an app with these property lists.
  static func listRemedy(
    for need: Need, infoPlist: String, entitlements: String?
  ) -> String {
    switch need {
    case .usageDescription:
      "add `\(DeclaredKey.usageDescription.propertyListKey)` to \(infoPlist); "
        + "no session begins without it"
    case .systemCodes:
      "add `12FC` under `\(DeclaredKey.systemCodes.propertyListKey)` to \(infoPlist)"
    case .format, .payment:
      if let entitlements {
        "add `\(need == .payment ? "PAYMENT" : "TAG")` under "
          + "`\(DeclaredKey.formats.propertyListKey)` to \(entitlements)"
          + (need == .payment ? ", and `region: EU` to the declarations" : "")
      } else {
        "name the app's entitlements too: `entitlements: …` under `declarations`"
      }
    }
  }
}
