/// The spelling of names in generated Swift code.
enum SwiftWords {
  /// Returns true if a name can be an identifier, at least in backticks.
  static func isIdentifier(_ name: String) -> Bool {
    guard let first = name.unicodeScalars.first, first.properties.isXIDStart || first == "_" else { return false }
    return name.unicodeScalars.allSatisfy(\.properties.isXIDContinue) && name != "_" && !unusable.contains(name)
  }

  /// The identifier as it is written: keywords in backticks.
  static func written(_ identifier: String) -> String { keywords.contains(identifier) ? "`\(identifier)`" : identifier }

  /// An identifier made from any name: `Music 1` becomes `Music1`.
  static func identifier(from name: String) -> String {
    let text = TestFiles.identifier(name)
    guard let first = text.unicodeScalars.first else { return "Schema1" }
    let usable = first.properties.isXIDStart ? text : "V" + text
    return isIdentifier(usable) ? usable : "Schema\(usable)"
  }

  /// Names that no nested type or property can have, not even in backticks.
  private static let unusable: Set<String> = ["Type", "Protocol", "self", "Self", "Any", "init", "$"]

  /// Members of `Entity`, which a class cannot declare again.
  static let members: Set<String> = [
    "managedObject", "modelContext", "persistentModelID", "hasChanges", "isDeleted", "description", "hash", "hashValue",
    "record",
  ]

  private static let keywords: Set<String> = [
    "actor", "as", "associatedtype", "async", "await", "break", "case", "catch", "class", "continue", "default",
    "defer",
    "deinit", "do", "else", "enum", "extension", "fallthrough", "false", "fileprivate", "for", "func", "guard", "if",
    "import", "in", "inout", "internal", "is", "let", "nil", "operator", "precedencegroup", "private", "protocol",
    "public", "repeat", "rethrows", "return", "static", "struct", "subscript", "super", "switch", "throw", "throws",
    "true", "try", "typealias", "var", "where", "while",
  ]

  /// A string literal.
  static func literal(_ text: String) -> String {
    var literal = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": literal += "\\\""
      case "\\": literal += "\\\\"
      case "\n": literal += "\\n"
      case "\r": literal += "\\r"
      case "\t": literal += "\\t"
      default:
        // Marks that combine with the character before, and invisible characters, would be unreadable.
        if scalar.properties.generalCategory == .control || scalar.properties.generalCategory == .format
          || scalar.properties.canonicalCombiningClass != .notReordered
        {
          literal += "\\u{\(String(scalar.value, radix: 16))}"
        } else {
          literal.unicodeScalars.append(scalar)
        }
      }
    }
    return literal + "\""
  }

  /// A dictionary literal, sorted by key.
  static func literal(_ dictionary: [String: String]) -> String {
    "["
      + dictionary.sorted { $0.key < $1.key }.map { "\(literal($0.key)): \(literal($0.value))" }.joined(separator: ", ")
      + "]"
  }
}
