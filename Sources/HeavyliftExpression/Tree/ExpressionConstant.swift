import HeavyliftModel

/// A constant in an expression, written in its text or inserted for a placeholder.
package indirect enum ExpressionConstant: Hashable, Sendable {
  case value(Value)
  case array([ExpressionConstant])
  case set(Set<ExpressionConstant>)
}
