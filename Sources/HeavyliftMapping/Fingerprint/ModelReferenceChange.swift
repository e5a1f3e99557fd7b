import HeavyliftModel

/// A difference between a model and the one that a mapping was written for.
package enum ModelReferenceChange: Hashable, Sendable {
  /// The model has another name.
  case name(String, now: String)
  /// The version checksum is different.
  case checksum(String, now: String)
  /// The model has an entity that is not in the reference.
  case entityAdded(String)
  /// The reference has an entity that is not in the model.
  ///
  /// - Parameter likelyName: An added entity with exactly the same properties, or else one with a similar name.
  case entityRemoved(String, likelyName: String?)
  /// The entity itself differs: its parent, abstract flag or constraints.
  case entityChanged(String)
  /// An entity has a property that is not in the reference.
  case propertyAdded(String, entity: String)
  /// The reference has a property that is not in the model.
  ///
  /// - Parameter likelyName: An added property that differs only in its name, or else one with a similar name.
  case propertyRemoved(String, entity: String, likelyName: String?)
  /// A property differs from the reference.
  case propertyChanged(String, entity: String)
}

extension ModelReferenceChange: CustomStringConvertible {
  /// The change in words: `property 'seconds' of entity 'Track' has changed`.
  package var description: String {
    switch self {
    case .name(let old, let new): "the model is named \(new.quotedName), not \(old.quotedName)"
    case .checksum(let old, let new): "this model's checksum is \(new.quotedName), not \(old.quotedName)"
    case .entityAdded(let name): "entity \(name.quotedName) was added"
    case .entityRemoved(let name, let likely): "entity \(name.quotedName) was removed\(Self.guess(likely))"
    case .entityChanged(let name): "entity \(name.quotedName) itself has changed: its parent, constraints or flags"
    case .propertyAdded(let name, let entity):
      "property \(name.quotedName) of entity \(entity.quotedName) was added"
    case .propertyRemoved(let name, let entity, let likely):
      "property \(name.quotedName) of entity \(entity.quotedName) was removed\(Self.guess(likely))"
    case .propertyChanged(let name, let entity):
      "property \(name.quotedName) of entity \(entity.quotedName) has changed"
    }
  }

  private static func guess(_ name: String?) -> String {
    name.map { ", perhaps renamed to \($0.quotedName)" } ?? ""
  }
}

extension ModelReference {
  /// Returns the differences between a model and the reference: name, checksum, then entities sorted by name.
  ///
  /// Only what the reference contains is compared; without fingerprints, changes to entities and properties remain
  /// unknown.
  package func changes(in model: ManagedObjectModel) -> [ModelReferenceChange] {
    var changes: [ModelReferenceChange] = []
    if let name, let other = model.name, name != other { changes.append(.name(name, now: other)) }
    if let checksum {
      let other = model.versionChecksum
      if checksum != other { changes.append(.checksum(checksum, now: other)) }
    }
    return changes + (fingerprints.isEmpty ? [] : FingerprintComparison(fingerprints, model.fingerprints).changes)
  }
}
