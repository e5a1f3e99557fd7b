import Foundation
public import HeavyliftVerification
import Testing
import XCTest

/// Checks the laws that every correct migration obeys, on stores generated from seeds: every store migrates, follows
/// the new model's rules, and matches the mapping; no object is lost; a second run produces the same store; and the old
/// store is never changed. Works in both XCTest and Swift Testing.
///
/// ```swift
/// @Test("the mapping keeps the laws") func mappingKeepsLaws() throws {
///   try checkLaws(mapping: pair, options: MigrationLawOptions(values: ["Track.json": ["{}", "not JSON", .null]]))
/// }
/// ```
///
/// Each broken law is reported as one failure, which names the seed, the law, the object, the property and the line of
/// the mapping, and shows the smallest store found that breaks the law. With `HEAVYLIFT_SEED=7` in the environment,
/// only that seed runs.
///
/// - Parameters:
///   - pair: The models, mappings and policies.
///   - rest: The pairs that follow `pair` in a chain, for checking the laws of chains.
///   - options: The stores to generate, and the laws to check.
///   - fileID: The file ID to report failures at.
///   - file: The file to report failures in.
///   - line: The line to report failures at.
///   - column: The column to report failures at.
/// - Returns: The report, which is also printed.
/// - Throws: An error if no store can be built, or the options name unknown attributes.
@discardableResult
public func checkLaws(
  mapping pair: MigrationPair, followedBy rest: [MigrationPair] = [],
  options: MigrationLawOptions = MigrationLawOptions(), fileID: StaticString = #fileID,
  file: StaticString = #filePath, line: UInt = #line, column: UInt = #column
) throws -> MigrationLawReport {
  var options = options
  if let seed = ProcessInfo.processInfo.environment["HEAVYLIFT_SEED"].flatMap({ UInt64($0) }) {
    options.seeds = seed..<(seed + 1)
  }
  let report = try pair.lawReport(followedBy: rest, options: options)
  print("laws of \(report)")
  var failures = report.violations.map(\.description)
  if report.saysNothing {
    failures.append("\(report)\n  allow more objects, or values that the mapping accepts")
  }
  for failure in failures {
    guard Test.current != nil else {
      XCTFail(failure, file: file, line: line)
      continue
    }
    Issue.record(
      "\(failure)",
      sourceLocation: SourceLocation(
        fileID: "\(fileID)", filePath: "\(file)", line: Int(line), column: Int(column)))
  }
  return report
}

extension MigrationTestCase {
  /// Checks the laws that every correct migration obeys, on stores generated from seeds, as `checkLaws` does.
  ///
  /// ```swift
  /// func testLaws() throws { try assertLaws(MigrationLawOptions(values: ["Track.json": ["{}", "not JSON"]])) }
  /// ```
  @discardableResult
  public func assertLaws(
    _ options: MigrationLawOptions = MigrationLawOptions(), followedBy rest: [MigrationPair] = [],
    file: StaticString = #filePath, line: UInt = #line
  ) throws -> MigrationLawReport {
    try checkLaws(mapping: makePair(), followedBy: rest, options: options, file: file, line: line)
  }
}
