import HeavyliftExpression

/// An SQL translation as text and JSON.
struct TranslationReport {
  private let fragment: SQLFragment
  private let statement: String

  init(_ fragment: SQLFragment, isPredicate: Bool, table: String) {
    self.fragment = fragment
    let joins = fragment.joins.map { "\n\($0.text)" }.joined()
    statement =
      isPredicate
      ? "SELECT t0.Z_PK\nFROM \(table) t0\(joins)\nWHERE \(fragment.sql)"
      : "SELECT t0.Z_PK, \(fragment.sql)\nFROM \(table) t0\(joins)"
  }

  var text: String {
    var lines = [statement]
    if !fragment.bindings.isEmpty {
      lines.append("with " + fragment.bindings.map(Self.text).joined(separator: ", "))
    }
    let names = fragment.functions.map(\.name)
    if !names.isEmpty { lines.append("calling \(names.joined(separator: ", "))") }
    return lines.joined(separator: "\n").shownLines + "\n"
  }

  var json: JSONValue {
    .object([
      ("translated", .bool(true)), ("sql", .string(statement.replacing("\n", with: " "))),
      ("bindings", .strings(fragment.bindings.map(Self.text))), ("functions", .strings(fragment.functions.map(\.name))),
      ("mayFail", .bool(fragment.mayFail)),
    ])
  }

  /// The value as an SQL literal.
  private static func text(_ value: SQLValue) -> String {
    switch value {
    case .null: "NULL"
    case .integer(let value): "\(value)"
    case .real(let value): "\(value)"
    case .text(let text): text.quotedForSQL("'")
    case .blob(let bytes):
      "x'" + bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() + "'"
    }
  }
}
