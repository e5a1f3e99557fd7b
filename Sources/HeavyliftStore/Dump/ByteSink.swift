public import Foundation

/// Receives output bytes, in pieces of any size.
public protocol ByteSink: AnyObject {
  /// Writes all of the bytes, or throws.
  func write(_ bytes: UnsafeRawBufferPointer) throws
}

/// Collects bytes in memory: for small dumps and for tests.
public final class MemorySink: ByteSink {
  /// The bytes written so far.
  public private(set) var data = Data()

  /// Creates an empty sink.
  public init() {}

  public func write(_ bytes: UnsafeRawBufferPointer) throws { data.append(contentsOf: bytes) }

  /// The output as text.
  public var text: String { String(decoding: data, as: UTF8.self) }
}

/// Writes bytes to an open file, a pipe or a terminal, unbuffered.
public final class FileSink: ByteSink {
  private let handle: FileHandle

  /// Creates a sink for an open file, which the caller closes.
  public init(_ handle: FileHandle) { self.handle = handle }

  public func write(_ bytes: UnsafeRawBufferPointer) throws {
    var rest = bytes
    while !rest.isEmpty {
      let count = Foundation.write(handle.fileDescriptor, rest.baseAddress, rest.count)
      if count < 0 {
        if errno == EINTR { continue }
        throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
      }
      rest = UnsafeRawBufferPointer(rebasing: rest[count...])
    }
  }
}
