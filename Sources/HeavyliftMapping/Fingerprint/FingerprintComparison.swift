import HeavyliftModel

/// Compares the fingerprints of a model's entities then and now.
struct FingerprintComparison {
  private let old: [String: EntityFingerprint]
  private let new: [String: EntityFingerprint]

  init(_ old: [String: EntityFingerprint], _ new: [String: EntityFingerprint]) {
    self.old = old
    self.new = new
  }

  /// What differs, in order of the entities' names, then the properties'.
  var changes: [ModelReferenceChange] {
    Set(old.keys).union(new.keys).sorted().flatMap { name -> [ModelReferenceChange] in
      switch (old[name], new[name]) {
      case (let before?, let after?): return propertyChanges(of: name, before, after)
      case (_?, nil): return [.entityRemoved(name, likelyName: likelyEntity(name))]
      default: return [.entityAdded(name)]
      }
    }
  }

  /// The entity that this one probably became: the only new one with the same properties, or else a near name.
  func likelyEntity(_ name: String) -> String? {
    let added = new.keys.filter { old[$0] == nil }
    let removed = old.keys.filter { new[$0] == nil }
    let before = old[name]?.ownProperties
    let twins = added.filter { new[$0]?.ownProperties == before }
    let rivals = removed.filter { old[$0]?.ownProperties == before }
    if before?.isEmpty == false, twins.count == 1, rivals.count == 1 { return twins[0] }
    return Self.nearest(to: name, among: added)
  }

  /// The property that one of an entity probably became: the only new one with the same facts, or else a near name.
  func likelyProperty(_ name: String, of entity: String, now newEntity: String? = nil) -> String? {
    guard let before = old[entity], let after = new[newEntity ?? entity] else { return nil }
    return Self.likelyProperty(name, before.properties, after.properties)
  }

  private static func likelyProperty(_ name: String, _ old: [String: String], _ new: [String: String]) -> String? {
    let added = new.keys.filter { old[$0] == nil }
    let twins = added.filter { new[$0] == old[name] }
    let rivals = old.keys.filter { new[$0] == nil && old[$0] == old[name] }
    if twins.count == 1, rivals.count == 1 { return twins[0] }
    return nearest(to: name, among: added)
  }

  /// Where nearly everything is new, a name that is near means nothing, and looking for it takes minutes.
  private static func nearest(to name: String, among names: [String]) -> String? {
    names.count > 64 || name.utf8.count > 120 ? nil : names.nearest(to: name)
  }

  private func propertyChanges(
    of entity: String, _ before: EntityFingerprint, _ after: EntityFingerprint
  ) -> [ModelReferenceChange] {
    let (old, new) = (before.properties, after.properties)
    return Set(old.keys).union(new.keys).sorted().compactMap { name in
      if name == EntityFingerprint.entityItself {
        // A file may say nothing of the entity itself.
        return old[name] == nil || old[name] == new[name] ? nil : .entityChanged(entity)
      }
      switch (old[name], new[name]) {
      case (let before?, let after?):
        return before == after ? nil : .propertyChanged(name, entity: entity)
      case (_?, nil):
        return .propertyRemoved(name, entity: entity, likelyName: Self.likelyProperty(name, old, new))
      default: return .propertyAdded(name, entity: entity)
      }
    }
  }
}

extension EntityFingerprint {
  /// The properties without what is said of the entity itself.
  fileprivate var ownProperties: [String: String] {
    properties.filter { $0.key != Self.entityItself }
  }
}
