import HeavyliftMapping
import HeavyliftModel

/// What can go wrong in mapping models.
struct MappingMutations {
  private let pair: MigrationPair
  private(set) var all: [Mutation] = []

  init(_ pair: MigrationPair) {
    self.pair = pair
    for (stage, model) in pair.mappings.enumerated() {
      let complete = model.complete(from: pair.sourceModel, to: pair.destinationModel)
      for (place, mapping) in complete.entityMappings.enumerated() {
        guard mapping.destinationEntityName != nil else { continue }
        if mapping.filter != nil {
          add("forget the filter of \(mapping.name.quotedName)", [], stage, place) { $0.filter = nil }
        }
        for property in mapping.attributeMappings + mapping.relationshipMappings where property.valueExpression != nil {
          add(
            "forget \(property.name.quotedName) in \(mapping.name.quotedName)", [property.name.quotedName], stage, place
          ) { entity in
            entity.propertyMappings.removeAll { $0.name == property.name }
            entity.propertyMappings.append(
              PropertyMappingDescription(property.kind, name: property.name, source: .unmapped))
          }
        }
      }
    }
  }

  private mutating func add(
    _ name: String, _ place: [String], _ stage: Int, _ index: Int, _ change: (inout EntityMappingDescription) -> Void
  ) {
    var mappings = pair.mappings
    guard mappings[stage].entityMappings.indices.contains(index) else { return }
    change(&mappings[stage].entityMappings[index])
    all.append(Mutation(name: name, place: place, kind: .mapping(mappings)))
  }
}
