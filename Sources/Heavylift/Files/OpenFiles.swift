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
      throw IncrementalMigrationError.usersUnknown(file.url, proc, error)
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
