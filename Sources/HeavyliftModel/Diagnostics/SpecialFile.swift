import Foundation

/// A pipe, socket or device in place of a file: reading one can block forever or never end.
package enum SpecialFile: String, Error, Hashable, Sendable, CustomStringConvertible {
  case pipe, socket, device

  /// Returns `nil` for a regular file, a folder or a link.
  package init?(mode: mode_t) {
    switch mode & S_IFMT {
    case S_IFIFO: self = .pipe
    case S_IFSOCK: self = .socket
    case S_IFCHR, S_IFBLK: self = .device
    default: return nil
    }
  }

  package var description: String { "it is not a regular file but a \(rawValue)" }
}
