import Foundation
import HeavyliftTestSupport

@testable import Heavylift
@testable import HeavyliftStore

/// Everything in a store that two ways of migrating it must agree on.
struct InPlaceOutcome: Equatable {
  var rows: [String: [String]] = [:]
  var schema: [String] = []
  var dump = ""
  var files: [String] = []
  var metadata: [String] = []
  var damage: [String] = []

  /// - Parameter hasLeftovers: True to compare only what the model describes.
  init(of store: URL, _ model: ManagedObjectModel, migratedFrom source: URL, hasLeftovers: Bool = false) throws {
    let opened = try PersistentStore(url: store, models: [model], mode: .readOnly)
    defer { try? opened.close() }
    let sink = MemorySink()
    _ = try StoreDump(opened).write(to: sink)
    dump = sink.text
    metadata = [
      opened.metadata.versionChecksum ?? "", opened.metadata.versionHashesDigest ?? "", opened.metadata.identifier,
      "\(opened.metadata.versionIdentifiers.sorted())", "\(opened.metadata.applicationValues)",
    ]
    damage = try opened.database.damage()
    files = try RowTexts(store, migratedFrom: source).files()
    guard !hasLeftovers else { return }
    let database = opened.database
    let texts = try RowTexts(store, migratedFrom: source)
    schema = try database.schemaTexts().filter { !$0.hasPrefix("index sqlite_autoindex") }
    for object in try database.schemaObjects() where object.type == .table && object.name != "Z_METADATA" {
      // An object's version counts its saves.
      rows[object.name] = try texts.rows(try MigrationOutcome.query(object.name, database, ignoring: ["Z_OPT"]))
        .sorted()
    }
  }

  /// A description of the difference between two outcomes.
  func difference(_ other: InPlaceOutcome) -> String {
    let tables = Set(rows.keys).union(other.rows.keys).sorted().filter { rows[$0] != other.rows[$0] }
    var lines = tables.map { "\($0)\n  copied:   \(rows[$0] ?? [])\n  in place: \(other.rows[$0] ?? [])" }
    lines += Set(schema).symmetricDifference(other.schema).sorted()
    if dump != other.dump {
      let (own, others) = (dump.split(separator: "\n"), other.dump.split(separator: "\n"))
      for (own, other) in zip(own, others) where own != other { lines += ["copied:   \(own)", "in place: \(other)"] }
    }
    if metadata != other.metadata { lines.append("\(metadata) \(other.metadata)") }
    if damage != other.damage { lines.append("\(damage) \(other.damage)") }
    if files != other.files { lines.append("\(files) \(other.files)") }
    return lines.joined(separator: "\n")
  }
}
