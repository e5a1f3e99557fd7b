import HeavyliftModel

/// The properties of the source version that the intermediate model keeps for scripts, although the destination version
/// does not have them.
struct KeptProperties {
  struct Kept {
    var place: PropertyDeclaration
    var property: PropertyReference
    var name: String
    /// The intermediate entities that declare the property.
    var owners: [Int]
  }

  /// Sorted by entity and name in the source model.
  private(set) var all: [Kept] = []
  private(set) var mistakes: [Diagnostic] = []
  /// The names of kept properties in the intermediate model, by source entity and name in the source model.
  private(set) var names: [[String: String]]

  init(_ counterparts: PropertyCounterparts) {
    let entities = counterparts.entities
    names = entities.source.model.entities.map { _ in [:] }
    let taken = Self.takenNames(entities)
    /// The kept property of each name, by the intermediate entity that declares it.
    var declared: [[String: Int]] = entities.entities.map { _ in [:] }
    var numbers: [PropertyDeclaration: Int] = [:]
    for entity in entities.order {
      guard let old = entities.entities[entity].old, !entities.source.model.entities[old].isAbstract else { continue }
      for (property, place) in counterparts.kept[old] {
        let home = entities.counterparts[place.entity]
        let owner = entities.isKind(entity, of: home) ? home : entity
        let number =
          numbers[place]
          ?? {
            let isTaken = taken[entities.root(of: owner), default: []].contains(property.name.uppercased())
            all.append(
              Kept(
                place: place, property: property,
                name: isTaken ? IntermediateModel.renameOld(property.name) : property.name, owners: []))
            numbers[place] = all.count - 1
            return all.count - 1
          }()
        let name = all[number].name
        names[old][property.name] = name
        if entities.lineage(of: owner).contains(where: { declared[$0][name] == number }) { continue }
        let isHidden = declared.indices.contains {
          declared[$0][name] != nil && (entities.isKind(owner, of: $0) || entities.isKind($0, of: owner))
        }
        if isHidden || taken[entities.root(of: owner), default: []].contains(name.uppercased()) {
          let place = PropertyPlace(property, of: entities.source.model.entities[place.entity])
          mistakes.append(
            IntermediateMistake.nameInUse(kept: name, name: name).diagnostic(
              place.description, at: property.markup.location))
          continue
        }
        declared[owner][name] = number
        all[number].owners.append(owner)
      }
    }
    all.sort { ($0.place.entity, $0.place.name) < ($1.place.entity, $1.place.name) }
  }

  /// The names and renaming identifiers of destination properties in each hierarchy, in upper case as in columns.
  private static func takenNames(_ entities: IntermediateEntities) -> [Int: Set<String>] {
    var taken: [Int: Set<String>] = [:]
    for (number, entity) in entities.destination.model.entities.enumerated() {
      let names = entity.properties.flatMap { [$0.name, $0.renamingIdentifier].compactMap(\.self) }
      taken[entities.root(of: number), default: []].formUnion(names.map { $0.uppercased() })
    }
    return taken
  }

  /// Returns the only intermediate entity that declares a kept property; nil if there is none or more than one.
  func only(_ place: PropertyDeclaration?) -> Kept? {
    all.first { $0.place == place && $0.owners.count == 1 }
  }
}
