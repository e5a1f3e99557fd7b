import Foundation

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
