import Heavylift
import HeavyliftVerification

/// The verifier's findings as text and JSON.
struct VerificationText {
  let report: VerificationReport

  init(_ report: VerificationReport) { self.report = report }

  func lines(_ style: TextStyle) -> [String] {
    var mappings = TextTable([("Mapping", .left), ("Objects", .right), ("Values", .right), ("Differences", .right)])
    for mapping in report.mappings {
      let isDecided = !mapping.isDeclarative || mapping.differences == mapping.fromChangedObjects
      let note = isDecided && mapping.differences > 0 ? " (policy)" : ""
      mappings.add([
        mapping.name.shown, mapping.objects.grouped, mapping.values.grouped, mapping.differences.grouped + note,
      ])
    }
    var entities = TextTable([
      ("Old objects", .left), ("All", .right), ("Migrated", .right), ("Filtered", .right), ("Removed", .right),
      ("Not mentioned", .right),
    ])
    for entity in report.conservation where entity.objects > 0 {
      entities.add(
        [entity.entityName.shown]
          + [entity.objects, entity.migrated, entity.filtered, entity.removed, entity.unmentioned].map(\.grouped))
    }
    var lines = mappings.lines(indentation: "", style: style) + [""] + entities.lines(indentation: "", style: style)
    let unexpected = report.unexpected.sorted { $0.key < $1.key }
    if !unexpected.isEmpty {
      lines += [
        "",
        report.isClean ? "New objects created by policies, not by a mapping:" : "New objects that no mapping creates:",
      ]
      lines += unexpected.map { "  \($0.key.shown): \($0.value.grouped)" }
    }
    lines += structure
    let unverified = report.mappings.filter { !$0.unverified.isEmpty }
    if !unverified.isEmpty {
      lines += ["", "Not recomputed:"]
      for mapping in unverified {
        lines += mapping.unverified.sorted { $0.key < $1.key }.map {
          "  '\($0.key.shown)' of \(mapping.name.shown): \($0.value.shown)"
        }
      }
    }
    if !report.changedEntities.isEmpty {
      lines += [
        "",
        "Policies changed or deleted old objects of \(report.changedEntities.quotedList) before they were migrated. Values that "
          + "come from such objects count as decided by policies.",
      ]
    }
    if !report.examples.isEmpty {
      let title = report.isClean ? "Decided by policies" : "Differences"
      lines += ["", "\(title) (up to \(report.examplesPerProperty) per property):"]
      for example in report.examples {
        lines.append("  " + Self.text(example).shown)
        if let location = example.location { lines.append("    \(location)".shown) }
      }
    }
    if !report.otherContents.differences.isEmpty {
      lines += ["", "Other differences:"] + report.otherContents.differences.map { "  \($0)".shown }
    }
    return lines + [""] + compared + ["", verdict(style)]
  }

  /// The list of what was compared, so that the verdict says neither more nor less.
  private var compared: [String] {
    var lines = ["Compared:"]
    if report.hasComparedValues {
      let objects = report.mappings.map(\.objects).reduce(0, +)
      let values = report.mappings.map(\.values).reduce(0, +)
      lines.append(
        report.stride == 1
          ? "  \(values.counted("value", "values and links")) of \(objects.counted("object"))"
          : "  \(values.counted("value", "values and links")) of one in \(report.stride.grouped) of the \(objects.counted("object"))"
      )
    }
    lines += [
      "  keys, entity numbers and links of all rows in the new store",
      "  UUID, user_version, application_id, and the application's values in the metadata",
    ]
    let other = report.otherContents
    lines += other.rows.sorted { $0.key < $1.key }.map {
      "  table '\($0.key.shown)', which is not Core Data's: \($0.value.counted("row"))"
    }
    guard !other.skippedTables.isEmpty else { return lines }
    return lines + ["Not compared:"]
      + other.skippedTables.sorted { $0.key < $1.key }.map { "  table '\($0.key.shown)': \($0.value)" }
  }

  private var structure: [String] {
    guard !report.damage.isEmpty else { return [] }
    var lines = ["", "Damaged rows and links in the new store:"]
    for damage in report.damage {
      let keys = damage.examples.map { "p\($0)" }.joined(separator: ", ")
      let examples = keys.isEmpty ? "" : " (\(keys)\(damage.count > damage.examples.count ? ", …" : ""))"
      lines.append("  \(damage.summary)\(examples)".shown)
    }
    let inherited = report.inheritedDamage.values.reduce(0, +)
    if inherited > 0 {
      lines.append(
        "  of these, \(inherited.grouped) are not counted, because the old store has as many of the same kind")
    }
    if !report.hasComparedValues {
      lines.append("  objects and values were not compared, because objects with invalid keys cannot be read")
    }
    return lines
  }

  func verdict(_ style: TextStyle) -> String {
    let made = report.unexpected.values.reduce(0, +)
    let decided = report.decidedByPolicies.counted("value")
    guard report.isClean else {
      return style.red("\(report.differences.counted("difference")) from what the mapping declares")
        + (report.decidedByPolicies > 0 ? "; policies set \(decided) differently than declared" : "")
    }
    let created = made > 0 ? "; policies created \(made.grouped) more \(made == 1 ? "object" : "objects")" : ""
    return report.decidedByPolicies > 0
      ? "policies set \(decided) differently than declared; everything else is as the mapping declares\(created)"
      : "everything is as the mapping declares\(created)"
  }

  private static func text(_ difference: VerificationDifference) -> String {
    let source = difference.source.map { "\($0.entityName)/p\($0.key)" }
    let destination = difference.destination.map { "\($0.entityName)/p\($0.key)" }
    let subject = [source, destination].compactMap(\.self).joined(separator: " → ")
    let property = difference.propertyName.map { "'\($0)'" } ?? ""
    func list(_ objects: [ManagedObjectID]) -> String {
      let shown = objects.prefix(5).map { "\($0.entityName)/p\($0.key)" }.joined(separator: ", ")
      return objects.isEmpty ? "nothing" : objects.count > 5 ? "\(objects.count.grouped) objects (\(shown), …)" : shown
    }
    return switch difference.kind {
    case .missing: "\(subject): no counterpart in the new store"
    case .several(let count): "\(subject): \(count.grouped) counterparts, but the mapping declares one"
    case .unexpected: "\(subject): no mapping creates it"
    case .value(let expected, let found):
      "\(subject): \(property) is \(short(found)), but the mapping says \(short(expected))"
    case .targets(let expected, let found):
      "\(subject): \(property) leads to \(list(found)), but the mapping says \(list(expected))"
    case .failed(let reason): "\(subject): \(property) has no value: \(reason.split(separator: "\n").first ?? "")"
    }
  }

  /// Shortens long values.
  private static func short(_ value: Value) -> String {
    let text = JSONText.value(value)
    return text.count > 60 ? "\(text.prefix(50))… (\(text.count.grouped) characters)" : text
  }

  private var otherContents: JSONValue {
    let other = report.otherContents
    return .object([
      ("rows", .object(other.rows.sorted { $0.key < $1.key }.map { ($0.key, .count($0.value)) })),
      ("notCompared", .object(other.skippedTables.sorted { $0.key < $1.key }.map { ($0.key, .string($0.value)) })),
      ("differences", .strings(other.differences.map(\.description))),
    ])
  }

  var json: JSONValue {
    .object([
      ("isClean", .bool(report.isClean)), ("differences", .count(report.differences)),
      ("decidedByPolicies", .count(report.decidedByPolicies)),
      (
        "mappings",
        .array(
          report.mappings.map { mapping in
            .object([
              ("name", .string(mapping.name)), ("policy", .optional(mapping.policyClassName)),
              ("objects", .count(mapping.objects)), ("values", .count(mapping.values)),
              ("differences", .count(mapping.differences)),
              ("fromChangedObjects", .count(mapping.fromChangedObjects)),
              (
                "notComputed",
                .object(mapping.unverified.sorted { $0.key < $1.key }.map { ($0.key, .string($0.value)) })
              ),
            ])
          })
      ),
      (
        "sourceObjects",
        .array(
          report.conservation.map { entity in
            .object([
              ("entity", .string(entity.entityName)), ("objects", .count(entity.objects)),
              ("migrated", .count(entity.migrated)), ("filtered", .count(entity.filtered)),
              ("removed", .count(entity.removed)), ("notMentioned", .count(entity.unmentioned)),
            ])
          })
      ),
      (
        "unexpected",
        .object(report.unexpected.sorted { $0.key < $1.key }.map { ($0.key, .count($0.value)) })
      ),
      (
        "damage",
        .array(
          report.damage.map { damage in
            .object([
              ("kind", .string(damage.kind.rawValue)), ("table", .string(damage.table)),
              ("property", .optional(damage.property)), ("count", .count(damage.count)),
              ("examples", .array(damage.examples.map { .count(Int($0)) })),
            ])
          })
      ),
      (
        "inheritedDamage",
        .object(
          report.inheritedDamage.sorted { $0.key.rawValue < $1.key.rawValue }.map {
            ($0.key.rawValue, .count($0.value))
          })
      ),
      ("hasComparedValues", .bool(report.hasComparedValues)), ("sample", .count(report.stride)),
      ("otherContents", otherContents),
      (
        "examples",
        .array(
          report.examples.map { example in
            .object([
              ("mapping", .optional(example.entityMappingName)), ("property", .optional(example.propertyName)),
              ("source", .optional(example.source?.uriRepresentation)),
              ("destination", .optional(example.destination?.uriRepresentation)),
              ("text", .string(Self.text(example))),
              ("place", .optional(example.location.map { "\($0)" })),
            ])
          })
      ),
    ])
  }
}
