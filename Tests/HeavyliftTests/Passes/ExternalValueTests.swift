import Foundation
import HeavyliftTestSupport
import Testing

@testable import Heavylift
@testable import HeavyliftStore

/// Values that may be stored in files, migrated by SQL and by objects.
@Suite struct ExternalValueTests {
  private static func data(_ name: String, isExternal: Bool, default value: Value = .null) -> AttributeDescription {
    var attribute = Models.attribute(name, .binaryData, default: value)
    attribute.allowsExternalBinaryDataStorage = isExternal
    return attribute
  }

  private static func model(_ attributes: AttributeDescription...) -> ManagedObjectModel {
    ManagedObjectModel(entities: [EntityDescription(name: "Track", attributes: attributes)])
  }

  private static let mapping = MappingModel(
    copying: .everything, entityMappings: [EntityMappingDescription(source: "Track", destination: "Track")])

  private static let (small, large) = (Data([1, 2, 3]), Data(repeating: 7, count: 102_400))

  private static func options(_ forcesObjects: Bool) -> MigrationOptions {
    var options = MigrationOptions()
    options.forcesObjects = forcesObjects
    return options
  }

  private func test() throws -> MigrationTest {
    let made = Self.data("made", isExternal: true, default: .data(Self.large))
    return try MigrationTest(
      from: Self.model(
        Self.data("kept", isExternal: true), Self.data("taken", isExternal: true), Self.data("given", isExternal: false)
      ),
      to: Self.model(
        Self.data("kept", isExternal: true), Self.data("taken", isExternal: false),
        Self.data("given", isExternal: true), made)
    ) { context in
      for value in [nil, Data(), Self.small, Self.large] {
        let track = try context.insert("Track")
        for name in ["kept", "taken", "given"] { track[name] = value.map(Value.data) ?? .null }
      }
    }
  }

  @Test(arguments: [false, true])
  func `values move into files, out of them, and stay there`(forcesObjects: Bool) throws {
    let test = try test()
    let plan = try test.manager.plan(
      from: test.source, with: [Self.mapping], options: Self.options(forcesObjects))
    #expect(plan.steps.map(\.rows) == [forcesObjects ? .objects : .sqlWithFunctions])
    try test.migrate(Self.mapping, options: Self.options(forcesObjects))
    let context = try test.opened()
    let tracks = try context.fetch(FetchRequest(entityName: "Track"))
    let values = [nil, Data(), Self.small, Self.large].map { $0.map(Value.data) ?? .null }
    for name in ["kept", "taken", "given"] { #expect(tracks.map { $0[name] } == values, "\(name)") }
    #expect(tracks.map { $0["made"] } == values.map { _ in .data(Self.large) })

    // One file per track, one from the source that keeps its name, and a new one.
    let (old, new) = (ExternalDataFolder(store: test.source), ExternalDataFolder(store: test.destination))
    #expect(try old.fileNames().count == 2)
    #expect(try new.fileNames().count == 6)
    let kept = try test.rows("SELECT hex(ZKEPT) FROM ZTRACK WHERE Z_PK = 4")
    let names = try Set(old.fileNames()).intersection(new.fileNames())
    #expect(names.count == 1)
    for name in names {
      let digits = "02" + name.utf8.map { String($0, radix: 16).uppercased() }.joined() + "00"
      #expect(kept == ["text(\"\(digits)\")"])
      let identities = try [old, new].map { try FileIdentity($0.file(named: name)) }
      #expect(identities[0] != nil && identities[0] == identities[1])
    }
    #expect(
      try test.rows("SELECT length(ZKEPT), length(ZTAKEN), length(ZGIVEN), length(ZMADE) FROM ZTRACK").map {
        $0.filter { !"()".contains($0) }
      } == ["null null null 38", "1 0 1 38", "4 3 4 38", "38 102400 38 38"].map { $0.spelled })
  }

  @Test(arguments: [false, true])
  func `a missing file is reported, and the reference to it is kept`(forcesObjects: Bool) throws {
    let model = Self.model(Self.data("kept", isExternal: true))
    let test = try MigrationTest(
      from: model, to: Self.model(Self.data("kept", isExternal: true), Models.attribute("added", .string))
    ) {
      try $0.insert("Track")["kept"] = .data(Self.large)
    }
    let (old, new) = (ExternalDataFolder(store: test.source), ExternalDataFolder(store: test.destination))
    let name = try #require(try old.fileNames().first)
    old.remove(name)
    let report = try test.migrate(Self.mapping, options: Self.options(forcesObjects))
    #expect(
      report.notes.map(\.description) == [
        """
        warning[store.missing-external-file]: the external file of 'kept' of Track/p1 (\(name)) is missing
          the folder '\(old.url.path)' belongs to the store: copy it along with the store's file; references to \
        missing files are copied unchanged
        """
      ])
    let digits = "02" + name.utf8.map { String($0, radix: 16).uppercased() }.joined() + "00"
    #expect(try test.rows("SELECT hex(ZKEPT) FROM ZTRACK") == ["text(\"\(digits)\")"])
    #expect(try new.fileNames() == [])
  }

  /// Reads a value from its file.
  private final class Measuring: EntityMigrationPolicy {
    override func createDestinationInstances(
      forSource source: ManagedObject, in mapping: EntityMapping, manager: MigrationManager
    ) throws {
      try super.createDestinationInstances(forSource: source, in: mapping, manager: manager)
      let track = try manager.destinationInstances(forEntityMappingName: mapping.name, sourceInstances: [source])[0]
      track["added"] = .string("\(source["kept"].data?.count ?? -1), \(track["kept"].isNull)")
    }
  }

  @Test func `a policy reads nil for a missing file, and the reference is kept`() throws {
    let test = try MigrationTest(
      from: Self.model(Self.data("kept", isExternal: true)),
      to: Self.model(Self.data("kept", isExternal: true), Models.attribute("added", .string)),
      policies: PolicyRegistry(Measuring.self)
    ) {
      for _ in 1...2 { try $0.insert("Track")["kept"] = .data(Self.large) }
    }
    let old = ExternalDataFolder(store: test.source)
    let store = try PersistentStore(url: test.source, models: [test.old], mode: .readOnly)
    let bytes = try store.database.firstValue("SELECT CAST(substr(ZKEPT, 2, 36) AS TEXT) FROM ZTRACK WHERE Z_PK = 1")
    try store.close()
    guard case .text(let name)? = bytes else { throw CancellationError() }
    old.remove(name)
    let report = try test.migrate(
      EntityMappingDescription(source: "Track", destination: "Track", policy: "Measuring"))
    #expect(report.notes.map(\.code) == ["store.missing-external-file"])
    #expect(try test.lines("Track", "added") == ["Track/p1 added=-1, true", "Track/p2 added=102400, false"])
    #expect(
      try test.rows("SELECT CAST(substr(ZKEPT, 2, 36) AS TEXT) FROM ZTRACK WHERE Z_PK = 1") == ["text(\"\(name)\")"])
  }

  /// The new attribute stores its value in the row, where a reference to a file is meaningless.
  @Test(arguments: [false, true])
  func `a missing file is reported with its object, and no store is left`(forcesObjects: Bool) throws {
    let test = try test()
    let folder = ExternalDataFolder(store: test.source)
    let names = try folder.fileNames()
    for name in names { folder.remove(name) }
    let error = try #require(
      test.failure { try test.migrate(Self.mapping, options: Self.options(forcesObjects)) })
    let text = names.reduce("\(error)") { $0.replacing($1, with: "name") }
    #expect(text.contains("entity mapping 'TrackToTrack', property 'taken', object 'Track/p4'"), "\(text)")
    #expect(text.contains("external file 'name' cannot be read: No such file or directory"), "\(text)")
    #expect(try test.files().filter { $0.hasPrefix("new") || $0.hasPrefix(".new") } == [])
  }
}

extension String {
  /// The row in the form that `MigrationTest.rows` returns.
  fileprivate var spelled: String {
    split(separator: " ").map { $0 == "null" ? "null" : "integer\($0)" }.joined(separator: " ")
  }
}
