package import Foundation
import HeavyliftArchive
package import HeavyliftModel

/// The kind of file at a path from the command line, determined by its first bytes.
package struct GivenFile {
  package enum Kind {
    case folder, database, binaryPropertyList, other
  }

  package let kind: Kind

  /// - Parameter path: The path to use in messages.
  package init(_ path: String, _ url: URL) throws(Diagnostic) {
    var status = stat()
    guard stat(url.path, &status) == 0 else {
      guard errno != ENOENT else {
        throw Diagnostic(
          .error, code: "file.missing", problem: "there is no file or folder '\(path)'", remedy: "check the path")
      }
      throw .unreadable("'\(path)'", because: POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO))
    }
    switch status.st_mode & S_IFMT {
    case S_IFDIR: kind = .folder
    case S_IFREG: kind = try Self.kind(ofFile: url, path)
    // Does not inspect a pipe: the bytes read here would be missing later.
    default: kind = .other
    }
  }

  private static func kind(ofFile url: URL, _ path: String) throws(Diagnostic) -> Kind {
    let start: Data
    do {
      let handle = try RegularFile.handle(url)
      defer { try? handle.close() }
      start = try handle.read(upToCount: 16) ?? Data()
    } catch {
      throw .unreadable("the file '\(path)'", because: error)
    }
    if start == Data("SQLite format 3\0".utf8) { return .database }
    return start.starts(with: Data("bplist".utf8)) ? .binaryPropertyList : .other
  }
}
