import HeavyliftModel

extension MappingPredicate {
  /// Returns the key paths and other operands that cannot be nil if the predicate evaluates to `holds`.
  func keysNotNil(when holds: Bool) -> Set<MappingExpression> {
    keysNotNil(when: holds, depth: 0)
  }

  private func keysNotNil(when holds: Bool, depth: Int) -> Set<MappingExpression> {
    if depth > 64 { return [] }
    switch kind {
    case .not(let negated): return negated.keysNotNil(when: !holds, depth: depth + 1)
    case .and(let parts) where holds, .or(let parts) where !holds:
      return parts.reduce(into: []) { $0.formUnion($1.keysNotNil(when: holds, depth: depth + 1)) }
    case .comparison(let comparison) where comparison.quantifier == nil:
      return comparison.keysNotNil(when: holds)
    default: return []
    }
  }
}

extension MappingPredicate.Comparison {
  fileprivate func keysNotNil(when holds: Bool) -> Set<MappingExpression> {
    let sides = [left, right].filter(\.isPlainKeyPath)
    switch comparator {
    case .equal, .notEqual:
      let comparesNil = left.isNilConstant || right.isNilConstant
      if comparesNil {
        // Not only key paths: any expression can be compared with nil, as in `TERNARY(f != nil, f, value)`.
        let compared = [left, right].filter { !$0.isNilConstant }
        return holds == (comparator == .notEqual) ? Set(compared) : []
      }
      // A value that equals a non-nil literal is not nil.
      let comparesValue = left.isValueConstant || right.isValueConstant
      return comparesValue && holds == (comparator == .equal) ? Set(sides) : []
    case .lessOrEqual, .greaterOrEqual:
      // `nil <= nil` holds, so a side must be a non-nil literal.
      return holds && (left.isValueConstant || right.isValueConstant) ? Set(sides) : []
    default: return holds ? Set(sides) : []
    }
  }
}

extension MappingExpression {
  fileprivate var isNilConstant: Bool { if case .constant(.value(.null)) = kind { true } else { false } }

  fileprivate var isValueConstant: Bool {
    if case .constant = kind { !isNilConstant } else { false }
  }

  /// True for a variable, or for a path of plain names that starts at `SELF` or a variable.
  var isPlainKeyPath: Bool {
    switch kind {
    case .variable: return true
    case .keyPath(let base, let path):
      let isPlain = path.keys.allSatisfy { if case .name = $0 { true } else { false } }
      switch base.kind {
      case .object, .variable: return isPlain
      default: return false
      }
    default: return false
    }
  }

  /// Returns the path with the same keys on another object.
  func rebased(on object: MappingExpression) -> MappingExpression? {
    guard case .keyPath(let base, let path) = kind, case .object = base.kind else { return nil }
    return MappingExpression(.keyPath(base: object, path))
  }

  /// The text for messages, shortened if it is long.
  var shown: String {
    let text = description
    let scalars = text.unicodeScalars
    if scalars.count <= 60 { return "'\(text)'" }
    return "'\(String(String.UnicodeScalarView(scalars.prefix(59))))…'"
  }
}
