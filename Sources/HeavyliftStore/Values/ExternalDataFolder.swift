import Foundation
import HeavyliftArchive
import HeavyliftConcurrency
import HeavyliftModel
import HeavyliftSQLite

/// The folder of large binary values next to a store: `.<store>_SUPPORT/_EXTERNAL_DATA`.
///
/// A file gets its final name only when it is complete and on disk, and it never changes afterwards. That is why two
/// stores can share a file through a hard link.
package struct ExternalDataFolder: Hashable, Sendable {
  /// The folder, which need not exist.
  package let url: URL
  private let store: URL
  /// Collects missing files, whose values are nil then; nil if reading a missing file is an error.
  package var lostFiles: LostFiles?

  /// The minimum size of data that is stored in a file, in bytes. Core Data's limit is also about 100 kB.
  package static let threshold = 100 * 1024

  /// Describes the folder of a store. The folder need not exist.
  package init(store: URL) {
    self.store = store
    let base = store.deletingPathExtension().lastPathComponent
    url = store.deletingLastPathComponent().appending(path: ".\(base)_SUPPORT/_EXTERNAL_DATA")
  }

  /// The folder that contains this one.
  package var supportFolder: URL { url.deletingLastPathComponent() }

  /// Returns the URL of the file of that name.
  package func file(named name: String) -> URL { url.appending(path: name) }

  /// Returns the names of all files, sorted.
  package func fileNames() throws -> [String] {
    do {
      return try names()
    } catch let error as POSIXError where error.meansAbsence {
      return []
    }
  }

  private func names() throws -> [String] {
    try OpenFolder(following: url).names().filter { UUID(uuidString: $0) != nil }
  }

  /// Returns true if there is no such file.
  ///
  /// - Throws: Any error except the one that proves absence: a file that cannot be examined is not missing.
  package func isMissing(_ name: String) throws -> Bool {
    guard access(file(named: name).path, F_OK) != 0 else { return false }
    let code = errno
    guard code == ENOENT || code == ENOTDIR else {
      throw Self.unreadable(name, reason: String(cString: strerror(code)), in: url)
    }
    return true
  }

  /// Reads a file. The data is mapped, so only accessed bytes are read from the disk.
  package func read(_ name: String) throws -> Data {
    do {
      return try RegularFile.map(file(named: name))
    } catch {
      var diagnostic = Self.unreadable(name, reason: error.reason, in: url)
      if (try? isMissing(name)) == true {
        diagnostic.remedy? += "; if the file is lost, migrate its value as nil, with --accept-damage"
      }
      throw diagnostic
    }
  }

  /// Reads the file of a value. Returns nil if the file is missing, and the value is accepted as lost.
  func readValue(_ name: String) throws -> Data? {
    guard let lostFiles, try isMissing(name) else { return try read(name) }
    lostFiles.insert(name)
    return nil
  }

  package static func == (one: ExternalDataFolder, other: ExternalDataFolder) -> Bool {
    (one.url, one.store) == (other.url, other.store)
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(url)
    hasher.combine(store)
  }

  private static func unreadable(_ name: String, reason: String, in folder: URL) -> Diagnostic {
    Diagnostic(
      .error, code: "store.external-file", problem: "external file '\(name)' cannot be read: \(reason)",
      remedy: "the folder '\(folder.path)' belongs to the store: copy it along with the store's file")
  }

  /// Writes data to a new file and returns its name.
  ///
  /// The file, and the folder if it is created, can be read by exactly those users who can read the store.
  package func write(_ data: Data) throws -> String {
    let name = UUID().uuidString
    let folder = try makeFolder()
    try DurableFile.write(data, as: name, in: folder, rights: rights())
    return name
  }

  /// Shares a file of another store's folder, without copying its bytes if the file system supports hard links.
  package func share(_ name: String, from other: ExternalDataFolder) throws {
    let folder = try makeFolder()
    guard try !folder.has(name) else { return }
    guard try !link(name, of: other, into: folder, as: name) else { return }
    try copy(name, of: other, into: folder, as: name)
  }

  /// Shares a file of another store's folder for one more value, and returns its name in this folder.
  ///
  /// Each value has its own file: the name of another value's file is not reused. A reference to a missing file stays
  /// unchanged.
  func take(_ name: String, from other: ExternalDataFolder) throws -> String {
    let folder = try makeFolder()
    let own = try folder.has(name) ? UUID().uuidString : name
    guard try !link(name, of: other, into: folder, as: own) else { return own }
    if try other.isMissing(name) { return name }
    try copy(name, of: other, into: folder, as: own)
    return own
  }

  /// Links a file of another store into this folder; returns false if it is missing or must be copied.
  private func link(
    _ name: String, of other: ExternalDataFolder, into folder: OpenFolder, as own: String
  ) throws -> Bool {
    do {
      try OpenFolder(following: other.url).link(name, to: folder, as: own)
      // Checked after linking, because another file could take the name between a check and the linking.
      if let special = try folder.status(of: own).flatMap({ SpecialFile(mode: $0.st_mode) }) {
        try folder.remove(own)
        throw Self.unreadable(name, reason: special.description, in: other.url)
      }
      return true
    } catch let error as POSIXError where error.meansNoLinks || error.meansAbsence {
      return false
    }
  }

  private func copy(
    _ name: String, of other: ExternalDataFolder, into folder: OpenFolder, as own: String
  ) throws {
    try DurableFile.write(
      try other.read(name), as: own, in: folder, rights: rights(),
      attributes: ExtendedAttributes(of: other.file(named: name)))
  }

  /// Removes a file; a missing file is not an error.
  package func remove(_ name: String) { try? open().remove(name) }

  /// Opens the folder. Symbolic links are followed only in the path of the folder that contains the store.
  private func open() throws -> OpenFolder {
    let support = url.deletingLastPathComponent()
    return try OpenFolder(following: support.deletingLastPathComponent()).folder(support.lastPathComponent)
      .folder(url.lastPathComponent)
  }

  /// Opens the folder, and creates it if it is missing.
  @discardableResult
  package func makeFolder() throws -> OpenFolder {
    let support = url.deletingLastPathComponent()
    var folder = try OpenFolder(following: support.deletingLastPathComponent())
    for name in [support.lastPathComponent, url.lastPathComponent] {
      do {
        folder = try folder.folder(name)
      } catch let error as POSIXError where error.code == .ENOENT {
        folder = try make(name, in: folder)
      }
    }
    return folder
  }

  private func make(_ name: String, in folder: OpenFolder) throws -> OpenFolder {
    do {
      try folder.makeFolder(name)
    } catch let error as POSIXError where error.code == .EEXIST {
      // Another process created it at the same moment.
      return try folder.folder(name)
    }
    let made = try folder.folder(name)
    try rights()?.ofFolder.apply(to: made.descriptor)
    try folder.synchronize()
    return made
  }

  /// The store's access rights, which its external files get, too.
  private func rights() throws -> FileRights? { try FileRights(of: store) }
}

extension Error {
  /// The operating system's message, without the errors that wrap it.
  package var reason: String {
    if let special = self as? SpecialFile { return special.description }
    let underlying = (self as NSError).userInfo[NSUnderlyingErrorKey] as? any Error
    if let posix = (underlying ?? self) as? POSIXError { return String(cString: strerror(posix.code.rawValue)) }
    return (underlying ?? self).localizedDescription
  }
}

/// The format of a column that allows external storage: its first byte, 1 or 2, distinguishes data from the name of a
/// file.
enum ExternalDataFormat {
  static func decode(_ cell: some CellView, as attributeType: AttributeType) throws -> AttributeCodec.Stored {
    switch cell.type {
    case .null: return .value(.null)
    case .blob: return try decode(Data(cell.bytes), as: attributeType)
    case let type: throw AttributeCodec.Mismatch(problem: "holds \(type.phrase) where data is expected")
    }
  }

  /// Decodes a column value that is not null.
  static func decode(_ bytes: Data, as attributeType: AttributeType) throws -> AttributeCodec.Stored {
    switch bytes.first {
    case 1: return .value(.data(Data(bytes.dropFirst())))
    case 2: return .externalFile(try fileName(in: bytes))
    // No public store has a transformable with external storage. An archive starts with neither 1 nor 2.
    case let first? where attributeType == .transformable && first > 2: return .value(.data(bytes))
    default:
      throw AttributeCodec.Mismatch(
        problem: "holds data whose first byte is neither 1 (stored here) nor 2 (stored in a file)")
    }
  }

  static func inline(_ data: Data) -> SQLiteValue { .blob([1] + data) }

  static func reference(to fileName: String) -> SQLiteValue { .blob([2] + Data(fileName.utf8) + [0]) }

  /// A name that is not a UUID could point outside the folder.
  private static func fileName(in bytes: Data) throws -> String {
    let name = bytes.dropFirst().prefix { $0 != 0 }
    guard let text = String(validating: name, as: UTF8.self), UUID(uuidString: text) != nil else {
      throw AttributeCodec.Mismatch(problem: "names an external file by something other than a UUID")
    }
    return text
  }
}

/// The missing external files whose values a migration has read as nil.
package final class LostFiles: Sendable {
  private let names = Locked<Set<String>>([])

  package init() {}

  func insert(_ name: String) { names.withLock { _ = $0.insert(name) } }

  func contains(_ name: String) -> Bool { names.withLock { $0.contains(name) } }
}

/// Writes files so that each is either complete or missing, no matter when the machine stops.
enum DurableFile {
  /// Writes a new file; the name must be free.
  ///
  /// - Parameter rights: The access rights; by default only the owner has access.
  static func write(
    _ data: Data, as name: String, in folder: OpenFolder, rights: FileRights?,
    attributes: ExtendedAttributes? = nil
  ) throws {
    let temporary = ".\(name).\(UUID().uuidString)"
    do {
      let file = try folder.open(temporary, O_WRONLY | O_CREAT | O_EXCL)
      do {
        defer { close(file) }
        try attributes?.apply(to: file)
        try rights?.apply(to: file)
        try FileBytes.write(data, to: file)
        guard fsync(file) == 0 else { throw POSIXError(number: errno) }
      }
      try folder.rename(temporary, to: folder, as: name, .exclusive)
      try folder.synchronize()
    } catch {
      try? folder.remove(temporary)
      throw error
    }
  }
}
