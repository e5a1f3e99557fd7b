import HeavyliftMapping
import HeavyliftModel
import HeavyliftXML
import Testing

/// Which expressions read a removed property, so that its values are not lost.
struct ReadPropertiesTests {
  private static func text(_ name: String) -> AttributeDescription {
    AttributeDescription(name: name, type: .string, isOptional: true)
  }

  /// `Lesson.room` is replaced by `Lesson.place`; `Person` and `Room` have a `room`, too, and keep it.
  private static func model(_ version: Int) -> ManagedObjectModel {
    let attribute = version == 1 ? "room" : "place"
    return ManagedObjectModel(
      name: "School \(version)",
      entities: [
        EntityDescription(
          name: "Lesson", attributes: [text(attribute), text("title")],
          relationships: [
            RelationshipDescription(
              name: "teacher", destinationEntityName: "Person", inverseName: "lessons", inverseEntityName: "Person",
              maxCount: 1)
          ]),
        EntityDescription(
          name: "Person", attributes: [text("room"), text("note")],
          relationships: [
            RelationshipDescription(
              name: "lessons", destinationEntityName: "Lesson", inverseName: "teacher", inverseEntityName: "Lesson")
          ]),
      ] + (version == 1 ? [] : [EntityDescription(name: "Sign", attributes: [text("title")])]))
  }

  private func messages(_ file: String) throws -> [String] {
    let mapping = try MappingReader.read(text: "<mapping-model>\(file)</mapping-model>", file: "1-2.xml")
      .validMappingModel()
    let complete = mapping.complete(from: Self.model(1), to: Self.model(2))
    let losses = [complete].losses.map { loss in
      let kind = loss.reason == .leftToFunction ? "left to a function" : "lost"
      return (["\(kind): \(loss.entity).\(loss.property ?? "")"] + loss.visits.map { "except \($0.objects)" })
        .joined(separator: " ")
    }
    return complete.check().map(\.code).filter { $0.hasPrefix("mapping.possible") } + losses
  }

  private func note(_ expression: String) -> String {
    "<entity-mapping source='Person' destination='Person'><attribute name='note' value=\"\(expression)\"/>"
      + "</entity-mapping>"
  }

  private func lesson(_ attributes: String = "", _ content: String = "") -> String {
    "<entity-mapping source='Lesson' destination='Lesson'\(attributes)>\(content)</entity-mapping>"
  }

  @Test(arguments: [
    "$entityMapping.room", "$source.room", "$source.entity.room",
    "CAST(SUBQUERY({$source}, $t, $t.room == 'a').@count, 'NSString')",
    "TERNARY($source.room == nil, $source.note, $source.room)",
  ])
  func `a key of another object does not read the property`(expression: String) throws {
    #expect(try messages(note(expression)) == ["mapping.possible-renaming", "lost: Lesson.room"])
  }

  @Test(arguments: [
    ("$source.lessons.@min.room", "$source.lessons"),
    ("FUNCTION($source, 'valueForKeyPath:', 'lessons.@min.room')", "$source.lessons"),
    ("TERNARY(1 == 1, $source, nil).lessons.@min.room", "TERNARY(1 == 1, $source, nil).lessons"),
    ("TERNARY(1 == 1, $source.lessons, nil).@min.room", "TERNARY(1 == 1, $source.lessons, nil)"),
    (
      "TERNARY($source.note == nil, $source.lessons.@min.room, nil)",
      "TERNARY($source.note == nil, $source.lessons, {})"
    ),
    (
      "TERNARY($source.note == nil, nil, $source.lessons.@min.room)",
      "TERNARY($source.note == nil, {}, $source.lessons)"
    ),
  ])
  func `a key of a related lesson reads the property of those that the expression gives`(
    expression: String, objects: String
  ) throws {
    #expect(try messages(note(expression)) == ["lost: Lesson.room except \(objects)"])
  }

  @Test(arguments: [
    "CAST(SUBQUERY($source.lessons, $t, $t.room == 'a').@count, 'NSString')",
    "TERNARY(ANY lessons.room == 'a', 'yes', 'no')",
  ])
  func `a test of a related lesson's key reads the property, but keeps none of its values`(expression: String) throws {
    #expect(try messages(note(expression)) == ["lost: Lesson.room"])
  }

  @Test(arguments: [
    ("where=\"room != 'a'\"", ""), ("", "<attribute name='title' value=\"TERNARY($source.room == nil, 'a', 'b')\"/>"),
    ("", "<attribute name='place' value=\"TERNARY($source.room == nil, 'a', 'b')\"/>"),
  ])
  func `the values of a property that is only tested are lost`(attributes: String, content: String) throws {
    #expect(try messages(lesson(" " + attributes, content)) == ["lost: Lesson.room"])
  }

  @Test func `a link to a part of the split object does not read its properties`() throws {
    let sign = "<entity-mapping name='Signs' source='Lesson' destination='Sign'/>"
    #expect(
      try messages(lesson(" where='SELF != nil'") + sign) == [
        "mapping.possible-renaming", "lost: Lesson.room",
      ])
    let link = """
      <relationship name='teacher' value='FUNCTION($manager, \
      "destinationInstancesForEntityMappingNamed:sourceInstances:", "PersonToPerson", $source).@min.SELF'/>
      """
    #expect(try messages(lesson("", link)).contains("lost: Lesson.room"))
  }

  @Test(arguments: ["FUNCTION($manager, 'say:', $source)", "FUNCTION($source, 'spoken')"])
  func `a function that gets the object may read the property`(expression: String) throws {
    let found = try messages(lesson("", "<attribute name='title' value=\"\(expression)\"/>"))
    #expect(found.contains("left to a function: Lesson.room"))
  }

  @Test func `the entity that gets the objects is their successor, even if the old name still exists`() throws {
    let file = "<entity-mapping source='Lesson' destination='Sign'/>"
    #expect(try messages(file).contains("lost: Lesson.room"))
  }

  @Test func `a fetch of the source objects is a filter`() throws {
    let fetch = """
      FETCH(FUNCTION($manager, &quot;fetchRequestForSourceEntityNamed:predicateString:&quot;, &quot;Lesson&quot;, \
      &quot;PREDICATE&quot;), $manager.sourceContext, NO)
      """
    func answer(_ predicate: String) throws -> [String] {
      let source = fetch.replacing("PREDICATE", with: predicate)
      return try messages(lesson(" source-expression=\"\(source)\"", "<drop name='room'/>"))
    }
    #expect(try answer("TRUEPREDICATE") == ["lost: Lesson.room"])
    #expect(
      try answer("title == 'a'") == messages(lesson(" where=\"title == 'a'\"", "<drop name='room'/>")))
  }
}
