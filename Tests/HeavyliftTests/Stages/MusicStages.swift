import Foundation
import HeavyliftTestSupport

@testable import Heavylift
@testable import HeavyliftStore

/// Four versions of a model, and stores of the first.
enum MusicStages {
  static let versions = (1...4).map(version)

  /// Version 2 adds `plays`, version 3 `rating`, version 4 `year`.
  static func version(_ number: Int) -> ManagedObjectModel {
    ManagedObjectModel(
      name: "Music \(number)",
      entities: [
        EntityDescription(
          name: "Track",
          attributes: [
            Models.attribute("title", .string, isOptional: false),
            AttributeDescription(name: "cover", type: .binaryData, allowsExternalBinaryDataStorage: true),
          ]
            + [
              Models.attribute("plays", .integer64), Models.attribute("rating", .integer16, default: .integer(3)),
              Models.attribute("year", .integer16),
            ].prefix(number - 1))
      ])
  }

  static func checksum(_ number: Int) -> String { versions[number - 1].versionChecksum }

  static func light(_ numbers: Int..., label: String? = nil) -> LightweightMigrationStage {
    LightweightMigrationStage(numbers.map(checksum), label: label)
  }

  static func reference(_ number: Int) -> ManagedObjectModelReference {
    ManagedObjectModelReference(model: versions[number - 1], versionChecksum: checksum(number))
  }

  static func custom(
    _ source: Int, _ destination: Int, label: String? = nil, will: CustomMigrationStage.Handler? = nil,
    did: CustomMigrationStage.Handler? = nil
  ) -> CustomMigrationStage {
    let stage = CustomMigrationStage(
      migratingFrom: reference(source), to: reference(destination), label: label)
    (stage.willMigrateHandler, stage.didMigrateHandler) = (will, did)
    return stage
  }

  static let cover = Data(repeating: 7, count: 200_000)

  /// Creates a store of a version with tracks named A, B and so on. The second has a large cover in a file.
  static func make(at url: URL, version: Int = 1, count: Int = 3) throws {
    let store = try PersistentStore.create(at: url, model: versions[version - 1])
    let context = ManagedObjectContext(store: store)
    for index in 0..<count {
      let track = try context.insert("Track")
      try track.setValue(.string(index < 26 ? String(UnicodeScalar(UInt8(65 + index))) : "\(index)"), forKey: "title")
      if index == 1 { try track.setValue(.data(cover), forKey: "cover") }
      if index % 1_000 == 999 { try context.save() }
    }
    try context.save()
    try store.close()
  }

  /// The version of a store, and one line for each track.
  static func contents(_ url: URL) throws -> [String] {
    let store = try PersistentStore(url: url, models: versions, mode: .readOnly)
    defer { try? store.close() }
    let context = ManagedObjectContext(store: store)
    let tracks = try context.fetch(FetchRequest(entityName: "Track"))
    let names = store.model.entities[0].attributes.map(\.name).filter { $0 != "cover" }
    return [store.model.name ?? ""]
      + (try tracks.map { track in
        let values = try names.map { "\($0)=\(try track.value(forKey: $0).text)" }
        let cover = try track.value(forKey: "cover")
        let shown = cover == .null ? [] : [cover.data == Self.cover ? "cover" : "changed cover"]
        return ([track.description] + values + shown).joined(separator: " ")
      })
  }
}

extension Value {
  /// A short form for comparing.
  fileprivate var text: String {
    switch self {
    case .null: "nil"
    case .string(let text): text
    case .integer(let number): "\(number)"
    default: "\(self)"
    }
  }
}

/// A folder with a store of music.
final class MusicPlace {
  let folder: TemporaryFolder
  var store: URL { folder.appending("Music.sqlite") }

  init(version: Int = 1, count: Int = 3) throws {
    folder = try TemporaryFolder()
    try MusicStages.make(at: folder.appending("Music.sqlite"), version: version, count: count)
  }

  /// The names of all files, including the work folder.
  func names() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted() }

  func contents() throws -> [String] { try MusicStages.contents(store) }
}
