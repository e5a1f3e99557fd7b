import Foundation

extension Diagnostic {
  /// Returns an error for something that cannot be read, with the system's reason.
  ///
  /// - Parameters:
  ///   - name: The name to use in the message: `the folder 'Library.momd'`.
  ///   - error: The error that Foundation threw, a `POSIXError`, or a `SpecialFile`.
  package static func unreadable(_ name: String, because error: any Error) -> Diagnostic {
    if let special = error as? SpecialFile {
      return Diagnostic(
        .error, code: "file.not-regular", problem: "\(name) cannot be read: \(special)",
        remedy: "put a regular file there, or remove it")
    }
    let number = SystemErrorNumber(error)?.value
    return Diagnostic(
      .error, code: "file.unreadable",
      problem: "\(name) cannot be read" + (number.map { ": \(String(cString: strerror($0)).lowercased())" } ?? ""),
      remedy: remedy(number))
  }

  private static func remedy(_ number: Int32?) -> String {
    switch number {
    case EACCES, EPERM: "check its permissions and those of the folders above it"
    case ELOOP: "name the file itself: a symbolic link leads back to itself"
    case EMFILE, ENFILE: "close other files first"
    case EIO: "restore the file from a backup: the disk has lost parts of it"
    default: "check its permissions"
    }
  }
}

/// The system's error number, extracted from the error that Foundation wraps around it.
package struct SystemErrorNumber {
  package let value: Int32

  package init?(_ error: any Error) {
    guard let number = Self.number(of: error) else { return nil }
    value = number
  }

  private static func number(of error: any Error) -> Int32? {
    if let error = error as? POSIXError { return error.code.rawValue }
    let wrapped = error as NSError
    if wrapped.domain == NSPOSIXErrorDomain { return Int32(truncatingIfNeeded: wrapped.code) }
    return (wrapped.userInfo[NSUnderlyingErrorKey] as? any Error).flatMap(number)
  }

  /// True if nothing exists at the path.
  package var isMissing: Bool { value == ENOENT }
}
