import HeavyliftExpression
import HeavyliftModel
import HeavyliftSQLite

extension PersistentStore {
  /// Returns a translator of expressions into SQL over the rows of an entity.
  ///
  /// ```swift
  /// let translator = try store.translator(forEntity: "Book")
  /// print(try translator.translate(MappingPredicate(parsing: "pages > 100")).sql)
  /// ```
  ///
  /// - Parameters:
  ///   - name: The name of the entity.
  ///   - rowVariables: Variables that represent the row, as `SELF` does.
  ///   - variables: The values of other variables.
  public func translator(
    forEntity name: String, rowVariables: Set<String> = [], variables: [String: ExpressionValue] = [:]
  ) throws -> SQLTranslator {
    guard runtime.byName[name] != nil else {
      throw ObjectMistake.unknownEntity(name, known: runtime.byName.keys.sorted()).diagnostic
    }
    return SQLTranslator(
      schema: StoreSchema(runtime: runtime), entity: name, rowVariables: rowVariables, variables: variables)
  }

  /// Returns the shape of an entity's objects, which lets expressions resolve keys once instead of for every object.
  public func shape(ofEntity name: String) throws -> any ExpressionObjectShape {
    guard let entity = runtime.byName[name] else {
      throw ObjectMistake.unknownEntity(name, known: runtime.byName.keys.sorted()).diagnostic
    }
    return EntityShape(runtime.shapes, index: entity.index)
  }

  /// Registers the functions that a translated expression calls.
  func register(_ functions: [SQLFunction]) throws {
    for function in functions where registeredFunctions.insert(function.name).inserted {
      do {
        try database.register(function)
      } catch {
        registeredFunctions.remove(function.name)
        throw error
      }
    }
  }
}

extension Database {
  /// Registers with SQLite a function that translated expressions call.
  public func register(_ function: SQLFunction) throws(SQLiteError) {
    let body = function.body()
    let asciiCase = function.asciiCase
    // Reused for every row.
    var values: [SQLValue] = []
    try register(
      directFunction: function.name, argumentCount: function.argumentCount, isDeterministic: true
    ) { arguments, result in
      if let asciiCase, Self.set(result, to: asciiCase, of: arguments) { return }
      defer { values.removeAll(keepingCapacity: true) }
      for index in 0..<arguments.count { values.append(SQLValue(try arguments.value(at: index))) }
      result.set(SQLiteValue(try body(values)))
    }
  }

  /// Sets the result to an ASCII text in upper or lower case; returns false for any other value.
  private static func set(
    _ result: borrowing SQLiteResult, to asciiCase: ASCIICase, of arguments: borrowing SQLiteArguments
  ) -> Bool {
    guard arguments.type(at: 0) == .text else { return false }
    var isASCII = false
    arguments.withUnsafeText(at: 0) { text in
      result.setText(count: text.count) { isASCII = asciiCase.write(text, into: $0) }
    }
    return isASCII
  }
}

extension SQLiteError {
  /// The error that a function in a statement threw, in the form in which the evaluator would throw it.
  var evaluationError: (any Error)? {
    switch underlyingError {
    case let error as ExpressionEvaluationError: error
    case let error as Diagnostic: error
    case let error as UnexpectedSQLValue:
      Diagnostic(
        .error, code: "store.bad-value",
        problem: "a column does not hold \(error.expected), although its attribute requires it",
        remedy: "find the row with 'heavylift dump', which reports it")
    default: nil
    }
  }
}
