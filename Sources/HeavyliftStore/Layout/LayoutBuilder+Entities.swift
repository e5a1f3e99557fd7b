import HeavyliftModel

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
