import HeavyliftModel

/// Compares the old and new fingerprints of a model's entities.
struct FingerprintComparison {
  private let old: [String: EntityFingerprint]
  private let new: [String: EntityFingerprint]
  private let entities: NameChanges

  init(_ old: [String: EntityFingerprint], _ new: [String: EntityFingerprint]) {
    self.old = old
    self.new = new
    entities = NameChanges(from: old.keys, to: new.keys)
  }

  /// The differences, sorted by entity name, then by property name.
  var changes: [ModelReferenceChange] {
    Set(old.keys).union(new.keys).sorted().flatMap { name -> [ModelReferenceChange] in
      switch (old[name], new[name]) {
      case (let before?, let after?): return propertyChanges(of: name, before.properties, after.properties)
      case (_?, nil): return [.entityRemoved(name, likelyName: likelyEntity(name))]
      default: return [.entityAdded(name)]
      }
    }
  }

  /// Returns the entity's probable successor: the only new entity with the same properties, or else one with a similar
  /// name.
  func likelyEntity(_ name: String) -> String? {
    let before = old[name]?.ownProperties ?? [:]
    return entities.likelySuccessor(
      of: name,
      isTwin: { !before.isEmpty && new[$0]?.ownProperties == before },
      isRival: { old[$0]?.ownProperties == before })
  }

  /// Returns the property's probable successor: the only new property with the same digest, or else one with a similar
  /// name.
  func likelyProperty(_ name: String, of entity: String) -> String? {
    guard let before = old[entity]?.properties, let after = new[entity]?.properties else { return nil }
    return Self.likelyProperty(name, before, after, NameChanges(from: before.keys, to: after.keys))
  }

  private static func likelyProperty(
    _ name: String, _ old: [String: String], _ new: [String: String], _ names: NameChanges
  ) -> String? {
    names.likelySuccessor(of: name, isTwin: { new[$0] == old[name] }, isRival: { old[$0] == old[name] })
  }

  private func propertyChanges(
    of entity: String, _ old: [String: String], _ new: [String: String]
  ) -> [ModelReferenceChange] {
    let names = NameChanges(from: old.keys, to: new.keys)
    return Set(old.keys).union(new.keys).sorted().compactMap { name in
      if name == EntityFingerprint.entityItself {
        // A file may lack a digest of the entity itself.
        return old[name] == nil || old[name] == new[name] ? nil : .entityChanged(entity)
      }
      switch (old[name], new[name]) {
      case (let before?, let after?): return before == after ? nil : .propertyChanged(name, entity: entity)
      case (_?, nil):
        return .propertyRemoved(name, entity: entity, likelyName: Self.likelyProperty(name, old, new, names))
      default: return .propertyAdded(name, entity: entity)
      }
    }
  }
}

/// The names that were added and removed.
private struct NameChanges {
  /// The most names to compare. If nearly everything is new, guessing is pointless and takes minutes.
  private static let most = 64

  private let added: [String]
  private let removed: [String]

  init(from old: some Collection<String>, to new: some Collection<String>) {
    let (olds, news) = (Set(old), Set(new))
    added = news.subtracting(olds).filter { $0 != EntityFingerprint.entityItself }.sorted()
    removed = olds.subtracting(news).filter { $0 != EntityFingerprint.entityItself }.sorted()
  }

  /// Returns the only added name with the same contents, unless another removed name also has them; otherwise, a
  /// similar name.
  func likelySuccessor(of name: String, isTwin: (String) -> Bool, isRival: (String) -> Bool) -> String? {
    guard added.count <= Self.most, removed.count <= Self.most, name.utf8.count <= 120 else { return nil }
    let twins = added.filter(isTwin)
    if twins.count == 1, removed.filter(isRival).count == 1 { return twins[0] }
    return added.nearest(to: name)
  }
}

extension EntityFingerprint {
  /// The properties without the digest of the entity itself.
  fileprivate var ownProperties: [String: String] {
    properties.filter { $0.key != Self.entityItself }
  }
}
