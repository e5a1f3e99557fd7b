import HeavyliftExpression
import HeavyliftModel
import HeavyliftSQLite

/// Converts values of one kind to an attribute's type if nothing is lost.
struct Coercion {
  let fragment: SQLFragment
  let column: AttributeColumn

  /// The name of the SQL function, which is the same only for equal coercions.
  var name: String { "heavylift_held_\(fragment.kind.word)_\(column.type)" }

  func call(_ value: SQLValue) throws -> SQLiteValue {
    guard let plain = Value(try fragment.value(value)), let held = plain.converted(to: column.type) else {
      throw Diagnostic(
        .error, code: "store.not-held", problem: "a value does not fit type \(column.type.modelName)")
    }
    return try AttributeCodec.encode(held, as: column)
  }
}

extension SQLKind {
  /// The kind's part of a function's name.
  fileprivate var word: String { "\(self)" }
}

extension PersistentStore {
  /// Registers all SQL functions that a transfer's statements call.
  package func register(_ transfer: RowTransfer) throws {
    try register(transfer.functions)
    // SQLite does not replace a function while a statement is running.
    for coercion in transfer.coercions where !registeredFunctions.contains(coercion.name) {
      try database.register(function: coercion.name, argumentCount: 1, isDeterministic: true) { arguments in
        try coercion.call(SQLValue(try arguments.value(at: 0)))
      }
      registeredFunctions.insert(coercion.name)
    }
    let (source, destination) = (transfer.sourceFolder, externalData)
    for external in Set(transfer.externals.values) where !registeredFunctions.contains(external.name) {
      // Not deterministic, because each call may create a file.
      try database.register(function: external.name, argumentCount: 1, isDeterministic: false) { arguments in
        try external.call(try arguments.value(at: 0), from: source, to: destination)
      }
      registeredFunctions.insert(external.name)
    }
  }
}
