import HeavyliftModel

extension ExpressionInspector {
  /// `base.key.key`: each key must exist; a key of a collection yields the values of its elements.
  mutating func inspectKeyPath(
    _ base: MappingExpression, _ path: ExpressionKeyPath, in expression: MappingExpression
  ) -> ExpressionFacts {
    if case .object = base.kind, environment.object == nil {
      reportObjectMissing(path, in: expression)
      return .unknown
    }
    let object = inspect(base)
    var walk = KeyWalk(facts: object, object: base)
    follow(path, from: 0, &walk, in: expression)
    if case .variable("destination") = base.kind, environment.place == .attribute, walk.facts.kind != .any,
      !isOtherAttribute(path, of: object)
    {
      report(.unfinishedDestination(expression.shown), at: expression.range)
    }
    walk.facts.constant = nil
    walk.facts.outcomes = []
    return walk.facts
  }

  /// Returns true if a path of the destination object starts with an attribute other than the wanted one: it is set before.
  private func isOtherAttribute(_ path: ExpressionKeyPath, of object: ExpressionFacts) -> Bool {
    guard case .object(let entity, .destination) = object.kind, case .name(let name)? = path.keys.first,
      case .attribute? = environment.destination?.property(name, of: entity)
    else { return false }
    if case .attribute(let wanted)? = environment.wanted { return wanted.name != name }
    return true
  }

  /// A position on a key path, with the facts about the value there.
  struct KeyWalk {
    var facts: ExpressionFacts
    var object: MappingExpression
  }

  /// Follows the keys of a path, starting at the key with the given index.
  mutating func follow(
    _ path: ExpressionKeyPath, from start: Int, _ walk: inout KeyWalk, in expression: MappingExpression
  ) {
    for (place, key) in path.keys.enumerated().dropFirst(start) {
      let range = path.range(ofKeyAt: place) ?? expression.range
      switch key {
      case .element: continue
      case .name(let name):
        let isBare = if case .object = walk.object.kind { place == 0 } else { false }
        walk.facts = self.key(name, of: walk.facts, isBare: isBare, in: expression, at: range)
      case .collection(let operation):
        walk.facts = inspectCollectionOperator(operation, path, behind: place, walk.facts, in: expression)
        return
      }
      if walk.facts.kind == .any { return }
      // If `$source.album` is known not to be nil, `$source.album.title` is nil only if the title is.
      if walk.facts.type.isNullable, place + 1 < path.keys.count, case .keyPath(let base, _) = expression.kind,
        isKnownNotNull(MappingExpression(.keyPath(base: base, ExpressionKeyPath(Array(path.keys[...place])))))
      {
        walk.facts.type.isNullable = false
      }
    }
  }

  /// Returns the facts about one key.
  mutating func key(
    _ name: String, of facts: ExpressionFacts, isBare: Bool = false, in expression: MappingExpression? = nil,
    at range: SourceRange
  ) -> ExpressionFacts {
    var result = ExpressionFacts.unknown
    switch facts.kind {
    case .any, .null, .dictionary, .entityPolicy: break
    case .collection(let kind, let element):
      var inner = facts
      inner.type = ExpressionType(element)
      let value = key(name, of: inner, at: range)
      if value.kind == .any { return value }
      result.toManyHops = facts.toManyHops + (value.kind.isCollection ? 1 : 0)
      result.type = ExpressionType(.collection(kind, of: value.kind), isNullable: facts.type.isNullable)
      return result
    case .object(let entity, let side):
      let isCompared = expression.map { isBare && comparedKeys.contains($0) } ?? false
      result = property(name, of: entity, side, isBare: isBare, isCompared: isCompared, at: range)
    case .composite(let composite, let side): result = component(name, of: composite, side, at: range)
    default: result = keyOfValue(name, facts.kind, at: range)
    }
    if facts.type.isNullable { result.type.isNullable = true }
    return result
  }

  private mutating func property(
    _ name: String, of entity: String, _ side: ExpressionType.ModelSide, isBare: Bool, isCompared: Bool,
    at range: SourceRange
  ) -> ExpressionFacts {
    // An unknown entity is reported where it is named.
    guard let model = environment.model(side), model.hasEntity(entity) else { return .unknown }
    guard let property = model.property(name, of: entity) else {
      if let standard = Self.objectKeys[name] { return ExpressionFacts(standard) }
      if model.isComplete(entity) {
        reportUnknown(name, of: entity, in: model, isBare: isBare, isCompared: isCompared, at: range)
      }
      return .unknown
    }
    if isBare, Self.symbolicWords.contains(name), range.upperBound - range.lowerBound == name.utf8.count {
      report(.symbolicWord(name), at: range)
    }
    switch property {
    case .attribute(let attribute):
      if attribute.isTransient {
        report(.valuelessKey(name, entity: entity, reason: "is transient: its value is not stored"), at: range)
      } else if attribute.isRecomputed {
        report(.valuelessKey(name, entity: entity, reason: "is derived: its value may be out of date"), at: range)
      }
      let isNullable = attribute.isOptional || attribute.isTransient || attribute.isDerived
      return ExpressionFacts(ExpressionType.Kind(attribute, of: side), isNullable: isNullable)
    case .relationship(let relationship):
      guard let destination = relationship.destinationEntityName else { return .unknown }
      let object = ExpressionType.Kind.object(entity: destination, side)
      guard relationship.isToMany else { return ExpressionFacts(object, isNullable: relationship.isOptional) }
      var facts = ExpressionFacts(.collection(relationship.isOrdered ? .orderedSet : .set, of: object))
      facts.toManyHops = 1
      return facts
    case .fetched(let fetched):
      report(.valuelessKey(name, entity: entity, reason: "is fetched: its value is not stored"), at: range)
      let destination = fetched.fetchRequest?.entityName
      return ExpressionFacts(
        .collection(.array, of: destination.map { .object(entity: $0, side) } ?? .any), isNullable: true)
    }
  }

  private mutating func component(
    _ name: String, of composite: String, _ side: ExpressionType.ModelSide, at range: SourceRange
  ) -> ExpressionFacts {
    guard let description = environment.model(side)?.composite(composite) else { return .unknown }
    guard let element = description.elements.first(where: { $0.name == name }) else {
      report(
        .unknownKey(name, of: .composite(composite, side), known: description.elements.map(\.name)), at: range)
      return .unknown
    }
    return ExpressionFacts(ExpressionType.Kind(element, of: side), isNullable: true)
  }

  /// Returns the facts about a key of a string, number, date or the like; such a key names a function without
  /// arguments.
  private mutating func keyOfValue(
    _ name: String, _ kind: ExpressionType.Kind, at range: SourceRange
  ) -> ExpressionFacts {
    if let keys = Self.keys(of: kind) {
      if let type = keys[name] { return ExpressionFacts(type) }
      report(.unknownKey(name, of: kind, known: keys.keys.sorted()), at: range)
      return .unknown
    }
    guard let sample = kind.sample else { return kind == .transformable ? .unknown : unknownKey(name, kind, at: range) }
    let functions = environment.functions
    if let function = functions.candidates(name).first(where: { $0.accepts(sample) }) {
      return ExpressionFacts(function.signature.resultType)
    }
    return unknownKey(name, kind, at: range)
  }

  private mutating func unknownKey(
    _ name: String, _ kind: ExpressionType.Kind, at range: SourceRange
  ) -> ExpressionFacts {
    let known = kind.sample.map { environment.functions.selectors(of: $0).filter { !$0.contains(":") } } ?? []
    report(.unknownKey(name, of: kind, known: known), at: range)
    return .unknown
  }
}
