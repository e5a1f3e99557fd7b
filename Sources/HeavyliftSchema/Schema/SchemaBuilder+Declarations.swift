import HeavyliftModel

/// The declarations of a class as a whole: names, constraints and indexes.
extension SchemaBuilder {
  /// Adds what the class declares itself. A declaration that equals that of the superclass is inherited.
  mutating func addDeclarations(of type: EntityType, to entity: inout EntityDescription) {
    let parent = type.superclass ?? Entity.self
    if type.type.originalName != parent.originalName { entity.renamingIdentifier = type.type.originalName }
    if type.type.hashModifier != parent.hashModifier { entity.versionHashModifier = type.type.hashModifier }
    if type.type.uniquenessConstraints != parent.uniquenessConstraints {
      for constraint in type.type.uniquenessConstraints {
        guard let names = names(constraint.properties, in: .constraint, of: type) else { continue }
        entity.uniquenessConstraints.append(.init(names))
      }
    }
    if type.type.indexes != parent.indexes {
      for index in type.type.indexes {
        guard let names = names(index.properties, in: .index, of: type) else { continue }
        entity.fetchIndexes.append(
          FetchIndexDescription(
            name: index.name ?? defaultName(of: names),
            elements: names.map { FetchIndexDescription.Element(propertyName: $0, isAscending: !index.isDescending) }))
      }
    }
  }

  private func defaultName(of names: [String]) -> String {
    switch profile {
    case .coreData: "by" + names.map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined(separator: "And")
    case .swiftData: "SwiftDataIndexOnBinary" + names.joined()
    }
  }

  /// Returns the names of the properties in the store; nil if one of them is a mistake.
  private mutating func names(
    _ properties: [PropertyName], in part: SchemaMistake.Part, of type: EntityType
  ) -> [String]? {
    guard !properties.isEmpty else {
      add(.emptyPart(part, className: type.scopedName))
      return nil
    }
    var names: [String] = []
    for name in properties {
      if let other = name.className, !type.lineage.contains(where: { $0.scopedName == other }) {
        add(.propertyOfOtherClass(part, className: type.scopedName, other: other))
        continue
      }
      guard let text = name.text else {
        add(.notAProperty(part, className: type.scopedName))
        continue
      }
      guard let property = type.properties.first(where: { $0.name == text }) else {
        add(
          .unknownProperty(
            part, text, className: type.scopedName, known: type.properties.map(\.name)))
        continue
      }
      guard hasColumn(property) else {
        add(.unindexable(part, property.place))
        continue
      }
      names.append(text)
    }
    return names.count == properties.count ? names : nil
  }

  private func hasColumn(_ property: EntityProperty) -> Bool {
    switch property.declaration {
    case let attribute as any AttributeDeclaring:
      attribute.described(named: property.name, for: profile).description.isComparable
    case let relationship as RelationshipDeclaration: !relationship.form.isToMany
    default: false
    }
  }
}

extension EntityType {
  /// The class and its superclasses.
  var lineage: [EntityType] {
    Array(sequence(first: self) { $0.superclass.map(EntityType.of) })
  }
}
