import HeavyliftExpression
import HeavyliftMapping
import HeavyliftModel

/// Deliberate mistakes in mapping models.
struct MappingMutations {
  private let pair: MigrationPair
  /// The pair's mappings, with the entity mappings that they imply written out.
  private let mappings: [MappingModel]
  private(set) var all: [Mutation] = []

  init(_ pair: MigrationPair) {
    self.pair = pair
    let completes = pair.mappings.complete(from: pair.sourceModel, to: pair.destinationModel)
    mappings = completes.map { complete in
      var mapping = complete.mappingModel
      mapping.entityMappings = complete.entityMappings.map(\.description)
      return mapping
    }
    for (stage, complete) in completes.enumerated() {
      for (place, mapping) in complete.entityMappings.enumerated() {
        guard mapping.destinationEntityName != nil else { continue }
        mutate(mapping, stage, place)
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

  /// Mutates an entity mapping as a whole: its filter, its policy, and its source objects.
  private mutating func mutate(_ mapping: CompleteEntityMapping, _ stage: Int, _ place: Int) {
    let name = mapping.name.quotedName
    if mapping.filter != nil { add("forget the filter of \(name)", [], stage, place) { $0.filter = nil } }
    if mapping.policyClassName != nil {
      add("forget the policy of \(name)", [], stage, place) { $0.policyClassName = nil }
    }
    guard mapping.sourceEntityName != nil else { return }
    add("exclude all objects of \(name)", [], stage, place) { $0.filter = MappingPredicate(.literal(false)) }
    // Creates the mapping's objects twice; nothing refers to the duplicates.
    var mappings = mappings
    var copy = mappings[stage].entityMappings[place]
    copy.givenName = mapping.name + " again"
    mappings[stage].entityMappings.append(copy)
    append("run \(name) twice", [], mappings)
  }

  private mutating func add(
    _ name: String, _ place: [String], _ stage: Int, _ index: Int, _ change: (inout EntityMappingDescription) -> Void
  ) {
    var mappings = mappings
    change(&mappings[stage].entityMappings[index])
    append(name, place, mappings)
  }

  private mutating func append(_ name: String, _ place: [String], _ mappings: [MappingModel]) {
    var other = pair
    other.mappings = mappings
    all.append(Mutation(name: name, place: place, kind: .pair(other)))
  }
}
