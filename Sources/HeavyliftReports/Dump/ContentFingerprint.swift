import Foundation
import HeavyliftModel

/// Holds content of any size for comparison, in bounded memory: small content as it is, larger content as a digest.
struct ContentFingerprint {
  private static let capacity = 1 << 20

  private let sink: DigestSink
  private var writer: JSONWriter
  private let textLimit: Int

  /// - Parameter textLimit: The number of bytes to keep for display.
  init(textLimit: Int) {
    sink = DigestSink(textLimit: textLimit)
    writer = JSONWriter(sink, capacity: Self.capacity)
    self.textLimit = textLimit
  }

  /// Replaces the content with the output of `write`.
  mutating func take<Result>(_ write: (inout JSONWriter) throws -> Result) throws -> Result {
    writer.discard()
    sink.reset()
    return try write(&writer)
  }

  /// Returns true if the other has the same content.
  mutating func isSame(as other: inout ContentFingerprint) throws -> Bool {
    if sink.count == 0 && other.sink.count == 0 { return writer.buffer == other.writer.buffer }
    try writer.flush()
    try other.writer.flush()
    return sink.count == other.sink.count && sink.digest == other.sink.digest
  }

  /// The beginning of the content as text.
  var shownText: String {
    let kept = sink.count == 0 ? writer.buffer[...] : sink.beginning[...]
    guard kept.count > textLimit else { return String(decoding: kept, as: UTF8.self) }
    var end = kept.startIndex + textLimit
    // Do not cut in the middle of a character.
    while end > kept.startIndex, kept[end] & 0xC0 == 0x80 { end -= 1 }
    return String(decoding: kept[..<end], as: UTF8.self) + "…"
  }
}

/// Records the digest, the length and the start of its input.
private final class DigestSink: ByteSink {
  private let textLimit: Int
  private var hash = SHA2(.sha256)
  private(set) var count = 0
  private(set) var beginning: [UInt8] = []

  init(textLimit: Int) { self.textLimit = textLimit }

  var digest: Data { hash.finalize() }

  func reset() {
    guard count > 0 else { return }
    (hash, count, beginning) = (SHA2(.sha256), 0, [])
  }

  func write(_ bytes: UnsafeRawBufferPointer) throws {
    hash.update(bytes)
    count += bytes.count
    if beginning.count <= textLimit { beginning += bytes.prefix(textLimit + 1 - beginning.count) }
  }
}
