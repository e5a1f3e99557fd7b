import HeavyliftModel

extension ExpressionInspector {
  static let symbolicWords: Set<String> = ["FIRST", "LAST", "SIZE"]

  /// Reports an unknown key, with the probable intention behind it.
  mutating func reportUnknown(
    _ name: String, of entity: String, in model: CheckedModel, isBare: Bool, isCompared: Bool, at range: SourceRange
  ) {
    if isFull { return }
    if name.hasPrefix("@") {
      let known = CollectionOperator.allCases.map(\.rawValue)
      report(.unknownCollectionOperator(name, known: known.map { "@" + $0 }), at: range)
      return
    }
    var hint = hint(name, of: entity, in: model, isBare: isBare)
    // As in `kind = phone`: a single key may be a string without quotes.
    if isCompared, case .known(let known) = hint, known.nearest(to: name) == nil { hint = .text(known: known) }
    report(.unknownProperty(name, entity: entity, hint: hint), at: range)
  }

  private func hint(
    _ name: String, of entity: String, in model: CheckedModel, isBare: Bool
  ) -> CheckingMistake.KeyHint {
    if isBare {
      for variable in innerVariables {
        guard case .object(let element, let side) = variable.type.kind else { continue }
        if environment.model(side)?.property(name, of: element) != nil { return .ofVariable(variable.name) }
      }
    }
    if let subentity = model.subentity(of: entity, having: name) { return .ofSubentity(subentity) }
    let known = model.propertyNames(of: entity)
    if known.nearest(to: name) == nil {
      if Self.symbolicWords.contains(name.uppercased()) {
        return .symbolicIndex(name.uppercased(), isBare: isBare)
      }
      if isBare, BuiltinFunction(rawValue: name)?.argumentCount == 0 { return .function(name) }
      if CollectionOperator(rawValue: name) != nil { return .collectionOperator(name) }
    }
    return .known(known)
  }

  /// Reports a key without an object: usually a string without quotes, or a key without its variable.
  mutating func reportObjectMissing(_ path: ExpressionKeyPath, in expression: MappingExpression) {
    guard case .name(let first)? = path.keys.first else {
      report(.noObject(place: environment.place), at: expression.range)
      return
    }
    report(.bareKey(expression.shown, hint: bareKeyHint(first, path)), at: expression.range)
  }

  /// Suggests a variable that has the key or a similar key; if no variable does, the key is probably a string.
  private func bareKeyHint(_ first: String, _ path: ExpressionKeyPath) -> CheckingMistake.BareKeyHint {
    let rest = Array(path.keys.dropFirst())
    func written(_ variable: String, _ keys: [ExpressionKeyPath.Key]) -> String {
      let base = MappingExpression(.variable(variable))
      return keys.isEmpty
        ? base.description : MappingExpression(.keyPath(base: base, ExpressionKeyPath(keys))).description
    }
    // As in `source.title`, meant as `$source.title`.
    if environment.variables[first] != nil { return .path(written(first, rest)) }
    for variable in innerVariables where properties(of: variable.type.kind).contains(first) {
      return .path(written(variable.name, path.keys))
    }
    let known = environment.variables["source"].map { properties(of: $0.kind) } ?? []
    if known.contains(first) { return .pathOrText(written("source", path.keys)) }
    return known.nearest(to: first).map { .pathOrText(written("source", [.name($0)] + rest)) } ?? .text
  }

  private func properties(of kind: ExpressionType.Kind) -> [String] {
    guard case .object(let entity, let side) = kind, let model = environment.model(side) else { return [] }
    return model.propertyNames(of: entity)
  }
}
