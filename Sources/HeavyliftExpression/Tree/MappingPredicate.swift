/// A predicate of NSPredicate's format language, as a value.
///
/// ```swift
/// let predicate = try MappingPredicate(parsing: "title != nil AND playCount > 0")
/// ```
///
/// Chains of AND and OR are one node with many children, as in Core Data; `SOME` is `ANY`, and `NONE` is `NOT (ANY …)`.
public struct MappingPredicate: Sendable {
  /// What a predicate can be.
  public indirect enum Kind: Hashable, Sendable {
    /// `TRUEPREDICATE` and `FALSEPREDICATE`.
    case literal(Bool)
    case comparison(Comparison)
    case not(MappingPredicate)
    case and([MappingPredicate])
    case or([MappingPredicate])
  }

  /// Two expressions and how they are compared.
  public struct Comparison: Hashable, Sendable {
    public var left: MappingExpression
    public var comparator: Comparator
    public var right: MappingExpression
    /// Which elements of the left side must compare; nil where it is no collection.
    public var quantifier: Quantifier?
    public var options: ComparisonOptions

    /// Creates a comparison.
    public init(
      _ left: MappingExpression, _ comparator: Comparator, _ right: MappingExpression, quantifier: Quantifier? = nil,
      options: ComparisonOptions = []
    ) {
      self.left = left
      self.comparator = comparator
      self.right = right
      self.quantifier = quantifier
      self.options = options
    }
  }

  public var kind: Kind
  /// Where it stands in the text that it was read from.
  public var range: SourceRange

  /// Creates a predicate; one that was not read from a text has an empty range.
  public init(_ kind: Kind, at range: SourceRange = SourceRange()) {
    self.kind = kind
    self.range = range
  }
}

extension MappingPredicate: Hashable {
  /// Compares what the predicates mean, not where they stand.
  public static func == (lhs: MappingPredicate, rhs: MappingPredicate) -> Bool { lhs.kind == rhs.kind }

  /// Hashes what `==` compares.
  public func hash(into hasher: inout Hasher) { hasher.combine(kind) }
}
