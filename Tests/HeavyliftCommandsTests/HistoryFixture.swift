import Foundation
import Heavylift
import HeavyliftTestSupport

/// The library of `ToolFixture` with a longer history, and mapping files for some of its hops.
struct HistoryFixture {
  let library: ToolFixture

  /// - Parameter changes: The changes from each version to the next, starting with `Library 2`.
  init(_ changes: ((inout ManagedObjectModel) -> Void)...) throws {
    library = try ToolFixture()
    try library.addVersions(changes)
  }

  /// Adds an attribute to an entity.
  static func add(
    _ name: String, to entity: String = "Author", type: AttributeType = .string, default value: Value = .null
  ) -> (inout ManagedObjectModel) -> Void {
    { model in
      guard let place = model.entities.firstIndex(where: { $0.name == entity }) else { return }
      model.entities[place].attributes.append(
        AttributeDescription(name: name, type: type, isOptional: value.isNull, defaultValue: value))
    }
  }

  /// Replaces an attribute by another one, without a renaming identifier.
  static func replace(_ name: String, with other: String, in entity: String) -> (inout ManagedObjectModel) -> Void {
    { model in
      guard let place = model.entities.firstIndex(where: { $0.name == entity }),
        let index = model.entities[place].attributes.firstIndex(where: { $0.name == name })
      else { return }
      model.entities[place].attributes[index].name = other
    }
  }

  static func remove(_ name: String, from entity: String) -> (inout ManagedObjectModel) -> Void {
    { model in
      guard let place = model.entities.firstIndex(where: { $0.name == entity }) else { return }
      model.entities[place].attributes.removeAll { $0.name == name }
    }
  }

  /// Writes a mapping file.
  func write(_ body: String, from source: String, to destination: String, as name: String) throws {
    try library.write(
      "<mapping-model source=\"\(source)\" destination=\"\(destination)\">\(body)</mapping-model>", to: name)
  }

  func run(_ arguments: String...) -> ToolFixture.Run { library.run(arguments) }

  func text(_ name: String) throws -> String { try String(contentsOf: library.folder.appending(name), encoding: .utf8) }

  func exists(_ name: String) -> Bool {
    FileManager.default.fileExists(atPath: library.folder.appending(name).path)
  }
}

extension ToolFixture {
  /// Adds versions to the library's bundle, each of which changes the one before.
  func addVersions(_ changes: [(inout ManagedObjectModel) -> Void]) throws {
    var versions = [("Library", ToolFixture.firstModel), ("Library 2", ToolFixture.secondModel)]
    for (number, change) in changes.enumerated() {
      var model = versions[versions.count - 1].1
      change(&model)
      versions.append(("Library \(number + 3)", model))
    }
    let bundle = folder.appending("Library.xcdatamodeld")
    try FileManager.default.removeItem(at: bundle)
    try ModelBundle(
      versions: versions.map { .init(name: $0.0, model: $0.1) }, currentVersionName: versions[versions.count - 1].0
    ).write(to: bundle)
  }
}
