/// Text with placeholders, and the arguments for them.
///
/// It represents trees that cannot be written as text alone: `MappingExpression(format: text, arguments: arguments)`
/// recreates the tree.
public struct FormatText: Hashable, Sendable {
  public var text: String
  public var arguments: [FormatArgument]

  /// Creates a text with its arguments.
  public init(_ text: String, arguments: [FormatArgument] = []) {
    self.text = text
    self.arguments = arguments
  }
}
