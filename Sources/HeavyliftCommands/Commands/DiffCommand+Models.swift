import HeavyliftModel
import HeavyliftXML

extension DiffCommand {
  func compareModels(_ first: String, _ second: String, _ io: CommandIO) throws -> ExitCode {
    let before = try ModelSource(path: first, url: io.url(first))
    let after = first == second ? before : try ModelSource(path: second, url: io.url(second))
    let old = try before.version(named: firstVersion, option: "--from")
    let new = try after.version(named: secondVersion, option: "--to")
    try refuseMistakes(before.diagnostics + (first == second ? [] : after.diagnostics))
    let difference = ModelDifference(from: old.model, to: new.model)
    let isSame = difference.isEmpty && !difference.changesVersionHashes
    if writesJSON {
      try io.write(Self.json(difference, isSame: isSame, old, new).indented)
    } else {
      let style = TextStyle(io)
      try io.write(
        lines: [
          style.bold("from '\(old.name.shown)' (\(first.shown)) to '\(new.name.shown)' (\(second.shown))"), "",
          difference.description.shownLines,
        ])
    }
    return isSame ? .success : .negative
  }

  /// Throws if there are errors: a file with mistakes does not show what its author meant.
  private func refuseMistakes(_ diagnostics: [Diagnostic]) throws {
    let errors = diagnostics.filter { $0.severity == .error }
    if !errors.isEmpty { throw DiagnosticList(errors) }
  }

  private static func json(
    _ difference: ModelDifference, isSame: Bool, _ old: ModelSource.Version, _ new: ModelSource.Version
  ) -> JSONValue {
    .object([
      ("from", .string(old.name)), ("to", .string(new.name)), ("same", .bool(isSame)),
      ("changesVersionHashes", .bool(difference.changesVersionHashes)),
      ("changes", .array(difference.changes.map(json))), ("entities", .array(difference.entities.map(json))),
      (
        "parts",
        .array(
          difference.parts.map { part in
            .object([
              ("kind", .string(part.kind.rawValue)), ("difference", .string(part.difference.rawValue)),
              ("oldName", .optional(part.oldName)), ("newName", .optional(part.newName)),
              ("changes", .array(part.changes.map(json))), ("elements", .array(part.elements.map(json))),
            ])
          })
      ),
    ])
  }

  private static func json(_ entity: EntityDifference) -> JSONValue {
    .object([
      ("difference", .string(entity.difference.rawValue)), ("oldName", .optional(entity.oldName)),
      ("newName", .optional(entity.newName)), ("changesVersionHash", .bool(entity.changesVersionHash)),
      ("versionHashReasons", .strings(entity.versionHashReasons.map(\.description))),
      ("oldVersionHash", .optional(entity.oldVersionHash?.hexadecimal)),
      ("newVersionHash", .optional(entity.newVersionHash?.hexadecimal)),
      ("changes", .array(entity.changes.map(json))), ("properties", .array(entity.properties.map(json))),
    ])
  }

  private static func json(_ property: PropertyDifference) -> JSONValue {
    .object([
      ("kind", .string(property.kind.rawValue)), ("difference", .string(property.difference.rawValue)),
      ("oldName", .optional(property.oldName)), ("newName", .optional(property.newName)),
      ("facts", .optional(property.facts)), ("changesVersionHash", .bool(property.changesVersionHash)),
      ("changes", .array(property.changes.map(json))),
    ])
  }

  private static func json(_ change: ParameterChange) -> JSONValue {
    .object([
      ("parameter", .string(change.parameter)), ("old", .optional(change.old)), ("new", .optional(change.new)),
      ("changesVersionHash", .bool(change.changesVersionHash)),
    ])
  }
}
