/// The layout of an element in a mapping file, apart from its attributes and the comments before it.
package struct MappingForm: Hashable, Sendable {
  /// A part of a mapping file that is kept as a plain value, without markup of its own.
  package enum Part: Hashable, Sendable {
    /// A user info entry, by its key.
    case userInfo(String)
    /// The fingerprint of an entity of the source model, by its name.
    case sourceEntity(String)
    /// The fingerprint of an entity of the destination model, by its name.
    case destinationEntity(String)
  }

  /// A processing instruction before the root element, such as one that tells an editor where the schema is.
  package struct Instruction: Hashable, Sendable {
    /// The target, followed by a space and the data.
    package var text: String
    /// The number of comments before the instruction.
    package var position: Int

    /// Creates an instruction.
    package init(text: String, position: Int) {
      self.text = text
      self.position = position
    }
  }

  /// Among the comments and instructions before the element, the indexes of those that follow a blank line; the index
  /// after the last one represents the element itself.
  package var blankLines: Set<Int>
  /// Comments after the element, on its last line.
  package var trailingComments: [String]
  /// The indexes of the closing comments that follow a blank line.
  package var closingBlankLines: Set<Int>
  /// Comments after a root element, on lines of their own.
  package var followingComments: [String]
  /// Processing instructions before the root element.
  package var instructions: [Instruction]
  /// The markup of the parts that are kept as plain values.
  package var parts: [Part: MappingMarkup]

  /// Creates a form; by default, that of an element created in code.
  package init(
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
