/// A compiled part of an expression, and what is known of its value beforehand.
struct CompiledPart {
  /// Gives the value in the quickest way.
  var code: ExpressionCode
  /// Gives the value without trying the short way.
  var plain: ExpressionCode
  /// The short way, if there is one.
  var scalar: ScalarCode?
  var constant: ConstantValue?
  var shape: (any ExpressionObjectShape)?
  /// The slot, if it is a variable and nothing else.
  var variable: Int?
  /// The key of a variable's object, if it is one and nothing else.
  var slot: SlotOperand?

  /// Creates a part that gives its value as quickly in the one way as in the other.
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

  /// Creates a part whose short way is worth trying first.
  init(_ code: @escaping ExpressionCode, plain: @escaping ExpressionCode, scalar: @escaping ScalarCode) {
    self.init(code, scalar: scalar)
    self.plain = plain
  }

  /// The part as an operand of one that has a short way, or of one that has none.
  func operand(ofScalar isScalar: Bool) -> CodeOperand {
    guard isScalar, let scalar else { return CodeOperand(code: code, scalarCode: { _ in .other }) }
    return CodeOperand(code: plain, scalarCode: scalar)
  }
}
