import Foundation
import HeavyliftTestSupport
import Testing

@testable import Heavylift
@testable import HeavyliftStore

/// Values whose external files are missing, in migrations that store them in rows or compute other values from them.
@Suite struct LostFilesTests {
  private let folder: TemporaryFolder
  private var store: URL { folder.appending("Notes.sqlite") }
  private let file: String

  private static func model(_ version: Int, isExternal: Bool, isOptional: Bool = true) -> ManagedObjectModel {
    ManagedObjectModel(
      name: "Notes \(version)",
      entities: [
        EntityDescription(
          name: "Note",
          attributes: [
            Models.attribute("number", .integer32),
            AttributeDescription(
              name: "picture", type: .binaryData, isOptional: isOptional, allowsExternalBinaryDataStorage: isExternal),
          ] + (2..<(version + 1)).map { Models.attribute("added\($0)", .integer64) })
      ])
  }

  init() throws {
    folder = try TemporaryFolder()
    file = try Self.make(at: folder.appending("Notes.sqlite"), Self.model(1, isExternal: true))
  }

  /// Creates a store of three notes, and removes the file of the second one. Returns the file's name.
  private static func make(at url: URL, _ model: ManagedObjectModel) throws -> String {
    let store = try PersistentStore.create(at: url, model: model)
    let context = ManagedObjectContext(store: store)
    for number in 1...3 {
      let note = try context.insert("Note")
      note["number"] = .integer(Int64(number))
      note["picture"] = .data(Data(repeating: UInt8(number), count: number == 3 ? 10 : 200_000))
    }
    try context.save()
    let lost = try #require(
      try store.externalData.fileNames().first { try store.externalData.read($0).first == 2 })
    try FileManager.default.removeItem(at: store.externalData.file(named: lost))
    try store.close()
    return lost
  }

  private func pictures(_ model: ManagedObjectModel) throws -> [Int?] {
    let store = try PersistentStore(url: store, models: [model], mode: .readOnly)
    defer { try? store.close() }
    let context = ManagedObjectContext(store: store)
    var request = FetchRequest(entityName: "Note")
    request.sortKeys = [.init(keyPath: "number")]
    return try context.fetch(request)
      .map { try $0.attributeValue(forKey: "picture").data?.count }
  }

  private func migrate(
    _ models: [ManagedObjectModel], acceptsDamage: Bool, _ options: MigrationOptions = MigrationOptions()
  ) throws -> IncrementalMigrationReport {
    try IncrementalMigrationManager(
      models: models, infersMissingMappings: true, execution: MappingHopExecution(options: options)
    ).migrate(store, options: IncrementalMigrationOptions(acceptsDamage: acceptsDamage))
  }

  private func notes(_ report: IncrementalMigrationReport) -> [String] {
    report.hops.compactMap(\.report).flatMap(\.notes).map {
      "\($0)".replacing(file, with: "FILE").replacing(folder.url.resolvingLinks.path, with: "FOLDER")
    }
  }

  private static let lossNote = """
    warning[store.lost-external-file]: the external file of 'picture' of Note/p2 (FILE) is missing, and the new store has \
    no value instead
      compare the new store with a backup
    """

  @Test(arguments: [false, true]) func `a lost value stops a migration that needs it`(forcesObjects: Bool) throws {
    var options = MigrationOptions()
    options.forcesObjects = forcesObjects
    let models = [Self.model(1, isExternal: true), Self.model(2, isExternal: false)]
    let error = failure { try migrate(models, acceptsDamage: false, options) }
    #expect(error?.contains("if the file is lost, migrate its value as nil, with --accept-damage") == true)
  }

  @Test(arguments: [false, true]) func `a lost value becomes nil if damage is accepted`(forcesObjects: Bool) throws {
    var options = MigrationOptions()
    options.forcesObjects = forcesObjects
    let models = [Self.model(1, isExternal: true), Self.model(2, isExternal: false)]
    let report = try migrate(models, acceptsDamage: true, options)
    #expect(try pictures(models[1]) == [200_000, nil, 10])
    #expect(notes(report) == [Self.lossNote])
  }

  @Test func `a lost value is reported once in a chain`() throws {
    let models = [
      Self.model(1, isExternal: true), Self.model(2, isExternal: false), Self.model(3, isExternal: false),
    ]
    let report = try migrate(models, acceptsDamage: true)
    #expect(try pictures(models[2]) == [200_000, nil, 10])
    #expect(notes(report) == [Self.lossNote])
  }

  @Test func `a reference to a lost file remains where it can`() throws {
    let models = [Self.model(1, isExternal: true), Self.model(2, isExternal: true)]
    let report = try migrate(models, acceptsDamage: true)
    #expect(notes(report).map { $0.prefix(37) } == ["warning[store.missing-external-file]:"])
    #expect(throws: Diagnostic.self) { try pictures(models[1]) }
  }

  @Test func `a mandatory value cannot be lost`() throws {
    let models = [true, false].map { Self.model($0 ? 1 : 2, isExternal: $0, isOptional: false) }
    let store = folder.appending("Mandatory.sqlite")
    _ = try Self.make(at: store, models[0])
    let manager = IncrementalMigrationManager(models: models, infersMissingMappings: true)
    #expect(
      failure { try manager.migrate(store, options: IncrementalMigrationOptions(acceptsDamage: true)) }?.contains(
        "1570") == true)
  }
}
