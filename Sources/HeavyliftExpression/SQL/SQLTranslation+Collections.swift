/// To-many relationships, as sub-selects over their links.
extension SQLTranslation {
  /// Returns the collection, if the expression is a to-many path without an operator.
  mutating func collection(_ expression: MappingExpression) -> SQLCollectionReference? {
    guard case .keyPath = expression.kind else { return nil }
    let saved = self
    guard case .collection(let collection)? = try? destination(of: expression),
      !collection.rest.contains(where: \.isOperator)
    else {
      goBack(to: saved)
      return nil
    }
    return collection
  }

  /// Translates `count:(books)` and `count:(SUBQUERY(…))`; returns `nil` for other functions.
  mutating func translateCount(
    _ function: BuiltinFunction, _ arguments: [MappingExpression], at range: SourceRange
  ) throws(NotTranslated) -> SQLTerm? {
    guard function == .count, arguments.count == 1 else { return nil }
    return try translateSize(arguments[0], at: range)
  }

  /// Translates the number of elements: `books[SIZE]`, `SUBQUERY(…).@count`.
  mutating func translateSize(_ expression: MappingExpression, at range: SourceRange) throws(NotTranslated) -> SQLTerm {
    if case .subquery(let collection, let variable, let test) = expression.kind {
      return try count(collection, variable, test, at: range)
    }
    guard var collection = collection(expression) else {
      throw NotTranslated("only the targets of to-many relationships are counted in SQL", at: range)
    }
    collection.rest = (Array(collection.rest) + [.collection(.count)])[...]
    return collection.rest.count == 1 ? try count(collection, at: range) : try countOfValues(collection, at: range)
  }

  /// Translates `books.@count`.
  mutating func count(_ collection: SQLCollectionReference, at range: SourceRange) throws(NotTranslated) -> SQLTerm {
    guard collection.rest.count == 1 else { throw NotTranslated("a key follows '@count'", at: range) }
    let ((), source) = try selecting(from: collection, at: range) { _, _ throws(NotTranslated) in }
    return try owned(by: collection.owner, SQLTerm(text: "(SELECT count(*) \(source))", kind: .integer), at: range)
  }

  /// Translates `books.title.@count`, the number of distinct values.
  mutating func countOfValues(
    _ collection: SQLCollectionReference, at range: SourceRange
  ) throws(NotTranslated) -> SQLTerm {
    guard case .collection(.count)? = collection.rest.last, collection.rest.count(where: \.isOperator) == 1 else {
      throw NotTranslated("a collection has no equivalent in SQL", at: range)
    }
    let (value, source) = try selecting(from: collection, at: range) { translation, element throws(NotTranslated) in
      let value = try translation.value(of: element, at: collection.rest.dropLast(), range)
      guard [.integer, .string, .uuid, .uri, .date].contains(value.kind) || value.kind.isObject else {
        throw NotTranslated("SQL cannot count distinct values if each of them is \(value.kind.phrase)", at: range)
      }
      return value
    }
    return try owned(
      by: collection.owner, SQLTerm(text: "(SELECT count(DISTINCT \(value.comparable)) \(source))", kind: .integer),
      at: range)
  }

  /// Translates `books.@max.pages`.
  mutating func extreme(
    _ collection: SQLCollectionReference, _ operation: CollectionOperator, at range: SourceRange
  ) throws(NotTranslated) -> SQLTerm {
    guard operation == .min || operation == .max, !collection.rest.dropFirst().contains(where: \.isOperator) else {
      throw NotTranslated("'@\(operation.rawValue)' depends on the order of its values", at: range)
    }
    let (value, source) = try selecting(from: collection, at: range) { translation, element throws(NotTranslated) in
      let value = try translation.value(of: element, at: collection.rest.dropFirst(), range)
      // As doubles, 0.0 and -0.0 are equal, so the result would depend on which comes first.
      guard value.kind == .integer || value.kind == .date else {
        throw NotTranslated("SQLite calculates '@\(operation.rawValue)' of \(value.kind.phrase) differently", at: range)
      }
      return value
    }
    let text: SQLText = "(SELECT \(raw: operation.rawValue)(\(value.text)) \(source))"
    return try owned(by: collection.owner, SQLTerm(text: text, kind: value.kind), at: range)
  }

  /// Translates `SUBQUERY(books, $b, …).@count`.
  mutating func count(
    _ expression: MappingExpression, _ variable: String, _ test: MappingPredicate, at range: SourceRange
  ) throws(NotTranslated) -> SQLTerm {
    guard let collection = collection(expression), collection.rest.isEmpty else {
      throw NotTranslated("'SUBQUERY' does not search the targets of a to-many relationship", at: range)
    }
    let (condition, source) = try selecting(from: collection, at: range) { translation, element throws(NotTranslated) in
      translation.elements.append((variable, element))
      defer { translation.elements.removeLast() }
      let condition = try translation.translate(test)
      if condition.mayFail {
        throw NotTranslated("if several errors occur, SQL may report a different one first", at: range)
      }
      return condition
    }
    return SQLTerm(text: "(SELECT count(*) \(source) AND \(condition.text.grouped))", kind: .integer)
  }

  /// Tests if an element of a collection meets a condition: `EXISTS (…)`. Nil is never an element.
  mutating func exists(
    in collection: SQLCollectionReference, at range: SourceRange,
    where condition: (inout SQLTranslation, SQLTerm) throws(NotTranslated) -> SQLText
  ) throws(NotTranslated) -> SQLText {
    let (text, source) = try selecting(from: collection, at: range) {
      translation, element throws(NotTranslated) -> SQLText in
      let value = try translation.value(of: element, at: collection.rest, range)
      let condition = try condition(&translation, value)
      return "\(value.comparable) IS NOT NULL AND \(condition.grouped)"
    }
    return "EXISTS (SELECT 1 \(source) AND \(text))"
  }

  /// Returns the value that the keys lead to, starting at an element.
  private mutating func value(
    of element: SQLObjectReference, at keys: ArraySlice<ExpressionKeyPath.Key>, _ range: SourceRange
  ) throws(NotTranslated) -> SQLTerm {
    switch try follow(ExpressionKeyPath(Array(keys)), from: element, at: range) {
    case .value(let term): return term
    case .object(let object): return term(for: object)
    case .collection: throw NotTranslated("a to-many relationship leads to another one", at: range)
    }
  }

  private mutating func selecting<Result>(
    from collection: SQLCollectionReference, at range: SourceRange,
    _ body: (inout SQLTranslation, SQLObjectReference) throws(NotTranslated) -> Result
  ) throws(NotTranslated) -> (Result, SQLText) {
    let owner = try existing(collection.owner, at: range)
    let (toMany, alias) = (collection.toMany, newAlias())
    let element = SQLObjectReference(
      entity: toMany.destination, key: SQLText(column: toMany.targetColumn, of: alias),
      alias: toMany.isJoinTable ? nil : alias, scope: scopes.count, isCertain: true)
    if !toMany.isJoinTable { note(toMany.ownerColumn, of: element) }
    scopes.append([])
    let result = try body(&self, element)
    let joined = scopes.removeLast()
    let joins = joined.map { " " + $0.text }.joined()
    let tables = "FROM \(SQLName(toMany.table, in: toMany.database)) \(alias)\(joins)"
    var source: SQLText =
      "\(raw: tables) WHERE \(SQLText(column: toMany.ownerColumn, of: alias)) = \(owner)"
    // A row of a damaged join table may lack a key. It links nothing.
    if toMany.isJoinTable { source = "\(source) AND \(SQLText(column: toMany.targetColumn, of: alias)) IS NOT NULL" }
    return (result, source.asSubquery)
  }

  /// Makes the term NULL if the owner is nil or missing: every key of nil is nil, even `@count`.
  private mutating func owned(
    by owner: SQLObjectReference, _ term: SQLTerm, at range: SourceRange
  ) throws(NotTranslated) -> SQLTerm {
    if owner.isCertain { return term }
    var copy = term
    copy.mayBeNull = true
    copy.text = "(CASE WHEN \(try existing(owner, at: range)) IS NULL THEN NULL ELSE \(term.text) END)"
    return copy
  }

  /// Returns the object's key; NULL if a dangling link leads to it.
  private mutating func existing(
    _ object: SQLObjectReference, at range: SourceRange
  ) throws(NotTranslated) -> SQLText {
    if object.isCertain { return object.key }
    var object = object
    let alias = try alias(of: &object, at: range)
    return SQLText(column: translator.schema.entity(named: object.entity)?.keyColumn ?? "Z_PK", of: alias)
  }
}

extension ExpressionKeyPath.Key {
  fileprivate var isOperator: Bool { if case .collection = self { true } else { false } }
}

extension SQLText {
  /// The text in parentheses, to protect it from surrounding operators.
  var grouped: SQLText { "(\(self))" }
}
