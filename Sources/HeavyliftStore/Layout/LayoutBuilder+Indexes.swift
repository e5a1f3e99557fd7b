import HeavyliftModel

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
