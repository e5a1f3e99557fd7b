import HeavyliftExpression
@testable import HeavyliftMapping
import HeavyliftModel
import Testing

/// The entities and properties that a source expression only reads: they are not migrated by it.
@Suite struct SourceExpressionTests {
  /// In the second version, tags have no `color`, but `shade`; teachers and pupils are persons.
  private static func model(_ version: Int, without removed: String? = nil) -> ManagedObjectModel {
    var model = ManagedObjectModel(
      name: "School \(version)",
      entities: [
        EntityDescription(name: "Person", attributes: [AttributeDescription(name: "name", type: .string)]),
        EntityDescription(
          name: "Post", attributes: [AttributeDescription(name: "title", type: .string)],
          relationships: [
            RelationshipDescription(
              name: "tags", destinationEntityName: "Tag", inverseName: "posts", inverseEntityName: "Tag")
          ]),
        EntityDescription(name: "Pupil", superentityName: "Person"),
        EntityDescription(
          name: "Tag",
          attributes: ["name", version == 1 ? "color" : "shade"].map { AttributeDescription(name: $0, type: .string) },
          relationships: [
            RelationshipDescription(
              name: "posts", destinationEntityName: "Post", inverseName: "tags", inverseEntityName: "Post")
          ]),
      ])
    if let removed {
      model.entities.removeAll { $0.name == removed }
      for index in model.entities.indices {
        model.entities[index].relationships.removeAll { $0.destinationEntityName == removed }
      }
    }
    return model
  }

  private static func fetch(_ entity: String) -> String {
    "FETCH(FUNCTION($manager, 'fetchRequestForSourceEntityNamed:predicateString:', '\(entity)', 'TRUEPREDICATE'), "
      + "$manager.sourceContext, NO)"
  }

  private static func complete(
    _ entity: String, _ expression: String, drops: [String] = [], without removed: String? = nil
  ) throws -> CompleteMappingModel {
    let mapping = EntityMappingDescription(
      source: entity, destination: entity, sourceExpression: try MappingExpression(parsing: expression),
      drops: drops.map { DroppedProperty($0) })
    return MappingModel(entityMappings: [mapping]).complete(from: model(1), to: model(2, without: removed))
  }

  @Test(arguments: [
    "\(fetch("Post")).@distinctUnionOfSets.tags",
    "SUBQUERY(\(fetch("Tag")), $tag, $tag.name IN \(fetch("Post")).title)",
  ])
  func `an entity that is read on the way to other objects is still copied`(expression: String) throws {
    let complete = try Self.complete("Tag", expression, drops: ["color"])
    #expect(
      complete.entityMappings.map { "\($0.name) \($0.origin)" } == [
        "TagToTag written", "PersonToPerson implied", "PostToPost implied", "PupilToPupil implied",
      ])
    #expect(complete.entityMappings[0].takenEntities == ["Tag"])
    #expect(complete.check().filter { $0.severity != .note } == [])
  }

  @Test func `an entity that is read on the way to other objects is not dropped in silence`() throws {
    let complete = try Self.complete(
      "Tag", "\(Self.fetch("Post")).@distinctUnionOfSets.tags", drops: ["color"], without: "Post")
    #expect(
      complete.check().filter { $0.severity == .error }.map(\.description) == [
        """
        error[mapping.dropped-entity]: no entity mapping covers source entity 'Post', and the destination model does not \
        have it
          write '<entity-mapping type="remove" source="Post"/>' if its objects are to be deleted, or '<entity-mapping \
        source="Post" destination="…"/>'
        """
      ])
  }

  @Test(arguments: [
    (fetch("Pupil"), ["Person", "Pupil"]),
    ("FUNCTION($manager, 'first:', \(fetch("Pupil")), \(fetch("Post")))", ["Person", "Pupil"]),
    ("SUBQUERY(\(fetch("Person")), $p, $p.name IN \(fetch("Pupil")).name)", ["Person"]),
  ])
  func `an entity is taken if the expression may return its objects`(expression: String, taken: [String]) throws {
    let complete = try Self.complete("Person", expression)
    #expect(complete.entityMappings[0].takenEntities.sorted() == taken)
    let implied = complete.entityMappings.filter { $0.origin == .implied }.compactMap(\.sourceEntityName)
    #expect(implied == ["Person", "Post", "Pupil", "Tag"].filter { !taken.contains($0) })
  }

  @Test func `objects of an unrelated entity are one mistake, without consequences`() throws {
    let complete = try Self.complete("Tag", Self.fetch("Post"), drops: ["color"])
    #expect(complete.check().filter { $0.severity != .note }.map(\.code) == ["mapping.source-expression"])
  }

  private static let question = """
    error[mapping.possible-renaming]: attribute 'color' of source entity 'Tag' was removed, and 'shade' of destination \
    entity 'Tag' is new and has no value. Was it renamed?
      write '<attribute name="shade" value="$source.color"/>' if it was, or '<drop name="color"/>' if its values are to \
    be deleted
    """

  @Test(arguments: [
    ("SUBQUERY(\(fetch("Tag")), $tag, $tag.name != nil)", [question], ["Tag.color gone"]),
    // As with a filter, the author has seen the property, but its values are lost.
    ("SUBQUERY(\(fetch("Tag")), $tag, $tag.color != nil)", [], ["Tag.color unread"]),
    // A function that gets the objects may read any property.
    ("FUNCTION($manager, 'first:', \(fetch("Tag")))", [], ["Tag.color left to function"]),
  ])
  func `a selection of objects does not migrate their values`(
    expression: String, messages: [String], losses: [String]
  ) throws {
    let complete = try Self.complete("Tag", expression)
    let found = complete.check().filter { $0.code == "mapping.possible-renaming" }
    #expect(found.map(\.description) == messages)
    #expect([complete].losses.map { "\($0.entity).\($0.property ?? "") \($0.reason.rawValue)" } == losses)
  }
}
