import Foundation
import HeavyliftModel

/// Converts the bytes of a file to UTF-8, whatever their encoding.
enum XMLEncoding {
  /// The text of a file as UTF-8, including the byte-order mark if the file was already UTF-8.
  struct Text {
    var bytes: [UInt8]
    /// True if the file was in another encoding, so that its declaration is no longer correct.
    var wasTranscoded: Bool
  }

  static func decode(_ data: Data, file: String?) throws(DiagnosticList) -> Text {
    guard !data.starts(with: Data("bplist".utf8)) else {
      let problem = "the file is a binary property list, not XML"
      let remedy = "if it is a compiled model, pass the model that it was compiled from"
      throw failure(problem, remedy, code: "xml.property-list", at: 0, in: [], file)
    }
    let start = [UInt8](data.prefix(4))
    let text: Text
    if start.starts(with: [0xFF, 0xFE]) && start.dropFirst(2) != [0, 0] {
      text = try utf16(data.dropFirst(2), isBigEndian: false, file)
    } else if start.starts(with: [0xFE, 0xFF]) {
      text = try utf16(data.dropFirst(2), isBigEndian: true, file)
    } else if start.starts(with: [0x3C, 0x00]) && start.dropFirst(2) != [0, 0] {
      text = try utf16(data, isBigEndian: false, file)
    } else if start.starts(with: [0x00, 0x3C]) {
      text = try utf16(data, isBigEndian: true, file)
    } else {
      text = try eightBit([UInt8](data), file: file)
    }
    if let index = text.bytes.firstIndex(of: 0, from: 0) {
      throw failure("the file contains a NUL byte", "it is damaged, or it is not XML", at: index, in: text.bytes, file)
    }
    return text
  }

  private static func eightBit(_ bytes: [UInt8], file: String?) throws(DiagnosticList) -> Text {
    let declared = declaredEncoding(in: bytes)
    switch declared?.uppercased() {
    case nil, "UTF-8", "UTF8", "US-ASCII", "ASCII":
      if let index = firstMistake(inUTF8: bytes) {
        throw failure(
          "the bytes here are not valid UTF-8", "save the file as UTF-8, or declare its actual encoding",
          at: index, in: bytes, file)
      }
      return Text(bytes: bytes, wasTranscoded: false)
    case "ISO-8859-1", "ISO_8859-1", "ISO8859-1", "LATIN1", "LATIN-1":
      let text = bytes.reduce(into: String.UnicodeScalarView()) { $0.append(Unicode.Scalar($1)) }
      return Text(bytes: Array(String(text).utf8), wasTranscoded: true)
    case let name?:
      let problem =
        name.hasPrefix("UTF-16") || name.hasPrefix("UCS") || name.hasPrefix("UTF-32")
        ? "the file declares the encoding '\(declared ?? name)', but its bytes are encoded differently"
        : "the encoding '\(declared ?? name)' is not supported"
      throw failure(problem, "save the file as UTF-8", at: 0, in: [], file)
    }
  }

  private static func utf16(_ data: Data, isBigEndian: Bool, _ file: String?) throws(DiagnosticList) -> Text {
    let bytes = [UInt8](data)
    guard bytes.count.isMultiple(of: 2) else {
      throw failure(
        "the file ends in the middle of a UTF-16 character", "restore it from a backup", at: 0, in: [], file)
    }
    let units = stride(from: 0, to: bytes.count, by: 2).map { index -> UInt16 in
      let (first, second) = (UInt16(bytes[index]), UInt16(bytes[index + 1]))
      return isBigEndian ? first << 8 | second : second << 8 | first
    }
    guard let text = String(validating: units, as: UTF16.self) else {
      throw failure("the bytes are not valid UTF-16", "save the file as UTF-8", at: 0, in: [], file)
    }
    return Text(bytes: Array(text.utf8), wasTranscoded: true)
  }

  /// Returns the index of the first byte that is not valid UTF-8.
  private static func firstMistake(inUTF8 bytes: [UInt8]) -> Int? {
    guard String(validating: bytes, as: UTF8.self) == nil else { return nil }
    var decoder = Unicode.UTF8.ForwardParser()
    var iterator = bytes.makeIterator()
    var index = 0
    while true {
      switch decoder.parseScalar(from: &iterator) {
      case .valid(let scalar): index += scalar.count
      case .emptyInput, .error: return index
      }
    }
  }

  /// The encoding that the XML declaration names.
  private static func declaredEncoding(in bytes: [UInt8]) -> String? {
    let head = String(decoding: bytes.dropFirst(bytes.byteOrderMarkLength).prefix(256), as: UTF8.self)
    guard head.hasPrefix("<?xml"), let end = head.range(of: "?>") else { return nil }
    guard let match = head[..<end.lowerBound].firstMatch(of: declaration) else { return nil }
    return String(match.2)
  }

  /// Updates the declaration to the new encoding of a transcoded file.
  static func correctDeclaration(in prologue: String) -> String {
    guard prologue.hasPrefix("<?xml"), let end = prologue.range(of: "?>"),
      let match = prologue[..<end.lowerBound].firstMatch(of: declaration)
    else { return prologue }
    return prologue.replacingCharacters(in: match.2.startIndex..<match.2.endIndex, with: "UTF-8")
  }

  /// Unchecked, because a regular expression is not `Sendable`; nothing changes this one.
  nonisolated(unsafe) private static let declaration = /encoding\s*=\s*(["'])([A-Za-z0-9._:-]+)/

  private static func failure(
    _ problem: String, _ remedy: String, code: String = "xml.encoding", at index: Int, in bytes: [UInt8],
    _ file: String?
  ) -> DiagnosticList {
    let cursor = XMLCursor(of: index, in: bytes)
    let location = DiagnosticLocation(file: file, line: cursor.line, column: cursor.column)
    return DiagnosticList([
      Diagnostic(.error, code: code, problem: problem, remedy: remedy, location: location)
    ])
  }
}
