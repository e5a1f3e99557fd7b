import HeavyliftModel

/// Condenses facts into eight hexadecimal digits, short enough for a file that people read.
///
/// Thirty-two bits cannot prove that two models are equal, and need not: the model's checksum does that. The digests
/// only show what differs.
struct FingerprintDigest {
  private var sha = SHA2(.sha256)

  /// Adds a fact, followed by its length so that adjacent facts stay distinct.
  mutating func add(_ text: String) {
    sha.update(text.utf8)
    sha.update("\u{0}\(text.utf8.count);".utf8)
  }

  mutating func add(_ flag: Bool) { add(flag ? "1" : "0") }

  consuming func text() -> String { VersionHash(bytes: sha.finalize().prefix(4)).hexadecimal }
}

extension FingerprintDigest {
  /// Adds a value and its type.
  mutating func add(_ value: Value) {
    add(value.kind)
    switch value {
    case .null: break
    case .bool(let flag): add(flag)
    case .integer(let number): add("\(number)")
    case .double(let number): add("\(number)")
    case .decimal(let number): add("\(number)")
    case .string(let text), .uri(let text): add(text)
    case .date(let date): add("\(date.timeIntervalSinceReferenceDate)")
    case .uuid(let uuid): add(uuid.uuidString)
    case .data(let bytes): add(bytes.base64EncodedString())
    case .composite(let elements):
      for (name, element) in elements.sorted(by: { $0.key < $1.key }) {
        add(name)
        add(element)
      }
    }
  }
}
