import HeavyliftExpression
import HeavyliftTestSupport
import Testing

@testable import Heavylift

/// A plan says how many objects pass a filter.
@Suite struct MatchingCountTests {
  @Test func `the objects that pass a filter are counted`() throws {
    let test = try MigrationTest(
      from: LinkReconciliationTests.model, to: LinkReconciliationTests.model, fill: LinkReconciliationTests.fill)
    let mapping = MappingModel(entityMappings: [
      EntityMappingDescription(
        source: "Track", destination: "Track", filter: try MappingPredicate(parsing: "number <= 2"))
    ])
    let steps = try test.manager.plan(from: test.source, with: [mapping]).steps
    let counts = Dictionary(uniqueKeysWithValues: steps.map { ($0.name, [$0.sourceCount, $0.matchingCount]) })
    #expect(counts["TrackToTrack"] == [6, 4])
    #expect(counts["TagToTag"] == [2, nil])
  }

  @Test(arguments: [nil, "number > 2"]) func `removed objects are counted`(filter: String?) throws {
    let test = try MigrationTest(
      from: LinkReconciliationTests.model, to: LinkReconciliationTests.model, fill: LinkReconciliationTests.fill)
    let mapping = MappingModel(entityMappings: [
      EntityMappingDescription(
        name: "Rest", type: .remove, source: "Track", filter: try filter.map { try MappingPredicate(parsing: $0) }),
      EntityMappingDescription(
        name: "Kept", source: "Track", destination: "Track", filter: try MappingPredicate(parsing: "number <= 2")),
    ])
    let steps = try test.manager.plan(from: test.source, with: [mapping]).steps
    let counts = Dictionary(uniqueKeysWithValues: steps.map { ($0.name, [$0.sourceCount, $0.matchingCount]) })
    #expect(counts["Kept"] == [6, 4])
    #expect(counts["Rest"] == [6, 2])
  }
}
