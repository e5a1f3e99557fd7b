/// Why an entity's version hash is not the same in two models.
public enum VersionHashReason: Hashable, Sendable {
  /// Only one of the models has the entity.
  case added
  case removed
  /// A parameter of the entity itself.
  case parameter(ParameterChange)
  /// A property of its own.
  case property(PropertyDifference)
  /// The elements of the type of a composite attribute of its own.
  case elements(of: String)
  /// The hash of the entity that it inherits from, which is a part of its own.
  case inherited(from: String)
  /// Nothing that the models state: a hash that a compiled file states overrules the computed one, or names differ in
  /// their bytes although they are the same text.
  case unexplained
}

extension VersionHashReason: CustomStringConvertible {
  /// The reason in one line.
  public var description: String {
    switch self {
    case .added: "the entity was added"
    case .removed: "the entity was removed"
    case .parameter(let change): change.description
    case .property(let property): property.summary
    case .elements(let attribute): "the elements of composite attribute \(attribute.quotedName) differ"
    case .inherited(let parent): "the version hash of its parent, entity \(parent.quotedName), differs"
    case .unexplained: "the stated hashes differ although nothing known does"
    }
  }
}
