import Foundation
import HeavyliftArchive
import HeavyliftModel
import HeavyliftSQLite

/// The contents of a data attribute, wherever they are stored: bytes in the row, or a file.
enum StoredContent {
  case none
  case bytes(Data)
  case file(URL)
  /// The name of a missing file.
  case missing(String)

  init(
    _ row: borrowing RowView, at position: Int, of column: AttributeColumn, in folder: ExternalDataFolder
  ) throws {
    switch try AttributeCodec.decode(row, at: position, as: column) {
    case .externalFile(let name):
      self = try folder.isMissing(name) ? .missing(name) : .file(folder.file(named: name))
    case .value(.data(let data)): self = .bytes(data)
    case .value: self = .none
    }
  }

  /// Returns true if both hold the same bytes, or if neither exists. Files are read piece by piece.
  func isSame(as other: StoredContent) throws -> Bool {
    switch (self, other) {
    case (.none, .none): true
    case (.none, _), (_, .none): false
    case (.missing(let left), .missing(let right)): left == right
    case (.missing, _), (_, .missing): false
    case (.bytes(let left), .bytes(let right)): left == right
    case (.file(let left), .file(let right)): try Self.hasSameBytes(left, right)
    case (.file(let file), .bytes(let data)), (.bytes(let data), .file(let file)):
      try Self.status(of: file).size == data.count && RegularFile.map(file) == data
    }
  }

  private static func hasSameBytes(_ left: URL, _ right: URL) throws -> Bool {
    let (first, second) = (try status(of: left), try status(of: right))
    guard first.size == second.size else { return false }
    // Two hard links to the same file: a migrated store shares external files with its source.
    if first.device == second.device, first.number == second.number { return true }
    let (old, new) = (try RegularFile.handle(left), try RegularFile.handle(right))
    defer {
      try? old.close()
      try? new.close()
    }
    while true {
      let (piece, other) = (try old.read(upToCount: 1 << 18) ?? Data(), try new.read(upToCount: 1 << 18) ?? Data())
      guard piece == other else { return false }
      if piece.isEmpty { return true }
    }
  }

  private static func status(of file: URL) throws -> (size: Int, device: UInt64, number: UInt64) {
    var status = stat()
    guard stat(file.path, &status) == 0 else { throw POSIXError(.init(rawValue: errno) ?? .ENOENT) }
    return (Int(status.st_size), UInt64(truncatingIfNeeded: status.st_dev), UInt64(status.st_ino))
  }
}
