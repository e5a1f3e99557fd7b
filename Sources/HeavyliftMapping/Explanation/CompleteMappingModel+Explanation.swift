import HeavyliftExpression
import HeavyliftModel

extension CompleteMappingModel {
  /// Returns the full effect of the mapping, property by property.
  package func explanation() -> MappingExplanation {
    let facts = facts
    let (coverage, unread) = (facts.coverage, facts.unread)
    var properties: [[PropertyMappingExplanation]] = facts.mappings.map { _ in [] }
    for property in facts.properties { properties[property.owner.number].append(property.explanation(facts)) }
    return MappingExplanation(
      source: sourceModel.name ?? mappingModel.source.name,
      destination: destinationModel.name ?? mappingModel.destination.name,
      pass: mappingModel.pass,
      entityMappings: facts.mappings.map { fact in
        EntityMappingExplanation(
          name: fact.name, origin: fact.mapping.origin, type: fact.mapping.type,
          sourceEntity: fact.mapping.sourceEntityName,
          destinationEntity: fact.mapping.destinationEntityName, filter: fact.mapping.filter?.description,
          sourceExpression: fact.description.sourceExpression?.description, policy: fact.mapping.policyClassName,
          properties: properties[fact.number], droppedProperties: fact.description.droppedProperties.map(\.name),
          unreadProperties: facts.isFirstTaker(fact)
            ? fact.source.map { unread.properties(of: $0).map(\.name) } ?? [] : [],
          location: fact.isImplied ? nil : fact.description.markup.location)
      },
      droppedEntities: coverage.dropped.sorted().map { sourceModel.entities[$0].name },
      unfilledEntities: coverage.unfilled.sorted().map { destinationModel.entities[$0].name })
  }
}

extension PropertyMappingFact {
  fileprivate func explanation(_ facts: MappingFacts) -> PropertyMappingExplanation {
    var shown: String?
    if let value = attribute?.defaultValue, !value.isNull {
      shown = MappingExpression(.constant(.value(value))).description
    }
    var (treatment, reason) = treatment(hasDefault: shown != nil, facts)
    let inverse = relationship.flatMap {
      complete.valueExpression == nil && facts.filledByMappings.isFilledFromInverse($0) ? $0.inverseName : nil
    }
    if inverse != nil { treatment = .rebuilt }
    // A time of saving that is carried over is a value like any other.
    let derivation = attribute.flatMap { attribute in
      attribute.isRecomputed || complete.valueExpression == nil ? attribute.derivationExpression : nil
    }
    if derivation != nil {
      let isTime = attribute?.isTimeOfSave == true
      (treatment, reason) = (.derived, isTime ? "the time of the migration" : "the store computes it")
    }
    return PropertyMappingExplanation(
      kind: complete.kind, name: complete.name, treatment: treatment,
      expression: derivation ?? complete.valueExpression?.description, relatedObjects: relatedObjects, inverse: inverse,
      defaultValue: shown,
      reason: reason,
      location: written?.markup.location)
  }

  private var relatedObjects: PropertyMappingExplanation.RelatedObjects? {
    guard let request = complete.valueExpression?.counterpartsRequest else { return nil }
    let mappings: [String] =
      switch request.through {
      case .mapping(let name): [name]
      case .relationship: if case .rebuilt(_, let through) = complete.origin { through } else { [] }
      }
    return .init(objects: request.objects.description, mappings: mappings)
  }

  private func treatment(
    hasDefault: Bool, _ facts: MappingFacts
  ) -> (PropertyMappingExplanation.Treatment, String) {
    switch complete.origin {
    case .written: return (.computed, "written")
    case .copied(let from): return (.copied, Self.leading(from, to: complete.name))
    case .rebuilt(let from, _): return (.rebuilt, Self.leading(from, to: complete.name))
    case .unmapped(let reason):
      let isLost = reason.leavesSomething || (reason.isChoice && hasSource(facts))
      return (isLost ? .dropped : hasDefault ? .defaulted : .empty, reason.words)
    }
  }

  private static func leading(_ source: String, to name: String) -> String {
    source == name ? "by name" : "renaming identifier, was \(source.quotedName)"
  }

  /// Returns true if the source entity has a property with this property's name or renaming identifier.
  private func hasSource(_ facts: MappingFacts) -> Bool {
    guard let entity = owner.source else { return false }
    return [property.renamingIdentifier, property.name].contains { name in
      name.flatMap { facts.source.property(named: $0, of: entity) } != nil
    }
  }
}

extension UnmappedReason {
  /// True if the source has a matching property whose values are not migrated.
  fileprivate var leavesSomething: Bool {
    switch self {
    case .otherKind, .incompatible, .manyIntoOne, .noFittingMapping, .severalFittingMappings: true
    case .written, .notListed, .noSource, .notInSource, .notStored: false
    }
  }

  /// True if the mapping's author could have given the property a value, but did not.
  fileprivate var isChoice: Bool { self == .written || self == .notListed }

  fileprivate var words: String {
    switch self {
    case .written: "copy=\"no\""
    case .notListed: "not listed"
    case .noSource: "no source object"
    case .notInSource: "not in the source"
    case .otherKind(let name): "\(name.quotedName) is a different kind of property in the source"
    case .incompatible(let from): "\(from.quotedName) has a different type in the source"
    case .manyIntoOne(let from): "\(from.quotedName) leads to many objects in the source"
    case .noFittingMapping(let from): "no entity mapping fits \(from.quotedName)"
    case .severalFittingMappings(_, let names): "several entity mappings fit: \(names.quotedList)"
    case .notStored: "not stored"
    }
  }
}
