import HeavyliftModel

extension ExpressionInspector {
  static let symbolicWords: Set<String> = ["FIRST", "LAST", "SIZE"]

  /// Finds what was meant by a key that is not there.
  mutating func reportUnknown(
    _ name: String, of entity: String, in model: CheckedModel, isBare: Bool, at range: SourceRange
  ) {
    if isFull { return }
    if name.hasPrefix("@") {
      let known = CollectionOperator.allCases.map(\.rawValue)
      report(.unknownCollectionOperator(name, known: known.map { "@" + $0 }), at: range)
      return
    }
    report(.unknownProperty(name, entity: entity, hint: hint(name, of: entity, in: model, isBare: isBare)), at: range)
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
      if Self.symbolicWords.contains(name.uppercased()) { return .symbolicIndex(name.uppercased()) }
      if CollectionOperator(rawValue: name) != nil { return .collectionOperator(name) }
    }
    return .known(known)
  }

  /// A key that belongs to nothing: mostly a text without its quotes, or a key without its variable.
  mutating func reportObjectMissing(_ path: KeyPath, in expression: MappingExpression) {
    guard case .name(let first)? = path.keys.first else {
      report(.noObject(occasion: environment.occasion), at: expression.range)
      return
    }
    let source = environment.variables["source"]
    var known: [String] = []
    if case .object(let entity, let side)? = source?.kind, let model = environment.model(side) {
      known = model.propertyNames(of: entity)
    }
    report(
      .bareKey(expression.shown, first: first, isInSource: known.contains(first), known: known),
      at: expression.range)
  }
}
