import HeavyliftMapping
import HeavyliftModel
import HeavyliftXML
import Testing

/// Source entities that a mapping file does not mention: the implied entity mappings, and every message.
struct UnmentionedEntitiesTests {
  private static let old = ManagedObjectModel(
    name: "School 1",
    entities: [
      EntityDescription(name: "Person", attributes: [text("name")]),
      EntityDescription(name: "Pupil", superentityName: "Person", attributes: [text("grade")]),
      EntityDescription(
        name: "Lesson", attributes: [text("title")],
        relationships: [
          RelationshipDescription(
            name: "place", destinationEntityName: "Room", inverseName: "lessons", inverseEntityName: "Room", maxCount: 1
          )
        ]),
      EntityDescription(
        name: "Room", attributes: [text("number")],
        relationships: [
          RelationshipDescription(
            name: "lessons", destinationEntityName: "Lesson", inverseName: "place", inverseEntityName: "Lesson")
        ]),
      EntityDescription(name: "Token", attributes: [text("secret")]),
    ])

  private static let new: ManagedObjectModel = {
    var model = old
    model.name = "School 2"
    model.entities.removeAll { $0.name == "Token" }
    return model
  }()

  private static func text(_ name: String) -> AttributeDescription {
    AttributeDescription(name: name, type: .string, isOptional: true)
  }

  /// Changes the entity of that name; its position follows from its name.
  private static func change(
    _ name: String, in model: inout ManagedObjectModel, _ change: (inout EntityDescription) -> Void
  ) {
    for index in model.entities.indices where model.entities[index].name == name {
      change(&model.entities[index])
      return
    }
  }

  struct Case: CustomTestStringConvertible, Sendable {
    var testDescription: String
    /// The text between the root's tags, and the root's additional attributes.
    var file: String
    var attributes = ""
    var changesNew: @Sendable (inout ManagedObjectModel) -> Void = { _ in }
    var isXcodes = false
    /// The entity mappings that run: name, origin and entities.
    var mappings: [String]
    var messages: [String]
  }

  private static let noToken = "<entity-mapping type=\"remove\" source=\"Token\"/>"

  static let cases: [Case] = [
    Case(
      testDescription: "what is not mentioned is copied, in order of the destination's name", file: noToken,
      mappings: [
        "RemoveToken written Token → -", "LessonToLesson implied Lesson → Lesson",
        "PersonToPerson implied Person → Person",
        "PupilToPupil implied Pupil → Pupil", "RoomToRoom implied Room → Room",
      ], messages: []),
    Case(
      testDescription: "what is gone is an error", file: "",
      mappings: [
        "LessonToLesson implied Lesson → Lesson", "PersonToPerson implied Person → Person",
        "PupilToPupil implied Pupil → Pupil", "RoomToRoom implied Room → Room",
      ],
      messages: [
        """
        1-2.xml:1:1: error[mapping.dropped-entity]: no entity mapping covers source entity 'Token', and the \
        destination model does not have it
          write '<entity-mapping type="remove" source="Token"/>' if its objects are to be deleted, or '<entity-mapping \
        source="Token" destination="…"/>'
        """
      ]),
    Case(
      testDescription: "a renaming identifier leads to the counterpart", file: noToken,
      changesNew: { model in
        change("Lesson", in: &model) {
          $0.relationships[0].destinationEntityName = "Place"
          $0.relationships[0].inverseEntityName = "Place"
        }
        change("Room", in: &model) {
          $0.name = "Place"
          $0.renamingIdentifier = "Room"
        }
      },
      mappings: [
        "RemoveToken written Token → -", "LessonToLesson implied Lesson → Lesson",
        "PersonToPerson implied Person → Person",
        "RoomToPlace implied Room → Place", "PupilToPupil implied Pupil → Pupil",
      ], messages: []),
    Case(
      testDescription: "by the same name alone, a renamed entity is not copied", file: noToken,
      attributes: " copy=\"same-name\"",
      changesNew: { model in
        change("Pupil", in: &model) { $0.superentityName = "Human" }
        change("Person", in: &model) {
          $0.name = "Human"
          $0.renamingIdentifier = "Person"
        }
      },
      mappings: [
        "RemoveToken written Token → -", "LessonToLesson implied Lesson → Lesson", "PupilToPupil implied Pupil → Pupil",
        "RoomToRoom implied Room → Room",
      ],
      messages: [
        """
        1-2.xml:1:1: error[mapping.dropped-entity]: no entity mapping covers source entity 'Person', and \
        'Person' is called 'Human' in the destination model
          write '<entity-mapping source="Person" destination="Human"/>', or '<entity-mapping type="remove" \
        source="Person"/>' if its objects are to be deleted
        """
      ]),
    Case(
      testDescription: "what becomes abstract is gone", file: noToken,
      changesNew: { change("Person", in: &$0) { $0.isAbstract = true } },
      mappings: [
        "RemoveToken written Token → -", "LessonToLesson implied Lesson → Lesson", "PupilToPupil implied Pupil → Pupil",
        "RoomToRoom implied Room → Room",
      ],
      messages: [
        """
        1-2.xml:1:1: error[mapping.dropped-entity]: no entity mapping covers source entity 'Person', and \
        'Person' is abstract in the destination model
          write '<entity-mapping type="remove" source="Person"/>' if its objects are to be deleted, or \
        '<entity-mapping \
        source="Person" destination="…"/>'
        """
      ]),
    Case(
      testDescription: "a filtered or removed entity is mentioned, its sub-entities are not",
      file: noToken + "<entity-mapping source=\"Person\" destination=\"Person\" where=\"name != nil\"/>"
        + "<entity-mapping type=\"remove\" source=\"Person\" where=\"name == nil\"/><entity-mapping type=\"remove\" "
        + "source=\"Room\"/>",
      mappings: [
        "RemoveToken written Token → -", "PersonToPerson written Person → Person", "RemovePerson written Person → -",
        "RemoveRoom written Room → -", "LessonToLesson implied Lesson → Lesson", "PupilToPupil implied Pupil → Pupil",
      ],
      messages: [
        """
        1-2.xml:1:1: warning[mapping.unfilled-entity]: no entity mapping creates objects of destination entity 'Room', so \
        relationship 'place' of implied entity mapping 'LessonToLesson' stays empty
          write '<entity-mapping destination="Room" type="add"/>' if it is meant to be empty
        """
      ]),
    Case(
      testDescription: "a name that is taken gets a number, and a merge that may surprise a warning",
      file: noToken + "<entity-mapping name=\"RoomToRoom\" source=\"Lesson\" destination=\"Room\"/>",
      mappings: [
        "RemoveToken written Token → -", "RoomToRoom written Lesson → Room", "PersonToPerson implied Person → Person",
        "PupilToPupil implied Pupil → Pupil", "RoomToRoom2 implied Room → Room",
      ],
      messages: [
        """
        1-2.xml:1:1: warning[mapping.unfilled-entity]: no entity mapping creates objects of destination entity 'Lesson', \
        so relationship 'lessons' of implied entity mapping 'RoomToRoom2' stays empty
          write '<entity-mapping destination="Lesson" type="add"/>' if it is meant to be empty
        """,
        """
        1-2.xml:1:145: note[mapping.unread-property]: nothing reads 'title' of source entity 'Lesson'
          its values are not migrated
        """,
        """
        1-2.xml:1:166: warning[mapping.implied-merge]: entity mapping 'RoomToRoom' creates objects of 'Room', but the \
        objects of source entity 'Room', which no entity mapping mentions, also become objects of 'Room'
          write '<entity-mapping source="Room" destination="Room"/>' if both are intended, or '<entity-mapping \
        source="Room" type="remove"/>' to delete those objects
        """,
      ]),
    Case(
      testDescription: "where only what is listed is copied, no entity mapping is implied",
      file: noToken
        + ["Person", "Pupil", "Lesson"].map {
          "<entity-mapping source=\"\($0)\" destination=\"\($0)\" copy=\"everything\"/>"
        }.joined(), attributes: " copy=\"listed\"",
      mappings: [
        "RemoveToken written Token → -", "PersonToPerson written Person → Person", "PupilToPupil written Pupil → Pupil",
        "LessonToLesson written Lesson → Lesson",
      ],
      messages: [
        """
        1-2.xml:1:1: error[mapping.dropped-entity]: no entity mapping covers source entity 'Room', which \
        the destination model still has
          write '<entity-mapping source="Room" destination="Room"/>', or '<entity-mapping type="remove" source="Room"/>' \
        if its objects are to be deleted
        """
      ]),
    Case(
      testDescription: "Xcode's mapping models drop what they do not mention",
      file: "<entity-mapping source=\"Person\" destination=\"Person\"/>"
        + "<entity-mapping source=\"Pupil\" destination=\"Pupil\"/><entity-mapping source=\"Room\" destination=\"Room\"/>"
        + "<entity-mapping source=\"Lesson\" destination=\"Lesson\"/>",
      isXcodes: true,
      mappings: [
        "PersonToPerson written Person → Person", "PupilToPupil written Pupil → Pupil",
        "RoomToRoom written Room → Room",
        "LessonToLesson written Lesson → Lesson",
      ],
      messages: [
        """
        1-2.xml:1:1: warning[mapping.dropped-entity]: no entity mapping covers source entity 'Token', and \
        the destination model does not have it
          convert the mapping with 'heavylift convert' first, then write '<entity-mapping type="remove" source="Token"/>' \
        if its objects are to be deleted, or '<entity-mapping source="Token" destination="…"/>'
        """
      ]),
  ]

  @Test(arguments: cases) func `unmentioned entities are copied or rejected`(_ example: Case) throws {
    var new = Self.new
    example.changesNew(&new)
    let text = "<mapping-model source=\"School 1\" destination=\"School 2\"\(example.attributes)>\(example.file)"
    var mapping = try MappingReader.read(text: text + "</mapping-model>", file: "1-2.xml").validMappingModel()
    if example.isXcodes { mapping.unmentionedEntities = .dropped }
    let complete = mapping.complete(from: Self.old, to: new)
    let mappings = complete.entityMappings.map {
      "\($0.name) \($0.origin) \($0.sourceEntityName ?? "-") → \($0.destinationEntityName ?? "-")"
    }
    #expect(mappings == example.mappings)
    #expect(complete.check().map(\.description) == example.messages)
  }

  @Test func `relationships lead through implied entity mappings`() throws {
    let mapping = try MappingReader.read(
      text: "<mapping-model><entity-mapping source=\"Lesson\" destination=\"Lesson\"/>\(Self.noToken)</mapping-model>"
    ).validMappingModel()
    let complete = mapping.complete(from: Self.old, to: Self.new)
    #expect(
      complete.entityMapping(named: "LessonToLesson")?.propertyMapping(named: "place")?.origin
        == .rebuilt(from: "place", through: ["RoomToRoom"]))
    #expect(
      complete.entityMapping(named: "RoomToRoom")?.propertyMapping(named: "lessons")?.origin
        == .rebuilt(from: "lessons", through: ["LessonToLesson"]))
  }

  @Test func `an implied entity mapping is explained as such`() throws {
    let mapping = try MappingReader.read(text: "<mapping-model>\(Self.noToken)</mapping-model>", file: "1-2.xml")
      .validMappingModel()
    #expect(
      mapping.complete(from: Self.old, to: Self.new).explanation().description == """
        School 1 → School 2

        RemoveToken (remove): Token → -  1-2.xml:1:16

        LessonToLesson (copy): Lesson → Lesson  implied
          title ← $source.title                       copied     by name
          place ← $source.place through 'RoomToRoom'  rebuilt    by name

        PersonToPerson (copy): Person → Person  implied
          name ← $source.name  copied     by name

        PupilToPupil (copy): Pupil → Pupil  implied
          grade ← $source.grade  copied     by name
          name  ← $source.name   copied     by name

        RoomToRoom (copy): Room → Room  implied
          number  ← $source.number                            copied     by name
          lessons ← $source.lessons through 'LessonToLesson'  rebuilt    by name

        """)
  }

  @Test func `of several mapping models the last implies what none mentions`() throws {
    func mapping(_ entity: String) -> MappingModel {
      MappingModel(entityMappings: [EntityMappingDescription(source: entity, destination: entity)])
    }
    let completes = [mapping("Person"), mapping("Room")].complete(from: Self.old, to: Self.new)
    #expect(
      completes.map { $0.entityMappings.map(\.name) } == [
        ["PersonToPerson"], ["RoomToRoom", "LessonToLesson", "PupilToPupil"],
      ])
    #expect(completes.map { $0.check().map(\.code) } == [[], ["mapping.dropped-entity"]])
  }

  @Test func `a mapping that drops what it does not mention is written after its removals`() throws {
    let mapping = MappingModel(
      unmentionedEntities: .dropped,
      entityMappings: [EntityMappingDescription(source: "Person", destination: "Person")])
    let error = #expect(throws: DiagnosticList.self) { try MappingWriter.text(of: mapping) }
    #expect(
      error?.diagnostics.map(\.description) == [
        """
        error[mapping-file.unwritable-dropped-entities]: the mapping model drops entities that it does not mention, as \
        Xcode's mapping models do
          write out their removals first, with 'writingOutRemovals(from:to:)' or 'converted(for:destination:)'
        """
      ])
    #expect(
      try MappingWriter.text(of: mapping.writingOutRemovals(from: Self.old, to: Self.new)) == """
        <?xml version="1.0" encoding="UTF-8"?>
        <mapping-model>
          <entity-mapping source="Person" destination="Person"/>
          <entity-mapping type="remove" source="Lesson"/>
          <entity-mapping type="remove" source="Pupil"/>
          <entity-mapping type="remove" source="Room"/>
          <entity-mapping type="remove" source="Token"/>
        </mapping-model>

        """)
  }
}
