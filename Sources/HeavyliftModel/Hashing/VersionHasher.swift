/// Computes the version hashes of a model's entities, each of them only once.
///
/// `‖` joins bytes, integers are little-endian, strings are UTF-8:
///
///     property base = SHA-256(name ‖ optional ‖ transient ‖ modifier)
///     relationship  = SHA-256(base ‖ destination ‖ inverse ‖ maximum ‖ minimum ‖ [01 00 if ordered])
///     entity        = SHA-256(name ‖ abstract ‖ [superentity] ‖ properties ‖ modifier ‖ constraints)
///
/// Properties are the attributes and relationships that are not transient, including inherited ones, sorted by name.
/// `AttributeHasher` hashes attributes. The names in each constraint are joined by dots, and the results are sorted. A
/// relationship that is its own inverse is hashed with an empty inverse.
struct VersionHasher {
  private struct Property {
    var name: String
    var digest: [UInt8]
    var assumptions: Set<VersionHashAssumption>
  }

  private let entities: [String: EntityDescription]
  private let stated: [String: VersionHash]
  private let attributes: AttributeHasher
  private var hashes: [String: EntityVersionHash] = [:]
  private var ownProperties: [String: [Property]] = [:]

  init(_ model: ManagedObjectModel, stated: [String: VersionHash]) {
    entities = Dictionary(model.entities.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    self.stated = stated
    attributes = AttributeHasher(model)
  }

  mutating func hashAll() -> [String: EntityVersionHash] {
    for name in entities.keys { hash(entityNamed: name) }
    return hashes
  }

  /// Hashes the entity, after all its ancestors that are not hashed yet.
  ///
  /// Uses a loop instead of recursion: a file can nest a hierarchy deeper than the call stack allows.
  private mutating func hash(entityNamed name: String) {
    var path: [EntityDescription] = []
    var places: [String: Int] = [:]
    var cycle: Set<String> = []
    var next: String? = name
    while let current = next, hashes[current] == nil, let entity = entities[current] {
      if let start = places[current] {
        cycle = Set(path[start...].map(\.name))
        break
      }
      places[current] = path.count
      path.append(entity)
      next = entity.superentityName
    }
    for entity in path.reversed() {
      hashes[entity.name] = hash(of: entity, isInCycle: cycle.contains(entity.name))
    }
  }

  private mutating func hash(of entity: EntityDescription, isInCycle: Bool) -> EntityVersionHash {
    if let hash = stated[entity.name] { return EntityVersionHash(hash, isStated: true) }
    var assumptions = VersionHashAssumption.nonASCII([entity.name, entity.versionHashModifier])
    var digest = SHA2(.sha256)
    digest.update(entity.name.utf8)
    digest.update(CollectionOfOne(entity.isAbstract ? 1 : 0))
    if let parentName = entity.superentityName {
      if isInCycle {
        assumptions.insert(.cyclicInheritance(entity: entity.name))
      } else if let parent = hashes[parentName] {
        digest.update(parent.hash.bytes)
        assumptions.formUnion(parent.assumptions)
      } else {
        assumptions.insert(.missingSuperentity(parentName, of: entity.name))
      }
    }
    for property in allProperties(of: entity) {
      digest.update(property.digest)
      assumptions.formUnion(property.assumptions)
    }
    digest.update((entity.versionHashModifier ?? "").utf8)
    digest.update(entity.hashedConstraints.utf8)
    return EntityVersionHash(VersionHash(bytes: digest.finalize()), assumptions: assumptions)
  }

  /// Own and inherited properties, sorted by name; an entity's own property hides an inherited one.
  private mutating func allProperties(of entity: EntityDescription) -> [Property] {
    var result = properties(of: entity)
    var visited: Set<String> = [entity.name]
    var parent = entity.superentityName
    if parent != nil {
      var names = Set(result.map(\.name))
      while let name = parent, visited.insert(name).inserted, let ancestor = entities[name] {
        let inherited = properties(of: ancestor).filter { !names.contains($0.name) }
        names.formUnion(inherited.map(\.name))
        result += inherited
        parent = ancestor.superentityName
      }
    }
    result.sortByName(\.name)
    return result
  }

  /// The entity's own properties.
  private mutating func properties(of entity: EntityDescription) -> [Property] {
    if let known = ownProperties[entity.name] { return known }
    var properties = entity.attributes.compactMap { attribute -> Property? in
      guard attribute.isTransient else {
        let hashed = attributes.digest(of: attribute)
        return Property(name: attribute.name, digest: hashed.bytes, assumptions: hashed.assumptions)
      }
      // Like every transient property, it is skipped, but no known hash covers it.
      guard attribute.isDerived else { return nil }
      return Property(name: attribute.name, digest: [], assumptions: [.derivedAttribute(attribute.name)])
    }
    for relationship in entity.relationships where !relationship.isTransient {
      properties.append(hash(relationship, of: entity.name))
    }
    ownProperties[entity.name] = properties
    return properties
  }

  private func hash(_ relationship: RelationshipDescription, of entity: String) -> Property {
    var digest = SHA2(.sha256)
    digest.update(
      Self.base(
        relationship.name, relationship.isOptional, relationship.isTransient, relationship.versionHashModifier))
    digest.update((relationship.destinationEntityName ?? "").utf8)
    digest.update(relationship.hashedInverseName(in: entity).utf8)
    digest.update(Self.littleEndian(Int32(clamping: relationship.maxCount)))
    digest.update(Self.littleEndian(Int32(clamping: relationship.minCount)))
    if relationship.isOrdered { digest.update([1, 0]) }

    var assumptions = VersionHashAssumption.nonASCII([
      relationship.name, relationship.destinationEntityName, relationship.inverseName,
      relationship.versionHashModifier,
    ])
    if relationship.destinationEntityName == nil {
      assumptions.insert(.missingDestination(relationship: relationship.name))
    }
    if relationship.inverseName == relationship.name, inheritsRelationship(relationship, of: entity) {
      assumptions.insert(.ownInverseOfSubentity(relationship: relationship.name))
    }
    return Property(name: relationship.name, digest: digest.finalizedBytes(), assumptions: assumptions)
  }

  /// True if the destination is a sub-entity that inherits this very relationship, and with it its inverse.
  private func inheritsRelationship(_ relationship: RelationshipDescription, of entity: String) -> Bool {
    var visited: Set<String> = []
    var next = relationship.destinationEntityName
    while let name = next, name != entity, visited.insert(name).inserted, let destination = entities[name] {
      if destination.relationship(named: relationship.name) != nil { return false }
      next = destination.superentityName
      if next == entity { return true }
    }
    return false
  }

  static func base(_ name: String, _ isOptional: Bool, _ isTransient: Bool, _ modifier: String?) -> [UInt8] {
    var digest = SHA2(.sha256)
    digest.update(name.utf8)
    digest.update([isOptional ? 1 : 0, isTransient ? 1 : 0])
    digest.update((modifier ?? "").utf8)
    return digest.finalizedBytes()
  }

  static func littleEndian(_ number: Int32) -> [UInt8] {
    withUnsafeBytes(of: number.littleEndian, Array.init)
  }
}
