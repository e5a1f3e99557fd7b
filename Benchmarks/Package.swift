// swift-tools-version: 6.1

import PackageDescription

// A separate package, so that users of the library do not build it.
let package = Package(
  name: "Benchmarks",
  dependencies: [.package(name: "Heavylift", path: "..")],
  targets: [
    .systemLibrary(name: "CSQLite3", providers: [.apt(["libsqlite3-dev"])]),
    .target(name: "SampleLibrary", dependencies: ["CSQLite3", .product(name: "Heavylift", package: "Heavylift")]),
    .executableTarget(name: "Dumping", dependencies: ["SampleLibrary"]),
    .executableTarget(
      name: "Evaluating", dependencies: [.product(name: "HeavyliftExpression", package: "Heavylift")]),
    .executableTarget(
      name: "Histories", dependencies: ["Measuring", .product(name: "Heavylift", package: "Heavylift")]),
    .executableTarget(
      name: "Lightweight", dependencies: ["Measuring", .product(name: "Heavylift", package: "Heavylift")]),
    .executableTarget(name: "Mapping", dependencies: [.product(name: "Heavylift", package: "Heavylift")]),
    .target(name: "Measuring", dependencies: ["CSQLite3"]),
    .executableTarget(
      name: "Migrating",
      dependencies: [
        "Measuring", .product(name: "Heavylift", package: "Heavylift"),
        .product(name: "HeavyliftVerification", package: "Heavylift"),
      ]),
    .executableTarget(name: "Saving", dependencies: ["SampleLibrary"]),
    .executableTarget(name: "Typing", dependencies: [.product(name: "HeavyliftSchema", package: "Heavylift")]),
    .executableTarget(
      name: "Unchanged", dependencies: ["Measuring", .product(name: "Heavylift", package: "Heavylift")]),
  ],
  swiftLanguageModes: [.v6]
)
