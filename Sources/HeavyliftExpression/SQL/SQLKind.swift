import HeavyliftModel

/// The kind of a translated expression's value, which is more specific than SQLite's types.
package enum SQLKind: Hashable, Sendable {
  /// Always nil.
  case null
  case bool
  case integer
  case double
  /// An integer or a floating-point number, depending on how SQLite stores it.
  case number
  case decimal
  case string
  case date
  case uuid
  case uri
  case data
  /// The key of an object.
  case object(entity: String)

  /// Creates the kind of an attribute's values; returns `nil` if they do not fit into one column.
  package init?(_ type: AttributeType) {
    switch type {
    case .integer16, .integer32, .integer64: self = .integer
    case .boolean: self = .bool
    case .double, .float: self = .double
    case .decimal: self = .decimal
    case .string: self = .string
    case .date: self = .date
    case .binaryData, .transformable: self = .data
    case .uuid: self = .uuid
    case .uri: self = .uri
    case .undefined, .objectID, .composite: return nil
    }
  }

  /// The letter that represents the kind in function names.
  var letter: Character {
    switch self {
    case .null: "z"
    case .bool: "b"
    case .integer: "i"
    case .double: "f"
    case .number: "n"
    case .decimal: "m"
    case .string: "s"
    case .date: "d"
    case .uuid: "u"
    case .uri: "l"
    case .data: "x"
    case .object: "o"
    }
  }

  var phrase: String {
    switch self {
    case .null: "nothing"
    case .bool: "a Boolean"
    case .integer: "an integer"
    case .double: "a floating-point number"
    case .number: "a number"
    case .decimal: "a decimal"
    case .string: "a string"
    case .date: "a date"
    case .uuid: "a UUID"
    case .uri: "a URI"
    case .data: "data"
    case .object: "an object"
    }
  }

  /// True for numbers that SQLite compares and calculates with directly.
  var isPlainNumber: Bool {
    switch self {
    case .bool, .integer, .double, .number: true
    default: false
    }
  }

  var isNumber: Bool { isPlainNumber || self == .decimal }

  var isWhole: Bool { self == .bool || self == .integer }

  var isObject: Bool { if case .object = self { true } else { false } }

  /// Returns the kind that covers both kinds; nil if there is none.
  func merged(with other: SQLKind) -> SQLKind? {
    switch (self, other) {
    case _ where self == other: self
    case (.null, _): other
    case (_, .null): self
    case (.integer, .double), (.double, .integer), (.number, .integer), (.number, .double), (.integer, .number),
      (.double, .number):
      .number
    default: nil
    }
  }
}
