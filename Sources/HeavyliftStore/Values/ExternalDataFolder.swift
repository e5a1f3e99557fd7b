import Foundation
import HeavyliftArchive
import HeavyliftModel

/// The folder beside a store that holds large binary values: `.<store>_SUPPORT/_EXTERNAL_DATA`.
///
/// A file is written under its final name only when it is whole and on disk, and is never changed afterwards; that is why
/// two stores can share one by a hard link.
public struct ExternalDataFolder: Hashable, Sendable {
  public let url: URL
  private let store: URL

  /// Data of this many bytes and more goes into a file, as Core Data does from about 100 kB on.
  public static let threshold = 100 * 1024

  /// The folder that belongs to the store.
  public init(store: URL) {
    self.store = store
    let base = store.deletingPathExtension().lastPathComponent
    url = store.deletingLastPathComponent().appending(path: ".\(base)_SUPPORT/_EXTERNAL_DATA")
  }

  /// Where the file of that name is.
  public func file(named name: String) -> URL { url.appending(path: name) }

  /// The names of all files, in order.
  public func fileNames() throws -> [String] {
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
      return try RegularFile.map(file(named: name))
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
  ///
  /// The file, and the folder if there was none, can be read by those who can read the store, and by nobody else.
  public func write(_ data: Data) throws -> String {
    let name = UUID().uuidString
    let folder = try makeFolder()
    try DurableFile.write(data, as: name, in: folder, rights: rights())
    return name
  }

  /// Takes a file of another store's folder into this one, without copying its bytes where the disk allows it.
  public func share(_ name: String, from other: ExternalDataFolder) throws {
    let folder = try makeFolder()
    guard try !folder.has(name) else { return }
    guard try !link(name, of: other, into: folder, as: name) else { return }
    try copy(name, of: other, into: folder, as: name)
  }

  /// Takes a file of another store's folder into this one, for one more value, and gives the name that it has here.
  ///
  /// Each value has a file of its own: another one's name is not taken again. A reference to a file that is gone stays
  /// the reference that it was.
  package func take(_ name: String, from other: ExternalDataFolder) throws -> String {
    let folder = try makeFolder()
    let own = try folder.has(name) ? UUID().uuidString : name
    guard try !link(name, of: other, into: folder, as: own) else { return own }
    if try other.isMissing(name) { return name }
    try copy(name, of: other, into: folder, as: own)
    return own
  }

  /// Gives a file of another store a name here; false where it must be copied, or is not there.
  private func link(
    _ name: String, of other: ExternalDataFolder, into folder: OpenFolder, as own: String
  ) throws -> Bool {
    do {
      try OpenFolder(following: other.url).link(name, to: folder, as: own)
      // After the link was made: before, another file could still take the name.
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

  /// Removes a file; that it is gone already is no mistake.
  public func remove(_ name: String) { try? open().remove(name) }

  /// Opens the folder, past no link in the names that are the store's.
  private func open() throws -> OpenFolder {
    let support = url.deletingLastPathComponent()
    return try OpenFolder(following: support.deletingLastPathComponent()).folder(support.lastPathComponent)
      .folder(url.lastPathComponent)
  }

  /// Opens the folder, and makes it if it is not there.
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
      // Somebody else has made it at the same instant.
      return try folder.folder(name)
    }
    let made = try folder.folder(name)
    try rights()?.ofFolder.apply(to: made.descriptor)
    try folder.synchronize()
    return made
  }

  /// The rights of the store, which its large values have, too.
  private func rights() throws -> FileRights? { try FileRights(of: store) }
}

extension Error {
  /// What the system says, without the layers around it.
  var reason: String {
    if let special = self as? SpecialFile { return special.description }
    let underlying = (self as NSError).userInfo[NSUnderlyingErrorKey] as? any Error
    if let posix = (underlying ?? self) as? POSIXError { return String(cString: strerror(posix.code.rawValue)) }
    return (underlying ?? self).localizedDescription
  }
}
