public import Foundation
public import HeavyliftVerification
public import Testing

/// Migrates a graph and records an issue for each failure, like `MigrationTestCase`, but for Swift Testing.
///
/// ```swift
/// @Test("artists are created from JSON") func createsArtistsFromJSON() throws {
///   try expectMigration(pair, of: graphs.appending(path: "graph-1.json"), gives: graphs.appending(path: "graph-2.json"))
/// }
/// ```
///
/// - Parameters:
///   - pair: The models, mappings and policies.
///   - source: The graph that is migrated.
///   - expected: The graph that the migrated store should contain; if `nil`, only conformance with the mapping is
///     checked.
///   - sourceLocation: The location to record issues at.
/// - Returns: The migration, for further checks.
@discardableResult
public func expectMigration(
  _ pair: MigrationPair, of source: URL, gives expected: URL? = nil,
  sourceLocation: SourceLocation = #_sourceLocation
) throws -> TestedMigration {
  let (migration, failures) = try pair.judge(source, expected)
  for failure in failures { Issue.record("\(failure)", sourceLocation: sourceLocation) }
  return migration
}

extension MigrationPair {
  /// Migrates a graph, and compares the result with the mapping and the expectation.
  func judge(_ source: URL, _ expected: URL?) throws -> (migration: TestedMigration, failures: [MigrationFailure]) {
    let migration = try migrate(ObjectGraph(contentsOf: source, model: sourceModel))
    guard let expected else { return (migration, migration.failures()) }
    if ProcessInfo.processInfo.environment["HEAVYLIFT_RECORD"] == "1" { try migration.record(expected) }
    return (migration, migration.failures(expecting: try ObjectGraph(contentsOf: expected, model: destinationModel)))
  }
}
