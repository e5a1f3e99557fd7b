/// What a file may ask of the reader before it is refused.
public struct XMLLimits: Hashable, Sendable {
  /// The largest file, in bytes.
  public var maximumBytes: Int
  /// The deepest element; the root is 1.
  public var maximumDepth: Int
  /// The most attributes of one element. Finding those that stand twice takes time that grows with their square.
  public var maximumAttributes: Int

  /// Creates limits. The usual ones are far above what people and tools write: models and mappings are kilobytes, and
  /// five or six elements deep.
  public init(maximumBytes: Int = 64 << 20, maximumDepth: Int = 128, maximumAttributes: Int = 1000) {
    self.maximumBytes = maximumBytes
    self.maximumDepth = maximumDepth
    self.maximumAttributes = maximumAttributes
  }
}
