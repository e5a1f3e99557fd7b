import Foundation
import HeavyliftStore

/// All file and folder operations of the engine, each as one small step.
///
/// A test can pass an interceptor that makes any step fail. Except for SQLite, the engine touches the disk only through
/// this type.
struct FileOperations: Sendable {
  /// One file or folder operation.
  enum Step: Hashable, Sendable {
    case makeFolder(URL)
    case move(from: URL, to: URL)
    case replace(URL, by: URL)
    case link(from: URL, to: URL)
    case copy(from: URL, to: URL)
    case write(URL)
    case remove(URL)
    case synchronize(URL)
    case setAttributes(URL)
    case lock(URL)
    case measureSpace(URL)
    /// SQLite merges a write-ahead log into the database file.
    case merge(URL)
    /// SQLite runs a statement of a migration in place, commits it, or opens the store for it.
    case change(URL)
  }

  /// Thrown by an interceptor to write only the start of a file, as on a full disk.
  struct ShortWrite: Error {
    var bytes: Int
  }

  /// Called before each step. An error that it throws becomes the step's error.
  var interceptor: (@Sendable (Step) throws -> Void)?

  /// The free disk space to report in tests instead of the real value.
  var availableBytesForTests: Int64?

  init(interceptor: (@Sendable (Step) throws -> Void)? = nil) { self.interceptor = interceptor }

  /// Creates a new folder that only its owner can access.
  func makeFolder(_ url: URL) throws {
    try interceptor?(.makeFolder(url))
    let (folder, name) = try place(of: url)
    try folder.makeFolder(name)
  }

  /// Renames a file or folder on the same disk. The new name must be free.
  func move(_ url: URL, to target: URL) throws {
    try interceptor?(.move(from: url, to: target))
    try rename(url, to: target, .exclusive)
  }

  /// Replaces another file atomically.
  func replace(_ target: URL, by url: URL) throws {
    try interceptor?(.replace(target, by: url))
    try rename(url, to: target, .replacing)
  }

  /// Exchanges the names of two files atomically.
  ///
  /// - Throws: `POSIXError` `EINVAL` or `ENOSYS` if that is not supported.
  func exchange(_ target: URL, with url: URL) throws {
    try interceptor?(.replace(target, by: url))
    try rename(url, to: target, .exchanging)
  }

  /// Creates a hard link to a file. The new name must be free.
  func link(_ url: URL, to target: URL) throws {
    try interceptor?(.link(from: url, to: target))
    let ((folder, name), (other, newName)) = (try place(of: url), try place(of: target))
    try folder.link(name, to: other, as: newName)
  }

  /// Copies a file's bytes into a new file, and waits until they are on disk.
  ///
  /// The copy gets the same extended attributes and access rights.
  func copy(_ url: URL, to target: URL) throws {
    let (folder, name) = try place(of: url)
    let input = try folder.open(name, O_RDONLY)
    defer { close(input) }
    try copy(input, url, to: target)
  }

  /// Copies the bytes of a file that is already open.
  func copy(_ input: Int32, _ url: URL, to target: URL) throws {
    try creating(target) { output in
      try interceptor?(.copy(from: url, to: target))
      try ExtendedAttributes(of: input).apply(to: output)
      try FileRights(of: input).apply(to: output)
      if FileBytes.share(input, with: output) { return }
      var offset: Int64 = 0
      while case let bytes = try FileBytes.read(1 << 18, of: input, from: offset), !bytes.isEmpty {
        try FileBytes.write(bytes, to: output)
        offset += Int64(bytes.count)
      }
    }
  }

  /// Writes a file atomically: after a crash it has either its new or its old contents.
  func write(_ data: Data, to url: URL) throws {
    let temporary = url.deletingLastPathComponent().appending(path: url.lastPathComponent + ".new")
    try remove(temporary)
    try creating(temporary) { output in
      do {
        try interceptor?(.write(temporary))
      } catch let short as ShortWrite {
        try FileBytes.write(data.prefix(short.bytes), to: output)
        throw POSIXError(.ENOSPC)
      }
      try FileBytes.write(data, to: output)
    }
    try replace(url, by: temporary)
    try synchronize(url.deletingLastPathComponent())
  }

  /// Creates a file line by line, keeping only a few lines in memory.
  func writeLines(to url: URL, _ body: ((String) throws -> Void) throws -> Void) throws {
    try creating(url) { output in
      try interceptor?(.write(url))
      var buffer: [UInt8] = []
      try body { line in
        buffer += line.utf8
        buffer.append(UInt8(ascii: "\n"))
        guard buffer.count >= 1 << 16 else { return }
        try FileBytes.write(buffer, to: output)
        buffer.removeAll(keepingCapacity: true)
      }
      try FileBytes.write(buffer, to: output)
    }
  }

  /// Reads a small file; returns `nil` if there is none.
  func contents(of url: URL) throws -> Data? {
    do {
      let (folder, name) = try place(of: url)
      let file = try folder.open(name, O_RDONLY)
      defer { close(file) }
      var status = stat()
      guard fstat(file, &status) == 0 else { throw POSIXError(number: errno) }
      return try FileBytes.read(Int(status.st_size), of: file)
    } catch let error as POSIXError where error.meansAbsence {
      return nil
    }
  }

  /// Removes a file, or a folder with everything in it. A missing file is not an error.
  func remove(_ url: URL) throws {
    guard try exists(url) else { return }
    try interceptor?(.remove(url))
    let (folder, name) = try place(of: url)
    try folder.remove(name)
  }

  /// Syncs a file's contents, or a folder's entries, to disk.
  func synchronize(_ url: URL) throws {
    try interceptor?(.synchronize(url))
    let (folder, name) = try place(of: url)
    let descriptor = try folder.open(name, O_RDONLY)
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 else { throw POSIXError(number: errno) }
  }

  /// Sets the access rights of a file or folder as far as the system allows.
  func setRights(of url: URL, to rights: FileRights, refusesLockout: Bool = false) throws {
    try interceptor?(.setAttributes(url))
    let (folder, name) = try place(of: url)
    let descriptor = try folder.open(name, O_RDONLY)
    defer { close(descriptor) }
    try rights.apply(to: descriptor, refusesLockout: refusesLockout)
  }

  /// Sets extended attributes on a file.
  func setAttributes(of url: URL, to attributes: ExtendedAttributes) throws {
    guard !attributes.values.isEmpty else { return }
    try interceptor?(.setAttributes(url))
    let (folder, name) = try place(of: url)
    let descriptor = try folder.open(name, O_RDONLY)
    defer { close(descriptor) }
    try attributes.apply(to: descriptor)
  }

  /// The number of bytes that this user may still write to the folder's disk.
  func availableBytes(at url: URL) throws -> Int64 {
    try interceptor?(.measureSpace(url))
    if let availableBytesForTests { return availableBytesForTests }
    var status = statvfs()
    guard statvfs(url.path, &status) == 0 else { throw POSIXError(number: errno) }
    return Int64(
      clamping: UInt64(status.f_bavail).multipliedReportingOverflow(by: UInt64(status.f_frsize)).partialValue)
  }

  /// Returns the error that creating a file in the folder would fail with; `nil` if it would succeed.
  func refusal(of folder: URL) -> POSIXError? {
    var status = stat()
    guard stat(folder.path, &status) == 0 else { return POSIXError(number: errno) }
    guard status.st_mode & S_IFMT == S_IFDIR else { return POSIXError(.ENOTDIR) }
    return access(folder.path, W_OK | X_OK) == 0 ? nil : POSIXError(number: errno)
  }

  /// True if the name exists, even as a dangling symbolic link.
  ///
  /// - Throws: any error except those that prove that the name does not exist.
  func exists(_ url: URL) throws -> Bool { try FileIdentity(url) != nil }

  /// The names in a folder, sorted; empty if the folder does not exist.
  func names(in url: URL) throws -> [String] {
    do {
      return try OpenFolder.walking(to: url).names()
    } catch let error as POSIXError where error.meansAbsence {
      guard try exists(url) else { return [] }
      throw error
    }
  }

  /// The size of a file; `nil` if there is none.
  func size(of url: URL) throws -> Int64? { try FileIdentity(url)?.size }

  /// Removes a file only if it is still the one that was seen earlier.
  func remove(_ url: URL, ifStill identity: FileIdentity) throws {
    guard try FileIdentity(url)?.isSameFile(as: identity) == true else { return }
    try remove(url)
  }

  /// Opens the folder of a path without following links; returns it with the path's last component.
  private func place(of url: URL) throws -> (OpenFolder, String) {
    (try OpenFolder.walking(to: url.deletingLastPathComponent()), url.lastPathComponent)
  }

  private func rename(_ url: URL, to target: URL, _ renaming: OpenFolder.Renaming) throws {
    let ((folder, name), (other, newName)) = (try place(of: url), try place(of: target))
    try folder.rename(name, to: other, as: newName, renaming)
  }

  /// Creates a file. It is on disk when this method returns, and is removed if this method throws.
  private func creating(_ url: URL, _ body: (Int32) throws -> Void) throws {
    let (folder, name) = try place(of: url)
    let output = try folder.open(name, O_WRONLY | O_CREAT | O_EXCL)
    do {
      defer { close(output) }
      try body(output)
      try interceptor?(.synchronize(url))
      guard fsync(output) == 0 else { throw POSIXError(number: errno) }
    } catch {
      try? folder.remove(name)
      throw error
    }
  }
}
