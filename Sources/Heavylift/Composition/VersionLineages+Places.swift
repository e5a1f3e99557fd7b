import HeavyliftModel

extension VersionLineages {
  /// A property of an entity of a version. The property is an index into the entity's properties.
  struct Place: Hashable {
    var version: Int
    var entity: Int
    var property: Int
  }

  func place(_ name: String, of entity: Int, in version: Int) -> Place? {
    properties(of: entity, in: version).firstIndex { $0.name == name }.map {
      Place(version: version, entity: entity, property: $0)
    }
  }

  func reference(_ place: Place) -> PropertyReference {
    properties(of: place.entity, in: place.version)[place.property]
  }

  func attribute(_ place: Place) -> AttributeDescription? {
    if case .attribute(let attribute) = reference(place) { attribute } else { nil }
  }

  /// The property in words.
  func shown(_ place: Place) -> String {
    let reference = reference(place)
    let entity = models[place.version].entities[place.entity].name
    return "\(reference.kind) \(reference.name.quotedName) of entity \(entity.quotedName)"
  }

  /// Returns what the property was in the version before; `nil` if it is new, or computed.
  func predecessor(of place: Place) -> Place? {
    guard place.version > 0,
      let entity = predecessor(ofEntity: place.entity, in: place.version, from: place.version - 1),
      let property = predecessor(
        of: place.property, ofEntity: place.entity, in: place.version, from: entity, in: place.version - 1)
    else { return nil }
    return Place(version: place.version - 1, entity: entity, property: property)
  }

  /// Returns what becomes of the property in the next version; `nil` if it is removed, alone or with its entity.
  func successor(of place: Place) -> Place? {
    guard place.version + 1 < models.count,
      let entity = successor(ofEntity: place.entity, in: place.version, to: place.version + 1)
    else { return nil }
    let news = properties(of: entity, in: place.version + 1).indices
    return news.lazy.map { Place(version: place.version + 1, entity: entity, property: $0) }
      .first { predecessor(of: $0) == place }
  }

  /// Returns the entity of a version that an entity of a later version was; `nil` if it is new.
  func origin(ofEntity entity: Int, in version: Int, _ first: Int) -> Int? {
    lineage(ofEntity: entity, first...version)[0]
  }

  /// Returns the first place, in a version or later, of the property.
  func origin(of place: Place, _ first: Int) -> Place {
    var place = place
    while place.version > first, let older = predecessor(of: place) { place = older }
    return place
  }

  /// Returns the names that an entity and a property have in an earlier version; `nil` if one of them is new since then.
  func names(
    of property: String?, _ entity: String, in version: Int, _ first: Int
  ) -> (entity: String, property: String?)? {
    guard let number = index(version).entity(named: entity), let old = origin(ofEntity: number, in: version, first)
    else { return nil }
    let name = models[first].entities[old].name
    guard let property else { return (name, nil) }
    // The path of an element starts with the name of its composite.
    let keys = property.split(separator: ".", maxSplits: 1)
    guard let place = place(String(keys[0]), of: number, in: version) else { return nil }
    let origin = origin(of: place, first)
    guard origin.version == first else { return nil }
    return (name, ([reference(origin).name] + keys.dropFirst().map(String.init)).joined(separator: "."))
  }

  /// True if the objects of an entity are not removed by a later version.
  func survives(_ entity: String, from version: Int, to last: Int) -> Bool {
    var place = index(version).entity(named: entity)
    for version in version..<last { place = place.flatMap { successor(ofEntity: $0, in: version, to: version + 1) } }
    return place != nil
  }
}
