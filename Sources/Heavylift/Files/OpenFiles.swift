import Foundation
import HeavyliftStore

/// Finds processes that have a file open.
///
/// In rollback mode, an idle connection holds no lock, and would keep using the old file after the store is replaced.
/// Linux lists the open files of the same user's processes, or of all processes for root. So finding no process proves
/// nothing, but the check is better than none.
enum OpenFiles {
  /// Returns the first process that has the file open with a descriptor that is not one of ours.
  ///
  /// A process that is starting shares its parent's files for a moment, so a match counts only if it persists.
  static func process(having file: FileIdentity, besides own: Set<Int32>) -> Int32? {
    LateClosing.closeUnshared()
    var user: Int32?
    let isOpen = LastingCondition.holds {
      user = found(file, own)
      return user != nil
    }
    return isOpen ? user : nil
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
