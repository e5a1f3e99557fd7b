/// Names of types, for entities and messages.
enum TypeName {
  /// The name without its scope, as in source code: `Track` of `MusicV2.Track`, `Int?`, `[String]`.
  static func simple(_ type: Any.Type) -> String { written(type) ?? String(describing: type) }

  /// The name with its scope, but without its module, as in source code: `MusicV2.Track`, `MusicV2.Kind?`.
  static func scoped(_ type: Any.Type) -> String {
    if let name = written(type, scoped) { return name }
    let full = String(reflecting: type)
    guard let dot = full.firstIndex(of: "."), !full.contains("(unknown context"), !full.contains("<") else {
      return simple(type)
    }
    return String(full[full.index(after: dot)...])
  }

  /// Returns the short form of optionals and arrays; nil for other types.
  private static func written(_ type: Any.Type, _ name: (Any.Type) -> String = simple) -> String? {
    if let optional = type as? any OptionalType.Type { return name(optional.wrappedType) + "?" }
    if let array = type as? any ArrayType.Type { return "[\(name(array.elementType))]" }
    return nil
  }

  /// The simple name with only the characters that a name in a model can have.
  static func identifier(_ type: Any.Type) -> String {
    String(String(describing: type).map { $0.isLetter || $0.isNumber || $0 == "_" ? $0 : "_" })
  }
}

/// Arrays, whatever they contain.
private protocol ArrayType {
  static var elementType: Any.Type { get }
}

extension Array: ArrayType {
  static var elementType: Any.Type { Element.self }
}
