extension Value {
  /// Returns the number as an attribute of the given type compares it with its bounds.
  ///
  /// The bounds of a Float attribute have single precision, but a value copied from a Double attribute has more digits:
  /// 0.1 is less than its own nearest Float, 0.10000000149011612.
  package func compared(in type: AttributeType) -> Value {
    guard type == .float, case .double(let number) = self else { return self }
    return .double(Double(Float(number)))
  }
}
