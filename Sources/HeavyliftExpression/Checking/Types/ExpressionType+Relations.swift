extension ExpressionType.Kind {
  /// Whether nothing can be said against any use of it.
  var isOpen: Bool { self == .any || self == .null }

  /// Whether it is calculated with as it is; a Boolean counts as 0 or 1.
  var isNumeric: Bool {
    switch self {
    case .boolean, .integer, .double, .decimal, .number: true
    default: false
    }
  }

  /// Whether it is a whole number whatever its value.
  var isWhole: Bool { self == .integer || self == .boolean }

  /// What a collection holds; nil for what is no collection.
  var element: ExpressionType.Kind? {
    if case .collection(_, let element) = self { element } else { nil }
  }

  var isCollection: Bool { element != nil }

  /// Whether one of two values can be less than the other.
  func isOrdered(with other: ExpressionType.Kind) -> Bool {
    if isOpen || other.isOpen { return true }
    if isNumeric && other.isNumeric { return true }
    switch (self, other) {
    case (.string, .string), (.date, .date), (.uuid, .uuid): return true
    default: return false
    }
  }

  /// Whether values of it have an order among themselves.
  var isOrdered: Bool { isOrdered(with: self) }

  /// The kind that holds what either holds; `.mixed` where they have nothing to do with one another.
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
  /// What `a + b` and its kin give, for numbers.
  static func calculated(_ left: Kind, _ right: Kind) -> Kind {
    if left.isWhole && right.isWhole { return .integer }
    if left == .double || right == .double { return .double }
    if (left == .decimal || left.isWhole) && (right == .decimal || right.isWhole) { return .decimal }
    return .number
  }
}
