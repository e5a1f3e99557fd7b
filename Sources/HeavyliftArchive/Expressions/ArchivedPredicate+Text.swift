extension ArchivedPredicate: CustomStringConvertible {
  /// The predicate in predicate format syntax.
  package var description: String {
    switch self {
    case .literal(let value): value ? "TRUEPREDICATE" : "FALSEPREDICATE"
    case .comparison(let left, let comparison, let right, let modifier, let options):
      "\(modifier.prefix)\(left) \(comparison.symbol)\(options.suffix) \(right)"
    case .not(let predicate): "NOT \(predicate.asOperand)"
    case .and(let predicates): Self.joined(predicates, by: "AND", empty: .literal(true))
    case .or(let predicates): Self.joined(predicates, by: "OR", empty: .literal(false))
    }
  }

  private static func joined(
    _ predicates: [ArchivedPredicate], by keyword: String, empty: ArchivedPredicate
  ) -> String {
    switch predicates.count {
    case 0: empty.description
    case 1: predicates[0].description
    default: predicates.map(\.asOperand).joined(separator: " \(keyword) ")
    }
  }

  private var asOperand: String {
    switch self {
    case .and(let predicates) where predicates.count == 1: predicates[0].asOperand
    case .or(let predicates) where predicates.count == 1: predicates[0].asOperand
    case .and(let predicates) where predicates.count > 1: "(\(self))"
    case .or(let predicates) where predicates.count > 1: "(\(self))"
    default: description
    }
  }
}

extension ArchivedPredicate.Modifier {
  fileprivate var prefix: String {
    switch self {
    case .direct: ""
    case .all: "ALL "
    case .any: "ANY "
    }
  }
}

extension ArchivedPredicate.Operator {
  fileprivate var symbol: String {
    switch self {
    case .lessThan: "<"
    case .lessThanOrEqual: "<="
    case .greaterThan: ">"
    case .greaterThanOrEqual: ">="
    case .equal: "=="
    case .notEqual: "!="
    case .matches: "MATCHES"
    case .like: "LIKE"
    case .beginsWith: "BEGINSWITH"
    case .endsWith: "ENDSWITH"
    case .in: "IN"
    case .contains: "CONTAINS"
    case .between: "BETWEEN"
    }
  }
}

extension ArchivedPredicate.Options {
  fileprivate var suffix: String {
    let letters = zip([Self.caseInsensitive, .diacriticInsensitive, .normalized, .localeSensitive], "cdnl")
      .filter { contains($0.0) }.map(\.1)
    return letters.isEmpty ? "" : "[\(String(letters))]"
  }
}
