import Foundation
import HeavyliftStore

/// Looks for processes that have a file open.
///
/// In rollback mode a connection that is idle holds no lock, and would go on with a file that is no longer the store's.
/// Linux tells who has what open, of processes of the same user, or of all to the superuser: no proof, but better than
/// none.
enum OpenFiles {
  /// The first process that has the file open by a descriptor that is not among our own.
  ///
  /// A process that is just being started has its parent's files for an instant, so nothing is believed at once.
  static func process(having file: FileIdentity, besides own: Set<Int32>) -> Int32? {
    for _ in 0..<5 {
      guard found(file, own) != nil else { return nil }
      usleep(20_000)
    }
    return found(file, own)
  }

  private static func found(_ file: FileIdentity, _ own: Set<Int32>) -> Int32? {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    return names.compactMap { Int32($0) }.sorted().first { identifier in
      let folder = "/proc/\(identifier)/fd"
      guard let descriptors = try? FileManager.default.contentsOfDirectory(atPath: folder) else { return false }
      return descriptors.contains { name in
        if identifier == getpid(), let number = Int32(name), own.contains(number) { return false }
        var status = stat()
        return stat("\(folder)/\(name)", &status) == 0 && FileIdentity(status).isSameFile(as: file)
      }
    }
  }
}
