public import HeavyliftModel

extension ExpressionValue {
  /// Creates an expression value from an attribute value. A composite becomes a dictionary.
  @inlinable public init(_ value: Value) {
    switch value {
    case .null: self = .null
    case .bool(let value): self = .bool(value)
    case .integer(let value): self = .integer(value)
    case .double(let value): self = .double(value)
    case .decimal(let value): self = .decimal(value)
    case .string(let value): self = .string(value)
    case .date(let value): self = .date(value)
    case .uuid(let value): self = .uuid(value)
    case .uri(let value): self = .uri(value)
    case .data(let value): self = .data(value)
    case .composite(let elements): self = .dictionary(elements.mapValues(ExpressionValue.init))
    }
  }

  /// Creates an expression value from a constant.
  package init(_ constant: ExpressionConstant) {
    switch constant {
    case .value(let value): self.init(value)
    case .array(let elements): self = .array(elements.map(ExpressionValue.init))
    // Sorted, so that the order is the same on every run.
    case .set(let elements):
      self = .set(DistinctValues(elements.sorted { "\($0)" < "\($1)" }.map(ExpressionValue.init)))
    }
  }
}

extension Value {
  /// Creates an attribute value; returns `nil` for collections and objects, which no attribute can hold.
  public init?(_ value: ExpressionValue) {
    switch value {
    case .null: self = .null
    case .bool(let value): self = .bool(value)
    case .integer(let value): self = .integer(value)
    case .double(let value): self = .double(value)
    case .decimal(let value): self = .decimal(value)
    case .string(let value): self = .string(value)
    case .date(let value): self = .date(value)
    case .uuid(let value): self = .uuid(value)
    case .uri(let value): self = .uri(value)
    case .data(let value): self = .data(value)
    case .dictionary(let elements):
      var composite: [String: Value] = [:]
      for (name, element) in elements {
        guard let value = Value(element) else { return nil }
        composite[name] = value
      }
      self = .composite(composite)
    case .array, .set, .orderedSet, .object: return nil
    }
  }
}
