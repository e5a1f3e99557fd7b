/// The limits beyond which the reader rejects a file.
package struct XMLLimits: Hashable, Sendable {
  /// The maximum size of a file, in bytes.
  package var maximumBytes: Int
  /// The maximum depth of an element; the root's is 1.
  package var maximumDepth: Int
  /// The maximum number of elements. An element that is a few bytes long in the file takes a hundred times as many
  /// bytes in memory.
  package var maximumElements: Int
  /// The maximum number of attributes of one element. The time to find duplicates grows with the square of this number.
  package var maximumAttributes: Int

  /// Creates limits. The defaults are far above real files: models and mappings are kilobytes in size and five or six
  /// elements deep.
  package init(
    maximumBytes: Int = 64 << 20, maximumDepth: Int = 128, maximumElements: Int = 1_000_000,
    maximumAttributes: Int = 1000
  ) {
    self.maximumBytes = maximumBytes
    self.maximumDepth = maximumDepth
    self.maximumElements = maximumElements
    self.maximumAttributes = maximumAttributes
  }
}
