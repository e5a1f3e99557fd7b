import Foundation
import Heavylift
import HeavyliftTesting
import Testing

/// The Swift Testing counterpart of `MigrationTestCase`, and the text of its failures.
struct ExpectMigrationTests {
  private let files = SampleFiles(name: "Music")

  private func pair() throws -> MigrationPair {
    try MigrationPair(models: files.model(), from: "Music 2", to: "Music 3", mappings: [files.mapping("2-3")])
  }

  @Test func `a correct migration records nothing`() throws {
    try expectMigration(pair(), of: files.graph(2), gives: files.graph(3))
  }

  @Test func `a migration with an unexpected result records an issue`() throws {
    let (pair, expected) = (try pair(), try changedGraph())
    try withKnownIssue {
      try expectMigration(pair, of: files.graph(2), gives: expected)
    } matching: { issue in
      "\(issue)".contains("object 'artist1' of 'Artist': 'sortName'")
    }
  }

  @Test func `a failure names the object, property, both values, the mapping's line and the expectation's`() throws {
    let pair = try pair()
    let migration = try pair.migrate(ObjectGraph(contentsOf: files.graph(2), model: pair.sourceModel))
    let expected = try ObjectGraph(contentsOf: changedGraph(), model: pair.destinationModel)
    let failures = migration.failures(expecting: expected).map { failure in
      "\(failure)".replacing(/\ [^ ]*\//, with: " ")
    }
    #expect(
      failures == [
        """
        object 'artist1' of 'Artist': 'sortName' is "miles", expected "Miles"
          2-3.xml:5:5: 'sortName' is lowercase:($source.name) in entity mapping 'ArtistToArtist'
          expected in changed-3.json:14:49
        """
      ])
  }

  /// The expected graph, with a mistake in it.
  private func changedGraph() throws -> URL {
    let folder = FileManager.default.temporaryDirectory.appending(path: "heavylift-test-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let url = folder.appending(path: "changed-3.json")
    let text = try String(contentsOf: files.graph(3), encoding: .utf8)
    try Data(text.replacing(#""sortName": "miles""#, with: #""sortName": "Miles""#).utf8).write(to: url)
    return url
  }
}
