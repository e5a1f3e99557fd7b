import Foundation
import HeavyliftSchema
import HeavyliftTestSupport
import Testing

private final class LengthPolicy: TypedMigrationPolicy<Notes.V2, Notes.V2.Note, Notes.V3, Notes.V3.Note> {
  override func migrate(_ old: Notes.V2.Note, to new: Notes.V3.Note, manager: MigrationManager) throws {
    new.addedAt = Date(timeIntervalSince1970: Double(old.text.count))
  }

  override func connect(_ new: Notes.V3.Note, manager: MigrationManager) throws { new.legacy = "connected" }
}

private final class ForgetfulPolicy: TypedMigrationPolicy<Notes.V2, Notes.V2.Note, Notes.V3, Notes.V3.Note> {
  override func migrate(_ old: Notes.V2.Note, to new: Notes.V3.Note, manager: MigrationManager) throws {
    new.text += old.managedObject["text"].string ?? ""
  }
}

private enum OldVersion: VersionedSchema {
  static let versionIdentifier = Schema.Version(0, 1, 0)
  static var models: [Entity.Type] { [Page.self] }

  final class Page: Entity { @Attribute var number: Int }
}

private final class OldPolicy: TypedMigrationPolicy<OldVersion, OldVersion.Page, Notes.V3, Notes.V3.Note> {}

private final class WrongPolicy: TypedMigrationPolicy<Notes.V2, Notes.V2.Sketch, Notes.V3, Notes.V3.Note> {}

private enum DatesPlan: SchemaMigrationPlan {
  static var schemas: [any VersionedSchema.Type] { [Notes.V2.self, Notes.V3.self] }
  static var stages: [MigrationStage] {
    [
      .custom(fromVersion: Notes.V2.self, toVersion: Notes.V3.self) { _ in Issue.record("the mapping takes precedence")
      }
    ]
  }
}

/// Policies of mapping models that get typed objects.
@Suite struct TypedMigrationPolicyTests {
  private let folder: TemporaryFolder
  private let url: URL

  init() throws {
    folder = try TemporaryFolder()
    url = folder.appending("Notes.sqlite")
    let context = try ModelContext(ModelContainer(for: Notes.V2.self, at: url))
    try context.insert(Notes.V2.Note.self).text = "three"
    try context.save()
    try context.managedObjectContext.store.close()
  }

  private func migrated(
    _ policy: EntityMigrationPolicy.Type, source: String? = nil, destination: String? = nil
  ) throws -> ModelContainer {
    let mapping = MappingModel(
      source: ModelReference(name: source), destination: ModelReference(name: destination),
      entityMappings: [
        EntityMappingDescription(name: "NoteToNote", source: "Note", destination: "Note", policy: "Policy")
      ])
    var policies = PolicyRegistry()
    policies.register(policy, as: "Policy")
    return try ModelContainer(
      for: Notes.V3.self, migrationPlan: DatesPlan.self, at: url,
      mappings: MappingSearch([MappingCandidate(file: "2-3.xml", mappingModel: mapping)])
    ) { $0.execution = MappingHopExecution(policies: policies) }
  }

  @Test func `a policy gets both objects, and takes precedence over the stage`() throws {
    #expect(
      try StoreText.dump(migrated(LengthPolicy.self)) == """
        {"entity":"Note","key":1,"attributes":{"addedAt":"1970-01-01T00:00:05Z","legacy":"connected","text":"three"},\
        "relationships":{}}

        """)
  }

  @Test func `a mapping refers to versions by their types`() throws {
    let container = try migrated(LengthPolicy.self, source: "Notes.V2", destination: "Notes.V3")
    #expect(
      container.migrationReport?.hops.map { "\($0.title), \($0.origin)" } == [
        #"'Notes.V2 (2.0.0)' → 'Notes.V3 (3.0.0)', files(["2-3.xml"])"#
      ])
  }

  private func message(_ policy: EntityMigrationPolicy.Type) -> String {
    do {
      _ = try migrated(policy)
      return "no error"
    } catch {
      return "\(error)".replacing(url.path, with: "STORE")
    }
  }

  @Test func `a policy for another class is an error`() {
    #expect(
      message(WrongPolicy.self) == """
        error[migration.hop]: hop 'Notes.V2 (2.0.0)' → 'Notes.V3 (3.0.0)' of store 'STORE' failed: \
        error[migration.134170]: entity mapping 'NoteToNote', in 'populate', object 'Note/p1': object Note/p1 is a 'Notes.V2.Note', but policy \
        'WrongPolicy' takes a 'Notes.V2.Sketch'
          use the policy in mappings of the class's entity only, or take a superclass
          nothing was changed
        """)
  }

  @Test func `a policy for other versions is an error`() {
    #expect(
      message(OldPolicy.self) == """
        error[migration.hop]: hop 'Notes.V2 (2.0.0)' → 'Notes.V3 (3.0.0)' of store 'STORE' failed: \
        error[migration.134170]: entity mapping 'NoteToNote', in 'populate', object 'Note/p1': object Note/p1 has no class in version \
        'OldVersion', which policy 'OldPolicy' names
          give the policy the versions that the mapping leads from and to: 'TypedMigrationPolicy<OldVersion, Old, NewVersion, New>'
          nothing was changed
        """)
  }

  @Test func `a policy that forgets a value is an error`() {
    #expect(
      message(ForgetfulPolicy.self) == """
        error[migration.hop]: hop 'Notes.V2 (2.0.0)' → 'Notes.V3 (3.0.0)' of store 'STORE' failed: \
        error[migration.1570]: the migrated store breaks a rule of its model in 1 place:
        error[1570]: 1 × Note: 'addedAt' is mandatory and has no value (Note/p1)
          give it a value, or make it optional or give it a default in the model
          nothing was changed
        """)
  }
}
