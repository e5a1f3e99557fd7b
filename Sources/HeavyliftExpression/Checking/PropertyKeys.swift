extension MappingPredicate {
  /// The first key of each key path that starts at the object itself, except the keys that every object has.
  package var propertyKeys: Set<String> {
    var keys: Set<String> = []
    visit { expression in
      guard case .keyPath(let base, let path) = expression.kind, case .name(let key)? = path.keys.first else { return }
      switch base.kind {
      case .object, .variable("source"): keys.insert(key)
      default: break
      }
    }
    return keys.subtracting(ExpressionInspector.objectKeys.keys).subtracting(["self"])
  }
}
