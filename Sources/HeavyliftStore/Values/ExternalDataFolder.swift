import Foundation
import HeavyliftModel

/// The folder beside a store that holds large binary values: `.<store>_SUPPORT/_EXTERNAL_DATA`.
///
/// A file is written under its final name only when it is whole and on disk, and is never changed afterwards; that is why
/// two stores can share one by a hard link.
public struct ExternalDataFolder: Hashable, Sendable {
  public let url: URL

  /// Data of this many bytes and more goes into a file, as Core Data does from about 100 kB on.
  public static let threshold = 100 * 1024

  /// The folder that belongs to the store.
  public init(store: URL) {
    let base = store.deletingPathExtension().lastPathComponent
    url = store.deletingLastPathComponent().appending(path: ".\(base)_SUPPORT/_EXTERNAL_DATA")
  }

  /// Where the file of that name is.
  public func file(named name: String) -> URL { url.appending(path: name) }

  /// The names of all files, in order.
  public func fileNames() throws -> [String] {
    guard FileManager.default.fileExists(atPath: url.path) else { return [] }
    return try FileManager.default.contentsOfDirectory(atPath: url.path).filter { UUID(uuidString: $0) != nil }.sorted()
  }

  /// Returns true if there is no such file.
  ///
  /// - Throws: any error but the one that says so: a file that cannot be examined is not missing.
  package func isMissing(_ name: String) throws -> Bool {
    guard access(file(named: name).path, F_OK) != 0 else { return false }
    let code = errno
    guard code == ENOENT || code == ENOTDIR else {
      throw Self.unreadable(name, reason: String(cString: strerror(code)), in: url)
    }
    return true
  }

  /// Reads a file; mapped, so that bytes that nobody looks at are never read.
  public func read(_ name: String) throws -> Data {
    do {
      return try Data(contentsOf: file(named: name), options: .mappedIfSafe)
    } catch {
      throw Self.unreadable(name, reason: error.reason, in: url)
    }
  }

  private static func unreadable(_ name: String, reason: String, in folder: URL) -> Diagnostic {
    Diagnostic(
      .error, code: "store.external-file", problem: "external file '\(name)' cannot be read: \(reason)",
      remedy: "the folder '\(folder.path)' belongs to the store: copy it along with the store's file")
  }

  /// Writes data into a new file and gives its name.
  public func write(_ data: Data) throws -> String {
    let name = UUID().uuidString
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    try DurableFile.write(data, to: file(named: name))
    return name
  }

  /// Takes a file of another store's folder into this one, without copying its bytes where the disk allows it.
  public func share(_ name: String, from other: ExternalDataFolder) throws {
    let (source, target) = (other.file(named: name), file(named: name))
    guard !FileManager.default.fileExists(atPath: target.path) else { return }
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    do {
      try FileManager.default.linkItem(at: source, to: target)
    } catch {
      // Another disk, or one without hard links.
      try DurableFile.write(try other.read(name), to: target)
    }
  }

  /// Takes a file of another store's folder into this one, for one more value, and gives the name that it has here.
  ///
  /// Each value has a file of its own: another one's name is not taken again. A reference to a file that is gone stays
  /// the reference that it was.
  package func take(_ name: String, from other: ExternalDataFolder) throws -> String {
    let isTaken = FileManager.default.fileExists(atPath: file(named: name).path)
    let own = isTaken ? UUID().uuidString : name
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    guard link(other.file(named: name).path, file(named: own).path) != 0 else { return own }
    if try other.isMissing(name) { return name }
    // Another disk, or one without hard links.
    try DurableFile.write(try other.read(name), to: file(named: own))
    return own
  }

  /// Removes a file; that it is gone already is no mistake.
  public func remove(_ name: String) { try? FileManager.default.removeItem(at: file(named: name)) }
}

extension Error {
  /// What the system says, without the layers around it.
  var reason: String {
    let underlying = (self as NSError).userInfo[NSUnderlyingErrorKey] as? any Error
    if let posix = (underlying ?? self) as? POSIXError { return String(cString: strerror(posix.code.rawValue)) }
    return (underlying ?? self).localizedDescription
  }
}
