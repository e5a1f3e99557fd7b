/// A predicate in NSPredicate's format language.
///
/// ```swift
/// let predicate = try MappingPredicate(parsing: "title != nil AND playCount > 0")
/// ```
///
/// Chains of AND and OR are one node with many children, as in Core Data; `SOME` is `ANY`, and `NONE` is `NOT (ANY …)`.
public struct MappingPredicate: Sendable {
  /// The kind of predicate.
  package indirect enum Kind: Hashable, Sendable {
    /// `TRUEPREDICATE` and `FALSEPREDICATE`.
    case literal(Bool)
    case comparison(Comparison)
    /// A comparison with an operator that only a program can define: a selector (`SELF isKindOfClass: x`),
    /// `TOKENMATCHES`, `UTI-CONFORMS-TO`, `UTI-EQUALS`.
    case custom(CustomComparison)
    case not(MappingPredicate)
    case and([MappingPredicate])
    case or([MappingPredicate])
  }

  /// Two expressions and a comparison operator.
  package struct Comparison: Sendable {
    public var left: MappingExpression
    public var comparator: PredicateOperator
    public var right: MappingExpression
    /// The elements of the left side that must match; nil if the left side is compared as a whole.
    public var quantifier: Quantifier?
    public var options: ComparisonOptions
    /// The range of the operator in the text, including its options.
    public var operatorRange: SourceRange

    /// Creates a comparison.
    public init(
      _ left: MappingExpression, _ comparator: PredicateOperator, _ right: MappingExpression,
      quantifier: Quantifier? = nil,
      options: ComparisonOptions = [], operatorAt operatorRange: SourceRange = SourceRange()
    ) {
      self.operatorRange = operatorRange
      self.left = left
      self.comparator = comparator
      self.right = right
      self.quantifier = quantifier
      self.options = options
    }
  }

  /// Two expressions and an operator that is not built in.
  package struct CustomComparison: Hashable, Sendable {
    public var left: MappingExpression
    /// The operator as written, with keywords in uppercase.
    public var name: String
    public var right: MappingExpression
    public var quantifier: Quantifier?

    /// Creates a comparison.
    public init(
      _ left: MappingExpression, _ name: String, _ right: MappingExpression, quantifier: Quantifier? = nil
    ) {
      self.left = left
      self.name = name
      self.right = right
      self.quantifier = quantifier
    }
  }

  package var kind: Kind
  /// The range in the parsed text.
  public var range: SourceRange

  /// Creates a predicate; one that was not parsed from text has an empty range.
  package init(_ kind: Kind, at range: SourceRange = SourceRange()) {
    self.kind = kind
    self.range = range
  }
}

extension MappingPredicate: Hashable {
  /// Compares what the predicates mean, not their ranges.
  public static func == (lhs: MappingPredicate, rhs: MappingPredicate) -> Bool { lhs.kind == rhs.kind }

  /// Hashes what `==` compares.
  public func hash(into hasher: inout Hasher) { hasher.combine(kind) }
}

extension MappingPredicate.Comparison: Hashable {
  /// Compares what the comparisons mean, not their ranges.
  public static func == (lhs: MappingPredicate.Comparison, rhs: MappingPredicate.Comparison) -> Bool {
    lhs.comparator == rhs.comparator && lhs.quantifier == rhs.quantifier && lhs.options == rhs.options
      && lhs.left == rhs.left && lhs.right == rhs.right
  }

  /// Hashes what `==` compares.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(comparator)
    hasher.combine(quantifier)
    hasher.combine(options)
    hasher.combine(left)
    hasher.combine(right)
  }
}
