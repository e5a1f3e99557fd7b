import HeavyliftExpression
import HeavyliftModel

/// Compares an inferred jump across versions with the same migration done version by version.
///
/// Both match entities and properties by name and renaming identifier. Their results differ if an intermediate version
/// gave something a default value, renamed it, or removed something that a later version added again.
package struct JumpComparison {
  private let lineages: VersionLineages
  /// The versions from the source to the destination.
  private let versions: ClosedRange<Int>

  init(_ models: [ManagedObjectModel]) { self.init(VersionLineages(models), 0...max(models.count - 1, 0)) }

  package init(_ lineages: VersionLineages, _ versions: ClosedRange<Int>) {
    (self.lineages, self.versions) = (lineages, versions)
  }

  /// The differences in words, one line each, in the order of the destination's entities and properties.
  var differences: [String] { differences { _ in true } }

  /// The differences of some of the destination's entities.
  package func differences(of isIncluded: (EntityDescription) -> Bool) -> [String] {
    guard versions.count > 1 else { return [] }
    let entities = lineages.models[versions.upperBound].entities
    return entities.indices.filter { isIncluded(entities[$0]) }.flatMap { differences(ofEntity: $0) }
  }

  private func entity(_ number: Int, in version: Int) -> EntityDescription { lineages.models[version].entities[number] }

  // MARK: Entities

  private func differences(ofEntity entity: Int) -> [String] {
    let (first, last) = (versions.lowerBound, versions.upperBound)
    // An abstract entity has no objects, but declares properties that others inherit.
    if self.entity(entity, in: last).isAbstract { return propertyDifferences(ofEntity: entity) }
    let line = lineages.lineage(ofEntity: entity, versions)
    let direct = lineages.predecessor(ofEntity: entity, in: last, from: first)
    let shown = self.entity(entity, in: last).name.quotedName
    switch (line[0], direct) {
    case (let old?, let other) where old != other:
      return [
        "without the jump, objects of entity \(self.entity(old, in: first).name.quotedName) become objects of \(shown); "
          + "the jump cannot match these entities by name or renaming identifier"
      ]
    case (nil, let old?):
      return [
        "entity \(self.entity(old, in: first).name.quotedName) is removed and then added again in "
          + "\(lineages.name(first + (line.firstIndex { $0 != nil } ?? line.count - 1))); the jump keeps its old objects"
      ]
    case (nil, nil): return []
    default: return propertyDifferences(ofEntity: entity)
    }
  }

  // MARK: Properties

  /// Returns the differences of an entity's own properties, and of inherited properties that do not also differ in the
  /// entity that declares them.
  private func propertyDifferences(ofEntity entity: Int) -> [String] {
    let entities = lineages.lineage(ofEntity: entity, versions).compactMap(\.self)
    guard entities.count == versions.count else { return [] }
    let properties = lineages.properties(of: entity, in: versions.upperBound)
    return properties.indices.compactMap { place in
      guard let difference = difference(ofProperty: place, entities) else { return nil }
      return isDeclaredDifference(properties[place].name, of: entity) ? nil : difference
    }
  }

  /// True if an inherited property also differs in the entity that declares it.
  private func isDeclaredDifference(_ name: String, of entity: Int) -> Bool {
    let index = lineages.index(versions.upperBound)
    guard let owner = index.property(named: name, of: entity)?.declaredBy, owner != entity else { return false }
    let entities = lineages.lineage(ofEntity: owner, versions).compactMap(\.self)
    guard entities.count == versions.count,
      let place = lineages.properties(of: owner, in: versions.upperBound).firstIndex(where: { $0.name == name })
    else { return false }
    return difference(ofProperty: place, entities) != nil
  }

  /// - Parameter entities: The entity's index in each version.
  private func difference(ofProperty property: Int, _ entities: [Int]) -> String? {
    let (first, last) = (versions.lowerBound, versions.upperBound)
    let entity = entities[entities.count - 1]
    let destination = lineages.properties(of: entity, in: last)[property]
    let line = lineages.lineage(ofProperty: property, entities, versions)
    let direct = lineages.predecessor(of: property, ofEntity: entity, in: last, from: entities[0], in: first)
    let olds = lineages.properties(of: entities[0], in: first)
    let shown = destination.shown(in: self.entity(entity, in: last).name)
    let added = line.firstIndex { $0 != nil } ?? line.count - 1
    switch (line[0], direct) {
    case (let old?, let other) where old != other:
      return "\(shown) gets the contents of \(olds[old].name.quotedName) without the jump, but not with it"
    case (nil, let old?):
      return
        "\(olds[old].name.quotedName) is removed, and \(shown) is added in \(lineages.name(first + added)); the jump keeps "
        + "the old values"
    default: break
    }
    guard let (hopped, direct) = lineages.otherFallback(ofProperty: property, entities, versions) else { return nil }
    let version = hopped.version.map { " of \(lineages.name($0))" } ?? ""
    return "\(shown) \(Self.words(direct)) \(line[0] == nil ? "in all old objects" : "where it was nil")"
      + "; without the jump, it \(Self.words(hopped.value))\(hopped.value.isNull ? "" : ", the default\(version)")"
  }

  private static func words(_ value: Value) -> String {
    value.isNull ? "remains nil" : "gets \(MappingExpression(.constant(.value(value))))"
  }
}

extension PropertyReference {
  fileprivate func shown(in entity: String) -> String {
    let kind =
      switch self {
      case .attribute: "attribute"
      case .relationship: "relationship"
      case .fetched: "fetched property"
      }
    return "\(kind) \(name.quotedName) of entity \(entity.quotedName)"
  }
}
