import Foundation

extension Value {
  /// Returns the same value in the form in which an attribute of the given type holds it, or `nil` if the conversion
  /// would lose information.
  ///
  /// As in Core Data, numeric types convert to each other if nothing is lost, and only validation checks that an
  /// integer fits into 16 or 32 bits.
  public func converted(to type: AttributeType) -> Value? {
    if isNull { return .null }
    switch type {
    case .undefined: return self
    case .integer16, .integer32, .integer64: return wholeNumber.map(Value.integer)
    case .boolean: return truth.map(Value.bool)
    case .double: return floatingPoint.map(Value.double)
    case .float: return singlePrecision.map(Value.double)
    case .decimal: return exactDecimal.map(Value.decimal)
    case .string: return unchanged(if: string != nil)
    case .date: return unchanged(if: date != nil)
    case .uuid: return unchanged(if: uuid != nil)
    case .uri: if case .uri = self { return self } else { return .none }
    case .binaryData, .transformable: return unchanged(if: data != nil)
    case .composite: if case .composite = self { return self } else { return .none }
    case .objectID: return .none
    }
  }

  /// A bare `nil` here would mean the value `.null`, so a value that should be rejected would silently become null.
  private func unchanged(if isHeld: Bool) -> Value? { isHeld ? .some(self) : .none }

  private var wholeNumber: Int64? {
    switch self {
    case .integer(let value): value
    case .bool(let value): value ? 1 : 0
    case .double(let value): Int64(exactly: value)
    case .decimal(let value): Int64("\(value)")
    default: nil
    }
  }

  private var truth: Bool? {
    if case .bool(let value) = self { return value }
    return switch wholeNumber {
    case 0: false
    case 1: true
    default: nil
    }
  }

  private var floatingPoint: Double? {
    switch self {
    case .double(let value): value
    case .integer(let value): Double(exactly: value)
    case .bool(let value): value ? 1 : 0
    case .decimal(let value):
      Double("\(value)").flatMap { Decimal(string: "\($0)") == value ? $0 : nil }
    default: nil
    }
  }

  /// The number, rounded only if it has a fraction or comes from a larger floating-point type.
  private var singlePrecision: Double? {
    guard let number = floatingPoint else { return nil }
    switch self {
    case .integer: return Double(Float(number)) == number ? number : nil
    default: return number.isFinite && !Float(number).isFinite ? nil : number
    }
  }

  private var exactDecimal: Decimal? {
    switch self {
    case .decimal(let value): value
    case .integer(let value): Decimal(value)
    case .bool(let value): value ? 1 : 0
    case .double(let value): value.isFinite ? Decimal(string: "\(value)") : nil
    default: nil
    }
  }
}
