import HeavyliftExpression
import HeavyliftModel

/// The shortest entity mapping with the same effect as another, for one copying mode.
struct EntityConversion {
  private(set) var mapping: EntityMappingDescription
  /// The number of properties that must be written.
  var cost: Int { mapping.propertyMappings.count }

  /// - Parameters:
  ///   - written: The original as written.
  ///   - complete: The original with its defaults filled in.
  init(
    _ written: EntityMappingDescription, _ complete: CompleteEntityMapping, copying: ConservativeCopy,
    in completion: MappingCompletion
  ) {
    mapping = written
    mapping.copying = copying
    if written.givenName == Self.derivedName(of: written) { mapping.givenName = nil }
    // The type follows from the rest, but dropping objects should be explicit.
    mapping.givenType = written.sourceEntityName != nil && written.destinationEntityName == nil ? .remove : nil
    let filtered = written.withFilterOfFetch
    (mapping.filter, mapping.sourceExpression) = (filtered.filter, filtered.sourceExpression)
    mapping.propertyMappings = []
    mapping.propertyMappings = mentions(written, complete, completion)
  }

  private static func derivedName(of written: EntityMappingDescription) -> String {
    var other = written
    other.givenName = nil
    return other.name
  }

  /// Returns the properties that must be written, in the order of the original.
  private func mentions(
    _ written: EntityMappingDescription, _ complete: CompleteEntityMapping, _ completion: MappingCompletion
  ) -> [PropertyMappingDescription] {
    let wanted = complete.attributeMappings + complete.relationshipMappings
    var found: [String: PropertyMappingDescription] = [:]
    // User info and `shared` require an explicit element.
    let isMentioned = { (property: CompletePropertyMapping) in
      !property.userInfo.isEmpty || property.leavesSharedToLast
    }
    var open = wanted.filter(isMentioned)
    open += missing(mapping, wanted.filter { !isMentioned($0) }, completion)
    // Tries each form in turn for the properties that no shorter form covers.
    for form in ShortForm.allCases {
      var trial = mapping
      trial.propertyMappings = open.compactMap { form.mention($0, copying: written) }
      let mentioned = Dictionary(
        trial.propertyMappings.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
      let failed = Set(missing(trial, open.filter { mentioned[$0.name] != nil }, completion).map(\.name))
      for (name, mention) in mentioned where !failed.contains(name) { found[name] = mention }
      open.removeAll { found[$0.name] != nil }
    }
    return ordered(found, written, wanted)
  }

  /// Returns the wanted properties to which the trial mapping gives a different value.
  private func missing(
    _ trial: EntityMappingDescription, _ wanted: [CompletePropertyMapping], _ completion: MappingCompletion
  ) -> [CompletePropertyMapping] {
    if wanted.isEmpty { return [] }
    let properties = PropertyCompletion(trial, in: completion)
    let given = Dictionary(
      (properties.attributeMappings() + properties.relationshipMappings()).map { ($0.name, $0.valueExpression) },
      uniquingKeysWith: { first, _ in first })
    return wanted.filter { given[$0.name] != .some($0.valueExpression) }
  }

  /// Sorts the properties in the original order; properties that are not in the models stay unchanged.
  private func ordered(
    _ found: [String: PropertyMappingDescription], _ written: EntityMappingDescription,
    _ wanted: [CompletePropertyMapping]
  ) -> [PropertyMappingDescription] {
    let known = Set(wanted.map(\.name))
    var result: [PropertyMappingDescription] = []
    var seen: Set<String> = []
    for property in written.propertyMappings {
      // Of two elements for one property, the first counts.
      let isFirst = seen.insert(property.name).inserted
      if !known.contains(property.name) {
        result.append(property)
      } else if isFirst, let mention = found[property.name] {
        result.append(mention)
      }
    }
    return result + wanted.filter { !seen.contains($0.name) }.compactMap { found[$0.name] }
  }
}
