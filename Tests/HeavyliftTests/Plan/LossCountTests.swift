import HeavyliftExpression
import HeavyliftTestSupport
import Testing

@testable import Heavylift
@testable import HeavyliftStore

/// The counts of the values that a mapping loses.
@Suite struct LossCountTests {
  private static func model(_ attributes: [String]) -> ManagedObjectModel {
    ManagedObjectModel(entities: [
      EntityDescription(name: "Track", attributes: attributes.map { Models.attribute($0, .integer64) })
    ])
  }

  /// Returns the losses of a migration of five tracks, numbered from 1, of which the even ones have a note.
  private static func losses(_ mappings: [EntityMappingDescription]) throws -> [String] {
    let test = try MigrationTest(from: model(["note", "number"]), to: model(["number"])) { context in
      for number in 1...5 as ClosedRange<Int64> {
        let track = try context.insert("Track")
        track["number"] = .integer(number)
        if number.isMultiple(of: 2) { track["note"] = .integer(number) }
      }
    }
    let plan = try test.manager.plan(from: test.source, with: [MappingModel(entityMappings: mappings)])
    return plan.losses.map { loss in
      "\(loss.entity).\(loss.property ?? "") \(loss.count.map(String.init) ?? "unknown") \(loss.unit)"
    }
  }

  private static func track(
    _ name: String = "TrackToTrack", where filter: String?, reads: Bool = false
  ) throws -> EntityMappingDescription {
    EntityMappingDescription(
      name: name, source: "Track", destination: "Track", filter: try filter.map { try MappingPredicate(parsing: $0) },
      properties: reads ? [.attribute("number", try MappingExpression(parsing: "$source.note"))] : [],
      drops: reads ? [] : [DroppedProperty("note")], intendsDuplicates: true)
  }

  @Test(arguments: [
    (String?.none, ["Track.note 2 values"]), ("number <= 3", ["Track.note 1 values"]), ("number == 3", []),
    ("number > 3", ["Track.note 1 values"]),
  ]) func `values are counted for the objects that a filter takes`(filter: String?, expected: [String]) throws {
    #expect(try Self.losses([Self.track(where: filter)]) == expected)
  }

  @Test func `values that another entity mapping reads are not lost`() throws {
    let some = [try Self.track("One", where: "number < 5"), try Self.track("Two", where: "number > 3", reads: true)]
    #expect(try Self.losses(some) == ["Track.note 1 values"])
  }
}
