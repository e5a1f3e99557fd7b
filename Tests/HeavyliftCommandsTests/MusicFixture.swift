import Foundation
import Heavylift
import HeavyliftCommands
import HeavyliftTestSupport
import SamplePolicies

/// A folder with the sample `Music`, a store of its first version, and a tool with its policy.
final class MusicFixture {
  let folder: TemporaryFolder
  let versions: [ManagedObjectModel]

  init() throws {
    folder = try TemporaryFolder()
    try FileManager.default.copyItem(
      at: Corpus.project.appending(path: "MappingModels/Music"), to: folder.appending("Music"))
    versions = try ModelBundle(contentsOf: folder.appending("Music/Music.xcdatamodeld")).versions.map(\.model)
    try makeStore("Music.sqlite")
  }

  /// Creates a store of the first version: an album of three tracks, with two artists in their text.
  func makeStore(_ name: String) throws {
    let store = try PersistentStore.create(at: folder.appending(name), model: versions[0])
    let context = ManagedObjectContext(store: store)
    let album = try context.insert("Album")
    album["title"] = "Kind"
    for (index, json) in [#"{"artists": ["Miles", "Bill"]}"#, #"{"artists": ["Bill"]}"#, "not JSON"].enumerated() {
      let track = try context.insert("Track")
      track["title"] = .string("T\(index)")
      track["seconds"] = .integer(Int64(60 * index))
      track["json"] = .string(json)
      try album.add(track, to: "tracks")
    }
    try context.save()
    try store.close()
  }

  static var code: MigrationCode { MigrationCode(policies: PolicyRegistry(ArtistsFromJSON.self)) }

  func run(
    _ arguments: String..., code: MigrationCode = MusicFixture.code, drawsProgress: Bool = false,
    interruptions: any InterruptionSource = NoInterruptions()
  ) -> ToolFixture.Run {
    run(arguments, code: code, drawsProgress: drawsProgress, interruptions: interruptions)
  }

  func run(
    _ arguments: [String], code: MigrationCode = MusicFixture.code, drawsProgress: Bool = false,
    interruptions: any InterruptionSource = NoInterruptions()
  ) -> ToolFixture.Run {
    let (output, errors) = (MemorySink(), MemorySink())
    var io = CommandIO(output: output, errors: errors, workingDirectory: folder.url)
    (io.drawsProgress, io.interruptions) = (drawsProgress, interruptions)
    var tool = CommandLineTool.heavylift
    tool.code = code
    let result = tool.run(arguments, io)
    return ToolFixture.Run(code: result, output: shown(output.text), errors: shown(errors.text))
  }

  /// Replaces output that differs between runs.
  func shown(_ text: String) -> String {
    text.replacing(folder.url.path, with: "FOLDER")
      .replacing(/\d+\.\d s\b/, with: "TIME").replacing(/"milliseconds": \d+/, with: "\"milliseconds\": TIME")
      .replacing(/\d+(\.\d)? [kMGT]B/, with: "SIZE")
      .replacing(/"(store|needed|available)Bytes": \d+/) { "\"\($0.output.1)Bytes\": SIZE" }
  }

  func write(_ text: String, to name: String) throws {
    try text.write(to: folder.appending(name), atomically: true, encoding: .utf8)
  }

  /// Changes a store with plain SQL.
  func change(_ name: String, _ sql: String) throws {
    let database = try Database(path: folder.appending(name).path, mode: .readWrite)
    try database.execute(sql)
    try database.close()
  }

  /// One line for each artist, with the tracks.
  func artists(_ name: String, version: Int) throws -> [String] {
    let store = try PersistentStore(url: folder.appending(name), models: [versions[version]], mode: .readOnly)
    defer { try? store.close() }
    let context = ManagedObjectContext(store: store)
    return try context.fetch(FetchRequest(entityName: "Artist")).map { artist in
      let titles = artist[toMany: "tracks"].compactMap { $0["title"].string }.sorted()
      return "\(artist["name"].string ?? "-"): \(titles.joined(separator: " "))"
    }
    .sorted()
  }

  /// Everything below the folder, with the bytes of files.
  func listing() throws -> [String: Data] { try folder.contents() }
}
