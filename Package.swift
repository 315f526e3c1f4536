// swift-tools-version: 6.3

import PackageDescription

let settings: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),  // SE-0335
  .enableUpcomingFeature("InternalImportsByDefault"),  // SE-0409
  .enableUpcomingFeature("MemberImportVisibility"),  // SE-0444
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),  // SE-0461
  .enableUpcomingFeature("InferIsolatedConformances"),  // SE-0470
  .enableUpcomingFeature("ImmutableWeakCaptures"),  // SE-0481
  .strictMemorySafety(),  // SE-0458
  .treatAllWarnings(as: .error),  // SE-0443
]

/// A library target with its tests, which mirror it and may need more: `testing`.
func module(
  _ name: String, _ dependencies: [Target.Dependency], testing: [Target.Dependency] = []
) -> [Target] {
  [
    .target(name: name, dependencies: dependencies, swiftSettings: settings),
    .testTarget(
      name: "\(name)Tests",
      dependencies: [.target(name: name)] + dependencies + testing,
      resources: [.copy("Fixtures")],
      swiftSettings: settings),
  ]
}

let package = Package(
  name: "tagstation",
  targets: [
    // C libraries, each wrapped in exactly one target.
    .systemLibrary(name: "CSystem"),
    .systemLibrary(name: "CLibNFC", pkgConfig: "libnfc", providers: [.apt(["libnfc-dev"])]),
    .systemLibrary(name: "CLibYAML", pkgConfig: "yaml-0.1", providers: [.apt(["libyaml-dev"])]),
    .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
    .systemLibrary(name: "CCrypto", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
    .systemLibrary(name: "CPCRE2", pkgConfig: "libpcre2-8", providers: [.apt(["libpcre2-dev"])]),
    .executableTarget(
      name: "tagstation",
      dependencies: [
        "Bytes", "Platform", "NDEF", "VirtualReader", "Diagnostics", "YAMLTree", "TagFiles",
        "Readers", "Declarations", "TagFormats", "ReaderSession", "JobFile", "Ledger",
        "StationRunner", "DataSource", "Templates", "Digests",
      ],
      swiftSettings: settings),
    .testTarget(
      name: "tagstationTests",
      dependencies: [
        "tagstation", "Bytes", "Diagnostics", "Platform", "NDEF", "VirtualReader", "TagFiles",
        "Ledger",
      ],
      resources: [.copy("Fixtures")],
      swiftSettings: settings),
    .executableTarget(
      name: "benchmark",
      dependencies: [
        "Bytes", "Platform", "Diagnostics", "VirtualReader", "Readers", "JobFile", "Ledger",
        "StationRunner",
      ],
      swiftSettings: settings),
    .testTarget(
      name: "benchmarkTests", dependencies: ["benchmark", "Bytes"], swiftSettings: settings),
    // Any bytes for all that reads bytes which nobody vouches for; for libFuzzer too.
    .executableTarget(
      name: "fuzz",
      dependencies: [
        "Bytes", "Platform", "NDEF", "VirtualReader", "Diagnostics", "Patterns", "YAMLTree",
        "TagFiles", "Readers", "Declarations", "Templates", "DataSource", "TagFormats", "JobFile",
      ],
      path: "Tests/Fuzz", exclude: ["corpus.py"],
      swiftSettings: settings),
    // The promises under faults, shown with whole processes.
    .testTarget(
      name: "ReliabilityTests", dependencies: ["tagstation", "fuzz", "Platform", "VirtualReader"],
      resources: [.copy("Fixtures")],
      swiftSettings: settings),
  ]
    // Below the floors: what every target may use.
    + module("Bytes", [])
    + module("Platform", ["CSystem", "Bytes"])
    // Floor 0
    + module("NDEF", ["Bytes"])
    + module("VirtualReader", ["Bytes", "Platform", "CSystem"])
    + module("Diagnostics", ["Bytes"])
    + module("Digests", ["Bytes", "CCrypto"])
    + module("Patterns", ["Bytes", "CPCRE2"])
    + module("Secrets", ["Bytes", "Platform", "CSystem"])
    // Floor 1
    + module("YAMLTree", ["Bytes", "Diagnostics", "CLibYAML"])
    + module("TagFiles", ["Bytes", "Platform", "Diagnostics"])
    // Floor 2
    + module("Readers", ["Bytes", "Platform", "CLibNFC", "CSystem"], testing: ["VirtualReader"])
    + module("Declarations", ["Bytes", "Diagnostics", "YAMLTree"], testing: ["Platform"])
    + module("Templates", ["Bytes", "Digests", "Diagnostics"])
    + module("DataSource", ["Bytes", "Platform", "Diagnostics", "Digests"])
    // Floor 3
    + module(
      "TagFormats", ["Bytes", "Platform", "Secrets", "Readers", "NDEF"],
      testing: ["VirtualReader"])
    // Floor 4
    + module(
      "ReaderSession", ["Bytes", "Platform", "Readers", "Declarations", "TagFormats"],
      testing: ["VirtualReader", "Diagnostics"])
    + module(
      "JobFile",
      [
        "Bytes", "Platform", "Diagnostics", "Digests", "Patterns", "Secrets", "NDEF", "YAMLTree",
        "Templates", "DataSource", "Declarations", "TagFormats",
      ])
    + module("Ledger", ["Bytes", "Platform", "Digests", "CSQLite"])
    // Floor 5
    + module(
      "StationRunner",
      [
        "Bytes", "Platform", "Diagnostics", "NDEF", "Secrets", "Readers", "TagFormats", "Templates",
        "DataSource", "Declarations", "ReaderSession", "JobFile", "Ledger", "Patterns", "Digests",
      ], testing: ["VirtualReader"])
)
