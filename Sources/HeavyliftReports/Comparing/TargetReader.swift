import Foundation
import HeavyliftArchive
import HeavyliftExpression
import HeavyliftModel
import HeavyliftSQLite
import HeavyliftStore

/// Reads the keys of a relationship's targets, for owners sorted by key: from the owner's row, or from the links of all
/// owners in one scan.
package final class TargetReader {
  private enum Place {
    case column(Int)
    case links
  }

  /// The `Z_ENT` of the destination entity; `destinationRoot` is the `Z_ENT` of its hierarchy's root.
  package let destinationNumber: Int
  package let destinationRoot: Int
  /// True if a target can be an instance of a sub-entity of the destination.
  package let destinationHasSubentities: Bool
  private let place: Place
  private let statement: Statement?
  /// The owner of the current link; nil after the last link.
  private var linkOwner: Int64?
  private var owner: Int64 = 0
  /// The only target of a to-one relationship; nil if there is none or it has been returned, -1 if it is not a valid
  /// key.
  private var target: Int64?

  /// Nil if the relationship is not stored.
  ///
  /// - Parameter isSorted: True to return targets sorted by key, even if the relationship is ordered.
  package init?(_ name: String, ofEntity entityName: String, in store: PersistentStore, isSorted: Bool) throws {
    guard let entity = store.layout.entity(named: entityName) else { return nil }
    let destinationName: String
    if let column = entity.toOnes.first(where: { $0.name == name }) {
      guard let position = store.columnNames(ofEntity: entityName)?.firstIndex(of: column.column) else { return nil }
      destinationName = column.destinationEntityName
      (place, statement) = (.column(position), nil)
    } else if let storage = entity.toMany(named: name) {
      destinationName = storage.destinationEntityName
      let hasSiblings = store.layout.entities.contains { $0.tableName == entity.tableName && $0.name != entityName }
      statement = try store.database.prepare(
        storage.targetsSQL(owner: hasSiblings ? entity : nil, isSorted: isSorted))
      place = .links
    } else {
      return nil
    }
    guard let destination = store.layout.entity(named: destinationName) else { return nil }
    destinationNumber = destination.number
    destinationRoot = destination.rootNumber
    destinationHasSubentities = destination.numbersWithSubentities.count > 1
    try step()
  }

  private func step() throws {
    guard let statement else { return }
    linkOwner = try statement.step() ? statement.row.integer(at: 0) : nil
  }

  /// Moves to another owner. Its key must be higher than the previous owner's.
  package func turn(to owner: Int64, row: CurrentRow?) throws {
    self.owner = owner
    switch place {
    case .column(let position):
      guard let row else {
        target = -1
        return
      }
      let type = row.statement.row.type(at: position)
      let key = row.statement.row.integer(at: position)
      target = type == .null ? nil : type == .integer && key > 0 ? key : -1
    case .links: while let linkOwner, linkOwner < owner { try step() }
    }
  }

  /// Returns the key of the owner's next target; nil after the last one, -1 for a value that cannot be a key.
  package func next() throws -> Int64? {
    guard let statement else {
      defer { target = nil }
      return target
    }
    guard linkOwner == owner else { return nil }
    let key = statement.row.integer(at: 1)
    let isKey = statement.row.type(at: 1) == .integer && key > 0
    try step()
    return isKey ? key : -1
  }
}

extension ToManyStorage {
  /// Returns SQL for all links as pairs of owner and target, sorted by owner and then in the relationship's order. A row
  /// of a damaged join table that lacks a key links nothing.
  ///
  /// - Parameter owner: The entity of the owners; nil if their table contains no other entity.
  fileprivate func targetsSQL(owner: EntityLayout?, isSorted: Bool) -> String {
    var (from, order) = ("\(links) WHERE l.owner IS NOT NULL AND l.target IS NOT NULL", "l.owner")
    if let owner {
      // `CROSS JOIN` fixes the join order: owners are already sorted, and links are looked up by owner.
      from =
        "\(SQLName(owner.tableName)) o CROSS JOIN \(links) ON l.owner = o.Z_PK WHERE o.Z_ENT = \(owner.number) "
        + "AND l.target IS NOT NULL"
      order = "o.Z_PK"
    }
    let place = orderColumn == nil || isSorted ? "" : ", l.place"
    return "SELECT \(order), l.target FROM \(from) ORDER BY \(order)\(place), l.target"
  }
}

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
    switch try row.stored(at: position, as: column) {
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
