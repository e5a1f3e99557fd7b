import Foundation
import HeavyliftSQLite
import HeavyliftStore

/// The stores in a folder that share a base name, such as `Music.sqlite` and `Music.db`: Core Data gives them one
/// folder for large values, `.Music_SUPPORT`.
///
/// No migration adds a new store to such a family. In an existing family, a file is removed only if no other member
/// refers to it.
struct StoreFamily {
  let store: URL
  let files: FileOperations

  /// The other stores that use the same folder for large values.
  func relatives() throws -> [URL] {
    let folder = store.deletingLastPathComponent()
    let base = store.deletingPathExtension().lastPathComponent
    return try files.names(in: folder).map { folder.appending(path: $0) }.filter { url in
      let name = url.lastPathComponent
      guard name != store.lastPathComponent, url.deletingPathExtension().lastPathComponent == base,
        !StoreHold.companions.contains(where: name.hasSuffix)
      else { return false }
      return try isDatabase(url)
    }
  }

  /// Returns an error if a new store at the path would join a family, or share the folder of a store that is being
  /// migrated.
  func refusal(besides others: [URL]) throws -> IncrementalMigrationError? {
    let support = ExternalDataFolder(store: store).supportFolder
    let sharing = others.first { $0 != store && ExternalDataFolder(store: $0).supportFolder == support }
    return try (sharing ?? relatives().first).map { .sharedFolder(store, with: $0) }
  }

  private func isDatabase(_ url: URL) throws -> Bool {
    var status = stat()
    guard lstat(url.path, &status) == 0 else {
      let error = POSIXError(number: errno)
      if error.meansAbsence { return false }
      throw error
    }
    // A symbolic link points to a store that has its own folder.
    guard status.st_mode & S_IFMT == S_IFREG else { return false }
    // An unreadable file may be a store.
    guard let start = try? DatabaseHeader.read(16, ofFileAt: url.path) else { return true }
    return start == Data("SQLite format 3\0".utf8)
  }

  /// Returns the names that no other member of the family refers to.
  ///
  /// A member that cannot be read may refer to all of them.
  func unshared(_ names: [String]) throws -> [String] {
    guard !names.isEmpty else { return [] }
    var rest = Set(names)
    for relative in try relatives() {
      guard let found = try? Self.references(of: relative, among: rest) else { return [] }
      rest.subtract(found)
    }
    return names.filter(rest.contains)
  }

  /// Removes the large values in a store's folder that no row refers to.
  static func removeUnusedFiles(of store: URL, _ files: FileOperations) throws {
    let folder = ExternalDataFolder(store: store)
    let names = Set(try folder.fileNames())
    let used = try references(of: store, among: names)
    for name in names.subtracting(used).sorted() { try files.remove(folder.file(named: name)) }
  }

  /// Returns the names that a store refers to as external files, regardless of its model.
  static func references(of store: URL, among names: Set<String>) throws -> Set<String> {
    guard !names.isEmpty else { return [] }
    let database = try Database(path: store.path, mode: .readOnly)
    defer { try? database.close() }
    var found: Set<String> = []
    for table in try database.schemaObjects() where table.type == .table {
      for column in try database.columns(of: table.name) where column.declaredType.uppercased() == "BLOB" {
        found.formUnion(try references(in: database, column.name, of: table.name).intersection(names))
      }
    }
    return found
  }

  /// Returns the names that a column refers to as external files.
  static func references(
    in database: Database, _ column: String, of table: String, where condition: String = "1"
  ) throws -> Set<String> {
    let column = column.asSQLIdentifier
    // An external reference is the byte 2, followed by a UUID and a zero byte.
    var cursor = try database.prepare(
      "SELECT \(column) FROM \(table.asSQLIdentifier) "
        + "WHERE typeof(\(column)) = 'blob' AND length(\(column)) BETWEEN 37 AND 38 AND \(condition)"
    ).query()
    var found: Set<String> = []
    while try cursor.next() {
      guard let bytes = cursor.row.blob(at: 0), bytes.first == 2 else { continue }
      found.insert(String(decoding: bytes.dropFirst().prefix { $0 != 0 }, as: UTF8.self))
    }
    return found
  }
}
