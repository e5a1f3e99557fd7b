import Foundation

/// The line and column of a position in UTF-8 text.
///
/// A line ends with a line feed, a carriage return, or both; columns are counted in Unicode scalars.
struct XMLCursor: Hashable, Sendable {
  var line = 1
  var column = 1

  /// Advances past some bytes.
  mutating func advance(over bytes: [UInt8], from start: Int, to end: Int) {
    var (line, column) = (line, column)
    bytes.withUnsafeBufferPointer { bytes in
      for index in start..<end {
        switch bytes[index] {
        case 0x0A:
          line += 1
          column = 1
        case 0x0D where index + 1 == bytes.count || bytes[index + 1] != 0x0A:
          line += 1
          column = 1
        case 0x80...0xBF: break  // inside a scalar
        default: column += 1
        }
      }
    }
    (self.line, self.column) = (line, column)
  }

  /// Creates the line and column of a byte.
  init(of position: Int, in bytes: [UInt8]) {
    advance(
      over: bytes, from: bytes.byteOrderMarkLength, to: min(max(position, bytes.byteOrderMarkLength), bytes.count))
  }

  /// Creates a position.
  init(line: Int = 1, column: Int = 1) {
    self.line = line
    self.column = column
  }
}

extension [UInt8] {
  /// The length of the UTF-8 byte-order mark at the start: 3 or 0.
  var byteOrderMarkLength: Int { starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0 }

  /// Returns the index of the first such byte at or after an index.
  func firstIndex(of byte: UInt8, from start: Int) -> Int? {
    withUnsafeBytes { bytes in
      guard let first = bytes.baseAddress, start < bytes.count,
        let found = memchr(first + start, Int32(byte), bytes.count - start)
      else { return nil }
      return UnsafeRawPointer(found) - first
    }
  }
}
