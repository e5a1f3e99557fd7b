import HeavyliftModel

/// Something about a model that is not what it was when a mapping was written for it.
public enum ModelReferenceChange: Hashable, Sendable {
  /// The model is called otherwise.
  case name(String, now: String)
  /// The version checksum is another one.
  case checksum(String, now: String)
  /// The model has an entity that the reference does not know.
  case entityAdded(String)
  /// - Parameter likelyName: an entity that was added and has the very same properties, or else a name that is near.
  case entityRemoved(String, likelyName: String?)
  /// The entity itself differs: its parent, whether it is abstract, its constraints.
  case entityChanged(String)
  /// An entity has a property that the reference does not know.
  case propertyAdded(String, entity: String)
  /// - Parameter likelyName: a property that was added and differs in nothing but its name, or else a name that is near.
  case propertyRemoved(String, entity: String, likelyName: String?)
  /// A property is another one than the reference says.
  case propertyChanged(String, entity: String)
}

extension ModelReferenceChange: CustomStringConvertible {
  /// The change in words: `property 'seconds' of entity 'Track' has changed`.
  public var description: String {
    switch self {
    case .name(let old, let new): "the model is called \(new.quotedName) and not \(old.quotedName)"
    case .checksum(let old, let new): "its checksum is \(new.quotedName) and not \(old.quotedName)"
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
  /// What of a model is not what the reference says: its name, its checksum, then entity by entity in order of name.
  ///
  /// What a reference does not say cannot differ; without fingerprints nothing is known of entities and properties.
  public func changes(in model: ManagedObjectModel) -> [ModelReferenceChange] {
    var changes: [ModelReferenceChange] = []
    if let name, let other = model.name, name != other { changes.append(.name(name, now: other)) }
    if let checksum {
      let other = model.versionChecksum
      if checksum != other { changes.append(.checksum(checksum, now: other)) }
    }
    return changes + (fingerprints.isEmpty ? [] : FingerprintComparison(fingerprints, model.fingerprints).changes)
  }
}
