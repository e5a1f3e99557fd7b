import HeavyliftModel

/// Builds a layout in steps, each from the results of the previous ones.
struct LayoutBuilder {
  let model: ManagedObjectModel
  let numbers: EntityNumbers
  /// The entities, sorted by number.
  let entities: [EntityDescription]
  let lineages: [String: [EntityDescription]]
  private let entitiesByName: [String: EntityDescription]
  /// The entities of each hierarchy, by the name of its root, sorted by number.
  private let hierarchies: [String: [EntityDescription]]
  /// The numbers of each entity and its descendants, by the entity's name.
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

  // MARK: Shared by the steps

  var roots: [EntityDescription] { entities.filter { root(of: $0).name == $0.name } }

  func root(of entity: EntityDescription) -> EntityDescription { lineages[entity.name]?.last ?? entity }

  func entity(named name: String?) -> EntityDescription? { name.flatMap { entitiesByName[$0] } }

  func number(of entity: EntityDescription) -> Int { numbers[entity.name] ?? 0 }

  /// The hierarchy below a root, including the root, sorted by number.
  func hierarchy(of root: EntityDescription) -> [EntityDescription] {
    hierarchies[root.name] ?? []
  }

  func numbersWithSubentities(of entity: EntityDescription) -> [Int] { numbersOfKinds[entity.name] ?? [] }

  func hasSubentities(_ entity: EntityDescription) -> Bool {
    superentityNames.contains(entity.name)
  }

  func tableName(of entity: EntityDescription) -> String { columns.tableNames[root(of: entity).name] ?? "" }

  /// Finds the declaration of a relationship that an entity has or inherits.
  func declaration(
    of relationshipName: String, from entityName: String
  ) -> (entity: EntityDescription, relationship: RelationshipDescription)? {
    for entity in lineages[entityName] ?? [] {
      if let relationship = entity.relationship(named: relationshipName) { return (entity, relationship) }
    }
    return nil
  }

  /// Returns the inverse of a relationship, with the entity that declares it.
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

  /// Records that public stores do not determine the layout of this part of the model.
  mutating func assume(_ problem: String, _ relationship: RelationshipDescription?) {
    layout.assumptions.append(
      Diagnostic(
        .note, code: "store.assumed-layout", problem: problem,
        remedy: "Core Data may choose differently; stores can be read either way",
        location: relationship?.markup.location))
  }

  private mutating func nameTables() {
    var names = UniqueNames(reserved: ["Z_PRIMARYKEY", "Z_METADATA", "Z_MODELCACHE"])
    for root in roots { columns.tableNames[root.name] = names.take("Z\(root.name.uppercased())") }
  }
}

/// The names that the first steps assign and later steps use.
struct ColumnNames {
  struct Key: Hashable {
    var entity: String
    var property: String
  }

  /// Table names, by root entity.
  var tableNames: [String: String] = [:]
  /// Columns of attributes and to-ones, by declaring entity and name.
  var properties: [Key: String] = [:]
  /// Columns of composite attributes' elements, by their paths.
  var elements: [Key: [[String]: String]] = [:]
  var entityColumns: [Key: String] = [:]
  var orderColumns: [Key: String] = [:]
}
