import Foundation

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

  /// Makes a folder that is not there yet.
  func makeFolder(_ url: URL) throws {
    try interceptor?(.makeFolder(url))
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false)
  }

  /// Gives a file or folder another name on the same disk; nothing may be there.
  func move(_ url: URL, to target: URL) throws {
    try interceptor?(.move(from: url, to: target))
    guard !exists(target) else { throw POSIXError(number: EEXIST) }
    guard rename(url.path, target.path) == 0 else { throw POSIXError(number: errno) }
  }

  /// Puts a file in the place of another one, at one instant.
  func replace(_ target: URL, by url: URL) throws {
    try interceptor?(.replace(target, by: url))
    guard rename(url.path, target.path) == 0 else { throw POSIXError(number: errno) }
  }

  /// Gives a file a second name; nothing may be there.
  func link(_ url: URL, to target: URL) throws {
    try interceptor?(.link(from: url, to: target))
    guard Glibc.link(url.path, target.path) == 0 else { throw POSIXError(number: errno) }
  }

  /// Copies a file's bytes into a new file, and waits until they are on disk.
  func copy(_ url: URL, to target: URL) throws {
    try creating(target) { output in
      try interceptor?(.copy(from: url, to: target))
      let input = open(url.path, O_RDONLY | O_CLOEXEC)
      guard input >= 0 else { throw POSIXError(number: errno) }
      defer { close(input) }
      // Whoever may read the one may read the other, and nobody else; giving files away is for the superuser alone.
      var status = stat()
      guard fstat(input, &status) == 0 else { throw POSIXError(number: errno) }
      _ = fchown(output, status.st_uid, status.st_gid)
      guard fchmod(output, status.st_mode & 0o777) == 0 else { throw POSIXError(number: errno) }
      var buffer = [UInt8](repeating: 0, count: 1 << 18)
      while true {
        let count = read(input, &buffer, buffer.count)
        if count < 0, errno == EINTR { continue }
        guard count >= 0 else { throw POSIXError(number: errno) }
        if count == 0 { break }
        try Self.write(buffer[..<count], to: output)
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
        try Self.write(Array(data.prefix(short.bytes))[...], to: output)
        throw POSIXError(.ENOSPC)
      }
      try Self.write(Array(data)[...], to: output)
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
        try Self.write(buffer[...], to: output)
        buffer.removeAll(keepingCapacity: true)
      }
      try Self.write(buffer[...], to: output)
    }
  }

  /// Removes a file, or a folder with everything in it; that it is gone already is no mistake.
  func remove(_ url: URL) throws {
    guard exists(url) else { return }
    try interceptor?(.remove(url))
    do {
      try FileManager.default.removeItem(at: url)
    } catch {
      if exists(url) { throw error }
    }
  }

  /// Waits until what was written to a file, or which names a folder holds, is on disk.
  func synchronize(_ url: URL) throws {
    try interceptor?(.synchronize(url))
    let descriptor = open(url.path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw POSIXError(number: errno) }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 else { throw POSIXError(number: errno) }
  }

  /// Gives a file the rights and, where that is allowed, the owner of another.
  func setAttributes(of url: URL, like other: URL) throws {
    try interceptor?(.setAttributes(url))
    var status = stat()
    guard stat(other.path, &status) == 0 else { throw POSIXError(number: errno) }
    // Only the superuser can give files away; for everybody else the file is theirs already.
    _ = chown(url.path, status.st_uid, status.st_gid)
    guard chmod(url.path, status.st_mode & 0o7777) == 0 else { throw POSIXError(number: errno) }
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

  /// Whether something has that name: a link that leads nowhere, too.
  func exists(_ url: URL) -> Bool {
    var status = stat()
    return lstat(url.path, &status) == 0
  }

  /// The names in a folder, in order; none if there is no folder.
  func names(in url: URL) throws -> [String] {
    guard exists(url) else { return [] }
    return try FileManager.default.contentsOfDirectory(atPath: url.path).sorted()
  }

  /// The size of a file; nil if there is none.
  func size(of url: URL) -> Int64? { FileIdentity(url)?.size }

  /// Makes a new file, which is on disk when this returns, and gone when it throws.
  private func creating(_ url: URL, _ body: (Int32) throws -> Void) throws {
    let output = open(url.path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard output >= 0 else { throw POSIXError(number: errno) }
    do {
      defer { close(output) }
      try body(output)
      try interceptor?(.synchronize(url))
      guard fsync(output) == 0 else { throw POSIXError(number: errno) }
    } catch {
      unlink(url.path)
      throw error
    }
  }

  private static func write(_ bytes: ArraySlice<UInt8>, to output: Int32) throws {
    var rest = bytes
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(output, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw POSIXError(number: count == 0 ? ENOSPC : errno) }
      rest = rest.dropFirst(count)
    }
  }
}

extension POSIXError {
  /// The error of that number.
  init(number: Int32) { self.init(POSIXErrorCode(rawValue: number) ?? .EIO) }

  /// Whether a file cannot have a second name there, and is to be copied or moved.
  var meansNoLinks: Bool {
    let codes: [POSIXErrorCode] = [.EPERM, .EXDEV, .EMLINK, .EOPNOTSUPP, .ENOSYS]
    return codes.contains(code)
  }
}
