public import Foundation
public import HeavyliftVerification
public import XCTest

/// A test of the mapping between two versions: builds a store of the old version, migrates it with the real mapping
/// file and policies, and compares every object, attribute and relationship with the mapping and the expectation.
///
/// ```swift
/// final class Music1To2Tests: MigrationTestCase {
///   override func makePair() throws -> MigrationPair {
///     try MigrationPair(
///       models: samples.appending(path: "Music.xcdatamodeld"), from: "Music 1", to: "Music 2",
///       mappings: [samples.appending(path: "1-2.xml")], policies: PolicyRegistry(ArtistsFromJSON.self))
///   }
///
///   func testMigration() throws {
///     try assertMigration(of: graphs.appending(path: "graph-1.json"), gives: graphs.appending(path: "graph-2.json"))
///   }
/// }
/// ```
///
/// With `HEAVYLIFT_RECORD=1` in the environment, the expected graphs are rewritten before the comparison; properties
/// that they leave open (`{"any": true}`) stay open. Review the changes before you commit them.
open class MigrationTestCase: XCTestCase {
  /// Creates the pair to test. Override this method.
  open func makePair() throws -> MigrationPair {
    throw XCTSkip("\(type(of: self)) has no pair: override makePair()")
  }

  /// Returns further mistakes in a migration, of kinds that no graph can express. Override this method to check a
  /// policy's decisions.
  ///
  /// Each message names the property in single quotes.
  open func mistakes(in migration: TestedMigration) throws -> [String] { [] }

  /// Migrates a graph and fails for each difference from the mapping or the expectation.
  ///
  /// - Parameters:
  ///   - source: The graph that is migrated.
  ///   - expected: The graph that the migrated store should contain; if `nil`, only conformance with the mapping is
  ///     checked.
  ///   - file: The file to report failures in.
  ///   - line: The line to report failures at.
  /// - Returns: The migration, for further checks.
  @discardableResult
  public func assertMigration(
    of source: URL, gives expected: URL? = nil, file: StaticString = #filePath, line: UInt = #line
  ) throws -> TestedMigration {
    let (migration, failures) = try makePair().judge(source, expected)
    for failure in failures { XCTFail("\(failure)", file: file, line: line) }
    for mistake in try mistakes(in: migration) { XCTFail(mistake, file: file, line: line) }
    return migration
  }

  /// Introduces one deliberate mistake after another, and fails for each that the expectations do not detect, or that
  /// the graph has no object for.
  ///
  /// Prints one line with the counts if all is well.
  ///
  /// - Parameters:
  ///   - source: The graph that is migrated.
  ///   - expected: The graph that the migrated store should contain.
  ///   - minimum: The minimum number of mutations that must be detected.
  ///   - excluded: The names of mutations that no object can show, as a failure names them.
  ///   - file: The file to report failures in.
  ///   - line: The line to report failures at.
  public func assertNoMutationSurvives(
    of source: URL, gives expected: URL, atLeast minimum: Int = 20, excluding excluded: Set<String> = [],
    file: StaticString = #filePath, line: UInt = #line
  ) throws {
    let pair = try makePair()
    let report = try pair.mutate(
      ObjectGraph(contentsOf: source, model: pair.sourceModel),
      expecting: ObjectGraph(contentsOf: expected, model: pair.destinationModel), excluding: excluded,
      checking: mistakes)
    let failures = report.failures
    print("\(type(of: self)): \(report.counts)")
    for failure in failures { XCTFail(failure, file: file, line: line) }
    XCTAssertGreaterThanOrEqual(report.killed.count, minimum, file: file, line: line)
  }

  /// Migrates a store of each version to the last one, in place, as a program would, and fails for each difference from
  /// the result of running the pairs one after another.
  ///
  /// - Parameters:
  ///   - pairs: The pairs in order. Each starts at the version where the previous one ends.
  ///   - graphs: The source graphs, one for each pair, in the same order.
  ///   - file: The file to report failures in.
  ///   - line: The line to report failures at.
  public func assertChain(
    _ pairs: [MigrationPair], of graphs: [URL], file: StaticString = #filePath, line: UInt = #line
  ) throws {
    XCTAssertEqual(pairs.count, graphs.count, "there must be one graph for each pair", file: file, line: line)
    let chain = MigrationChain(pairs)
    for (place, (pair, url)) in zip(pairs, graphs).enumerated() {
      let graph = try ObjectGraph(contentsOf: url, model: pair.sourceModel)
      for mistake in try chain.mistakes(in: graph, from: place) {
        XCTFail("from '\(pair.sourceModel.name ?? "")': \(mistake)", file: file, line: line)
      }
    }
  }
}
