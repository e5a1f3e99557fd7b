/// Compares the properties that two versions of an entity declare.
struct PropertyComparison {
  private let old: EntityDescription
  private let oldHashed: HashedModel
  private let new: EntityDescription
  private let newHashed: HashedModel

  init(_ old: EntityDescription, _ oldHashed: HashedModel, _ new: EntityDescription, _ newHashed: HashedModel) {
    self.old = old
    self.oldHashed = oldHashed
    self.new = new
    self.newHashed = newHashed
  }

  /// The properties that differ: attributes, relationships, fetched properties, each kind sorted by name.
  var differences: [PropertyDifference] { attributes + relationships + fetchedProperties }

  /// The names of the entity's own composite attributes whose composite type has different elements than before.
  ///
  /// The attribute still names the same type, so none of its parameters shows the change.
  var attributesWithOtherElements: [String] {
    new.attributes.filter { attribute in
      guard attribute.type == .composite, !attribute.isTransient,
        let before = old.attributes.first(where: { $0.name == attribute.name }), before.type == .composite,
        !before.isTransient, before.compositeName == attribute.compositeName
      else { return false }
      return isHashed(attribute.name, nil, false, false)
    }.map(\.name)
  }

  /// Returns the changes to a composite type's elements. A changed version hash is reported for the entities with
  /// attributes of that type.
  static func differences(
    fromElements old: [AttributeDescription], to new: [AttributeDescription]
  ) -> [PropertyDifference] {
    Self.differences(
      .element, old, new, name: \.name, identifier: \.renamingIdentifier, facts: \.factsText,
      isHashed: { _, _ in false }
    ) { Parameter.changes(from: $0.parameters, to: $1.parameters, changesHash: $2) }
  }

  private var attributes: [PropertyDifference] {
    Self.differences(
      .attribute, old.attributes, new.attributes, name: \.name, identifier: \.renamingIdentifier,
      facts: \.factsText, isHashed: { isHashed($0?.name, $1?.name, $0?.isTransient, $1?.isTransient) }
    ) { Parameter.changes(from: $0.parameters, to: $1.parameters, changesHash: $2) }
  }

  private var relationships: [PropertyDifference] {
    Self.differences(
      .relationship, old.relationships, new.relationships, name: \.name, identifier: \.renamingIdentifier,
      facts: \.factsText, isHashed: { isHashed($0?.name, $1?.name, $0?.isTransient, $1?.isTransient) }
    ) { [old = old.name, new = new.name] in
      Parameter.changes(from: $0.parameters(in: old), to: $1.parameters(in: new), changesHash: $2)
    }
  }

  private var fetchedProperties: [PropertyDifference] {
    Self.differences(
      .fetchedProperty, old.fetchedProperties, new.fetchedProperties, name: \.name, identifier: \.renamingIdentifier,
      facts: \.factsText, isHashed: { _, _ in false }
    ) { old, new, _ in old.changes(to: new) }
  }

  /// Returns true if the two hashes include different facts under the old or the new name.
  ///
  /// A declared property can replace an identical inherited one, or vice versa. In that case, the entity's hash does
  /// not change, so this returns false.
  private func isHashed(_ oldName: String?, _ newName: String?, _ wasTransient: Bool?, _ isTransient: Bool?) -> Bool {
    if wasTransient != false, isTransient != false { return false }
    return Set([oldName, newName].compactMap(\.self)).contains { name in
      oldHashed.hashedFacts(named: name, of: old) != newHashed.hashedFacts(named: name, of: new)
    }
  }

  private static func differences<Property: Equatable>(
    _ kind: PropertyDifference.Kind, _ old: [Property], _ new: [Property], name: (Property) -> String,
    identifier: (Property) -> String?, facts: (Property) -> String, isHashed: (Property?, Property?) -> Bool,
    changes: (Property, Property, Bool) -> [ParameterChange]
  ) -> [PropertyDifference] {
    let match = RenamingMatch(
      old: old.map { RenamingMatch.Thing(name: name($0), identifier: identifier($0)) },
      new: new.map { RenamingMatch.Thing(name: name($0), identifier: identifier($0)) })
    return match.pairs.compactMap { pair -> PropertyDifference? in
      let (before, after) = (pair.old.map { old[$0] }, pair.new.map { new[$0] })
      if before == after { return nil }
      let changesHash = isHashed(before, after)
      var difference = PropertyDifference(
        kind: kind, oldName: before.map(name), newName: after.map(name), changesVersionHash: changesHash)
      if let before, let after {
        difference.changes = changes(before, after, changesHash)
        difference.changesVersionHash = difference.changes.contains(where: \.changesVersionHash)
      } else {
        difference.facts = (after ?? before).map(facts)
      }
      return difference
    }.sorted { $0.name == $1.name ? $0.order < $1.order : $0.name < $1.name }
  }
}
