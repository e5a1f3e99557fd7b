// swift-tools-version: 6.1

import PackageDescription

// Each layer is a target, and dependencies point one way: a target depends only on those above it.
let package = Package(
  name: "Heavylift",
  products: [
    .library(name: "Heavylift", targets: ["Heavylift"]),
    .library(name: "HeavyliftSchema", targets: ["HeavyliftSchema"]),
    .library(name: "HeavyliftExpression", targets: ["HeavyliftExpression"]),
    .library(name: "HeavyliftVerification", targets: ["HeavyliftVerification"]),
    .library(name: "HeavyliftTesting", targets: ["HeavyliftTesting"]),
    .library(name: "HeavyliftCommands", targets: ["HeavyliftCommands"]),
    .executable(name: "heavylift", targets: ["HeavyliftTool"]),
    .plugin(name: "GenerateMigrationTests", targets: ["GenerateMigrationTests"]),
  ],
  targets: [
    .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
    .systemLibrary(name: "CLibXML2", pkgConfig: "libxml-2.0", providers: [.apt(["libxml2-dev"])]),
    .systemLibrary(name: "CFileSystem"),
    .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),

    .target(name: "HeavyliftConcurrency"),
    .target(name: "HeavyliftModel", dependencies: ["HeavyliftConcurrency"]),
    .target(name: "HeavyliftExpression", dependencies: ["HeavyliftModel"]),
    .target(
      name: "HeavyliftMapping", dependencies: ["HeavyliftConcurrency", "HeavyliftModel", "HeavyliftExpression"]),
    .target(
      name: "HeavyliftArchive", dependencies: ["HeavyliftModel", "HeavyliftExpression", "CZlib"]),
    .target(
      name: "HeavyliftXML",
      dependencies: [
        "HeavyliftConcurrency", "HeavyliftModel", "HeavyliftExpression", "HeavyliftMapping", "HeavyliftArchive",
        "CLibXML2",
      ]),
    .target(name: "HeavyliftSQLite", dependencies: ["HeavyliftConcurrency", "CSQLite"]),
    .target(
      name: "HeavyliftStore",
      dependencies: [
        "HeavyliftModel", "HeavyliftExpression", "HeavyliftArchive", "HeavyliftSQLite", "CFileSystem",
      ]),
    // Dumps, comparisons and damage of stores. No migration depends on them.
    .target(
      name: "HeavyliftReports",
      dependencies: ["HeavyliftModel", "HeavyliftExpression", "HeavyliftArchive", "HeavyliftSQLite", "HeavyliftStore"]),
    // One hop: the migration manager, plans, passes, policies and the account of objects and links.
    .target(
      name: "HeavyliftEngine",
      dependencies: [
        "HeavyliftConcurrency", "HeavyliftModel", "HeavyliftExpression", "HeavyliftMapping", "HeavyliftArchive",
        "HeavyliftSQLite", "HeavyliftStore",
      ]),
    // All of the above, and what uses the engine: files, chains, changes in place, stages and provenance.
    .target(
      name: "Heavylift",
      dependencies: [
        "HeavyliftConcurrency", "HeavyliftModel", "HeavyliftExpression", "HeavyliftMapping", "HeavyliftXML",
        "HeavyliftArchive", "HeavyliftSQLite", "HeavyliftStore", "HeavyliftReports", "HeavyliftEngine",
      ]),
    // Schemas, written as Swift classes, and typed objects.
    .target(name: "HeavyliftSchema", dependencies: ["Heavylift", "HeavyliftConcurrency"]),
    // Object graphs and the verifier, without a test framework, because the command-line tool also uses them.
    .target(name: "HeavyliftVerification", dependencies: ["Heavylift", "HeavyliftConcurrency"]),
    .target(name: "HeavyliftTesting", dependencies: ["HeavyliftVerification"]),
    .target(
      name: "HeavyliftCommands",
      dependencies: ["Heavylift", "HeavyliftVerification", "HeavyliftConcurrency", "CFileSystem"]),
    // The product is `heavylift`; a target of that name would differ from `Heavylift` only in case, which a
    // case-insensitive file system does not allow.
    .executableTarget(name: "HeavyliftTool", dependencies: ["HeavyliftCommands"]),
    // Builds the tool when it runs: with the tool as a dependency, every build of the package would compile all of it
    // twice, once for plugins.
    .plugin(
      name: "GenerateMigrationTests",
      capability: .command(
        intent: .custom(
          verb: "generate-migration-tests", description: "Write a test for a mapping, and keep it up to date"),
        permissions: [.writeToPackageDirectory(reason: "The test's class and its graphs are written into the package.")]
      )),
    // Policies are next to the mapping files that name them.
    .target(
      name: "SamplePolicies", dependencies: ["Heavylift"], path: "MappingModels",
      exclude: [
        "mapping-model.rng", "Bank/1-2.xml", "Bank/Bank.xcdatamodeld", "Fitness/1-2.xml", "Fitness/2-3.xml",
        "Fitness/Fitness.xcdatamodeld", "Music/1-2.xml", "Music/2-3.xml", "Music/Music.xcdatamodeld",
        "Points/1-2.xml", "Points/Points.xcdatamodeld", "Songbook/classic.xml", "Songbook/Classic.xcdatamodeld",
        "Songbook/Songbook.xcdatamodeld", "Schemas",
      ]),
    // Schemas and their plans, in Swift alone.
    .target(
      name: "SampleSchemas", dependencies: ["HeavyliftSchema"], path: "MappingModels/Schemas", exclude: ["Frozen"]),
    // A tool with its own policies, as the author of an app would build it.
    .executableTarget(name: "SampleTool", dependencies: ["HeavyliftCommands", "SamplePolicies", "SampleSchemas"]),

    .target(
      name: "HeavyliftTestSupport", dependencies: ["HeavyliftModel", "HeavyliftConcurrency"],
      path: "Tests/HeavyliftTestSupport"),
    .testTarget(
      name: "HeavyliftModelTests", dependencies: ["HeavyliftModel", "HeavyliftConcurrency", "HeavyliftTestSupport"]),
    .testTarget(
      name: "HeavyliftExpressionTests",
      dependencies: ["HeavyliftExpression", "HeavyliftArchive", "HeavyliftXML", "HeavyliftTestSupport"]),
    .testTarget(
      name: "HeavyliftMappingTests",
      dependencies: [
        "HeavyliftMapping", "HeavyliftConcurrency", "HeavyliftExpression", "HeavyliftModel", "HeavyliftTestSupport",
      ]),
    .testTarget(name: "HeavyliftXMLTests", dependencies: ["HeavyliftXML", "HeavyliftTestSupport", "CLibXML2"]),
    .testTarget(
      name: "HeavyliftArchiveTests",
      dependencies: ["HeavyliftArchive", "HeavyliftXML", "HeavyliftTestSupport", "CSQLite", "CZlib"]),
    .testTarget(
      name: "HeavyliftSQLiteTests", dependencies: ["HeavyliftSQLite", "HeavyliftConcurrency", "HeavyliftTestSupport"]),
    .testTarget(
      name: "HeavyliftStoreTests",
      dependencies: [
        "HeavyliftStore", "HeavyliftReports", "HeavyliftExpression", "HeavyliftXML", "HeavyliftTestSupport",
      ]),
    // A file-system layer (VFS) beneath SQLite whose calls can be made to fail.
    .target(name: "CSQLiteFaults", dependencies: ["CSQLite"], path: "Tests/CSQLiteFaults"),
    .testTarget(
      name: "HeavyliftTests",
      dependencies: [
        "Heavylift", "HeavyliftConcurrency", "HeavyliftVerification", "SamplePolicies", "HeavyliftTestSupport",
        "CSQLiteFaults",
      ]),
    .testTarget(
      name: "HeavyliftSchemaTests",
      dependencies: [
        "HeavyliftSchema", "HeavyliftConcurrency", "HeavyliftVerification", "HeavyliftTestSupport",
      ]),
    .testTarget(
      name: "HeavyliftVerificationTests",
      dependencies: ["HeavyliftVerification", "HeavyliftConcurrency", "SamplePolicies", "HeavyliftTestSupport"]),
    // One test for each mapping, as the author of the mappings would write it.
    .testTarget(
      name: "SampleMigrationTests",
      dependencies: ["HeavyliftTesting", "SamplePolicies", "SampleSchemas", "HeavyliftTestSupport"]),
    .testTarget(
      name: "HeavyliftCommandsTests",
      dependencies: [
        "HeavyliftCommands", "HeavyliftConcurrency", "HeavyliftSchema", "HeavyliftTesting", "SamplePolicies",
        "SampleSchemas", "HeavyliftTestSupport",
      ]),
  ],
  swiftLanguageModes: [.v6]
)
