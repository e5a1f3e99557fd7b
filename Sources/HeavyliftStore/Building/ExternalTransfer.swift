import Foundation
import HeavyliftModel
import HeavyliftSQLite

/// What a statement calls for a value that may be stored in a file at one end at least.
///
/// A file that stays one is taken over under its name, as objects take it over, without its bytes being read. All else is
/// written as a save writes it: large values into new files, others into the row.
struct ExternalTransfer: Hashable {
  /// Whether each end may have files.
  let isFromExternal: Bool
  let isToExternal: Bool
  let type: AttributeType

  /// Nil where neither end may have any.
  init?(from source: AttributeColumn, to destination: AttributeColumn) {
    guard source.mayBeExternal || destination.mayBeExternal else { return nil }
    (isFromExternal, isToExternal, type) = (source.mayBeExternal, destination.mayBeExternal, destination.type)
  }

  /// For a value that the model gives.
  init(storing destination: AttributeColumn) {
    (isFromExternal, isToExternal, type) = (false, destination.mayBeExternal, destination.type)
  }

  /// The same name is the same function.
  var name: String {
    "heavylift_\(isFromExternal ? "external" : "data")_to_\(isToExternal ? "external" : "data")_\(type)"
  }

  /// Whether the source's column says the same as the destination's will, but for large values that are in the row.
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
        guard isToExternal else { return .blob(try source.read(file)) }
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
