import Foundation
import HeavyliftExpression
import HeavyliftSQLite

/// What a column would hold after a value was written into it, as an expression.
///
/// A column's affinity changes what is stored (https://sqlite.org/datatype3.html#type_affinity); a view's does not.
struct StoredForm {
  static let numberFunction = "heavylift_stored_number"

  /// The expression that gives what would be read back.
  static func expression(_ sql: String, as declaredType: String) -> String {
    switch declaredType.uppercased() {
    // The sign of a zero is lost in a row.
    case "FLOAT": "CAST((\(sql)) + 0.0 AS \(declaredType))"
    case "INTEGER", "VARCHAR", "BLOB": "CAST(\(sql) AS \(declaredType))"
    // Bytes stay what they are: the digits of a decimal that no double holds. A cast would read a number from them.
    default: "\(numberFunction)(\(sql))"
    }
  }

  static func register(on database: Database) throws {
    try database.register(
      directFunction: numberFunction, argumentCount: 1, isDeterministic: true
    ) { arguments, result in
      // A numeric column makes an integer of a number wherever nothing is lost.
      if arguments.type(at: 0) == .real, let whole = Int64(exactly: arguments.double(at: 0)), whole > .min, whole < .max
      {
        result.set(integer: whole)
      } else {
        result.set(arguments, at: 0)
      }
    }
  }

  /// A value as a literal; nil where SQLite might read another one.
  static func literal(_ value: SQLValue, _ database: Database) throws -> String? {
    switch value {
    case .null: return "NULL"
    case .integer(let number): return number == .min ? nil : "\(number)"
    case .blob(let data): return "x'\(hex(data))'"
    case .text(let text):
      return text.utf8.contains(0)
        ? "CAST(x'\(hex(Data(text.utf8)))' AS TEXT)" : "'\(text.replacing("'", with: "''"))'"
    case .real(let number):
      guard number.isFinite, case .real(let read)? = try database.firstValue("SELECT \(number)"),
        read.bitPattern == number.bitPattern
      else { return nil }
      return "\(number)"
    }
  }

  private static func hex(_ data: Data) -> String {
    data.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }

  /// A text with literals in place of its question marks; nil where one has no literal.
  static func inlined(_ sql: String, _ bindings: [SQLValue], _ database: Database) throws -> String? {
    var text = ""
    var rest = bindings[...]
    var quote: Character?
    for character in sql {
      if let open = quote {
        if character == open { quote = nil }
      } else if character == "'" || character == "\"" {
        quote = character
      } else if character == "?" {
        guard let value = rest.popFirst(), let literal = try literal(value, database) else { return nil }
        text += literal
        continue
      }
      text.append(character)
    }
    return rest.isEmpty ? text : nil
  }
}
