import HeavyliftExpression
import HeavyliftModel

/// The contents of an entity mapping, either as written or with all defaults, as a list of facts to compare.
struct EntityMappingFacts {
  struct Property {
    var kind: PropertyMappingDescription.Kind
    var name: String
    var facts: [MappingFact]
  }

  var name: String
  /// The source and destination entity, which identify a mapping if its name has changed.
  var sides: [String?]
  var facts: [MappingFact]
  var properties: [Property]

  init(_ mapping: EntityMappingDescription) {
    name = mapping.name
    sides = [mapping.sourceEntityName, mapping.destinationEntityName]
    facts =
      [
        .quoted("name", mapping.givenName), MappingFact("type", mapping.givenType?.word),
        .quoted("source", mapping.sourceEntityName), .quoted("destination", mapping.destinationEntityName),
        MappingFact("where", mapping.filter, text: mapping.filter?.description),
        MappingFact("source-expression", mapping.sourceExpression, text: mapping.sourceExpression?.description),
        .quoted("policy", mapping.policyClassName), MappingFact("copy", mapping.copying?.rawValue),
      ] + Self.drops(mapping) + MappingFact.userInfo(mapping.userInfo)
    properties = mapping.propertyMappings.map { property in
      Property(
        kind: property.kind, name: property.name,
        facts: [
          MappingFact("value", property.source, text: property.source.shownText),
          Self.shared(property.leavesSharedToLast),
        ] + MappingFact.userInfo(property.userInfo))
    }
  }

  init(_ mapping: CompleteEntityMapping, comparesOrigins: Bool) {
    name = mapping.name
    sides = [mapping.sourceEntityName, mapping.destinationEntityName]
    facts =
      [
        MappingFact("type", mapping.type.word), .quoted("source", mapping.sourceEntityName),
        .quoted("destination", mapping.destinationEntityName),
        MappingFact("where", mapping.filter, text: mapping.filter?.description),
        MappingFact(
          "source-expression", mapping.unusualSourceExpression, text: mapping.unusualSourceExpression?.description),
        .quoted("policy", mapping.policyClassName),
      ] + Self.drops(mapping.description) + (comparesOrigins ? [MappingFact("origin", mapping.origin.rawValue)] : [])
      + MappingFact.userInfo(mapping.userInfo)
    properties = (mapping.attributeMappings + mapping.relationshipMappings).map { property in
      Property(
        kind: property.kind, name: property.name,
        facts: [
          MappingFact("value", property.valueExpression, text: property.valueExpression?.description),
          Self.shared(property.leavesSharedToLast),
        ] + (comparesOrigins ? [MappingFact("origin", property.origin, text: property.origin.shownText)] : [])
          + MappingFact.userInfo(property.userInfo))
    }
  }
}

extension EntityMappingFacts {
  private static func shared(_ isLeftToLast: Bool) -> MappingFact { MappingFact("shared", isLeftToLast ? "last" : nil) }

  /// The intentional drops, duplicates and losses.
  private static func drops(_ mapping: EntityMappingDescription) -> [MappingFact] {
    let names = mapping.droppedProperties.map(\.name)
    return [
      MappingFact("drop", names.isEmpty ? nil : names.quotedList),
      MappingFact("duplicates", mapping.intendsDuplicates ? "intended" : nil),
      MappingFact("losses", mapping.intendsLosses ? "intended" : nil),
    ]
  }
}

extension CompleteEntityMapping {
  /// The source expression; nil if it is the fetch that the entity and the filter imply.
  fileprivate var unusualSourceExpression: MappingExpression? {
    guard let entity = sourceEntityName,
      sourceExpression == .fetch(ofSourceEntity: entity, where: filter)
    else { return sourceExpression }
    return nil
  }
}

extension MappingModel {
  /// The facts about the mapping model itself, for comparison.
  var facts: [MappingFact] {
    source.facts("source") + destination.facts("destination") + [
      MappingFact("pass", pass.map { "\($0)" }), MappingFact("copy", copying.rawValue),
      MappingFact("unmentioned entities", unmentionedEntities.rawValue),
    ]
  }
}

extension ModelReference {
  fileprivate func facts(_ side: String) -> [MappingFact] {
    let entities = fingerprints.sorted { $0.key < $1.key }
    return [.quoted(side, name), .quoted("\(side)-checksum", checksum)]
      + entities.map { name, fingerprint in
        let texts = fingerprint.properties.sorted { $0.key < $1.key }.map { "\($0.key):\($0.value)" }
        return MappingFact("\(side)-entity \(name.quotedName)", fingerprint, text: texts.joined(separator: " "))
      }
  }
}

extension PropertyMappingDescription.Source {
  /// The text shown in a comparison.
  var shownText: String {
    switch self {
    case .automatic: "automatic"
    case .unmapped: "not mapped"
    case .expression(let expression): expression.description
    case .related(let objects, let mapping):
      "the counterparts of \(objects?.description ?? "the objects of the same name")"
        + (mapping.map { " through \($0.quotedName)" } ?? "")
    }
  }
}

extension PropertyMappingOrigin {
  /// The text shown in a comparison.
  var shownText: String {
    switch self {
    case .written: "written"
    case .copied(let name): "copied from \(name.quotedName)"
    case .rebuilt(let name, let mappings):
      "rebuilt from \(name.quotedName) through \(mappings.quotedList)"
    case .unmapped(let reason): reason.shownText
    }
  }
}

extension UnmappedReason {
  fileprivate var shownText: String {
    switch self {
    case .written: "explicitly not mapped"
    case .notListed: "not listed"
    case .noSource: "no source object"
    case .notInSource: "not in the source"
    case .otherKind(let name): "source property \(name.quotedName) is a different kind of property"
    case .incompatible(let name): "the type of \(name.quotedName) does not fit"
    case .manyIntoOne(let name): "\(name.quotedName) leads to many"
    case .noFittingMapping(let name): "no mapping fits \(name.quotedName)"
    case .severalFittingMappings(let name, let mappings):
      "several mappings fit \(name.quotedName): \(mappings.quotedList)"
    case .notStored: "not stored"
    }
  }
}
