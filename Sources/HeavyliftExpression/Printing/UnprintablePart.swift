/// Something in a tree for which the language has no text.
///
/// Only a program can put it there: by a placeholder's argument, or by building the tree.
public struct UnprintablePart: Error, Hashable, Sendable {
  /// What there is no text for.
  public enum Kind: Hashable, Sendable {
    /// Not a number, an infinity, a composite, a set.
    case value(kind: String)
    /// A key that is no name.
    case key(String)
    case variable(String)
    case function(String)
    /// Another number of arguments than the function takes.
    case arguments(function: String, count: Int)
    case comparison(String)
    case emptyPath
    /// A tree that its own text would be read differently from, as a cast of a constant is read as the constant.
    case otherwiseRead(String)
  }

  public var kind: Kind

  /// Creates a part.
  public init(_ kind: Kind) { self.kind = kind }
}

extension UnprintablePart: CustomStringConvertible {
  /// What has no text, and why.
  public var description: String {
    switch kind {
    case .value(let kind): "\(kind) has no literal; only an argument for '%@' can be one"
    case .key(let name): "key '\(name)' is not a name; only an argument for '%K' can be one"
    case .variable(let name): "variable '\(name)' is not a name"
    case .function(let name): "function '\(name)' has a name that no text can call"
    case .arguments(let function, let count): "function '\(function)' does not take \(counted(count, "argument"))"
    case .comparison(let name): "operator '\(name)' is neither a selector nor a word of the language"
    case .emptyPath: "a key path without keys has no text"
    case .otherwiseRead(let text): "'\(text)' is read as something that means the same and is built otherwise"
    }
  }
}

/// `1 argument`, `2 arguments`.
func counted(_ count: Int, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }
