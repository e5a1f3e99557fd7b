/// A part of a tree that cannot be written in the language.
///
/// Only a program can create such a part, by passing an argument for a placeholder or by building the tree.
package struct UnprintablePart: Error, Hashable, Sendable {
  /// The kind of part that cannot be written.
  package enum Kind: Hashable, Sendable {
    /// NaN, an infinity, a composite or a set.
    case value(kind: String)
    /// A key that is not a name.
    case key(String)
    case variable(String)
    case function(String)
    /// A wrong number of arguments for the function.
    case arguments(function: String, count: Int)
    case comparison(String)
    case emptyPath
    /// A tree whose text would parse to a different tree, such as the cast of a constant, which parses to a constant.
    case otherwiseRead(String)
  }

  package var kind: Kind

  /// Creates a part.
  package init(_ kind: Kind) { self.kind = kind }
}

extension UnprintablePart: CustomStringConvertible {
  /// The part that cannot be written, and the reason.
  package var description: String {
    switch kind {
    case .value(let kind): "\(kind) has no literal; pass it as an argument for '%@'"
    case .key(let name): "key '\(name)' is not a valid name; pass it as an argument for '%K'"
    case .variable(let name): "variable '\(name)' does not have a valid name"
    case .function(let name): "function '\(name)' has a name that cannot be written in a call"
    case .arguments(let function, let count): "function '\(function)' does not take \(counted(count, "argument"))"
    case .comparison(let name): "operator '\(name)' is neither a selector nor a keyword"
    case .emptyPath: "a key path without keys cannot be written"
    case .otherwiseRead(let text): "'\(text)' is parsed as an equivalent expression with a different structure"
    }
  }
}

/// `1 argument`, `2 arguments`.
func counted(_ count: Int, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }
