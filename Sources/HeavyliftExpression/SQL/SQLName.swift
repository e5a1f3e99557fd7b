/// A name as written in SQL: bare if it begins with Z, like all names that Core Data chooses, and unlike any keyword of
/// SQLite; quoted if necessary.
package struct SQLName: CustomStringConvertible {
  package let description: String

  package init(_ name: String) {
    let isBare =
      name.utf8.first == UInt8(ascii: "Z")
      && name.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
          true
        default: false
        }
      }
    description = isBare ? name : name.quotedForSQL("\"")
  }

  /// The name of a table, with its database.
  init(_ name: String, in database: String?) {
    let table = SQLName(name)
    description = database.map { "\(SQLName($0)).\(table)" } ?? table.description
  }
}

extension String {
  /// The text in quotation marks for SQL. A quotation mark is doubled even if it forms one character with another scalar,
  /// because SQLite reads bytes.
  package func quotedForSQL(_ mark: Unicode.Scalar) -> String {
    var quoted = String.UnicodeScalarView()
    quoted.append(mark)
    for scalar in unicodeScalars {
      if scalar == mark { quoted.append(mark) }
      quoted.append(scalar)
    }
    quoted.append(mark)
    return String(quoted)
  }
}
