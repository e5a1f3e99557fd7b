/// A reason why a computed version hash may differ from Core Data's.
///
/// The algorithm was derived by comparison with hashes in real stores. Cases that no such store covers, or in which a
/// store's hashes contradict the algorithm, are computed by analogy and marked with one of these reasons.
package enum VersionHashAssumption: Hashable, Sendable {
  /// No known hash covers a derived attribute whose expression is neither a key path nor a count of one, or that has a
  /// hash modifier or is transient.
  case derivedAttribute(String)
  /// No known hash covers an attribute of this type (object ID or undefined).
  case unverifiedType(attribute: String, AttributeType)
  /// The attribute has external storage and history preserves its value: the order of these two flags in the hash is
  /// unknown.
  case externalStorageWithPreservedValue(attribute: String)
  /// The model lacks the type of a composite attribute, or the type contains itself; no element was hashed.
  case unknownElements(attribute: String)
  /// No known hash covers a composite attribute inside another.
  case nestedComposite(element: String, of: String)
  /// No known hash covers a composite attribute with a hash modifier; the modifier was not hashed.
  case compositeModifier(String)
  /// No known hash covers a relationship that is its own inverse and leads to a sub-entity of its entity; the inverse
  /// was hashed.
  case ownInverseOfSubentity(relationship: String)
  /// How names beyond ASCII are normalized and sorted is unknown.
  case nonASCIIName(String)
  /// The relationship has no destination, which no compiled model allows.
  case missingDestination(relationship: String)
  /// The superentity is missing from the model; its hash was skipped.
  case missingSuperentity(String, of: String)
  /// The entity inherits from itself; the hash of its superentity was skipped.
  case cyclicInheritance(entity: String)
}

extension VersionHashAssumption: CustomStringConvertible {
  /// The reason in words, to follow "assumed, because".
  package var description: String {
    switch self {
    case .derivedAttribute(let name):
      "attribute '\(name)' is derived in a way that no known hash covers"
    case .unverifiedType(let name, let type):
      "attribute '\(name)' has type \(type.modelName)"
    case .externalStorageWithPreservedValue(let name):
      "attribute '\(name)' has both external storage and a value that is preserved in history"
    case .unknownElements(let name):
      "the elements of composite attribute '\(name)' are not known"
    case .nestedComposite(let name, let type):
      "element '\(name)' of composite '\(type)' is a composite"
    case .compositeModifier(let name):
      "composite attribute '\(name)' has a hash modifier"
    case .ownInverseOfSubentity(let name):
      "relationship '\(name)' is its own inverse and leads to a sub-entity"
    case .nonASCIIName(let name):
      "the name '\(name)' has non-ASCII letters"
    case .missingDestination(let name):
      "relationship '\(name)' has no destination entity"
    case .missingSuperentity(let parent, let name):
      "entity '\(name)' inherits from '\(parent)', which is not in the model"
    case .cyclicInheritance(let name):
      "entity '\(name)' inherits from itself"
    }
  }
}

extension VersionHashAssumption {
  /// Returns one assumption for each name with letters beyond ASCII.
  static func nonASCII(_ names: [String?]) -> Set<VersionHashAssumption> {
    var assumptions: Set<VersionHashAssumption> = []
    for case let name? in names where !name.utf8.allSatisfy({ $0 < 0x80 }) { assumptions.insert(.nonASCIIName(name)) }
    return assumptions
  }
}
