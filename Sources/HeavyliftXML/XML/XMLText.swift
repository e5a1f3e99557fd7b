import HeavyliftModel

/// Text between tags, or the content of a comment or a processing instruction.
public struct XMLText: Hashable, Sendable {
  /// The text itself, with references resolved and line endings turned into line feeds.
  public var value: String {
    didSet { written = nil }
  }
  /// The source text, including delimiters; nil if a writer would produce the same text.
  public var written: String?
  public var location: SourceLocation?

  /// Creates an `XMLText`.
  public init(_ value: String, written: String? = nil, location: SourceLocation? = nil) {
    self.value = value
    self.written = written
    self.location = location
  }
}
