import HeavyliftModel
import HeavyliftStore

extension InspectReport {
  /// The report for scripts; unknown values are null.
  var json: JSONValue {
    let metadata = inspection.metadata
    return .object(
      [
        ("store", .string(path)), ("identifier", .string(metadata.identifier)),
        ("frameworkVersion", .optional(metadata.frameworkVersion)), ("journalMode", .string(inspection.journalMode)),
        ("sizes", sizes), ("version", versionJSON),
      ] + (metadata.versionID.map { [("versionID", .string($0))] } ?? []) + [
        ("entities", .array(inspection.entities.map(Self.json))),
        (
          "unknown",
          .object([
            ("historyTables", .array(inspection.historyTables.map(Self.json))),
            ("tables", .array(inspection.unknownTables.map(Self.json))),
            (
              "columns",
              .array(
                inspection.unknownColumns.map { .object([("table", .string($0.table)), ("column", .string($0.name))]) })
            ),
            ("triggers", .strings(inspection.unknownTriggers)), ("views", .strings(inspection.views)),
            ("metadataKeys", .strings(metadata.applicationValues.keys.sorted())),
          ])
        ),
        ("deferredCleanup", .array(inspection.deferredCleanup.map(\.json))),
        ("notes", .array(notes.map(\.json))),
      ] + hashMembers)
  }

  private var hashMembers: [(String, JSONValue)] {
    guard let hashes else { return [] }
    return [
      (
        "versionHashes",
        .object(hashes.sorted { $0.key < $1.key }.map { ($0.key, .string($0.value.hexadecimal)) })
      )
    ]
  }

  private var sizes: JSONValue {
    .object([
      ("store", .optional(inspection.files.size)), ("writeAheadLog", .optional(inspection.files.writeAheadLogSize)),
      ("unused", .integer(inspection.freeByteCount)), ("externalFiles", .count(inspection.externalFileCount)),
      ("externalData", .integer(inspection.externalByteCount)),
    ])
  }

  private var versionJSON: JSONValue {
    let answer: (String, [(String, JSONValue)]) =
      switch version {
      case .one(let fit):
        (
          "one",
          [
            ("model", .optional(fit.model.name)), ("sameVersions", .strings(fit.twins.compactMap(\.name))),
            ("evidence", .string(fit.evidence.rawValue)),
            ("configuration", .optional(fit.configuration)),
          ]
        )
      case .several: ("several", [])
      case .none: ("none", [])
      }
    let candidates = undecided.map { candidate -> JSONValue in
      .object([("model", .string(candidate.place)), ("reasons", .strings(candidate.reasons))])
    }
    return .object(
      [("fits", .string(answer.0))] + answer.1 + [
        ("candidates", .array(candidates)), ("ownModel", .string(ownModelName)),
      ] + ownModelDifferences
    )
  }

  private var ownModelName: String {
    switch ownModel {
    case .none: "none"
    case .current: "current"
    case .stale: "stale"
    case .unreadable: "unreadable"
    }
  }

  private var ownModelDifferences: [(String, JSONValue)] {
    if case .stale(let entities) = ownModel { [("differingEntities", .strings(entities))] } else { [] }
  }

  private static func json(_ table: StoreInspection.Table) -> JSONValue {
    .object([("table", .string(table.name)), ("rows", .count(table.rows))])
  }

  private static func json(_ entity: StoreInspection.Entity) -> JSONValue {
    .object([
      ("number", .count(entity.number)), ("name", .string(entity.name)), ("parent", .optional(entity.parentName)),
      ("table", .optional(entity.tableName)), ("objects", .optional(entity.objects)),
      ("highestKey", .optional(entity.highestKey)), ("maximumKey", .optional(entity.maximumKey)),
    ])
  }
}
