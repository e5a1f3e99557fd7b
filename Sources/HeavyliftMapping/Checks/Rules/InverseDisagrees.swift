import HeavyliftExpression
import HeavyliftModel

/// Mappings of both sides of a relationship must agree.
///
/// Setting one side also sets the other, so the later mapping would undo part of the earlier one; which part depends on
/// the objects.
struct InverseDisagrees: MappingRule {
  struct Mistake: MappingMistake {
    static let code = "mapping.inverse-disagrees"

    enum Flaw {
      /// The source relationships are not inverses of each other; `expected` is the inverse of `inverseSource`.
      case otherRelationship(expected: String)
      /// The inverse is filled with objects that other entity mappings create.
      case otherMapping([String])
    }

    var property: PropertyMappingFact
    var inverse: PropertyMappingFact
    /// The names of the source relationships.
    var source: String
    var inverseSource: String
    var flaw: Flaw
    var location: DiagnosticLocation?
  }

  /// The value of a relationship, if it consists of the counterparts of one source relationship's objects.
  private struct Meaning {
    var relationship: RelationshipDescription
    var through: [String]
  }

  private static let mostMappings = 16

  func mistakes(in mapping: MappingIndex) -> [Mistake] {
    var meanings: [[String: (fact: PropertyMappingFact, meaning: Meaning)]] = mapping.mappings.map { _ in [:] }
    for property in mapping.properties where !property.isLeftToPolicy {
      guard let meaning = meaning(of: property, in: mapping) else { continue }
      meanings[property.owner.number][property.property.name] = (property, meaning)
    }
    return mapping.properties.compactMap { property -> Mistake? in
      guard let (_, meaning) = meanings[property.owner.number][property.property.name],
        let inverseName = property.relationship?.inverseName
      else { return nil }
      for name in meaning.through.prefix(Self.mostMappings) {
        // Skips earlier mapping models, which set the inverse independently.
        guard let other = mapping.mapping(named: name), !other.isOfEarlierPass,
          let (inverse, back) = meanings[other.number][inverseName],
          inverse.relationship?.inverseName == property.property.name
        else { continue }
        guard let flaw = flaw(property, meaning, inverse, back, in: mapping) else { continue }
        return Mistake(
          property: property, inverse: inverse, source: meaning.relationship.name,
          inverseSource: back.relationship.name, flaw: flaw, location: property.location(of: "value", "from", "name"))
      }
      return nil
    }
  }

  private func flaw(
    _ property: PropertyMappingFact, _ meaning: Meaning, _ inverse: PropertyMappingFact, _ back: Meaning,
    in mapping: MappingIndex
  ) -> Mistake.Flaw? {
    let isLater = (inverse.owner.number, inverse.property.name) < (property.owner.number, property.property.name)
    if let expected = back.relationship.inverseName, expected != meaning.relationship.name {
      // Each pair is reported once, for the side that runs later.
      return isLater ? .otherRelationship(expected: expected) : nil
    }
    // Relationships that are copied by name go through every entity mapping that fits.
    if property.written == nil, inverse.written == nil { return nil }
    if back.through.contains(property.owner.name) || !back.through.allSatisfy({ fits($0, inverse, back, in: mapping) })
    {
      return nil
    }
    return .otherMapping(back.through)
  }

  /// Returns true if the mapping takes and creates objects of the right entities. If not, another rule reports that.
  private func fits(
    _ name: String, _ property: PropertyMappingFact, _ meaning: Meaning, in mapping: MappingIndex
  ) -> Bool {
    guard let through = mapping.mapping(named: name), let (source, destination) = through.entities,
      let given = mapping.source.entity(named: meaning.relationship.destinationEntityName),
      let wanted = mapping.destination.entity(named: property.relationship?.destinationEntityName)
    else { return false }
    return mapping.source.areRelated(source, given) && mapping.destination.areRelated(destination, wanted)
  }

  private func meaning(of property: PropertyMappingFact, in mapping: MappingIndex) -> Meaning? {
    guard property.relationship?.inverseName != nil, let entity = property.owner.source else { return nil }
    let (name, through): (String?, [String])
    switch property.complete.origin {
    case .rebuilt(let from, let mappings): (name, through) = (from, mappings)
    case .written:
      guard let request = property.complete.valueExpression?.counterpartsRequest, let mapping = request.mapping else {
        return nil
      }
      (name, through) = (request.sourceKey, [mapping])
    case .copied, .unmapped: return nil
    }
    guard let name, case .relationship(let old)? = mapping.source.property(named: name, of: entity)?.property
    else { return nil }
    return Meaning(relationship: old, through: through)
  }
}

extension InverseDisagrees.Mistake {
  var severity: Diagnostic.Severity { if case .otherRelationship = flaw { .error } else { .warning } }

  var problem: String {
    let other = "\(inverse.property.name.quotedName) of \(inverse.owner.place)"
    return switch flaw {
    case .otherRelationship:
      "\(property.place) comes from \(source.quotedName), but its inverse \(other) comes "
        + "from \(inverseSource.quotedName), which is not the inverse of \(source.quotedName)"
    case .otherMapping(let mappings):
      "\(property.place) is overwritten by its inverse \(other), which uses "
        + "\(mappings.quotedList) instead of \(property.owner.name.quotedName)"
    }
  }

  func remedy(_ names: MappingNames) -> String? {
    switch flaw {
    case .otherRelationship(let expected):
      "map only one side and write 'copy=\"no\"' on the other, or use '$source.\(expected)' here"
    case .otherMapping: "map only one side and write 'copy=\"no\"' on the other"
    }
  }
}
