import Foundation

extension Diagnostic {
  /// Tells that something cannot be read, and why in the system's own words.
  ///
  /// - Parameters:
  ///   - name: What messages call it: `the folder 'Library.momd'`.
  ///   - error: What Foundation threw, a `POSIXError`, or a `SpecialFile`.
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
    case EACCES, EPERM: "check that you may read it, and enter the folders above it"
    case ELOOP: "give the file itself: a link leads back to itself"
    case EMFILE, ENFILE: "close other files first"
    case EIO: "take the file from another copy: the disk has lost parts of it"
    default: "check that you may read it"
    }
  }
}

/// The system's number for what went wrong, dug out of the error that Foundation wraps it in.
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

  /// Whether nothing stands at the path.
  package var isMissing: Bool { value == ENOENT }
}
