/// A part of a predicate, ready to run.
@usableFromInline typealias PredicateCode = @Sendable (inout EvaluationContext) throws -> Bool
/// A part of a predicate that runs without making values; nil where that cannot be.
typealias ScalarTestCode = @Sendable (inout EvaluationContext) throws -> Bool?

/// A compiled part of a predicate.
struct CompiledTest {
  /// Decides in the quickest way.
  var code: PredicateCode
  /// Decides without trying the short way.
  var plain: PredicateCode
  /// The short way, if there is one.
  var scalar: ScalarTestCode?

  /// Creates a part that decides as quickly in the one way as in the other.
  init(_ code: @escaping PredicateCode) {
    self.code = code
    plain = code
  }

  /// Creates a part whose short way is worth trying first.
  init(_ code: @escaping PredicateCode, plain: @escaping PredicateCode, scalar: ScalarTestCode?) {
    self.code = code
    self.plain = plain
    self.scalar = scalar
  }
}
