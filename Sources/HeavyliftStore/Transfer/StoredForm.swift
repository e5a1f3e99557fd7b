import Foundation
import HeavyliftExpression
import HeavyliftSQLite

/// Expressions for the value that a column would contain after a value was written to it.
///
/// A column's affinity changes what is stored (https://sqlite.org/datatype3.html#type_affinity); a view's column does
/// not.
struct StoredForm {
  static let numberFunction = "heavylift_stored_number"

  /// Returns an expression for the value that would be read back.
  static func expression(_ sql: String, as declaredType: String) -> String {
    switch declaredType.uppercased() {
    // Storing a negative zero loses its sign.
    case "FLOAT": "CAST((\(sql)) + 0.0 AS \(declaredType))"
    case "INTEGER", "VARCHAR", "BLOB": "CAST(\(sql) AS \(declaredType))"
    // Blobs stay unchanged: they are the digits of decimals that no double can represent. A cast would turn them into
    // numbers.
    default: "\(numberFunction)(\(sql))"
    }
  }

  static func register(on database: Database) throws {
    try database.register(
      directFunction: numberFunction, argumentCount: 1, isDeterministic: true
    ) { arguments, result in
      // A column with numeric affinity stores a real value as an integer if nothing is lost.
      if arguments.type(at: 0) == .real, let whole = Int64(exactly: arguments.double(at: 0)), whole > .min, whole < .max
      {
        result.set(integer: whole)
      } else {
        result.set(arguments, at: 0)
      }
    }
  }

  /// Returns a value as an SQL literal; nil if SQLite might read it as another value.
  static func literal(_ value: SQLValue, _ database: Database) throws -> String? {
    switch value {
    case .null: return "NULL"
    case .integer(let number): return number == .min ? nil : "\(number)"
    case .blob(let data): return "x'\(hex(data))'"
    case .text(let text):
      return text.utf8.contains(0)
        ? "CAST(x'\(hex(Data(text.utf8)))' AS TEXT)" : text.quotedForSQL("'")
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

  /// Returns SQL with literals in place of its parameters; nil if one of the values has no literal.
  static func inlined(_ sql: String, _ bindings: [SQLValue], _ database: Database) throws -> String? {
    var text = String.UnicodeScalarView()
    var rest = bindings[...]
    var quote: Unicode.Scalar?
    for scalar in sql.unicodeScalars {
      if let open = quote {
        if scalar == open { quote = nil }
      } else if scalar == "'" || scalar == "\"" {
        quote = scalar
      } else if scalar == "?" {
        guard let value = rest.popFirst(), let literal = try literal(value, database) else { return nil }
        text.append(contentsOf: literal.unicodeScalars)
        continue
      }
      text.append(scalar)
    }
    return rest.isEmpty ? String(text) : nil
  }
}
