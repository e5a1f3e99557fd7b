/// Text with placeholders, and the arguments for them.
///
/// It represents trees that cannot be written as text alone: `MappingExpression(format: text, arguments: arguments)`
/// recreates the tree.
package struct FormatText: Hashable, Sendable {
  package var text: String
  package var arguments: [FormatArgument]

  /// Creates a text with its arguments.
  package init(_ text: String, arguments: [FormatArgument] = []) {
    self.text = text
    self.arguments = arguments
  }
}
