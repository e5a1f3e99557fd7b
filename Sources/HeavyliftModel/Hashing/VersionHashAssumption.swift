/// Why a computed version hash may differ from the one that Core Data computes.
///
/// The scheme was found from outside, by comparing with hashes in real stores. What no such store showed, or what its
/// hash contradicted, is computed by analogy and marked with one of these.
public enum VersionHashAssumption: Hashable, Sendable {
  /// The store computes the attribute; the known hashes of such entities are not explained yet.
  case derivedAttribute(String)
  /// No known hash has an attribute of this type: decimal, composite, object ID, undefined.
  case unverifiedType(attribute: String, AttributeType)
  /// External storage and a value that history preserves: their order in the hash is not known.
  case externalStorageWithPreservedValue(attribute: String)
  /// How several constraints of one entity are ordered and told apart is not known.
  case severalUniquenessConstraints(entity: String)
  /// The order of a hash modifier and constraints is not known.
  case modifierWithConstraints(entity: String)
  /// Whether names are normalized, and how they are sorted beyond ASCII, is not known.
  case nonASCIIName(String)
  /// The relationship leads nowhere, which no compiled model does.
  case missingDestination(relationship: String)
  /// The superentity is not in the model; its hash was left out.
  case missingSuperentity(String, of: String)
  /// The entity inherits from itself; the hash of its superentity was left out.
  case cyclicInheritance(entity: String)
}

extension VersionHashAssumption: CustomStringConvertible {
  /// The reason in words, to follow "assumed, because".
  public var description: String {
    switch self {
    case .derivedAttribute(let name):
      "attribute '\(name)' is derived"
    case .unverifiedType(let name, let type):
      "attribute '\(name)' is of type \(type.modelName)"
    case .externalStorageWithPreservedValue(let name):
      "attribute '\(name)' has both external storage and a value that history preserves"
    case .severalUniquenessConstraints(let name):
      "entity '\(name)' has several uniqueness constraints"
    case .modifierWithConstraints(let name):
      "entity '\(name)' has both a hash modifier and uniqueness constraints"
    case .nonASCIIName(let name):
      "the name '\(name)' has letters beyond ASCII"
    case .missingDestination(let name):
      "relationship '\(name)' has no destination entity"
    case .missingSuperentity(let parent, let name):
      "entity '\(name)' inherits from '\(parent)', which is not in the model"
    case .cyclicInheritance(let name):
      "entity '\(name)' inherits from itself"
    }
  }
}
