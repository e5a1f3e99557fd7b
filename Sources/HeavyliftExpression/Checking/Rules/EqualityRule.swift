extension ExpressionInspector {
  /// `==` and `!=`: values of unrelated kinds are never equal.
  mutating func checkEquality(_ facts: ComparisonFacts) {
    let (left, right) = (facts.left.kind, facts.right.kind)
    for (path, side, other) in [
      (facts.comparison.left, facts.left, right), (facts.comparison.right, facts.right, left),
    ] where other == .null && side.kind.isCollection && side.toManyHops > 0 {
      report(.toManyComparedWithNil(path.shown), at: path.range)
    }
    if facts.isUnknown || canBeEqual(left, right) { return }
    if left.isCollection != right.isCollection, reportToMany(facts) { return }
    reportIncomparable(facts, left: left, right: right, at: facts.range)
  }

  /// Reports that values of two kinds cannot be compared. If one side is a composite, the remedy names its elements.
  mutating func reportIncomparable(
    _ facts: ComparisonFacts, left: ExpressionType.Kind, right: ExpressionType.Kind, at range: SourceRange
  ) {
    let elements =
      elementPaths(of: facts.comparison.left, facts.left.kind)
      ?? elementPaths(of: facts.comparison.right, facts.right.kind) ?? []
    report(
      elements.isEmpty
        ? .incomparable(facts.name, left: left, right: right)
        : .wholeComposite(facts.name, left: left, right: right, elements: elements), at: range)
  }

  /// Returns the paths of a composite's elements; nil for any other value.
  private func elementPaths(of path: MappingExpression, _ kind: ExpressionType.Kind) -> [String]? {
    guard path.isPlainKeyPath, case .composite(let name, let side) = kind,
      let composite = environment.model(side)?.composite(name)
    else { return nil }
    return composite.elements.map { "\(path).\($0.name)" }
  }

  /// Returns true if values of two kinds can be equal.
  func canBeEqual(_ left: ExpressionType.Kind, _ right: ExpressionType.Kind) -> Bool {
    if left == right || left.isOpen || right.isOpen { return true }
    if left.isNumeric && right.isNumeric { return true }
    switch (left, right) {
    case (.mixed, let other), (let other, .mixed): return !other.isCollection
    case (.transformable, let other), (let other, .transformable): return !other.isCollection
    case (.object(let one, let side), .object(let other, let otherSide)):
      guard side == otherSide, let model = environment.model(side) else { return side == otherSide }
      return model.areRelated(one, other)
    case (.collection(let kind, let one), .collection(let otherKind, let other)):
      return kind == otherKind && canBeEqual(one, other)
    case (.composite, .dictionary), (.dictionary, .composite), (.composite, .composite): return true
    default: return false
    }
  }
}
