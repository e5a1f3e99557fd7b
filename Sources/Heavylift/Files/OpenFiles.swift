import Foundation
import HeavyliftStore

/// Finds processes that have a file open.
///
/// In rollback mode, an idle connection holds no lock, and would keep using the old file after the store is replaced.
/// Linux lists the open files of the same user's processes, or of all processes for root. So finding no process proves
/// nothing, but the check is better than none.
enum OpenFiles {
  /// Returns the first process that has a store's file open with a descriptor other than ours.
  ///
  /// A process that is starting shares its parent's files for a moment, so a match counts only if it persists. A child that
  /// has yet to start its own program may need longer on a busy machine.
  ///
  /// - Throws: An error if open files cannot be listed, not even those of this process.
  static func process(using file: RangeLock, listedIn proc: URL = URL(filePath: "/proc")) throws -> Int32? {
    LateClosing.closeUnshared()
    let identity = try file.identity()
    var user: Int32?
    do {
      let isOpen = {
        user = try found(identity, besides: file.descriptor, proc)
        return user != nil
      }
      guard try LastingCondition.holds(isOpen) else { return nil }
      let isStarting = user.map { isStartingChild($0, proc) } ?? false
      return try LastingCondition.holds(tries: isStarting ? 500 : 0, isOpen) ? user : nil
    } catch {
      throw MigrationError.usersUnknown(file.url, proc, error)
    }
  }

  private static func found(_ file: FileIdentity, besides own: Int32, _ proc: URL) throws -> Int32? {
    let processes = try OpenFolder(following: proc).names().compactMap { Int32($0) }.sorted()
    guard processes.contains(getpid()) else { throw POSIXError(.ENOENT) }
    return try processes.first { process in
      let folder = proc.appending(path: "\(process)/fd")
      return try descriptors(of: process, in: folder).contains { name in
        if process == getpid(), Int32(name) == own { return false }
        var status = stat()
        return stat("\(folder.path)/\(name)", &status) == 0 && FileIdentity(status).isSameFile(as: file)
      }
    }
  }

  /// True for a child of this process that has yet to replace this process's program with its own.
  static func isStartingChild(_ process: Int32, _ proc: URL) -> Bool {
    func place(_ process: Int32, _ name: String) -> URL { proc.appending(path: "\(process)/\(name)") }
    func program(_ process: Int32) -> String? {
      try? FileManager.default.destinationOfSymbolicLink(atPath: place(process, "exe").path)
    }
    guard let status = try? String(contentsOf: place(process, "status"), encoding: .utf8),
      status.split(separator: "\n").contains("PPid:\t\(getpid())")
    else { return false }
    return program(process) != nil && program(process) == program(getpid())
  }

  /// Returns the names of a process's descriptors; none if it has ended, or belongs to another user.
  private static func descriptors(of process: Int32, in folder: URL) throws -> [String] {
    do {
      return try OpenFolder(following: folder).names()
    } catch let error as POSIXError
      where process != getpid() && (error.meansAbsence || [.ESRCH, .EACCES, .EPERM].contains(error.code))
    {
      return []
    }
  }
}

/// The name of a process, for messages.
enum ProcessName {
  /// Returns words such as `process 4711 ('Library')`, with less detail if the ID or the name is unknown.
  static func words(_ identifier: Int32?) -> String {
    guard let identifier, identifier > 0 else { return "another process" }
    if identifier == getpid() { return "this process" }
    guard let name = try? String(contentsOfFile: "/proc/\(identifier)/comm", encoding: .utf8) else {
      return "process \(identifier)"
    }
    return "process \(identifier) ('\(name.trimmingCharacters(in: .whitespacesAndNewlines))')"
  }
}

/// A write lease on an open file (`F_SETLEASE`).
///
/// The system grants it only if no other process of any user has the file open. From then on, a process that opens the
/// file blocks until the lease is released, and the owner of the lease can see that a process is waiting.
final class FileLease {
  enum Refusal: Error {
    /// Another process has the file open.
    case inUse
    /// The file belongs to another user, or its file system does not support leases.
    case unavailable
  }

  // Linux constants that Swift does not import: F_SETLEASE, F_GETLEASE and F_SETSIG.
  private static let set: Int32 = 1_024
  private static let get: Int32 = 1_025
  private static let setSignal: Int32 = 10

  /// Kept open for the lifetime of the lease.
  private let file: RangeLock

  private init(_ file: RangeLock) { self.file = file }

  deinit { _ = fcntl(file.descriptor, Self.set, Int32(F_UNLCK)) }

  /// Takes a lease, which ends when the file is closed, if not earlier.
  static func take(_ file: RangeLock) -> Result<FileLease, Refusal> {
    LateClosing.closeUnshared()
    // The system reports a waiting process with a signal. The default, SIGIO, would terminate this process; SIGURG is
    // ignored.
    guard fcntl(file.descriptor, setSignal, SIGURG) == 0 else { return .failure(.unavailable) }
    guard fcntl(file.descriptor, set, Int32(F_WRLCK)) != 0 else { return .success(FileLease(file)) }
    return .failure(errno == EAGAIN ? .inUse : .unavailable)
  }

  /// True if a process is waiting for the file, or opened it because the system's lease-break time ran out.
  var isContested: Bool { fcntl(file.descriptor, Self.get) != Int32(F_WRLCK) }
}
