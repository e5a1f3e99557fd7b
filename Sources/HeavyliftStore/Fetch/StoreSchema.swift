import HeavyliftExpression
import HeavyliftModel
import HeavyliftSQLite

/// The tables and columns of a store's properties, for translating expressions into SQL.
struct StoreSchema: SQLSchema {
  let runtime: StoreRuntime
  /// The name of the schema that contains the tables; nil if the tables' names are enough.
  var database: String?

  func entity(named name: String) -> SQLEntity? {
    runtime.byName[name].map { SQLEntity(table: $0.layout.tableName, database: database) }
  }

  func property(_ name: String, of entity: String) -> SQLProperty? {
    guard let entity = runtime.byName[entity], let slot = entity.slots[name] else { return nil }
    switch slot {
    case .attribute(let slot): return attribute(entity.attributes[slot])
    case .toOne(let slot):
      guard let column = entity.toOnes[slot].column else { return transient("relationship", name) }
      return .toOne(column: column.column, destination: column.destinationEntityName)
    case .toMany(let slot):
      guard let storage = entity.toManys[slot].storage else { return transient("relationship", name) }
      if storage.isReflexive { return .unavailable("relationship '\(name)' is stored in both directions") }
      return .toMany(
        SQLToMany(
          table: storage.tableName, ownerColumn: storage.ownerColumn, targetColumn: storage.targetColumn,
          destination: storage.destinationEntityName, isJoinTable: storage.kind == .joinTable, database: database))
    }
  }

  func key(of object: any ExpressionObject) -> SQLObjectKey? {
    guard let object = object as? ManagedObject, object.key > 0, object.context?.store.runtime === runtime else {
      return nil
    }
    return SQLObjectKey(entity: object.runtime.name, key: object.key)
  }

  private func attribute(_ attribute: EntityRuntime.Attribute) -> SQLProperty {
    let name = attribute.description.name
    guard let column = attribute.column else { return transient("attribute", name) }
    return property(column, "attribute '\(name)'")
  }

  private func property(_ column: AttributeColumn, _ thing: String) -> SQLProperty {
    if column.type == .composite {
      return .composite(
        Dictionary(
          column.elements.map { ($0.name, property($0, "element '\($0.name)' of \(thing)")) },
          uniquingKeysWith: { first, _ in first }))
    }
    if column.mayBeExternal { return .unavailable("\(thing) may be stored in a file") }
    guard let kind = SQLKind(column.type) else { return .unavailable("\(thing) has no column of its own") }
    return .column(column.column, kind)
  }

  private func transient(_ kind: String, _ name: String) -> SQLProperty {
    .unavailable("\(kind) '\(name)' is not stored")
  }
}

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
  package func translator(
    forEntity name: String, rowVariables: Set<String> = [], variables: [String: ExpressionValue] = [:]
  ) throws -> SQLTranslator {
    guard runtime.byName[name] != nil else {
      throw ObjectMistake.unknownEntity(name, known: runtime.byName.keys.sorted()).diagnostic
    }
    return SQLTranslator(
      schema: StoreSchema(runtime: runtime), entity: name, rowVariables: rowVariables, variables: variables)
  }

  /// Returns the shape of an entity's objects, which lets expressions resolve keys once instead of for every object.
  package func shape(ofEntity name: String) throws -> any ExpressionObjectShape {
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
  package func register(_ function: SQLFunction) throws(SQLiteError) {
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

extension SQLValue {
  /// Creates a value of a translated expression from SQLite's value.
  init(_ value: SQLiteValue) {
    switch value {
    case .null: self = .null
    case .integer(let value): self = .integer(value)
    case .real(let value): self = .real(value)
    case .text(let value): self = .text(value)
    case .blob(let value): self = .blob(value)
    }
  }
}

extension SQLiteValue {
  /// Creates SQLite's value from a value of a translated expression.
  init(_ value: SQLValue) {
    switch value {
    case .null: self = .null
    case .integer(let value): self = .integer(value)
    case .real(let value): self = .real(value)
    case .text(let value): self = .text(value)
    case .blob(let value): self = .blob(value)
    }
  }
}
