import Foundation

/// The order of two values.
enum ValueOrder: Hashable, Sendable {
  case less, same, greater
  /// Neither less nor greater: one of the values is NaN.
  case unordered

  var reversed: ValueOrder {
    switch self {
    case .less: .greater
    case .greater: .less
    case .same, .unordered: self
    }
  }

  init<Value: Comparable>(_ left: Value, _ right: Value) {
    self = left < right ? .less : left == right ? .same : left > right ? .greater : .unordered
  }
}

/// A number for calculations. A Boolean counts as 0 or 1.
enum Number {
  case integer(Int64)
  case double(Double)
  case decimal(Decimal)

  init?(_ value: ExpressionValue) {
    switch value {
    case .integer(let value): self = .integer(value)
    case .double(let value): self = .double(value)
    case .decimal(let value): self = .decimal(value)
    case .bool(let value): self = .integer(value ? 1 : 0)
    default: return nil
    }
  }

  init?(_ scalar: ExpressionScalar) {
    switch scalar {
    case .integer(let value): self = .integer(value)
    case .double(let value): self = .double(value)
    case .bool(let value): self = .integer(value ? 1 : 0)
    case .null, .other: return nil
    }
  }

  var value: ExpressionValue {
    switch self {
    case .integer(let value): .integer(value)
    case .double(let value): .double(value)
    case .decimal(let value): .decimal(value)
    }
  }

  var double: Double {
    switch self {
    case .integer(let value): Double(value)
    case .double(let value): value
    case .decimal(let value): value.nearestDouble
    }
  }

  var isNaN: Bool {
    switch self {
    case .integer: false
    case .double(let value): value.isNaN
    case .decimal(let value): value.isNaN
    }
  }

  /// The integer part, if 64 bits can hold it.
  var truncated: Int64? {
    switch self {
    case .integer(let value): return value
    case .double(let value): return Int64(exactly: value.rounded(.towardZero))
    case .decimal(let value):
      var (whole, value) = (Decimal(), value)
      NSDecimalRound(&whole, &value, 0, value.isSignMinus ? .up : .down)
      return Int64("\(whole)")
    }
  }
}

extension Number {
  /// Compares numbers by value, without rounding one to the other's kind.
  ///
  /// NaN is equal to itself and unordered with everything else, like nil, which replaces NaN in a store.
  func order(to other: Number) -> ValueOrder {
    switch (self, other) {
    case (.integer(let left), .integer(let right)): ValueOrder(left, right)
    case (.double(let left), .double(let right)): left.isNaN && right.isNaN ? .same : ValueOrder(left, right)
    case (.integer(let left), .double(let right)): Number.order(left, right)
    case (.double(let left), .integer(let right)): Number.order(right, left).reversed
    case (.decimal(let left), .decimal(let right)): Number.order(left, right)
    case (.integer(let left), .decimal(let right)): Number.order(Decimal(left), right)
    case (.decimal(let left), .integer(let right)): Number.order(left, Decimal(right))
    case (.decimal(let left), .double(let right)): Number.order(left, right)
    case (.double(let left), .decimal(let right)): Number.order(right, left).reversed
    }
  }

  private static func order(_ left: Int64, _ right: Double) -> ValueOrder {
    if right.isNaN { return .unordered }
    if right >= 0x1p63 { return .less }
    if right < -0x1p63 { return .greater }
    let below = right.rounded(.down)
    let order = ValueOrder(left, Int64(below))
    return order == .same && below != right ? .less : order
  }

  private static func order(_ left: Decimal, _ right: Decimal) -> ValueOrder {
    if left.isNaN || right.isNaN { return left.isNaN && right.isNaN ? .same : .unordered }
    return ValueOrder(left, right)
  }

  /// A double counts as the shortest decimal that reads back as the same double, so that 0.1 as a decimal is equal to
  /// 0.1 as a double.
  private static func order(_ left: Decimal, _ right: Double) -> ValueOrder {
    if left.isNaN || right.isNaN { return left.isNaN && right.isNaN ? .same : .unordered }
    if let right = Decimal(shortest: right) { return ValueOrder(left, right) }
    let order = ValueOrder(left.nearestDouble, right)
    // No decimal equals a double outside the range of decimals.
    return order == .same ? .less : order
  }
}

extension Number: Hashable {
  static func == (lhs: Number, rhs: Number) -> Bool { lhs.order(to: rhs) == .same }

  func hash(into hasher: inout Hasher) {
    // Equal numbers have the same nearest double.
    hasher.combine(isNaN ? .nan : double == 0 ? 0 : double)
  }
}

extension Decimal {
  /// The nearest double.
  var nearestDouble: Double { isNaN ? .nan : Double("\(self)") ?? .nan }

  /// The shortest decimal that reads back as the same double; nil if decimals cannot hold it.
  init?(shortest value: Double) {
    if let whole = Int64(exactly: value) {
      self = Decimal(whole)
    } else if value.isFinite, (1e-110..<1e120).contains(value.magnitude), let decimal = Decimal(string: "\(value)") {
      self = decimal
    } else {
      return nil
    }
  }
}
