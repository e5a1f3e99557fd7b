/// One of the two compared models: its version hashes and the facts that they include.
struct HashedModel {
  let entities: [EntityDescription]
  private let firsts: [String: Int]
  private let hashes: [String: EntityVersionHash]
  private let inCycle: Set<String>
  private let facts: [String: [String: HashedFacts]]

  init(_ model: ManagedObjectModel) {
    entities = model.entities
    firsts = Dictionary(model.entities.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
    hashes = model.entityVersionHashes()
    let forest = EntityForest(model.entities, numbers: firsts)
    inCycle = Set(forest.cycles.joined().map { model.entities[$0].name })
    let hasher = AttributeHasher(model)
    facts = Dictionary(
      model.entities.map { ($0.name, Self.facts(of: $0, hasher)) }, uniquingKeysWith: { first, _ in first })
  }

  /// Returns the hash of an entity, looked up by name; for duplicate names, the hash of the first entity.
  func versionHash(of entity: EntityDescription) -> EntityVersionHash? { hashes[entity.name] }

  /// Returns the parent's hash, if the entity's own hash includes it.
  func parentHash(of entity: EntityDescription) -> VersionHash? {
    guard let parent = entity.superentityName, !inCycle.contains(entity.name) else { return nil }
    return hashes[parent]?.hash
  }

  func isInCycle(_ entity: EntityDescription) -> Bool { inCycle.contains(entity.name) }

  /// Returns the facts about an own or inherited property that the entity's hash includes; nil if there are none.
  func hashedFacts(named name: String, of entity: EntityDescription) -> HashedFacts? {
    if let own = facts[entity.name]?[name] { return own }
    return ancestors(of: entity).lazy.compactMap { facts[$0.name]?[name] }.first
  }

  /// Returns the hashed facts of the properties that the entity inherits and does not declare itself.
  func inheritedFacts(of entity: EntityDescription) -> [String: HashedFacts] {
    var inherited: [String: HashedFacts] = [:]
    let own = facts[entity.name] ?? [:]
    for ancestor in ancestors(of: entity) {
      inherited.merge((facts[ancestor.name] ?? [:]).filter { own[$0.key] == nil }) { nearest, _ in nearest }
    }
    return inherited
  }

  private func ancestors(of entity: EntityDescription) -> [EntityDescription] {
    var ancestors: [EntityDescription] = []
    var visited: Set<String> = [entity.name]
    var next = entity.superentityName
    while let name = next, visited.insert(name).inserted, let place = firsts[name] {
      ancestors.append(entities[place])
      next = entities[place].superentityName
    }
    return ancestors
  }

  private static func facts(of entity: EntityDescription, _ hasher: AttributeHasher) -> [String: HashedFacts] {
    let facts =
      entity.attributes.map { ($0.name, $0.hashedFacts(hasher)) }
      + entity.relationships.map { ($0.name, $0.hashedFacts(in: entity.name)) }
    return Dictionary(
      facts.compactMap { name, facts in facts.map { (name, $0) } }, uniquingKeysWith: { first, _ in first })
  }
}
