import HeavyliftModel

/// Text between tags, or what stands in a comment or a processing instruction.
public struct XMLText: Hashable, Sendable {
  /// The text itself: references replaced, line ends made one line feed.
  public var value: String {
    didSet { written = nil }
  }
  /// The text as it stood in the file, delimiters included, where a writer would not write it so.
  public var written: String?
  public var location: SourceLocation?

  /// Creates a text.
  public init(_ value: String, written: String? = nil, location: SourceLocation? = nil) {
    self.value = value
    self.written = written
    self.location = location
  }
}
