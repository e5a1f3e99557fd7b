import HeavyliftExpression

extension MappingPredicate {
  /// Returns the column of the attribute that the predicate compares with one value, as in `name == %@`; for a
  /// conjunction, that of the first such comparison.
  func equalityColumn(of entity: EntityRuntime) -> String? {
    switch kind {
    case .and(let parts): return parts.lazy.compactMap { $0.equalityColumn(of: entity) }.first
    case .comparison(let comparison):
      guard comparison.comparator == .equal, comparison.options.isEmpty, comparison.quantifier == nil else {
        return nil
      }
      let sides = [comparison.left, comparison.right]
      return sides.lazy.compactMap { $0.column(of: entity) }.first
    default: return nil
    }
  }
}

extension MappingExpression {
  fileprivate func column(of entity: EntityRuntime) -> String? {
    guard case .keyPath(let base, let path) = kind, case .object = base.kind, path.keys.count == 1,
      case .name(let name) = path.keys[0], case .attribute(let slot)? = entity.slots[name]
    else { return nil }
    return entity.attributes[slot].column?.column
  }
}
