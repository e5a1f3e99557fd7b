/// An executable part of a predicate.
@usableFromInline typealias PredicateCode = @Sendable (inout EvaluationContext) throws -> Bool
/// An executable part of a predicate that creates no values; returns `nil` if it cannot decide without them.
typealias ScalarTestCode = @Sendable (inout EvaluationContext) throws -> Bool?

/// A compiled part of a predicate.
struct CompiledTest {
  /// Evaluates the part by the fastest available path.
  var code: PredicateCode
  /// Evaluates the part without trying the fast path.
  var plain: PredicateCode
  /// The fast path, if there is one.
  var scalar: ScalarTestCode?

  /// Creates a part without a fast path.
  init(_ code: @escaping PredicateCode) {
    self.code = code
    plain = code
  }

  /// Creates a part with a fast path to try first.
  init(_ code: @escaping PredicateCode, plain: @escaping PredicateCode, scalar: ScalarTestCode?) {
    self.code = code
    self.plain = plain
    self.scalar = scalar
  }
}
