import Heavylift

/// Makes a model from entity classes, and collects all mistakes in them.
struct SchemaBuilder {
  let profile: StorageProfile
  let types: [EntityType]
  /// True if `Track_v2` is a class of entity `Track`.
  private let stripsVersions: Bool
  private(set) var mistakes: [SchemaMistake] = []
  private(set) var warnings: [Diagnostic] = []
  private var composites: [String: (description: CompositeDescription, places: [SchemaPlace])] = [:]
  private var brokenComposites: Set<String> = []
  private var inhabitedComposites: Set<String> = []
  private var emptyComposites: Set<String> = []

  init(_ listed: [Entity.Type], profile: StorageProfile, stripsVersions: Bool) {
    self.profile = profile
    self.stripsVersions = stripsVersions
    if listed.isEmpty { mistakes.append(.noModels) }
    var seen: Set<ObjectIdentifier> = []
    var types: [EntityType] = []
    for type in listed {
      guard type != Entity.self else {
        mistakes.append(.baseClass)
        continue
      }
      guard seen.insert(ObjectIdentifier(type)).inserted else {
        mistakes.append(.listedTwice(TypeName.scoped(type)))
        continue
      }
      types.append(EntityType.of(type))
    }
    self.types = types
  }

  func name(of type: EntityType) -> String {
    guard stripsVersions, let suffix = type.name.range(of: "_v", options: .backwards),
      !type.name[suffix.upperBound...].isEmpty, type.name[suffix.upperBound...].allSatisfy(\.isNumber),
      suffix.lowerBound > type.name.startIndex
    else { return type.name }
    return String(type.name[..<suffix.lowerBound])
  }

  /// Returns the model and the entities, sorted by name. If there are mistakes, both are incomplete.
  mutating func build() -> (model: ManagedObjectModel, entities: [SchemaEntity]) {
    checkNames()
    var inverses = InverseFinder(self)
    inverses.find()
    mistakes += inverses.mistakes

    var descriptions: [EntityDescription] = []
    var entities: [SchemaEntity] = []
    var properties: [ObjectIdentifier: [Int: SchemaProperty]] = [:]
    for type in types {
      var description = EntityDescription(
        name: name(of: type), isAbstract: type.type.abstractEntity == type.type,
        superentityName: type.superclass.map { name(of: EntityType.of($0)) })
      var own: [Int: SchemaProperty] = [:]
      for property in type.properties {
        let isOwn = property.declaringType == type.type
        let made = add(property, of: type, to: &description, isOwn: isOwn, inverses)
        own[property.number] = made
      }
      properties[ObjectIdentifier(type.type)] = own
      addDeclarations(of: type, to: &description)
      descriptions.append(description)
      entities.append(
        SchemaEntity(
          name: description.name, type: type,
          properties: own.sorted { $0.key < $1.key }.map(\.value)))
    }
    for (name, composite) in composites.sorted(by: { $0.key < $1.key }) where brokenComposites.contains(name) {
      mistakes.append(.compositesOfOneName(name, composite.places))
    }
    var model = ManagedObjectModel(
      entities: descriptions, composites: composites.values.map(\.description))
    model.inhabitedComposites = inhabitedComposites.subtracting(emptyComposites)
    return (model, entities.sorted { $0.name.precedesInCodeUnits($1.name) })
  }

  // MARK: Names

  private mutating func checkNames() {
    for (name, classes) in Dictionary(grouping: types, by: name).sorted(by: { $0.key < $1.key })
    where classes.count > 1 {
      mistakes.append(.sameName(entity: name, classes.map(\.scopedName)))
    }
    let listed = Set(types.map { ObjectIdentifier($0.type) })
    for type in types {
      if let superclass = type.superclass, !listed.contains(ObjectIdentifier(superclass)) {
        mistakes.append(.missingSuperclass(TypeName.scoped(superclass), of: type.scopedName))
      }
      for name in type.unmarked { mistakes.append(.unmarkedProperty(name, className: type.scopedName)) }
      for (name, properties) in Dictionary(grouping: type.properties, by: \.name).sorted(by: { $0.key < $1.key })
      where properties.count > 1 && properties.contains(where: { $0.declaringType == type.type }) {
        mistakes.append(.sameProperty(name, className: type.scopedName, properties.map(\.swiftName)))
      }
      if let abstract = type.type.abstractEntity, !type.isKind(of: abstract) {
        mistakes.append(.foreignAbstraction(className: type.scopedName, named: TypeName.scoped(abstract)))
      }
    }
  }

  // MARK: Properties

  /// Describes a property; adds it to its entity unless it is inherited.
  private mutating func add(
    _ property: EntityProperty, of type: EntityType, to entity: inout EntityDescription, isOwn: Bool,
    _ inverses: InverseFinder
  ) -> SchemaProperty {
    switch property.declaration {
    case let attribute as any AttributeDeclaring:
      let described = attribute.described(named: property.name, for: profile)
      if isOwn { add(attribute, described, property, to: &entity) }
      let shape = TypeShape(of: attribute.valueType)
      return SchemaProperty(
        name: property.name, swiftName: property.swiftName,
        typeText: TypeName.simple(attribute.valueType) + shape.elements, shape: shape, isFetched: false,
        codec: described.codec, freshValue: described.freshValue, defaultVaries: described.defaultVaries)
    case let relationship as RelationshipDeclaration:
      if isOwn { add(relationship, property, to: &entity, inverses) }
      return SchemaProperty(
        name: property.name, swiftName: property.swiftName,
        typeText: TypeName.simple(relationship.form.destination), isFetched: false)
    case let fetched as FetchedDeclaration:
      if isOwn { add(fetched, property, to: &entity) }
      return SchemaProperty(
        name: property.name, swiftName: property.swiftName, typeText: TypeName.simple(fetched.destination),
        isFetched: true)
    default:
      preconditionFailure("property '\(property.name)' has an unknown declaration")
    }
  }

  private mutating func add(
    _ attribute: any AttributeDeclaring, _ described: DescribedAttribute, _ property: EntityProperty,
    to entity: inout EntityDescription
  ) {
    let place = property.place
    let type = TypeName.scoped(attribute.valueType)
    if let problem = described.problem { return mistakes.append(.type(place, type, problem)) }
    if described.hasUnstorableValue { return mistakes.append(.unstorableValue(place)) }
    entity.attributes.append(described.description)
    for composite in described.composites { add(composite, place) }
    if let name = described.inhabitedComposite {
      inhabitedComposites.insert(name)
    } else if let name = described.description.compositeName {
      emptyComposites.insert(name)
    }
    if attribute.parameters.has(.unique) {
      if described.description.isComparable {
        entity.uniquenessConstraints.append(.init([property.name]))
      } else {
        mistakes.append(.uniqueOption(place, type: type))
      }
    }
    if described.mayVanish {
      warnings.append(
        Diagnostic(
          .warning, code: "schema.vanishing-value",
          problem: "\(place) has type '\(type)', and all elements of that structure are optional: a store cannot "
            + "distinguish a value without any element from nil",
          remedy: "declare it without '?', or give the structure an element that is not optional"))
    }
  }

  private mutating func add(_ composite: CompositeDescription, _ place: SchemaPlace) {
    guard let known = composites[composite.name] else {
      return composites[composite.name] = (composite, [place])
    }
    if known.description != composite { brokenComposites.insert(composite.name) }
    if !known.places.contains(place) { composites[composite.name]?.places.append(place) }
  }

  private mutating func add(
    _ relationship: RelationshipDeclaration, _ property: EntityProperty, to entity: inout EntityDescription,
    _ inverses: InverseFinder
  ) {
    let (form, parameters, place) = (relationship.form, relationship.parameters, property.place)
    if relationship.hasInitialTargets { mistakes.append(.initialTargets(place)) }
    guard let destination = types.first(where: { $0.type == form.destination }) else {
      let scoped = TypeName.scoped(form.destination)
      let entityName = name(of: EntityType.of(form.destination))
      if let other = types.first(where: { name(of: $0) == entityName }) {
        mistakes.append(.otherVersion(place, destination: scoped, listed: other.scopedName))
      } else {
        mistakes.append(.missingDestination(place, destination: scoped))
      }
      return
    }
    let inverse = inverses.inverse(of: property)
    // SwiftData declares a to-many as optional only if its type is. Core Data's own models usually declare all of them.
    let isOptional = parameters.isOptional ?? (form.isToMany && profile == .coreData || form.isOptional)
    entity.relationships.append(
      RelationshipDescription(
        name: property.name, destinationEntityName: name(of: destination), inverseName: inverse?.name,
        inverseEntityName: inverse.map { name(of: EntityType.of($0.declaringType)) },
        isOptional: isOptional,
        isOrdered: parameters.isOrdered ?? (form.container == .array && profile == .coreData),
        minCount: parameters.minimumCount, maxCount: form.isToMany ? parameters.maximumCount : 1,
        deleteRule: parameters.deleteRule, renamingIdentifier: parameters.originalName,
        versionHashModifier: parameters.hashModifier, userInfo: parameters.userInfo))
  }

  private mutating func add(
    _ fetched: FetchedDeclaration, _ property: EntityProperty, to entity: inout EntityDescription
  ) {
    guard let destination = types.first(where: { $0.type == fetched.destination }) else {
      return mistakes.append(
        .missingDestination(property.place, destination: TypeName.scoped(fetched.destination)))
    }
    do {
      _ = try MappingPredicate(format: fetched.predicate)
    } catch {
      mistakes.append(.invalidPredicate(property.place, "\(error)"))
    }
    entity.fetchedProperties.append(
      FetchedPropertyDescription(
        name: property.name,
        fetchRequest: FetchRequestDescription(
          name: "fetchRequest", entityName: name(of: destination), predicateString: fetched.predicate,
          sortKeys: fetched.sortKeys, fetchLimit: fetched.fetchLimit)))
  }

  mutating func add(_ mistake: SchemaMistake) { mistakes.append(mistake) }
}

extension EntityProperty {
  /// The property in words, as messages name it.
  var place: SchemaPlace {
    let kind =
      switch declaration {
      case is RelationshipDeclaration: "relationship"
      case is FetchedDeclaration: "fetched property"
      default: "attribute"
      }
    return SchemaPlace(kind: kind, name: swiftName, className: TypeName.scoped(declaringType))
  }
}

extension EntityType {
  /// Returns true if the class is `other` or inherits from it.
  func isKind(of other: Entity.Type) -> Bool {
    var next: EntityType? = self
    while let current = next {
      if current.type == other { return true }
      next = current.superclass.map(EntityType.of)
    }
    return false
  }
}

extension AttributeDescription {
  /// True if the attribute has one column, whose values SQLite can compare.
  var isComparable: Bool { !isTransient && type != .composite && type != .transformable }
}
