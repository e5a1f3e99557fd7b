import HeavyliftModel

/// A value in a JSON file, with its location.
struct JSONNode: Hashable, Sendable {
  /// A name and its value. An object's members keep the order of the file.
  struct Member: Hashable, Sendable {
    var name: String
    var nameLocation: DiagnosticLocation
    var value: JSONNode
  }

  enum Kind: Hashable, Sendable {
    case null
    case bool(Bool)
    /// The number as it was written: a `Double` would lose some digits of a long integer.
    case number(String)
    case string(String)
    case array([JSONNode])
    case object([Member])
  }

  var kind: Kind
  var location: DiagnosticLocation

  /// The kind of value, for messages.
  var name: String {
    switch kind {
    case .null: "null"
    case .bool: "a Boolean"
    case .number: "a number"
    case .string: "a string"
    case .array: "an array"
    case .object: "an object"
    }
  }

  var string: String? { if case .string(let text) = kind { text } else { nil } }

  var members: [Member]? { if case .object(let members) = kind { members } else { nil } }

  var elements: [JSONNode]? { if case .array(let elements) = kind { elements } else { nil } }
}
