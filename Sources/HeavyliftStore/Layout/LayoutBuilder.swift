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

  mutating func omit(_ problem: String, remedy: String? = nil, location: DiagnosticLocation? = nil) {
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

extension LayoutBuilder {
  /// Collects the columns of an entity's own and inherited properties.
  func entityLayout(of entity: EntityDescription, joins: [JoinTable]) -> EntityLayout {
    let lineage = lineages[entity.name] ?? [entity]
    return EntityLayout(
      name: entity.name, number: number(of: entity),
      superNumber: entity.superentityName.flatMap { numbers[$0] } ?? 0,
      rootNumber: number(of: root(of: entity)), tableName: tableName(of: entity),
      numbersWithSubentities: numbersWithSubentities(of: entity),
      attributes: distinct(lineage.flatMap { attributeColumns(of: $0) }, by: \.name),
      toOnes: distinct(lineage.flatMap { toOneColumns(of: $0, areImplied: false) }, by: \.name),
      ownerColumns: distinct(lineage.flatMap { toOneColumns(of: $0, areImplied: true) }, by: \.name),
      toManys: distinct(lineage.flatMap { toManys(of: $0, joins: joins) }, by: \.name))
  }

  private func distinct<Layout>(_ layouts: [Layout], by name: KeyPath<Layout, String>) -> [Layout] {
    var seen: Set<String> = []
    return layouts.filter { seen.insert($0[keyPath: name]).inserted }
      .sorted { $0[keyPath: name].precedesInCodeUnits($1[keyPath: name]) }
  }

  private func attributeColumns(of entity: EntityDescription) -> [AttributeColumn] {
    entity.attributes.compactMap { attribute in
      let key = ColumnNames.Key(entity: entity.name, property: attribute.name)
      if attribute.type == .composite, !attribute.isTransient {
        return composite(attribute, path: [], columns.elements[key] ?? [:])
      }
      guard let column = columns.properties[key] else { return nil }
      return AttributeColumn(
        name: attribute.name, type: attribute.type, column: column,
        allowsExternalBinaryDataStorage: attribute.allowsExternalBinaryDataStorage, isDerived: attribute.isRecomputed,
        elements: [])
    }
  }

  private func composite(
    _ attribute: AttributeDescription, path: [String], _ names: [[String]: String]
  ) -> AttributeColumn? {
    var column = AttributeColumn(
      name: attribute.name, type: attribute.type, column: "", allowsExternalBinaryDataStorage: false, isDerived: false,
      elements: [])
    guard attribute.type == .composite else {
      guard let name = names[path] else { return nil }
      column.column = name
      return column
    }
    column.elements = model.elements(of: attribute).compactMap { composite($0, path: path + [$0.name], names) }
    return column
  }

  private func toOneColumns(of entity: EntityDescription, areImplied: Bool) -> [ToOneColumn] {
    entity.relationships.filter { $0.isImplied == areImplied }.compactMap { relationship in
      let key = ColumnNames.Key(entity: entity.name, property: relationship.name)
      guard let column = columns.properties[key], let destination = destination(of: relationship) else { return nil }
      return ToOneColumn(
        name: relationship.name, column: column, entityColumn: columns.entityColumns[key],
        orderColumn: columns.orderColumns[key], destinationEntityName: destination.name,
        destinationTableName: tableName(of: destination))
    }
  }

  private func toManys(of entity: EntityDescription, joins: [JoinTable]) -> [ToManyStorage] {
    entity.relationships.compactMap { relationship in
      guard relationship.isToMany, !relationship.isTransient, let destination = destination(of: relationship) else {
        return nil
      }
      if let inverse = inverse(of: relationship), !inverse.relationship.isToMany {
        return foreignKey(relationship, to: destination, inverse: inverse)
      }
      return joins.lazy.compactMap { link(relationship, of: entity, to: destination, in: $0) }.first
    }
  }

  private func foreignKey(
    _ relationship: RelationshipDescription, to destination: EntityDescription,
    inverse: (entity: EntityDescription, relationship: RelationshipDescription)
  ) -> ToManyStorage? {
    let key = ColumnNames.Key(entity: inverse.entity.name, property: inverse.relationship.name)
    guard let column = columns.properties[key] else { return nil }
    return ToManyStorage(
      name: relationship.name, kind: .foreignKey, tableName: tableName(of: inverse.entity), ownerColumn: column,
      targetColumn: "Z_PK", orderColumn: columns.orderColumns[key], destinationEntityName: destination.name,
      destinationTableName: tableName(of: destination), writesLinks: false, isReflexive: false)
  }

  private func link(
    _ relationship: RelationshipDescription, of entity: EntityDescription, to destination: EntityDescription,
    in join: JoinTable
  ) -> ToManyStorage? {
    let end = JoinEnd(entity: entity.name, relationship: relationship.name)
    guard join.first.end == end || join.second.end == end else { return nil }
    let isFirst = join.first.end == end
    let (own, other) = isFirst ? (join.first, join.second) : (join.second, join.first)
    return ToManyStorage(
      name: relationship.name, kind: .joinTable, tableName: join.layout.name, ownerColumn: other.column,
      targetColumn: own.column, orderColumn: own.orderColumn, destinationEntityName: destination.name,
      destinationTableName: tableName(of: destination), writesLinks: isFirst, isReflexive: join.isReflexive)
  }

  private func destination(of relationship: RelationshipDescription) -> EntityDescription? {
    entity(named: relationship.destinationEntityName)
  }
}

extension LayoutBuilder {
  /// The triggers that count a to-many for a derived attribute like `pages.@count`.
  ///
  /// No public store has triggers for other derivations, so their columns keep their values.
  mutating func countTriggers(of attribute: AttributeDescription, in entity: EntityDescription) -> [TriggerLayout] {
    guard attribute.isDerived else { return [] }
    guard let relationshipName = attribute.countedKeyPath,
      let declared = declaration(of: relationshipName, from: entity.name), declared.relationship.isToMany,
      let inverse = inverse(of: declared.relationship), !inverse.relationship.isToMany,
      let foreignKey = columns.properties[.init(entity: inverse.entity.name, property: inverse.relationship.name)],
      let column = columns.properties[.init(entity: entity.name, property: attribute.name)]
    else {
      omit(
        "derived attribute '\(attribute.name)' of entity '\(entity.name)' is not kept up to date: "
          + "only a count of a one-to-many relationship is",
        remedy: "its column is read but not changed", location: attribute.markup.location)
      return []
    }
    let (table, counted) = (tableName(of: entity), tableName(of: inverse.entity))
    let stem = "Z_DA_\(counted)_\(entity.name)_\(attribute.name)_PARAMETER"
    let report = { (function: String, key: String) in
      "SELECT \(function)('\(table)', Z_ENT, Z_PK, '\(attribute.name)', \(column)) FROM \(table) WHERE Z_PK = \(key);"
    }
    func trigger(_ suffix: String, _ event: String, row: String, _ change: String) -> TriggerLayout {
      let key = "\(row).\(foreignKey)"
      return TriggerLayout(
        name: "\(stem)_\(suffix)",
        sql: "CREATE TRIGGER \(stem)_\(suffix) AFTER \(event) ON \(counted) FOR EACH ROW WHEN (\(key) NOT NULL) "
          + "BEGIN UPDATE \(table) SET \(column) = \(change) WHERE Z_PK = \(key); "
          + "\(report("NSCoreDataDATriggerUpdatedAffectedObjectValue", key)) END",
        entityName: entity.name, attributeName: attribute.name)
    }
    let source = "Z_DA_\(table)_\(entity.name)_\(attribute.name)_SOURCE_INSERT"
    return [
      trigger("INSERT", "INSERT", row: "NEW", "IFNULL(\(column), 0) + 1"),
      trigger("UPDATE_INCREMENT", "UPDATE OF \(foreignKey)", row: "NEW", "\(column) + 1"),
      trigger("UPDATE_DECREMENT", "UPDATE OF \(foreignKey)", row: "OLD", "\(column) - 1"),
      trigger("DELETE", "DELETE", row: "OLD", "\(column) - 1"),
      TriggerLayout(
        name: source,
        sql: "CREATE TRIGGER \(source) AFTER INSERT ON \(table) FOR EACH ROW "
          + "BEGIN UPDATE \(table) SET \(column) = (SELECT IFNULL(COUNT(\(foreignKey)), 0) FROM \(counted) "
          + "WHERE \(foreignKey) = NEW.Z_PK) WHERE Z_PK = NEW.Z_PK; "
          + "\(report("NSCoreDataDATriggerInsertUpdatedAffectedObjectValue", "NEW.Z_PK")) END",
        entityName: entity.name, attributeName: attribute.name),
    ]
  }
}
