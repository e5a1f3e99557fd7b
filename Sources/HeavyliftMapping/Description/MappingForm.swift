/// How a part of a mapping stood among the others in its file, in what is neither a fact nor a comment before it.
public struct MappingForm: Hashable, Sendable {
  /// A part of a file whose facts are values without a markup of their own.
  public enum Part: Hashable, Sendable {
    /// An entry of the user info, by its key.
    case userInfo(String)
    /// The fingerprint of an entity of the source model, by its name.
    case sourceEntity(String)
    /// The fingerprint of an entity of the destination model, by its name.
    case destinationEntity(String)
  }

  /// A processing instruction before the root element, such as the one that tells an editor where the grammar is.
  public struct Instruction: Hashable, Sendable {
    /// The target, and after a space what follows it.
    public var text: String
    /// How many comments stand before it.
    public var position: Int

    /// Creates an instruction.
    public init(text: String, position: Int) {
      self.text = text
      self.position = position
    }
  }

  /// Which of the comments and instructions before the element have a blank line before them, counted from 0; their
  /// number stands for the element itself.
  public var blankLines: Set<Int>
  /// The comments behind the element, on its last line.
  public var trailingComments: [String]
  /// Which of the closing comments have a blank line before them.
  public var closingBlankLines: Set<Int>
  /// What stands behind a root element on lines of its own.
  public var followingComments: [String]
  /// Processing instructions before the root element.
  public var instructions: [Instruction]
  /// How each element was written.
  public var parts: [Part: MappingMarkup]

  /// Creates a form; an empty one is that of something that was made in code.
  public init(
    blankLines: Set<Int> = [], trailingComments: [String] = [], closingBlankLines: Set<Int> = [],
    followingComments: [String] = [], instructions: [Instruction] = [], parts: [Part: MappingMarkup] = [:]
  ) {
    self.blankLines = blankLines
    self.trailingComments = trailingComments
    self.closingBlankLines = closingBlankLines
    self.followingComments = followingComments
    self.instructions = instructions
    self.parts = parts
  }
}
