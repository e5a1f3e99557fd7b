import Foundation
import HeavyliftTestSupport
import Testing

@testable import Heavylift

/// Checks of stage lists, with complete messages.
struct StageOrderTests {
  struct Case: CustomTestStringConvertible, @unchecked Sendable {
    // The stages belong to one test at a time.
    var name: String
    var stages: [MigrationStage]
    var versions = MusicStages.versions
    /// The steps as `source → destination: stage`, or the message.
    var result: String
    var number = 0

    var testDescription: String { name }
  }

  private static let right: [Case] = [
    Case(
      name: "one lightweight stage over all versions", stages: [MusicStages.light(1, 2, 3, 4)],
      result: "1 → 2: lightweight stage 1, 2 → 3: lightweight stage 1, 3 → 4: lightweight stage 1"),
    Case(
      name: "lightweight stages next to each other", stages: [MusicStages.light(1, 2), MusicStages.light(3, 4)],
      result: "1 → 2: lightweight stage 1, 2 → 3: lightweight stage 1, 3 → 4: lightweight stage 2"),
    Case(
      name: "a shared end point is not a duplicate",
      stages: [MusicStages.light(1, 2), MusicStages.custom(2, 3, label: "Rate"), MusicStages.light(3, 4)],
      result: "1 → 2: lightweight stage 1, 2 → 3: custom stage 'Rate', 3 → 4: lightweight stage 3"),
    Case(
      name: "a lightweight stage with one version leads to the next stage",
      stages: [MusicStages.light(1), MusicStages.custom(2, 3)],
      result: "1 → 2: lightweight stage 1, 2 → 3: custom stage 2"),
    Case(
      name: "a lightweight stage after a custom one", stages: [MusicStages.custom(1, 2), MusicStages.light(3, 4)],
      result: "1 → 2: custom stage 1, 2 → 3: lightweight stage 2, 3 → 4: lightweight stage 2"),
    Case(
      name: "a custom stage that refers to versions by checksum",
      stages: [
        MusicStages.light(1, 2),
        CustomMigrationStage(
          migratingFrom: ManagedObjectModelReference(versionChecksum: MusicStages.checksum(2)),
          to: ManagedObjectModelReference(versionChecksum: MusicStages.checksum(3))),
      ], result: "1 → 2: lightweight stage 1, 2 → 3: custom stage 2"),
    Case(
      name: "stages need not cover all versions", stages: [MusicStages.custom(1, 2), MusicStages.custom(3, 4)],
      result: "1 → 2: custom stage 1, 3 → 4: custom stage 2"),
    Case(
      name: "custom stages bring their models", stages: [MusicStages.custom(1, 2), MusicStages.custom(2, 3)],
      versions: [], result: "1 → 2: custom stage 1, 2 → 3: custom stage 2"),
  ]

  @Test(arguments: right)
  func `stages lead from each version to the next`(test: Case) throws {
    let history = try StagedMigrationManager(test.stages, versions: test.versions).history
    let steps = history.edges.map { "\($0.source + 1) → \($0.destination + 1): \($0.stage.title)" }
    #expect(steps.joined(separator: ", ") == test.result)
  }

  private static let other = ManagedObjectModel(
    name: "Music 2b",
    entities: [
      EntityDescription(
        name: "Track",
        attributes: [
          Models.attribute("title", .string, isOptional: false), Models.attribute("plays", .integer32),
          AttributeDescription(name: "cover", type: .binaryData, allowsExternalBinaryDataStorage: true),
        ])
    ])

  private static let known =
    "the versions are " + (1...4).map { "'Music \($0)' (\(MusicStages.checksum($0)))" }.joined(separator: ", ")

  private static let wrong: [Case] = [
    Case(
      name: "stages in the wrong order", stages: [MusicStages.light(3, 4), MusicStages.custom(1, 2, label: "Count")],
      result: """
        error[stage.wrong-order]: the stages are not in the order of their versions
          write them in this order:
          - custom stage 'Count', from 'Music 1' to 'Music 2'
          - lightweight stage 1, from 'Music 3' to 'Music 4'
        """, number: 134_506),
    Case(
      name: "an order that used to work by luck", stages: [MusicStages.light(1, 4), MusicStages.custom(2, 3)],
      result: """
        error[stage.skipped-version]: lightweight stage 1 leads from 'Music 1' to 'Music 4', but 'Music 2', 'Music 3' \
        are in between: everything that they add, such as default values, would be skipped
          list every version: 'Music 1', 'Music 2', 'Music 3', 'Music 4'
        """, number: 134_110),
    Case(
      name: "a checksum that no version has",
      stages: [
        CustomMigrationStage(
          migratingFrom: ManagedObjectModelReference(versionChecksum: MusicStages.checksum(1)),
          to: ManagedObjectModelReference(versionChecksum: "other"), label: "Count")
      ], versions: Array(MusicStages.versions.prefix(2)),
      result: """
        error[stage.unknown-version]: custom stage 'Count': no version has the checksum 'other'
          pass the model along with the others, or correct the checksum; the versions are \
        'Music 1' (\(MusicStages.checksum(1))), 'Music 2' (\(MusicStages.checksum(2)))
        """, number: 134_504),
    Case(
      name: "one custom stage from the first to the last version", stages: [MusicStages.custom(1, 3)],
      result: """
        error[stage.skipped-version]: custom stage 1 leads from 'Music 1' to 'Music 3', but 'Music 2' is in between: \
        everything that it adds, such as default values, would be skipped
          write a stage for each step: 'Music 1' → 'Music 2', 'Music 2' → 'Music 3'
        """, number: 134_110),
    Case(
      name: "backward", stages: [MusicStages.light(2, 1, 3), MusicStages.custom(4, 3)],
      result: """
        error[stage.backward]: lightweight stage 1 leads backward, from 'Music 2' to 'Music 1'
          list versions from the oldest to the newest: 'Music 1', 'Music 2', 'Music 3'
        error[stage.backward]: custom stage 2 leads backward, from 'Music 4' to 'Music 3'
          list versions from the oldest to the newest: 'Music 3', 'Music 4'
        """, number: 134_506),
    Case(
      name: "overlapping stages", stages: [MusicStages.light(1, 2, 3), MusicStages.custom(2, 3)],
      result: """
        error[stage.overlap]: lightweight stage 1 and custom stage 2 both lead from 'Music 2' to 'Music 3'
          keep one of them, or end one where the other starts
        """, number: 134_110),
    Case(
      name: "an unknown checksum", stages: [LightweightMigrationStage([MusicStages.checksum(1), "unknown"])],
      result: """
        error[stage.unknown-version]: lightweight stage 1 refers to version 'unknown', which is not among the versions
          pass its model along with the others, or correct the checksum; \(known)
        """, number: 134_504),
    Case(
      name: "an unknown model",
      stages: [
        CustomMigrationStage(
          migratingFrom: ManagedObjectModelReference(model: other, versionChecksum: other.versionChecksum),
          to: MusicStages.reference(3))
      ],
      result: """
        error[stage.unknown-version]: custom stage 1 refers to version 'Music 2b', which is not among the versions; the \
        most similar one is 'Music 2', where property 'plays' of entity 'Track' has changed
          pass its model along with the others, or correct the checksum; \(known)
        """, number: 134_504),
    Case(
      name: "a model that was edited",
      stages: [
        CustomMigrationStage(
          migratingFrom: ManagedObjectModelReference(model: MusicStages.versions[1], versionChecksum: "released"),
          to: MusicStages.reference(3))
      ],
      result: """
        error[stage.wrong-checksum]: custom stage 1: model 'Music 2' does not have the checksum 'released'
          its checksum is '\(MusicStages.checksum(2))'; restore the model as it was released, or correct the checksum if \
        no store has been written with the old one
        """, number: 134_504),
    Case(
      name: "lightweight stages without models", stages: [MusicStages.light(1, 2)], versions: [],
      result: [1, 2].map {
        """
        error[stage.unknown-version]: lightweight stage 1 refers to version '\(MusicStages.checksum($0))', which is not \
        among the versions
          pass the models of all versions: StagedMigrationManager(stages, versions: models)
        """
      }.joined(separator: "\n"), number: 134_504),
    Case(
      name: "empty, lone and repeated versions",
      stages: [LightweightMigrationStage([]), MusicStages.light(1, 1), MusicStages.light(3, label: "Rate")],
      result: """
        error[stage.no-versions]: lightweight stage 1 has no versions
          list the checksums of neighboring versions, or remove the stage
        error[stage.repeated-version]: lightweight stage 2 lists version 'Music 1' twice
          list each version once, oldest first
        error[stage.lone-version]: lightweight stage 'Rate' has only version 'Music 3', and no stage next to it that \
        starts or ends at a neighboring version
          add the checksum of the version that it leads to
        """, number: 134_110),
    Case(
      name: "versions that a store does not distinguish", stages: [MusicStages.custom(1, 2)],
      versions: [MusicStages.versions[0], MusicStages.versions[1], twin],
      result: """
        error[stage.same-version]: neighboring versions 'Music 2' and 'Music 2 again' have the same checksum, so that a \
        store does not show which of them it has; these differences do not change it:
          - entity 'Track': attribute 'plays': defaultValue: none → 5
          give an entity of 'Music 2 again' a 'versionHashModifier', or give 'Music 2 again' a 'versionID', or pass only one \
        of the versions
        """, number: 134_110),
    Case(
      name: "a stage between them",
      stages: [
        CustomMigrationStage(
          migratingFrom: MusicStages.reference(2),
          to: ManagedObjectModelReference(model: twin, versionChecksum: twin.versionChecksum))
      ], versions: [],
      result: """
        error[stage.same-version]: custom stage 1 leads from 'Music 2' to 'Music 2 again', which have the same checksum, \
        so that a store does not show which of them it has
          give an entity of the newer version a 'versionHashModifier', or give the newer version a 'versionID', or remove \
        the stage
        """, number: 134_110),
    Case(
      name: "custom stages that bring their models in another order",
      stages: [MusicStages.custom(2, 3), MusicStages.custom(1, 2)], versions: [],
      result: """
        error[stage.wrong-order]: the stages are not in the order of their versions
          write them in this order:
          - custom stage 2, from 'Music 1' to 'Music 2'
          - custom stage 1, from 'Music 2' to 'Music 3'
        """, number: 134_506),
    Case(
      name: "a version that is listed again later", stages: [MusicStages.custom(2, 3)],
      versions: [1, 2, 1, 3].map { MusicStages.versions[$0 - 1] },
      result: """
        error[stage.skipped-version]: custom stage 1 leads from 'Music 2' to 'Music 3', but 'Music 1' is in between: \
        everything that it adds, such as default values, would be skipped
          write a stage for each step: 'Music 2' → 'Music 1', 'Music 1' → 'Music 3'
        """, number: 134_110),
    Case(
      name: "a handler for an entity that does not exist",
      stages: [handling(MusicStages.custom(1, 2, label: "Count"), "Trak")],
      result: """
        error[stage.unknown-entity]: custom stage 'Count' has a handler for objects of entity 'Trak', which version \
        'Music 2' does not have
          did you mean 'Track'?
        """, number: 134_110),
  ]

  private static func handling(_ stage: CustomMigrationStage, _ entity: String) -> CustomMigrationStage {
    stage.migrate(entity) { _, _ in }
    return stage
  }

  private static let twin: ManagedObjectModel = {
    var model = MusicStages.versions[1]
    model.name = "Music 2 again"
    let place = model.entities[0].attributes.firstIndex { $0.name == "plays" } ?? 0
    model.entities[0].attributes[place].defaultValue = .integer(5)
    return model
  }()

  @Test(arguments: wrong)
  func `every mistake in a list of stages is reported at once`(test: Case) throws {
    let error = #expect(throws: StagedMigrationError.self) {
      try StagedMigrationManager(test.stages, versions: test.versions)
    }
    #expect(error?.description == test.result)
    #expect(error?.number == test.number)
  }
}
