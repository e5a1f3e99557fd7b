import HeavyliftModel

/// Works out a layout, one kind of thing after the other, each from what stands before it.
struct LayoutBuilder {
  let model: ManagedObjectModel
  let numbers: EntityNumbers
  /// In order of their numbers.
  let entities: [EntityDescription]
  let lineages: [String: [EntityDescription]]
  private let entitiesByName: [String: EntityDescription]
  /// By the names of their roots, each in order of numbers.
  private let hierarchies: [String: [EntityDescription]]
  /// The numbers of each entity and of those that inherit from it, by its name.
  private let numbersOfKinds: [String: [Int]]
  private let superentityNames: Set<String>
  let choices: JoinTableChoices

  var columns = ColumnNames()
  private var layout = PhysicalLayout()

  init(model: ManagedObjectModel, numbers: EntityNumbers, choices: JoinTableChoices) {
    let model = model.withImpliedInverses
    self.model = model
    self.choices = choices
    self.numbers = numbers
    entities = numbers.names.compactMap(model.entity(named:))
    entitiesByName = Dictionary(entities.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    let lineages = Dictionary(
      model.entities.map { ($0.name, model.lineage(of: $0)) }, uniquingKeysWith: { first, _ in first })
    self.lineages = lineages
    hierarchies = Dictionary(grouping: entities) { lineages[$0.name]?.last?.name ?? $0.name }
    var numbersOfKinds: [String: [Int]] = [:]
    for entity in entities {
      for ancestor in lineages[entity.name] ?? [] {
        numbersOfKinds[ancestor.name, default: []].append(numbers[entity.name] ?? 0)
      }
    }
    self.numbersOfKinds = numbersOfKinds
    superentityNames = Set(entities.compactMap(\.superentityName))
  }

  mutating func build() -> PhysicalLayout {
    nameTables()
    layout.tables = roots.map { table(of: $0) }
    let joins = joinTables()
    layout.joins = joins
    layout.entities = entities.map { entityLayout(of: $0, joins: joins) }
    layout.indexes = indexes(joins: joins)
    layout.triggers = entities.flatMap { entity in
      entity.attributes.flatMap { countTriggers(of: $0, in: entity) }
    }
    return layout
  }

  // MARK: What the steps share

  var roots: [EntityDescription] { entities.filter { root(of: $0).name == $0.name } }

  func root(of entity: EntityDescription) -> EntityDescription { lineages[entity.name]?.last ?? entity }

  func entity(named name: String) -> EntityDescription? { entitiesByName[name] }

  func number(of entity: EntityDescription) -> Int { numbers[entity.name] ?? 0 }

  /// The hierarchy below a root, the root included, in order of numbers.
  func hierarchy(of root: EntityDescription) -> [EntityDescription] {
    hierarchies[root.name] ?? []
  }

  func numbersWithSubentities(of entity: EntityDescription) -> [Int] { numbersOfKinds[entity.name] ?? [] }

  func hasSubentities(_ entity: EntityDescription) -> Bool {
    superentityNames.contains(entity.name)
  }

  func tableName(of entity: EntityDescription) -> String { columns.tableNames[root(of: entity).name] ?? "" }

  /// The entity that declares the relationship and the relationship, found from an entity that has or inherits it.
  func declaration(
    of relationshipName: String, from entityName: String
  ) -> (entity: EntityDescription, relationship: RelationshipDescription)? {
    for entity in lineages[entityName] ?? [] {
      if let relationship = entity.relationship(named: relationshipName) { return (entity, relationship) }
    }
    return nil
  }

  /// The other direction of a relationship, with the entity that declares it.
  func inverse(
    of relationship: RelationshipDescription
  ) -> (entity: EntityDescription, relationship: RelationshipDescription)? {
    guard let name = relationship.inverseName, let destination = relationship.destinationEntityName else { return nil }
    return declaration(of: name, from: destination)
  }

  mutating func omit(_ problem: String, remedy: String? = nil, location: SourceLocation? = nil) {
    layout.omissions.append(
      Diagnostic(.note, code: "store.not-laid-out", problem: problem, remedy: remedy, location: location))
  }

  /// Notes that public stores do not settle how this part of the model is laid out.
  mutating func assume(_ problem: String, _ relationship: RelationshipDescription?) {
    layout.assumptions.append(
      Diagnostic(
        .note, code: "store.assumed-layout", problem: problem,
        remedy: "Core Data may have chosen otherwise; stores are read either way",
        location: relationship?.markup.location))
  }

  private mutating func nameTables() {
    var names = UniqueNames(reserved: ["Z_PRIMARYKEY", "Z_METADATA", "Z_MODELCACHE"])
    for root in roots { columns.tableNames[root.name] = names.take("Z\(root.name.uppercased())") }
  }
}

/// The names that the first steps give out and the later ones use.
struct ColumnNames {
  struct Key: Hashable {
    var entity: String
    var property: String
  }

  /// By root entity.
  var tableNames: [String: String] = [:]
  /// Of attributes and to-ones, by declaring entity and name.
  var properties: [Key: String] = [:]
  /// Of composite attributes' elements, by the names that lead to them.
  var elements: [Key: [[String]: String]] = [:]
  var entityColumns: [Key: String] = [:]
  var orderColumns: [Key: String] = [:]
}
