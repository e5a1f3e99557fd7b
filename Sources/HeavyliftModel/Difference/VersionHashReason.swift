/// A reason why an entity's version hash differs between two models.
package enum VersionHashReason: Hashable, Sendable {
  /// Only one of the models has the entity.
  case added
  /// Only the old model has the entity.
  case removed
  /// A parameter of the entity itself.
  case parameter(ParameterChange)
  /// One of the entity's own properties.
  case property(PropertyDifference)
  /// The elements of one of the entity's own composite attributes.
  case elements(of: String)
  /// The hash of the parent, which the entity's own hash includes.
  case inherited(from: String)
  /// No fact that differs between the models explains it: a compiled file records a hash that overrides the computed
  /// one, or names differ in their bytes but are equal as text.
  case unexplained
}

extension VersionHashReason: CustomStringConvertible {
  /// The reason in one line.
  package var description: String {
    switch self {
    case .added: "the entity was added"
    case .removed: "the entity was removed"
    case .parameter(let change): change.description
    case .property(let property): property.summary
    case .elements(let attribute): "the elements of composite attribute \(attribute.quotedName) differ"
    case .inherited(let parent): "the version hash of its parent, entity \(parent.quotedName), differs"
    case .unexplained: "the recorded hashes differ, but no known difference explains why"
    }
  }
}
