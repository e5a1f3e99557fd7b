import HeavyliftModel

/// Text between tags, or the content of a comment or a processing instruction.
package struct XMLText: Hashable, Sendable {
  /// The text itself, with references resolved and line endings turned into line feeds.
  package var value: String {
    didSet { written = nil }
  }
  /// The source text, including delimiters; nil if a writer would produce the same text.
  package var written: String?
  package var location: DiagnosticLocation?

  /// Creates an `XMLText`.
  package init(_ value: String, written: String? = nil, location: DiagnosticLocation? = nil) {
    self.value = value
    self.written = written
    self.location = location
  }
}
