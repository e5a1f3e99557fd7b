public import HeavyliftModel

/// A value that stands written in an expression, or was put there for a placeholder.
public indirect enum ExpressionConstant: Hashable, Sendable {
  case value(Value)
  case array([ExpressionConstant])
  case set(Set<ExpressionConstant>)
}
