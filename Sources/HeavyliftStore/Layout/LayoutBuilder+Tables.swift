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
    append(columns(of: entity).filter { $0.leaf.type.isIntegerClass }, of: entity, to: &table, &names)
  }

  private mutating func appendToOnes(
    of entity: EntityDescription, to table: inout TableLayout, _ names: inout UniqueNames
  ) {
    for relationship in entity.relationships
    where !relationship.isTransient && !relationship.isToMany && !relationship.isImplied {
      let key = ColumnNames.Key(entity: entity.name, property: relationship.name)
      guard
        let destination = self.entity(named: relationship.destinationEntityName)
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
    let parts = Dictionary(grouping: columns(of: entity)) { $0.leaf.type.columnGroup }
    for group in parts.keys.compactMap(\.self).sorted() {
      append(parts[group] ?? [], of: entity, to: &table, &names)
    }
    for attribute in entity.attributes
    where !attribute.isTransient && (attribute.type == .undefined || attribute.type == .objectID) {
      omit(
        "attribute '\(attribute.name)' of entity '\(entity.name)' has the type \(attribute.type.modelName), "
          + "which a store cannot hold",
        remedy: "make the attribute transient, or give it another type", location: attribute.markup.location)
    }
  }

  /// Appends columns of an entity.
  ///
  /// A composite's elements are columns of the table like all others: in the group of their own type, at the position
  /// of the composite's name, in order of declaration, and named after the element alone.
  private mutating func append(
    _ parts: [ColumnPart], of entity: EntityDescription, to table: inout TableLayout, _ names: inout UniqueNames
  ) {
    for part in parts {
      let column = names.take("Z\(part.leaf.name.uppercased())")
      let key = ColumnNames.Key(entity: entity.name, property: part.attribute)
      if part.path.isEmpty {
        columns.properties[key] = column
      } else {
        columns.elements[key, default: [:]][part.path] = column
      }
      table.columns.append(.init(name: column, declaredType: part.leaf.type.declaredColumnType))
    }
  }

  /// A part of an attribute that has a column: the attribute itself, or an element of a composite, with its path.
  private typealias ColumnPart = (attribute: String, path: [String], leaf: AttributeDescription)

  private func columns(of entity: EntityDescription) -> [ColumnPart] {
    entity.attributes.filter { !$0.isTransient }.flatMap { attribute in
      columns(of: attribute).map { (attribute.name, $0.path, $0.leaf) }
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
  /// The position of the type's columns among those that are not integers; nil for integers and types without a column
  /// of their own. Within a group, columns are sorted by name.
  fileprivate var columnGroup: Int? {
    switch self {
    case .double, .float, .date: 0
    case .decimal: 1
    case .string: 2
    case .uri: 3
    case .uuid: 4
    case .transformable: 5
    case .binaryData: 6
    case .integer16, .integer32, .integer64, .boolean, .undefined, .objectID, .composite: nil
    }
  }

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

extension LayoutBuilder {
  /// All indexes that Core Data creates: those on to-ones, entity numbers and join tables, and those that the model
  /// declares.
  mutating func indexes(joins: [JoinTable]) -> [IndexLayout] {
    var indexes: [IndexLayout] = []
    for root in roots { indexes += structuralIndexes(of: root) }
    indexes += joins.map(\.index)
    for entity in entities { indexes += flaggedIndexes(of: entity) + fetchIndexes(of: entity) }
    for entity in entities { indexes += uniqueIndexes(of: entity) }
    var seen: Set<String> = []
    return indexes.filter { seen.insert($0.name).inserted }
  }

  private func structuralIndexes(of root: EntityDescription) -> [IndexLayout] {
    let (table, hierarchy) = (tableName(of: root), hierarchy(of: root))
    var indexes: [IndexLayout] = []
    for (entity, isImplied) in hierarchy.map({ ($0, false) }) + hierarchy.map({ ($0, true) }) {
      for relationship in entity.relationships where !relationship.isToMany && relationship.isImplied == isImplied {
        let key = ColumnNames.Key(entity: entity.name, property: relationship.name)
        guard let column = columns.properties[key] else { continue }
        indexes.append(
          IndexLayout(
            name: "\(table)_\(column)_INDEX", tableName: table, columns: [.init(name: column, order: nil)]))
      }
    }
    if hierarchy.count > 1 {
      indexes.append(
        IndexLayout(name: "\(table)_Z_ENT_INDEX", tableName: table, columns: [.init(name: "Z_ENT", order: nil)]))
    }
    return indexes
  }

  /// Indexes for the legacy "indexed" flag, which Xcode's compiler also sets on the only attribute of a fetch index.
  private func flaggedIndexes(of entity: EntityDescription) -> [IndexLayout] {
    let alone = Set(entity.fetchIndexes.compactMap(\.soleBinaryProperty))
    return entity.attributes.filter { $0.isIndexed || alone.contains($0.name) }.compactMap { attribute in
      guard let column = column(of: attribute.name, in: entity) else { return nil }
      return IndexLayout(
        name: "Z_\(entity.name)_\(attribute.name)", tableName: tableName(of: entity),
        columns: [.init(name: column, order: "ASC")])
    }
  }

  private mutating func fetchIndexes(of entity: EntityDescription) -> [IndexLayout] {
    var indexes: [IndexLayout] = []
    for index in entity.fetchIndexes {
      let elements = index.elements.map { element in
        element.collationType == .binary ? element.propertyName.flatMap { column(of: $0, in: entity) } : nil
      }
      guard index.partialIndexPredicate == nil, !elements.isEmpty, !elements.contains(nil) else {
        omit(
          "index '\(index.name)' of entity '\(entity.name)' is partial, spatial, or on an expression",
          remedy: "the store is complete without it; Core Data creates it when it opens the store for writing",
          location: index.markup.location)
        continue
      }
      indexes.append(
        IndexLayout(
          name: "Z_\(entity.name)_\(index.name)", tableName: tableName(of: entity),
          columns: zip(elements, index.elements).compactMap { column, element in
            column.map { .init(name: $0, order: element.isAscending ? "ASC" : "DESC") }
          }))
    }
    for names in entity.compoundIndexes {
      let found = names.compactMap { column(of: $0, in: entity) }
      guard found.count == names.count, !found.isEmpty else { continue }
      indexes.append(
        IndexLayout(
          name: "Z_\(entity.name)_\(names.joined(separator: "_"))", tableName: tableName(of: entity),
          columns: found.map { .init(name: $0, order: "ASC") }))
    }
    return indexes
  }

  private func uniqueIndexes(of entity: EntityDescription) -> [IndexLayout] {
    entity.uniquenessConstraints.compactMap { constraint in
      let found = constraint.propertyNames.compactMap { column(of: $0, in: entity) }
      guard found.count == constraint.propertyNames.count, !found.isEmpty else { return nil }
      return IndexLayout(
        name: "Z_\(entity.name)_UNIQUE_\(constraint.propertyNames.joined(separator: "_"))",
        tableName: tableName(of: entity), columns: found.map { .init(name: $0, order: "ASC") }, isUnique: true)
    }
  }

  /// The column of an own or inherited property, or of a composite's element: `address.city`.
  private func column(of property: String, in entity: EntityDescription) -> String? {
    let path = property.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    for declaring in lineages[entity.name] ?? [] {
      let key = ColumnNames.Key(entity: declaring.name, property: path.first ?? property)
      if path.count > 1 {
        if let column = columns.elements[key]?[Array(path.dropFirst())] { return column }
      } else if let column = columns.properties[key], !column.isEmpty {
        return column
      }
    }
    return nil
  }
}

extension FetchIndexDescription {
  /// The only property of an index, if the index is binary and not partial.
  fileprivate var soleBinaryProperty: String? {
    guard elements.count == 1, partialIndexPredicate == nil, elements[0].collationType == .binary else { return nil }
    return elements[0].propertyName
  }
}
