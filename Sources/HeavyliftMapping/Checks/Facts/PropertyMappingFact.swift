import HeavyliftExpression
import HeavyliftModel

/// A destination property, its value, and the place where the value is written.
final class PropertyMappingFact: Sendable {
  let owner: EntityMappingFact
  let complete: CompletePropertyMapping
  let property: PropertyReference
  /// The written mapping of the property, if it has one.
  let written: PropertyMappingDescription?

  private init(
    owner: EntityMappingFact, complete: CompletePropertyMapping, property: PropertyReference,
    written: PropertyMappingDescription?
  ) {
    (self.owner, self.complete, self.property, self.written) = (owner, complete, property, written)
  }

  /// Every destination property of an entity mapping that creates objects or may create them.
  static func all(of mapping: EntityMappingFact) -> [PropertyMappingFact] {
    let written = Dictionary(
      mapping.description.propertyMappings.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    return (mapping.mapping.attributeMappings + mapping.mapping.relationshipMappings).compactMap { complete in
      mapping.destinationProperties[complete.name].map {
        PropertyMappingFact(owner: mapping, complete: complete, property: $0, written: written[complete.name])
      }
    }
  }

  /// The property in words: "attribute 'title' of entity mapping 'TrackToTrack'".
  var place: String { "\(property.kind) \(property.name.quotedName) of \(owner.place)" }

  var attribute: AttributeDescription? {
    if case .attribute(let attribute) = property { attribute } else { nil }
  }

  var relationship: RelationshipDescription? {
    if case .relationship(let relationship) = property { relationship } else { nil }
  }

  /// True if an object without a value or target cannot be saved, so that leaving the property unmapped is no remedy.
  var mustHaveValue: Bool {
    switch property {
    case .attribute(let attribute):
      !attribute.isOptional && attribute.defaultValue.isNull && !attribute.isTransient && !attribute.isDerived
    case .relationship(let relationship): relationship.requiresTarget && !relationship.isTransient
    case .fetched: false
    }
  }

  /// True if a policy may set a value other than the one given here.
  var isLeftToPolicy: Bool { owner.isCustom && complete.origin != .written }

  /// The reason why the property gets no value, unless that follows from a mistake already reported.
  var unmappedReason: UnmappedReason? {
    guard case .unmapped(let reason) = complete.origin, !owner.hasUnknownSource else { return nil }
    return reason
  }

  /// Returns true if the mapping says to copy the property by name and the source has no such property.
  ///
  /// Always false in a mapping that copies only listed properties: Xcode's mappings list every property.
  func hasNothingToCopy(in mapping: MappingIndex) -> Bool {
    guard let written, written.kind == property.mappingKind, let reason = unmappedReason,
      mapping.facts.copying(owner) != .listed,
      reason == .notInSource || reason == .noSource
    else { return false }
    // An attribute without a value can carry user info for a policy.
    if owner.isCustom, !written.userInfo.isEmpty { return false }
    switch written.source {
    case .automatic, .related(nil, _): return true
    case .expression, .unmapped, .related: return false
    }
  }

  /// Returns the name of the entity mapping that the relationship should go through, if no mapping has that name.
  func unknownMapping(in mapping: MappingIndex) -> String? {
    let name: String?
    switch written?.source {
    case .related(_, let through): name = through
    case .expression(let expression): name = expression.counterpartsRequest?.mapping
    case .automatic, .unmapped, nil: name = nil
    }
    return name.flatMap { mapping.mapping(named: $0) == nil ? $0 : nil }
  }

  /// Returns the location of the first of these XML attributes that exists, or else of the property's element, or else
  /// of the entity mapping.
  func location(of names: String...) -> DiagnosticLocation? {
    guard let markup = written?.markup else { return owner.description.markup.location }
    let name = names.first { markup.attributes[$0] != nil }
    return name.flatMap { markup.location(of: $0) } ?? markup.location ?? owner.description.markup.location
  }
}
