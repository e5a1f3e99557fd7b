/// A compiled part of an expression, with the facts known about its value.
struct CompiledPart {
  /// Returns the value by the fastest available path.
  var code: ExpressionCode
  /// Returns the value without trying the fast path.
  var plain: ExpressionCode
  /// The fast path, if there is one.
  var scalar: ScalarCode?
  var constant: ConstantValue?
  var shape: (any ExpressionObjectShape)?
  /// The slot, if the part is just a variable.
  var variable: Int?
  /// The slot and key, if the part is just a key of a variable's object.
  var slot: SlotOperand?

  /// Creates a part without a fast path.
  init(
    _ code: @escaping ExpressionCode, scalar: ScalarCode? = nil, constant: ConstantValue? = nil,
    shape: (any ExpressionObjectShape)? = nil, variable: Int? = nil, slot: SlotOperand? = nil
  ) {
    self.code = code
    plain = code
    self.scalar = scalar
    self.constant = constant
    self.shape = shape
    self.variable = variable
    self.slot = slot
  }

  /// Creates a part with a fast path to try first.
  init(_ code: @escaping ExpressionCode, plain: @escaping ExpressionCode, scalar: @escaping ScalarCode) {
    self.init(code, scalar: scalar)
    self.plain = plain
  }

  /// Returns the part as an operand, which has the part's fast path only if `isScalar` is true.
  func operand(ofScalar isScalar: Bool) -> CodeOperand {
    guard isScalar, let scalar else { return CodeOperand(code: code, scalarCode: { _ in .other }) }
    return CodeOperand(code: plain, scalarCode: scalar)
  }
}
