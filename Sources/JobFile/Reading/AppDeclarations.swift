package import Declarations
package import Diagnostics
internal import Glibc
internal import Platform

/// The declarations of an app, from its property lists.
package enum AppDeclarations {
  /// What the app declares, with all that is to be said about it; `nil` where a file cannot be read.
  ///
  /// Declarations are given back beside errors too, without what is faulty. Without `entitlements`
  /// there are no formats.
  package static func read(
    infoPlist: String, entitlements: String?, region: String? = nil
  ) -> (declarations: Declarations?, findings: Findings) {
    var findings = Findings()
    let info = file(infoPlist, &findings)
    let rights = entitlements.flatMap { file($0, &findings) }
    guard let info, rights != nil || entitlements == nil else { return (nil, findings) }
    let declarations = Declarations.read(
      infoPlist: info, entitlements: rights, region: region, findings: &findings)
    findings.sortByPlace()
    return (declarations, findings)
  }

  private static func file(_ path: String, _ findings: inout Findings) -> PropertyListFile? {
    do throws(SystemError) {
      return try PropertyListFile(reading: path)
    } catch {
      let fault = fault(error, path)
      findings.error(fault.code, fault.message, at: Place(file: path))
      return nil
    }
  }

  /// Why a property list could not be read, for a finding.
  static func fault(_ error: SystemError, _ path: String) -> (code: String, message: String) {
    error.code == EFBIG
      ? ("too-large", "\(path) is larger than 1 MiB")
      : ("unreadable", "cannot read \(path): \(error.reason)")
  }
}

extension PropertyListFile {
  /// The property list at `path`.
  init(reading path: String) throws(SystemError) {
    self.init(path: path, bytes: try Files.read(path, limit: Self.largest))
  }
}
