import HeavyliftExpression
import HeavyliftModel

/// A destination property, what it gets, and where that stands written.
struct PropertyMappingFact: Sendable {
  let owner: EntityMappingFact
  let complete: CompletePropertyMapping
  let property: PropertyReference
  /// What was said about it, if anything was.
  let written: PropertyMappingDescription?

  /// "attribute 'title' of entity mapping 'TrackToTrack'".
  var place: String { "\(property.kind) \(property.name.quotedName) of \(owner.place)" }

  var attribute: AttributeDescription? {
    if case .attribute(let attribute) = property { attribute } else { nil }
  }

  var relationship: RelationshipDescription? {
    if case .relationship(let relationship) = property { relationship } else { nil }
  }

  /// Whether a policy may give it another value than stands here.
  var isLeftToPolicy: Bool { owner.isCustom && complete.origin != .written }

  /// Why it gets no value, unless that follows from a mistake that is told already.
  var unmappedReason: UnmappedReason? {
    guard case .unmapped(let reason) = complete.origin, !owner.hasUnknownSource else { return nil }
    return reason
  }

  /// Whether it is said to be copied by name, and there is nothing of that name.
  ///
  /// A mapping that copies only what it lists says so of everything, as Xcode's do: there it means nothing.
  func hasNothingToCopy(in mapping: MappingIndex) -> Bool {
    guard let written, written.kind == property.mappingKind, let reason = unmappedReason,
      (owner.description.copying ?? mapping.complete.mappingModel.copying) != .listed,
      reason == .notInSource || reason == .noSource
    else { return false }
    // An attribute that is only mentioned keeps its user info for a policy.
    if owner.isCustom, !written.userInfo.isEmpty { return false }
    switch written.source {
    case .automatic, .related(nil, _): return true
    case .expression, .unmapped, .related: return false
    }
  }

  /// The name of the entity mapping that the relationship is to go through, if there is no such entity mapping.
  func unknownMapping(in mapping: MappingIndex) -> String? {
    let name: String?
    switch written?.source {
    case .related(_, let through): name = through
    case .expression(let expression): name = expression.destinationInstancesRequest?.mapping
    case .automatic, .unmapped, nil: name = nil
    }
    return name.flatMap { mapping.mapping(named: $0) == nil ? $0 : nil }
  }

  /// Where the first of the attributes that stand there is, or else the property's element, or its entity mapping's.
  func location(of names: String...) -> SourceLocation? {
    guard let markup = written?.markup else { return owner.description.markup.location }
    let name = names.first { markup.attributes[$0] != nil }
    return name.flatMap { markup.location(of: $0) } ?? markup.location ?? owner.description.markup.location
  }
}
