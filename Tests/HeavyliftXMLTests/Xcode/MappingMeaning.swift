import HeavyliftMapping

/// The effect of a complete mapping model, without the reasons.
struct MappingMeaning: Equatable, CustomStringConvertible {
  private let lines: [String]

  init(_ complete: CompleteMappingModel) {
    lines = complete.entityMappings.flatMap { mapping -> [String] in
      let sides = "\(mapping.sourceEntityName ?? "-") -> \(mapping.destinationEntityName ?? "-")"
      let head =
        "\(mapping.name): \(mapping.type.word) \(sides) where \(mapping.filter?.description ?? "-") "
        + "\(mapping.sourceExpression?.description ?? "-") policy \(mapping.policyClassName ?? "-") "
        + "\(mapping.userInfo.sorted { $0.key < $1.key })"
      return [head]
        + (mapping.attributeMappings + mapping.relationshipMappings).map {
          "  \($0.kind) \($0.name) = \($0.valueExpression?.description ?? "-") \($0.userInfo.sorted { $0.key < $1.key })"
        }
    }
  }

  var description: String { lines.joined(separator: "\n") }
}
