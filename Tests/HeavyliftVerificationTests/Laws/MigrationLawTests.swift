import Foundation
import Heavylift
import HeavyliftVerification
import Testing

/// The laws detect wrong mappings and policies, and report the place.
struct MigrationLawTests {
  private static func model(
    _ name: String, _ body: (inout EntityDescription, inout EntityDescription) -> Void = { _, _ in }
  )
    -> ManagedObjectModel
  {
    var note = EntityDescription(
      name: "Note", attributes: [AttributeDescription(name: "text", type: .string)],
      relationships: [RelationshipDescription(name: "tags", destinationEntityName: "Tag", inverseName: "notes")])
    var tag = EntityDescription(
      name: "Tag", attributes: [AttributeDescription(name: "name", type: .string)],
      relationships: [RelationshipDescription(name: "notes", destinationEntityName: "Note", inverseName: "tags")])
    body(&note, &tag)
    return ManagedObjectModel(name: name, entities: [note, tag])
  }

  private static func pair(
    _ mappings: [EntityMappingDescription],
    to new: ManagedObjectModel = model("Notes 2") { note, _ in
      note.attributes.append(AttributeDescription(name: "length", type: .integer64))
    }, policies: PolicyRegistry = PolicyRegistry()
  ) -> MigrationPair {
    MigrationPair(
      sourceModel: model("Notes 1"), destinationModel: new,
      mappings: [MappingModel(copying: .everything, entityMappings: mappings)], policies: policies)
  }

  private static let tags = EntityMappingDescription(source: "Tag", destination: "Tag")
  private static let notes = EntityMappingDescription(source: "Note", destination: "Note")

  /// Returns the violations, with the parts that vary from run to run replaced.
  private static func shown(_ report: MigrationLawReport) -> [String] {
    report.violations.map { violation in
      "\(violation)".replacing(/'\/[^']*\/(store.sqlite|[a-z]+)'/) { "'FOLDER/\($0.output.1)'" }
        .replacing(/(number|event|run) \d+/) { "\($0.output.1) N" }
    }
  }

  @Test func `a correct mapping keeps all laws`() throws {
    let report = try Self.pair([Self.notes, Self.tags]).lawReport(options: MigrationLawOptions(seeds: 0..<6))
    #expect(
      "\(report)"
        == "'Notes 1' → 'Notes 2', seeds 0..<6: 6 stores with \(report.objects) objects: all laws hold")
    #expect(report.objects > 10)
  }

  @Test func `a store that the new model refuses is shown, reduced to a minimum`() throws {
    let strict = Self.model("Notes 2") { note, _ in note.attributes[0].isOptional = false }
    let report = try Self.pair([Self.notes, Self.tags], to: strict).lawReport()
    #expect(
      Self.shown(report) == [
        """
        'Notes 1' → 'Notes 2', seed 0: a law is broken: every store migrates
          error[migration.1570]: the migrated store breaks a rule of its model in 1 place:
          error[1570]: 1 × Note: 'text' is mandatory and has no value (Note/p1)
            give it a value, or make it optional or give it a default in the model
          the smallest store that shows it:
            {
              "model": "Notes 1",
              "objects": {
                "Note": {
                  "note 4": {}
                }
              }
            }
          to run only this seed, set HEAVYLIFT_SEED=0
        """
      ])
  }

  @Test func `objects of an unmentioned entity are reported`() throws {
    var pair = Self.pair([Self.notes])
    pair.mappings[0].unmentionedEntities = .dropped
    let report = try pair.lawReport()
    #expect(
      Self.shown(report) == [
        """
        'Notes 1' → 'Notes 2', seed 0: a law is broken: every object is accounted for
          1 object of entity 'Tag' would be lost: no entity mapping mentions the entity; if its objects are to be \
        deleted, write <entity-mapping source="Tag" type="remove"/>
          the smallest store that shows it:
            {
              "model": "Notes 1",
              "objects": {
                "Tag": {
                  "tag 3": {}
                }
              }
            }
          to run only this seed, set HEAVYLIFT_SEED=0
        """
      ])
  }

  @Test func `a policy with a different result each time is reported`() throws {
    var notes = Self.notes
    notes.policyClassName = "Stamping"
    let report = try Self.pair([notes, Self.tags], policies: PolicyRegistry(Stamping.self)).lawReport()
    #expect(
      Self.shown(report) == [
        """
        'Notes 1' → 'Notes 2', seed 0: a law is broken: a second run gives the same store
          object Note/p1: 'text' is "run N", but was "run N"
          the smallest store that shows it:
            {
              "model": "Notes 1",
              "objects": {
                "Note": {
                  "note 4": {}
                }
              }
            }
          to run only this seed, set HEAVYLIFT_SEED=0
        """,
        """
        'Notes 1' → 'Notes 2', seed 0: a law is broken: migrating object by object gives the same result as SQL
          object Note/p1: 'text' is "run N", but was "run N"
          the smallest store that shows it:
            {
              "model": "Notes 1",
              "objects": {
                "Note": {
                  "note 4": {}
                }
              }
            }
          to run only this seed, set HEAVYLIFT_SEED=0
        """,
        """
        'Notes 1' → 'Notes 2', seed 0: a law is broken: a run stopped at any step leaves the old store or the new one, \
        and \
        the next run produces the new one
          after file operation number N failed, the next run does not create the same store as an undisturbed run
          after a cancellation at event N, the next run does not create the same store as an undisturbed run
          the smallest store that shows it:
            {
              "model": "Notes 1",
              "objects": {
                "Note": {
                  "note 4": {}
                }
              }
            }
          to run only this seed, set HEAVYLIFT_SEED=0
        """,
        """
        'Notes 1' → 'Notes 2', seed 0: a law is broken: replacing a store gives the same result as separate hops
          object 'note1' of 'Note': 'text' is "run N", but "run N" if the hops run separately
          the smallest store that shows it:
            {
              "model": "Notes 1",
              "objects": {
                "Note": {
                  "note 4": {}
                }
              }
            }
          to run only this seed, set HEAVYLIFT_SEED=0
        """,
      ])
    let without = try Self.pair([notes, Self.tags], policies: PolicyRegistry(Stamping.self)).lawReport(
      options: MigrationLawOptions(seeds: 0..<5, except: [.repeats, .usesNoShortcut, .survives, .chains]))
    #expect(without.violations == [])
  }

  @Test func `a policy that cannot run again is reported`() throws {
    var notes = Self.notes
    notes.policyClassName = "Once"
    // Without chains, because they are tried in one folder.
    let report = try Self.pair([notes, Self.tags], policies: PolicyRegistry(Once.self)).lawReport(
      options: MigrationLawOptions(seeds: 0..<3, except: [.chains]))
    #expect(
      Self.shown(report) == [
        """
        'Notes 1' → 'Notes 2', seed 0: a law is broken: a run stopped at any step leaves the old store or the new one, \
        and \
        the next run produces the new one
          after file operation number N failed, the migration leaves 'mark' behind
          after file operation number N failed, the next run fails: error[migration.hop]: hop 'Notes 1' → \
        'Notes 2' of store 'FOLDER/store.sqlite' failed: error[migration.134170]: entity mapping 'NoteToNote', in \
        'begin': Again()
            nothing was changed
          after a cancellation at event N, the migration leaves 'mark' behind
          after a cancellation at event N, the next run fails: error[migration.hop]: hop 'Notes 1' → 'Notes 2' of store \
        'FOLDER/store.sqlite' failed: error[migration.134170]: entity mapping 'NoteToNote', in 'begin': Again()
            nothing was changed
          the smallest store that shows it:
            {
              "model": "Notes 1",
              "objects": {}
            }
          to run only this seed, set HEAVYLIFT_SEED=0
        """
      ])
  }

  @Test func `permitted refusals are counted, and the report says if no store remains`() throws {
    let strict = Self.model("Notes 2") { note, _ in note.attributes[0].isOptional = false }
    let pair = Self.pair([Self.notes, Self.tags], to: strict)
    let report = try pair.lawReport(
      options: MigrationLawOptions(seeds: 0..<20) { error in
        [.missingMandatoryProperty, .validation].contains((error as? HopError)?.code)
      })
    #expect(report.violations == [] && report.refused > 3 && report.stores + report.refused == 20)
    let none = try pair.lawReport(
      options: MigrationLawOptions(seeds: 0..<3, objectsPerEntity: 0))
    #expect("\(none)" == "'Notes 1' → 'Notes 2', seeds 0..<3: 3 stores with 0 objects: nothing was checked")
  }

  @Test func `values for an unknown attribute are an error`() throws {
    let error = #expect(throws: DiagnosticList.self) {
      try Self.pair([Self.notes]).lawReport(options: MigrationLawOptions(values: ["Note.txt": ["a"]]))
    }
    #expect(
      error?.diagnostics.map(\.description) == [
        """
        error[laws.unknown-attribute]: values are given for 'Note.txt', which is not an attribute
          did you mean 'Note.text'?
        """
      ])
  }
}

/// Counts its runs, and writes the number to each note.
private final class Stamping: EntityMigrationPolicy {
  nonisolated(unsafe) static var runs = 0

  override func begin(_ mapping: EntityMapping, with manager: MigrationManager) throws { Self.runs += 1 }

  override func createDestinationInstances(
    forSource source: ManagedObject, in mapping: EntityMapping, manager: MigrationManager
  ) throws {
    try super.createDestinationInstances(forSource: source, in: mapping, manager: manager)
    for note in try manager.destinationInstances(forEntityMappingName: mapping.name, sourceInstances: [source]) {
      note["text"] = .string("run \(Self.runs)")
    }
  }
}

/// Leaves a file next to the store, and refuses to run if there is one.
private final class Once: EntityMigrationPolicy {
  struct Again: Error {}

  override func begin(_ mapping: EntityMapping, with manager: MigrationManager) throws {
    let mark = try manager.sourceContext.store.url.deletingLastPathComponent().appending(path: "mark")
    if FileManager.default.fileExists(atPath: mark.path) { throw Again() }
    try Data().write(to: mark)
  }
}
