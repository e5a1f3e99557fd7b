import HeavyliftMapping
import HeavyliftModel
import HeavyliftXML
import Testing

/// Properties that the destination lacks, and entity mappings that duplicate objects: every message, and the losses.
struct GonePropertiesTests {
  private static func text(_ name: String, default value: Value = .null) -> AttributeDescription {
    AttributeDescription(name: name, type: .string, isOptional: true, defaultValue: value)
  }

  private static let old = ManagedObjectModel(
    name: "School 1",
    entities: [
      EntityDescription(
        name: "Lesson", attributes: [text("room"), text("title")],
        relationships: [
          RelationshipDescription(
            name: "teacher", destinationEntityName: "Person", inverseName: "lessons", inverseEntityName: "Person",
            maxCount: 1)
        ]),
      EntityDescription(
        name: "Person", attributes: [text("name")],
        relationships: [
          RelationshipDescription(
            name: "lessons", destinationEntityName: "Lesson", inverseName: "teacher", inverseEntityName: "Lesson")
        ]),
    ])

  /// `room` is gone, and `roomNumber` is new.
  private static let new: ManagedObjectModel = {
    var model = old
    model.name = "School 2"
    model.entities[0].attributes[0] = text("roomNumber")
    return model
  }()

  struct Case: CustomTestStringConvertible, Sendable {
    var testDescription: String
    /// The text between the root's tags.
    var file: String
    var changesNew: @Sendable (inout ManagedObjectModel) -> Void = { _ in }
    var isXcodes = false
    var messages: [String]
    var losses: [String] = []
  }

  private static let unread = """
    1-2.xml:1:40: note[mapping.unread-property]: nothing reads 'room' of source entity 'Lesson'
      its values are not migrated
    """
  private static let question = """
    mapping.possible-renaming]: attribute 'room' of source entity 'Lesson' was removed, and 'roomNumber' of \
    destination entity 'Lesson' is new and has no value. Was it renamed?
    """
  private static func lesson(_ content: String, _ attributes: String = "") -> String {
    "<entity-mapping source=\"Lesson\" destination=\"Lesson\"\(attributes)>\(content)</entity-mapping>"
  }

  static let cases: [Case] = [
    Case(
      testDescription: "the question shows both lines", file: lesson(""),
      messages: [
        """
        1-2.xml:1:40: error[\(question)
          write '<attribute name="roomNumber" value="$source.room"/>' if it was, or '<drop name="room"/>' if its values \
        are to be deleted
        """, unread,
      ], losses: ["Lesson.room gone"]),
    Case(
      testDescription: "of an implied entity mapping, the lines have its element around them", file: "",
      messages: [
        """
        1-2.xml:1:1: error[\(question)
          write '<entity-mapping source="Lesson" destination="Lesson"><attribute name="roomNumber" \
        value="$source.room"/></entity-mapping>' if it was, or put '<drop name="room"/>' there instead if its values are to \
        be deleted
        """,
        """
        1-2.xml:1:1: note[mapping.unread-property]: nothing reads 'room' of source entity 'Lesson'
          its values are not migrated
        """,
      ], losses: ["Lesson.room gone"]),
    Case(
      testDescription: "a value answers it", file: lesson("<attribute name=\"roomNumber\" value=\"$source.room\"/>"),
      messages: []),
    Case(
      testDescription: "a drop answers it", file: lesson("<drop name=\"room\"/>"), messages: [],
      losses: ["Lesson.room dropped"]),
    Case(
      testDescription: "a new property that is to stay empty was not renamed",
      file: lesson("<attribute name=\"roomNumber\" copy=\"no\"/>"), messages: [unread], losses: ["Lesson.room gone"]),
    Case(
      testDescription: "without a new property there is nothing to ask", file: lesson(""),
      changesNew: { $0.entities[0].attributes.removeFirst() }, messages: [unread], losses: ["Lesson.room gone"]),
    Case(
      testDescription: "nor with one of another name and an incompatible type", file: lesson(""),
      changesNew: {
        $0.entities[0].attributes[0].name = "color"
        $0.entities[0].attributes[0].type = .date
      }, messages: [unread], losses: ["Lesson.room gone"]),
    Case(
      testDescription: "a similar name is asked about whatever its type, with the conversion if there is one",
      file: lesson(""), changesNew: { $0.entities[0].attributes[0].type = .double },
      messages: [
        """
        1-2.xml:1:40: error[\(question)
          write '<attribute name="roomNumber" value='CAST($source.room, "NSNumber")'/>' if it was, or '<drop \
        name="room"/>' if its values are to be deleted
        """, unread,
      ], losses: ["Lesson.room gone"]),
    Case(
      testDescription: "no conversion is suggested that the check would refuse", file: lesson(""),
      changesNew: { $0.entities[0].attributes[0].type = .binaryData },
      messages: [
        """
        1-2.xml:1:40: error[\(question)
          write a value of 'roomNumber' that reads $source.room if it was, or '<drop name="room"/>' if its values are to \
        be deleted
        """, unread,
      ], losses: ["Lesson.room gone"]),
    Case(
      testDescription: "the same of an implied entity mapping", file: "",
      changesNew: { $0.entities[0].attributes[0].type = .binaryData },
      messages: [
        """
        1-2.xml:1:1: error[\(question)
          write '<entity-mapping source="Lesson" destination="Lesson">' and in it a value of 'roomNumber' that reads \
        $source.room if it was, or put '<drop name="room"/>' there instead if its values are to be deleted
        """,
        """
        1-2.xml:1:1: note[mapping.unread-property]: nothing reads 'room' of source entity 'Lesson'
          its values are not migrated
        """,
      ], losses: ["Lesson.room gone"]),
    Case(
      testDescription: "a policy converts types without being asked", file: lesson("", " policy=\"LessonPolicy\""),
      changesNew: { $0.entities[0].attributes[0].type = .double }, messages: [],
      losses: ["Lesson.room left to policy"]),
    Case(
      testDescription: "a similar name comes before the same type", file: lesson(""),
      changesNew: {
        $0.entities[0].attributes[0].type = .integer16
        $0.entities[0].attributes.append(text("color"))
      },
      messages: [
        """
        1-2.xml:1:40: error[mapping.possible-renaming]: attribute 'room' of source entity 'Lesson' was removed, and \
        'roomNumber' and 'color' of destination entity 'Lesson' are new and have no value. Was it renamed?
          write '<attribute name="roomNumber" value='CAST($source.room, "NSNumber")'/>' if it was, or '<drop \
        name="room"/>' if its values are to be deleted
        """, unread,
      ], losses: ["Lesson.room gone"]),
    Case(
      testDescription: "a relationship with a similar name may lead elsewhere",
      file: lesson("<drop name=\"room\"/>") + "<entity-mapping source=\"Person\" destination=\"Person\">"
        + "<drop name=\"lessons\"/></entity-mapping>",
      changesNew: { model in
        model.entities.append(EntityDescription(name: "Staff"))
        model.entities[1].relationships = []
        model.entities[0].relationships[0] = RelationshipDescription(
          name: "mainTeacher", destinationEntityName: "Staff", maxCount: 1)
      },
      messages: [
        """
        1-2.xml:1:1: warning[mapping.unfilled-entity]: no entity mapping creates objects of destination entity 'Staff'
          write '<entity-mapping destination="Staff" type="add"/>' if it is meant to be empty
        """,
        """
        1-2.xml:1:40: error[mapping.possible-renaming]: relationship 'teacher' of source entity 'Lesson' was removed, \
        and 'mainTeacher' of destination entity 'Lesson' is new and has no value. Was it renamed?
          write a value of 'mainTeacher' that reads $source.teacher if it was, or '<drop name="teacher"/>' if its values \
        are to be deleted
        """,
        """
        1-2.xml:1:40: note[mapping.unread-property]: nothing reads 'teacher' of source entity 'Lesson'
          its values are not migrated
        """,
      ], losses: ["Lesson.room dropped", "Lesson.teacher gone", "Person.lessons dropped"]),
    Case(
      testDescription: "a default is no value that the mapping gives", file: lesson(""),
      changesNew: { $0.entities[0].attributes[0].defaultValue = "none" },
      messages: [
        """
        1-2.xml:1:40: error[\(question)
          write '<attribute name="roomNumber" value="$source.room"/>' if it was, or '<drop name="room"/>' if its values \
        are to be deleted
        """, unread,
      ], losses: ["Lesson.room gone"]),
    Case(
      testDescription: "the likeliest of several comes first", file: lesson(""),
      changesNew: { $0.entities[0].attributes.append(text("color")) },
      messages: [
        """
        1-2.xml:1:40: error[mapping.possible-renaming]: attribute 'room' of source entity 'Lesson' was removed, and \
        'roomNumber' and 'color' of destination entity 'Lesson' are new and have no value. Was it renamed?
          write '<attribute name="roomNumber" value="$source.room"/>' if it was, or '<drop name="room"/>' if its values \
        are to be deleted
        """, unread,
      ], losses: ["Lesson.room gone"]),
    Case(
      testDescription: "a relationship may have been renamed, too", file: lesson("<drop name=\"room\"/>"),
      changesNew: { model in
        model.entities[0].relationships[0].name = "person"
        model.entities[1].relationships[0].name = "courses"
        model.entities[1].relationships[0].inverseName = "person"
        model.entities[0].relationships[0].inverseName = "courses"
      },
      messages: [
        """
        1-2.xml:1:1: error[mapping.possible-renaming]: relationship 'lessons' of source entity 'Person' was removed, \
        and 'courses' of destination entity 'Person' is new and has no value. Was it renamed?
          write '<entity-mapping source="Person" destination="Person"><relationship name="courses" \
        from="$source.lessons"/></entity-mapping>' if it was, or put '<drop name="lessons"/>' there instead if its values are \
        to be deleted
        """,
        """
        1-2.xml:1:1: note[mapping.unread-property]: nothing reads 'lessons' of source entity 'Person'
          its values are not migrated
        """,
        """
        1-2.xml:1:40: error[mapping.possible-renaming]: relationship 'teacher' of source entity 'Lesson' was removed, \
        and 'person' of destination entity 'Lesson' is new and has no value. Was it renamed?
          write '<relationship name="person" from="$source.teacher"/>' if it was, or '<drop name="teacher"/>' if its \
        values are to be deleted
        """,
        """
        1-2.xml:1:40: note[mapping.unread-property]: nothing reads 'teacher' of source entity 'Lesson'
          its values are not migrated
        """,
      ], losses: ["Lesson.room dropped", "Lesson.teacher gone", "Person.lessons gone"]),
    Case(
      testDescription: "a policy may read it, which no check sees", file: lesson("", " policy=\"LessonPolicy\""),
      messages: [
        """
        1-2.xml:1:40: warning[\(question)
          write '<attribute name="roomNumber" value="$source.room"/>' if it was, or '<drop name="room"/>' if its values \
        are to be deleted or the policy reads them
        """
      ], losses: ["Lesson.room left to policy"]),
    Case(
      testDescription: "Xcode's mapping models are not refused for it",
      file: lesson("") + "<entity-mapping source=\"Person\" destination=\"Person\"/>", isXcodes: true,
      messages: [
        """
        1-2.xml:1:40: warning[\(question)
          convert the mapping with 'heavylift convert' first, then write '<attribute name="roomNumber" \
        value="$source.room"/>' if it was, or '<drop name="room"/>' if its values are to be deleted
        """, unread,
      ], losses: ["Lesson.room gone"]),
    Case(
      testDescription: "what is dropped is there, once, and not copied",
      file: lesson("<drop name=\"rom\"/><drop name=\"title\"/><drop name=\"room\"/><drop name=\"room\"/>")
        + "<entity-mapping destination=\"Person\" type=\"add\"><drop name=\"name\"/></entity-mapping>",
      messages: [
        """
        1-2.xml:1:81: error[mapping.misplaced-drop]: entity mapping 'LessonToLesson' drops 'rom', but source entity \
        'Lesson' has no such property
          did you mean 'room'?
        """,
        """
        1-2.xml:1:99: error[mapping.misplaced-drop]: entity mapping 'LessonToLesson' drops 'title', but attribute 'title' \
        is copied from it
          remove the drop, or write '<attribute name="title" copy="no"/>' as well
        """,
        """
        1-2.xml:1:138: error[mapping.misplaced-drop]: entity mapping 'LessonToLesson' drops 'room' a second time
          keep one of the two
        """,
        """
        1-2.xml:1:222: error[mapping.misplaced-drop]: entity mapping 'Person' drops 'name', but has no source entity
          remove the drop
        """,
      ], losses: ["Lesson.room dropped"]),
    Case(
      testDescription: "the same rows twice are an error",
      file: lesson("<drop name=\"room\"/>")
        + "<entity-mapping name=\"Again\" source=\"Lesson\" destination=\"Lesson\" where=\"title != nil\"/>",
      messages: [
        """
        1-2.xml:1:142: error[mapping.doubled-objects]: entity mapping 'Again' duplicates objects: entity mapping \
        'LessonToLesson' uses the same source objects
          remove one of the two, split the objects between them with 'where', or write duplicates="intended"
        """
      ], losses: ["Lesson.room dropped"]),
    Case(
      testDescription: "so are equal filters, unless duplicates are intended",
      file: "<entity-mapping type=\"remove\" source=\"Lesson\" where=\"title == nil\"/>"
        + ["A", "B", "C\" duplicates=\"intended"].map {
          "<entity-mapping source=\"Lesson\" destination=\"Lesson\" where=\"title != nil\" name=\"\($0)\">"
            + "<drop name=\"room\"/></entity-mapping>"
        }.joined(),
      messages: [
        """
        1-2.xml:1:227: error[mapping.doubled-objects]: entity mapping 'B' duplicates objects: entity mapping 'A' uses \
        the same source objects
          remove one of the two, split the objects between them with 'where', or write duplicates="intended"
        """
      ], losses: ["Lesson.room dropped"]),
  ]

  @Test(arguments: cases) func `removed properties and duplicated objects must be declared`(_ example: Case) throws {
    var new = Self.new
    example.changesNew(&new)
    var mapping = try MappingReader.read(text: "<mapping-model>\(example.file)</mapping-model>", file: "1-2.xml")
      .validMappingModel()
    if example.isXcodes { mapping.unmentionedEntities = .dropped }
    let complete = mapping.complete(from: Self.old, to: new)
    #expect(complete.check().map(\.description) == example.messages)
    #expect([complete].losses.map { "\($0.entity).\($0.property ?? "") \($0.reason.rawValue)" } == example.losses)
  }

  @Test func `an inferred mapping drops removed parts, and warns`() throws {
    let complete = try MappingModel.inferred(from: Self.old, to: Self.new).complete(from: Self.old, to: Self.new)
    #expect(
      complete.check().filter { $0.severity != .note }.map(\.description) == [
        """
        warning[\(Self.question)
          write '<attribute name="roomNumber" value="$source.room"/>' if it was, or '<drop name="room"/>' if its values \
        are to be deleted
        """
      ])
  }

  @Test func `a draft asks about everything that is gone, and drops nothing`() throws {
    var (old, new) = (Self.old, Self.new)
    old.entities.append(EntityDescription(name: "Session", attributes: [Self.text("token")]))
    new.entities[0].attributes[0].type = .double
    new.entities[1].attributes[0] = AttributeDescription(name: "age", type: .integer16, isOptional: false)
    let (draft, refusals) = MappingModel.draft(from: old, to: new)
    #expect(refusals.count == 1)
    let text = try MappingWriter.text(of: draft)
    #expect(
      text == """
        <?xml version="1.0" encoding="UTF-8"?>
        <mapping-model source="School 1" destination="School 2">
          <entity-mapping source="Lesson" destination="Lesson">
            <!-- TODO: 'room' was removed. If it was renamed to 'roomNumber', write <attribute name="roomNumber" value='CAST($source.room, "NSNumber")'/>; otherwise, write <drop name="room"/>. -->
          </entity-mapping>
          <entity-mapping source="Person" destination="Person">
            <!-- TODO: 'name' was removed. If its values are to be deleted, write <drop name="name"/>; otherwise, write an expression that reads $source.name. -->
            <!-- TODO: attribute 'age' of entity 'Person' is new and mandatory, and has no default value; give it a default value, make it optional, or set its value in a mapping file. -->
          </entity-mapping>
          <!-- TODO: entity 'Session' was removed. If its objects are to be deleted, write <entity-mapping type="remove" source="Session"/>; otherwise, write <entity-mapping source="Session" destination="…"/>. -->
        </mapping-model>

        """)
    #expect(try MappingReader.read(text: text).validMappingModel() == draft)
    // The check reports each open decision.
    #expect(
      draft.complete(from: old, to: new).check().map(\.code) == [
        "mapping.dropped-entity", "mapping.missing-value", "mapping.possible-renaming", "mapping.unread-property",
        "mapping.unread-property",
      ])
  }

  @Test func `the check accepts each conversion that it suggests`() throws {
    let types: [AttributeType] = [
      .boolean, .integer16, .integer32, .integer64, .decimal, .double, .float, .string, .date, .uuid, .uri, .binaryData,
      .transformable,
    ]
    func model(_ name: String, _ type: AttributeType) -> ManagedObjectModel {
      ManagedObjectModel(entities: [
        EntityDescription(name: "Bill", attributes: [AttributeDescription(name: name, type: type)])
      ])
    }
    var suggested = 0
    for (before, after) in types.flatMap({ before in types.map { (before, $0) } }) {
      let (old, new) = (model("issued", before), model("issuedAt", after))
      func check(_ content: String) throws -> [Diagnostic] {
        try MappingReader.read(
          text: "<mapping-model><entity-mapping source=\"Bill\" destination=\"Bill\">\(content)</entity-mapping>"
            + "</mapping-model>"
        ).validMappingModel().complete(from: old, to: new).check()
      }
      let question = try #require(try check("").first { $0.code == "mapping.possible-renaming" }, "\(before) \(after)")
      #expect(!(try check("<drop name=\"issued\"/>").hasErrors))
      guard let remedy = question.remedy, let end = remedy.range(of: "/>' if it was"), remedy.hasPrefix("write '<")
      else { continue }
      suggested += 1
      let line = String(remedy[..<end.lowerBound].dropFirst("write '".count)) + "/>"
      #expect(try check(line).filter { $0.severity == .error } == [], "\(line) from \(before) to \(after)")
    }
    // A string becomes a date in a format that only the author knows.
    #expect(suggested == 87)
  }

  @Test(
    arguments: [
      (
        AttributeType.string, AttributeType.date, "FUNCTION($source.issued, \"dateWithFormat:\", \"yyyy-MM-dd\")",
        "the format of its strings"
      ),
      (.date, .string, "FUNCTION($source.issued, \"stringWithISO8601Format\")", nil),
    ] as [(AttributeType, AttributeType, String, String?)])
  func `strings become dates in a format that the author fills in, and dates strings`(
    before: AttributeType, after: AttributeType, value: String, blank: String?
  ) throws {
    func model(_ name: String, _ type: AttributeType) -> ManagedObjectModel {
      ManagedObjectModel(
        name: name == "issued" ? "Bills 1" : "Bills 2",
        entities: [EntityDescription(name: "Bill", attributes: [AttributeDescription(name: name, type: type)])])
    }
    let element = "<attribute name=\"issuedAt\" value='\(value)'/>"
    let (old, new) = (model("issued", before), model("issuedAt", after))
    let (draft, _) = MappingModel.draft(from: old, to: new)
    #expect(
      draft.entityMappings[0].markup.closingComments == [
        " TODO: 'issued' was removed. If it was renamed to 'issuedAt', write \(element)"
          + "\(blank.map { " with \($0)" } ?? ""); otherwise, write <drop name=\"issued\"/>. "
      ])
    let question = try #require(
      draft.complete(from: old, to: new).check().first { $0.code == "mapping.possible-renaming" })
    #expect(
      question.remedy == "write '\(element)' if it was,\(blank.map { " with \($0)," } ?? "") or "
        + "'<drop name=\"issued\"/>' if its values are to be deleted")
    // The same name with another type.
    var same = new
    same.entities[0].attributes[0].name = "issued"
    let copy = try MappingReader.read(
      text: "<mapping-model><entity-mapping source=\"Bill\" destination=\"Bill\"/></mapping-model>"
    ).validMappingModel()
    let refusal = try #require(
      copy.complete(from: old, to: same).check().first { $0.code == "mapping.incompatible-copy" })
    #expect(
      refusal.remedy
        == "write value='\(value)'\(blank.map { " with \($0)" } ?? ""), or copy=\"no\" to discard them")
  }

  @Test func `a drop and its comments are kept in the canonical form`() throws {
    let text = """
      <?xml version="1.0" encoding="UTF-8"?>
      <mapping-model>
        <entity-mapping source="Lesson" destination="Lesson" duplicates="intended">
          <attribute name="title" value='"x"'/>
          <relationship name="teacher" from="$source.teacher" mapping="PersonToPerson" shared="last"/>
          <!-- Rooms moved to another app. -->
          <drop name="room"/>
        </entity-mapping>
      </mapping-model>

      """
    let document = try XMLDocument(parsing: .init(text.utf8))
    #expect(try MappingGrammar.validate(document).isEmpty)
    let mapping = try MappingReader.read(text: text).validMappingModel()
    #expect(try MappingWriter.text(of: mapping) == text)
    var other = mapping
    other.entityMappings[0].droppedProperties = []
    other.entityMappings[0].intendsDuplicates = false
    other.entityMappings[0].propertyMappings[1].leavesSharedToLast = false
    #expect(
      MappingDifference(from: other, to: mapping).description == """
        entity mapping 'LessonToLesson': 3 changes
            itself                  drop        none → 'room'
            itself                  duplicates  none → intended
            relationship 'teacher'  shared      none → last
        """)
  }

  @Test func `a rebase renames a drop along with its property, and forgets one that is gone`() throws {
    let mapping = MappingModel(entityMappings: [
      EntityMappingDescription(source: "Lesson", destination: "Lesson", drops: [DroppedProperty("room")])
    ])
    var renamed = Self.old
    renamed.entities[0].attributes[0].name = "place"
    renamed.entities[0].attributes[0].renamingIdentifier = "room"
    let carried = MappingRebase(
      mapping, source: ModelEdit(from: Self.old, to: renamed), destination: .unchanged(Self.new))
    #expect(carried.mappingModel.entityMappings[0].droppedProperties.map(\.name) == ["place"])
    var removed = Self.old
    removed.entities[0].attributes.removeFirst()
    let forgotten = MappingRebase(
      mapping, source: ModelEdit(from: Self.old, to: removed), destination: .unchanged(Self.new))
    #expect(forgotten.mappingModel.entityMappings[0].droppedProperties.isEmpty)
    #expect(forgotten.conflicts.isEmpty)
  }

  @Test func `a mapping converted from Xcode's names everything that Xcode dropped silently`() throws {
    let mapping = MappingModel(
      copying: .listed, unmentionedEntities: .dropped,
      entityMappings: [
        EntityMappingDescription(
          source: "Lesson", destination: "Lesson",
          properties: ["roomNumber", "title"].map { PropertyMappingDescription(.attribute, name: $0) }
            + [PropertyMappingDescription(.relationship, name: "teacher")])
      ])
    #expect(
      try MappingWriter.text(of: mapping.converted(for: Self.old, destination: Self.new)) == """
        <?xml version="1.0" encoding="UTF-8"?>
        <mapping-model source="School 1" destination="School 2">
          <entity-mapping source="Lesson" destination="Lesson">
            <drop name="room"/>
          </entity-mapping>
          <entity-mapping type="remove" source="Person"/>
        </mapping-model>

        """)
  }
}
