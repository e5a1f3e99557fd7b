import HeavyliftModel

/// The result of looking up an entity or property of the old model in the new one.
enum Successor<Thing: Hashable>: Hashable {
  case found(Thing)
  /// The entity or property was removed.
  /// - Parameter likelyName: The probable new name.
  case gone(likelyName: String?)
  /// The name did not exist in the old model, so its successor is unknown.
  case neverThere
}

/// The old and new version of a property; the old one may be unknown.
struct PropertySuccession: Hashable {
  var old: PropertyReference?
  var new: PropertyReference
  /// True if only a fingerprint shows that the property has changed.
  var differsByFingerprint = false
}

/// The successors of a model's entities and properties after an edit.
///
/// If the old model is unknown, the names in the mapping are looked up in the new model, and pinned fingerprints show
/// what has changed.
final class ModelCorrespondence {
  let side: MappingSide
  let old: ModelIndex?
  let new: ModelIndex
  private let reference: ModelReference
  /// The old fingerprint of each entity, if known.
  private lazy var pinned = old?.model.fingerprints ?? reference.fingerprints
  private lazy var newFingerprints = new.model.fingerprints
  /// Computed once, because it reads both models completely.
  private lazy var comparison = FingerprintComparison(pinned, newFingerprints)
  /// True to follow renaming identifiers.
  private let followsIdentifiers: Bool
  /// True to suggest new names for removed ones.
  private let suggestsNames: Bool
  private var entities: [String: String] = [:]
  private var successions: [Owner: [String: PropertySuccession]] = [:]
  private var byIdentifier: [String: String] = [:]

  /// The old and new name of an entity.
  struct Owner: Hashable {
    var old: String?
    var new: String?
  }

  init(
    _ side: MappingSide, from old: ManagedObjectModel?, pinned: ModelReference, to new: ManagedObjectModel,
    followsIdentifiers: Bool = true, suggestsNames: Bool = true
  ) {
    self.side = side
    self.suggestsNames = suggestsNames
    self.old = old.map { ModelIndex($0) }
    self.new = ModelIndex(new)
    reference = pinned
    self.followsIdentifiers = followsIdentifiers
    for entity in new.entities {
      if let identifier = entity.renamingIdentifier, byIdentifier[identifier] == nil {
        byIdentifier[identifier] = entity.name
      }
    }
    guard let old else { return }
    let match = RenamingMatch(
      old: old.entities.map { RenamingMatch.Thing(name: $0.name, identifier: $0.renamingIdentifier) },
      new: new.entities.map { RenamingMatch.Thing(name: $0.name, identifier: $0.renamingIdentifier) })
    for pair in match.pairs {
      if let before = pair.old, let after = pair.new { entities[old.entities[before].name] = new.entities[after].name }
    }
  }

  // MARK: Entities

  func entity(_ name: String) -> Successor<String> {
    if let old {
      guard old.entity(named: name) != nil else { return .neverThere }
      return entities[name].map { .found($0) } ?? .gone(likelyName: likelyEntity(name))
    }
    if new.entity(named: name) != nil { return .found(name) }
    if followsIdentifiers, let renamed = byIdentifier[name] { return .found(renamed) }
    return .gone(likelyName: likelyEntity(name))
  }

  /// Returns the old and new name of the entity.
  func owner(_ name: String?) -> Owner {
    guard let name else { return Owner() }
    let successor: String? = if case .found(let found) = entity(name) { found } else { nil }
    return Owner(old: old?.entity(named: name) == nil ? nil : name, new: successor)
  }

  private func likelyEntity(_ name: String) -> String? {
    guard suggestsNames else { return nil }
    if pinned.isEmpty { return new.entityNames.count > 64 ? nil : new.entityNames.nearest(to: name) }
    return comparison.likelyEntity(name)
  }

  // MARK: Properties

  func property(_ name: String, of owner: Owner) -> Successor<PropertySuccession> {
    guard let number = new.entity(named: owner.new) else { return .neverThere }
    if old != nil {
      guard let before = oldProperty(name, of: owner) else { return .neverThere }
      if let succession = properties(of: owner)[name] { return .found(succession) }
      return .gone(likelyName: likelyProperty(before, of: owner))
    }
    if let property = new.property(named: name, of: number)?.property {
      return .found(
        PropertySuccession(old: nil, new: property, differsByFingerprint: differsByFingerprint(name, of: number)))
    }
    if followsIdentifiers, let renamed = new.properties(of: number).first(where: { $0.renamingIdentifier == name }) {
      return .found(PropertySuccession(old: nil, new: renamed))
    }
    return .gone(likelyName: likelyPropertyByPins(name, of: number))
  }

  /// Returns the new version of each property that still exists, inherited or not, by its old name.
  ///
  /// Compares all properties of the old entity with all of the new one: a property may have moved within the hierarchy.
  func properties(of owner: Owner) -> [String: PropertySuccession] {
    if let known = successions[owner] { return known }
    guard let old, let before = old.entity(named: owner.old), let after = new.entity(named: owner.new) else {
      return [:]
    }
    let olds = old.properties(of: before)
    let news = new.properties(of: after)
    let match = RenamingMatch(old: olds, new: news)
    var found: [String: PropertySuccession] = [:]
    for pair in match.pairs {
      guard let before = pair.old, let after = pair.new else { continue }
      found[olds[before].name] = PropertySuccession(old: olds[before], new: news[after])
    }
    successions[owner] = found
    return found
  }

  private func oldProperty(_ name: String, of owner: Owner) -> PropertyReference? {
    guard let old, let number = old.entity(named: owner.old) else { return nil }
    return old.property(named: name, of: number)?.property
  }

  /// Returns the new property that differs only in its name if there is just one, or else one with a similar name.
  private func likelyProperty(_ property: PropertyReference, of owner: Owner) -> String? {
    guard let old, let before = old.entity(named: owner.old), let after = new.entity(named: owner.new) else {
      return nil
    }
    let kept = properties(of: owner)
    let taken = Set(kept.values.map(\.new.name))
    let added = new.properties(of: after).filter { !taken.contains($0.name) }
    let removed = old.properties(of: before).filter { kept[$0.name] == nil }
    var olds = CompositeDigests(old.model)
    var news = CompositeDigests(new.model)
    let digest = EntityFingerprint.digest(property, &olds)
    let twins = added.filter { EntityFingerprint.digest($0, &news) == digest }
    let rivals = removed.filter { EntityFingerprint.digest($0, &olds) == digest }
    if digest != nil, twins.count == 1, rivals.count == 1 { return twins[0].name }
    return added.count > 64 ? nil : added.map(\.name).nearest(to: property.name)
  }

  private func likelyPropertyByPins(_ name: String, of number: Int) -> String? {
    guard suggestsNames else { return nil }
    if !pinned.isEmpty {
      for entity in lineage(of: number) where pinned[entity]?.properties[name] != nil {
        if let likely = comparison.likelyProperty(name, of: entity) { return likely }
      }
    }
    let names = new.propertyNames(of: number)
    return names.count > 64 ? nil : names.nearest(to: name)
  }

  private func differsByFingerprint(_ name: String, of number: Int) -> Bool {
    if pinned.isEmpty { return false }
    for entity in lineage(of: number) {
      if let before = pinned[entity]?.properties[name], let after = newFingerprints[entity]?.properties[name] {
        return before != after
      }
    }
    return false
  }

  private func lineage(of number: Int) -> [String] {
    var names: [String] = []
    var next: Int? = number
    while let current = next, names.count < new.model.entities.count {
      names.append(new.model.entities[current].name)
      next = new.entity(named: new.model.entities[current].superentityName)
    }
    return names
  }

  /// Returns true if the property is new rather than kept or renamed; nil if that is unknown.
  func isNew(_ name: String, of owner: Owner) -> Bool? {
    if old != nil, owner.old != nil { return !properties(of: owner).values.contains { $0.new.name == name } }
    guard let number = new.entity(named: owner.new), !pinned.isEmpty else { return nil }
    return !lineage(of: number).contains { pinned[$0]?.properties[name] != nil }
  }

  /// The new entities, sorted by name; empty if neither the old model nor its fingerprints are known.
  var newEntities: [String] {
    let kept: Set<String>
    if old != nil {
      kept = Set(entities.values)
    } else if !pinned.isEmpty {
      kept = Set(pinned.keys.map { if case .found(let name) = entity($0) { name } else { $0 } })
    } else {
      return []
    }
    return new.entityNames.filter { !kept.contains($0) }
  }
}
