import HeavyliftArchive
import HeavyliftModel
import HeavyliftStore

/// The text form of a store's report.
struct InspectText {
  private let report: InspectReport
  private let style: TextStyle
  private var inspection: StoreInspection { report.inspection }

  init(_ report: InspectReport, _ style: TextStyle) {
    self.report = report
    self.style = style
  }

  var lines: [String] {
    let sections = [summary, undecided, entities, unknown, hashes, notes].filter { !$0.isEmpty }
    return Array(sections.joined(separator: [""]))
  }

  private var summary: [String] {
    let rows =
      [
        ("size", size), ("identifier", inspection.metadata.identifier.shown),
        ("framework", inspection.metadata.frameworkVersion.map { "stated as Core Data \($0)" } ?? "none stated"),
        ("journal", inspection.journalMode == "wal" ? "write-ahead log" : "rollback journal"),
        ("version", version),
      ] + (inspection.metadata.versionID.map { [("version ID", $0.shown)] } ?? []) + [("own model", ownModel)]
    return [style.bold(report.path.shown)] + rows.map { "  " + $0.0.padded(to: 12) + $0.1 }
  }

  private var size: String {
    var parts = [(inspection.files.size ?? 0).byteText]
    if let log = inspection.files.writeAheadLogSize, log > 0 { parts.append("\(log.byteText) in its -wal") }
    if let journal = inspection.files.rollbackJournalSize, journal > 0 {
      parts.append("\(journal.byteText) in its -journal")
    }
    if inspection.externalFileCount > 0 {
      parts.append(
        "\(inspection.externalByteCount.byteText) in \(inspection.externalFileCount.counted("external file"))")
    }
    if inspection.freeByteCount > 0 { parts.append("\(inspection.freeByteCount.byteText) of it unused") }
    return parts.joined(separator: ", ")
  }

  private var version: String {
    switch report.version {
    case .one(let fit):
      let configuration = fit.configuration.map { ", configuration '\($0.shown)'" } ?? ""
      let place = (report.modelPlace ?? "").shown
      guard fit.evidence == .modelCache else {
        return "\(place)\(configuration), according to its \(fit.evidence.rawValue)"
      }
      let others = report.candidateCount == 0 ? "" : "; none of the given models fits"
      return "that of \(place)\(configuration)\(others)"
    case .several(let fits): return "ambiguous: it fits \(fits.count) models by their \(fits[0].evidence.rawValue)"
    case .none where report.candidateCount == 0: return "unknown: give models with --model"
    case .none: return "none of the given models fits"
    }
  }

  private var ownModel: String {
    switch report.ownModel {
    case .none: "none"
    case .current: "the one that the store was written with"
    case .stale(let entities):
      "one of another version, which is not used; it differs in \(entities.count == 1 ? "entity" : "entities") "
        + entities.prefix(12).map { "'\($0.shown)'" }.joined(separator: ", ")
        + (entities.count > 12 ? " and \((entities.count - 12).grouped) more" : "")
    case .unreadable(let reason): "one that cannot be read: \(reason.shownLines)"
    }
  }

  private var undecided: [String] {
    guard !report.undecided.isEmpty else { return [] }
    if case .several = report.version {
      return [style.bold("Models that fit")] + report.undecided.map { "  \($0.place.shown)" }
        + [
          "  their tables are the same, and the store does not record its version: specify which one you mean with --model"
        ]
    }
    var lines = [style.bold("Why no model fits, closest first")]
    for (place, reasons) in report.undecided {
      lines.append("  \(place.shown)")
      lines += reasons.prefix(12).map { "    \($0.shown)" }
      if reasons.count > 12 { lines.append("    and \((reasons.count - 12).grouped) more") }
    }
    return lines
  }

  private var entities: [String] {
    var table = TextTable([
      ("number", .right), ("entity", .left), ("table", .left), ("objects", .right), ("highest key", .right),
      ("Z_MAX", .right),
    ])
    for entity in inspection.entities {
      table.add([
        String(entity.number), String(repeating: "  ", count: entity.depth) + entity.name.shown,
        entity.tableName?.shown ?? "?", entity.objects?.grouped ?? "?",
        entity.highestKey?.grouped ?? "", entity.maximumKey?.grouped ?? "",
      ])
    }
    let title =
      "\(inspection.objectCount.counted("object")) of \(inspection.entities.count.counted("entity", "entities"))"
    return [style.bold(title)] + table.lines(style: style)
  }

  private var unknown: [String] {
    var lines: [String] = []
    lines += inspection.historyTables.map {
      "  table \($0.name.shown): persistent history, \($0.rows.counted("row"))"
    }
    lines += inspection.unknownTables.map { "  table \($0.name.shown): not in the model, \($0.rows.counted("row"))" }
    lines += inspection.unknownColumns.map { "  column \($0.name.shown) of \($0.table.shown): not in the model" }
    lines += inspection.deferredCleanup.map { "  waiting for 'finish-cleanup': \($0.description.shown)" }
    lines += inspection.unknownTriggers.map { "  trigger \($0.shown)" }
    lines += inspection.views.map { "  view \($0.shown)" }
    lines += inspection.metadata.applicationValues.sorted { $0.key < $1.key }.map {
      "  metadata '\($0.key.shown)': \($0.value.kind)"
    }
    return lines.isEmpty ? [] : [style.bold("Also in the store")] + lines
  }

  private var hashes: [String] {
    guard let hashes = report.hashes else { return [] }
    guard !hashes.isEmpty else { return [style.bold("Version hashes"), "  the store records none"] }
    var table = TextTable([("entity", .left), ("hash", .left)])
    for (name, hash) in hashes.sorted(by: { $0.key < $1.key }) { table.add([name.shown, hash.hexadecimal]) }
    return [style.bold("Version hashes")] + table.lines(style: style)
  }

  private var notes: [String] {
    guard !report.notes.isEmpty else { return [] }
    return [style.bold("Notes")]
      + report.notes.flatMap { note in
        ["  \(note.severity == .note ? "" : "\(note.severity.rawValue): ")\(note.problem.shownLines)"]
          + (note.remedy.map { ["    \($0.shownLines)"] } ?? [])
      }
  }
}

extension String {
  func padded(to width: Int) -> String { self + String(repeating: " ", count: max(1, width - count)) }
}

extension PropertyList {
  /// The kind of value. The value itself is not shown, because it is the application's data.
  fileprivate var kind: String {
    switch self {
    case .string: "a string"
    case .integer: "an integer"
    case .real: "a number"
    case .unsigned: "an integer"
    case .uid: "a reference"
    case .boolean: "a Boolean"
    case .date: "a date"
    case .data(let bytes): "data, \(bytes.count.byteText)"
    case .array(let elements): "an array of \(elements.count)"
    case .dictionary(let entries): "a dictionary of \(entries.count)"
    }
  }
}
