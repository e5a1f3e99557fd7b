extension SQLTranslation {
  /// The target of a key path.
  enum Destination {
    case value(SQLTerm)
    case object(SQLObjectReference)
    case collection(SQLCollectionReference)
  }

  /// Returns the object, if the expression is just an object, without keys.
  func object(_ expression: MappingExpression) -> SQLObjectReference? {
    switch expression.kind {
    case .object: row
    case .variable(let name):
      elements.last { $0.name == name }?.object ?? (translator.rowVariables.contains(name) ? row : nil)
    default: nil
    }
  }

  /// Translates a path to a value or an object, or to a count, minimum or maximum of a collection.
  mutating func translatePath(_ expression: MappingExpression) throws(NotTranslated) -> SQLTerm {
    if case .keyPath(let base, let path) = expression.kind, case .subquery = base.kind,
      path.keys == [.collection(.count)]
    {
      return try translateSize(base, at: expression.range)
    }
    switch try destination(of: expression) {
    case .value(let term): return term
    case .object(let object): return term(for: object)
    case .collection(let collection):
      if case .collection(.count)? = collection.rest.first { return try count(collection, at: expression.range) }
      if case .collection(let operation)? = collection.rest.first {
        return try extreme(collection, operation, at: expression.range)
      }
      return try countOfValues(collection, at: expression.range)
    }
  }

  /// Follows a path up to its first to-many relationship.
  mutating func destination(of expression: MappingExpression) throws(NotTranslated) -> Destination {
    if let object = object(expression) { return .object(object) }
    switch expression.kind {
    case .keyPath(let base, let path):
      guard case .object(let start) = try destination(of: base) else {
        throw NotTranslated("a key is read from a value that is not an object of the store", at: expression.range)
      }
      return try follow(path, from: start, at: expression.nameRange)
    case .variable(let name): throw NotTranslated("variable '$\(name)' has no value here", at: expression.range)
    default: throw NotTranslated("a key is read from a value that is not an object of the store", at: expression.range)
    }
  }

  mutating func follow(
    _ path: ExpressionKeyPath, from start: SQLObjectReference, at range: SourceRange
  ) throws(NotTranslated) -> Destination {
    var current = start
    var rest = path.keys[...]
    while let key = rest.popFirst() {
      let place = path.range(ofKeyAt: rest.startIndex - 1) ?? range
      switch key {
      case .element: continue
      case .collection(let operation):
        throw NotTranslated("'@\(operation.rawValue)' is used on something that is not a collection", at: place)
      case .name(let name):
        guard let property = translator.schema.property(name, of: current.entity) else {
          throw NotTranslated("entity '\(current.entity)' has no property '\(name)' in the store", at: place)
        }
        switch try element(of: property, name, &rest, at: place) {
        case .composite: throw NotTranslated("attribute '\(name)' is a composite", at: place)
        case .column(let column, let kind):
          guard !rest.contains(where: { $0 != .element }) else {
            throw NotTranslated("a key is read from attribute '\(name)'", at: place)
          }
          note(column, of: current)
          return .value(term(forColumn: column, kind, alias: try alias(of: &current, at: place)))
        case .toOne(let column, let destination):
          note(column, of: current)
          let alias = try alias(of: &current, at: place)
          current = SQLObjectReference(
            entity: destination, key: SQLText(column: column, of: alias), alias: nil, scope: current.scope)
        case .toMany(let toMany):
          return .collection(SQLCollectionReference(owner: current, toMany: toMany, rest: rest))
        case .unavailable(let reason): throw NotTranslated(reason, at: place)
        }
      }
    }
    return .object(current)
  }

  /// Returns the element of a composite that the next keys lead to; returns any other property unchanged.
  private func element(
    of property: SQLProperty, _ name: String, _ rest: inout ArraySlice<ExpressionKeyPath.Key>, at range: SourceRange
  ) throws(NotTranslated) -> SQLProperty {
    var (current, owner) = (property, name)
    while case .composite(let elements) = current, let key = rest.popFirst() {
      switch key {
      case .element: continue
      case .collection: throw NotTranslated("a collection operator is used on composite '\(owner)'", at: range)
      case .name(let element):
        guard let found = elements[element] else {
          throw NotTranslated("composite '\(owner)' has no element '\(element)' in the store", at: range)
        }
        (current, owner) = (found, element)
      }
    }
    return current
  }

  private func term(forColumn name: String, _ kind: SQLKind, alias: String) -> SQLTerm {
    let column = SQLText(column: name, of: alias)
    return switch kind {
    // A date without a fraction is stored as an integer, and SQLite would use integer arithmetic.
    case .date: SQLTerm(text: "CAST(\(column) AS REAL)", kind: kind, column: column, isLeaf: true)
    // Everything except 0 is true.
    case .bool: SQLTerm(text: "(\(column) <> 0)", kind: kind, isLeaf: true)
    default: SQLTerm(text: column, kind: kind, column: column, isLeaf: true)
    }
  }

  func term(for object: SQLObjectReference) -> SQLTerm {
    SQLTerm(text: object.key, kind: .object(entity: object.entity), column: object.key, isLeaf: true)
  }

  /// Returns the alias of the object's table, joining it if necessary.
  mutating func alias(of object: inout SQLObjectReference, at range: SourceRange) throws(NotTranslated) -> String {
    if let alias = object.alias { return alias }
    guard let entity = translator.schema.entity(named: object.entity) else {
      throw NotTranslated("entity '\(object.entity)' is not in the store", at: range)
    }
    if let known = scopes[object.scope].first(where: { $0.key == object.key.sql && $0.table == entity.table }) {
      object.alias = known.alias
      return known.alias
    }
    let alias = newAlias()
    scopes[object.scope].append(
      .init(
        table: entity.table, database: entity.database, alias: alias, keyColumn: entity.keyColumn,
        key: object.key.sql))
    object.alias = alias
    return alias
  }
}
