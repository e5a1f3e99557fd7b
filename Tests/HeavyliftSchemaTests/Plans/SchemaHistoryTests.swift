import Foundation
import HeavyliftSchema
import HeavyliftTestSupport
import Testing

/// The mistakes of plans, word for word.
@Suite struct SchemaHistoryTests {
  struct Example: CustomTestStringConvertible, Sendable {
    let name: String
    let schemas: @Sendable () -> [any VersionedSchema.Type]
    let stages: @Sendable () -> [MigrationStage]
    let expected: String

    var testDescription: String { name }

    init(
      _ name: String, _ schemas: @autoclosure @escaping @Sendable () -> [any VersionedSchema.Type], _ expected: String,
      _ stages: @escaping @Sendable () -> [MigrationStage]
    ) {
      (self.name, self.schemas, self.stages, self.expected) = (name, schemas, stages, expected)
    }
  }

  private static func messages(_ body: () throws -> SchemaHistory) -> String {
    do {
      _ = try body()
      return "no mistakes"
    } catch {
      return "\(error)"
    }
  }

  @Test(arguments: examples) func `a mistake is reported with a remedy`(example: Example) {
    let found = Self.messages {
      try SchemaHistory(schemas: example.schemas(), stages: example.stages(), name: "NotesPlan")
    }
    #expect(found == example.expected)
  }

  static let removals = ["Note.json", "Draft"]

  static let examples: [Example] = [
    Example(
      "no versions", [],
      """
      error[plan.no-versions]: plan 'NotesPlan' has no versions
        list them in 'schemas', oldest first: [MusicV1.self, MusicV2.self]
      """
    ) { [] },
    Example(
      "a version that is listed twice, and a mistake in a class", [Notes.V1.self, Notes.V1.self, Mistaken.self],
      """
      error[plan.listed-twice]: version 'Notes.V1' is listed twice in 'NotesPlan.schemas'
        list each version once, oldest first
      error[schema.unmarked-property]: property 'text' of class 'Mistaken.Note' would not be stored
        mark it with '@Attribute' or '@Relationship', or with '@Transient' to keep it out of the store
      """
    ) { [] },
    Example(
      "two versions with one identifier", [Copied.self, Notes.V1.self],
      """
      error[plan.same-identifier]: versions 'Copied' and 'Notes.V1' have the same identifier, 1.0.0
        give each version its own 'versionIdentifier'
      """
    ) { [.lightweight(fromVersion: Copied.self, toVersion: Notes.V1.self)] },
    Example(
      "versions that are not in order", [Notes.V4.self, Notes.V3.self],
      """
      error[plan.version-order]: the versions in 'NotesPlan.schemas' are not in the order of their identifiers
        list them from the oldest to the newest: Notes.V3.self, Notes.V4.self
      """
    ) { [.lightweight(fromVersion: Notes.V4.self, toVersion: Notes.V3.self)] },
    Example(
      "a stage of a version that is not listed", [Notes.V3.self, Notes.V4.self],
      """
      error[plan.missing-version]: lightweight stage 'Notes.V4 → Notes.V5' refers to version 'Notes.V5', which is not in \
      'NotesPlan.schemas'
        add 'Notes.V5.self' to 'schemas', or correct the stage; available: 'Notes.V3', 'Notes.V4'
      """
    ) {
      [
        .lightweight(fromVersion: Notes.V3.self, toVersion: Notes.V4.self),
        .lightweight(fromVersion: Notes.V4.self, toVersion: Notes.V5.self),
      ]
    },
    Example(
      "a stage that leads nowhere, and one that leads backward", [Notes.V3.self, Notes.V4.self],
      """
      error[plan.backward]: custom stage 'Back' leads backward, from 'Notes.V4' to 'Notes.V3'
        exchange 'fromVersion' and 'toVersion'
      error[plan.same-ends]: lightweight stage 'Notes.V3 → Notes.V3' leads from 'Notes.V3' to itself
        set 'toVersion' to the version after it
      """
    ) {
      [
        .lightweight(fromVersion: Notes.V3.self, toVersion: Notes.V3.self),
        .custom(fromVersion: Notes.V4.self, toVersion: Notes.V3.self, label: "Back", didMigrate: nil),
      ]
    },
    Example(
      "a stage over several versions", Notes.versions,
      """
      error[plan.skipped-version]: custom stage 'Notes.V1 → Notes.V4' leads from 'Notes.V1' to 'Notes.V4', but 'Notes.V2' \
      and 'Notes.V3' are in between: everything that they add, such as initial values, would be skipped
        write a stage for each step: Notes.V1 → Notes.V2, Notes.V2 → Notes.V3, Notes.V3 → Notes.V4
      """
    ) { [.custom(fromVersion: Notes.V1.self, toVersion: Notes.V4.self) { _ in }] },
    Example(
      "two stages for one step", [Notes.V3.self, Notes.V4.self],
      """
      error[plan.overlap]: lightweight stage 'Notes.V3 → Notes.V4' and custom stage 'Notes.V3 → Notes.V4' both lead from \
      'Notes.V3' to 'Notes.V4'
        keep one of them
      """
    ) {
      [
        .lightweight(fromVersion: Notes.V3.self, toVersion: Notes.V4.self),
        .custom(fromVersion: Notes.V3.self, toVersion: Notes.V4.self) { _ in },
      ]
    },
    Example(
      "stages that are not in order", [Notes.V2.self, Notes.V3.self, Notes.V4.self],
      """
      error[plan.stage-order]: the stages in 'NotesPlan.stages' are not in the order of their versions
        write them in this order:
        - custom stage 'Notes.V2 → Notes.V3'
        - lightweight stage 'Notes.V3 → Notes.V4'
      """
    ) {
      [
        .lightweight(fromVersion: Notes.V3.self, toVersion: Notes.V4.self),
        .custom(fromVersion: Notes.V2.self, toVersion: Notes.V3.self) { _ in },
      ]
    },
    Example(
      "a step without a stage", [Notes.V3.self, Notes.V4.self],
      """
      error[plan.missing-stage]: no stage in 'NotesPlan.stages' leads from 'Notes.V3' to 'Notes.V4'
        add '.lightweight(fromVersion: Notes.V3.self, toVersion: Notes.V4.self)', or '.custom' if objects need code
      """
    ) { [] },
    Example(
      "versions that a store cannot distinguish", [Shapes.V1.self, Shapes.V2.self],
      """
      error[plan.same-version]: versions 'Shapes.V1' and 'Shapes.V2' have the same checksum, so that a store does not \
      show which of them it has; these differences do not change it:
        - attribute 'point' of entity 'Shape': Flat(x: Double) → Deep(z: Double)
        declare a property of 'Shapes.V2' with a 'hashModifier', override 'hashModifier' in one of its classes, give \
      'Shapes.V2' a 'versionID', or remove one of the versions
      """
    ) { [.custom(fromVersion: Shapes.V1.self, toVersion: Shapes.V2.self) { _ in }] },
    Example(
      "values that stay as they are, but cannot be read", [Shapes.V1.self, Shapes.V3.self],
      """
      error[plan.unreadable-values]: attribute 'point' of entity 'Shape': Flat(x: Double) → Deep(z: Double), and both are \
      stored in the same form: lightweight stage 'Shapes.V1 → Shapes.V3' keeps the old values, which the new type cannot \
      be decoded from
        convert them: '.custom(fromVersion: Shapes.V1.self, toVersion: Shapes.V3.self, migrate: { old, new in … })'
      """
    ) { [.lightweight(fromVersion: Shapes.V1.self, toVersion: Shapes.V3.self)] },
    Example(
      "a required addition without code", [Notes.V2.self, Notes.V3.self],
      """
      error[plan.required-addition]: attribute 'addedAt' of class 'Notes.V3.Note' is new and required, but it has no \
      initial value, and lightweight stage 'Notes.V2 → Notes.V3' has no code that sets it for old objects
        give it an initial value, declare it as 'Date?', or set it in code: '.custom(fromVersion: Notes.V2.self, \
      toVersion: Notes.V3.self) { context in … }'
      """
    ) { [.lightweight(fromVersion: Notes.V2.self, toVersion: Notes.V3.self)] },
    Example(
      "possible renames", [Notes.V1.self, Notes.V2.self],
      """
      error[plan.renamed]: class 'Notes.V2.Note' no longer has attribute 'json', but a new attribute of the same type, \
      'legacy'
        if it was renamed, declare the new one with 'originalName: "json"'; otherwise, a migration drops its values, which \
      lightweight stage 'Notes.V1 → Notes.V2' has to state: 'removing: ["Note.json"]'
      error[plan.renamed]: the schema no longer has entity 'Draft', but a new entity with the same properties, 'Sketch'
        if it was renamed, override 'originalName' in class 'Notes.V2.Sketch' and return "Draft"; otherwise, a migration \
      drops its objects, which lightweight stage 'Notes.V1 → Notes.V2' has to state: 'removing: ["Draft"]'
      """
    ) { [.lightweight(fromVersion: Notes.V1.self, toVersion: Notes.V2.self)] },
    Example("removals that are stated", [Notes.V1.self, Notes.V2.self], "no mistakes") {
      [.lightweight(fromVersion: Notes.V1.self, toVersion: Notes.V2.self, removing: removals)]
    },
    Example(
      "a removal of something that is not removed", [Notes.V3.self, Notes.V4.self],
      """
      error[plan.unknown-removal]: lightweight stage 'Notes.V3 → Notes.V4' removes 'Note.text', which its older version \
      does not have or its newer version still has
        no property or entity is available
      """
    ) { [.lightweight(fromVersion: Notes.V3.self, toVersion: Notes.V4.self, removing: ["Note.text"])] },
    Example(
      "code for classes of other versions", [Notes.V3.self, Notes.V4.self],
      """
      error[plan.foreign-class]: custom stage 'Notes.V3 → Notes.V4' has code for objects of class 'Notes.V2.Note', which \
      version 'Notes.V3' does not have
        did you mean 'Notes.V3.Note'?
      """
    ) {
      [
        .custom(
          fromVersion: Notes.V3.self, toVersion: Notes.V4.self, migrate: { (_: Notes.V2.Note, _: Notes.V4.Note) in })
      ]
    },
    Example(
      "code for classes that do not belong together", [Notes.V1.self, Notes.V2.self],
      """
      error[plan.new-class]: custom stage 'Notes.V1 → Notes.V2' has code for objects of class 'Notes.V2.Sketch', which \
      come from no object of version 'Notes.V1'
        insert its objects in 'didMigrate', or override 'originalName' if it was renamed
      error[plan.unrelated-classes]: custom stage 'Notes.V1 → Notes.V2' has code that takes a 'Notes.V1.Draft' and a \
      'Notes.V2.Note', but the objects of 'Notes.V2.Note' come from 'Notes.V1.Note'
        take a 'Notes.V1.Note', or override 'originalName' if the class was renamed
      """
    ) {
      [
        .custom(
          fromVersion: Notes.V1.self, toVersion: Notes.V2.self,
          migrate: [
            ObjectMigration { (_: Notes.V1.Draft, _: Notes.V2.Note) in },
            ObjectMigration { (_: Notes.V1.Draft, _: Notes.V2.Sketch) in },
          ])
      ]
    },
    Example(
      "a change that a lightweight stage cannot make", [Notes.V4.self, Notes.V5.self],
      """
      error[stage.not-inferred]: lightweight stage 'Notes.V4 → Notes.V5' cannot migrate 'Notes.V4 (4.0.0)' → \
      'Notes.V5 (5.0.0)': attribute 'addedAt' of entity 'Note' has type String, but its source 'addedAt' has type Date
        write a mapping file with an expression that converts the value; or do it in code: '.custom(fromVersion: \
      Notes.V4.self, toVersion: Notes.V5.self, migrate: { old, new in … })'
      """
    ) { [.lightweight(fromVersion: Notes.V4.self, toVersion: Notes.V5.self)] },
  ]

  @Test func `warnings are about the steps that do not have code for them`() throws {
    func warnings(_ schemas: [any VersionedSchema.Type], _ stage: MigrationStage) throws -> [String] {
      try SchemaHistory(schemas: schemas, stages: [stage]).warnings.map { "\($0)" }
    }
    #expect(
      try warnings(
        [Notes.V3.self, Notes.V4.self], .lightweight(fromVersion: Notes.V3.self, toVersion: Notes.V4.self)) == [
          """
          warning[schema.one-value-for-all]: attribute 'id' of class 'Notes.V4.Note' is new, and its initial value differs \
          each time, but lightweight stage 'Notes.V3 → Notes.V4' gives all old objects the same value
            set it for each object: '.custom(fromVersion: Notes.V3.self, toVersion: Notes.V4.self) { context in for object \
          in try context.fetch(Notes.V4.Note.self) { object.id = UUID() } }'; or make the attribute optional and remove the \
          initial value
          """
        ])
    #expect(
      try warnings(
        [Notes.V3.self, Notes.V4.self], .custom(fromVersion: Notes.V3.self, toVersion: Notes.V4.self) { _ in }) == [])
    #expect(
      try warnings(
        [Notes.V1.self, Notes.V2.self], .custom(fromVersion: Notes.V1.self, toVersion: Notes.V2.self) { _ in }
      ).map { $0.prefix(24) } == ["warning[schema.renamed]:", "warning[schema.renamed]:"])
  }

  @Test func `a manager of stages refuses a stage that names classes`() {
    #expect {
      _ = try StagedMigrationManager([.lightweight(fromVersion: Notes.V3.self, toVersion: Notes.V4.self)])
    } throws: { error in
      "\(error)" == """
        error[stage.declared-in-swift]: stage 1 names its versions by their Swift classes, which this manager cannot look up
          list the stage in a 'SchemaMigrationPlan', and use 'SchemaHistory(plan).stages', or \
        'SchemaHistory(plan).stages.stages' where a list is expected
        """
    }
  }

  @Test func `the stages have the names of the versions`() throws {
    let history = try SchemaHistory(
      schemas: [Notes.V2.self, Notes.V3.self, Notes.V4.self],
      stages: [
        .custom(
          fromVersion: Notes.V2.self, toVersion: Notes.V3.self, label: "Dates", revision: "2", willMigrate: { _ in },
          migrate: { (_: Notes.V2.Note, new: Notes.V3.Note) in new.addedAt = Date() }, didMigrate: { _ in }),
        .lightweight(fromVersion: Notes.V3.self, toVersion: Notes.V4.self),
      ])
    #expect(
      history.stages.history
        == MigrationHistory(
          versions: history.schemas.map(\.model),
          edges: [
            .init(
              source: 0, destination: 1,
              stage: .init(
                kind: .custom, number: 1, label: "Dates",
                handlers: [.willMigrate, .objects(entityName: "Note"), .didMigrate], revision: "2")),
            .init(
              source: 1, destination: 2,
              stage: .init(kind: .lightweight, number: 2, label: "Notes.V3 → Notes.V4")),
          ]))
  }
}
