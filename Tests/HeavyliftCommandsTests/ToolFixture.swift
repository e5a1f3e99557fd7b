import Foundation
import Heavylift
import HeavyliftCommands
import HeavyliftTestSupport

/// A folder with a model of two versions, a store of the first, and the tool running in it.
final class ToolFixture {
  /// The result of a run of the tool.
  struct Run: Equatable {
    var code: ExitCode
    var output: String
    var errors: String
  }

  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try ModelBundle(
      versions: [
        .init(name: "Library", model: Self.firstModel), .init(name: "Library 2", model: Self.secondModel),
      ], currentVersionName: "Library 2"
    ).write(to: folder.appending("Library.xcdatamodeld"))
    try makeStore("Library.sqlite")
  }

  static var firstModel: ManagedObjectModel {
    ManagedObjectModel(entities: [
      EntityDescription(
        name: "Author", managedObjectClassName: "Author",
        attributes: [AttributeDescription(name: "name", type: .string)],
        relationships: [
          RelationshipDescription(
            name: "books", destinationEntityName: "Book", inverseName: "author", inverseEntityName: "Book")
        ]),
      EntityDescription(
        name: "Book", managedObjectClassName: "Book",
        attributes: [
          AttributeDescription(name: "pages", type: .integer16, defaultValue: .integer(0)),
          AttributeDescription(name: "title", type: .string, isOptional: false),
        ],
        relationships: [
          RelationshipDescription(
            name: "author", destinationEntityName: "Author", inverseName: "books", inverseEntityName: "Author",
            maxCount: 1)
        ]),
      EntityDescription(
        name: "Novel", managedObjectClassName: "Novel", superentityName: "Book",
        attributes: [AttributeDescription(name: "genre", type: .string)]),
    ])
  }

  static var secondModel: ManagedObjectModel {
    var model = firstModel
    model.entities[1].attributes[0].type = .integer32
    model.entities[1].attributes[0].defaultValue = .integer(1)
    return model
  }

  /// Creates a store of the first version with one author and three books.
  func makeStore(_ name: String) throws {
    var options = PersistentStore.CreationOptions()
    options.identifier = "11111111-2222-3333-4444-555555555555"
    options.applicationValues = ["theme": .string("dark")]
    let store = try PersistentStore.create(at: folder.appending(name), model: Self.firstModel, options: options)
    let context = ManagedObjectContext(store: store)
    let author = try context.insert("Author")
    author["name"] = "Franz Kafka"
    for (entity, title) in [("Book", "The Trial"), ("Novel", "Amerika"), ("Book", "Letters")] {
      let book = try context.insert(entity)
      book["title"] = .string(title)
      book[toOne: "author"] = author
      try context.save()
    }
    try store.close()
  }

  /// Changes a store with plain SQL.
  func change(_ name: String, _ sql: String) throws {
    let database = try Database(path: folder.appending(name).path, mode: .readWrite)
    try database.execute(sql)
    try database.close()
  }

  func copy(_ name: String, to other: String) throws {
    try FileManager.default.copyItem(at: folder.appending(name), to: folder.appending(other))
  }

  func write(_ text: String, to name: String) throws {
    try text.write(to: folder.appending(name), atomically: true, encoding: .utf8)
  }

  /// Runs the tool in the folder; the folder's path is shown as `FOLDER`.
  func run(_ arguments: String..., usesColor: Bool = false) -> Run { run(arguments, usesColor: usesColor) }

  func run(_ arguments: [String], code: MigrationCode = MigrationCode(), usesColor: Bool = false) -> Run {
    let (output, errors) = (MemorySink(), MemorySink())
    let io = CommandIO(output: output, errors: errors, usesColor: usesColor, workingDirectory: folder.url)
    var tool = CommandLineTool.heavylift
    tool.code = code
    let exitCode = tool.run(arguments, io)
    return Run(code: exitCode, output: shown(output.text), errors: shown(errors.text))
  }

  private func shown(_ text: String) -> String {
    text.replacing(folder.url.path, with: "FOLDER")
      // The number of pages in a store depends on SQLite.
      .replacing(/size        \d.*B/, with: "size        SIZE")
  }

  /// The names and sizes of all files in the folder, or in one inside it.
  func files(_ name: String = "") throws -> [String] {
    let folder = folder.appending(name)
    return try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted().map { name in
      let attributes = try FileManager.default.attributesOfItem(atPath: folder.appending(path: name).path)
      return "\(name) \(attributes[.size] ?? 0) \(attributes[.modificationDate] ?? 0)"
    }
  }
}
