import HeavyliftExpression
import HeavyliftModel

extension MappingPredicate {
  /// Creates a predicate from an archived one, with exactly the same constants.
  package init(archived: ArchivedPredicate, subject: String = "the archive") throws(Diagnostic) {
    do {
      self = try archived.mappingPredicate().asRead
    } catch {
      throw error.diagnostic(in: subject)
    }
  }

  /// The predicate in the form that parsing its text yields, so that equivalent predicates are equal.
  private var asRead: MappingPredicate {
    guard let text = try? text(), let read = try? MappingPredicate(parsing: text) else { return self }
    return read == self ? self : read
  }
}

extension ArchivedPredicate {
  func mappingPredicate() throws(ArchiveMistake) -> MappingPredicate {
    switch self {
    case .literal(let value): return MappingPredicate(.literal(value))
    case .comparison(let left, let comparison, let right, let modifier, let options):
      return MappingPredicate(
        .comparison(
          MappingPredicate.Comparison(
            try left.mappingExpression(), comparison.comparator, try right.mappingExpression(),
            quantifier: modifier.quantifier, options: ComparisonOptions(rawValue: UInt8(options.rawValue & 0xF)))))
    case .not(let predicate): return MappingPredicate(.not(try predicate.mappingPredicate()))
    case .and(let predicates): return try Self.chain(predicates, empty: true) { .and($0) }
    case .or(let predicates): return try Self.chain(predicates, empty: false) { .or($0) }
    }
  }

  /// Replaces an AND or OR of a single predicate with that predicate, as the parser does. Nested chains of the same
  /// kind remain, as in Foundation's text.
  private static func chain(
    _ predicates: [ArchivedPredicate], empty: Bool, _ kind: ([MappingPredicate]) -> MappingPredicate.Kind
  ) throws(ArchiveMistake) -> MappingPredicate {
    var parts: [MappingPredicate] = []
    for predicate in predicates { parts.append(try predicate.mappingPredicate()) }
    if let only = parts.first, parts.count == 1 { return only }
    return MappingPredicate(parts.isEmpty ? MappingPredicate.Kind.literal(empty) : kind(parts))
  }
}

extension ArchivedPredicate.Modifier {
  fileprivate var quantifier: Quantifier? {
    switch self {
    case .direct: nil
    case .all: .all
    case .any: .any
    }
  }
}

extension ArchivedPredicate.Operator {
  fileprivate var comparator: PredicateOperator {
    switch self {
    case .lessThan: .less
    case .lessThanOrEqual: .lessOrEqual
    case .greaterThan: .greater
    case .greaterThanOrEqual: .greaterOrEqual
    case .equal: .equal
    case .notEqual: .notEqual
    case .matches: .matches
    case .like: .like
    case .beginsWith: .beginsWith
    case .endsWith: .endsWith
    case .in: .in
    case .contains: .contains
    case .between: .between
    }
  }
}
