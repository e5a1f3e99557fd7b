import Foundation
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

/// A function that statements call for values that may be stored in files, in the source, the destination, or both.
///
/// A file that remains a file is linked or copied under its name, as object by object, and its bytes are not read. All
/// other values are stored as a save stores them: large ones in new files, others in the row.
struct ExternalTransfer: Hashable {
  /// True if the source may store values in files; `isToExternal` is the same for the destination.
  let isFromExternal: Bool
  let isToExternal: Bool
  let type: AttributeType

  /// Returns nil if neither attribute may be stored in files.
  init?(from source: AttributeColumn, to destination: AttributeColumn) {
    guard source.mayBeExternal || destination.mayBeExternal else { return nil }
    (isFromExternal, isToExternal, type) = (source.mayBeExternal, destination.mayBeExternal, destination.type)
  }

  /// For a constant from the model or the mapping.
  init(storing destination: AttributeColumn) {
    (isFromExternal, isToExternal, type) = (false, destination.mayBeExternal, destination.type)
  }

  /// The function's name, which is the same only for equal transfers.
  var name: String {
    "heavylift_\(isFromExternal ? "external" : "data")_to_\(isToExternal ? "external" : "data")_\(type)"
  }

  /// True if the destination's column gets the source column's value, except for large values that are in the row.
  var keepsColumn: Bool { isFromExternal && isToExternal }

  func call(
    _ value: SQLiteValue, from source: ExternalDataFolder?, to destination: ExternalDataFolder
  ) throws -> SQLiteValue {
    switch value {
    case .null: return .null
    case .blob(let bytes) where isFromExternal:
      switch try ExternalDataFormat.decode(bytes, as: type) {
      case .value(let value): return try stored(value.data ?? Data(), in: destination)
      case .externalFile(let file):
        guard let source else {
          throw AttributeCodec.Mismatch(problem: "refers to an external file, but has no folder for such files")
        }
        guard isToExternal else { return try source.readValue(file).map { .blob($0) } ?? .null }
        return ExternalDataFormat.reference(to: try destination.take(file, from: source))
      }
    case .blob(let bytes): return try stored(bytes, in: destination)
    default: throw AttributeCodec.Mismatch(problem: "holds an invalid value where data is expected")
    }
  }

  private func stored(_ data: Data, in folder: ExternalDataFolder) throws -> SQLiteValue {
    guard isToExternal else { return .blob(data) }
    guard data.count >= ExternalDataFolder.threshold else { return ExternalDataFormat.inline(data) }
    return ExternalDataFormat.reference(to: try folder.write(data))
  }
}
