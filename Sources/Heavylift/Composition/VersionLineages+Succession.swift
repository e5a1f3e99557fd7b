import HeavyliftModel

extension VersionLineages {
  /// A value that an attribute gets where it has none, and the version whose default that is.
  struct Fallback {
    var value: Value
    var version: Int?
  }

  /// Returns what the entities and properties of the last version were in the first one.
  func succession(_ versions: ClosedRange<Int>) -> Succession {
    let last = versions.upperBound
    var succession = Succession(entities: [], properties: [], fallbacks: [:])
    for entity in models[last].entities.indices {
      let line = lineage(ofEntity: entity, versions)
      let members = line.compactMap(\.self)
      succession.entities.append(line[0])
      succession.properties.append([])
      guard members.count == versions.count else { continue }
      for (property, reference) in properties(of: entity, in: last).enumerated() {
        succession.properties[entity].append(lineage(ofProperty: property, members, versions)[0])
        if let fallback = otherFallback(ofProperty: property, members, versions)?.fallback {
          succession.fallbacks[entity, default: [:]][reference.name] = fallback.value
        }
      }
    }
    return succession
  }

  /// Returns what a stored attribute gets where it has no value, if the versions in between make it something else than
  /// the first and the last version alone would (`direct`); nil otherwise.
  ///
  /// - Parameters:
  ///   - property: An index into the properties of the last entity.
  ///   - entities: The entity in each version.
  func otherFallback(ofProperty property: Int, _ entities: [Int], _ versions: ClosedRange<Int>) -> (
    fallback: Fallback, direct: Value
  )? {
    let line = lineage(ofProperty: property, entities, versions)
    if let start = line.firstIndex(where: { $0 != nil }), start > 0, let added = line[start] {
      // The hop that adds the attribute computes its value.
      let version = versions.lowerBound + start
      let name = properties(of: entities[start], in: version)[added].name
      if computed(entities[start], in: version)[name] != nil { return nil }
    }
    let values = attributes(line, entities, versions)
    guard let target = values[values.count - 1], !target.isTransient, !target.isDerived else { return nil }
    var fallback = Self.fallback(values)
    let direct = Self.fallback([values[0], target]).value
    guard fallback.value != direct else { return nil }
    fallback.version = fallback.version.map { versions.lowerBound + $0 }
    return (fallback, direct)
  }

  /// The attribute in each version; nil before the version that adds it, and for other properties.
  private func attributes(
    _ line: [Int?], _ entities: [Int], _ versions: ClosedRange<Int>
  ) -> [AttributeDescription?] {
    line.enumerated().map { place, property in
      guard let property,
        case .attribute(let attribute) = properties(of: entities[place], in: versions.lowerBound + place)[property]
      else { return nil }
      return attribute
    }
  }

  /// Returns the value that an object ends up with if it starts without one.
  private static func fallback(_ values: [AttributeDescription?]) -> Fallback {
    var fallback = Fallback(value: .null)
    for place in values.indices.dropFirst() {
      guard let attribute = values[place], fallback.value.isNull else { continue }
      // A new attribute starts with its default; an existing one gets it only when it becomes mandatory.
      let before = values[place - 1]
      if before == nil || before?.isOptional == true && !attribute.isOptional {
        fallback = Fallback(value: attribute.defaultValue, version: place)
      }
    }
    if fallback.value.isNull { fallback.version = nil }
    return fallback
  }
}
