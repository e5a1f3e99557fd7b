import HeavyliftModel

/// Compares one mapping across several versions, which follows what entities and properties become in each of them, with
/// the mappings inferred from each version to the next.
///
/// Says whether they certainly have the same result for every store, and reject the same stores. The rules err on the safe
/// side: some changes in more than one of the versions are taken for a difference.
struct VersionComparison {
  private let lineages: VersionLineages
  private let versions: ClosedRange<Int>
  private var first: Int { versions.lowerBound }
  private var last: Int { versions.upperBound }

  init(_ lineages: VersionLineages, _ versions: ClosedRange<Int>) {
    (self.lineages, self.versions) = (lineages, versions)
  }

  /// A difference, in words; `nil` if there is none.
  var difference: String? {
    for entity in entities(last).indices {
      if let difference = differenceOfRules(entity) ?? difference(ofEntity: entity) { return difference }
    }
    for version in versions.dropLast() {
      for (entity, old) in ended(version) {
        if let difference = difference(ofEnded: entity, version, old) { return difference }
      }
    }
    return nil
  }

  /// True if an entity or a property of some version is not in the next one.
  var losesProperties: Bool {
    versions.dropLast().contains { version in
      !ended(version).isEmpty
        || entities(version + 1).indices.contains { entity in
          lineages.predecessor(ofEntity: entity, in: version + 1, from: version).map {
            !endedProperties(of: $0, in: version, successor: entity).isEmpty
          } ?? false
        }
    }
  }

  private func entities(_ version: Int) -> [EntityDescription] { lineages.models[version].entities }

  // MARK: Entities

  private func difference(ofEntity entity: Int) -> String? {
    let line = lineages.lineage(ofEntity: entity, versions)
    let shown = "entity \(entities(last)[entity].name.quotedName)"
    let members = line.compactMap(\.self)
    // An entity that a later version adds has no objects, but another parent's table counts its keys.
    guard line[0] != nil else {
      return superentityChanges(members, from: last - members.count + 1) > 0
        ? "\(shown) changes its parent entity after it is added" : nil
    }
    let abstracts = zip(versions, members).map { entities($0)[$1].isAbstract }
    if abstracts.changes > 1 { return "\(shown) becomes abstract, and then no longer" }
    if superentityChanges(members, from: first) > 1 { return "\(shown) changes its parent entity twice" }
    let properties = lineages.properties(of: members[members.count - 1], in: last)
    for property in properties.indices {
      let line = lineages.lineage(ofProperty: property, members, versions)
      let fallback = lineages.otherFallback(ofProperty: property, members, versions)?.fallback
      if let difference = fallback.flatMap({ self.difference(of: $0, line, members) })
        ?? difference(ofProperty: line, members)
      {
        return "\(properties[property].kind) \(properties[property].name.quotedName) of \(shown) \(difference)"
      }
    }
    // Properties that end before the last version.
    for place in members.indices.dropLast() {
      let version = first + place
      for property in endedProperties(of: members[place], in: version, successor: members[place + 1]) {
        if let difference = difference(ofEnded: property, members[place], version) { return difference }
      }
    }
    return nil
  }

  /// - Parameters:
  ///   - members: The entity in each version, in consecutive ones.
  ///   - start: The first of them.
  private func superentityChanges(_ members: [Int], from start: Int) -> Int {
    let parents = zip(start..., members).map { version, entity in
      lineages.index(version).entity(named: entities(version)[entity].superentityName)
    }
    return parents.indices.dropFirst().count { place in
      let old = parents[place].flatMap {
        lineages.predecessor(ofEntity: $0, in: start + place, from: start + place - 1)
      }
      // A parent that is new has no predecessor.
      return old != parents[place - 1] || (parents[place] == nil) != (parents[place - 1] == nil)
    }
  }

  /// The entities of a version that the next one does not have, and the entities of the first version that they were;
  /// `nil` for those that had no objects in the first version.
  private func ended(_ version: Int) -> [(entity: Int, old: Int?)] {
    let kept = Set(
      entities(version + 1).indices.compactMap {
        lineages.predecessor(ofEntity: $0, in: version + 1, from: version)
      })
    return entities(version).indices.filter { !kept.contains($0) }.map {
      ($0, lineages.lineage(ofEntity: $0, first...version)[0])
    }
  }

  /// An entity that ends must not have had a rule in between that its objects could break.
  private func difference(ofEnded entity: Int, _ version: Int, _ old: Int?) -> String? {
    guard old != nil else { return nil }
    let line = lineages.lineage(ofEntity: entity, first...version).compactMap(\.self)
    if inheritedUniqueness(line).changes > 0 {
      return "\(entities(version)[entity].name.quotedName) changes its uniqueness constraints before it is removed"
    }
    // The table of the new parent counts its keys.
    if superentityChanges(line, from: first) > 0 {
      return "\(entities(version)[entity].name.quotedName) changes its parent entity before it is removed"
    }
    return lineages.properties(of: entity, in: version).indices.lazy
      .compactMap { difference(ofEnded: $0, entity, version) }.first
  }

  // MARK: Properties

  private func endedProperties(of entity: Int, in version: Int, successor: Int) -> [Int] {
    let kept = Set(
      lineages.properties(of: successor, in: version + 1).indices.compactMap {
        lineages.predecessor(of: $0, ofEntity: successor, in: version + 1, from: entity, in: version)
      })
    return lineages.properties(of: entity, in: version).indices.filter { place in
      if case .fetched = lineages.properties(of: entity, in: version)[place] { return false }
      return !kept.contains(place)
    }
  }

  /// A property that ends must not have had a rule in between that its values could break.
  private func difference(ofEnded property: Int, _ entity: Int, _ version: Int) -> String? {
    let entityLine = lineages.lineage(ofEntity: entity, first...version)
    let line = lineages.lineage(ofProperty: property, entityLine, first...version)
    guard line.count > 1, line[line.count - 2] != nil else { return nil }
    let reference = lineages.properties(of: entity, in: version)[property]
    let members = zip(line.indices, zip(line, entityLine)).compactMap { place, pair -> PropertyReference? in
      guard let property = pair.0, let entity = pair.1 else { return nil }
      return lineages.properties(of: entity, in: first + place)[property]
    }
    let start = first + line.count - members.count
    let isSame = zip(members, members.dropFirst()).enumerated().allSatisfy { place, pair in
      switch pair {
      case (.attribute(let old), .attribute(let new)): AttributeFacts(old).rules == AttributeFacts(new).rules
      case (.relationship(let old), .relationship(let new)):
        RelationshipFacts(old) == RelationshipFacts(new) && leads(new, in: start + place + 1, where: old)
      default: true
      }
    }
    return isSame
      ? nil
      : "\(reference.kind) \(reference.name.quotedName) of entity \(entities(version)[entity].name.quotedName) changes "
        + "before it is removed"
  }

  /// A default value that a version in between gave must be known, and exact.
  private func difference(of fallback: VersionLineages.Fallback, _ line: [Int?], _ members: [Int]) -> String? {
    guard let version = fallback.version, let property = line[version - first],
      case .attribute(let attribute) = lineages.properties(of: members[version - first], in: version)[property]
    else { return nil }
    // The name may be that of any ancestor's property.
    if lineages.models[version].varyingDefaults.values.contains(where: { $0.contains(attribute.name) }) {
      return "got a default value that differs in each process"
    }
    return attribute.type == .float ? "got a default value as a Float" : nil
  }

  /// - Parameters:
  ///   - line: The property in each version.
  ///   - members: The entity in each version.
  private func difference(ofProperty line: [Int?], _ members: [Int]) -> String? {
    let start = line.firstIndex { $0 != nil } ?? line.count - 1
    let references = line.indices[start...].compactMap { place in
      line[place].map { lineages.properties(of: members[place], in: first + place)[$0] }
    }
    let attributes = references.compactMap { if case .attribute(let attribute) = $0 { attribute } else { nil } }
    if attributes.count == references.count {
      return difference(attributes.map(AttributeFacts.init), isNew: start > 0, composites: attributes)
    }
    let relationships = references.compactMap { if case .relationship(let one) = $0 { one } else { nil } }
    // Fetched properties have no values.
    guard relationships.count == references.count else { return relationships.isEmpty ? nil : "changes its kind" }
    return difference(relationships, line, members, start)
  }

  private func difference(
    _ facts: [AttributeFacts], isNew: Bool, composites: [AttributeDescription]
  ) -> String? {
    guard let old = facts.first, let new = facts.last else { return nil }
    if facts.allSatisfy({ $0 == old }), old.compositeName == nil { return nil }
    if facts.contains(where: { $0.isTransient != old.isTransient }) { return "is transient in only some versions" }
    if facts.contains(where: { $0.derivation != old.derivation }) { return "changes its derivation" }
    if old.compositeName != nil || new.compositeName != nil {
      let elements = zip(versions.suffix(composites.count), composites).map { version, attribute in
        lineages.models[version].elements(of: attribute).map { $0.withoutMarkup }
      }
      if elements.changes > 0 { return "changes its composite type" }
    }
    if !new.type.isInferred(from: old.type) { return "changes its type twice" }
    if facts.map(\.isExternal).changes > 1 { return "changes twice whether its values are stored in files" }
    let isKnown = facts.allSatisfy { $0.validation == new.validation || !isNew && $0.validation == old.validation }
    return isKnown ? nil : "has a rule that only a version in between has"
  }

  // MARK: Relationships

  private func difference(
    _ relationships: [RelationshipDescription], _ line: [Int?], _ members: [Int], _ start: Int
  ) -> String? {
    let facts = relationships.map(RelationshipFacts.init)
    guard let old = facts.first, let new = facts.last else { return nil }
    if facts.contains(where: { $0.isTransient != old.isTransient }) { return "is transient in only some versions" }
    if facts.map(\.form).changes > 1 { return "changes between to-one, to-many and ordered twice" }
    if !facts.allSatisfy({ $0.counts == new.counts || $0.counts == old.counts }) {
      return "has a rule that only a version in between has"
    }
    let isRequired = relationships.map(\.requiresTarget)
    if isRequired.contains(true), isRequired.last != true, versions.dropLast().contains(where: { !ended($0).isEmpty }) {
      return "is mandatory in a version in which objects are removed, and later optional"
    }
    // Each entity of the targets, and whether links to its objects are kept in each version.
    var fates = targets(of: relationships[0], in: first + start).map { (entity: Int?.some($0), fates: [TargetFate]()) }
    var inverseChanges = 0
    for place in relationships.indices.dropFirst() {
      let version = first + start + place
      for index in fates.indices {
        fates[index].entity = fates[index].entity.flatMap {
          lineages.successor(ofEntity: $0, in: version - 1, to: version)
        }
        fates[index].fates.append(fate(of: fates[index].entity, as: relationships[place], in: version))
      }
      // Once all links are gone, it does not matter which inverse they would have.
      let mayHaveLinks = start > 0 || fates.contains { $0.fates.allSatisfy { $0 == .kept } }
      if mayHaveLinks, !hasSameInverse(relationships[place], in: version, as: relationships[place - 1]) {
        inverseChanges += 1
      }
    }
    // An inverse that is added or removed once is, if nothing else about the links changes.
    let isSimple =
      !facts.map(\.form).contains { $0 != old.form } && fates.allSatisfy { $0.fates.allSatisfy { $0 == .kept } }
    if inverseChanges > (isSimple ? 1 : 0) { return "changes its inverse" }
    let isSame = fates.allSatisfy { target in
      target.fates.allSatisfy { $0 == .kept } == (target.fates.last ?? .kept == .kept)
        && target.fates.contains(.stray) == (target.fates.last == .stray)
    }
    return isSame || start > 0 ? nil : "leads to another entity"
  }

  /// The fate of links to the objects of an entity.
  private enum TargetFate {
    case kept
    /// The objects become objects of an entity to which the relationship does not lead.
    case stray
    case ended
  }

  /// The entities of a relationship's targets.
  private func targets(of relationship: RelationshipDescription, in version: Int) -> [Int] {
    let index = lineages.index(version)
    guard let target = index.entity(named: relationship.destinationEntityName) else { return [] }
    return index.entityAndSubentities(of: target).filter { !entities(version)[$0].isAbstract }
  }

  private func fate(of entity: Int?, as relationship: RelationshipDescription, in version: Int) -> TargetFate {
    let index = lineages.index(version)
    guard let entity else { return .ended }
    return index.entity(named: relationship.destinationEntityName).map { index.isKind(entity, of: $0) } ?? false
      ? .kept : .stray
  }

  /// True if a relationship has the target and the inverse of the version before, and if it is not mandatory while its
  /// targets may be removed.
  private func leads(_ new: RelationshipDescription, in version: Int, where old: RelationshipDescription) -> Bool {
    hasSameTarget(new, in: version, as: old) && hasSameInverse(new, in: version, as: old)
      && !(new.requiresTarget && versions.dropLast().contains { !ended($0).isEmpty })
  }

  private func hasSameTarget(
    _ new: RelationshipDescription, in version: Int, as old: RelationshipDescription
  ) -> Bool {
    guard let target = lineages.index(version).entity(named: new.destinationEntityName) else { return false }
    return lineages.predecessor(ofEntity: target, in: version, from: version - 1)
      == lineages.index(version - 1).entity(named: old.destinationEntityName)
  }

  private func hasSameInverse(
    _ new: RelationshipDescription, in version: Int, as old: RelationshipDescription
  ) -> Bool {
    guard let newName = new.inverseName, let oldName = old.inverseName else {
      return new.inverseName == nil && old.inverseName == nil
    }
    guard let target = lineages.index(version).entity(named: new.destinationEntityName),
      let source = lineages.index(version - 1).entity(named: old.destinationEntityName),
      let inverse = lineages.properties(of: target, in: version).firstIndex(where: { $0.name == newName }),
      let before = lineages.predecessor(of: inverse, ofEntity: target, in: version, from: source, in: version - 1)
    else { return false }
    return lineages.properties(of: source, in: version - 1)[before].name == oldName
  }

  // MARK: Uniqueness

  private func uniqueness(_ members: [Int]) -> [Set<[String]>] {
    zip(versions, members).map { version, entity in
      Set(entities(version)[entity].uniquenessConstraints.map { $0.propertyNames.sorted() })
    }
  }

  /// The constraints of an entity and its ancestors in each version.
  private func inheritedUniqueness(_ members: [Int]) -> [Set<[String]>] {
    zip(versions, members).map { version, entity in
      let index = lineages.index(version)
      let line = sequence(first: entity) { index.entity(named: entities(version)[$0].superentityName) }
      return Set(line.flatMap { entities(version)[$0].uniquenessConstraints.map { $0.propertyNames.sorted() } })
    }
  }

  /// A uniqueness constraint that only versions in between have could reject objects.
  private func differenceOfRules(_ entity: Int) -> String? {
    let members = lineages.lineage(ofEntity: entity, versions).compactMap(\.self)
    guard members.count == versions.count else { return nil }
    let constraints = uniqueness(members)
    // A constraint that the last version no longer has is met if the first one has it, and its values stay the same.
    let isMet = constraints.dropFirst().allSatisfy { $0.isSubset(of: constraints[constraints.count - 1]) }
    guard !isMet else { return nil }
    let isOld = constraints.dropFirst().dropLast().allSatisfy { constraints[0].isSuperset(of: $0) }
    let names = zip(versions, members).map { version, entity in
      lineages.properties(of: entity, in: version).map { property -> String in
        if case .attribute(let attribute) = property { return "\(attribute.name) \(AttributeFacts(attribute))" }
        return property.name
      }
    }
    return isOld && names.changes == 0
      ? nil
      : "entity \(entities(last)[entity].name.quotedName) has a uniqueness constraint that only a version in between has"
  }
}

/// The facts about an attribute that a migration of its values depends on.
private struct AttributeFacts: Hashable {
  /// The facts that decide whether the attribute's values are rejected.
  struct Rules: Hashable {
    var isTransient: Bool
    var isExternal: Bool
    var derivation: String?
    var compositeName: String?
    var validation: AttributeValidation
  }

  var type: AttributeType
  var isOptional: Bool
  var isTransient: Bool
  var isExternal: Bool
  var derivation: String?
  var compositeName: String?
  var validation: AttributeValidation

  init(_ attribute: AttributeDescription) {
    type = attribute.type
    isOptional = attribute.isOptional
    isTransient = attribute.isTransient
    isExternal = attribute.allowsExternalBinaryDataStorage
    derivation = attribute.derivationExpression
    compositeName = attribute.compositeName
    validation = attribute.validation
  }

  var rules: Rules {
    Rules(
      isTransient: isTransient, isExternal: isExternal, derivation: derivation, compositeName: compositeName,
      validation: validation)
  }
}

/// The facts about a relationship that a migration of its links depends on, besides its target and inverse.
private struct RelationshipFacts: Hashable {
  struct Form: Hashable {
    var isToMany: Bool
    var isOrdered: Bool
  }

  struct Counts: Hashable {
    var isOptional: Bool
    var least: Int
    var most: Int
  }

  var isTransient: Bool
  var form: Form
  var counts: Counts

  init(_ relationship: RelationshipDescription) {
    isTransient = relationship.isTransient
    form = Form(isToMany: relationship.isToMany, isOrdered: relationship.isOrdered)
    counts = Counts(
      isOptional: relationship.isOptional, least: relationship.minCount, most: relationship.maxCount)
  }
}

extension AttributeDescription {
  /// The attribute without its place in a file.
  fileprivate var withoutMarkup: AttributeDescription {
    var attribute = self
    attribute.markup = Markup()
    return attribute
  }
}

extension Array where Element: Equatable {
  /// The number of neighbors that differ.
  fileprivate var changes: Int { zip(self, dropFirst()).count { $0 != $1 } }
}
