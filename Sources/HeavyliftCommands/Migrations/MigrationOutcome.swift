import Foundation
import Heavylift
import HeavyliftVerification

/// The result of a migration or a dry run, as text and JSON.
struct MigrationOutcome {
  let input: MigrationInput
  let plan: IncrementalMigrationPlan
  let warnings: [Diagnostic]
  let isDryRun: Bool
  var report: IncrementalMigrationReport
  /// The differences between the new store and the old one, for a dry run.
  var difference: StoreDifference?
  /// Problems that a dry run found and that would stop the real migration.
  var obstacles: [MigrationError] = []
  /// The verification reports, by hop number, starting at 1; `nil` if verification was not requested.
  var verified: [Int: VerificationReport]?
  var seconds = 0.0

  init(input: MigrationInput, plan: IncrementalMigrationPlan, warnings: [Diagnostic], isDryRun: Bool) {
    self.input = input
    self.plan = plan
    self.warnings = warnings
    self.isDryRun = isDryRun
    report = IncrementalMigrationReport(store: plan.store)
  }

  private var new: String { "'\((plan.destinationModel.name ?? "unnamed").shown)'" }
  private var old: String { plan.versionTitle.shown }

  /// The attributes that have their default value in every object that an entity mapping created, by entity, for all
  /// hops.
  private var defaulted: [String: [String]] {
    var found: [String: Set<String>] = [:]
    for hop in plan.hops {
      for mapping in hop.completedMappings {
        for entity in mapping.explanation().entityMappings where entity.sourceEntity != nil {
          let names = entity.properties.filter { $0.kind == .attribute && $0.treatment == .defaulted }.map(\.name)
          found[entity.destinationEntity ?? "", default: []].formUnion(names)
        }
      }
    }
    let final = plan.destinationModel
    return found.mapValues { $0.sorted() }.filter { !$0.value.isEmpty && final.entity(named: $0.key) != nil }
  }

  // MARK: For people

  func lines(_ style: TextStyle) -> [String] {
    let store = input.store.shown
    let earlier = report.earlierHops.enumerated().flatMap { index, hop in
      [""] + self.lines(of: hop, title: "hop \(index + 1) of \(report.earlierHops.count)", nil, style)
    }
    guard !report.hops.isEmpty else {
      if report.finishedEarlierRun {
        return ["\(store) has version \(new): an earlier run migrated it, and the leftover files were removed"]
          + earlier
      }
      if let destination = input.destination, !isDryRun {
        return ["\(destination.shown) is a copy of \(store), which already has version \(new)"] + unwritten
      }
      return ["\(store) already has version \(new): nothing to do"] + unwritten
    }
    var lines = [style.bold(headline)] + earlier
    for (index, hop) in report.hops.enumerated() {
      let verification = verified?[index + 1]
      lines += [""] + self.lines(of: hop, title: "hop \(index + 1) of \(report.hops.count)", verification, style)
    }
    if let difference { lines += [""] + self.lines(of: difference, style) }
    lines.append("")
    if let backup = input.backup, !isDryRun { lines.append("the old store was kept as \(backup.shown)") }
    if let provenance = input.provenance, !isDryRun { lines.append("provenance: \(provenance.shown)") }
    if isDryRun {
      lines.append(
        "\(store) was not changed, and nothing was left behind"
          + (input.isInPlace ? ": the changes were made in a copy, which is gone" : ""))
      for obstacle in obstacles { lines += ["", "this would stop the migration: \(obstacle.problem.shownLines)"] }
    } else if input.destination != nil {
      lines.append("\(store) is unchanged")
    }
    lines.append("took \(Self.text(seconds))")
    return lines
  }

  /// A line saying that the requested provenance file was not written.
  /// Files that were asked for, but were not needed.
  private var unwritten: [String] {
    if isDryRun { return [] }
    let backup = input.backup.map { "\($0.shown) was not written: the store is unchanged" }
    return [backup, input.provenance.map { "\($0.shown) was not written: the objects are unchanged" }].compactMap(
      \.self)
  }

  private var headline: String {
    let store = input.store.shown
    if let destination = input.destination {
      return isDryRun
        ? "\(store) can be migrated from \(old) to \(new), into \(destination.shown)"
        : "\(store) was migrated from \(old) to \(new), into \(destination.shown)"
    }
    return isDryRun
      ? "\(store) can be migrated from \(old) to \(new)" : "\(store) was migrated from \(old) to \(new)"
  }

  private func lines(
    of hop: IncrementalMigrationReport.Hop, title: String, _ verification: VerificationReport?, _ style: TextStyle
  ) -> [String] {
    let origin =
      switch hop.origin {
      case .inferred: "inferred"
      case .files(let names): "by " + names.map(\.shown).joined(separator: ", then ")
      case .stage(let stage, _): "by " + stage.title.shown
      }
    let title = "\(title): \(hop.title.shown)"
    guard let report = hop.report else {
      return [style.bold(title) + ", done by an earlier run"]
        + (hop.earlierReport.map { Self.losses($0) + Self.notes($0) } ?? [])
    }
    let steps = (hop.inPlaceSteps ?? []).map { "  \($0.description.shown)" }
    if input.isInPlace {
      return [style.bold(title) + ", \(origin), in place, \(Self.text(hop.seconds))"]
        + steps + Self.losses(report) + Self.notes(report)
    }
    var table = TextTable([("entity", .left), ("before", .right), ("after", .right)])
    for name in Set(report.sourceObjects.keys).union(report.objects.keys).sorted() {
      table.add([
        name.shown, report.sourceObjects[name]?.grouped ?? "-", report.objects[name]?.grouped ?? "-",
      ])
    }
    let place = hop.inPlaceSteps == nil ? "" : "in the previous hop's store, "
    let time = place + Self.text(hop.seconds)
    let verdict = verification.map { ["  verified: " + VerificationText($0).verdict(style)] } ?? []
    return [style.bold(title) + ", \(origin), \(time)"] + table.lines(style: style) + steps + Self.losses(report)
      + verdict
      + Self.notes(report)
  }

  private static func losses(_ report: MigrationReport) -> [String] {
    report.rows.compactMap(\.line) + report.links.compactMap(\.line)
      + report.losses.map { "  \($0.description.shown)" }
  }

  private static func notes(_ report: MigrationReport) -> [String] {
    report.notes.flatMap { note in
      ["  \(note.severity.rawValue): \(note.problem.shownLines)"] + (note.remedy.map { ["    \($0.shownLines)"] } ?? [])
    }
  }

  private func lines(of difference: StoreDifference, _ style: TextStyle) -> [String] {
    let defaulted = defaulted
    let rows = rows(of: difference)
    // Most migrations move no objects to other entities.
    let hasMoves = rows.contains { $0.movedHere > 0 || $0.movedAway > 0 }
    var table = TextTable(
      [("entity", .left), ("copied", .right), ("changed", .right)]
        + (hasMoves ? [("moved here", .right), ("moved away", .right)] : [])
        + [("created", .right), ("dropped", .right), ("defaulted", .left)])
    for row in rows {
      table.add(
        [
          row.name.shown + (row.formerName.map { " (was \($0.shown))" } ?? ""), row.copied.grouped,
          row.changed.grouped,
        ] + (hasMoves ? [row.movedHere.grouped, row.movedAway.grouped] : []) + [
          row.created.grouped, row.dropped.grouped,
          defaulted[row.name]?.map(\.shown).joined(separator: ", ") ?? "",
        ])
    }
    var lines = [style.bold("what would change")] + table.lines(style: style)
    let renames = MigrationRenames(plan)
    lines += difference.moves.map { "  \($0.text)" }
    for entity in difference.onlyInFirst where entity.moved > 0 {
      lines += PropertyChanges(ofMovedEntity: entity.name, plan.version, renames).lines
    }
    for entity in difference.entities {
      lines += PropertyChanges(entity, renames).lines
      lines += entity.changedExamples.flatMap { self.lines(of: $0, entity.name) }
      lines += entity.addedObjects.flatMap { self.lines(of: $0, entity.name, isCreated: true) }
    }
    for entity in difference.onlyInSecond {
      lines += entity.examples.flatMap { self.lines(of: $0, entity.name, isCreated: true) }
    }
    return lines
  }

  private func lines(
    of object: StoreDifference.ChangedObject, _ entityName: String, isCreated: Bool = false
  ) -> [String] {
    ["  \(entityName.shown)/p\(object.key)\(isCreated ? ", created" : "")"]
      + object.properties.map { property in
        let (old, new) = ((property.old ?? "none").shown, (property.new ?? "none").shown)
        return "    \(property.name.shown): \(isCreated ? new : "\(old) → \(new)")"
      }
  }

  private struct Row {
    var name: String
    var formerName: String?
    var copied = 0
    var changed = 0
    var movedHere = 0
    var movedAway = 0
    var created = 0
    var dropped = 0
  }

  private func rows(of difference: StoreDifference) -> [Row] {
    let shared = difference.entities.map {
      Row(
        name: $0.name, formerName: $0.formerName, copied: $0.same, changed: $0.changed, movedHere: $0.movedHere,
        movedAway: $0.movedAway, created: $0.added, dropped: $0.removed)
    }
    let gone = difference.onlyInFirst.map { Row(name: $0.name, movedAway: $0.moved, dropped: $0.count - $0.moved) }
    let added = difference.onlyInSecond.map { Row(name: $0.name, movedHere: $0.moved, created: $0.count - $0.moved) }
    return (shared + gone + added).sorted { $0.name < $1.name }
  }

  static func text(_ seconds: Double) -> String {
    let tenths = Int((seconds * 10).rounded())
    return seconds < 60 ? "\(tenths / 10).\(tenths % 10) s" : "\(Int(seconds) / 60) min \(Int(seconds) % 60) s"
  }

  // MARK: For scripts

  var json: JSONValue {
    let members: [(String, JSONValue)] = [
      ("store", .string(input.store)), ("destination", .optional(input.destination)),
      ("from", .optional(plan.version.name)), ("to", .optional(plan.destinationModel.name)),
      ("dryRun", .bool(isDryRun)), ("wasCurrent", .bool(report.wasCurrent)),
      ("finishedEarlierRun", .bool(report.finishedEarlierRun)),
      ("earlierHops", .array(report.earlierHops.map(Self.json))), ("hops", .array(report.hops.map(Self.json))),
      ("backup", .optional(isDryRun ? nil : report.backup.map { _ in input.backup ?? "" })),
      ("provenance", .optional(isDryRun ? nil : report.provenance.map { _ in input.provenance ?? "" })),
      ("changes", difference.map { .array(changes($0)) } ?? .null),
      ("obstacles", .array(obstacles.map(\.diagnostic.json))), ("warnings", .array(warnings.map(\.json))),
      ("milliseconds", .integer(Int64(seconds * 1_000))),
    ]
    return .object(members + verification)
  }

  private var verification: [(String, JSONValue)] {
    guard let verified else { return [] }
    return [
      (
        "verified",
        .array(report.hops.indices.map { hop in verified[hop + 1].map { VerificationText($0).json } ?? .null })
      )
    ]
  }

  private static func json(_ hop: IncrementalMigrationReport.Hop) -> JSONValue {
    var files: JSONValue = .null
    if case .files(let names) = hop.origin { files = .strings(names) }
    var stage: JSONValue = .null
    if case .stage(let summary, _) = hop.origin { stage = summary.json }
    let report = hop.report ?? hop.earlierReport
    return .object([
      ("title", .string(hop.title)), ("mappings", files), ("inferred", .bool(hop.origin == .inferred)),
      ("stage", stage), ("doneEarlier", .bool(hop.report == nil)), ("before", counts(report?.sourceObjects)),
      ("after", counts(report?.objects)),
      (
        "entityMappings",
        .array(
          (report?.mappings ?? []).map {
            .object([("name", .string($0.name)), ("read", .count($0.sources)), ("made", .count($0.declared))])
          })
      ),
      ("rows", .array((report?.rows ?? []).map(\.json))),
      ("links", .array((report?.links ?? []).map(\.json))),
      ("losses", .array((report?.losses ?? []).map(\.json))),
      ("notes", .array((report?.notes ?? []).map(\.json))),
      ("inPlace", hop.inPlaceSteps.map { .array($0.map(\.json)) } ?? .null),
      ("milliseconds", .integer(Int64(hop.seconds * 1_000))),
    ])
  }

  private static func counts(_ counts: [String: Int]?) -> JSONValue {
    .object((counts ?? [:]).sorted { $0.key < $1.key }.map { ($0.key, .count($0.value)) })
  }

  private func changes(_ difference: StoreDifference) -> [JSONValue] {
    let (defaulted, byName) = (
      defaulted, Dictionary(difference.entities.map { ($0.name, $0) }, uniquingKeysWith: { $1 })
    )
    let renames = MigrationRenames(plan)
    return rows(of: difference).map { row in
      let entity = byName[row.name]
      let properties =
        entity.map { PropertyChanges($0, renames) }
        ?? (row.movedAway > 0 ? PropertyChanges(ofMovedEntity: row.name, plan.version, renames) : nil)
      let move = difference.moves.first { $0.entity == row.formerName ?? row.name }
      let created =
        (entity?.addedObjects ?? []) + (difference.onlyInSecond.first { $0.name == row.name }?.examples ?? [])
      let samples = ((entity?.changedExamples ?? []).map { ($0, false) } + created.map { ($0, true) }).map {
        object, isCreated in
        JSONValue.object([
          ("key", .integer(object.key)), ("created", .bool(isCreated)),
          (
            "properties",
            .array(
              object.properties.map {
                .object([("name", .string($0.name)), ("old", .optional($0.old)), ("new", .optional($0.new))])
              })
          ),
        ])
      }
      return .object([
        ("entity", .string(row.name)), ("formerEntity", .optional(row.formerName)), ("copied", .count(row.copied)),
        ("changed", .count(row.changed)),
        ("movedHere", .count(row.movedHere)), ("movedAway", .count(row.movedAway)),
        ("movedTo", .object((move?.destinations ?? []).map { ($0.entity, .count($0.count)) })),
        ("created", .count(row.created)), ("dropped", .count(row.dropped)),
        ("defaulted", .strings(defaulted[row.name] ?? [])), ("lostProperties", .strings(properties?.lost ?? [])),
        ("movedProperties", .object((properties?.moved ?? []).map { ($0.name, .strings($0.successors)) })),
        ("propertiesLeftToCode", .strings(properties?.leftToCode ?? [])),
        ("newProperties", .strings(properties?.new ?? [])), ("samples", .array(samples)),
      ])
    }
  }
}
