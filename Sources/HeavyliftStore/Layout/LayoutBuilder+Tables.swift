import HeavyliftModel

extension LayoutBuilder {
  /// The table of a hierarchy: keys first, then integers and to-ones, then order keys, then everything else.
  mutating func table(of root: EntityDescription) -> TableLayout {
    var names = UniqueNames(reserved: ["Z_PK", "Z_ENT", "Z_OPT"])
    var table = TableLayout(
      name: tableName(of: root),
      columns: [
        .init(name: "Z_PK", declaredType: "INTEGER PRIMARY KEY"),
        .init(name: "Z_ENT", declaredType: "INTEGER"),
        .init(name: "Z_OPT", declaredType: "INTEGER"),
      ])
    let hierarchy = hierarchy(of: root)
    for entity in hierarchy {
      appendIntegerAttributes(of: entity, to: &table, &names)
      appendToOnes(of: entity, to: &table, &names)
    }
    appendOwners(of: hierarchy, to: &table, &names)
    for entity in hierarchy { appendOrderKeys(of: entity, to: &table, &names) }
    for entity in hierarchy { appendOtherAttributes(of: entity, to: &table, &names) }
    return table
  }

  private mutating func appendIntegerAttributes(
    of entity: EntityDescription, to table: inout TableLayout, _ names: inout UniqueNames
  ) {
    for attribute in entity.attributes where !attribute.isTransient {
      append(attribute, of: entity, where: \.isIntegerClass, to: &table, &names)
    }
  }

  private mutating func appendToOnes(
    of entity: EntityDescription, to table: inout TableLayout, _ names: inout UniqueNames
  ) {
    for relationship in entity.relationships
    where !relationship.isTransient && !relationship.isToMany && !relationship.isImplied {
      let key = ColumnNames.Key(entity: entity.name, property: relationship.name)
      guard
        let destination = relationship.destinationEntityName.flatMap(entity(named:))
      else {
        omit(
          "relationship '\(relationship.name)' of entity '\(entity.name)' leads to an entity that is not in the store",
          location: relationship.markup.location)
        continue
      }
      let column = names.take("Z\(relationship.name.uppercased())")
      columns.properties[key] = column
      table.columns.append(.init(name: column, declaredType: "INTEGER"))
      if hasSubentities(destination) {
        let entityColumn = names.take("Z\(number(of: destination))_\(relationship.name.uppercased())")
        columns.entityColumns[key] = entityColumn
        table.columns.append(.init(name: entityColumn, declaredType: "INTEGER"))
      }
    }
  }

  /// Appends the columns for the owners in to-many relationships without an inverse.
  ///
  /// Core Data's order for several relationships of one owner is unknown; here, they are sorted by name.
  private mutating func appendOwners(
    of hierarchy: [EntityDescription], to table: inout TableLayout, _ names: inout UniqueNames
  ) {
    let owners = hierarchy.flatMap { entity in
      entity.relationships.filter(\.isImplied).compactMap { relationship in
        inverse(of: relationship).map { (entity, relationship, owner: $0.entity, toMany: $0.relationship) }
      }
    }.filter { numbers[$0.owner.name] != nil }
    let sorted = owners.sorted { left, right in
      let (one, other) = (number(of: left.owner), number(of: right.owner))
      return one == other ? left.toMany.name.precedesInCodeUnits(right.toMany.name) : one < other
    }
    for (place, (entity, relationship, owner, toMany)) in sorted.enumerated() {
      let key = ColumnNames.Key(entity: entity.name, property: relationship.name)
      let name = "\(number(of: owner))\(toMany.name.uppercased())"
      let column = names.take("Z\(name)")
      columns.properties[key] = column
      table.columns.append(.init(name: column, declaredType: "INTEGER"))
      if toMany.isOrdered {
        let order = names.take("Z_FOK_\(name)")
        columns.orderColumns[key] = order
        table.columns.append(.init(name: order, declaredType: "INTEGER"))
      }
      if place > 0, sorted[place - 1].owner.name == owner.name {
        assume(
          "relationships '\(sorted[place - 1].toMany.name)' and '\(toMany.name)' of entity '\(owner.name)' have columns "
            + "in table \(table.name) in an unknown order", toMany)
      }
    }
  }

  private mutating func appendOrderKeys(
    of entity: EntityDescription, to table: inout TableLayout, _ names: inout UniqueNames
  ) {
    for relationship in entity.relationships
    where !relationship.isTransient && !relationship.isToMany && !relationship.isImplied {
      let key = ColumnNames.Key(entity: entity.name, property: relationship.name)
      guard let inverse = inverse(of: relationship)?.relationship, inverse.isToMany, inverse.isOrdered,
        columns.properties[key] != nil
      else { continue }
      let column = names.take("Z_FOK_\(relationship.name.uppercased())")
      columns.orderColumns[key] = column
      table.columns.append(.init(name: column, declaredType: "INTEGER"))
    }
  }

  private mutating func appendOtherAttributes(
    of entity: EntityDescription, to table: inout TableLayout, _ names: inout UniqueNames
  ) {
    let stored = entity.attributes.filter { !$0.isTransient }
    for group in AttributeType.columnGroups {
      for attribute in stored {
        append(attribute, of: entity, where: group.contains, to: &table, &names)
      }
    }
    for attribute in stored where attribute.type == .undefined || attribute.type == .objectID {
      omit(
        "attribute '\(attribute.name)' of entity '\(entity.name)' has the type \(attribute.type.modelName), "
          + "which a store cannot hold",
        remedy: "make the attribute transient, or give it another type", location: attribute.markup.location)
    }
  }

  /// Appends the column of an attribute, or the columns of a composite's elements, if `isWanted` accepts their types.
  ///
  /// A composite's elements are columns of the table like all others: in the group of their own type, at the position
  /// of the composite's name, in order of declaration, and named after the element alone.
  private mutating func append(
    _ attribute: AttributeDescription, of entity: EntityDescription, where isWanted: (AttributeType) -> Bool,
    to table: inout TableLayout, _ names: inout UniqueNames
  ) {
    for (path, leaf) in columns(of: attribute) where isWanted(leaf.type) {
      let column = names.take("Z\(leaf.name.uppercased())")
      let key = ColumnNames.Key(entity: entity.name, property: attribute.name)
      if attribute.type == .composite {
        columns.elements[key, default: [:]][path] = column
      } else {
        columns.properties[key] = column
      }
      table.columns.append(.init(name: column, declaredType: leaf.type.declaredColumnType))
    }
  }

  /// The parts of an attribute that have a column: the attribute itself or, for a composite, its elements with their
  /// paths.
  private func columns(of attribute: AttributeDescription) -> [(path: [String], leaf: AttributeDescription)] {
    guard attribute.type == .composite else { return [([], attribute)] }
    return model.elements(of: attribute).filter { !$0.isTransient }.flatMap { element in
      columns(of: element).map { (path: [element.name] + $0.path, leaf: $0.leaf) }
    }
  }
}

extension AttributeType {
  /// The groups of columns that are not integers, in order; within a group, columns are sorted by name.
  fileprivate static let columnGroups: [Set<AttributeType>] = [
    [.double, .float, .date], [.decimal], [.string], [.uri], [.uuid], [.transformable], [.binaryData],
  ]

  /// The declared type of a column for this attribute type.
  var declaredColumnType: String {
    switch self {
    case .integer16, .integer32, .integer64, .boolean: "INTEGER"
    case .decimal: "DECIMAL"
    case .double, .float: "FLOAT"
    case .date: "TIMESTAMP"
    case .string, .uri: "VARCHAR"
    case .uuid, .transformable, .binaryData, .undefined, .objectID, .composite: "BLOB"
    }
  }
}
