extension ExpressionType.Kind {
  /// True if any use of the value is allowed.
  var isOpen: Bool { self == .any || self == .null }

  /// True if arithmetic accepts values of this kind without conversion; a Boolean counts as 0 or 1.
  var isNumeric: Bool {
    switch self {
    case .boolean, .integer, .double, .decimal, .number: true
    default: false
    }
  }

  /// True if every value is an integer.
  var isWhole: Bool { self == .integer || self == .boolean }

  /// The element kind of a collection; nil for other kinds.
  var element: ExpressionType.Kind? {
    if case .collection(_, let element) = self { element } else { nil }
  }

  var isCollection: Bool { element != nil }

  /// Returns true if values of the two kinds can be ordered.
  func isOrdered(with other: ExpressionType.Kind) -> Bool {
    if isOpen || other.isOpen { return true }
    if isNumeric && other.isNumeric { return true }
    switch (self, other) {
    case (.string, .string), (.date, .date), (.uuid, .uuid): return true
    default: return false
    }
  }

  /// True if values of this kind can be ordered among themselves.
  var isOrdered: Bool { isOrdered(with: self) }

  /// Returns the kind that covers both kinds; `.mixed` if they are unrelated.
  func joined(with other: ExpressionType.Kind, relation: (String, String) -> String?) -> ExpressionType.Kind {
    if self == other || other == .null { return self }
    if self == .null { return other }
    if self == .any || other == .any { return .any }
    if isNumeric && other.isNumeric { return self == .boolean ? other : other == .boolean ? self : .number }
    switch (self, other) {
    case (.object(let left, let side), .object(let right, let otherSide)) where side == otherSide:
      return relation(left, right).map { .object(entity: $0, side) } ?? .mixed
    case (.collection(let kind, let left), .collection(let otherKind, let right)):
      let element = left.joined(with: right, relation: relation)
      return .collection(kind == otherKind ? kind : .array, of: element)
    default: return .mixed
    }
  }
}

extension ExpressionType {
  /// Returns the kind of the result of `a + b` and other arithmetic on numbers.
  static func calculated(_ left: Kind, _ right: Kind) -> Kind {
    if left.isWhole && right.isWhole { return .integer }
    if left == .double || right == .double { return .double }
    if (left == .decimal || left.isWhole) && (right == .decimal || right.isWhole) { return .decimal }
    return .number
  }
}
