import HeavyliftExpression
import HeavyliftTestSupport
import HeavyliftVerification
import Testing

@testable import Heavylift

/// Attributes whose expressions read new values of other attributes.
@Suite struct DestinationReadTests {
  private static func model(_ attributes: String...) -> ManagedObjectModel {
    ManagedObjectModel(
      name: "Music \(attributes.count)",
      entities: [EntityDescription(name: "Track", attributes: attributes.map { Models.attribute($0, .string) })])
  }

  private static let old = model("name", "value")
  private static let new = model("a", "b", "c", "name")

  private static func mapping(_ values: KeyValuePairs<String, String>) throws -> MappingModel {
    MappingModel(entityMappings: [
      EntityMappingDescription(
        name: "TrackToTrack", source: "Track", destination: "Track",
        properties: try values.map { .attribute($0, try MappingExpression(parsing: $1)) },
        drops: [DroppedProperty("value")])
    ])
  }

  @Test(
    arguments: [
      ["a": "$destination.b", "b": "$destination.c", "c": "$source.value"],
      ["c": "$destination.b", "b": "$destination.a", "a": "$source.value"],
      ["b": "$destination.c", "c": "$destination.a", "a": "$source.value"],
    ] as [KeyValuePairs<String, String>])
  func `an attribute is set after those that it reads`(values: KeyValuePairs<String, String>) throws {
    let mapping = try Self.mapping(values)
    #expect(mapping.complete(from: Self.old, to: Self.new).check().map(\.description) == [])
    let test = try MigrationTest(from: Self.old, to: Self.new) { context in
      let track = try context.insert("Track")
      (track["name"], track["value"]) = ("So What", "x")
    }
    try test.migrate(mapping)
    #expect(try test.lines("Track", "a", "b", "c", "name").map { $0.contains("a=x b=x c=x name=So What") } == [true])
    let (old, new) = try test.bothStores()
    #expect(try StoreVerifier(source: old, destination: new, mappings: [mapping]).verify().differences == 0)
  }

  @Test func `copied values can be read, too`() throws {
    let mapping = try Self.mapping(["a": "FUNCTION($destination.name, \"stringByAppendingString:\", \"!\")"])
    let test = try MigrationTest(from: Self.old, to: Self.new) { context in
      try context.insert("Track")["name"] = "So What"
    }
    try test.migrate(mapping)
    #expect(try test.lines("Track", "a").map { $0.hasSuffix("a=So What!") } == [true])
  }

  @Test func `attributes that read each other are an error`() throws {
    let mapping = try Self.mapping(["a": "$destination.c", "b": "$destination.a", "c": "$destination.b"])
    #expect(
      mapping.complete(from: Self.old, to: Self.new).check().map(\.description) == [
        """
        error[mapping.circular-values]: attribute 'a' of entity mapping 'TrackToTrack' reads the new value of 'c', which \
        reads 'b', which reads 'a'
          read one of the values from '$source'
        """
      ])
    let itself = try Self.mapping(["a": "$destination.a"])
    #expect(
      itself.complete(from: Self.old, to: Self.new).check().map(\.code) == ["expression.unfinished-destination"])
  }
}
