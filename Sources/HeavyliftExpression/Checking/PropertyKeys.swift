extension MappingPredicate {
  /// The first names of the key paths that begin at the object itself, but for what every object answers to.
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
