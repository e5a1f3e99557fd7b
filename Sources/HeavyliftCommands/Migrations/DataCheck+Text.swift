import Heavylift

extension DataCheck {
  /// Lines that say what was checked, and what was not.
  ///
  /// - Parameter hopCount: The number of hops, of which the first was checked.
  func summary(hopCount: Int) -> String {
    let result =
      findings.isEmpty
      ? "no expression fails, and no attribute's value breaks a rule of the new model"
      : "some values would stop the migration, see below"
    let later = hopCount > 1 ? "; later hops check their data when they run" : ""
    return HelpText.wrapped(
      "checked the data for hop 1, \(objectCount.counted("object")): \(result)\(later)", width: 80)
  }

  /// An error for each finding, with the values.
  var diagnostics: [Diagnostic] { findings.map(\.diagnostic) }

  var json: JSONValue {
    .object([
      ("objects", .count(objectCount)), ("findings", .array(findings.map(\.json))),
      (
        "unchecked",
        .array(unchecked.map { .object($0.expression.members + [("reason", .string($0.reason))]) })
      ),
    ])
  }
}

extension DataCheck.Finding {
  fileprivate var diagnostic: Diagnostic {
    let part = expression.property.map { "property '\($0)': " } ?? "filter "
    let objects = examples.map { example in
      let values = example.values.map { "\($0.name) = \($0.json)" }.joined(separator: ", ")
      return "\n    \(example.object)" + (values.isEmpty ? "" : ": \(values)")
    }
    let rest = count - examples.count
    return Diagnostic(
      .error, code: code,
      problem:
        "entity mapping '\(expression.entityMapping)', \(part)\(expression.expression): \(problem), in \(count.counted("object"))"
        + objects.joined() + (rest > 0 ? "\n    and \(rest.grouped) more" : ""),
      remedy: remedy)
  }

  fileprivate var json: JSONValue {
    .object(
      expression.members + [
        ("code", .string(code)), ("problem", .string(problem)), ("remedy", .optional(remedy)),
        ("objects", .count(count)),
        (
          "examples",
          .array(
            examples.map { example in
              .object([
                ("object", .string(example.object)),
                // As text, because a shortened value is no longer valid JSON.
                ("values", .object(example.values.map { ($0.name, .string($0.json)) })),
              ])
            })
        ),
      ])
  }
}

extension DataCheck.NamedValue {
  private static let mostBytes = 200

  /// The value as JSON, possibly shortened.
  fileprivate var json: String {
    let text = JSONText.value(value)
    return text.utf8.count > Self.mostBytes ? String(text.prefix(Self.mostBytes)) + "…" : text
  }
}
