import Foundation
import HeavyliftStore

/// Everything that the engine does to files and folders, one small step at a time.
///
/// A test hands in an interceptor that makes any step fail; there is no other way from the engine to the disk but SQLite's.
struct FileOperations: Sendable {
  /// One step.
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
    /// SQLite merges a write-ahead log into the store's file.
    case merge(URL)
  }

  /// What an interceptor throws to let only the first bytes of a file arrive, as a full disk does.
  struct ShortWrite: Error {
    var bytes: Int
  }

  /// Called before each step; what it throws is what the step throws.
  var interceptor: (@Sendable (Step) throws -> Void)?

  /// What a disk is taken to have free, instead of what it has.
  var availableBytesForTests: Int64?

  init(interceptor: (@Sendable (Step) throws -> Void)? = nil) { self.interceptor = interceptor }

  /// Makes a folder that is not there yet, for its owner alone.
  func makeFolder(_ url: URL) throws {
    try interceptor?(.makeFolder(url))
    let (folder, name) = try place(of: url)
    try folder.makeFolder(name)
  }

  /// Gives a file or folder another name on the same disk; nothing may be there.
  func move(_ url: URL, to target: URL) throws {
    try interceptor?(.move(from: url, to: target))
    try rename(url, to: target, .exclusive)
  }

  /// Puts a file in the place of another one, at one instant.
  func replace(_ target: URL, by url: URL) throws {
    try interceptor?(.replace(target, by: url))
    try rename(url, to: target, .replacing)
  }

  /// Puts a file in the place of another one, which gets its name, at one instant.
  ///
  /// - Throws: `POSIXError` `EINVAL` or `ENOSYS` where that cannot be done.
  func exchange(_ target: URL, with url: URL) throws {
    try interceptor?(.replace(target, by: url))
    try rename(url, to: target, .exchanging)
  }

  /// Gives a file a second name; nothing may be there.
  func link(_ url: URL, to target: URL) throws {
    try interceptor?(.link(from: url, to: target))
    let ((folder, name), (other, newName)) = (try place(of: url), try place(of: target))
    try folder.link(name, to: other, as: newName)
  }

  /// Copies a file's bytes into a new file, and waits until they are on disk.
  ///
  /// Whoever may read the one may read the other, and nobody else.
  func copy(_ url: URL, to target: URL) throws {
    let (folder, name) = try place(of: url)
    let input = try folder.open(name, O_RDONLY)
    defer { close(input) }
    try copy(input, url, to: target)
  }

  /// Copies the bytes of a file that is open already.
  func copy(_ input: Int32, _ url: URL, to target: URL) throws {
    try creating(target) { output in
      try interceptor?(.copy(from: url, to: target))
      try ExtendedAttributes(of: input).apply(to: output)
      try FileRights(of: input).apply(to: output)
      var offset: Int64 = 0
      while case let bytes = try FileBytes.read(1 << 18, of: input, from: offset), !bytes.isEmpty {
        try FileBytes.write(bytes, to: output)
        offset += Int64(bytes.count)
      }
    }
  }

  /// Writes a file so that it is there whole, or as it was before, whenever the machine stops.
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

  /// Makes a new file of lines; however many there are, few are held at a time.
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

  /// Reads a small file; `nil` if there is none.
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

  /// Removes a file, or a folder with everything in it; that it is gone already is no mistake.
  func remove(_ url: URL) throws {
    guard try exists(url) else { return }
    try interceptor?(.remove(url))
    let (folder, name) = try place(of: url)
    try folder.remove(name)
  }

  /// Waits until what was written to a file, or which names a folder holds, is on disk.
  func synchronize(_ url: URL) throws {
    try interceptor?(.synchronize(url))
    let (folder, name) = try place(of: url)
    let descriptor = try folder.open(name, O_RDONLY)
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 else { throw POSIXError(number: errno) }
  }

  /// Gives a file or folder rights, as far as that is allowed.
  func setRights(of url: URL, to rights: FileRights, refusesLockout: Bool = false) throws {
    try interceptor?(.setAttributes(url))
    let (folder, name) = try place(of: url)
    let descriptor = try folder.open(name, O_RDONLY)
    defer { close(descriptor) }
    try rights.apply(to: descriptor, refusesLockout: refusesLockout)
  }

  /// Gives a file extended attributes of another one.
  func setAttributes(of url: URL, to attributes: ExtendedAttributes) throws {
    guard !attributes.values.isEmpty else { return }
    try interceptor?(.setAttributes(url))
    let (folder, name) = try place(of: url)
    let descriptor = try folder.open(name, O_RDONLY)
    defer { close(descriptor) }
    try attributes.apply(to: descriptor)
  }

  /// How many bytes this user may still write to the disk that holds a folder.
  func availableBytes(at url: URL) throws -> Int64 {
    try interceptor?(.measureSpace(url))
    if let availableBytesForTests { return availableBytesForTests }
    var status = statvfs()
    guard statvfs(url.path, &status) == 0 else { throw POSIXError(number: errno) }
    return Int64(
      clamping: UInt64(status.f_bavail).multipliedReportingOverflow(by: UInt64(status.f_frsize)).partialValue)
  }

  /// Why nothing can be made in a folder; nil if nothing stands against it.
  func refusal(of folder: URL) -> POSIXError? {
    var status = stat()
    guard stat(folder.path, &status) == 0 else { return POSIXError(number: errno) }
    guard status.st_mode & S_IFMT == S_IFDIR else { return POSIXError(.ENOTDIR) }
    return access(folder.path, W_OK | X_OK) == 0 ? nil : POSIXError(number: errno)
  }

  /// True if something has that name, even a link that leads nowhere.
  ///
  /// - Throws: any error but the ones that prove absence.
  func exists(_ url: URL) throws -> Bool { try FileIdentity(url) != nil }

  /// The names in a folder, in order; none if there is no folder.
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

  /// Removes a file if it is still the one that was seen, whatever its name leads to by now.
  func remove(_ url: URL, ifStill identity: FileIdentity) throws {
    guard try FileIdentity(url)?.isSameFile(as: identity) == true else { return }
    try remove(url)
  }

  /// The folder of a path, opened past no link, and the last name.
  private func place(of url: URL) throws -> (OpenFolder, String) {
    (try OpenFolder.walking(to: url.deletingLastPathComponent()), url.lastPathComponent)
  }

  private func rename(_ url: URL, to target: URL, _ renaming: OpenFolder.Renaming) throws {
    let ((folder, name), (other, newName)) = (try place(of: url), try place(of: target))
    try folder.rename(name, to: other, as: newName, renaming)
  }

  /// Makes a new file, which is on disk when this returns, and gone when it throws.
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
